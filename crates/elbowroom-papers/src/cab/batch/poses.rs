//! How bodies stand: rotations of joints, sixteen bodies side by side.

use glam::{DQuat, DVec3};

use crate::cab::batch::BLOCK;
use crate::cab::batch::boxes::{Block, BoxStrips};
use crate::cab::batch::error::{BatchError, BatchErrorKind};
use crate::cab::batch::plan::Plan;
use elbowroom::internal::arch::F32x16;
use elbowroom_motion::body::local::{SkeletonPose, unit};
use elbowroom_motion::body::skeleton::JointId;

/// The poses of many bodies of one plan.
///
/// A body has an origin in f64, where its first root joint is, and rotations in f32, which are
/// relative to the parent joint, or to the turn of the whole body. A quaternion means the rotation
/// of its direction.
#[derive(Clone, Debug, PartialEq)]
pub struct Poses {
    origins: Vec<DVec3>,
    /// Block by block: the turns of the bodies, then the rotations of each joint; x, y, z, w.
    turns: Vec<[F32x16; 4]>,
    joints: usize,
}

impl Poses {
    /// Every joint at rest, every body at the origin.
    pub fn new(plan: &Plan, bodies: usize) -> Self {
        let joints = plan.rest().len();
        let rows =
            std::iter::once(DQuat::IDENTITY).chain(plan.rest().iter().map(|rest| rest.rotation));
        let block: Vec<[F32x16; 4]> =
            rows.map(|q| rounded(q).map(|part| F32x16([part; BLOCK]))).collect();
        let turns = block.repeat(bodies.div_ceil(BLOCK));
        Self { origins: vec![DVec3::ZERO; bodies], turns, joints }
    }

    /// The number of bodies.
    pub fn bodies(&self) -> usize {
        self.origins.len()
    }

    /// The position of the first root joint of each body.
    pub fn origins(&self) -> &[DVec3] {
        &self.origins
    }

    /// Puts a body somewhere: the first root joint of its skeleton comes to the origin, and all of
    /// it is turned.
    ///
    /// # Panics
    /// If there is no such body.
    pub fn place(&mut self, body: usize, origin: DVec3, turn: DQuat) {
        self.origins[body] = origin;
        self.write(body, 0, turn);
    }

    /// Turns a joint of a body relative to its parent. A zero or non-finite quaternion turns
    /// nothing.
    ///
    /// # Panics
    /// If there is no such body or joint.
    pub fn turn(&mut self, body: usize, joint: JointId, rotation: DQuat) {
        assert!(joint.index() < self.joints, "joint {} of {}", joint.0, self.joints);
        self.write(body, joint.index() + 1, rotation);
    }

    /// Takes a body's pose as other parts of the library have it. The root may be anywhere, which
    /// moves the origin; all other joints must be where they are at rest, and none may be
    /// scaled.
    ///
    /// # Errors
    /// Names the joint that is elsewhere or scaled. The body is as it was.
    ///
    /// # Panics
    /// If there is no such body, or the poses were not made for this plan.
    pub fn set(
        &mut self,
        plan: &Plan,
        body: usize,
        pose: &SkeletonPose,
        (rotation, translation): (DQuat, DVec3),
    ) -> Result<(), BatchError> {
        self.check(plan);
        let root = plan.moving_root();
        for (joint, (local, rest)) in pose.locals.iter().zip(plan.rest()).enumerate() {
            let moved = local.translation != rest.translation && Some(joint) != root;
            if moved || local.scale != DVec3::ONE || !local.is_finite() {
                return Err(BatchErrorKind::Pose { joint }.into());
            }
        }
        let local = |joint: usize| pose.locals.get(joint).unwrap_or(&plan.rest()[joint]);
        let turn = unit(rotation);
        self.place(body, translation + turn * local(plan.first_root()).translation, turn);
        for joint in 0..self.joints {
            self.write(body, joint + 1, local(joint).rotation);
        }
        Ok(())
    }

    /// The rotations of a block of bodies: first the turns of the bodies, then joint by joint; x,
    /// y, z and w of sixteen each. For those who work out poses in lanes themselves: lengths
    /// must be within 2⁻¹⁰ of one.
    ///
    /// # Panics
    /// If there is no such block.
    pub fn block_mut(&mut self, block: usize) -> &mut [[F32x16; 4]] {
        let rows = self.joints + 1;
        &mut self.turns[block * rows..][..rows]
    }

    fn write(&mut self, body: usize, row: usize, rotation: DQuat) {
        assert!(body < self.bodies(), "body {body} of {}", self.bodies());
        let strips = &mut self.turns[body / BLOCK * (self.joints + 1) + row];
        for (strip, part) in strips.iter_mut().zip(rounded(rotation)) {
            strip.0[body % BLOCK] = part;
        }
    }

    pub(super) fn blocks(&self) -> usize {
        self.origins.len().div_ceil(BLOCK)
    }

    pub(super) fn joints(&self, block: usize) -> &[[F32x16; 4]] {
        let rows = self.joints + 1;
        &self.turns[block * rows..][..rows]
    }

    pub(super) fn view<'a>(&'a self, block: usize, boxes: &'a [BoxStrips]) -> Block<'a> {
        let first = BLOCK * block;
        let end = self.origins.len().min(first + BLOCK);
        Block::new(first, &self.origins[first..end], boxes)
    }

    pub(super) fn check(&self, plan: &Plan) {
        let joints = plan.rest().len();
        assert!(joints == self.joints, "poses of {} joints for a plan of {joints}", self.joints);
    }
}

fn rounded(rotation: DQuat) -> [f32; 4] {
    unit(rotation).to_array().map(|part| part as f32)
}
