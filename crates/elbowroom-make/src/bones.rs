//! Links for a skeleton that has no mesh.
//!
//! Motion capture knows joints and the steps between them. To find whether such a body touches
//! itself, one needs something around the steps: here a capsule or a box from each joint to every
//! joint that hangs on it, as thick as a share of its length.
//!
//! ```text
//!   parent        joint          children
//!     o=============o=============o
//!                    \\==========o        all steps of a joint are one link
//! ```
//!
//! A joint with no step at all (its children stand where it stands) gets a ball, the last joint of
//! a limb goes on a little way in the direction of the step that leads to it, and a head is round.
//! Radii are kept between two shares of the size of the body, so that a long spine is no barrel and
//! a finger no needle.
//!
//! Invariants: every joint gets one link, closed as far as its pieces are, in the frame of the
//! joint; the order is that of the joints.

use elbowroom::Mesh;
use elbowroom_motion::body::{Hold, JointId, Part, Skeleton};
use glam::{DMat3, DVec3};

use crate::capsule::across;
use crate::{capsule, cuboid, ellipsoid, join};

/// The shape of a bone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BoneShape {
    /// A rod with round ends, of 64 triangles.
    #[default]
    Capsule,
    /// A box of 12 triangles, as wide as the capsule.
    Cuboid,
}

/// Options of the bones that are made for the steps between joints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bones {
    /// The shape.
    pub shape: BoneShape,
    /// Radius of a bone, as a share of its length.
    pub radius: f64,
    /// The least radius, as a share of the size of the body (the largest extent of its joints at
    /// rest).
    pub least: f64,
    /// The largest radius, as a share of the size of the body.
    pub most: f64,
    /// The length of a bone beyond a last joint, as a share of the step that leads to it.
    pub tip: f64,
}

impl Default for Bones {
    fn default() -> Self {
        Self { shape: BoneShape::Capsule, radius: 0.2, least: 0.008, most: 0.06, tip: 0.5 }
    }
}

/// Steps shorter than this share of the body are none.
const NO_STEP: f64 = 1e-6;

/// One link for each joint of a skeleton, as parts that hang on the joints.
///
/// `ends` are points in the frames of joints to which bones reach as well: the `End Site`s of a
/// Biovision file. Joints in the wrong order or of no size are all fine; a body without any extent
/// gets balls of a centimetre.
///
/// ```
/// use elbowroom_motion::body::{Joint, JointId, Local, Skeleton};
/// use elbowroom_make::{Bones, bones};
/// use glam::DVec3;
///
/// let joint = |name: &str, parent, x| Joint {
///     name: name.into(),
///     parent,
///     rest: Local::from_translation(DVec3::new(x, 0.0, 0.0)),
/// };
/// let arm = [joint("elbow", None, 0.0), joint("wrist", Some(JointId(0)), 0.25)];
/// let parts = bones(&Skeleton::new(arm.to_vec())?, &[], &Bones::default());
/// assert_eq!(parts.len(), 2);
/// let elbowroom::Aabb { min: low, max: high } = parts[0].mesh.bounds();
/// assert!(low.x < 0.0 && high.x > 0.25);
/// # Ok::<(), elbowroom_motion::body::SkeletonError>(())
/// ```
///
/// # Panics
/// If a share is negative or not finite, an end is not finite or of a joint that is not there, or
/// the body is too large for f64.
pub fn bones(skeleton: &Skeleton, ends: &[(JointId, DVec3)], what: &Bones) -> Vec<Part> {
    let shares = [what.radius, what.least, what.most, what.tip];
    assert!(shares.iter().all(|share| share.is_finite() && *share >= 0.0), "{what:?}");
    let size = size(skeleton);
    let steps = steps(skeleton, ends, what.tip);
    let joints = skeleton.joints().iter().zip(steps).enumerate();
    joints
        .map(|(index, (joint, steps))| {
            let head = joint.name.to_lowercase().contains("head");
            let mesh = link(&steps, head, size, what);
            Part::new(joint.name.clone(), mesh, Hold::Rigid(JointId(index as u32)))
        })
        .collect()
}

/// The largest extent of the joints at rest; where they have none, so much that the least radius is
/// a centimetre or so.
fn size(skeleton: &Skeleton) -> f64 {
    let mut world = Vec::new();
    skeleton.world(&skeleton.rest_pose(), &mut world);
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for place in &world {
        (low, high) = (low.min(place.translation), high.max(place.translation));
    }
    let size = (high - low).max_element();
    if size > 0.0 { size } else { 1.0 }
}

/// Where the bones of each joint lead, in its frame.
fn steps(skeleton: &Skeleton, ends: &[(JointId, DVec3)], tip: f64) -> Vec<Vec<DVec3>> {
    let mut steps = vec![Vec::new(); skeleton.len()];
    for joint in skeleton.joints() {
        if let Some(parent) = joint.parent {
            steps[parent.index()].push(joint.rest.translation);
        }
    }
    for &(joint, end) in ends {
        steps[joint.index()].push(end);
    }
    for (joint, steps) in skeleton.joints().iter().zip(&mut steps) {
        if steps.is_empty() {
            // The direction of the step to this joint, seen from the joint.
            let parent_from_joint = joint.rest.affine().matrix3;
            let back = parent_from_joint.transpose() * joint.rest.translation;
            let length = joint.rest.translation.length();
            let way = back.try_normalize().unwrap_or(DVec3::ZERO);
            steps.push(way * (tip * length));
        }
    }
    steps
}

/// All bones of a joint as one mesh.
fn link(steps: &[DVec3], head: bool, size: f64, what: &Bones) -> Mesh {
    let (least, most) = (what.least.max(NO_STEP) * size, what.most.max(NO_STEP) * size);
    let radius = |length: f64| (what.radius * length).min(most).max(least);
    let real = steps.iter().filter(|step| step.length() > NO_STEP * size);
    let pieces: Vec<Mesh> = real
        .map(|&step| {
            let length = step.length();
            if head {
                let ball = ellipsoid(DVec3::splat((0.6 * length).max(radius(length))), 3);
                return moved(&ball, DMat3::IDENTITY, 0.5 * step);
            }
            bone(step, radius(length), what.shape)
        })
        .collect();
    if pieces.is_empty() { ellipsoid(DVec3::splat(least), 2) } else { join(&pieces) }
}

fn bone(step: DVec3, radius: f64, shape: BoneShape) -> Mesh {
    match shape {
        BoneShape::Capsule => capsule(DVec3::ZERO, step, radius, 2, 8),
        BoneShape::Cuboid => {
            let length = step.length();
            let axis = step / length;
            let [u, v] = across(axis);
            let half = DVec3::new(radius, radius, 0.5 * length);
            moved(&cuboid(half), DMat3::from_cols(u, v, axis), 0.5 * step)
        }
    }
}

fn moved(mesh: &Mesh, turn: DMat3, by: DVec3) -> Mesh {
    let vertices = mesh.vertices().iter().map(|&p| turn * p + by).collect();
    crate::mesh(vertices, mesh.triangles().to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use elbowroom_motion::body::{Joint, Local};
    use glam::DQuat;

    fn joint(name: &str, parent: Option<u32>, step: DVec3) -> Joint {
        Joint {
            name: name.into(),
            parent: parent.map(JointId),
            rest: Local::from_translation(step),
        }
    }

    fn body() -> Skeleton {
        let mut joints = vec![
            joint("hips", None, DVec3::new(0.0, 1.0, 0.0)),
            joint("hip joint", Some(0), DVec3::ZERO),
            joint("shin", Some(1), DVec3::new(0.1, -0.5, 0.0)),
            joint("spine", Some(0), DVec3::new(0.0, 0.5, 0.0)),
            joint("Head", Some(3), DVec3::new(0.0, 0.2, 0.0)),
        ];
        joints[2].rest.rotation = DQuat::from_rotation_z(1.0);
        Skeleton::new(joints).unwrap()
    }

    #[test]
    fn every_joint_gets_a_closed_link() {
        for shape in [BoneShape::Capsule, BoneShape::Cuboid] {
            let parts = bones(&body(), &[], &Bones { shape, ..Bones::default() });
            assert_eq!(parts.len(), 5);
            for (index, part) in parts.iter().enumerate() {
                assert_eq!(part.hold, Hold::Rigid(JointId(index as u32)));
                assert!(part.mesh.seams().is_closed(), "{}", part.name);
            }
        }
    }

    #[test]
    fn bones_lead_to_children_ends_and_on() {
        let end = DVec3::new(0.0, 0.0, 0.3);
        let parts = bones(&body(), &[(JointId(1), end)], &Bones::default());
        let reach = |index: usize| parts[index].mesh.bounds();
        // Hips: to the spine, and nothing for the hip joint, which is at the same place.
        assert!(reach(0).max.y > 0.5 && reach(0).min.y > -0.1);
        assert_eq!(parts[0].mesh.triangles().len(), 64);
        assert!(reach(1).min.y < -0.5 && reach(1).max.z > 0.3);
        // The shin goes on in the direction of its step, (0.1, -0.5), seen from a frame turned by
        // one radian.
        let on = DQuat::from_rotation_z(-1.0) * DVec3::new(0.05, -0.25, 0.0);
        let far = parts[2].mesh.vertices().iter().map(|p| p.dot(on.normalize()));
        let far = far.fold(f64::MIN, f64::max);
        assert!((far - 1.2 * on.length()).abs() < 1e-3, "{far}");
        let ball = reach(4);
        assert!((2.0 * ball.half().max_element() - 0.12).abs() < 1e-9, "{ball:?}");
    }

    #[test]
    fn a_body_without_extent_gets_balls() {
        let joints = vec![joint("a", None, DVec3::ZERO), joint("b", Some(0), DVec3::ZERO)];
        let parts = bones(&Skeleton::new(joints).unwrap(), &[], &Bones::default());
        assert!(parts.iter().all(|part| part.mesh.seams().is_closed()));
        let tiny = Bones { radius: 0.0, least: 0.0, ..Bones::default() };
        assert_eq!(bones(&body(), &[], &tiny).len(), 5);
        assert_eq!(bones(&Skeleton::new(Vec::new()).unwrap(), &[], &tiny), []);
    }
}
