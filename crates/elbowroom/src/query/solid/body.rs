//! A placed model as a solid: its surface sewn up, its corners without rounding, its own sides.

use glam::DVec3;

use crate::exact::{PlacedTriangle, Relation, Sign, Vector, orient3d, relate};
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

/// Whether a segment, given as a triangle without area, meets a triangle with area. As [`relate`] says, but sooner: that
/// knows neither which of the two is the segment nor that the other has a plane.
pub(in crate::query) fn meets_segment(triangle: &PlacedTriangle, segment: &PlacedTriangle) -> bool {
    let sign = |corners| orient3d(triangle, segment, corners);
    let sides = [sign([0, 1, 2, 3]), sign([0, 1, 2, 4])];
    if sides == [Sign::Zero; 2] {
        return relate(triangle, segment) != Relation::Apart;
    }
    // The segment's line passes all sides of the triangle on one hand, or it does not pass through.
    sides[0] != sides[1] && {
        let turns = [[0, 1], [1, 2], [2, 0]].map(|[u, v]| sign([3, 4, u, v]));
        !(turns.contains(&Sign::Positive) && turns.contains(&Sign::Negative))
    }
}
