//! Boxes that lie freely in space-time.
//!
//! ```text
//!      t │      ╱╲          a₀ from the first sample to the last, time included: the box leans
//!        │    ╱ ○ ╱         as the walker moves; a₁ is horizontal, square to it; a₂ = a₀ × a₁
//!        │  ╱ ○ ╱
//!        │  ╲ ╱
//!        └───────────── x, y
//! ```
//!
//! A sample is an upright cylinder: along a direction d it reaches ±r times the length of d on the
//! ground, and its height adds dt times the part of d along time, on the one side or the other, so
//! that no sign has to be minded. Time is made a length by a scale. A motion without displacement
//! has a₀ = t: the box is upright and two such are tested as rectangles. So may boxes be that lean
//! little: with a tolerance they are fitted as rectangles over a range of time, and bound what they
//! did.
//!
//! Source: Sung, Chenney and Gleicher, *Detecting collisions in graph-driven motion synthesis* (the
//! UMOBB), section 4. We differ in the sign of a₁, which the paper leaves open, and in that the
//! scale is a parameter.

use glam::{DMat3, DVec2, DVec3, Vec3Swizzles};

use super::round::{TINY, U};
use super::time_box::{TimeAxis, TimeBox, unit};
use super::time_space::{Disks, TimeSpace};
use super::{Family, Meet, ObbPair, Volume};
use crate::internal::math::eigen::symmetric_eigen;
use crate::internal::math::moments::{Moments, unit_scale};
use crate::internal::math::planar::Planar;

/// A box in space-time: a UMOBB.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeObb {
    /// The centre: x, y and the time as a length.
    pub center: DVec3,
    /// The axes, orthonormal; the second is horizontal.
    pub axes: DMat3,
    /// Half its extents along them.
    pub half: DVec3,
    /// From when to when, in seconds of the motion's own clock.
    pub time: [f64; 2],
    /// Whether the third axis is that of time, so that it is a [`TimeBox`].
    pub is_upright: bool,
}

impl TimeObb {
    /// Around disks; at least one. `time_scale` is the length that stands for one second; a box is
    /// upright where the sine of the angle from the axis of time to the nearest of its own is at
    /// most `aligned`.
    pub fn of_disks(disks: &Disks<'_>, axis: TimeAxis, time_scale: f64, aligned: f64) -> Self {
        let leans = |axes: &DMat3| lean_of(axes) > aligned;
        match leaning_axes(disks, axis, time_scale).filter(leans) {
            Some(axes) => Self::along(disks, axes, time_scale),
            None => Self::upright(&TimeBox::of_disks(disks, axis), time_scale),
        }
    }

    /// A rectangle over a range of time, as a box in space-time.
    pub fn upright(flat: &TimeBox, time_scale: f64) -> Self {
        let [from, to] = flat.time.map(|time| time * time_scale);
        let slip = 4.0 * U * (from.abs() + to.abs()) + TINY;
        Self {
            center: flat.center.extend(0.5 * (from + to)),
            axes: DMat3::from_cols(flat.axis.extend(0.0), flat.axis.perp().extend(0.0), DVec3::Z),
            half: flat.half.extend(0.5 * (to - from) + slip),
            time: flat.time,
            is_upright: true,
        }
    }

    fn along(disks: &Disks<'_>, axes: DMat3, time_scale: f64) -> Self {
        let columns = [axes.x_axis, axes.y_axis, axes.z_axis];
        // How far a disk of radius 1 reaches along each axis, and how the hold moves its ends.
        let spread = DVec3::from_array(columns.map(|d| d.xy().length() * (1.0 + 4.0 * U)));
        let height = disks.dt * time_scale;
        let hold = DVec3::from_array(columns.map(|d| height * d.z));
        let mut low = DVec3::INFINITY;
        let mut high = DVec3::NEG_INFINITY;
        for (k, [x, y, r]) in disks.all().enumerate() {
            let point = DVec3::new(x, y, (disks.first + k) as f64 * disks.dt * time_scale);
            let along = DVec3::from_array(columns.map(|d| d.dot(point)));
            // What the last disk moves to is not held.
            let hold = if k < disks.x.len() { hold } else { DVec3::ZERO };
            low = low.min(along - spread * r + hold.min(DVec3::ZERO));
            high = high.max(along + spread * r + hold.max(DVec3::ZERO));
        }
        let time = disks.time();
        let size = disks.size() + time[1].abs() * time_scale;
        Self::spanned(axes, low, high, size, time)
    }

    fn spanned(axes: DMat3, low: DVec3, high: DVec3, size: f64, time: [f64; 2]) -> Self {
        Self {
            center: axes * (0.5 * (low + high)),
            axes,
            half: 0.5 * (high - low) + (64.0 * U * size + TINY),
            time,
            is_upright: false,
        }
    }

    /// The rectangle of an upright box.
    pub fn flat(&self) -> TimeBox {
        TimeBox {
            center: self.center.xy(),
            axis: self.axes.x_axis.xy(),
            half: self.half.xy(),
            time: self.time,
        }
    }

    /// The box of the same motion, placed and begun later.
    #[must_use]
    pub fn placed(&self, at: &Planar, delay: f64, time_scale: f64) -> Self {
        // A turn may be off by a billionth; axes must not be.
        let along = unit(DVec2::from(at.turn())).unwrap_or(DVec2::X);
        let turn = |v: DVec3| along.rotate(v.xy()).extend(v.z);
        let ground = at.apply(self.center.xy());
        let center = ground.extend(self.center.z + delay * time_scale);
        let size = center.abs().element_sum()
            + self.center.abs().element_sum()
            + at.translation().abs().element_sum()
            + (delay * time_scale).abs()
            + self.half.element_sum();
        let slip = size * (64.0 * U + 4.0 * at.deviation()) + TINY;
        Self {
            center,
            axes: DMat3::from_cols(
                turn(self.axes.x_axis),
                turn(self.axes.y_axis),
                turn(self.axes.z_axis),
            ),
            half: self.half + slip,
            time: [(self.time[0] + delay).next_down(), (self.time[1] + delay).next_up()],
            is_upright: self.is_upright,
        }
    }

    /// The corners.
    pub fn corners(&self) -> [DVec3; 8] {
        std::array::from_fn(|i| {
            let side = |bit: usize| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
            self.center + self.axes * (self.half * DVec3::new(side(0), side(1), side(2)))
        })
    }

    /// The volume: an area times a length that stands for time.
    pub fn volume(&self) -> f64 {
        8.0 * self.half.x * self.half.y * self.half.z
    }

    /// Whether a disk that is held over a range of time lies in the box, up to the rounding of this
    /// very test.
    pub fn contains(&self, center: DVec2, radius: f64, time: [f64; 2], time_scale: f64) -> bool {
        let size = center.abs().element_sum()
            + self.center.abs().element_sum()
            + radius
            + time_scale * time[1].abs();
        let room = self.half + (32.0 * U * size + TINY);
        let within = |end: f64| {
            let apart = center.extend(end * time_scale) - self.center;
            (0..3).all(|i| {
                let axis = self.axes.col(i);
                axis.dot(apart).abs() + radius * axis.xy().length() <= room[i]
            })
        };
        within(time[0]) && within(time[1]) && self.time[0] <= time[0] && time[1] <= self.time[1]
    }

    fn around(&self, other: &Self, axes: DMat3) -> Self {
        let mut low = DVec3::INFINITY;
        let mut high = DVec3::NEG_INFINITY;
        let mut size = 0.0_f64;
        for corner in self.corners().into_iter().chain(other.corners()) {
            let along = axes.transpose() * corner;
            low = low.min(along);
            high = high.max(along);
            size = size.max(corner.abs().element_sum());
        }
        let time = [self.time[0].min(other.time[0]), self.time[1].max(other.time[1])];
        Self::spanned(axes, low, high, size, time)
    }
}

/// Axes that lean with the motion. `None` if it does not move.
fn leaning_axes(disks: &Disks<'_>, axis: TimeAxis, time_scale: f64) -> Option<DMat3> {
    let first = match axis {
        TimeAxis::Chord => {
            // The end of the chord is the last centre, when it is reached.
            let steps = disks.x.len() - usize::from(disks.towards.is_none());
            disks.chord().extend(steps as f64 * disks.dt * time_scale)
        }
        TimeAxis::Covariance => principal(disks, time_scale),
    };
    lean(first)
}

/// Axes of which the first is along a direction in space-time. `None` if it does not lean.
fn lean(first: DVec3) -> Option<DMat3> {
    let level = unit(first.xy())?;
    let first = first * unit_scale(first.abs().max_element());
    let first = first / first.length();
    // Square to the first axis and to time; what is lost of a chord that hardly leans is made up
    // here.
    let second = level.perp().extend(0.0);
    let third = first.cross(second);
    let is_sound = third.is_finite() && first.xy().length() > 1e-150;
    is_sound.then(|| DMat3::from_cols(first, second, third / third.length()))
}

/// The sine of the angle from the axis of time to the nearest axis; the second is square to it.
fn lean_of(axes: &DMat3) -> f64 {
    axes.x_axis.xy().length().min(axes.z_axis.xy().length())
}

/// The direction of largest spread in space-time.
fn principal(disks: &Disks<'_>, time_scale: f64) -> DVec3 {
    let point =
        |(k, [x, y, _]): (usize, [f64; 3])| DVec3::new(x, y, k as f64 * disks.dt * time_scale);
    let count = disks.all().count() as f64;
    let mean: DVec3 = disks.all().enumerate().map(|each| point(each) / count).sum();
    let apart = || disks.all().enumerate().map(|each| point(each) - mean);
    let scale = unit_scale(apart().map(|v| v.abs().max_element()).fold(0.0, f64::max));
    let mut moments = Moments::default();
    for v in apart() {
        moments += Moments::of_point(v * scale, 1.0);
    }
    let first = symmetric_eigen(moments.covariance()).1.x_axis;
    if first.z < 0.0 { -first } else { first }
}

impl Volume for TimeObb {
    const FAMILY: Family = Family::TimeObb;

    /// Along the axes of either, or leaning from centre to centre: whichever gives the least
    /// volume. Upright if both are and that is the least.
    fn merged(&self, other: &Self) -> Self {
        let (early, late) =
            if self.time[0] <= other.time[0] { (self, other) } else { (other, self) };
        let are_upright = early.is_upright && late.is_upright;
        let along = |axes: DMat3| Self { is_upright: are_upright, ..early.around(late, axes) };
        let mut best = along(early.axes);
        let next = along(late.axes);
        if next.volume() < best.volume() {
            best = next;
        }
        if let Some(axes) = lean(late.center - early.center) {
            let next = early.around(late, axes);
            if next.volume() < best.volume() {
                best = next;
            }
        }
        best
    }

    fn reach(&self) -> f64 {
        self.half.max_element()
    }
}

impl Meet<Self, TimeSpace> for TimeObb {
    type Space = TimeSpace;

    /// The times first; then fifteen directions, or four if both are upright.
    #[inline]
    fn may_meet(&self, other: &Self, space: &TimeSpace) -> bool {
        space.times_meet(self.time, other.time) && self.may_cross(other, space)
    }
}

impl TimeObb {
    /// Whether the boxes may meet in space-time, but for the test of the ranges of time.
    #[inline]
    pub fn may_cross(&self, other: &Self, space: &TimeSpace) -> bool {
        if self.is_upright && other.is_upright {
            return self.flat().may_cross(&other.flat(), space);
        }
        let (cos, sin) = space.a_from_b.turn();
        let turn = |v: DVec3| DVec3::new(cos * v.x - sin * v.y, sin * v.x + cos * v.y, v.z);
        let center = space.a_from_b.apply(other.center.xy());
        let lag = other.center.z + space.delay * space.time_scale;
        let back = self.axes.transpose();
        let axes = DMat3::from_cols(
            turn(other.axes.x_axis),
            turn(other.axes.y_axis),
            turn(other.axes.z_axis),
        );
        let apart = center.extend(lag) - self.center;
        let size = lag.abs() + self.center.z.abs() + (space.delay * space.time_scale).abs();
        let slack = space.slack
            + 256.0 * U * (size + self.half.z + other.half.z)
            + space.time_slack * space.time_scale;
        !ObbPair::new(back * axes, back * apart, self.half, other.half).apart(slack)
    }
}
