//! Which way round the triangles of a part go.
//!
//! A node that mirrors, one whose determinant is negative, would turn the surface of its mesh
//! inside out. Formats mean the outside to stay outside: in a file such triangles go the other way
//! round (glTF 2.0, section 3.7.4). So readers turn them about, and the writer of GLB turns them
//! back.
//!
//! Invariant: with its joints at rest, a closed part of a rig that was read has its outside where
//! the file has it.

use elbowroom_motion::body::{Hold, Part, Rig};
use glam::DAffine3;

/// Turns about the triangles of all parts that stand mirrored at rest.
pub(crate) fn keep_outside(rig: &mut Rig) {
    let mirrored = mirrored(rig);
    for (part, _) in rig.parts.iter_mut().zip(mirrored).filter(|(_, mirrored)| *mirrored) {
        part.mesh = part.mesh.clone().turned_about();
    }
}

/// Which parts of a rig stand mirrored at rest.
pub(crate) fn mirrored(rig: &Rig) -> Vec<bool> {
    let mut world = Vec::new();
    rig.skeleton.world(&rig.skeleton.rest_pose(), &mut world);
    rig.parts.iter().map(|part| is_mirrored(part, &world)).collect()
}

/// Whether the joints at rest mirror all of a part; one that is partly mirrored has no outside to
/// keep.
fn is_mirrored(part: &Part, world_from_joint: &[DAffine3]) -> bool {
    let mirrors = |world_from_mesh: &DAffine3| world_from_mesh.matrix3.determinant() < 0.0;
    match &part.hold {
        Hold::Rigid(joint) => mirrors(&world_from_joint[joint.index()]),
        Hold::Skinned(skin) => {
            let mut binds = skin.joints().iter().zip(skin.inverse_binds());
            binds.all(|(joint, bind)| mirrors(&(world_from_joint[joint.index()] * *bind)))
        }
    }
}
