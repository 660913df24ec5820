//! Which way boxes stand: the eigenvectors of the surface's covariance, for eight sets of triangles
//! at a time.
//!
//! Moments are kept in f64 around the model's middle and are only ever added, so that no set is too
//! small for them. A triangle without area would not count; so each has at least a millionth of the
//! square of its edges for a weight, and a point a little more than nothing.
//!
//! Source: Gottschalk, Lin, Manocha, *OBBTree*, 1996 (moments); Jacobi, 1846 (eigenvectors). We
//! differ from the usual iteration in that the number of turns is fixed, so that eight matrices are
//! turned together: three rounds leave what f32 can tell.

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

use std::array::from_fn;

use super::corners::Corners;
use crate::internal::arch::{F32x8, F64x4};

/// The sums of what corners are, and the weight behind them; of their squares; and of their
/// products xy, yz, zx.
///
/// In fours, so that they are added as registers hold them.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct Spread([[f64; 4]; 3]);

impl Spread {
    /// Of nothing.
    pub(super) const NONE: Self = Self([[0.0; 4]; 3]);

    /// Of a triangle. Its weight is twice its area, or a little more.
    #[inline(always)]
    pub(super) fn of<O: F32x8>(corners: &Corners) -> Self {
        let c = &corners.0;
        // The last of four is not read, where the weight is put in the end. What is behind a corner
        // need not be a number.
        let four = |k: usize| O::F64x4::widen(&[c[k], c[k + 1], c[k + 2], c[k]]);
        let next = |k: usize| O::F64x4::widen(&[c[k + 1], c[k + 2], c[k], c[k + 1]]);
        let (p, q, r) = (four(0), four(4), four(8));
        let (p1, q1, r1) = (next(0), next(4), next(8));
        let (e, f, e1, f1) = (q - p, r - p, q1 - p1, r1 - p1);
        let n = e * f1 - e1 * f;
        let (n, edges) = ((n * n).to_array(), (e * e + f * f).to_array());
        let area = (n[0] + n[1] + n[2]).sqrt();
        let weight = area + SLENDER * (edges[0] + edges[1] + edges[2]) + POINT;
        let weights = O::F64x4::splat(weight);
        let (s, s1) = (p + q + r, p1 + q1 + r1);
        let squares = ((s * s + p * p) + q * q) + r * r;
        let products = ((s * s1 + p * p1) + q * q1) + r * r1;
        // Not written into the array: what is stored in parts is read as a whole only after a
        // while.
        let s = s * O::F64x4::load(&[1.0, 1.0, 1.0, 0.0]) + O::F64x4::load(&[0.0, 0.0, 0.0, 1.0]);
        Self([
            (weights * s).to_array(),
            (weights * squares).to_array(),
            (weights * products).to_array(),
        ])
    }

    /// Of all together, in their order.
    #[inline(always)]
    pub(super) fn sum<'a, O: F32x8>(all: impl Iterator<Item = &'a Self>) -> Self {
        let four = O::F64x4::load;
        let nothing = O::F64x4::splat(0.0);
        let (mut sums, mut squares, mut products) = (nothing, nothing, nothing);
        for Self([x, y, z]) in all {
            sums = sums + four(x);
            squares = squares + four(y);
            products = products + four(z);
        }
        Self([sums.to_array(), squares.to_array(), products.to_array()])
    }

    #[inline(always)]
    pub(super) fn weight(&self) -> f64 {
        self.0[0][3]
    }

    /// xx, yy, zz, yz, zx, xy, scaled to a trace of 1; of a point, or of what f64 cannot tell from
    /// one, zero.
    #[inline(always)]
    pub(super) fn covariance<O: F32x8>(&self) -> [f32; 6] {
        let [sums, squares, products] = &self.0;
        let share = 1.0 / sums[3];
        let mean = [sums[0] * share, sums[1] * share, sums[2] * share];
        // The mean is that of three corners' sums, and the products have a twelfth as their factor.
        let beside = |sum: f64, i: usize, j: usize| 0.75 * sum * share - mean[i] * mean[j];
        let all = [
            beside(squares[0], 0, 0),
            beside(squares[1], 1, 1),
            beside(squares[2], 2, 2),
            beside(products[1], 1, 2),
            beside(products[2], 2, 0),
            beside(products[0], 0, 1),
        ];
        let trace = all[0] + all[1] + all[2];
        let scale = if trace > 0.0 { 1.0 / trace } else { 0.0 };
        let [a, b, c, d] =
            (O::F64x4::load(&[all[0], all[1], all[2], all[3]]) * O::F64x4::splat(scale)).narrow();
        [a, b, c, d, (all[4] * scale) as f32, (all[5] * scale) as f32]
    }
}

/// 2⁻²⁰.
const SLENDER: f64 = 1.0 / 1_048_576.0;
/// 2⁻⁸⁰.
const POINT: f64 = f64::from_bits((1023 - 80) << 52);

/// The axes of boxes, one after the other: orthonormal to the rounding of f32.
pub(super) type Axes = [f32; 9];

/// Two eigenvectors of each of eight covariances, component by component, and the three
/// eigenvalues.
pub(super) struct Eigen {
    pub(super) vectors: [[f32; 8]; 6],
    values: [[f32; 8]; 3],
}

impl Eigen {
    /// Better directions, where eigenvectors say nothing: those of the box that a set was cut from,
    /// along which its sides are. All of them if it is about as large every way, and two if it
    /// is only about as broad as it is long. What was cut from nothing stands along the
    /// coordinates' axes.
    #[inline(always)]
    pub(super) fn better(&self, lane: usize, from: Option<&Axes>) -> Option<[[f32; 3]; 2]> {
        let [x, y, z] = self.values.map(|value| value[lane]);
        let (least, most) = (x.min(y).min(z), x.max(y).max(z));
        let middle = x + y + z - least - most;
        let enough = EVEN * most;
        if middle <= enough {
            return None;
        }
        let axis = |axes: &Axes, k: usize| [axes[3 * k], axes[3 * k + 1], axes[3 * k + 2]];
        if least > enough {
            let axes = from.unwrap_or(&UPRIGHT);
            return Some([axis(axes, 0), axis(axes, 1)]);
        }
        let from = from?;
        let at = |k: usize| [0, 1, 2].map(|i| self.vectors[k + i][lane]);
        let (first, second) = (at(0), at(3));
        let ([a, b, c], [d, e, f]) = (first, second);
        let normal = if x == least {
            first
        } else if y == least {
            second
        } else {
            [b * f - c * e, c * d - a * f, a * e - b * d]
        };
        let along = |k: usize| {
            let [x, y, z] = axis(from, k);
            (x * normal[0] + y * normal[1] + z * normal[2]).abs()
        };
        let [x, y, z] = [along(0), along(1), along(2)];
        let (across, least) = if y < x { (1, y) } else { (0, x) };
        Some([normal, axis(from, if z < least { 2 } else { across })])
    }
}

/// From this ratio of variances on, two directions are alike. No record compares other values.
const EVEN: f32 = 0.6;

const UPRIGHT: Axes = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];

#[inline(always)]
pub(super) fn eigenvectors<O: F32x8>(covariances: &[[f32; 8]; 6]) -> Eigen {
    let mut a: [O; 6] = [
        O::load(&covariances[0]),
        O::load(&covariances[1]),
        O::load(&covariances[2]),
        O::load(&covariances[3]),
        O::load(&covariances[4]),
        O::load(&covariances[5]),
    ];
    let (zero, one) = (O::splat(0.0), O::splat(1.0));
    let mut v = [[one, zero, zero], [zero, one, zero], [zero, zero, one]];
    for _ in 0..3 {
        // In the plane of x and y: the entries are xx, yy, xy, and zx and yz mix.
        let [c, s, t] = angle(a[0], a[1], a[5]);
        (a[0], a[1], a[5]) = (t.times_from(a[5], a[0]), t.times_plus(a[5], a[1]), zero);
        (a[4], a[3]) = turn(c, s, a[4], a[3]);
        turn_vectors(c, s, &mut v, 0, 1);
        // z and x: zz, xx, zx, and yz and xy mix.
        let [c, s, t] = angle(a[2], a[0], a[4]);
        (a[2], a[0], a[4]) = (t.times_from(a[4], a[2]), t.times_plus(a[4], a[0]), zero);
        (a[3], a[5]) = turn(c, s, a[3], a[5]);
        turn_vectors(c, s, &mut v, 2, 0);
        // y and z: yy, zz, yz, and xy and zx mix.
        let [c, s, t] = angle(a[1], a[2], a[3]);
        (a[1], a[2], a[3]) = (t.times_from(a[3], a[1]), t.times_plus(a[3], a[2]), zero);
        (a[5], a[4]) = turn(c, s, a[5], a[4]);
        turn_vectors(c, s, &mut v, 1, 2);
    }
    Eigen {
        vectors: [
            v[0][0].to_array(),
            v[0][1].to_array(),
            v[0][2].to_array(),
            v[1][0].to_array(),
            v[1][1].to_array(),
            v[1][2].to_array(),
        ],
        values: [a[0].to_array(), a[1].to_array(), a[2].to_array()],
    }
}

/// Cosine, sine and tangent of the smaller angle that makes an entry zero; no turn where it is
/// zero.
#[inline(always)]
fn angle<O: F32x8>(low: O, high: O, beside: O) -> [O; 3] {
    let across = high - low;
    let twice = beside + beside;
    let length = twice.times_plus(twice, across * across).sqrt();
    // Below the smallest square nothing is worth a turn, and nothing is divided by zero.
    let x = across.abs() + length + O::splat(1e-30);
    let y = O::select(O::splat(0.0).greater(across), O::splat(0.0) - twice, twice);
    let norm = O::splat(1.0).over(y.times_plus(y, x * x).sqrt());
    let (c, s) = (x * norm, y * norm);
    [c, s, y.over(x)]
}

#[inline(always)]
fn turn<O: F32x8>(c: O, s: O, p: O, q: O) -> (O, O) {
    (s.times_from(q, c * p), s.times_plus(p, c * q))
}

#[inline(always)]
fn turn_vectors<O: F32x8>(c: O, s: O, v: &mut [[O; 3]; 3], p: usize, q: usize) {
    (v[p][0], v[q][0]) = turn(c, s, v[p][0], v[q][0]);
    (v[p][1], v[q][1]) = turn(c, s, v[p][1], v[q][1]);
    (v[p][2], v[q][2]) = turn(c, s, v[p][2], v[q][2]);
}

/// Orthonormal axes from two directions that nearly are, eight times: the first along the first,
/// the second as near to the second as can be. Directions that are nothing, or no two, are
/// replaced.
#[inline(always)]
pub(super) fn orthonormal(directions: &[[f32; 8]; 6]) -> [[f32; 8]; 9] {
    let mut axes = [[0.0; 8]; 9];
    let mut is_good = [false; 8];
    let d = directions;
    for i in 0..8 {
        let at = |k: usize| [f64::from(d[k][i]), f64::from(d[k + 1][i]), f64::from(d[k + 2][i])];
        let (first, second) = (at(0), at(3));
        let e0 = times(first, 1.0 / dot(first, first).sqrt());
        let e1 = minus(second, times(e0, dot(e0, second)));
        let square = dot(e1, e1);
        let e1 = times(e1, 1.0 / square.sqrt());
        let e2 = cross(e0, e1);
        // Also NaN is not above.
        is_good[i] = square > 1e-6;
        let all = [e0[0], e0[1], e0[2], e1[0], e1[1], e1[2], e2[0], e2[1], e2[2]];
        for k in 0..9 {
            axes[k][i] = all[k] as f32;
        }
    }
    if is_good != [true; 8] {
        replace(directions, is_good, &mut axes);
    }
    axes
}

#[cold]
#[inline(never)]
fn replace(directions: &[[f32; 8]; 6], is_good: [bool; 8], axes: &mut [[f32; 8]; 9]) {
    for lane in (0..8).filter(|&lane| !is_good[lane]) {
        let other = replaced(from_fn(|k| f64::from(directions[k][lane])));
        for k in 0..9 {
            axes[k][lane] = other[k];
        }
    }
}

fn replaced(first: [f64; 3]) -> Axes {
    let length = dot(first, first).sqrt();
    if length.is_nan() || length <= 1e-12 {
        return [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    }
    let e0 = times(first, 1.0 / length);
    // Across the coordinate axis that it is farthest from.
    let least = (0..3).fold(0, |least, i| if e0[i].abs() < e0[least].abs() { i } else { least });
    let e1 = cross(e0, from_fn(|i| if i == least { 1.0 } else { 0.0 }));
    let e1 = times(e1, 1.0 / dot(e1, e1).sqrt());
    let e2 = cross(e0, e1);
    [e0[0], e0[1], e0[2], e1[0], e1[1], e1[2], e2[0], e2[1], e2[2]].map(|x| x as f32)
}

#[inline(always)]
fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
fn times(a: [f64; 3], s: f64) -> [f64; 3] {
    [a[0] * s, a[1] * s, a[2] * s]
}

#[inline(always)]
fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
