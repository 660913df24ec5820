//! A placed model as a solid: its surface sewn up, its corners without rounding, its own sides.

use glam::DVec3;

use crate::exact::{PlacedTriangle, Vector};
use crate::geom::Shell;
use crate::math::placement::Placement;
use crate::model::Model;

/// One of the solids of a question.
#[derive(Clone, Copy)]
pub(in crate::query) struct Body<'a> {
    pub(in crate::query) model: &'a Model,
    pub(in crate::query) placement: &'a Placement,
    pub(in crate::query) shell: &'a Shell,
}

impl<'a> Body<'a> {
    pub(in crate::query) fn new(model: &'a Model, placement: &'a Placement) -> Self {
        Self { model, placement, shell: model.shell() }
    }

    /// A triangle where it stands.
    pub(in crate::query) fn placed(&self, triangle: u32) -> PlacedTriangle<'a> {
        PlacedTriangle::new(self.placement, self.model.mesh().triangle(triangle as usize))
    }

    /// The segment between two vertices where it stands, as a triangle without area.
    pub(in crate::query) fn placed_segment(&self, [from, to]: [u32; 2]) -> PlacedTriangle<'a> {
        let (from, to) = (self.vertex(from), self.vertex(to));
        PlacedTriangle::new(self.placement, [from, to, to])
    }

    /// A vertex without rounding.
    pub(in crate::query) fn corner(&self, vertex: u32) -> Vector {
        Vector::placed(self.placement, self.vertex(vertex))
    }

    /// The corners of a triangle without rounding.
    pub(in crate::query) fn corners(&self, triangle: u32) -> [Vector; 3] {
        self.shell.corners[triangle as usize].map(|vertex| self.corner(vertex))
    }

    pub(super) fn vertex(&self, vertex: u32) -> DVec3 {
        self.model.mesh().vertices()[vertex as usize]
    }
}
