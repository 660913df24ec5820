//! The chain behind every sign: fast, bounded, exact on the stack, exact without limit.
//!
//! 1. *Fast*: the determinant of rounded points in f64 against one error bound for the whole pair
//!    of triangles, from how far the six points spread and how much placing them may have rounded.
//! 2. *Bounded*: the same determinant against a bound of its own, from the sizes of its entries; it
//!    knows slivers and, where nothing was rounded, columns and rows that are exactly zero.
//! 3. *Wide*: integers of up to 768 bits on the stack, for coordinates of ordinary size.
//! 4. *Big*: integers without limit, for 1e-300 beside 1e300.
//!
//! Each stage sees only what the one before left undecided. The first two answer only when they are
//! certain; the last two are always certain. The derivation of the bounds is in
//! `docs/notes/filter-bounds.md`; the design follows the adaptive predicates of Shewchuk (1997) and
//! the semi-static filters of Devillers and Pion (2003), but the points here are placed, so the
//! pose's rounding is part of the bound, and what lies behind the filters is integers, not
//! expansions.

use glam::DVec3;

use super::Sign;
use super::number::{Coordinates, compare, orient2, orient3};
use crate::internal::math::pose::Pose;

/// Half the distance from 1 to the next f64.
pub(super) const U: f64 = 1.0 / (1_u64 << 53) as f64;

/// The filters trust extents between these; beyond them, a product of three could leave the f64
/// range, and so could the error bound. 2^±300.
pub(super) const SMALLEST: f64 = f64::from_bits((1023 - 300) << 52);
pub(super) const LARGEST: f64 = f64::from_bits((1023 + 300) << 52);

/// A triangle where a pose puts it: the exact one by reference to its source, and a rounded one
/// with its error for the filters. Make it once and [`relate`](super::relate()) it to many.
#[derive(Clone, Copy, Debug)]
pub struct PlacedTriangle<'a> {
    pose: &'a Pose,
    source: [DVec3; 3],
    points: [DVec3; 3],
    rounding: DVec3,
}

impl<'a> PlacedTriangle<'a> {
    /// Places a triangle whose corners are finite, as those of a [`Mesh`](crate::Mesh) are.
    #[inline]
    pub fn new(pose: &'a Pose, source: [DVec3; 3]) -> Self {
        debug_assert!(source.iter().all(|p| p.is_finite()), "{source:?} is not finite");
        let [p, q, r] = source;
        let points = [pose.apply(p), pose.apply(q), pose.apply(r)];
        Self { pose, source, points, rounding: pose.rounding(&source) }
    }

    /// The triangle as it was given, and where it stands.
    pub(super) fn source(&self) -> (&'a Pose, [DVec3; 3]) {
        (self.pose, self.source)
    }

    /// The corners, rounded.
    pub fn points(&self) -> [DVec3; 3] {
        self.points
    }

    /// How far each rounded corner may be from the exact one, on each axis.
    pub fn rounding(&self) -> DVec3 {
        self.rounding
    }

    /// An axis-aligned box, lower and upper corner, that surely contains the exact triangle.
    pub fn bounds(&self) -> (DVec3, DVec3) {
        let [p, q, r] = self.points;
        let (low, high) = (p.min(q).min(r), p.max(q).max(r));
        // Adding rounds too: one step outward makes up for it.
        let outward = |corner: DVec3, sign: f64| {
            let moved = corner + sign * self.rounding;
            let step = |axis: usize| match (self.rounding[axis], sign > 0.0) {
                (0.0, _) => moved[axis],
                // The placed point is beyond what f64 can hold: it may be anywhere.
                (f64::INFINITY, _) => sign * f64::INFINITY,
                (_, true) => moved[axis].next_up(),
                (_, false) => moved[axis].next_down(),
            };
            DVec3::new(step(0), step(1), step(2))
        };
        (outward(low, -1.0), outward(high, 1.0))
    }
}

/// How many signs each stage of the chain decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stages {
    /// By the bound of the pair.
    pub fast: u64,
    /// By the bound of the determinant.
    pub bounded: u64,
    /// By integers on the stack.
    pub wide: u64,
    /// By integers without limit.
    pub big: u64,
}

impl std::ops::AddAssign for Stages {
    fn add_assign(&mut self, other: Self) {
        self.fast += other.fast;
        self.bounded += other.bounded;
        self.wide += other.wide;
        self.big += other.big;
    }
}

/// The chain for the six corners of two triangles: 0, 1, 2 of the first, 3, 4, 5 of the second.
pub(super) struct Chain<'a> {
    triangles: [&'a PlacedTriangle<'a>; 2],
    points: [DVec3; 6],
    /// How far the difference of two rounded points may be from the exact one, before it is
    /// rounded.
    rounding: DVec3,
    /// A determinant of differences above this has the right sign.
    bound: f64,
    exact: Option<Coordinates>,
    pub(super) stages: Stages,
}

impl<'a> Chain<'a> {
    #[inline]
    pub(super) fn new(first: &'a PlacedTriangle<'a>, second: &'a PlacedTriangle<'a>) -> Self {
        let ([a, b, c], [d, e, f]) = (first.points, second.points);
        let spread = a.max(b).max(c).max(d.max(e).max(f)) - a.min(b).min(c).min(d.min(e).min(f));
        let rounding = 2.0 * first.rounding.max(second.rounding);
        Self {
            triangles: [first, second],
            points: [a, b, c, d, e, f],
            rounding,
            bound: bound_of_pair(spread, rounding),
            exact: None,
            stages: Stages::default(),
        }
    }

    /// The sign of det [b − a, c − a, d − a]: on which side of the plane abc, seen with its
    /// corners counter-clockwise from the positive side, the point d lies.
    #[inline]
    pub(super) fn orient3(&mut self, [a, b, c, d]: [usize; 4]) -> Sign {
        let p = &self.points;
        let (u, v, w) = (p[b] - p[a], p[c] - p[a], p[d] - p[a]);
        let det = w.dot(u.cross(v));
        if det.abs() > self.bound {
            self.stages.fast += 1;
            return Sign::of(det);
        }
        self.orient3_slow([a, b, c, d], [u, v, w], det)
    }

    /// [`orient3`](Self::orient3) of three corners against one plane, whose normal is made once.
    #[inline]
    pub(super) fn sides(&mut self, [a, b, c]: [usize; 3], others: [usize; 3]) -> [Sign; 3] {
        let p = &self.points;
        let (u, v) = (p[b] - p[a], p[c] - p[a]);
        let normal = u.cross(v);
        let rows = others.map(|d| p[d] - p[a]);
        let dets = rows.map(|row| row.dot(normal));
        if dets.iter().all(|det| det.abs() > self.bound) {
            self.stages.fast += 3;
            return dets.map(Sign::of);
        }
        others.map(|d| self.orient3([a, b, c, d]))
    }

    #[cold]
    fn orient3_slow(&mut self, corners: [usize; 4], rows: [DVec3; 3], det: f64) -> Sign {
        if let Some(sign) = sign_within_bound(rows, self.rounding, det) {
            self.stages.bounded += 1;
            return sign;
        }
        match self.exact() {
            Coordinates::Wide(p) => orient3(p, corners),
            Coordinates::Big(p) => orient3(p, corners),
        }
    }

    /// The orientation of three corners seen along an axis.
    pub(super) fn orient2(&mut self, axis: usize, corners: [usize; 3]) -> Sign {
        let [a, b, c] = corners.map(|corner| self.points[corner]);
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        let (u, v) = (b - a, c - a);
        let error = |k: usize| self.rounding[k] + 2.0 * U * u[k].abs().max(v[k].abs());
        let (large_i, large_j) = (u[i].abs().max(v[i].abs()), u[j].abs().max(v[j].abs()));
        let bound = 2.0 * (large_i * error(j) + large_j * error(i) + error(i) * error(j))
            + 8.0 * U * large_i * large_j;
        let det = u[i] * v[j] - u[j] * v[i];
        let trusted = |k: f64| (SMALLEST..=LARGEST).contains(&k);
        if det.abs() > bound * (1.0 + 16.0 * U) && trusted(large_i) && trusted(large_j) {
            self.stages.bounded += 1;
            return Sign::of(det);
        }
        match self.exact() {
            Coordinates::Wide(p) => orient2(p, axis, corners),
            Coordinates::Big(p) => orient2(p, axis, corners),
        }
    }

    /// The sign of the difference of two corners on an axis.
    pub(super) fn compare(&mut self, axis: usize, corners: [usize; 2]) -> Sign {
        let [a, b] = corners.map(|corner| self.points[corner][axis]);
        // The difference of two f64 has the right sign; only placing them may have lost it.
        if (a - b).abs() > self.rounding[axis] * (1.0 + 4.0 * U) || self.rounding[axis] == 0.0 {
            self.stages.bounded += 1;
            return Sign::of(a - b);
        }
        match self.exact() {
            Coordinates::Wide(p) => compare(p, axis, corners),
            Coordinates::Big(p) => compare(p, axis, corners),
        }
    }

    /// The exact coordinates, made when the first sign needs them.
    fn exact(&mut self) -> &Coordinates {
        let triangles = self.triangles;
        let exact = self.exact.get_or_insert_with(|| {
            Coordinates::new(std::array::from_fn(|i| {
                let triangle = triangles[i / 3];
                (triangle.pose, triangle.source[i % 3])
            }))
        });
        match exact {
            Coordinates::Wide(_) => self.stages.wide += 1,
            Coordinates::Big(_) => self.stages.big += 1,
        }
        exact
    }
}

/// The bound of stage 1. With |entries| of column k at most sₖ and off by at most
/// δₖ = roundingₖ + u·sₖ, six products are off by Σ δₖ·sᵢ·sⱼ each, and evaluating them costs
/// 6·8u of s₀·s₁·s₂; the factor 7 instead of 6 covers the higher orders and the roundings made
/// here.
#[inline]
pub(super) fn bound_of_pair(spread: DVec3, rounding: DVec3) -> f64 {
    let error = rounding + U * spread;
    let (s, e) = (spread, error);
    let trusted = s.min_element() >= SMALLEST
        && s.max_element() <= LARGEST
        // Keeps the higher orders in proportion.
        && (e * 1024.0).cmple(s).all();
    if !trusted {
        return f64::INFINITY;
    }
    7.0 * (e.x * s.y * s.z + s.x * e.y * s.z + s.x * s.y * e.z + 8.0 * U * s.x * s.y * s.z)
}

/// Stage 2: the determinant against a bound from its own entries, and the zeros that are plain to
/// see.
pub(super) fn sign_within_bound(rows: [DVec3; 3], rounding: DVec3, det: f64) -> Option<Sign> {
    let [u, v, w] = rows.map(DVec3::abs);
    let largest = u.max(v).max(w);
    // A column of exact zeros: all four points have this coordinate in common, as on one floor.
    if (0..3).any(|k| rounding[k] == 0.0 && largest[k] == 0.0) {
        return Some(Sign::Zero);
    }
    // A row of exact zeros: two of the points are one.
    if rounding == DVec3::ZERO && [u, v, w].contains(&DVec3::ZERO) {
        return Some(Sign::Zero);
    }
    if !(SMALLEST..=LARGEST).contains(&largest.min_element())
        || !(SMALLEST..=LARGEST).contains(&largest.max_element())
    {
        return None;
    }
    let error = rounding + U * largest;
    let (u, v, w) = (u + error, v + error, w + error);
    // Sums of the 2×2 permanents that multiply each column.
    let minors = |i: usize, j: usize| {
        let pair = |r: DVec3, s: DVec3| r[i] * s[j] + r[j] * s[i];
        [pair(v, w), pair(u, w), pair(u, v)]
    };
    let (m0, m1, m2) = (minors(1, 2), minors(0, 2), minors(0, 1));
    let sum = |m: [f64; 3]| m[0] + m[1] + m[2];
    let permanent = u.x * m0[0] + v.x * m0[1] + w.x * m0[2];
    let bound = error.x * sum(m0) + error.y * sum(m1) + error.z * sum(m2) + 8.0 * U * permanent;
    // Everything above is a sum of products of at most a dozen roundings.
    (det.abs() > bound * (1.0 + 64.0 * U)).then(|| Sign::of(det))
}

#[cfg(test)]
mod tests {
    use elbowroom_testkit::random::Random;
    use glam::DMat3;

    use super::*;

    /// Four points in one plane up to rounding, under two poses: the rounded determinant is
    /// noise. Wherever its sign is wrong it must be below both bounds, and the bounds must be
    /// within reach of the noise, else the test would not notice if they were too small.
    #[test]
    fn noise_stays_below_the_bounds_and_comes_near_them() {
        let mut random = Random::new(11);
        let (mut wrong, mut worst_of_pair, mut worst_of_its_own) = (0, 0.0_f64, 0.0_f64);
        for _ in 0..40_000 {
            let turned = |random: &mut Random| {
                let angle = random.uniform(-3.0, 3.0);
                let axis = DVec3::new(random.unit(), random.unit(), 0.1).normalize();
                let shift = DVec3::new(random.unit(), random.unit(), random.unit());
                Pose::new(DMat3::from_axis_angle(axis, angle), shift).unwrap()
            };
            let (here, there) = (turned(&mut random), turned(&mut random));
            let point = |random: &mut Random| {
                DVec3::from_array([(); 3].map(|()| random.uniform(-1.0, 1.0)))
            };
            let corners = [(); 3].map(|()| point(&mut random));
            // A point of the first triangle's plane, taken back into the second's frame.
            let (s, t) = (random.unit(), random.unit());
            let within = corners[0] + s * (corners[1] - corners[0]) + t * (corners[2] - corners[0]);
            let back = there.rotation().transpose() * (here.apply(within) - there.translation());
            let (first, second) =
                (PlacedTriangle::new(&here, corners), PlacedTriangle::new(&there, [back; 3]));
            let mut chain = Chain::new(&first, &second);
            let p = chain.points;
            let rows = [p[1] - p[0], p[2] - p[0], p[3] - p[0]];
            let det = rows[2].dot(rows[0].cross(rows[1]));
            let exact = match chain.exact() {
                Coordinates::Wide(p) => orient3(p, [0, 1, 2, 3]),
                Coordinates::Big(p) => orient3(p, [0, 1, 2, 3]),
            };
            if Sign::of(det) != exact {
                wrong += 1;
                worst_of_pair = worst_of_pair.max(det.abs() / chain.bound);
                let own = (1..64)
                    .map(f64::from)
                    .find(|factor| sign_within_bound(rows, chain.rounding, det * factor).is_some());
                worst_of_its_own = worst_of_its_own.max(own.map_or(0.0, f64::recip));
            }
        }
        assert!(wrong > 4000, "{wrong}");
        assert!((0.005..1.0).contains(&worst_of_pair), "{worst_of_pair}");
        assert!((0.02..1.0).contains(&worst_of_its_own), "{worst_of_its_own}");
    }
}
