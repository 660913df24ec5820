//! What our people promise: closed skins of the right size on sound joints, gaits whose feet stand,
//! and joints that motion capture can drive.

mod bits;
mod gaits;
mod mocap;
mod skins;

use std::sync::OnceLock;

use elbowroom_make::body;
use elbowroom_motion::body::{Poser, Rig, SkeletonPose};
use glam::DVec3;

/// The man and the woman, made once.
fn both() -> &'static [Rig; 2] {
    static BOTH: OnceLock<[Rig; 2]> = OnceLock::new();
    BOTH.get_or_init(|| [body::male(), body::female()])
}

/// The skin in a pose.
fn posed(rig: &Rig, pose: &SkeletonPose) -> Vec<DVec3> {
    let mut points = Vec::new();
    rig.posed(pose, 0, &mut Poser::new(), &mut points);
    points
}
