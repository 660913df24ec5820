//! Hierarchies built over a file, with what building them took.

use std::sync::Arc;

use elbowroom::{Aabb, Mesh};
use elbowroom_motion::space_time::Config as MotionConfig;
use elbowroom_papers::bch::{self, CylinderHierarchy};
use elbowroom_papers::cab::{self, CabHierarchy};
use elbowroom_papers::grammar::{LevelRow, Levels, thread_secs};
use elbowroom_papers::mobb::MobbTree;
use elbowroom_papers::obbtree::ObbTree;
use elbowroom_papers::sbbk::{self, HybridTree};

use super::kind::{Kind, Named};
use super::subject::Subject;
use crate::messages::{Refusal, short};
use crate::save::refusal;

/// A body is cut into pieces no smaller than this share of its width: more would fill the memory.
const FINEST: f64 = 1e-5;
/// The number of pieces, roughly, in the width of a body whose unit is not known.
const PIECES: f64 = 200.0;
/// What takes longer to build is built once.
const LONG_SECS: f64 = 0.2;

/// The parameters that the command line gives.
pub(super) struct Options {
    /// In metres.
    pub(super) threshold: Option<f64>,
    pub(super) n_min: usize,
    pub(super) repeat: u32,
}

/// A hierarchy over a subject.
pub(super) struct Planted {
    pub(super) named: Named,
    pub(super) tree: Built,
    pub(super) levels: Levels,
    pub(super) rows: Vec<LevelRow>,
    pub(super) build_secs: f64,
}

impl Planted {
    pub(super) fn bytes(&self) -> usize {
        self.rows.iter().map(|row| row.bytes).sum()
    }

    pub(super) fn leaves(&self) -> usize {
        self.rows.iter().map(|row| row.leaves).sum()
    }
}

pub(super) enum Built {
    Triangles(Box<ObbTree>),
    Layers(Box<HybridTree>),
    Circles(Box<CylinderHierarchy>),
    Links(Box<CabHierarchy>),
    Motion(Box<MobbTree>),
}

impl Built {
    fn levels(&self) -> Levels {
        match self {
            Self::Triangles(tree) => tree.levels(),
            Self::Layers(tree) => tree.levels(),
            Self::Circles(tree) => tree.levels(),
            Self::Links(tree) => tree.levels(),
            Self::Motion(tree) => tree.levels(),
        }
    }
}

/// What something gives, and the least CPU seconds that it took in a few runs.
pub(super) fn timed<T>(repeat: u32, mut run: impl FnMut() -> T) -> (T, f64) {
    let start = thread_secs();
    let (mut value, mut least) = (run(), thread_secs() - start);
    let mut sum = least;
    for _ in 1..repeat {
        if sum > LONG_SECS {
            break;
        }
        let start = thread_secs();
        value = run();
        let secs = thread_secs() - start;
        sum += secs;
        least = least.min(secs);
    }
    (value, least)
}

/// Builds a hierarchy of a kind that fits.
pub(super) fn plant(
    named: &Named,
    subject: &Subject,
    options: &Options,
) -> Result<Planted, Refusal> {
    let (tree, build_secs) = build(named, subject, options)?;
    let levels = tree.levels();
    let rows = levels.rows();
    Ok(Planted { named: named.clone(), tree, levels, rows, build_secs })
}

fn build(named: &Named, subject: &Subject, options: &Options) -> Result<(Built, f64), Refusal> {
    let lacks = || subject.lacks(named);
    let mesh = || subject.mesh.as_ref().ok_or_else(lacks);
    let repeat = options.repeat;
    Ok(match &named.kind {
        Kind::Triangles(config) => {
            let mesh = mesh()?;
            let (tree, secs) = timed(repeat, || ObbTree::build(mesh.clone(), config));
            (Built::Triangles(Box::new(tree)), secs)
        }
        Kind::Layers(layers, _) => {
            let mesh = mesh()?;
            let config = sbbk::Config { layers: layers.clone(), ..sbbk::Config::paper() };
            let (tree, secs) = timed(repeat, || HybridTree::build(mesh.clone(), &config));
            (Built::Layers(Box::new(tree)), secs)
        }
        Kind::Circles(config) => {
            let mesh = subject.upright().ok_or_else(lacks)?;
            let threshold = threshold(subject, &mesh, options)?;
            let config = bch::Config { threshold, ..*config };
            let (tree, secs) = timed(repeat, || CylinderHierarchy::build(&mesh, &config));
            (Built::Circles(Box::new(tree)), secs)
        }
        Kind::Links(method) => {
            let body = subject.body.as_ref().ok_or_else(lacks)?;
            let config = cab::Config::paper().with_method(*method);
            let joints = body.joints(body.moment);
            let build = || {
                let mut tree = CabHierarchy::build(Arc::clone(&body.links), &config);
                tree.update(&joints).map(|()| tree)
            };
            let (tree, secs) = timed(repeat, build);
            let bad = |error| refusal(&subject.path, &format!("{error}"), "mend the file");
            (Built::Links(Box::new(tree.map_err(bad)?)), secs)
        }
        Kind::Motion(kind) => {
            let trace = subject.trace.as_ref().ok_or_else(lacks)?;
            let config = MotionConfig { n_min: options.n_min, ..MotionConfig::paper(*kind) };
            let (tree, secs) = timed(repeat, || MobbTree::with_config(trace.clone(), config));
            let bad = |error| refusal(&subject.path, &format!("{error}"), "mend the file");
            (Built::Motion(Box::new(tree.map_err(bad)?)), secs)
        }
    })
}

/// The radius below which circles are not cut, in the numbers of the mesh.
fn threshold(subject: &Subject, mesh: &Mesh, options: &Options) -> Result<f64, Refusal> {
    let Aabb { min: low, max: high } = mesh.bounds();
    let width = (high - low).truncate().max_element();
    let usual = bch::Config::paper().threshold;
    let given = match (options.threshold, subject.metres) {
        (Some(metres), known) => metres / known.unwrap_or(1.0),
        (None, Some(known)) => usual / known,
        (None, None) => width / PIECES,
    };
    let least = FINEST * width;
    if given > 0.0 && given >= least || width == 0.0 {
        return Ok(given);
    }
    if options.threshold.is_none() {
        return Ok(least);
    }
    let what =
        format!("is {} wide, and circles of {} are too fine for it", short(width), short(given));
    Err(refusal(&subject.path, &what, &format!("give a --threshold of {} or more", short(least))))
}
