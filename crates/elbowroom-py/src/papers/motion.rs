//! MOBB trees: disks on the ground in space-time.

use elbowroom_motion::space_time::{
    BetweenSamples, Config, Kind, Leaf, Partners, Placed, Sample, TimeAxis, Trace, TraceError,
    TraceErrorKind,
};
use elbowroom_papers::mobb::{MobbTree as Engine, Question};
use pyo3::prelude::*;

use super::{Batch, Raw, RawNodes, Value, ask, choice, disk, raw_nodes, together};
use crate::{arrays, errors, work};

#[pyclass(frozen, module = "elbowroom._native._papers")]
pub(super) struct MobbTree {
    tree: Engine,
}

/// How a motion is made into a tree.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Options {
    kind: String,
    n_min: usize,
    axis: String,
    time_scale: f64,
    aligned: f64,
    between: String,
    touching: bool,
    test_below_leaf: bool,
    leaf: String,
}

impl Options {
    fn config(&self, py: Python<'_>) -> PyResult<Config> {
        let axes = [("chord", TimeAxis::Chord), ("covariance", TimeAxis::Covariance)];
        let betweens = [("held", BetweenSamples::Held), ("linear", BetweenSamples::Linear)];
        let leaves = [("every", Leaf::Every), ("stride", Leaf::Stride)];
        Ok(Config {
            kind: choice(py, "kind", &self.kind, &Kind::ALL.map(|kind| (kind.name(), kind)))?,
            axis: choice(py, "axis", &self.axis, &axes)?,
            n_min: self.n_min,
            time_scale: self.time_scale,
            aligned: self.aligned,
            between: choice(py, "between", &self.between, &betweens)?,
            touching: self.touching,
            test_below_leaf: self.test_below_leaf,
            leaf: choice(py, "leaf", &self.leaf, &leaves)?,
        })
    }
}

fn refused(py: Python<'_>, error: &TraceError) -> PyErr {
    match error.kind() {
        TraceErrorKind::Positive { .. }
        | TraceErrorKind::Sine { .. }
        | TraceErrorKind::Start { .. } => errors::argument(py, &error.to_string()),
        _ => errors::new(py, "ArrayError", &format!("disks: {error}"), &[]),
    }
}

/// Starts in seconds, and whether there is one for each question.
type Starts = (Vec<f64>, bool);

/// Where a motion is and when it starts.
fn placed(
    py: Python<'_>,
    [pose_name, start_name]: [&str; 2],
    pose: Option<&Value<'_>>,
    (all, is_many): Starts,
) -> PyResult<Batch<Placed>> {
    let at = Batch::read(pose, pose_name)?.on_ground(py, pose_name)?;
    let start = Batch { all, is_many };
    let count = together(py, &[(pose_name, at.count()), (start_name, start.count())])?;
    let placed = (0..count.unwrap_or(1)).map(|i| Placed::new(*at.at(i), *start.at(i)));
    let all = placed.collect::<Result<_, _>>().map_err(|error| refused(py, &error))?;
    Ok(Batch { all, is_many: count.is_some() })
}

#[pymethods]
impl MobbTree {
    #[new]
    fn py_new(disks: &Value<'_>, dt: f64, options: Options) -> PyResult<Self> {
        let py = disks.py();
        let config = options.config(py)?;
        let sample = |(center, radius)| Sample { center, radius };
        let samples: Vec<Sample> =
            arrays::points(disks, "disks")?.into_iter().map(disk).map(sample).collect();
        let made = work::run(py, || Engine::with_config(Trace::new(&samples, dt)?, config))?;
        Ok(Self { tree: made.map_err(|error| refused(py, &error))? })
    }

    #[pyo3(signature = (other, pose, other_pose, start, other_start, question))]
    fn intersect<'py>(
        &self,
        other: &Bound<'py, Self>,
        pose: Option<&Value<'py>>,
        other_pose: Option<&Value<'py>>,
        start: Starts,
        other_start: Starts,
        question: (bool, String),
    ) -> PyResult<Raw<'py>> {
        let py = other.py();
        let known =
            [("held together", Partners::HeldTogether), ("at its time", Partners::AtItsTime)];
        let (first, partners) = question;
        let question = Question { first, partners: choice(py, "partners", &partners, &known)? };
        let at = placed(py, ["pose", "start"], pose, start)?;
        let there = placed(py, ["other_pose", "other_start"], other_pose, other_start)?;
        let count = together(py, &[("pose", at.count()), ("other_pose", there.count())])?;
        let (a, b) = (&self.tree, &other.get().tree);
        ask(py, count, |i| a.intersect_by(question, at.at(i), b, there.at(i)).into())
    }

    /// Boxes in x, y and the time as a length; where only times are compared, there are none.
    fn nodes<'py>(&self, py: Python<'py>) -> PyResult<RawNodes<'py>> {
        raw_nodes(py, &self.tree.levels())
    }

    fn __len__(&self) -> usize {
        self.tree.clip().tree().len()
    }
}
