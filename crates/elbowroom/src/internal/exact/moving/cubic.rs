//! Until when a direction that turns with a face or an edge parts two things: cubics in time, by
//! their Bernstein coefficients.
//!
//! A vertex can meet a face, and an edge an edge, only where the four corners are in one plane:
//! where det(x, y, z) is zero, for three vectors between them, each linear in time. The graph of a
//! cubic lies in the hull of its four Bernstein points, so that before the hull comes to zero there
//! is no root; cut off there, the hull of the rest is narrower, and the root is approached from
//! before (Sederberg and Nishita, *Curve intersection using Bézier clipping*, 1990).
//!
//! Where all is in one plane all the time, that determinant says nothing. There an edge parts a
//! corner from it as long as the corner stays on one side of it: a direction that stays square to
//! the edge and to a fixed vector, which makes a polynomial of degree two for each pair of corners.
//!
//! Invariant: what is lost to rounding is subtracted, so that a root is never passed.

use glam::DVec3;

use super::course::is_above;
use crate::internal::exact::chain::U;

/// The Bernstein coefficients over the time from 0 to 1, and how far each may be off.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cubic {
    coefficients: [f64; 4],
    error: f64,
}

/// A vector at the beginning and at the end.
type Ends = [DVec3; 2];

impl Cubic {
    /// det of three vectors, which are differences of coordinates that are at most `size` and known
    /// to u·size.
    fn new([x, y, z]: [Ends; 3], size: f64) -> Self {
        let det = |i: usize, j: usize, k: usize| x[i].cross(y[j]).dot(z[k]);
        let third = 1.0 / 3.0;
        let coefficients = [
            det(0, 0, 0),
            (det(1, 0, 0) + det(0, 1, 0) + det(0, 0, 1)) * third,
            (det(1, 1, 0) + det(1, 0, 1) + det(0, 1, 1)) * third,
            det(1, 1, 1),
        ];
        let most = |v: Ends| v[0].abs().max(v[1].abs()).max_element();
        let [p, q, r] = [most(x), most(y), most(z)];
        // Six products a determinant, each of three factors; a factor is off by 4u·size, an
        // operation by u of its result. Coefficients are restricted some times after that,
        // for which there is ample room.
        let error = 512.0 * U * (p * q * r) + 64.0 * U * size * (p * q + q * r + r * p);
        Self { coefficients, error }
    }

    /// The part between two corners, `apart`, along a direction that turns, both linear in time;
    /// `lost` of it is not known for certain.
    pub(super) fn along(direction: Ends, apart: Ends, lost: f64) -> Self {
        let dot = |i: usize, j: usize| direction[i].dot(apart[j]);
        let (first, middle, last) = (dot(0, 0), 0.5 * (dot(0, 1) + dot(1, 0)), dot(1, 1));
        let third = 1.0 / 3.0;
        let coefficients =
            [first, (first + 2.0 * middle) * third, (last + 2.0 * middle) * third, last];
        Self { coefficients, error: lost }
    }

    /// The value at a time, to within what is lost.
    pub(super) fn at(&self, time: f64) -> f64 {
        self.over(time, time)[0]
    }

    /// A time before which there is no root from a given time on. `None` if there is no root until
    /// time 1.
    pub(super) fn next_root(&self, from: f64) -> Option<f64> {
        let mut from = from;
        for _ in 0..CUTS {
            let step = first_of_hull(&self.over(from, 1.0), self.error)?;
            // A little less than the step, so that a rounding is not a root passed.
            let next = from + (1.0 - from) * step * (1.0 - 64.0 * U);
            if !is_above(next, from) {
                break;
            }
            let is_near = next - from < 1e-3 * (1.0 - from);
            from = next;
            if is_near {
                break;
            }
        }
        Some(from)
    }

    /// The coefficients over a part of the time, by blossoms.
    fn over(&self, from: f64, until: f64) -> [f64; 4] {
        let c = self.coefficients;
        let at = |r: f64, s: f64, t: f64| {
            let mix = |p: f64, q: f64, t: f64| p * (1.0 - t) + q * t;
            let [p, q, o] = [mix(c[0], c[1], r), mix(c[1], c[2], r), mix(c[2], c[3], r)];
            mix(mix(p, q, s), mix(q, o, s), t)
        };
        [
            at(from, from, from),
            at(from, from, until),
            at(from, until, until),
            at(until, until, until),
        ]
    }
}

/// So often the hull is cut.
const CUTS: usize = 12;

/// The first fraction at which the hull of the Bernstein points, less the rounding error, comes to
/// zero. `None` if it does not.
fn first_of_hull(c: &[f64; 4], error: f64) -> Option<f64> {
    let flip = if c[0] < 0.0 { -1.0 } else { 1.0 };
    let c = c.map(|value| flip * value - error);
    // Not a number is near a root.
    if !is_above(c[0], 0.0) {
        return Some(0.0);
    }
    let mut first = f64::INFINITY;
    for (i, &high) in c.iter().enumerate().filter(|(_, value)| **value > 0.0) {
        for (j, &low) in c.iter().enumerate().filter(|(_, value)| !is_above(**value, 0.0)) {
            let (i, j) = (i as f64, j as f64);
            let at = (i + (j - i) * (high / (high - low))) / 3.0;
            first = if at.is_nan() { 0.0 } else { first.min(at) };
        }
    }
    first.is_finite().then_some(first)
}

pub(super) fn of_vertex_and_face(a: &[[DVec3; 1]; 2], b: &[[DVec3; 3]; 2], size: f64) -> Cubic {
    let x = [0, 1].map(|end| b[end][1] - b[end][0]);
    let y = [0, 1].map(|end| b[end][2] - b[end][0]);
    let z = [0, 1].map(|end| a[end][0] - b[end][0]);
    Cubic::new([x, y, z], size)
}

pub(super) fn of_edges(a: &[[DVec3; 2]; 2], b: &[[DVec3; 2]; 2], size: f64) -> Cubic {
    let x = [0, 1].map(|end| a[end][1] - a[end][0]);
    let y = [0, 1].map(|end| b[end][1] - b[end][0]);
    let z = [0, 1].map(|end| b[end][0] - a[end][0]);
    Cubic::new([x, y, z], size)
}
