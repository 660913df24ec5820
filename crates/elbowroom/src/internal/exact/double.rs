//! Twice the precision of f64, for what f64 leaves open and integers would take too long to say.
//!
//! A number is the sum of two f64, the second at most half a step of the first. Sums and products
//! of two f64 are such numbers without any rounding (Dekker, *A floating-point technique for
//! extending the available precision*, 1971); those of two such numbers lose at most 3·2⁻¹⁰⁶ and
//! 7·2⁻¹⁰⁶ of the result (Joldes, Muller and Popescu, *Tight and rigorous error bounds for basic
//! building blocks of double-word arithmetic*, 2017).
//!
//! Points that were meant to lie in a plane, and lie there but for their last bit, are what this is
//! for: their determinants are around 2⁻⁵³ of the products they consist of, which is noise to f64
//! and plain to see here. What is exactly zero still goes to the integers, but for products that
//! had nothing to round. Where nothing was rounded in the differences and all of an axis are whole
//! numbers of one step, at most 2⁴⁰ of them, the determinant is one of 128 bits: so are those of
//! f32, which most files of meshes hold.

use std::ops::{Add, Mul, Sub};

use glam::DVec3;

use super::Sign;
use super::chain::{LARGEST, SMALLEST, bound_of_pair, sign_within_bound};
use super::points::{side, turn};
use crate::internal::math::moments::unit_scale;

/// 2⁻¹⁰⁰.
pub(super) const FINE: f64 = f64::from_bits((1023 - 100) << 52);

/// high + low, and high is that sum rounded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Double {
    pub(super) high: f64,
    pub(super) low: f64,
}

impl Double {
    /// The difference of two f64.
    pub(super) fn difference(a: f64, b: f64) -> Self {
        two_sum(a, -b)
    }

    /// The product of two f64, by halves of their digits. NaN beyond 2⁹⁹⁵, and off by some 2⁻¹⁰⁷⁴
    /// if it is tiny.
    pub(super) fn product(a: f64, b: f64) -> Self {
        let high = a * b;
        let ((a_top, a_rest), (b_top, b_rest)) = (halves(a), halves(b));
        let low = a_rest * b_rest - (((high - a_top * b_top) - a_rest * b_top) - a_top * b_rest);
        Self { high, low }
    }
}

impl From<f64> for Double {
    fn from(high: f64) -> Self {
        Self { high, low: 0.0 }
    }
}

impl Add for Double {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let (high, low) = (two_sum(self.high, other.high), two_sum(self.low, other.low));
        let sum = fast_two_sum(high.high, high.low + low.high);
        fast_two_sum(sum.high, low.low + sum.low)
    }
}

impl Sub for Double {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + Self { high: -other.high, low: -other.low }
    }
}

impl Mul for Double {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let product = Self::product(self.high, other.high);
        let across = self.high * other.low + self.low * other.high;
        fast_two_sum(product.high, product.low + across)
    }
}

fn two_sum(a: f64, b: f64) -> Double {
    let high = a + b;
    let b_part = high - a;
    Double { high, low: (a - (high - b_part)) + (b - b_part) }
}

/// The sum of two numbers of which the first is the larger.
fn fast_two_sum(a: f64, b: f64) -> Double {
    let high = a + b;
    Double { high, low: b - (high - a) }
}

/// The upper 26 bits of a number, and the others.
fn halves(a: f64) -> (f64, f64) {
    const SPLITTER: f64 = ((1_u64 << 27) + 1) as f64;
    let scaled = SPLITTER * a;
    let top = scaled - (scaled - a);
    (top, a - top)
}

/// The determinant of three rows, and what it may be off by if each entry of a column may be off by
/// that column's `error`: anything, if they are so large or small that products of three are not
/// safe.
///
/// With all entries of column k at most sₖ and off by at most eₖ, six products are off by Σ
/// eₖ·sᵢ·sⱼ each, and evaluating them costs at most 6·28·2⁻¹⁰⁶ of s₀·s₁·s₂.
pub(super) fn determinant(rows: [&[Double; 3]; 3], error: DVec3) -> (f64, f64) {
    let [u, v, w] = rows;
    let minor = |i: usize, j: usize| u[i] * v[j] - u[j] * v[i];
    let sum = w[0] * minor(1, 2) + w[1] * minor(2, 0) + w[2] * minor(0, 1);
    let size = |k: usize| u[k].high.abs().max(v[k].high.abs()).max(w[k].high.abs());
    let (s, e) = (DVec3::new(size(0), size(1), size(2)) + error, error);
    if s.min_element() < SMALLEST || s.max_element() > LARGEST {
        return (sum.high, f64::INFINITY);
    }
    let spread = e.x * s.y * s.z + s.x * e.y * s.z + s.x * s.y * e.z;
    (sum.high, 7.0 * spread + 8.0 * FINE * (s.x * s.y * s.z))
}

/// What the determinant of any four points that together spread so far has the right sign above.
pub(crate) fn bound_among(spread: DVec3) -> f64 {
    bound_of_pair(spread, DVec3::ZERO)
}

/// [`side`], with this stage between the filters and the integers: for points near one plane.
#[inline]
pub(crate) fn side_near(points: [DVec3; 4]) -> Sign {
    side_among(f64::INFINITY, points)
}

/// [`side_near`] for points among many, given the [`bound`](bound_among) that all of them have in
/// common, which decides most.
#[inline]
pub(crate) fn side_among(bound: f64, points: [DVec3; 4]) -> Sign {
    let [a, b, c, d] = points;
    let rows = [b - a, c - a, d - a];
    let det = rows[2].dot(rows[0].cross(rows[1]));
    if det.abs() > bound {
        return Sign::of(det);
    }
    sign_within_bound(rows, DVec3::ZERO, det).unwrap_or_else(|| side_slow(points))
}

#[cold]
fn side_slow(points: [DVec3; 4]) -> Sign {
    let [a, b, c, d] = points;
    let row = |p: DVec3| [0, 1, 2].map(|axis| Double::difference(p[axis], a[axis]));
    let rows = [row(b), row(c), row(d)];
    side_on_grid(&rows).unwrap_or_else(|| {
        let (det, bound) = determinant([&rows[0], &rows[1], &rows[2]], DVec3::ZERO);
        if det.abs() > bound { Sign::of(det) } else { side(points) }
    })
}

/// The sign of a determinant whose entries lie on a grid of 2⁴⁰ steps an axis, without loss; none
/// if they do not.
fn side_on_grid(rows: &[[Double; 3]; 3]) -> Option<Sign> {
    /// 2³⁹.
    const STEPS: f64 = (1_u64 << 39) as f64;
    let mut whole = [[0_i128; 3]; 3];
    for axis in 0..3 {
        let largest = rows.iter().map(|row| row[axis].high.abs()).fold(0.0, f64::max);
        if !(SMALLEST..=LARGEST).contains(&largest) {
            return None;
        }
        // Below two times the steps, and a power of two.
        let scale = unit_scale(largest) * STEPS;
        for (row, whole) in rows.iter().zip(&mut whole) {
            let scaled = row[axis].high * scale;
            let steps = scaled as i64;
            if row[axis].low != 0.0 || steps as f64 != scaled {
                return None;
            }
            whole[axis] = steps.into();
        }
    }
    // At most 2⁴⁰, 2⁸¹ and 2¹²³.
    let [u, v, w] = whole;
    let minor = |i: usize, j: usize| u[i] * v[j] - u[j] * v[i];
    let sum = w[0] * minor(1, 2) + w[1] * minor(2, 0) + w[2] * minor(0, 1);
    Some(Sign::of(sum as f64))
}

/// [`turn`], with this stage before the integers: for points near one line, or on a grid.
#[inline]
pub(crate) fn turn_near(axis: usize, points: [DVec3; 3]) -> Sign {
    let [a, b, c] = points;
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    let row = |p: DVec3| [i, j].map(|k| Double::difference(p[k], a[k]));
    let (u, v) = (row(b), row(c));
    // The signs of differences are exact at any size, and often the two products differ in theirs.
    let (left, right) = (product_sign(u[0], v[1]), product_sign(u[1], v[0]));
    if left > right {
        return Sign::Positive;
    }
    if left < right {
        return Sign::Negative;
    }
    if left == Sign::Zero {
        return Sign::Zero;
    }
    let sizes = [0, 1].map(|k| u[k].high.abs().max(v[k].high.abs()));
    if !sizes.iter().all(|size| (SMALLEST..=LARGEST).contains(size)) {
        return turn(axis, points);
    }
    // Columns that are one and the same: points on a diagonal.
    if u[0] == u[1] && v[0] == v[1] {
        return Sign::Zero;
    }
    let (left, right) = (u[0] * v[1], u[1] * v[0]);
    let det = (left - right).high;
    // Whole products, so their difference is known at least in its sign.
    let whole = u.iter().chain(&v).all(|entry| entry.low == 0.0);
    if (whole && left.high.abs().min(right.high.abs()) >= SMALLEST)
        || det.abs() > FINE * sizes[0] * sizes[1]
    {
        return Sign::of(det);
    }
    turn(axis, points)
}

fn product_sign(p: Double, q: Double) -> Sign {
    match Sign::of(p.high) {
        Sign::Positive => Sign::of(q.high),
        Sign::Zero => Sign::Zero,
        Sign::Negative => Sign::of(q.high).flipped(),
    }
}

#[cfg(test)]
mod tests {
    use elbowroom_testkit::random::Random;

    use super::*;

    /// Points in a plane or a line but for their last bits, on grids, and of any size: always the
    /// sign that the integers give, and mostly without them.
    #[test]
    fn agrees_with_the_integers() {
        let mut random = Random::new(41);
        let (mut zeros, mut signs, mut near, mut bounded, mut on_grid) = ([0; 2], [0; 2], 0, 0, 0);
        for round in 0..120_000 {
            let scale = match round % 3 {
                0 => 1.0,
                1 => 0.1,
                _ => 10_f64.powi(random.range(-300, 300) as i32),
            };
            let slopes = [0.3, 0.7];
            let spread = random.range(1, 4);
            let points: [DVec3; 4] = std::array::from_fn(|_| {
                let mut any = || random.range(-spread, spread) as f64;
                let (x, y, z) = (any(), any(), any());
                let point = match round % 4 {
                    0 => DVec3::new(x, y, z) * scale,
                    1 => DVec3::new(x, y, x + 2.0 * y) * scale,
                    2 => DVec3::new(x, 10_f64.powi(60 * y as i32) * z, z) * scale,
                    _ => {
                        let (x, y) = (x + 0.1 * z, y * scale);
                        DVec3::new(x, y, x * slopes[0] + y * slopes[1])
                    }
                };
                point.clamp(DVec3::MIN, DVec3::MAX)
            });
            let expected = side(points);
            assert_eq!(side_near(points), expected, "{points:?}");
            zeros[0] += usize::from(expected == Sign::Zero);
            signs[0] += usize::from(expected != Sign::Zero);
            let rows = [points[1] - points[0], points[2] - points[0], points[3] - points[0]];
            let det = rows[2].dot(rows[0].cross(rows[1]));
            let is_open = sign_within_bound(rows, DVec3::ZERO, det).is_none();
            near += usize::from(is_open && expected != Sign::Zero);
            let low = points.iter().fold(points[0], |low, &p| low.min(p));
            let high = points.iter().fold(points[0], |high, &p| high.max(p));
            let bound = bound_among(high - low);
            assert_eq!(side_among(bound, points), expected, "{points:?}");
            bounded += usize::from(det.abs() > bound);
            let entry = |p: DVec3| [0, 1, 2].map(|k| Double::difference(p[k], points[0][k]));
            let sign = side_on_grid(&[1, 2, 3].map(|i| entry(points[i])));
            assert!(sign.is_none_or(|sign| sign == expected), "{points:?}");
            on_grid += usize::from(is_open && sign.is_some());
            for axis in 0..3 {
                let corners = [points[0], points[1], points[2]];
                let expected = turn(axis, corners);
                assert_eq!(turn_near(axis, corners), expected, "{axis} {corners:?}");
                zeros[1] += usize::from(expected == Sign::Zero);
                signs[1] += usize::from(expected != Sign::Zero);
            }
        }
        assert!(zeros.iter().chain(&signs).all(|&count| count > 10_000), "{zeros:?} {signs:?}");
        assert!(near > 5000 && bounded > 10_000 && on_grid > 5000, "{near} {bounded} {on_grid}");
    }
}
