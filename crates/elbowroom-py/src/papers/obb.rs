//! The OBB tree, and trees of every other family.

use elbowroom::internal::query::collide as collide_models;
use elbowroom::internal::traverse::Workspace;
use elbowroom_papers::obbtree::{Config, ObbTree as Engine};
use pyo3::prelude::*;

use super::{AskOptions, Batch, GrowOptions, Raw, RawNodes, Value, ask, raw_nodes, together};
use crate::model::read_mesh;
use crate::work;

#[pyclass(frozen, module = "elbowroom._native._papers")]
pub(super) struct ObbTree {
    tree: Engine,
}

#[pymethods]
impl ObbTree {
    #[new]
    fn py_new(
        vertices: &Value<'_>,
        faces: Option<&Value<'_>>,
        rapid: bool,
        options: GrowOptions,
    ) -> PyResult<Self> {
        let py = vertices.py();
        let start = if rapid { Config::rapid() } else { Config::paper() };
        let config = Config { grow: options.config(py, start.grow)?, ..start };
        let mesh = read_mesh(vertices, faces)?;
        Ok(Self { tree: work::run(py, || Engine::build(mesh, &config))? })
    }

    fn intersect<'py>(
        &self,
        other: &Bound<'py, Self>,
        pose: Option<&Value<'py>>,
        other_pose: Option<&Value<'py>>,
        options: AskOptions,
    ) -> PyResult<Raw<'py>> {
        let py = other.py();
        let (at, there) = (Batch::read(pose, "pose")?, Batch::read(other_pose, "other_pose")?);
        let count = together(py, &[("pose", at.count()), ("other_pose", there.count())])?;
        let question = options.question(py)?;
        let (a, b) = (self.tree.model(), other.get().tree.model());
        ask(py, count, |i| {
            let mut workspace = Workspace::default();
            collide_models(a, at.at(i), b, there.at(i), &question, &mut workspace).into()
        })
    }

    fn nodes<'py>(&self, py: Python<'py>) -> PyResult<RawNodes<'py>> {
        let levels = work::run(py, || self.tree.levels())?;
        raw_nodes(py, &levels)
    }

    fn __len__(&self) -> usize {
        self.tree.model().tree().len()
    }
}
