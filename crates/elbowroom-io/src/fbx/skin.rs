//! Skin clusters: a bone, where the mesh stood relative to it when it was bound, and the weights of
//! the vertices it moves.
//!
//! A vertex that no cluster moves stays with the mesh's own node, which is added as one more joint
//! of the skin.

use elbowroom_motion::body::{Blend, Influence, Skin};
use glam::DAffine3;
use ufbx::{SkinDeformer, SkinningMethod};

use crate::error::Fault;
use crate::odd::{LEFT_OUT, Notes};
use crate::text::counted;

use super::{Budget, affine, id};

/// The skin of a mesh that a node holds, if it has one.
pub(super) fn read(
    node: &ufbx::Node,
    mesh: &ufbx::Mesh,
    place: &str,
    budget: &mut Budget,
    notes: &mut Notes,
) -> Result<Option<Skin>, Fault> {
    let mut deformers = (&mesh.skin_deformers).into_iter();
    let Some(deformer) = deformers.next() else {
        return Ok(None);
    };
    if deformers.next().is_some() {
        notes.add(|| {
            format!("{place} has several skins; the first was read, and the others are {LEFT_OUT}")
        });
    }
    if deformer.clusters.is_empty() {
        return Ok(None);
    }
    let (mut joints, mut inverse_binds) = (Vec::new(), Vec::new());
    for cluster in &deformer.clusters {
        // A cluster that lost its bone stays where the mesh is.
        let bone = cluster.bone_node.as_ref().map(|bone| id(bone));
        joints.push(bone.unwrap_or_else(|| id(node)));
        let stays = || affine(&node.geometry_to_node);
        inverse_binds.push(bone.map_or_else(stays, |_| affine(&cluster.geometry_to_bone)));
    }
    joints.push(id(node));
    inverse_binds.push(affine(&node.geometry_to_node));
    budget.spend(joints.len() * size_of::<DAffine3>())?;
    budget.spend((deformer.weights.len() + mesh.num_vertices).saturating_mul(16))?;
    let (offsets, influences) = influences(deformer, mesh, joints.len() - 1);
    let skin = Skin::new(joints, inverse_binds, offsets, influences)
        .map_err(|error| Fault::whole(format!("{place}, its skin: {error}")))?;
    if skin.renormalised() > 0 {
        notes.add(|| {
            let scaled = counted(skin.renormalised(), "vertex", "vertices");
            format!("{place}: the weights of {scaled} did not add up to one and were scaled")
        });
    }
    let blend = match deformer.skinning_method {
        SkinningMethod::DualQuaternion => Blend::DualQuaternion,
        SkinningMethod::Linear => Blend::Linear,
        SkinningMethod::Rigid | SkinningMethod::BlendedDqLinear => {
            notes.add(|| {
                format!("{place} mixes methods of skinning; it was read as linear, and the others are {LEFT_OUT}")
            });
            Blend::Linear
        }
    };
    Ok(Some(skin.with_blend(blend)))
}

/// The influences of every vertex; `own` is the joint of those that have none.
fn influences(
    deformer: &SkinDeformer,
    mesh: &ufbx::Mesh,
    own: usize,
) -> (Vec<u32>, Vec<Influence>) {
    let (mut offsets, mut influences) = (vec![0], Vec::new());
    for vertex in 0..mesh.num_vertices {
        let range = deformer.vertices.get(vertex).map_or(0..0, |vertex| {
            vertex.weight_begin as usize..(vertex.weight_begin + vertex.num_weights) as usize
        });
        let weights = deformer.weights.get(range).unwrap_or(&[]);
        let before = influences.len();
        let given = weights.iter().filter(|weight| weight.weight != 0.0);
        influences.extend(given.map(|weight| Influence {
            // More than 65,536 clusters are refused by the skin.
            joint: weight.cluster_index as u16,
            weight: weight.weight as f32,
        }));
        if influences.len() == before {
            influences.push(Influence { joint: own as u16, weight: 1.0 });
        }
        offsets.push(influences.len() as u32);
    }
    (offsets, influences)
}
