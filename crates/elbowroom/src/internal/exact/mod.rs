//! Floor 1: signs that are never wrong, and what two closed triangles do to each other.
//!
//! The input are the rational numbers that f64 coordinates and poses denote. [`relate()`] says
//! whether two triangles, which may be degenerate, are apart, touch or cross; every sign it needs
//! comes from a chain of ever slower and ever surer evaluations ([`chain`]), of which nearly always
//! only the first is reached.

pub mod chain;
pub(crate) mod closest;
mod double;
mod dyadic;
mod fraction;
mod gap;
mod gap_batch;
mod intersection;
mod moving;
mod neighbours;
mod number;
mod points;
mod relate;
mod segment;
mod triangle_batch;
mod wide;

pub use chain::{PlacedTriangle, Stages};
pub(crate) use double::{bound_among, side_among, side_near, turn_near};
pub(crate) use dyadic::{Dyadic, Point, Ratio, Vector};
pub(crate) use fraction::{first_fraction, line_fraction, plane_fraction};
pub use gap::{Gap, gap};
pub use gap_batch::{Span, gap_batch, near_batch};
pub use intersection::{Common, Corner, Outline, Part, intersection};
pub use moving::{
    Approach, Impact, Moving, edge_meets_edge, edges_ever_meet, neighbours_meet, triangles_meet,
    vertex_ever_meets_face, vertex_meets_face,
};
pub(crate) use neighbours::has_three_corners;
pub use neighbours::{relate_neighbours, share_a_corner};
pub(crate) use points::outline;
pub use points::{side, turn};
pub use relate::{Relation, orient3d, relate, relate_counted};
pub(crate) use segment::meets_segment;
pub use triangle_batch::{Plane, Relations, TriangleTransform, pack_triangle, relate_batch};

/// The sign of an exactly known number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sign {
    /// Below zero.
    Negative,
    /// Exactly zero.
    Zero,
    /// Above zero.
    Positive,
}

impl Sign {
    /// The sign of a number that is known exactly.
    #[inline]
    pub fn of(value: f64) -> Self {
        if value > 0.0 {
            Self::Positive
        } else if value < 0.0 {
            Self::Negative
        } else {
            Self::Zero
        }
    }

    /// The other sign; zero stays.
    #[inline]
    #[must_use]
    pub fn flipped(self) -> Self {
        match self {
            Self::Negative => Self::Positive,
            Self::Zero => Self::Zero,
            Self::Positive => Self::Negative,
        }
    }
}
