//! One of the two motions of a query, where and when it stands; and what two samples do to each
//! other.
//!
//! This is the meaning of every answer, in f64 without fused operations, the same for every
//! structure. A sample stands at `outer(inner(x, y))`, each pose rounded as [`Planar::apply`] says;
//! for a motion by itself the inner one is the identity, which changes no bit. With (ax, ay, ar)
//! and (bx, by, br) so placed, two held samples collide if
//!
//! ```text
//!     dx = ax − bx    dy = ay − by    s = ar + br        dx·dx + dy·dy < s·s
//! ```
//!
//! with ≤ where touching counts. Swapping the motions changes the signs of dx and dy and nothing
//! else. Where a motion moves between samples, the relative position is a line over the time that
//! two samples are held together; it is compared at the beginning, at the end, and where the
//! quadratic in time is least.

use super::clock::{Clock, Lags};
use super::config::Partners;
use super::tracked::Tracked;
use elbowroom::internal::math::planar::Planar;
use elbowroom::internal::volume::TimeSpace;

/// A motion in a query.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    pub clip: &'a Tracked,
    /// From the clip into the sequence that it is part of.
    pub inner: Planar,
    /// From there into the world.
    pub outer: Planar,
    pub clock: Clock,
}

/// A placed disk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disk {
    pub x: f64,
    pub y: f64,
    pub radius: f64,
}

impl Disk {
    /// On the way to another; at 0 it is this one and at 1 nearly the other.
    #[must_use]
    pub fn towards(self, other: Self, share: f64) -> Self {
        Self {
            x: self.x + share * (other.x - self.x),
            y: self.y + share * (other.y - self.y),
            radius: self.radius + share * (other.radius - self.radius),
        }
    }
}

/// Whether two placed disks collide.
#[inline]
pub(super) fn meet(a: Disk, b: Disk, touching: bool) -> bool {
    let (dx, dy, reach) = (a.x - b.x, a.y - b.y, a.radius + b.radius);
    let (square, limit) = (dx * dx + dy * dy, reach * reach);
    square < limit || touching && square == limit
}

/// How far apart two placed disks are; negative where they overlap.
#[inline]
pub(super) fn gap(a: Disk, b: Disk) -> f64 {
    let (dx, dy) = (a.x - b.x, a.y - b.y);
    (dx * dx + dy * dy).sqrt() - (a.radius + b.radius)
}

impl Side<'_> {
    pub(super) fn len(&self) -> usize {
        self.clip.trace().len()
    }

    /// A sample in the world.
    #[inline]
    pub(super) fn disk(&self, index: usize) -> Disk {
        let [x, y, radius] = self.clip.columns();
        let (x, y) = self.place(x[index], y[index]);
        Disk { x, y, radius: radius[index] }
    }

    /// A point of the clip in the world.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "part of kernels that run on vector instructions")]
    pub(super) fn place(&self, x: f64, y: f64) -> (f64, f64) {
        let (x, y) = self.inner.apply_xy(x, y);
        self.outer.apply_xy(x, y)
    }

    /// Whether it is part of a sequence.
    #[inline]
    pub(super) fn is_part(&self) -> bool {
        self.inner != Planar::IDENTITY
    }

    /// Both poses in one, to rounding: what volumes stand in.
    pub(super) fn whole(&self) -> Planar {
        self.outer.after(&self.inner)
    }

    /// What bounds all coordinates that come up on the way into the world, but for the whole shift.
    pub(super) fn reach(&self) -> f64 {
        let shift = |planar: &Planar| planar.translation().abs().element_sum();
        self.clip.reach() + shift(&self.inner) + shift(&self.outer)
    }

    /// Bounds how far the place of anything of it may be from where an exact turn would put it, as
    /// a length.
    pub(super) fn slack(&self) -> f64 {
        self.reach() * (128.0 * f64::EPSILON + 4.0 * self.deviation()) + 1e-150
    }

    fn deviation(&self) -> f64 {
        self.inner.deviation() + self.outer.deviation()
    }

    /// Where the disk of a sample is at a share of its hold.
    pub(super) fn moving(&self, index: usize, share: f64) -> Disk {
        let here = self.disk(index);
        let next = index + 1;
        if self.clip.is_linear() && next < self.len() && share > 0.0 {
            here.towards(self.disk(next), share)
        } else {
            here
        }
    }
}

/// Two motions in a query.
#[derive(Clone, Copy, Debug)]
pub struct Sides<'a> {
    pub a: Side<'a>,
    pub b: Side<'a>,
    pub(super) touching: bool,
    /// Whether either moves between samples.
    pub(super) is_linear: bool,
    /// Which pairs of samples count; for the readable trees alone.
    pub(super) partners: Partners,
}

impl<'a> Sides<'a> {
    pub fn new(a: Side<'a>, b: Side<'a>) -> Self {
        let touching = a.clip.config().touching && b.clip.config().touching;
        let is_linear = a.clip.is_linear() || b.clip.is_linear();
        Self { a, b, touching, is_linear, partners: Partners::HeldTogether }
    }

    /// The side with other pairs of samples.
    pub(super) fn with_partners(self, partners: Partners) -> Self {
        Self { partners, ..self }
    }

    /// The space in which volumes of both are compared.
    pub(super) fn space(&self) -> TimeSpace {
        let (a, b) = (&self.a, &self.b);
        let start = |side: &Side<'_>| side.clock.start + side.clock.first as f64 * side.clock.dt;
        let scale = a.clip.config().time_scale;
        let mut space = TimeSpace::new(
            (&a.whole(), a.reach(), start(a)),
            (&b.whole(), b.reach(), start(b)),
            scale,
        );
        // The whole poses were rounded from two that deviate each by itself.
        space.slack += 8.0 * (a.deviation() + b.deviation()) * (a.reach() + b.reach());
        space
    }

    /// The lags, where the sampling times are the same.
    pub fn lags(&self) -> Option<Lags> {
        self.a.clock.lags(&self.b.clock)
    }

    /// Whether two samples, which are held at a common moment, collide.
    #[inline]
    pub fn meet(&self, i: usize, j: usize) -> bool {
        if self.is_linear {
            self.meet_moving(i, j)
        } else {
            meet(self.a.disk(i), self.b.disk(j), self.touching)
        }
    }

    /// Both disks at the beginning and at the end of the time that they are held together.
    fn ends(&self, i: usize, j: usize) -> [(Disk, Disk); 2] {
        let (ca, cb) = (&self.a.clock, &self.b.clock);
        let ahead = ca.ahead(i as i64, cb, j as i64);
        let (from_a, from_b) =
            if ahead > 0.0 { (ahead / ca.dt, 0.0) } else { (0.0, -ahead / cb.dt) };
        let ahead = ca.ahead(i as i64 + 1, cb, j as i64 + 1);
        let (to_a, to_b) =
            if ahead > 0.0 { (1.0, 1.0 - ahead / cb.dt) } else { (1.0 + ahead / ca.dt, 1.0) };
        let at = |share_a: f64, share_b: f64| {
            (self.a.moving(i, share_a.clamp(0.0, 1.0)), self.b.moving(j, share_b.clamp(0.0, 1.0)))
        };
        [at(from_a, from_b), at(to_a, to_b)]
    }

    /// The share of the common hold at which two moving disks are nearest to each other, apart from
    /// its ends. `None` if that is at an end.
    fn least(ends: &[(Disk, Disk); 2]) -> Option<f64> {
        let [(a, b), (c, d)] = ends;
        let (x, y, r) = (a.x - b.x, a.y - b.y, a.radius + b.radius);
        let (ex, ey, er) = ((c.x - d.x) - x, (c.y - d.y) - y, (c.radius + d.radius) - r);
        // |D|² − R² is a quadratic in the share: curve · share² + 2 · slope · share + …
        let curve = (ex * ex + ey * ey) - er * er;
        let slope = (x * ex + y * ey) - r * er;
        (slope < 0.0 && -slope < curve).then(|| -slope / curve)
    }

    /// The share at which the distance less the radii is least, apart from the ends. `None` if that
    /// is at an end.
    ///
    /// With u along the line that the one disk moves on, seen from the other, and h its distance
    /// from it, √(h² + u²) − κ·u is least where u = κ·h/√(1 − κ²).
    pub fn nearest(ends: &[(Disk, Disk); 2]) -> Option<f64> {
        let [(a, b), (c, d)] = ends;
        let (x, y, r) = (a.x - b.x, a.y - b.y, a.radius + b.radius);
        let (ex, ey, er) = ((c.x - d.x) - x, (c.y - d.y) - y, (c.radius + d.radius) - r);
        let length = (ex * ex + ey * ey).sqrt();
        let growth = er / length;
        let aside = ((x * ey - y * ex) / length).abs();
        let along = growth * aside / (1.0 - growth * growth).sqrt();
        let share = (along - (x * ex + y * ey) / length) / length;
        (share > 0.0 && share < 1.0).then_some(share)
    }

    fn between(ends: &[(Disk, Disk); 2], share: f64) -> (Disk, Disk) {
        (ends[0].0.towards(ends[1].0, share), ends[0].1.towards(ends[1].1, share))
    }

    fn meet_moving(&self, i: usize, j: usize) -> bool {
        let ends = self.ends(i, j);
        ends.iter().any(|&(a, b)| meet(a, b, self.touching))
            || Self::least(&ends).is_some_and(|share| {
                let (a, b) = Self::between(&ends, share);
                meet(a, b, self.touching)
            })
    }

    /// How near two samples, which are held at a common moment, come to each other. Negative where
    /// they overlap.
    pub(super) fn gap(&self, i: usize, j: usize) -> f64 {
        if !self.is_linear {
            return gap(self.a.disk(i), self.b.disk(j));
        }
        Self::least_gap(&self.ends(i, j))
    }

    /// How near two disks come to each other that move evenly from the first two places to the
    /// second two.
    pub(super) fn least_gap(ends: &[(Disk, Disk); 2]) -> f64 {
        let least = Self::nearest(ends).map(|share| Self::between(ends, share));
        let both = ends.iter().copied().chain(least);
        both.map(|(a, b)| gap(a, b)).fold(f64::INFINITY, f64::min)
    }

    /// From which to which share of their common hold two samples that collide do so; all of it
    /// where both are held.
    pub(super) fn shares(&self, i: usize, j: usize) -> (f64, f64) {
        if !self.is_linear {
            return (0.0, 1.0);
        }
        let ends = self.ends(i, j);
        let [begins, goes_on] = ends.map(|(a, b)| meet(a, b, self.touching));
        let middle = Self::least(&ends).unwrap_or(0.5);
        // Once at least they collide here: the edge towards each end is between that moment and the
        // end.
        let inside = if begins {
            0.0
        } else if goes_on {
            1.0
        } else {
            middle
        };
        let edge = |end: f64| {
            let (mut within, mut beyond) = (inside, end);
            // Half the distance each time, until it is below the last bit of a share.
            for _ in 0..54 {
                let share = 0.5 * (within + beyond);
                let (a, b) = Self::between(&ends, share);
                if meet(a, b, self.touching) { within = share } else { beyond = share }
            }
            within
        };
        (if begins { 0.0 } else { edge(0.0) }, if goes_on { 1.0 } else { edge(1.0) })
    }
}
