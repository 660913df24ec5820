//! CAB and its relatives: boxes over the links of an articulated body, refitted for every pose.

use std::sync::Arc;

use elbowroom::internal::query::{Verdict, Want};
use elbowroom::{Model, Pose};
use elbowroom_motion::body::{Joint, JointId, Local, Skeleton};
use elbowroom_papers::cab::{
    Allowed, ArticulatedBody, ArticulatedBodyError, ArticulatedBodyErrorKind,
    CabHierarchy as Engine, Found, Link, LinkQuestion, RefitMethod, Workspace, between, within,
};
use glam::DAffine3;
use pyo3::prelude::*;

use super::{Batch, Counted, Raw, RawNodes, Value, answers, choice, raw, raw_nodes, together};
use crate::model::read_mesh;
use crate::{errors, work};

#[pyclass(frozen, module = "elbowroom._native._papers")]
pub(super) struct CabHierarchy {
    /// With all joints at the origin; each question has a copy.
    rest: Engine,
}

/// A pose for each joint, for one question or for each of many.
struct Frames {
    joints: Vec<DAffine3>,
    each: usize,
    is_many: bool,
}

impl Frames {
    /// Of poses, one joint of a frame after the other.
    fn read(poses: Option<&Value<'_>>, name: &str, each: usize, is_many: bool) -> PyResult<Self> {
        let affine =
            |pose: &Pose| DAffine3 { matrix3: pose.rotation(), translation: pose.translation() };
        let joints = match poses {
            None => vec![DAffine3::IDENTITY; each],
            Some(poses) => Batch::<Pose>::read(Some(poses), name)?.all.iter().map(affine).collect(),
        };
        Ok(Self { joints, each, is_many })
    }

    fn count(&self) -> Option<usize> {
        self.is_many.then(|| self.joints.len() / self.each)
    }

    fn at(&self, index: usize) -> &[DAffine3] {
        let from = if self.is_many { index * self.each } else { 0 };
        &self.joints[from..from + self.each]
    }
}

fn refused(py: Python<'_>, error: &ArticulatedBodyError) -> PyErr {
    match error.kind() {
        ArticulatedBodyErrorKind::Pose { joint, cause, .. } => {
            let text = format!("joint {}: {cause}", joint.0);
            errors::new(py, "PoseError", &text, &[("pose", joint.index())])
        }
        _ => errors::argument(py, &error.to_string()),
    }
}

impl CabHierarchy {
    fn joints_len(&self) -> usize {
        self.rest.articulation().joints_len()
    }

    /// The hierarchy with its joints at their poses.
    fn posed(&self, joints: &[DAffine3]) -> Result<Engine, ArticulatedBodyError> {
        let mut engine = self.rest.clone();
        engine.update(joints)?;
        Ok(engine)
    }

    fn counted(&self, found: &Found) -> Counted {
        let verdict = if found.is_clear() { Verdict::Clear } else { Verdict::Contact };
        let pairs = found.contacts.iter().map(|contact| [contact.a, contact.b]).collect();
        let mut counted = Counted { verdict, pairs, ..Counted::default() };
        counted.volumes[self.rest.family() as usize] = found.work.box_tests;
        counted.primitives = found.work.calls;
        counted
    }
}

/// The answers, or why the first of them is none.
fn counted(
    py: Python<'_>,
    count: Option<usize>,
    answers: Vec<Result<Counted, ArticulatedBodyError>>,
) -> PyResult<Raw<'_>> {
    let answers: Result<Vec<_>, _> = answers.into_iter().collect();
    raw(py, count.is_none(), &answers.map_err(|error| refused(py, &error))?)
}

fn question(first: bool) -> LinkQuestion {
    LinkQuestion { ask: Want::Any, first_only: first, depth: false }
}

#[pymethods]
impl CabHierarchy {
    /// Of links, the joint that carries each, the parent of each joint (below zero for a root) and
    /// where each link is in the frame of its joint.
    #[new]
    fn py_new(
        links: Vec<Value<'_>>,
        joints: Vec<u32>,
        parents: Vec<i64>,
        joint_from_link: &Value<'_>,
        method: &str,
    ) -> PyResult<Self> {
        let py = joint_from_link.py();
        let method =
            choice(py, "method", method, &RefitMethod::ALL.map(|method| (method.name(), method)))?;
        let joint = |(index, &parent): (usize, &i64)| Joint {
            name: format!("joint {index}"),
            parent: u32::try_from(parent).ok().map(JointId),
            rest: Local::IDENTITY,
        };
        let skeleton = Skeleton::new(parents.iter().enumerate().map(joint).collect())
            .map_err(|error| errors::argument(py, &format!("parents: {error}")))?;
        let offsets = Batch::<Pose>::read(Some(joint_from_link), "joint_from_link")?;
        let mut all = Vec::new();
        for (index, (given, joint)) in links.iter().zip(joints).enumerate() {
            let model = if let Ok(model) = given.cast::<crate::model::Model>() {
                model.get().engine(py)
            } else {
                let mesh = read_mesh(given, None)?;
                Arc::new(work::run(py, || Model::new(mesh))?)
            };
            let (joint_from_link, name) = (*offsets.at(index), format!("link {index}"));
            all.push(Link { joint: JointId(joint), model, joint_from_link, name });
        }
        let body = work::run(py, || ArticulatedBody::new(&skeleton, all))?;
        let body = body.map_err(|error| refused(py, &error))?;
        Ok(Self { rest: Engine::new(Arc::new(body), method) })
    }

    fn intersect<'py>(
        &self,
        other: &Bound<'py, Self>,
        pose: Option<&Value<'py>>,
        is_many: bool,
        other_pose: Option<&Value<'py>>,
        is_other_many: bool,
        first: bool,
    ) -> PyResult<Raw<'py>> {
        let (py, other) = (other.py(), other.get());
        let at = Frames::read(pose, "pose", self.joints_len(), is_many)?;
        let there = Frames::read(other_pose, "other_pose", other.joints_len(), is_other_many)?;
        let count = together(py, &[("pose", at.count()), ("other_pose", there.count())])?;
        let answers = answers(py, count, |i| {
            let (mut a, mut b) = (self.posed(at.at(i))?, other.posed(there.at(i))?);
            Ok(self.counted(between(&mut a, &mut b, &question(first), &mut Workspace::new())))
        })?;
        counted(py, count, answers)
    }

    /// Pairs of links that are allowed to touch come beside those that are joined.
    fn self_intersect<'py>(
        &self,
        py: Python<'py>,
        pose: Option<&Value<'py>>,
        is_many: bool,
        adjacent: bool,
        allowed: Vec<(u32, u32)>,
        first: bool,
    ) -> PyResult<Raw<'py>> {
        let body = self.rest.articulation();
        let base = if adjacent { Allowed::adjacent(body) } else { Allowed::nothing(body) };
        let allowed = base.with(&allowed).map_err(|error| refused(py, &error))?;
        let at = Frames::read(pose, "pose", self.joints_len(), is_many)?;
        let answers = answers(py, at.count(), |i| {
            let mut a = self.posed(at.at(i))?;
            Ok(self.counted(within(&mut a, &allowed, &question(first), &mut Workspace::new())))
        })?;
        counted(py, at.count(), answers)
    }

    fn nodes<'py>(&self, py: Python<'py>, pose: Option<&Value<'py>>) -> PyResult<RawNodes<'py>> {
        let at = Frames::read(pose, "pose", self.joints_len(), false)?;
        let posed = self.posed(at.at(0)).map_err(|error| refused(py, &error))?;
        raw_nodes(py, &posed.levels())
    }

    /// How many joints a pose has.
    #[getter]
    fn joints(&self) -> usize {
        self.joints_len()
    }

    fn __len__(&self) -> usize {
        self.rest.articulation().tree().len()
    }
}
