//! The gap in integers, rounded once: for gaps so narrow, or numbers so large or small, that f64
//! proves nothing.
//!
//! All corners are integers times one power of two. The square of the distance is a fraction: of a
//! corner from a corner, a corner from an edge, a corner from a face, an edge from an edge, where
//! the foot is inside. All of these are distances of points of the two triangles, and the least of
//! them is the answer.

use dashu_int::ops::{BitTest, DivRem, SquareRoot};
use dashu_int::{IBig, UBig};
use glam::DVec3;

use super::Gap;
use crate::internal::exact::fraction::{Site, minus, ratio, terms_of};
use crate::internal::math::pose::Pose;
use crate::internal::math::sort::few_by;

type Point = [IBig; 3];

/// A corner, exactly and rounded.
type Corner = (Point, DVec3);

/// The gap between two triangles that have no point in common.
pub(super) fn gap(triangles: [(&Pose, [DVec3; 3]); 2]) -> Gap {
    let (power, [mut a, mut b]) = corners(triangles);
    for triangle in [&mut a, &mut b] {
        few_by(triangle, |x, y| x.0.cmp(&y.0));
    }
    let exact = |triangle: &[Corner; 3]| triangle.each_ref().map(|corner| corner.0.clone());
    let is_swapped = exact(&a) > exact(&b);
    if is_swapped {
        (a, b) = (b, a);
    }
    let best = Search { corners: [exact(&a), exact(&b)], best: None }.run();
    let Found { above, below, weights: [from_a, from_b] } =
        best.expect("corners are always compared");
    let distance = root(above, below, power).clamp(f64::from_bits(1), f64::MAX);
    Gap { distance, points: [blend(&a, from_a), blend(&b, from_b)] }.swapped(is_swapped)
}

/// All corners as integers, and the power of two that they are multiples of.
fn corners(triangles: [(&Pose, [DVec3; 3]); 2]) -> (i32, [[Corner; 3]; 2]) {
    let terms = triangles.map(|(pose, corners)| {
        corners.map(|corner| {
            let site: Site = (pose, corner);
            let limit = DVec3::splat(f64::MAX);
            let rounded = pose.apply(corner);
            let rounded = if rounded.is_nan() { DVec3::ZERO } else { rounded.clamp(-limit, limit) };
            ([0, 1, 2].map(|axis| terms_of(site, axis)), rounded)
        })
    });
    let all = terms.iter().flatten().flat_map(|corner| corner.0.iter().flatten());
    let power = all.filter(|term| term.0 != 0).map(|term| term.1).min().unwrap_or(0);
    let sum = |terms: [(i128, i32); 4]| {
        terms.iter().filter(|term| term.0 != 0).fold(IBig::ZERO, |sum, &(integer, exponent)| {
            sum + (IBig::from(integer) << (exponent - power).unsigned_abs() as usize)
        })
    };
    (power, terms.map(|triangle| triangle.map(|(axes, rounded)| (axes.map(sum), rounded))))
}

/// A squared distance, and the weights of the corners in the points that it is between.
struct Found {
    above: IBig,
    below: IBig,
    weights: [[f64; 3]; 2],
}

struct Search {
    corners: [[Point; 3]; 2],
    best: Option<Found>,
}

impl Search {
    fn run(mut self) -> Option<Found> {
        for i in 0..3 {
            for j in 0..3 {
                self.corners_apart(i, j);
                self.edges_apart(i, j);
            }
            for side in 0..2 {
                self.corner_from_face(side, i);
                for j in 0..3 {
                    self.corner_from_edge(side, i, j);
                }
            }
        }
        self.best
    }

    fn is_better(&self, above: &IBig, below: &IBig) -> bool {
        self.best.as_ref().is_none_or(|best| above * &best.below < &best.above * below)
    }

    fn offer(&mut self, above: IBig, below: IBig, side: usize, weights: [[f64; 3]; 2]) {
        let [own, other] = weights;
        let weights = if side == 0 { [own, other] } else { [other, own] };
        self.best = Some(Found { above, below, weights });
    }

    fn corners_apart(&mut self, i: usize, j: usize) {
        let step = minus(&self.corners[1][j], &self.corners[0][i]);
        let (above, below) = (dot(&step, &step), IBig::ONE);
        if self.is_better(&above, &below) {
            self.offer(above, below, 0, [one(i), one(j)]);
        }
    }

    /// Corner i of a side from edge j of the other.
    fn corner_from_edge(&mut self, side: usize, i: usize, j: usize) {
        let (point, [p, q]) = (&self.corners[side][i], self.edge(1 - side, j));
        let (way, step) = (minus(q, p), minus(point, p));
        let (reach, whole) = (dot(&step, &way), dot(&way, &way));
        if reach <= IBig::ZERO || reach >= whole {
            return;
        }
        let above = dot(&step, &step) * &whole - &reach * &reach;
        if self.is_better(&above, &whole) {
            let other = part_of_edge(j, ratio(reach, whole.clone()));
            self.offer(above, whole, side, [one(i), other]);
        }
    }

    /// Corner i of a side from the other's face.
    fn corner_from_face(&mut self, side: usize, i: usize) {
        let (point, [p, q, r]) = (&self.corners[side][i], &self.corners[1 - side]);
        let (u, v, step) = (minus(q, p), minus(r, p), minus(point, p));
        let normal = cross(&u, &v);
        let whole = dot(&normal, &normal);
        let (along_u, along_v) = (dot(&cross(&step, &v), &normal), dot(&cross(&u, &step), &normal));
        let rest = &whole - &along_u - &along_v;
        if whole.is_zero() || [&along_u, &along_v, &rest].iter().any(|part| **part < IBig::ZERO) {
            return;
        }
        let height = dot(&step, &normal);
        let above = &height * &height;
        if self.is_better(&above, &whole) {
            let other = [rest, along_u, along_v].map(|part| ratio(part, whole.clone()));
            self.offer(above, whole, side, [one(i), other]);
        }
    }

    fn edges_apart(&mut self, i: usize, j: usize) {
        let ([p, q], [r, s]) = (self.edge(0, i), self.edge(1, j));
        let (d, e, step) = (minus(q, p), minus(s, r), minus(r, p));
        let normal = cross(&d, &e);
        let whole = dot(&normal, &normal);
        let (first, second) = (dot(&cross(&step, &e), &normal), dot(&cross(&step, &d), &normal));
        let is_inside = |part: &IBig| *part >= IBig::ZERO && *part <= whole;
        if whole.is_zero() || !is_inside(&first) || !is_inside(&second) {
            return;
        }
        let height = dot(&step, &normal);
        let above = &height * &height;
        if self.is_better(&above, &whole) {
            let weights = [(i, first), (j, second)]
                .map(|(edge, part)| part_of_edge(edge, ratio(part, whole.clone())));
            self.offer(above, whole, 0, weights);
        }
    }

    fn edge(&self, side: usize, i: usize) -> [&Point; 2] {
        let corners = &self.corners[side];
        [&corners[i], &corners[(i + 1) % 3]]
    }
}

fn one(i: usize) -> [f64; 3] {
    std::array::from_fn(|k| f64::from(u8::from(k == i)))
}

fn part_of_edge(i: usize, fraction: f64) -> [f64; 3] {
    let mut weights = [0.0; 3];
    weights[i] = 1.0 - fraction;
    weights[(i + 1) % 3] = fraction;
    weights
}

/// The point with these weights; a corner is itself.
fn blend(corners: &[Corner; 3], weights: [f64; 3]) -> DVec3 {
    let parts = corners.iter().zip(weights).filter(|(_, weight)| *weight > 0.0);
    parts.fold(DVec3::ZERO, |sum, (corner, weight)| sum + corner.1 * weight)
}

fn dot(u: &Point, v: &Point) -> IBig {
    &u[0] * &v[0] + &u[1] * &v[1] + &u[2] * &v[2]
}

fn cross(u: &Point, v: &Point) -> Point {
    [0, 1, 2].map(|axis| crate::internal::exact::fraction::cross(u, v, axis))
}

/// The square root of a fraction, times a power of two, to within two roundings; infinite or zero
/// beyond f64.
fn root(above: IBig, below: IBig, power: i32) -> f64 {
    let (above, below) = (above.into_parts().1, below.into_parts().1);
    if above == UBig::ZERO {
        return 0.0;
    }
    // So that the quotient has some 130 bits, and its power is even.
    let lack = 130 + below.bit_len().cast_signed() - above.bit_len().cast_signed();
    let shift = lack + lack.rem_euclid(2);
    let quotient = if shift >= 0 {
        (above << shift.unsigned_abs()).div_rem(below).0
    } else {
        (above >> shift.unsigned_abs()).div_rem(below).0
    };
    let root = u128::try_from(quotient.sqrt()).expect("the root has 66 bits") as f64;
    scaled(root, i64::from(power) - (shift / 2) as i64)
}

/// x · 2^power; in steps, as such a power need not be an f64.
fn scaled(mut x: f64, mut power: i64) -> f64 {
    while power != 0 && x > 0.0 && x.is_finite() {
        let step = power.clamp(-512, 512);
        x *= f64::from_bits((1023 + step).unsigned_abs() << 52);
        power -= step;
    }
    x
}
