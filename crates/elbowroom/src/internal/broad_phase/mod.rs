//! Floor 5: many boxes, and which of them overlap.
//!
//! A thousand objects are half a million pairs, and most of them are far apart. Each object gets a
//! box along the axes of the world, and a [`Broad`] tells which boxes overlap; only those pairs are
//! worth a closer look. Boxes are closed: touching counts.
//!
//! Three structures find the same pairs, each best somewhere ([`Method`]):
//!
//! - the [*tree*](Method::Tree) is the only one that profits when few boxes move,
//! - the [*sweep*](Method::Sweep) has next to no overhead and is best for some hundreds of boxes,
//! - the [*grid*](Method::Grid) is best for many boxes of similar sizes, all of which move.
//!
//! Where the box of an object is taken from matters as much: a [`Support`] gives one that is nearly
//! the smallest, at a price that does not depend on the mesh.
//!
//! Invariants: the pairs are those of comparing every two boxes, lower number first, in order,
//! whatever the structure and the history. Memory grows with the boxes and the pairs that overlap.
//! Boxes that are not finite are refused.

mod choose;
mod columns;
mod grid;
mod set;
mod support;
mod sweep;
mod tree;

use std::fmt;

use crate::internal::volume::Aabb;

pub use choose::{Method, Scene, choose};
pub use set::Broad;
pub use support::Support;
pub use tree::BroadFault;

/// The numbers of two boxes, the lower one first.
pub type BoxPair = (u32, u32);

/// What a pair takes while pairs are found, put in order and handed on.
const PAIR: usize = 2 * size_of::<BoxPair>();

/// Whether two closed boxes have a point in common.
#[expect(
    clippy::needless_bitwise_bool,
    reason = "six comparisons cost less than one branch that is guessed wrong"
)]
#[inline]
fn overlap(a: &Aabb, b: &Aabb) -> bool {
    (a.min.x <= b.max.x)
        & (b.min.x <= a.max.x)
        & (a.min.y <= b.max.y)
        & (b.min.y <= a.max.y)
        & (a.min.z <= b.max.z)
        & (b.min.z <= a.max.z)
}

/// The two numbers of a pair in order.
#[inline]
fn pair_of(a: u32, b: u32) -> BoxPair {
    if a < b { (a, b) } else { (b, a) }
}

/// Why a box was refused.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxError {
    axis: usize,
    min: f64,
    max: f64,
}

impl BoxError {
    /// The first axis on which it is wrong: 0, 1 or 2 for x, y or z.
    pub fn axis(&self) -> usize {
        self.axis
    }

    /// Checks that a box is finite and not inside out.
    fn check(bounds: &Aabb) -> Result<(), Self> {
        for axis in 0..3 {
            let (min, max) = (bounds.min[axis], bounds.max[axis]);
            if !(min.is_finite() && max.is_finite() && min <= max) {
                return Err(Self { axis, min, max });
            }
        }
        Ok(())
    }
}

impl fmt::Display for BoxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { axis, min, max } = *self;
        let axis = ["x", "y", "z"][axis];
        if min.is_finite() && max.is_finite() {
            write!(f, "the box runs from {min} down to {max} in {axis}: swap its corners")
        } else {
            write!(f, "the box runs from {min} to {max} in {axis}, which is not finite")
        }
    }
}

impl std::error::Error for BoxError {}
