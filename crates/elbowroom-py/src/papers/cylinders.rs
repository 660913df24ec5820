//! Bounding cylinder hierarchies: bodies on one floor, seen from above.

use std::f64::consts::PI;

use elbowroom::internal::query::Verdict;
use elbowroom::internal::volume::{Family, Obb};
use elbowroom_motion::footprint::{Cut, FootprintConfig, Parts};
use elbowroom_papers::bch::CylinderHierarchy as Engine;
use elbowroom_papers::bch::area::union_of_discs;
use glam::{DMat3, DVec3};
use pyo3::prelude::*;

use super::{Batch, Counted, Nodes, Raw, RawNodes, Value, ask, choice, disk, together};
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
        let parts_of =
            [("contour", Parts::Contour), ("triangles", Parts::Triangles), ("whole", Parts::Whole)];
        let cuts =
            [("centroid", Cut::Centroid), ("center", Cut::Center), ("covariance", Cut::Covariance)];
        let parts = choice(py, "parts", parts, &parts_of)?;
        let cut = choice(py, "cut", cut, &cuts)?;
        let mesh = read_mesh(vertices, faces)?;
        let (low, high) = mesh.bounds();
        let least = FINEST * (high - low).truncate().max_element();
        if threshold < least {
            let text = format!(
                "threshold is {threshold}, which is too fine for this body; give {least:.1e} or more"
            );
            return Err(errors::argument(py, &text));
        }
        let config = FootprintConfig { parts, cut, threshold, holes };
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
        ask(py, count, |i| {
            let (may_touch, tests) = a.may_touch(at.at(i), b, there.at(i), level);
            let verdict = if may_touch { Verdict::MayTouch } else { Verdict::Clear };
            let mut counted = Counted { verdict, ..Counted::default() };
            counted.volumes[Family::Cylinder as usize] = tests;
            counted
        })
    }

    /// Boxes are as high as the body; areas are those of the circles.
    fn nodes<'py>(&self, py: Python<'py>) -> PyResult<RawNodes<'py>> {
        let footprint = self.tree.footprint();
        let (tree, (low, high)) = (footprint.tree(), footprint.height());
        let mut nodes = Nodes::default();
        for node in tree.nodes() {
            let circle = &footprint.column()[node];
            let center = circle.center.extend(0.5 * (low + high));
            let half = DVec3::new(circle.radius, circle.radius, 0.5 * (high - low));
            let around = Obb { center, axes: DMat3::IDENTITY, half };
            let volume = (Family::Cylinder, PI * circle.radius * circle.radius, around);
            nodes.push(
                tree.level(node),
                tree.is_leaf(node),
                tree.members(node).len(),
                Some(volume),
            );
        }
        nodes.raw(py)
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
