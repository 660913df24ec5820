//! Boxes as rows of eight numbers, and triangles seen along axes.
//!
//! ```text
//!   lane   0 1 2 3    4 5 6 7
//!          high  ·    −low  ·       along the three axes
//! ```
//!
//! So the box around two boxes is one maximum, and twice the middle is the row less itself with its halves swapped.
//! The axes are in the lanes with both signs, and a triangle's row is the maximum of three products.
//!
//! How far a row may be from the truth: a corner's coordinates are rounded once to f32, and a projection rounds three
//! times, each time by less than u = 2⁻²⁴ of Σ|aᵢ||xᵢ|, which is at most the corner's distance from the middle
//! of the model; all in all less than 5u of it.

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

use glam::{DVec3, Vec3};

use super::corners::Corners;
use super::frame::Axes;
use crate::arch::Oct;
use crate::volume::SmallObb;

/// A box along known axes.
pub(super) type Row = [f32; 8];

/// Around nothing.
pub(super) const NOTHING: Row = [f32::NEG_INFINITY; 8];

/// 5u and a little more.
const ROUNDING: f64 = 5.01 / 16_777_216.0;
/// What numbers below the normal ones lose.
const LOST: f64 = f64::from_bits((1023 - 140) << 52);

/// Three axes, both ways.
#[derive(Clone, Copy)]
pub(super) struct Faces<O> {
    x: O,
    y: O,
    z: O,
}

impl<O: Oct> Faces<O> {
    #[inline(always)]
    pub(super) fn new(a: &Axes) -> Self {
        Self {
            x: O::load(&[a[0], a[3], a[6], 0.0, -a[0], -a[3], -a[6], 0.0]),
            y: O::load(&[a[1], a[4], a[7], 0.0, -a[1], -a[4], -a[7], 0.0]),
            z: O::load(&[a[2], a[5], a[8], 0.0, -a[2], -a[5], -a[8], 0.0]),
        }
    }

    /// The box around a triangle.
    #[inline(always)]
    pub(super) fn row(&self, corners: &Corners) -> O {
        let c = &corners.0;
        let p = self.along(c[0], c[1], c[2]);
        let q = self.along(c[4], c[5], c[6]);
        let r = self.along(c[8], c[9], c[10]);
        p.max(q).max(r)
    }

    #[inline(always)]
    fn along(&self, x: f32, y: f32, z: f32) -> O {
        let sum = self.x * O::splat(x);
        self.z.times_plus(O::splat(z), self.y.times_plus(O::splat(y), sum))
    }
}

/// Twice the middle, in lanes 0 to 2.
#[inline(always)]
pub(super) fn middle<O: Oct>(row: O) -> O {
    row - row.swap()
}

/// The sides of a box.
#[inline(always)]
pub(super) fn sides(row: &Row) -> [f32; 3] {
    [row[0] + row[4], row[1] + row[5], row[2] + row[6]]
}

/// Half the surface of a box.
#[inline(always)]
pub(super) fn half_area(row: &Row) -> f32 {
    let [x, y, z] = sides(row);
    x * y + y * z + z * x
}

/// The box as it is stored: around the exact corners, in the model's own unit.
pub(super) fn stored(axes: &Axes, row: &Row, unit: f64) -> SmallObb {
    let r = row.map(f64::from);
    let far = r[0].abs().max(r[4].abs()) + r[1].abs().max(r[5].abs()) + r[2].abs().max(r[6].abs());
    let room = ROUNDING * far + LOST;
    let low = DVec3::new(-r[4] - room, -r[5] - room, -r[6] - room) * unit;
    let high = DVec3::new(r[0] + room, r[1] + room, r[2] + room) * unit;
    let a = |k: usize| Vec3::new(axes[k], axes[k + 1], axes[k + 2]);
    SmallObb::of_span([a(0), a(3), a(6)], low, high)
}
