//! Skinned meshes whose own node has moved since they were bound.
//!
//! A skin follows its bones, whatever its node does: so the FBX SDK has it, and what reads FBX by
//! it. Maya moves the mesh with its node as well, on top of its bones. Both are the same while the
//! node stays where the mesh was bound, which is how rigs are built; where it does not, a note says
//! so. Instances of a skinned mesh all follow the same bones, so that they are in one place; a note
//! says that, too, in files of any program.

use std::collections::HashSet;

use elbowroom_motion::body::{Clip, Hold, JointId, Rig, Target};
use ufbx::{Node, Scene};

use crate::odd::{LEFT_OUT, Notes};

use super::{affine, place};

/// How far a node may be from where its mesh was bound, as a part of the size of its numbers.
const TOLERANCE: f64 = 1e-4;

/// Notes every skinned mesh of a file of Maya that has its own node moved, and every instance of a
/// skinned mesh that does not stand where it was bound.
pub(super) fn note(scene: &Scene, rig: &Rig, notes: &mut Notes) {
    let metadata = &scene.metadata;
    let names = [&metadata.original_application.name, &metadata.creator];
    let is_of_maya = names.iter().any(|name| name.to_lowercase().contains("maya"));
    let moving: HashSet<JointId> = rig
        .clips
        .iter()
        .flat_map(Clip::tracks)
        .filter_map(|track| match track.target {
            Target::Translation(joint) | Target::Rotation(joint) | Target::Scale(joint) => {
                Some(joint)
            }
            Target::Weights(_) => None,
        })
        .collect();
    let nodes = (&scene.nodes).into_iter().filter(|node| node.mesh.is_some());
    let skinned = |node: &&Node| {
        let own = super::name(node);
        rig.parts.iter().any(|part| part.name == own && matches!(part.hold, Hold::Skinned(_)))
    };
    for node in nodes.filter(skinned).filter(|node| is_of_maya || instances(node) > 1) {
        let mut above = Some(node);
        let mut is_moving = false;
        while let Some(at) = above {
            is_moving |= moving.contains(&super::id(at));
            above = at.parent.as_deref();
        }
        if is_moving || !is_where_bound(node) {
            notes.add(|| {
                let why = if is_of_maya {
                    "as the FBX SDK has it, while Maya moves it with its node, too"
                } else {
                    "so that the instances of its mesh are in one place"
                };
                format!(
                    "{}: the motion of its own node is {LEFT_OUT}; its skin follows its bones alone, {why}",
                    place(node)
                )
            });
        }
    }
}

/// How many nodes hold the mesh of a node.
fn instances(node: &Node) -> usize {
    node.mesh.as_ref().map_or(0, |mesh| mesh.element.instances.len())
}

/// Whether a node stands where its mesh was bound, as far as the file says it.
fn is_where_bound(node: &Node) -> bool {
    let owner = match &node.parent {
        Some(parent) if node.is_geometry_transform_helper => parent,
        _ => node,
    };
    let Some(pose) = &owner.bind_pose else { return instances(node) < 2 };
    let Some(bound) = ufbx::get_bone_pose(pose, owner) else { return instances(node) < 2 };
    let (now, then) = (affine(&owner.node_to_world), affine(&bound.bone_to_world));
    let largest = then.to_cols_array().into_iter().fold(1.0, |most: f64, x| most.max(x.abs()));
    let pairs = now.to_cols_array().into_iter().zip(then.to_cols_array());
    pairs.into_iter().all(|(a, b)| (a - b).abs() <= TOLERANCE * largest)
}
