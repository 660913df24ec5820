//! The OBB tree, and trees of every other family.

use elbowroom::internal::query::ask as ask_models;
use elbowroom::internal::traverse::Workspace;
use elbowroom::internal::volume::Spatial;
use elbowroom::with_column;
use elbowroom_papers::grammar::Config;
use elbowroom_papers::obbtree::ObbTree as Engine;
use pyo3::prelude::*;

use super::{AskOptions, Batch, GrowOptions, Nodes, Raw, RawNodes, Value, ask, together};
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
        let start = if rapid { Config::rapid() } else { Config::obbtree() };
        let config = options.config(py, start)?;
        let mesh = read_mesh(vertices, faces)?;
        Ok(Self { tree: work::run(py, || Engine::with_config(mesh, &config))? })
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
            ask_models(a, at.at(i), b, there.at(i), &question, &mut workspace).into()
        })
    }

    fn nodes<'py>(&self, py: Python<'py>) -> PyResult<RawNodes<'py>> {
        let model = self.tree.model();
        let (tree, family) = (model.tree(), model.config().family);
        let nodes = work::run(py, || {
            let mut nodes = Nodes::default();
            with_column!(model.columns(), column => {
                for node in tree.nodes() {
                    let volume = (family, column[node].area(), column[node].boxed());
                    let members = tree.members(node).len();
                    nodes.push(tree.level(node), tree.is_leaf(node), members, Some(volume));
                }
            });
            nodes
        })?;
        nodes.raw(py)
    }

    fn __len__(&self) -> usize {
        self.tree.model().tree().len()
    }
}
