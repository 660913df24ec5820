//! Poses of what stands on a floor.

use elbowroom::Pose;
use elbowroom_motion::{Planar, PlanarError};

elbowroom::declare_error! {
    /// Why a pose is none of a body that stands on the floor.
    #[derive(Clone, Debug, PartialEq)]
    pub struct GroundError;

    /// What was wrong with a pose.
    #[derive(Clone, Debug, PartialEq)]
    pub enum GroundErrorKind {
        /// The pose turns the body about another axis than z.
        #[error("tilts; give poses that turn about z only")]
        Tilts,
        /// The pose is no pose of a plane.
        #[error("cannot be used: {cause}")]
        Planar {
            /// Why not.
            cause: PlanarError,
        },
    }
}

/// A pose as seen from above. What stands upright may only turn about z, and its height does not
/// matter.
///
/// ```
/// use elbowroom::Pose;
/// use elbowroom_papers::bch::seen_from_above;
/// use glam::{DQuat, DVec2, DVec3};
///
/// let turned = Pose::from_quat(DQuat::from_rotation_z(0.5), DVec3::new(1.0, 2.0, 9.0))?;
/// assert_eq!(seen_from_above(&turned)?.apply(DVec2::ZERO), DVec2::new(1.0, 2.0));
/// let fallen = Pose::from_quat(DQuat::from_rotation_x(0.5), DVec3::ZERO)?;
/// assert!(seen_from_above(&fallen).unwrap_err().to_string().contains("tilts"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If it tilts, or is too far away.
pub fn seen_from_above(pose: &Pose) -> Result<Planar, GroundError> {
    let (x, y, z) = (pose.rotation().x_axis, pose.rotation().y_axis, pose.rotation().z_axis);
    // What is left are the roundings with which the matrix was made.
    let slack = 16.0 * f64::EPSILON;
    if z.x != 0.0 || z.y != 0.0 || (x.x - y.y).abs() > slack || (x.y + y.x).abs() > slack {
        return Err(GroundErrorKind::Tilts.into());
    }
    let planar = Planar::new(x.x, x.y, pose.translation().truncate());
    planar.map_err(|cause| GroundErrorKind::Planar { cause }.into())
}
