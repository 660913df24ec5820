//! Bounding cylinder hierarchies: bodies on one floor, seen from above.

use elbowroom::Aabb;
use elbowroom_papers::bch::area::union_of_discs;
use elbowroom_papers::bch::{Config, Cut, CylinderHierarchy as Engine, Outline, Parts};
use pyo3::prelude::*;

use super::{Batch, Raw, RawNodes, Value, ask, choice, disk, raw_nodes, together};
use crate::model::read_mesh;
use crate::{arrays, errors, work};

/// A body is cut into pieces no smaller than this share of its width: more would fill the memory.
const FINEST: f64 = 1e-5;

#[pyclass(frozen, module = "elbowroom._native._papers")]
pub(super) struct CylinderHierarchy {
    tree: Engine,
}

#[pymethods]
impl CylinderHierarchy {
    #[new]
    fn py_new(
        vertices: &Value<'_>,
        faces: Option<&Value<'_>>,
        parts: &str,
        cut: &str,
        threshold: f64,
        holes: bool,
    ) -> PyResult<Self> {
        let py = vertices.py();
        let parts_of = [
            ("contour", (Parts::Contour, Outline::Silhouette)),
            ("union", (Parts::Contour, Outline::Union)),
            ("triangles", (Parts::Triangles, Outline::Silhouette)),
            ("whole", (Parts::Whole, Outline::Silhouette)),
        ];
        let cuts = [
            ("centroid", Cut::Centroid),
            ("area", Cut::Area),
            ("center", Cut::Center),
            ("covariance", Cut::Covariance),
        ];
        let (parts, outline) = choice(py, "parts", parts, &parts_of)?;
        let cut = choice(py, "cut", cut, &cuts)?;
        let mesh = read_mesh(vertices, faces)?;
        let Aabb { min: low, max: high } = mesh.bounds();
        let least = FINEST * (high - low).truncate().max_element();
        if threshold < least {
            let text = format!(
                "threshold is {threshold}, which is too fine for this body; give {least:.1e} or more"
            );
            return Err(errors::argument(py, &text));
        }
        let config = Config { parts, cut, threshold, holes, outline };
        Ok(Self { tree: work::run(py, || Engine::build(&mesh, &config))? })
    }

    fn intersect<'py>(
        &self,
        other: &Bound<'py, Self>,
        pose: Option<&Value<'py>>,
        other_pose: Option<&Value<'py>>,
        level: Option<u32>,
    ) -> PyResult<Raw<'py>> {
        let py = other.py();
        let at = Batch::read(pose, "pose")?.on_ground(py, "pose")?;
        let there = Batch::read(other_pose, "other_pose")?.on_ground(py, "other_pose")?;
        let count = together(py, &[("pose", at.count()), ("other_pose", there.count())])?;
        let (a, b) = (&self.tree, &other.get().tree);
        ask(py, count, |i| a.intersect(at.at(i), b, there.at(i), level).into())
    }

    /// Boxes are as high as the body; areas are those of the circles.
    fn nodes<'py>(&self, py: Python<'py>) -> PyResult<RawNodes<'py>> {
        raw_nodes(py, &self.tree.levels())
    }

    fn __len__(&self) -> usize {
        self.tree.footprint().tree().len()
    }
}

/// The area that discs cover together, of rows x, y, radius.
#[pyfunction]
pub(super) fn covered_area(discs: &Value<'_>) -> PyResult<f64> {
    let py = discs.py();
    let discs: Vec<_> = arrays::points(discs, "discs")?.into_iter().map(disk).collect();
    work::run(py, || union_of_discs(&discs))
}
