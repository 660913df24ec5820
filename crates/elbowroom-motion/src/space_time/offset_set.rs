//! A set of start offsets, exact at its ends.
//!
//! An offset is how much later the second motion starts than the first, in seconds. Sample i of the
//! first and j of the second, if they collide where they are, do so for every offset at which their
//! holds have a moment in common: the open interval
//!
//! ```text
//!     i·dt_a − (j + 1)·dt_b  <  offset  <  (i + 1)·dt_a − j·dt_b
//! ```
//!
//! so that the set is a union of open intervals whose ends are whole numbers of steps of either
//! motion. They are kept as such integers, and an offset is compared with them without rounding: a
//! start is in the set if and only if [`collide`](super::collide()) says yes to it. Two intervals
//! that touch leave one free offset between them.
//!
//! Where motions move between samples, ends lie between such numbers: the steps and some seconds
//! more, rounded outward, and compared without rounding as well.

use std::cmp::Ordering;

use super::clock::Clock;

/// An end of an interval: a number of steps of the first motion, less a number of the second, and
/// some seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct End {
    pub(super) a: i64,
    pub(super) b: i64,
    pub(super) secs: f64,
}

impl End {
    /// A whole number of steps.
    pub(super) fn steps(a: i64, b: i64) -> Self {
        Self { a, b, secs: 0.0 }
    }
}

/// An open interval of offsets, in seconds, rounded to the nearest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end, which is not in the interval.
    pub from: f64,
    /// The upper end, which is not in the interval.
    pub to: f64,
}

/// Start offsets at which two motions collide: disjoint open intervals, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OffsetSet {
    pub(super) dt_a: f64,
    pub(super) dt_b: f64,
    pub(super) runs: Vec<(End, End)>,
}

impl OffsetSet {
    pub(super) fn clear(&mut self, dt_a: f64, dt_b: f64) {
        self.runs.clear();
        (self.dt_a, self.dt_b) = (dt_a, dt_b);
    }

    /// Whether no offset collides.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// The number of intervals.
    pub fn len(&self) -> usize {
        self.runs.len()
    }

    /// The intervals, in order, with rounded ends.
    pub fn intervals(&self) -> impl DoubleEndedIterator<Item = Interval> + ExactSizeIterator + '_ {
        self.runs.iter().map(|&(from, to)| Interval { from: self.value(from), to: self.value(to) })
    }

    /// Seconds in the set.
    pub fn measure(&self) -> f64 {
        self.intervals().map(|interval| interval.to - interval.from).sum()
    }

    fn value(&self, end: End) -> f64 {
        (end.a as f64 * self.dt_a - end.b as f64 * self.dt_b) + end.secs
    }

    /// Compares an end with an offset, exactly.
    fn compare(&self, end: End, offset: f64) -> Ordering {
        let clock = |start, dt| Clock { start, dt, first: 0 };
        clock(end.secs, self.dt_a).compare(end.a, &clock(offset, self.dt_b), end.b)
    }

    /// Compares two ends, exactly.
    pub(super) fn compare_ends(&self, x: End, y: End) -> Ordering {
        let clock = |start, dt| Clock { start, dt, first: 0 };
        clock(x.secs, self.dt_a).compare(x.a - y.a, &clock(y.secs, self.dt_b), x.b - y.b)
    }

    /// The interval that an offset is in.
    fn run_of(&self, offset: f64) -> Option<(End, End)> {
        let behind =
            self.runs.partition_point(|&(low, _)| self.compare(low, offset) == Ordering::Less);
        let &(low, high) = self.runs[..behind].last()?;
        (self.compare(high, offset) == Ordering::Greater).then_some((low, high))
    }

    /// Whether the motions collide at this offset. An offset that is not a number is in no set.
    pub fn contains(&self, offset: f64) -> bool {
        offset.abs() <= 1e90 && self.run_of(offset).is_some()
    }

    /// The first free offset at or after a time: how long the second motion has to wait.
    ///
    /// It is free indeed: rounded up to the next f64 that is not in the set.
    pub fn smallest_wait(&self, from: f64) -> f64 {
        let mut offset = from;
        while let Some((_, high)) = self.run_of(offset) {
            offset = self.value(high);
            while self.compare(high, offset) == Ordering::Greater {
                offset = offset.next_up();
            }
        }
        offset
    }

    /// The last free offset at or before a time.
    pub fn latest_before(&self, from: f64) -> f64 {
        let mut offset = from;
        while let Some((low, _)) = self.run_of(offset) {
            offset = self.value(low);
            while self.compare(low, offset) == Ordering::Less {
                offset = offset.next_down();
            }
        }
        offset
    }

    /// The free offset that is nearest to a wanted one; the earlier of two that are equally near.
    pub fn nearest_free(&self, to: f64) -> f64 {
        let (before, after) = (self.latest_before(to), self.smallest_wait(to));
        if to - before <= after - to { before } else { after }
    }

    /// Brings intervals into order and joins those that overlap.
    pub(super) fn tidy(&mut self) {
        let mut runs = std::mem::take(&mut self.runs);
        runs.sort_unstable_by(|x, y| {
            self.compare_ends(x.0, y.0).then_with(|| self.compare_ends(x.1, y.1))
        });
        let mut kept = 0;
        for k in 0..runs.len() {
            let (low, high) = runs[k];
            if kept > 0 && self.compare_ends(low, runs[kept - 1].1) == Ordering::Less {
                if self.compare_ends(runs[kept - 1].1, high) == Ordering::Less {
                    runs[kept - 1].1 = high;
                }
            } else {
                runs[kept] = (low, high);
                kept += 1;
            }
        }
        runs.truncate(kept);
        self.runs = runs;
    }
}
