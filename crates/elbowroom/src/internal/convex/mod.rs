//! Floor 3: general answers about convex shapes, which boxes get faster from their own test.
//!
//! - [`gjk`]: how far two convex shapes are apart, of which only the farthest point in any
//!   direction is known.
//! - [`epa`]: how deep two convex shapes are in each other.
//! - [`shape`]: balls, capsules, hulls, and any of them placed somewhere.
//!
//! Gottschalk, Lin and Manocha (*`OBBTree`: a hierarchical structure for rapid interference
//! detection*, 1996, Table 2) weigh GJK, linear programming and a naive test of edges against the
//! separating axes of two boxes; the latter two are in `elbowroom_papers::obbtree`. All work in
//! rounded arithmetic: away from contact they agree with the exact answer, and within rounding of
//! it they lean towards *touching*.

pub mod epa;
pub mod gjk;
pub mod shape;
mod simplex;

pub use epa::{ConvexPenetration, penetration};

use glam::{DMat3, DVec3};

/// A box that stands anywhere: the points `center + axes * s` with |s| at most `half` on each axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxShape {
    /// The middle.
    pub center: DVec3,
    /// The directions of its edges, as orthonormal columns.
    pub axes: DMat3,
    /// Half the extent along each of them, not negative; zero makes a rectangle, a segment or a
    /// point.
    pub half: DVec3,
}

impl BoxShape {
    /// A corner: on each axis on the upper side if the bit of that number is set.
    pub fn corner(&self, bits: usize) -> DVec3 {
        let upper =
            |axis: usize| if bits >> axis & 1 == 1 { self.half[axis] } else { -self.half[axis] };
        self.center + self.axes * DVec3::new(upper(0), upper(1), upper(2))
    }

    /// A point as seen from the middle, along the axes.
    pub fn local(&self, point: DVec3) -> DVec3 {
        let off = point - self.center;
        DVec3::new(self.axes.x_axis.dot(off), self.axes.y_axis.dot(off), self.axes.z_axis.dot(off))
    }
}
