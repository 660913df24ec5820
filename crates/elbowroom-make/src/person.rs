//! An upright person of fifteen capsules.
//!
//! A stand-in for a character: as many triangles as a low-detail one, parts that pass through each
//! other at the joints as real ones do, and feet that stand exactly on the floor. Seen as a soup it
//! is closed; its parts are closed and overlap.

use elbowroom::Mesh;
use glam::DVec3;

use crate::{capsule, join};

const CAP_BANDS: u32 = 3;
const SECTORS: u32 = 16;

/// A part: its two ends and its radius, in metres.
type Bone = ([f64; 3], [f64; 3], f64);

/// Head, trunk, hips.
const MIDDLE: [Bone; 3] = [
    ([0.0, 1.65, 0.01], [0.0, 1.59, 0.0], 0.1),
    ([0.0, 1.36, 0.0], [0.0, 1.06, 0.0], 0.15),
    ([0.07, 0.95, 0.0], [-0.07, 0.95, 0.0], 0.12),
];

/// Upper arm, forearm, hand, thigh, shin, foot of the side where x is positive.
const SIDE: [Bone; 6] = [
    ([0.19, 1.38, 0.0], [0.24, 1.1, -0.01], 0.05),
    ([0.24, 1.1, -0.01], [0.26, 0.86, 0.05], 0.04),
    ([0.26, 0.84, 0.055], [0.262, 0.74, 0.08], 0.036),
    ([0.09, 0.92, 0.0], [0.1, 0.52, 0.01], 0.075),
    ([0.1, 0.5, 0.01], [0.1, 0.12, -0.01], 0.055),
    ([0.1, 0.045, -0.03], [0.1, 0.045, 0.14], 0.045),
];

/// A person 1.75 m tall who stands on the plane y = 0 and looks along +z: 15 closed capsules of 192
/// triangles each, 2,880 in all.
///
/// In order: head, trunk, hips; then upper arm, forearm, hand, thigh, shin and foot on the side of
/// positive x (the person's left), and the same on the other.
pub fn person() -> Mesh {
    let mirrored = SIDE.map(|(from, to, radius)| (mirror(from), mirror(to), radius));
    let bones = MIDDLE.iter().chain(&SIDE).chain(&mirrored);
    let parts: Vec<Mesh> = bones
        .map(|&(from, to, radius)| {
            let [from, to] = [from, to].map(DVec3::from_array);
            capsule(from, to, radius, CAP_BANDS, SECTORS)
        })
        .collect();
    join(&parts)
}

fn mirror([x, y, z]: [f64; 3]) -> [f64; 3] {
    [-x, y, z]
}
