//! Eight boxes along the axes side by side, in f32.
//!
//! A box is kept as six numbers, its highest coordinates and its lowest ones negated, so that
//! *larger* means *farther out* for all six: boxes are merged by taking the larger, and enlarged by
//! adding. Another box, seen as what it would have to stay below, is apart from it if one of six
//! numbers is larger than its counterpart:
//!
//! ```text
//!   box        high x    high y    high z    −low x    −low y    −low z
//!   another    low x     low y     low z     −high x   −high y   −high z      a Probe
//!              any larger: apart
//! ```
//!
//! One probe against eight boxes is six comparisons of registers, and no rotation: both must stand
//! along the same axes. Their origins may differ; a probe is made with the step between them.
//!
//! Invariants: what rounds, rounds outward (see [`rounded`] and [`Steps`]), so that *apart* is
//! certain. A lane in which nothing is holds `−∞` six times and is apart from every box that ends
//! somewhere.

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

use glam::DVec3;

use crate::internal::arch::{F32x8, F64x4};

/// 2⁻²²: four times what one rounding to f32 loses.
const SLACK: f64 = 1.0 / (1_u32 << 22) as f64;

/// Six numbers of a box: high x, y, z, then −low x, y, z.
pub type Faces = [f32; 6];

/// Eight boxes, number by number.
#[repr(C, align(32))]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb8(pub [[f32; 8]; 6]);

impl Aabb8 {
    /// Nothing in any lane.
    pub const EMPTY: Self = Self([[f32::NEG_INFINITY; 8]; 6]);

    /// The numbers of a lane.
    #[inline(always)]
    pub fn faces(&self, lane: usize) -> Faces {
        let [a, b, c, d, e, f] = &self.0;
        let lane = lane & 7;
        [a[lane], b[lane], c[lane], d[lane], e[lane], f[lane]]
    }

    /// Puts a box into a lane.
    #[inline(always)]
    pub fn set(&mut self, lane: usize, faces: &Faces) {
        let lane = lane & 7;
        for (row, &face) in self.0.iter_mut().zip(faces) {
            row[lane] = face;
        }
    }

    /// A bit for each lane that a box may meet.
    #[inline(always)]
    pub fn may_meet<O: F32x8>(&self, probe: &Probe) -> u32 {
        let [a, b, c, d, e, f] = &self.0;
        let beyond = |k: usize, row: &[f32; 8]| O::splat(probe.0[k]).greater(O::load(row));
        let x = beyond(0, a) | beyond(3, d);
        let y = beyond(1, b) | beyond(4, e);
        let z = beyond(2, c) | beyond(5, f);
        !O::bits(x | y | z) & 0xFF
    }

    /// A bit for each lane whose box is smaller than another, by the sum of its edges.
    #[inline(always)]
    pub fn smaller<O: F32x8>(&self, probe: &Probe) -> u32 {
        let [a, b, c, d, e, f] = &self.0;
        let edge = |high: &[f32; 8], low: &[f32; 8]| O::load(high) + O::load(low);
        let edges = edge(a, d) + edge(b, e) + edge(c, f);
        O::bits(O::splat(probe.edges()).greater(edges))
    }
}

/// A box as others see it: low x, y, z, then −high x, y, z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Probe([f32; 6]);

impl Probe {
    /// A box whose origin is a number of steps away.
    #[inline(always)]
    pub fn new(&[a, b, c, d, e, f]: &Faces, steps: &Steps) -> Self {
        let [p, q, r, s, t, u] = steps.0;
        Self([p - d, q - e, r - f, s - a, t - b, u - c])
    }

    /// Of a box with the same origin.
    #[inline(always)]
    pub fn here(&[a, b, c, d, e, f]: &Faces) -> Self {
        Self([-d, -e, -f, -a, -b, -c])
    }

    /// The sum of the box's edges.
    #[inline(always)]
    fn edges(&self) -> f32 {
        let [a, b, c, d, e, f] = self.0;
        -(((a + d) + (b + e)) + (c + f))
    }
}

/// The step from the origin of some boxes to that of others, less what may be lost on the way.
///
/// With u = 2⁻²⁴ a number of a probe is off by u of the step for rounding it, u of it for taking
/// off the slack, and u of the step and the box for adding the two: below the slack, which is 4u of
/// all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steps([f32; 6]);

impl Steps {
    /// From a step and a bound for the numbers of the boxes.
    pub fn new(step: DVec3, extent: f32) -> Self {
        let size = f64::from(extent) + step.abs().max_element();
        let slack = (size * SLACK + f64::from(f32::MIN_POSITIVE)) as f32;
        let [x, y, z] = step.as_vec3().to_array();
        Self([x - slack, y - slack, z - slack, -x - slack, -y - slack, -z - slack])
    }
}

/// The box from the lowest coordinates to the highest, measured from an origin and rounded outward
/// to f32; no vertex may be infinite.
#[inline(always)]
pub fn rounded<F: F64x4>(low: F, high: F, origin: F) -> Faces {
    let outward = |faces: F| {
        let room = faces.abs() * F::splat(SLACK) + F::splat(f64::from(f32::MIN_POSITIVE));
        (faces + room).narrow()
    };
    let ([a, b, c, _], [d, e, f, _]) = (outward(high - origin), outward(origin - low));
    [a, b, c, d, e, f]
}

/// The box around two.
#[inline(always)]
pub fn merged(a: &Faces, b: &Faces) -> Faces {
    std::array::from_fn(|k| if a[k] > b[k] { a[k] } else { b[k] })
}
