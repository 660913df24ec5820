//! Where two motions stand to each other: the plane, and time.
//!
//! A motion is a row of disks in the plane, each held for a while: thin cylinders in space-time,
//! upright in time. Two motions stand apart by a planar pose each and by the difference of their
//! starts. Volumes are compared in the first motion's own frame and clock; the *slack* bounds what
//! that loses against the placed disks as [`Planar::apply`] rounds them, for a whole query.
//!
//! The placed coordinates are sums of at most three products, twice where a motion is part of a
//! sequence, so that each is off by at most 8 roundings of the sum S of all coordinates, radii and
//! shifts; the comparison of squares adds 4, the relative pose 12, a box test 20. 256 roundings of
//! S are more than all of these. Squares below the normal numbers lose what is below 1e-150.

use glam::DVec2;

use crate::internal::math::planar::Planar;

/// Disks that are held one after the other: what boxes of motions are fitted to.
#[derive(Clone, Copy, Debug)]
pub struct Disks<'a> {
    /// Centres.
    pub x: &'a [f64],
    /// Centres.
    pub y: &'a [f64],
    /// Radii.
    pub radius: &'a [f64],
    /// The number of the first disk in its motion.
    pub first: usize,
    /// How long each is held, in seconds.
    pub dt: f64,
    /// Where the last disk moves to while it is held, if disks move (x, y, radius). The others
    /// move to the next.
    pub towards: Option<[f64; 3]>,
}

impl Disks<'_> {
    /// All disks, the one that the last moves to included.
    pub(super) fn all(&self) -> impl Iterator<Item = [f64; 3]> + Clone {
        let held = (0..self.x.len()).map(|i| [self.x[i], self.y[i], self.radius[i]]);
        held.chain(self.towards)
    }

    /// From when to when they are held, rounded outward.
    pub(super) fn time(&self) -> [f64; 2] {
        let [low, high] = [self.first, self.first + self.x.len()].map(|i| i as f64 * self.dt);
        [if low == 0.0 { 0.0 } else { low.next_down() }, high.next_up()]
    }

    /// From the first centre to the last.
    pub(super) fn chord(&self) -> DVec2 {
        let last = self.towards.unwrap_or_else(|| {
            let last = self.x.len() - 1;
            [self.x[last], self.y[last], 0.0]
        });
        DVec2::new(last[0] - self.x[0], last[1] - self.y[0])
    }

    /// The largest sum of coordinates and radius.
    pub(super) fn size(&self) -> f64 {
        self.all().map(|[x, y, r]| x.abs() + y.abs() + r).fold(0.0, f64::max)
    }
}

/// The second motion, seen from the first.
#[derive(Clone, Copy, Debug)]
pub struct TimeSpace {
    /// Brings the second motion's points into the first one's frame.
    pub a_from_b: Planar,
    /// When the second motion's clock shows 0, the first one's shows this, in seconds.
    pub delay: f64,
    /// Lengths that stand for one second, for boxes that are not upright in time.
    pub time_scale: f64,
    /// Bounds every error of a volume test in the plane, as a length.
    pub slack: f64,
    /// The error bound in time, in seconds.
    pub time_slack: f64,
}

impl TimeSpace {
    /// `reach_a` and `reach_b` bound the sum of the coordinates' magnitudes and the radius of
    /// everything in either motion, in its own frame. Starts are in seconds of one common
    /// clock.
    pub fn new(
        (a, reach_a, start_a): (&Planar, f64, f64),
        (b, reach_b, start_b): (&Planar, f64, f64),
        time_scale: f64,
    ) -> Self {
        let size = |planar: &Planar| planar.translation().abs().element_sum();
        let deviation = a.deviation() + b.deviation();
        let all = reach_a + reach_b + size(a) + size(b);
        Self {
            a_from_b: a.inverse().after(b),
            delay: start_b - start_a,
            time_scale,
            slack: all * (256.0 * super::round::U + 4.0 * deviation) + 1e-150,
            time_slack: (start_a.abs() + start_b.abs()) * 8.0 * super::round::U,
        }
    }

    /// Whether two ranges, each in its own clock, may have a moment in common.
    #[inline]
    pub(super) fn times_meet(&self, a: [f64; 2], b: [f64; 2]) -> bool {
        let [from, to] = [b[0] + self.delay, b[1] + self.delay];
        let slack = self.time_slack + 4.0 * super::round::U * (to.abs() + from.abs());
        a[0] < to + slack && from < a[1] + slack
    }
}

impl From<&Self> for TimeSpace {
    fn from(space: &Self) -> Self {
        *space
    }
}
