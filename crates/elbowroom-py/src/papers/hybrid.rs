//! SBBK and its relatives: one topology, a family for each level, refitted as the mesh deforms.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use elbowroom::internal::traverse::Workspace;
use elbowroom_papers::grammar::Front as Kept;
use elbowroom_papers::sbbk::{
    Config, HybridTree as Engine, LayerChoice, Layers, LayersError, collide_layered,
    collide_layered_again,
};
use pyo3::prelude::*;

use super::{
    AskOptions, Batch, Counted, GrowOptions, Raw, RawNodes, Value, ask, choice, family, raw,
    raw_nodes, together,
};
use crate::model::read_mesh;
use crate::{arrays, errors, work};

/// A number for each topology, so that a front is never taken for one of other trees.
static NEXT: AtomicU64 = AtomicU64::new(0);

#[pyclass(frozen, module = "elbowroom._native._papers")]
pub(super) struct HybridTree {
    /// Replaced by a refit; queries that still run keep what they began with.
    tree: Mutex<Arc<Engine>>,
    topology: u64,
}

/// Which family on which level: by name, or family by family with the level where it begins.
#[derive(FromPyObject)]
enum LayerOptions {
    Named(String),
    ByHand(Vec<(String, u32)>),
}

impl LayerOptions {
    /// The layers; `refits` is what those that are chosen are chosen for.
    fn choice(&self, py: Python<'_>, refits: f64) -> PyResult<LayerChoice> {
        let refused = |error: LayersError| errors::argument(py, &format!("layers: {error}"));
        let name = match self {
            Self::Named(name) => name,
            Self::ByHand(runs) => {
                let runs = runs.iter().map(|(name, level)| Ok((family(py, name)?, *level)));
                let runs = runs.collect::<PyResult<Vec<_>>>()?;
                return Layers::new(runs).map(LayerChoice::ByHand).map_err(refused);
            }
        };
        let named = LayerChoice::named();
        let all: Vec<(&str, usize)> = named.iter().map(|(name, _)| *name).zip(0..).collect();
        Ok(match named[choice(py, "layers", name, &all)?].1.clone() {
            LayerChoice::Auto { .. } => LayerChoice::Auto { refits },
            by_hand @ LayerChoice::ByHand(_) => by_hand,
        })
    }
}

impl HybridTree {
    fn lock(&self) -> MutexGuard<'_, Arc<Engine>> {
        self.tree.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn engine(&self, py: Python<'_>) -> Arc<Engine> {
        match self.tree.try_lock() {
            Ok(tree) => Arc::clone(&tree),
            Err(_) => py.detach(|| Arc::clone(&self.lock())),
        }
    }
}

#[pymethods]
impl HybridTree {
    #[new]
    fn py_new(
        vertices: &Value<'_>,
        faces: Option<&Value<'_>>,
        layers: LayerOptions,
        refits: f64,
        options: GrowOptions,
    ) -> PyResult<Self> {
        let py = vertices.py();
        let paper = Config::paper();
        let grow = options.config(py, paper.grow)?;
        let config = Config { layers: layers.choice(py, refits)?, grow, ..paper };
        let mesh = read_mesh(vertices, faces)?;
        let tree = work::run(py, || Engine::build(mesh, &config))?;
        let topology = NEXT.fetch_add(1, Ordering::Relaxed);
        Ok(Self { tree: Mutex::new(Arc::new(tree)), topology })
    }

    /// A tree over the same topology with other layers.
    fn with_layers(&self, py: Python<'_>, layers: LayerOptions, refits: f64) -> PyResult<Self> {
        let (choice, tree) = (layers.choice(py, refits)?, self.engine(py));
        let tree = work::run(py, || tree.with_choice(&choice))?;
        Ok(Self { tree: Mutex::new(Arc::new(tree)), topology: self.topology })
    }

    fn refit(&self, vertices: &Value<'_>) -> PyResult<()> {
        let py = vertices.py();
        let points = arrays::points(vertices, "vertices")?;
        let refitted = py.detach(|| Arc::make_mut(&mut self.lock()).refit(&points));
        refitted.map_err(|error| errors::mesh(py, &error))
    }

    #[pyo3(signature = (other, pose, other_pose, options, front))]
    fn intersect<'py>(
        &self,
        other: &Bound<'py, Self>,
        pose: Option<&Value<'py>>,
        other_pose: Option<&Value<'py>>,
        options: AskOptions,
        front: Option<&Bound<'py, Front>>,
    ) -> PyResult<Raw<'py>> {
        let py = other.py();
        let (at, there) = (Batch::read(pose, "pose")?, Batch::read(other_pose, "other_pose")?);
        let count = together(py, &[("pose", at.count()), ("other_pose", there.count())])?;
        let question = options.question(py)?;
        let (a, b) = (self.engine(py), other.get().engine(py));
        let Some(front) = front else {
            return ask(py, count, |i| {
                let mut workspace = Workspace::default();
                collide_layered(&a, at.at(i), &b, there.at(i), &question, &mut workspace).into()
            });
        };
        let (front, of) = (front.get(), [self.topology, other.get().topology]);
        let mut kept = front.take(of);
        // In order: each begins where the one before it has stopped.
        let answers = work::run(py, || {
            let mut workspace = Workspace::default();
            let mut one = |i: usize| {
                let (at, there) = (at.at(i), there.at(i));
                let walk = &mut kept;
                collide_layered_again(&a, at, &b, there, &question, walk, &mut workspace).into()
            };
            (0..count.unwrap_or(1)).map(&mut one).collect::<Vec<Counted>>()
        })?;
        front.put(kept, of);
        raw(py, count.is_none(), &answers)
    }

    fn nodes<'py>(&self, py: Python<'py>) -> PyResult<RawNodes<'py>> {
        let engine = self.engine(py);
        let levels = work::run(py, || engine.levels())?;
        raw_nodes(py, &levels)
    }

    /// Each layer's family and first level.
    #[getter]
    fn layers(&self, py: Python<'_>) -> Vec<(&'static str, u32)> {
        let engine = self.engine(py);
        engine.layering().runs().iter().map(|&(family, level)| (family.name(), level)).collect()
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.engine(py).tree().len()
    }
}

/// Where the last question about two trees stopped.
#[pyclass(frozen, module = "elbowroom._native._papers")]
pub(super) struct Front {
    held: Mutex<Option<Held>>,
    limit: usize,
    raising: bool,
}

/// A front, and the topologies that it is of.
struct Held {
    front: Kept,
    of: [u64; 2],
}

impl Front {
    /// Held for a moment only, so that no thread needs the interpreter's lock meanwhile.
    fn lock(&self) -> MutexGuard<'_, Option<Held>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The front of two trees. Until it is put back there is none, so that an interrupted question
    /// leaves nothing half done.
    fn take(&self, of: [u64; 2]) -> Kept {
        match self.lock().take() {
            Some(held) if held.of == of => held.front,
            _ => {
                let new = Kept::with_limit(self.limit);
                if self.raising { new } else { new.without_raising() }
            }
        }
    }

    fn put(&self, front: Kept, of: [u64; 2]) {
        *self.lock() = Some(Held { front, of });
    }
}

#[pymethods]
impl Front {
    #[new]
    fn py_new(limit: usize, raising: bool) -> Self {
        Self { held: Mutex::new(None), limit, raising }
    }

    fn __len__(&self) -> usize {
        self.lock().as_ref().map_or(0, |held| held.front.len())
    }

    fn reset(&self) {
        *self.lock() = None;
    }
}
