//! The corners of what a camera sees.

use elbowroom::internal::query::contact::{across, direction};
pub(super) use elbowroom_motion::crowd::Camera;
use glam::DVec3;

use super::{FrustumError, FrustumErrorKind};

/// What a camera sees, or what is wrong with it.
pub(super) trait Sight {
    /// The corners of what it sees, rounded: four near, four far, each going round from the lower
    /// left.
    fn corners(&self) -> Result<[DVec3; 8], FrustumError>;
    /// Right, up and forward.
    fn axes(&self) -> Result<[DVec3; 3], FrustumError>;
}

impl Sight for Camera {
    fn corners(&self) -> Result<[DVec3; 8], FrustumError> {
        let [right, up, forward] = self.axes()?;
        let check = |good: bool, field, wanted| {
            if good { Ok(()) } else { Err(FrustumErrorKind::BadCamera { field, wanted }) }
        };
        let angle = self.fov_y > 0.0 && self.fov_y < std::f64::consts::PI;
        check(angle, "fov_y", "between 0 and π radians")?;
        check(self.aspect > 0.0 && self.aspect.is_finite(), "aspect", "finite and above 0")?;
        check(self.near > 0.0 && self.near.is_finite(), "near", "finite and above 0")?;
        check(self.far > self.near && self.far.is_finite(), "far", "finite and beyond near")?;
        let slope = (0.5 * self.fov_y).tan();
        Ok(std::array::from_fn(|i| {
            let depth = if i < 4 { self.near } else { self.far };
            let [x, y] = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]][i % 4];
            let aside = right * (x * slope * self.aspect) + up * (y * slope);
            self.eye + (forward + aside) * depth
        }))
    }

    fn axes(&self) -> Result<[DVec3; 3], FrustumError> {
        let bad = |field, wanted| FrustumErrorKind::BadCamera { field, wanted };
        if !self.eye.is_finite() {
            return Err(bad("eye", "finite").into());
        }
        let unit = |v: DVec3| Some(v).filter(|v| v.is_finite()).and_then(direction);
        let forward = unit(self.forward).ok_or(bad("forward", "finite and not zero"))?;
        let up = unit(self.up).ok_or(bad("up", "finite and not zero"))?;
        let right = across(forward, up).ok_or(bad("up", "another direction than forward"))?;
        Ok([right, right.cross(forward), forward])
    }
}
