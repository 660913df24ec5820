//! Where the feet are while a person walks, turns or steps aside.
//!
//! One rule makes all of them. The body moves at a constant velocity and turns at a constant rate;
//! a foot on the floor stays where it is in the world, so seen from the body it runs the other way.
//! It lands on its heel, rolls flat, rolls off its ball, and swings to where it lands next. In the
//! middle of its stance a foot is where it is when a person stands.
//!
//! ```text
//!      heel      flat        ball        swing
//!    |------|------------|---------|~~~~~~~~~~~~~|
//!    0     0.12        0.36       0.6            1   phase
//! ```

use glam::{DQuat, DVec3};

use super::puppet::{Foot, Leg};
use super::turns::{ease, pitch, yaw};

/// The share of a stance in which the heel alone touches.
const HEEL: f64 = 0.2;
/// The share of a stance after which the heel leaves the floor.
const BALL: f64 = 0.58;

/// A way of stepping.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steps {
    /// Of the body, in its own frame, in metres a second.
    pub(super) velocity: DVec3,
    /// To the left, in radians a second.
    pub(super) yaw_rate: f64,
    /// Two steps, in seconds.
    pub(super) period: f64,
    /// The share of the period in which a foot is on the floor.
    pub(super) duty: f64,
    /// Where a foot is in the middle of its stance: outward and forward of where it is when a
    /// person stands.
    pub(super) apart: f64,
    /// See `apart`.
    pub(super) ahead: f64,
    /// How far an ankle is lifted in the middle of its swing, besides what rolling does.
    pub(super) lift: f64,
    /// How far the toes are up when the heel lands.
    pub(super) heel_angle: f64,
    /// How far the heel is up when the toes leave.
    pub(super) toe_angle: f64,
}

impl Steps {
    /// Where a foot is at a phase from 0 to 1, seen from the body.
    pub(super) fn foot(&self, leg: &Leg, phase: f64) -> Foot {
        if phase < self.duty { self.stance(leg, phase) } else { self.swing(leg, phase) }
    }

    fn stance(&self, leg: &Leg, phase: f64) -> Foot {
        let share = phase / self.duty;
        let tilt = self.heel_angle * (1.0 - ease(share / HEEL))
            - self.toe_angle * rise((share - BALL) / (1.0 - BALL));
        let pivot = if tilt > 0.0 { leg.heel } else { leg.ball };
        let ankle = pivot + pitch(tilt) * (leg.ankle - pivot);
        let (turn, shift) = self.drift((phase - 0.5 * self.duty) * self.period);
        Foot {
            ankle: turn * (ankle + self.offset(leg) - shift),
            turn: turn * pitch(tilt),
            // Toes stay flat while the heel rises.
            toes: turn * pitch(tilt.max(0.0)),
        }
    }

    fn swing(&self, leg: &Leg, phase: f64) -> Foot {
        let width = 1.0 - self.duty;
        let share = (phase - self.duty) / width;
        // The foot leaves and lands as fast as it moves on the floor before and after.
        let nudge = 1e-4;
        let at = |phase| self.stance(leg, phase).ankle;
        let (from, to) = (at(self.duty), at(0.0));
        let leave = (from - at(self.duty - nudge)) * (width / nudge);
        let land = (at(nudge) - to) * (width / nudge);
        let (t, s) = (share, 1.0 - share);
        let go = ease(share);
        let lift = self.lift * 16.0 * t * t * s * s;
        let ankle =
            from + (to - from) * go + leave * (t * s * s) - land * (t * t * s) + DVec3::Y * lift;
        let tilt = -self.toe_angle + (self.heel_angle + self.toe_angle) * ease(share / 0.85);
        let (start, _) = self.angle(self.duty);
        let (end, _) = self.angle(0.0);
        let turn = yaw(start + (end - start) * go);
        let toes = if tilt < 0.0 { tilt * ease(share / 0.8) } else { tilt };
        Foot { ankle, turn: turn * pitch(tilt), toes: turn * pitch(toes) }
    }

    fn offset(&self, leg: &Leg) -> DVec3 {
        DVec3::new(self.apart * leg.ankle.x.signum(), 0.0, self.ahead)
    }

    /// How a foot on the floor is turned at a phase of its stance, seen from the body, and how long
    /// since the middle.
    fn angle(&self, phase: f64) -> (f64, f64) {
        let since = (phase - 0.5 * self.duty) * self.period;
        (-self.yaw_rate * since, since)
    }

    /// How the world moves past the body from the middle of a stance on: points are shifted back,
    /// then turned.
    fn drift(&self, since: f64) -> (DQuat, DVec3) {
        let angle = self.yaw_rate * since;
        // The integral of the turning velocity, also where it hardly turns.
        let (along, across) = if angle.abs() < 1e-6 {
            (since, 0.5 * angle * since)
        } else {
            (libm::sin(angle) / self.yaw_rate, (1.0 - libm::cos(angle)) / self.yaw_rate)
        };
        let v = self.velocity;
        let shift = DVec3::new(v.x * along + v.z * across, 0.0, v.z * along - v.x * across);
        (yaw(-angle), shift)
    }
}

/// From 0 to 1, level at the start and steepest at the end.
fn rise(share: f64) -> f64 {
    let t = share.clamp(0.0, 1.0);
    t * t * (1.6 - 0.6 * t)
}
