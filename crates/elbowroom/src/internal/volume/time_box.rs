//! Boxes upright in time: a rectangle in the plane, and from when to when.
//!
//! ```text
//!      t │   ┌────┐          a₀ from the first sample to the last, a₁ across it;
//!        │  ╱ ○○○╱│          the disks' extents along both; the hold of every sample,
//!        │ ┌────┐ │          the last one's too
//!        │ │    │╱
//!        └─┴────┴────── x, y
//! ```
//!
//! Source: Sung, Chenney and Gleicher, *Detecting collisions in graph-driven motion synthesis* (the
//! MOBB), section 3.1. We differ where the paper is silent or slips: a motion that ends where it
//! began has no chord and takes the axis of largest spread, then x; the time range ends when the
//! last sample's hold does; extents are rounded outward.

use glam::DVec2;

use super::round::{TINY, U};
use super::time_space::{Disks, TimeSpace};
use super::{Family, Meet, Volume};
use crate::internal::math::moments::unit_scale;
use crate::internal::math::planar::Planar;

/// How a box of a motion finds its first axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TimeAxis {
    /// From the first sample to the last, as the paper does.
    #[default]
    Chord,
    /// The direction of largest spread.
    Covariance,
}

/// A rectangle in the plane, over a range of time: a MOBB.
///
/// ```
/// use elbowroom::internal::math::planar::Planar;
/// use elbowroom::internal::volume::time_box::{TimeAxis, TimeBox};
/// use elbowroom::internal::volume::time_space::{Disks, TimeSpace};
/// use elbowroom::internal::volume::Meet;
///
/// let disks = Disks {
///     x: &[0.0, 1.0, 2.0],
///     y: &[0.0; 3],
///     radius: &[0.5; 3],
///     first: 0,
///     dt: 0.1,
///     towards: None,
/// };
/// let walk = TimeBox::of_disks(&disks, TimeAxis::Chord);
/// assert!((walk.half.x - 1.5).abs() < 1e-12 && (walk.half.y - 0.5).abs() < 1e-12);
/// let place = |start| (&Planar::IDENTITY, 2.5, start);
/// let together = TimeSpace::new(place(0.0), place(0.0), 1.0);
/// let later = TimeSpace::new(place(0.0), place(1.0), 1.0);
/// assert!(walk.may_meet(&walk, &together) && !walk.may_meet(&walk, &later));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeBox {
    /// The centre.
    pub center: DVec2,
    /// The first axis, a unit vector; the second is square to it, to the left.
    pub axis: DVec2,
    /// Half its extents along both.
    pub half: DVec2,
    /// From when to when, in seconds of the motion's own clock.
    pub time: [f64; 2],
}

impl TimeBox {
    /// Around disks; at least one.
    pub fn of_disks(disks: &Disks<'_>, axis: TimeAxis) -> Self {
        Self::along(disks, first_axis(disks, axis))
    }

    fn along(disks: &Disks<'_>, axis: DVec2) -> Self {
        let across = axis.perp();
        let mut low = DVec2::INFINITY;
        let mut high = DVec2::NEG_INFINITY;
        for [x, y, r] in disks.all() {
            let point = DVec2::new(x, y);
            let along = DVec2::new(axis.dot(point), across.dot(point));
            low = low.min(along - r);
            high = high.max(along + r);
        }
        Self::spanned(axis, low, high, disks.size(), disks.time())
    }

    /// From extents along the axes, with room for the rounding of coordinates up to `size`.
    fn spanned(axis: DVec2, low: DVec2, high: DVec2, size: f64, time: [f64; 2]) -> Self {
        let middle = 0.5 * (low + high);
        Self {
            center: axis * middle.x + axis.perp() * middle.y,
            axis,
            half: 0.5 * (high - low) + (32.0 * U * size + TINY),
            time,
        }
    }

    /// The corners, in turn.
    pub fn corners(&self) -> [DVec2; 4] {
        let (u, v) = (self.axis * self.half.x, self.axis.perp() * self.half.y);
        [self.center - u - v, self.center + u - v, self.center + u + v, self.center - u + v]
    }

    /// The area of the rectangle.
    pub fn area(&self) -> f64 {
        4.0 * self.half.x * self.half.y
    }

    /// Whether a disk that is held over a range of time lies in the box, up to the rounding of this
    /// very test.
    pub fn contains(&self, center: DVec2, radius: f64, time: [f64; 2]) -> bool {
        let apart = center - self.center;
        let along = DVec2::new(self.axis.dot(apart), self.axis.perp().dot(apart)).abs();
        let size = center.abs().element_sum() + self.center.abs().element_sum() + radius;
        let room = self.half + (16.0 * U * size + TINY);
        (along + radius).cmple(room).all() && self.time[0] <= time[0] && time[1] <= self.time[1]
    }

    /// The box of the same motion, placed and begun later.
    #[must_use]
    pub fn placed(&self, at: &Planar, delay: f64) -> Self {
        let (cos, sin) = at.turn();
        let center = at.apply(self.center);
        let size = center.abs().element_sum()
            + self.center.abs().element_sum()
            + at.translation().abs().element_sum()
            + self.half.element_sum();
        let slip = size * (64.0 * U + 4.0 * at.deviation()) + TINY;
        let turned = DVec2::new(
            cos * self.axis.x - sin * self.axis.y,
            sin * self.axis.x + cos * self.axis.y,
        );
        Self {
            center,
            axis: unit(turned).unwrap_or(DVec2::X),
            half: self.half + slip,
            time: [(self.time[0] + delay).next_down(), (self.time[1] + delay).next_up()],
        }
    }

    /// Around two boxes, along an axis.
    fn around(&self, other: &Self, axis: DVec2) -> Self {
        let across = axis.perp();
        let mut low = DVec2::INFINITY;
        let mut high = DVec2::NEG_INFINITY;
        let mut size = 0.0_f64;
        for corner in self.corners().into_iter().chain(other.corners()) {
            let along = DVec2::new(axis.dot(corner), across.dot(corner));
            low = low.min(along);
            high = high.max(along);
            size = size.max(corner.abs().element_sum());
        }
        let time = [self.time[0].min(other.time[0]), self.time[1].max(other.time[1])];
        Self::spanned(axis, low, high, size, time)
    }
}

/// A vector rescaled to length 1, whatever its size. `None` if it is zero.
pub(super) fn unit(v: DVec2) -> Option<DVec2> {
    let size = v.abs().max_element();
    if size == 0.0 || !size.is_finite() {
        return None;
    }
    let scaled = v * unit_scale(size);
    Some(scaled / scaled.length())
}

/// The axis that was asked for; where there is none, the spread, then x.
pub(super) fn first_axis(disks: &Disks<'_>, axis: TimeAxis) -> DVec2 {
    let chord = match axis {
        TimeAxis::Chord => unit(disks.chord()),
        TimeAxis::Covariance => None,
    };
    chord.or_else(|| spread(disks)).unwrap_or(DVec2::X)
}

/// The direction of largest spread of the centres. `None` if they are all equal.
fn spread(disks: &Disks<'_>) -> Option<DVec2> {
    let count = disks.all().count() as f64;
    let mean = disks.all().map(|[x, y, _]| DVec2::new(x, y) / count).sum::<DVec2>();
    let apart = || disks.all().map(|[x, y, _]| DVec2::new(x, y) - mean);
    let scale = unit_scale(apart().map(|v| v.abs().max_element()).fold(0.0, f64::max));
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for v in apart().map(|v| v * scale) {
        xx += v.x * v.x;
        xy += v.x * v.y;
        yy += v.y * v.y;
    }
    // The eigenvector of the larger eigenvalue, from the row that does not cancel.
    let half = 0.5 * (xx - yy);
    let root = (half * half + xy * xy).sqrt();
    unit(if half >= 0.0 { DVec2::new(half + root, xy) } else { DVec2::new(xy, root - half) })
}

impl Volume for TimeBox {
    const FAMILY: Family = Family::TimeBox;

    /// Along the axis of either, or from centre to centre: whichever gives the least area.
    fn merged(&self, other: &Self) -> Self {
        let (early, late) =
            if self.time[0] <= other.time[0] { (self, other) } else { (other, self) };
        let between = unit(late.center - early.center).unwrap_or(early.axis);
        let mut best = early.around(late, between);
        for axis in [early.axis, late.axis] {
            let next = early.around(late, axis);
            if next.area() < best.area() {
                best = next;
            }
        }
        best
    }

    fn reach(&self) -> f64 {
        self.half.max_element()
    }
}

impl Meet<Self, TimeSpace> for TimeBox {
    type Space = TimeSpace;

    /// The times first, then four directions.
    #[inline]
    fn may_meet(&self, other: &Self, space: &TimeSpace) -> bool {
        space.times_meet(self.time, other.time) && self.may_cross(other, space)
    }
}

impl TimeBox {
    /// Whether the rectangles may meet, at whatever time: two intervals along each axis of either.
    #[inline]
    pub fn may_cross(&self, other: &Self, space: &TimeSpace) -> bool {
        let (cos, sin) = space.a_from_b.turn();
        let apart = space.a_from_b.apply(other.center) - self.center;
        let axis = DVec2::new(
            cos * other.axis.x - sin * other.axis.y,
            sin * other.axis.x + cos * other.axis.y,
        );
        // How the other's axes lie along ours: a turn has only two numbers.
        let (c, s) = (self.axis.dot(axis).abs(), self.axis.perp_dot(axis).abs());
        let (a, b) = (self.half, other.half);
        let far = |along: f64, reach: f64| along.abs() > reach + space.slack;
        let is_apart = far(self.axis.dot(apart), a.x + c * b.x + s * b.y)
            || far(self.axis.perp_dot(apart), a.y + s * b.x + c * b.y)
            || far(axis.dot(apart), b.x + c * a.x + s * a.y)
            || far(axis.perp_dot(apart), b.y + s * a.x + c * a.y);
        !is_apart
    }
}
