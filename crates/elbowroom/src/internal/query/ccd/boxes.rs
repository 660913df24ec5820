//! Boxes whose corners move in straight lines, and from when on two of them overlap.

use glam::DVec3;

use crate::internal::exact::Moving;
use crate::internal::geom::Aabb;

/// A box at time 0 and at time 1. Between them it is what is between the two, and holds what moves
/// in straight lines from the one into the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct MovingBox {
    low: [DVec3; 2],
    high: [DVec3; 2],
}

impl MovingBox {
    pub(super) const EMPTY: Self =
        Self { low: [DVec3::INFINITY; 2], high: [DVec3::NEG_INFINITY; 2] };

    #[inline]
    pub(super) fn of(corners: &[Moving; 3]) -> Self {
        let [p, q, r] = corners;
        let low = [p.start.min(q.start).min(r.start), p.end.min(q.end).min(r.end)];
        let high = [p.start.max(q.start).max(r.start), p.end.max(q.end).max(r.end)];
        Self { low, high }
    }

    #[inline]
    pub(super) fn merged(&self, other: &Self) -> Self {
        Self {
            low: [self.low[0].min(other.low[0]), self.low[1].min(other.low[1])],
            high: [self.high[0].max(other.high[0]), self.high[1].max(other.high[1])],
        }
    }

    /// A number that grows with the box.
    #[inline]
    pub(super) fn extent(&self) -> f64 {
        (self.high[0] - self.low[0]).element_sum() + (self.high[1] - self.low[1]).element_sum()
    }

    /// The corners of what it goes through.
    pub(super) fn hull(&self) -> Aabb {
        Aabb { min: self.low[0].min(self.low[1]), max: self.high[0].max(self.high[1]) }
    }

    /// A time before which two boxes are farther apart than a margin on some axis. `None` if they
    /// always are. The margin covers roundings of coordinates, and the time is rounded down.
    #[inline]
    pub(super) fn meets_from(&self, other: &Self, margin: f64) -> Option<f64> {
        let margin = DVec3::splat(margin);
        let gap = |end: usize| {
            let above = (other.high[end] - self.low[end]) + margin;
            let below = (self.high[end] - other.low[end]) + margin;
            (above, below)
        };
        let (start, end) = (gap(0), gap(1));
        // On one side of each other at both ends: apart all the time.
        if start.0.max(end.0).min(start.1.max(end.1)).min_element() < 0.0 {
            return None;
        }
        if start.0.min(start.1).min_element() >= 0.0 {
            return Some(0.0);
        }
        // Each axis either way: a line from the one end to the other, above zero where they
        // overlap.
        let (mut first, mut last) = (0.0_f64, 1.0_f64);
        for (from, to) in [(start.0, end.0), (start.1, end.1)] {
            let crossing = from / (from - to);
            for axis in 0..3 {
                if from[axis] < 0.0 {
                    first = first.max(crossing[axis]);
                } else if to[axis] < 0.0 {
                    last = last.min(crossing[axis]);
                }
            }
        }
        let first = first - EARLIER;
        (first <= last + EARLIER).then_some(first.max(0.0))
    }
}

/// Some roundings of a time that is at most 1.
const EARLIER: f64 = 8.0 * f64::EPSILON;
