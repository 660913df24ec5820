//! A placed model as a solid: its surface sewn up, its corners without rounding, its own sides.

use glam::DVec3;

use crate::internal::exact::{PlacedTriangle, Vector};
use crate::internal::geom::Shell;
use crate::internal::math::pose::Pose;
use crate::internal::model::Model;

/// One of the solids of a question.
#[derive(Clone, Copy)]
pub(crate) struct Body<'a> {
    pub(crate) model: &'a Model,
    pub(crate) pose: &'a Pose,
    pub(crate) shell: &'a Shell,
}

impl<'a> Body<'a> {
    pub(crate) fn new(model: &'a Model, pose: &'a Pose) -> Self {
        Self { model, pose, shell: model.shell() }
    }

    /// A triangle where it stands.
    pub(crate) fn placed(&self, triangle: u32) -> PlacedTriangle<'a> {
        PlacedTriangle::new(self.pose, self.model.mesh().triangle(triangle as usize))
    }

    /// The segment between two vertices where it stands, as a triangle without area.
    pub(crate) fn placed_segment(&self, [from, to]: [u32; 2]) -> PlacedTriangle<'a> {
        let (from, to) = (self.vertex(from), self.vertex(to));
        PlacedTriangle::new(self.pose, [from, to, to])
    }

    /// A vertex without rounding.
    pub(crate) fn corner(&self, vertex: u32) -> Vector {
        Vector::placed(self.pose, self.vertex(vertex))
    }

    /// The corners of a triangle without rounding.
    pub(crate) fn corners(&self, triangle: u32) -> [Vector; 3] {
        self.shell.corners[triangle as usize].map(|vertex| self.corner(vertex))
    }

    pub(super) fn vertex(&self, vertex: u32) -> DVec3 {
        self.model.mesh().vertices()[vertex as usize]
    }
}
