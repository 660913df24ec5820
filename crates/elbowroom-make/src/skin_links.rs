//! Rigid links from a skin.
//!
//! A character has one skin that several joints move together. For questions about its limbs (does
//! the hand touch the thigh) it is enough, and much cheaper, to look at rigid pieces: here each
//! triangle goes with the one joint that its three corners follow most, as it is bound to it.
//! Pieces of neighbours meet along a seam at rest and part or overlap a little when the joint
//! bends.
//!
//! Joints of files are often scaled (a rig in centimetres under a root of 0.01). Links are rigid,
//! so the scale at rest is put into the mesh, and [`rigid_frames`] takes it out of the joints.
//!
//! Invariants: every triangle of a skinned part is in exactly one link; links come in the order of
//! parts, and of joints within a part.

use elbowroom::Mesh;
use elbowroom_motion::body::{Hold, JointId, Local, Part, Rig, RigError, RigErrorKind, Skin};
use glam::{DAffine3, DMat3, DVec3};

/// The parts of a rig as rigid links: of a skinned part, one for each joint that triangles follow
/// most. What is held rigidly stays as it is.
///
/// Links are named after their joints, those of a part that was rigid as before. Morphs are left
/// out.
///
/// ```
/// use elbowroom_papers::cab::ArticulatedBody;
///
/// let mut person = elbowroom_make::body::male();
/// person.parts = elbowroom_make::skin_links(&person)?;
/// let body = ArticulatedBody::of_rig(&person)?;
/// assert!(body.links().len() > 15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the rig does not [`validate`](Rig::validate), or a joint that moves triangles is sheared at
/// rest, or its vertices are too far away for f64.
pub fn skin_links(rig: &Rig) -> Result<Vec<Part>, RigError> {
    rig.validate()?;
    let mut world = Vec::new();
    rig.skeleton.world(&rig.rest_pose(), &mut world);
    let mut links = Vec::new();
    for (index, part) in rig.parts.iter().enumerate() {
        let refuse = |what: String| {
            RigError::from(RigErrorKind::Part { part: index, name: part.name.clone(), what })
        };
        let joint_of = |joint: JointId| rig.skeleton.joints()[joint.index()].name.clone();
        let scale = |joint: JointId| {
            Local::from_affine(world[joint.index()]).map(|local| local.scale).ok_or_else(|| {
                refuse(format!(
                    "follows joint {:?}, which is sheared at rest: bake it",
                    joint_of(joint)
                ))
            })
        };
        let mut add = |joint: JointId, name: String, joint_from_mesh: DAffine3, mesh: &Mesh| {
            let scaled = DAffine3::from_scale(scale(joint)?) * joint_from_mesh;
            let mesh =
                moved(mesh, &scaled).ok_or_else(|| refuse("is too far away for f64".into()))?;
            links.push(Part::new(name, mesh, Hold::Rigid(joint)));
            Ok::<(), RigError>(())
        };
        match &part.hold {
            Hold::Rigid(joint) => add(*joint, part.name.clone(), DAffine3::IDENTITY, &part.mesh)?,
            Hold::Skinned(skin) => {
                for (place, triangles) in followers(&part.mesh, skin).into_iter().enumerate() {
                    if !triangles.is_empty() {
                        let joint = skin.joints()[place];
                        let piece = picked(&part.mesh, &triangles);
                        add(joint, joint_of(joint), skin.inverse_binds()[place], &piece)?;
                    }
                }
            }
        }
    }
    Ok(links)
}

/// Takes scale and mirroring out of `world_from_joint`, as the links of [`skin_links`] need it;
/// sheared joints keep what can be kept.
///
/// ```
/// use elbowroom_make::rigid_frames;
/// use glam::{DAffine3, DVec3};
///
/// let mut joints = [DAffine3::from_scale(DVec3::splat(0.01))];
/// rigid_frames(&mut joints);
/// assert_eq!(joints, [DAffine3::IDENTITY]);
/// ```
pub fn rigid_frames(world_from_joint: &mut [DAffine3]) {
    for joint in world_from_joint {
        if let Some(local) = Local::from_affine(*joint) {
            let rotation = Local { scale: DVec3::ONE, translation: DVec3::ZERO, ..local };
            joint.matrix3 = rotation.affine().matrix3;
        }
    }
}

/// By place in [`Skin::joints`]: the triangles that follow that joint most, of equals the first.
fn followers(mesh: &Mesh, skin: &Skin) -> Vec<Vec<u32>> {
    let mut followers = vec![Vec::new(); skin.joints().len()];
    let mut weights = vec![0.0_f64; skin.joints().len()];
    for (triangle, corners) in mesh.triangles().iter().enumerate() {
        let influences = || corners.iter().flat_map(|&corner| skin.influences(corner));
        for influence in influences() {
            weights[influence.joint as usize] += f64::from(influence.weight);
        }
        let heaviest = influences().fold(None, |best: Option<usize>, influence| {
            let place = influence.joint as usize;
            match best {
                Some(best) if (weights[best], place) >= (weights[place], best) => Some(best),
                _ => Some(place),
            }
        });
        if let Some(place) = heaviest {
            followers[place].push(triangle as u32);
        }
        for influence in influences() {
            weights[influence.joint as usize] = 0.0;
        }
    }
    followers
}

/// Some triangles of a mesh, with only the vertices that they use.
fn picked(mesh: &Mesh, triangles: &[u32]) -> Mesh {
    let mut number = vec![u32::MAX; mesh.vertices().len()];
    let mut vertices = Vec::new();
    let renumbered = triangles.iter().map(|&triangle| {
        mesh.triangles()[triangle as usize].map(|corner| {
            let number = &mut number[corner as usize];
            if *number == u32::MAX {
                *number = vertices.len() as u32;
                vertices.push(mesh.vertices()[corner as usize]);
            }
            *number
        })
    });
    let renumbered = renumbered.collect();
    crate::mesh(vertices, renumbered)
}

/// A mesh in another frame; outside stays outside where that mirrors. None if a number overflows.
fn moved(mesh: &Mesh, to: &DAffine3) -> Option<Mesh> {
    if *to == DAffine3::IDENTITY {
        return Some(mesh.clone());
    }
    let vertices = mesh.vertices().iter().map(|&p| to.transform_point3(p)).collect();
    let mirrors = DMat3::determinant(&to.matrix3) < 0.0;
    let turned = |&[a, b, c]: &[u32; 3]| if mirrors { [a, c, b] } else { [a, b, c] };
    Mesh::new(vertices, mesh.triangles().iter().map(turned).collect()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::male;

    #[test]
    fn every_triangle_is_in_one_link_as_it_was_bound() {
        let person = male();
        let links = skin_links(&person).unwrap();
        let total: usize = links.iter().map(|link| link.mesh.triangles().len()).sum();
        assert_eq!(total, person.parts.iter().map(|part| part.mesh.triangles().len()).sum());
        let corners = |meshes: &mut dyn Iterator<Item = Vec<DVec3>>| {
            let mut all: Vec<[i64; 3]> =
                meshes.flatten().map(|p| p.to_array().map(|x| (x * 1e6).round() as i64)).collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        let placed = corners(&mut links.iter().map(|link| {
            let Hold::Rigid(joint) = link.hold else { panic!("{} is not rigid", link.name) };
            let Hold::Skinned(skin) = &person.parts[0].hold else { panic!("a person has a skin") };
            let bound = skin.joints().iter().position(|of| *of == joint).unwrap();
            let place = skin.inverse_binds()[bound].inverse();
            link.mesh.vertices().iter().map(|&p| place.transform_point3(p)).collect()
        }));
        let skin = corners(&mut person.parts.iter().map(|part| part.mesh.vertices().to_vec()));
        let close =
            |p: &[i64; 3]| placed.iter().any(|q| p.iter().zip(q).all(|(a, b)| a.abs_diff(*b) <= 1));
        assert!(skin.len() > 500 && skin.iter().all(close), "{} {}", skin.len(), placed.len());
    }

    #[test]
    fn scale_goes_into_the_mesh_and_out_of_the_joints() {
        let mut person = male();
        let plain = skin_links(&person).unwrap();
        let mut joints = person.skeleton.joints().to_vec();
        for joint in joints.iter_mut().filter(|joint| joint.parent.is_none()) {
            joint.rest.scale *= 0.01;
            joint.rest.translation *= 0.01;
        }
        person.skeleton = elbowroom_motion::body::Skeleton::new(joints).unwrap();
        let small = skin_links(&person).unwrap();
        assert_eq!(plain.len(), small.len());
        for (plain, small) in plain.iter().zip(&small) {
            let [plain, small] = [plain, small].map(|part| part.mesh.bounds().max);
            assert!((plain * 0.01 - small).length() < 1e-9, "{plain} {small}");
        }
    }
}
