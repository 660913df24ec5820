//! The five structures of the papers, as `elbowroom.papers` wraps them.
//!
//! Answers and nodes go to Python as plain tuples of arrays; what users see, named tuples, tables and
//! docstrings, is in `python/elbowroom/papers.py`, which also checks numbers for their range.

mod cylinders;
mod hybrid;
mod links;
mod motion;
mod obb;

use elbowroom::Pose;
use elbowroom::internal::math::planar::Planar;
use elbowroom::internal::query::{CollisionRequest, CollisionResult, Verdict, Want};
use elbowroom::internal::volume::{Family, Fit, Obb};
use elbowroom_papers::bch::seen_from_above;
use elbowroom_papers::grammar::{
    Config, Failed, Intersection, LevelNode, Levels, Path, Rule, Split, Tally,
};
use glam::{DMat3, DVec2, DVec3};
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::arrays::Poses;
use crate::{arrays, errors, work};

type Value<'py> = Bound<'py, PyAny>;

/// The module `elbowroom._native._papers`. Its name is private: only `elbowroom.papers` uses it.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let papers = PyModule::new(module.py(), "_papers")?;
    papers.add("FAMILIES", PyTuple::new(module.py(), Family::EVERY.map(Family::name))?)?;
    papers.add_class::<obb::ObbTree>()?;
    papers.add_class::<links::CabHierarchy>()?;
    papers.add_class::<hybrid::HybridTree>()?;
    papers.add_class::<hybrid::Front>()?;
    papers.add_class::<cylinders::CylinderHierarchy>()?;
    papers.add_class::<motion::MobbTree>()?;
    papers.add_function(wrap_pyfunction!(cylinders::covered_area, &papers)?)?;
    // Not `add`, which would list it among the public names.
    module.setattr("_papers", papers)
}

/// One of some words; otherwise an error that lists them.
fn choice<T: Copy>(py: Python<'_>, name: &str, given: &str, all: &[(&str, T)]) -> PyResult<T> {
    if let Some((_, value)) = all.iter().find(|(word, _)| word.eq_ignore_ascii_case(given)) {
        return Ok(*value);
    }
    let words: Vec<String> = all.iter().map(|(word, _)| format!("{word:?}")).collect();
    let text = format!("{name} is {given:?}; give one of {}", words.join(", "));
    Err(errors::argument(py, &text))
}

/// A family that triangles can be fitted with.
fn family(py: Python<'_>, given: &str) -> PyResult<Family> {
    choice(py, "family", given, &Family::ALL.map(|family| (family.name(), family)))
}

/// How a tree is grown; what is `None` stays as it is.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct GrowOptions {
    family: Option<String>,
    fit: Option<String>,
    split: Option<String>,
    bins: u32,
    by_spread: Option<bool>,
    failed: Option<String>,
    leaf: Option<usize>,
}

impl GrowOptions {
    fn config(&self, py: Python<'_>, mut config: Config) -> PyResult<Config> {
        if let Some(given) = &self.family {
            config.family = family(py, given)?;
        }
        if let Some(given) = &self.fit {
            config.fit = choice(py, "fit", given, &Fit::ALL.map(|fit| (fit.name(), fit)))?;
        }
        if let Some(given) = &self.split {
            let all = [
                ("mean", Split::Mean),
                ("area-mean", Split::AreaMean),
                ("median", Split::Median),
                ("sah", Split::Sah { bins: self.bins }),
            ];
            config.split = choice(py, "split", given, &all)?;
        }
        if let Some(given) = &self.failed {
            let all = [("next-axis", Failed::NextAxis), ("halve", Failed::Halve)];
            config.failed = choice(py, "failed", given, &all)?;
        }
        config.by_spread = self.by_spread.unwrap_or(config.by_spread);
        config.leaf = self.leaf.unwrap_or(config.leaf);
        Ok(config)
    }
}

/// How two trees of triangles are traversed.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct AskOptions {
    first: bool,
    rule: String,
    level: Option<u32>,
}

impl AskOptions {
    fn question(&self, py: Python<'_>) -> PyResult<CollisionRequest> {
        let all = [("larger", Rule::Larger), ("first", Rule::First), ("both", Rule::Both)];
        let rule = choice(py, "rule", &self.rule, &all)?;
        let ask = if self.first { Want::First } else { Want::All };
        Ok(CollisionRequest { want: ask, path: Path { rule, level: self.level }, margin: 0.0 })
    }
}

/// One value for all questions, or one for each.
struct Batch<T> {
    all: Vec<T>,
    is_many: bool,
}

impl<T> Batch<T> {
    /// How many there are; `None` if one is for all.
    fn count(&self) -> Option<usize> {
        self.is_many.then_some(self.all.len())
    }

    fn at(&self, index: usize) -> &T {
        &self.all[if self.is_many { index } else { 0 }]
    }
}

impl Batch<Pose> {
    fn read(value: Option<&Value<'_>>, name: &str) -> PyResult<Self> {
        Ok(match Poses::read(value, name)? {
            Poses::One(pose) => Self { all: vec![pose], is_many: false },
            Poses::Many(all) => Self { all, is_many: true },
        })
    }

    /// As seen from above. What stands upright may only turn about z, and its height does not matter.
    fn on_ground(self, py: Python<'_>, name: &str) -> PyResult<Batch<Planar>> {
        let mut all = arrays::reserved(self.all.len())?;
        for (index, pose) in self.all.iter().enumerate() {
            let at: &[(&str, usize)] = if self.is_many { &[("pose", index)] } else { &[] };
            let refused = |text: &str| {
                let number = if self.is_many { format!(" {index}") } else { String::new() };
                errors::new(py, "PoseError", &format!("{name}{number} {text}"), at)
            };
            all.push(seen_from_above(pose).map_err(|error| refused(&error.to_string()))?);
        }
        Ok(Batch { all, is_many: self.is_many })
    }
}

/// How many questions batches make together; `None` for one.
fn together(py: Python<'_>, sizes: &[(&str, Option<usize>)]) -> PyResult<Option<usize>> {
    let mut many = sizes.iter().filter_map(|&(name, count)| Some((name, count?)));
    let Some((first, count)) = many.next() else { return Ok(None) };
    if let Some((other, others)) = many.find(|&(_, others)| others != count) {
        let text = format!(
            "{first} has {count} entries and {other} has {others}; give as many of each, or one"
        );
        return Err(errors::new(py, "ArrayError", &text, &[]));
    }
    Ok(Some(count))
}

/// Answers once, or about each of many on all cores.
fn answers<T: Send>(
    py: Python<'_>,
    count: Option<usize>,
    one: impl Fn(usize) -> T + Sync + Send,
) -> PyResult<Vec<T>> {
    match count {
        None => work::run(py, || vec![one(0)]),
        Some(count) => work::many(py, count, one),
    }
}

fn ask(
    py: Python<'_>,
    count: Option<usize>,
    one: impl Fn(usize) -> Counted + Sync + Send,
) -> PyResult<Raw<'_>> {
    raw(py, count.is_none(), &answers(py, count, one)?)
}

/// An answer with its counts.
#[derive(Clone, Debug, Default)]
struct Counted {
    verdict: Verdict,
    pairs: Vec<[u32; 2]>,
    /// Pairs of volumes tested, by family.
    volumes: [u64; Family::EVERY.len()],
    /// Pairs of primitives tested.
    primitives: u64,
}

impl Counted {
    fn new(verdict: Verdict, pairs: Vec<[u32; 2]>, tally: &Tally) -> Self {
        let volumes = Family::EVERY.map(|family| tally.of_family(family));
        Self { verdict, pairs, volumes, primitives: tally.primitives }
    }
}

impl From<CollisionResult> for Counted {
    fn from(answer: CollisionResult) -> Self {
        let pairs = answer.pairs.iter().map(|pair| [pair.a, pair.b]).collect();
        Self::new(answer.verdict, pairs, &answer.tally)
    }
}

impl From<Intersection<[u32; 2]>> for Counted {
    fn from(found: Intersection<[u32; 2]>) -> Self {
        let tally = found.tally;
        Self::new(found.verdict, found.pairs, &tally)
    }
}

/// Whether there is one answer only; verdicts (0 clear, 1 may touch, 2 contact), the pairs of all, how
/// many each has, volume tests by family, and primitive tests.
type Raw<'py> = (
    bool,
    Bound<'py, PyArray1<u8>>,
    Bound<'py, PyArray2<u32>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray2<i64>>,
    Bound<'py, PyArray1<i64>>,
);

fn raw<'py>(py: Python<'py>, is_one: bool, answers: &[Counted]) -> PyResult<Raw<'py>> {
    let verdict = |it: &Counted| match it.verdict {
        Verdict::Clear => 0_u8,
        Verdict::MayTouch => 1,
        Verdict::Contact => 2,
    };
    let numbers = |of: &dyn Fn(&Counted) -> u64| {
        PyArray1::from_iter(py, answers.iter().map(|it| of(it).cast_signed()))
    };
    let pairs: Vec<[u32; 2]> = answers.iter().flat_map(|it| it.pairs.iter().copied()).collect();
    let volumes = answers.iter().flat_map(|it| it.volumes.map(u64::cast_signed));
    Ok((
        is_one,
        PyArray1::from_iter(py, answers.iter().map(verdict)),
        arrays::pairs(py, pairs.into_iter())?,
        numbers(&|it| it.pairs.len() as u64),
        PyArray1::from_iter(py, volumes).reshape([answers.len(), Family::EVERY.len()])?,
        numbers(&|it| it.primitives),
    ))
}

/// Level, whether a leaf, primitives, family, area, then centre, axes and half extents of boxes.
type RawNodes<'py> = (
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<u8>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray3<f64>>,
    Bound<'py, PyArray2<f64>>,
);

/// The nodes of a tree, in its order. A node without a volume has numbers that are none, and no family.
fn raw_nodes<'py>(py: Python<'py>, levels: &Levels) -> PyResult<RawNodes<'py>> {
    let nodes = levels.nodes();
    let nan = DVec3::NAN;
    let nowhere = Obb { center: nan, axes: DMat3::from_cols(nan, nan, nan), half: nan };
    let around = |node: &LevelNode| node.bound.map_or(nowhere, |bound| bound.shape.around());
    let boxes: Vec<Obb> = nodes.iter().map(around).collect();
    // Row by row: the columns are the axes.
    let axes = boxes.iter().flat_map(|it| it.axes.transpose().to_cols_array());
    let family = |node: &LevelNode| node.bound.map_or(u8::MAX, |bound| bound.family as u8);
    let area = |node: &LevelNode| node.bound.map_or(f64::NAN, |bound| bound.area);
    Ok((
        PyArray1::from_iter(py, nodes.iter().map(|node| node.level)),
        PyArray1::from_iter(py, nodes.iter().map(|node| node.is_leaf)),
        PyArray1::from_iter(py, nodes.iter().map(|node| node.primitives)),
        PyArray1::from_iter(py, nodes.iter().map(family)),
        PyArray1::from_iter(py, nodes.iter().map(area)),
        arrays::vectors(py, boxes.iter().map(|it| it.center))?,
        PyArray1::from_iter(py, axes).reshape([boxes.len(), 3, 3])?,
        arrays::vectors(py, boxes.iter().map(|it| it.half))?,
    ))
}

/// A point on the ground and a radius, of rows x, y, radius.
fn disk(row: DVec3) -> (DVec2, f64) {
    (row.truncate(), row.z)
}
