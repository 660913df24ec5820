//! A camera as renderers describe it.

use glam::DVec3;

/// A perspective camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// The position of the eye.
    pub eye: DVec3,
    /// The direction of the view; of any length.
    pub forward: DVec3,
    /// Roughly upwards: not along the way it looks; of any length.
    pub up: DVec3,
    /// The full angle of view from bottom to top, in radians; below π.
    pub fov_y: f64,
    /// Width over height.
    pub aspect: f64,
    /// The distance from the eye at which the view begins; above zero.
    pub near: f64,
    /// The distance from the eye at which the view ends.
    pub far: f64,
}

/// At the origin, looking along −z with y up, 60° high, 16:9, from 0.1 to 1000.
impl Default for Camera {
    fn default() -> Self {
        Self {
            eye: DVec3::ZERO,
            forward: -DVec3::Z,
            up: DVec3::Y,
            fov_y: std::f64::consts::FRAC_PI_3,
            aspect: 16.0 / 9.0,
            near: 0.1,
            far: 1000.0,
        }
    }
}
