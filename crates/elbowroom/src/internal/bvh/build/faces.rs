//! Boxes as rows of eight numbers, and triangles seen along axes.
//!
//! ```text
//!   lane   0 1 2 3    4 5 6 7
//!          high  ·    −low  ·       along the three axes
//! ```
//!
//! So the box around two boxes is one maximum, and twice the middle is the row less itself with its
//! halves swapped. The axes are in the lanes with both signs, and a triangle's row is the maximum
//! of three products.
//!
//! How far a row may be from the truth: a corner's coordinates are rounded once to f32, and a
//! projection rounds three times, each time by less than u = 2⁻²⁴ of Σ|aᵢ||xᵢ|, which is at most
//! the corner's distance from the middle of the model; all in all less than 5u of it.

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

use super::corners::Corners;
use super::frame::Axes;
use crate::internal::arch::{Block, F32x8, F64x4 as _};
use crate::internal::bvh::packed::ChildRef;
use crate::internal::volume::obb_batch::EMPTY;

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

impl<O: F32x8> Faces<O> {
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
pub(super) fn middle<O: F32x8>(row: O) -> O {
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

/// Up to four boxes on their way into a block.
#[derive(Clone, Copy, Default)]
pub(super) struct F64x4 {
    axes: [[f32; 4]; 9],
    high: [[f32; 4]; 3],
    /// Negative.
    low: [[f32; 4]; 3],
    below: [u32; 4],
    count: usize,
}

impl F64x4 {
    #[inline(always)]
    pub(super) fn push(&mut self, axes: &Axes, row: &Row, below: ChildRef) {
        let lane = self.count;
        for k in 0..9 {
            self.axes[k][lane] = axes[k];
        }
        for i in 0..3 {
            self.high[i][lane] = row[i];
            self.low[i][lane] = row[4 + i];
        }
        self.below[lane] = below.0;
        self.count += 1;
    }

    /// Stores the boxes, around the exact corners and in the model's own unit, and says how far
    /// they reach. It is [`SmallObb::of_span`](crate::internal::volume::SmallObb::of_span) in
    /// four lanes.
    #[inline(always)]
    pub(super) fn store<O: F32x8>(&self, unit: f64, block: &mut Block) -> f64 {
        let splat = O::F64x4::splat;
        let unit = splat(unit);
        let mut axes = [splat(0.0); 9];
        for k in 0..9 {
            axes[k] = O::F64x4::widen(&self.axes[k]);
        }
        let (mut high, mut low) = ([splat(0.0); 3], [splat(0.0); 3]);
        let mut far = splat(0.0);
        for i in 0..3 {
            (high[i], low[i]) =
                (O::F64x4::widen(&self.high[i]), splat(0.0) - O::F64x4::widen(&self.low[i]));
            far = far + high[i].abs().max(low[i].abs());
        }
        let room = splat(ROUNDING) * far + splat(LOST);
        for i in 0..3 {
            (high[i], low[i]) = ((high[i] + room) * unit, (low[i] - room) * unit);
        }
        let mut middle = [splat(0.0); 3];
        for i in 0..3 {
            middle[i] = splat(0.5) * (low[i] + high[i]);
        }
        let mut centre = [[0.0; 4]; 3];
        let (mut at, mut size) = ([splat(0.0); 3], splat(0.0));
        for k in 0..3 {
            let sum = axes[k] * middle[0] + axes[3 + k] * middle[1] + axes[6 + k] * middle[2];
            centre[k] = sum.narrow();
            at[k] = O::F64x4::widen(&centre[k]);
            size = size + at[k].abs();
        }
        let mut half = [[0.0; 4]; 3];
        let (size_of, mut halves) = (size.to_array(), [0.0; 4]);
        for i in 0..3 {
            let a = &axes[3 * i..3 * i + 3];
            let at = a[0] * at[0] + a[1] * at[1] + a[2] * at[2];
            let slack = splat(16.0 * f64::EPSILON) * (low[i].abs() + high[i].abs() + size);
            let exact = ((high[i] - at).max(at - low[i]) + slack).to_array();
            for lane in 0..4 {
                half[i][lane] = up(exact[lane]);
                halves[lane] += f64::from(half[i][lane]);
            }
        }
        *block = EMPTY;
        let mut farthest = 0.0;
        for lane in 0..self.count {
            // A NaN would count as no box (`volume::obb_batch::Outcome::present`).
            debug_assert!(
                (0..3).all(|i| half[i][lane] >= 0.0),
                "half extents of lane {lane}: {half:?}"
            );
            for (i, place) in longest_first(half[0][lane], half[1][lane], half[2][lane]) {
                for k in 0..3 {
                    block.0[3 * place + k][lane] = self.axes[3 * i + k][lane];
                }
                block.0[12 + place][lane] = half[i][lane];
                block.0[9 + i][lane] = centre[i][lane];
            }
            block.0[15][lane] = f32::from_bits(self.below[lane]);
            farthest = larger(size_of[lane] + halves[lane], farthest);
        }
        farthest
    }
}

#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// The f32 at or above a number that is not negative.
#[inline(always)]
fn up(value: f64) -> f32 {
    let near = value as f32;
    let next = f32::from_bits(near.to_bits() + 1);
    if f64::from(near) < value { next } else { near }
}

/// Three half extents and their places, the longest first; equal ones keep their order.
#[inline(always)]
fn longest_first(x: f32, y: f32, z: f32) -> [(usize, usize); 3] {
    let (y_x, z_x, z_y) = (usize::from(y > x), usize::from(z > x), usize::from(z > y));
    [(0, y_x + z_x), (1, 1 - y_x + z_y), (2, 2 - z_x - z_y)]
}
