//! What robot files share: other files beside them, simple solids, and who may touch whom.

pub(crate) mod adjacent;
pub(crate) mod beside;
pub(crate) mod budget;
pub(crate) mod solid;

pub use solid::TESSELLATION_ERROR;

use glam::{DQuat, DVec3};

/// A turn about a unit axis; sine and cosine are of one library, so that every system gives the
/// same bits.
pub(crate) fn about(axis: DVec3, angle: f64) -> DQuat {
    let xyz = axis * libm::sin(0.5 * angle);
    DQuat::from_xyzw(xyz.x, xyz.y, xyz.z, libm::cos(0.5 * angle))
}
