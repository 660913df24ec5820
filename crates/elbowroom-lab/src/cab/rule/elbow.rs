//! Two boxes that begin at one joint.

use std::sync::Arc;

use elbowroom::Pose;
use elbowroom::internal::bvh::NodeId;
use elbowroom::internal::model::Model;
use elbowroom::internal::volume::Obb;
use elbowroom_make::cuboid;
use elbowroom_motion::body::{Joint, JointId, Local, Skeleton};
use elbowroom_papers::cab::{ArticulatedBody, CabAxis, CabHierarchy, Link, RefitMethod};
use glam::{DAffine3, DMat3, DVec3};

/// An upper arm along x from the joint, and a forearm, along x of its own frame.
pub(super) struct Elbow {
    /// By the rule, by covariance, by the reviewer's rule.
    bodies: [CabHierarchy; 3],
}

impl Elbow {
    /// From the half extents of the two boxes.
    pub(super) fn new(halves: [DVec3; 2]) -> Self {
        let joint =
            |name: &str, parent| Joint { name: name.to_owned(), parent, rest: Local::IDENTITY };
        let joints = vec![joint("shoulder", None), joint("elbow", Some(JointId(0)))];
        let skeleton = Skeleton::new(joints).expect("an elbow hangs on a shoulder");
        let link = |index: usize| {
            let half = halves[index];
            let middle = DVec3::new(half.x, 0.0, 0.0);
            Link {
                joint: JointId(index as u32),
                model: Arc::new(Model::new(cuboid(half))),
                joint_from_link: Pose::from_translation(middle).expect("halves are finite"),
                name: String::new(),
            }
        };
        let arm = ArticulatedBody::new(&skeleton, vec![link(0), link(1)]).expect("two links");
        let arm = Arc::new(arm);
        let keeps = [
            RefitMethod::Cab(CabAxis::Longest),
            RefitMethod::Covariance,
            RefitMethod::Cab(CabAxis::Sum),
        ];
        Self { bodies: keeps.map(|keep| CabHierarchy::new(Arc::clone(&arm), keep)) }
    }

    /// Turns the whole, and the forearm within it.
    pub(super) fn bend(&mut self, whole: DMat3, forearm: DMat3) {
        let pose = [whole, whole * forearm].map(DAffine3::from_mat3);
        for body in &mut self.bodies {
            body.update(&pose).expect("rotations are rigid");
        }
    }

    pub(super) fn body(&self) -> &CabHierarchy {
        &self.bodies[0]
    }

    /// The parent's box by the rule, by covariance and by the reviewer's rule.
    pub(super) fn boxes(&self) -> [Obb; 3] {
        self.bodies.each_ref().map(|body| body.oriented(NodeId::ROOT).expect("boxes are kept"))
    }

    /// How many times the volume of the covariance box the rule's has.
    pub(super) fn volume_ratio(&self) -> f64 {
        let [cab, covariance, _] = self.boxes();
        volume(&cab) / volume(&covariance)
    }
}

pub(super) fn volume(of: &Obb) -> f64 {
    8.0 * of.half.x * of.half.y * of.half.z
}

/// A turn about z, by degrees; sines of one library.
pub(super) fn about_z(degrees: f64) -> DMat3 {
    let (sin, cos) = (libm::sin(degrees.to_radians()), libm::cos(degrees.to_radians()));
    DMat3::from_cols(DVec3::new(cos, sin, 0.0), DVec3::new(-sin, cos, 0.0), DVec3::Z)
}

/// A turn about x, by degrees.
pub(super) fn about_x(degrees: f64) -> DMat3 {
    let (sin, cos) = (libm::sin(degrees.to_radians()), libm::cos(degrees.to_radians()));
    DMat3::from_cols(DVec3::X, DVec3::new(0.0, cos, sin), DVec3::new(0.0, -sin, cos))
}

/// The half extents of a link with this ratio of length to width.
pub(super) fn slender(aspect: f64) -> DVec3 {
    DVec3::new(aspect, 1.0, 1.0)
}
