//! Two sets of corners on their way, and the time until which a direction parts them.

use glam::DVec3;

use super::cubic::Cubic;
use super::nearest::{Edge, Near};
use super::{Approach, Impact, Moving};
use crate::internal::exact::chain::U;
use crate::internal::math::moments::unit_scale;

/// Corners at the beginning and at the end, from the first corner of the second set, in a frame in
/// which they are of ordinary size.
#[derive(Clone, Copy, Debug)]
pub(super) struct Course<const A: usize, const B: usize> {
    a: [[DVec3; A]; 2],
    b: [[DVec3; B]; 2],
    /// At least the largest coordinate.
    size: f64,
    origin: DVec3,
    /// The factor by which everything is smaller or larger here.
    scale: f64,
}

/// What is resolved, as a part of the size: some times what rounding costs a step.
const FINEST: f64 = 512.0 * U;

/// What rounding costs the part between two corners along a unit direction, as a part of the size.
/// The corners are off by u each, and so is each operation of a product with the direction and of
/// the interpolation, of which none is beyond 4 sizes: some 30 u; and so is the time, as each
/// corner moves at most 4 sizes in all.
const LOST: f64 = 128.0 * U;

/// Sizes outside of this are brought into it, so that neither products of four over- or underflow,
/// nor what is lost.
const ORDINARY: std::ops::RangeInclusive<f64> = 1e-60..=1e60;

/// Steps before the cubic is asked as well.
const STEPS_ALONE: usize = 3;

/// The greatest number of steps. None of tens of thousands of queries took as many.
const STEPS: usize = 400;

/// Of two triangles, which have no cubic; what is left is asked of their corners and edges.
const STEPS_OF_TRIANGLES: usize = 10;

/// What came out.
#[derive(Clone, Copy, Debug)]
pub(super) enum Outcome {
    /// They do not meet.
    Clear,
    /// They do.
    Impact(Impact),
    /// They do not meet before this time, and no direction was found that leads farther.
    Unfinished(Impact),
}

impl Outcome {
    /// What is not decided is told as a contact, with how far apart the two are.
    pub(super) fn or_unfinished(self) -> Option<Impact> {
        match self {
            Self::Clear => None,
            Self::Impact(impact) | Self::Unfinished(impact) => Some(impact),
        }
    }
}

/// False for what is not a number, so that what cannot be told apart counts as near.
#[inline]
pub(super) fn is_above(value: f64, floor: f64) -> bool {
    value > floor
}

/// The point at a time on a straight way.
#[inline]
pub(super) fn between(start: DVec3, end: DVec3, time: f64) -> DVec3 {
    start + (end - start) * time
}

impl<const A: usize, const B: usize> Course<A, B> {
    #[inline]
    pub(super) fn new(a: [Moving; A], b: [Moving; B]) -> Self {
        let course = Self::scaled(a, b, 1.0);
        if ORDINARY.contains(&course.size) || course.size == 0.0 {
            course
        } else {
            Self::rescaled(a, b, course.size)
        }
    }

    fn scaled(a: [Moving; A], b: [Moving; B], scale: f64) -> Self {
        let origin = b[0].start * scale;
        let start = |corner: Moving| corner.start * scale - origin;
        let end = |corner: Moving| corner.end * scale - origin;
        let (from_a, to_a) = (a.map(start), a.map(end));
        let (from_b, to_b) = (b.map(start), b.map(end));
        let largest = |points: &[DVec3]| {
            points.iter().fold(DVec3::ZERO, |most, p| most.max(p.abs())).max_element()
        };
        let size = largest(&from_a).max(largest(&to_a)).max(largest(&from_b)).max(largest(&to_b));
        Self { a: [from_a, to_a], b: [from_b, to_b], size, origin, scale }
    }

    #[cold]
    fn rescaled(a: [Moving; A], b: [Moving; B], size: f64) -> Self {
        // Differences may have been beyond f64: coordinates are not.
        let most = |p: &Moving| p.start.abs().max(p.end.abs()).max_element();
        let size =
            if size.is_finite() { size } else { a.iter().chain(&b).map(most).fold(0.0, f64::max) };
        Self::scaled(a, b, unit_scale(size))
    }

    /// The first contact from a time on, before which there is none: see the [module](super).
    #[inline]
    pub(super) fn first(
        &self,
        from: f64,
        approach: &Approach,
        nearest: impl Fn(&[DVec3; A], &[DVec3; B]) -> Near,
        cubic: impl Fn(&[[DVec3; A]; 2], &[[DVec3; B]; 2], f64) -> Option<Cubic>,
    ) -> Outcome {
        let until = approach.until.min(1.0);
        let offset = approach.offset.max(0.0) * self.scale;
        let delta = (approach.delta * self.scale).max(FINEST * (self.size + offset));
        let mut time = from;
        let mut known: Option<Option<Cubic>> = None;
        for step in 0.. {
            let (a, b) = self.at(time);
            let near = nearest(&a, &b);
            let [p, q] = near.points;
            let way = q - p;
            // Where two things are closest is computed to some roundings of their size.
            let apart = way.length() + LOST * self.size;
            if !is_above(apart, offset + delta) {
                return Outcome::Impact(self.impact(time, apart, near.points));
            }
            let mut next = self.parted_until(way, time, offset);
            if next <= until {
                next = next.max(self.parted_until(near.normal, time, offset));
            }
            if next <= until && step >= STEPS_ALONE {
                if offset == 0.0
                    && let Some(cubic) =
                        known.get_or_insert_with(|| cubic(&self.a, &self.b, self.size))
                {
                    next = next.max(cubic.next_root(time).unwrap_or(f64::INFINITY));
                }
                if let Some(edge) = near.edge {
                    next = next.max(self.beside_until(edge, way, time, offset));
                }
            }
            if next > until {
                return Outcome::Clear;
            }
            let most = if A == B && A == 3 { STEPS_OF_TRIANGLES } else { STEPS };
            if next <= time || step == most {
                return Outcome::Unfinished(self.impact(time, apart, near.points));
            }
            time = next;
        }
        Outcome::Clear
    }

    /// Whether one of some directions parts the two from a time until another.
    #[inline]
    pub(super) fn is_parted(
        &self,
        directions: impl IntoIterator<Item = DVec3>,
        from: f64,
        approach: &Approach,
    ) -> bool {
        let offset = approach.offset.max(0.0) * self.scale;
        let mut directions = directions.into_iter();
        directions.any(|direction| self.parted_until(direction, from, offset) > approach.until)
    }

    /// The corners at a time.
    #[inline]
    pub(super) fn at(&self, time: f64) -> ([DVec3; A], [DVec3; B]) {
        let a = std::array::from_fn(|i| between(self.a[0][i], self.a[1][i], time));
        let b = std::array::from_fn(|j| between(self.b[0][j], self.b[1][j], time));
        (a, b)
    }

    /// The time until which a direction, in either sense, separates the two by more than the
    /// offset: the start time itself if it does not separate them, infinity if it does until time
    /// 1. It does not depend on the length of the searched time, so no bit of an answer does.
    #[inline]
    fn parted_until(&self, direction: DVec3, time: f64, offset: f64) -> f64 {
        let length = direction.length();
        if !(length > 0.0 && length.is_finite()) {
            return time;
        }
        let on = |points: &[DVec3]| {
            let mut values = [0.0; 3];
            for (value, point) in values.iter_mut().zip(points) {
                *value = point.dot(direction);
            }
            values
        };
        let (a, b) = ([on(&self.a[0]), on(&self.a[1])], [on(&self.b[0]), on(&self.b[1])]);
        // A direction looks from the first to the second; whether it should look back, the first
        // corners tell now.
        let now = |ends: &[[f64; 3]; 2], i: usize| ends[0][i] + (ends[1][i] - ends[0][i]) * time;
        let flip = if now(&b, 0) < now(&a, 0) { -1.0 } else { 1.0 };
        let floor = (offset + LOST * (self.size + offset)) * length;
        let mut first = f64::INFINITY;
        let [a, b] = [a, b].map(|[start, end]| [0, 1, 2].map(|i| [start[i], end[i]]));
        for p in &a[..A] {
            for q in &b[..B] {
                let start = flip * (q[0] - p[0]) - floor;
                let end = flip * (q[1] - p[1]) - floor;
                let here = start + (end - start) * time;
                if !is_above(here, 0.0) {
                    return time;
                }
                if !is_above(end, 0.0) {
                    first = first.min((time + (1.0 - time) * (here / (here - end))).min(1.0));
                }
            }
        }
        first
    }

    /// The time until which the two are separated by a direction that turns with an edge: square to
    /// it, and to a vector that is square to it and to the way between the two now.
    #[cold]
    fn beside_until(&self, edge: Edge, way: DVec3, time: f64, offset: f64) -> f64 {
        let along = [0, 1].map(|end| match edge {
            Edge::First(i) => self.a[end][(i + 1) % A] - self.a[end][i],
            Edge::Second(j) => self.b[end][(j + 1) % B] - self.b[end][j],
        });
        let axis = between(along[0], along[1], time).cross(way);
        let axis = axis * unit_scale(axis.abs().max_element());
        // Whatever came out is the direction at both ends, exactly; so only products with it are
        // rounded.
        let directions = along.map(|along| axis.cross(along));
        let longest = directions[0].length().max(directions[1].length());
        let floor = (offset + 2.0 * LOST * (self.size + offset)) * longest;
        let mut first = f64::INFINITY;
        for i in 0..A {
            for j in 0..B {
                let apart = [0, 1].map(|end| self.b[end][j] - self.a[end][i]);
                let part = Cubic::along(directions, apart, floor);
                if !is_above(part.at(time), floor) {
                    return time;
                }
                first = first.min(part.next_root(time).unwrap_or(f64::INFINITY));
            }
        }
        first
    }

    #[cold]
    fn impact(&self, time: f64, apart: f64, points: [DVec3; 2]) -> Impact {
        let leave = |p: DVec3| (p + self.origin) / self.scale;
        Impact { time, separation: apart / self.scale, points: points.map(leave) }
    }
}
