//! Small rotations, by one library's sines.

use glam::{DQuat, DVec3};

pub(super) use crate::rigid::about;

/// To the left.
pub(super) fn yaw(angle: f64) -> DQuat {
    about(DVec3::Y, angle)
}

/// What is in front goes up, what hangs down swings forward.
pub(super) fn pitch(angle: f64) -> DQuat {
    about(DVec3::X, -angle)
}

/// What is on the left goes up.
pub(super) fn roll(angle: f64) -> DQuat {
    about(DVec3::Z, angle)
}

/// From 0 to 1 and level at both ends, for a number from 0 to 1; held beyond.
pub(super) fn ease(share: f64) -> f64 {
    let t = share.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Degrees as radians.
pub(super) const fn degrees(angle: f64) -> f64 {
    angle * (std::f64::consts::PI / 180.0)
}
