//! Thousands of skeletons at once, against one body at a time in f64.

mod bits;
mod doors;
mod holds;
mod links;
mod reference;
mod rule;

use elbowroom::internal::volume::Obb;
use elbowroom_motion::body::{Joint, JointId, Local, Skeleton, SkeletonPose};
use elbowroom_papers::cab::batch::{BatchLeaf, Plan, Poses};
use elbowroom_testkit::random::Random;
use glam::{DMat3, DQuat, DVec3};

/// What a body looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Person,
    Chain,
    /// Any parents, any offsets, boxes that stand anywhere.
    Random,
    /// Boxes without extent along some axes, offsets of nothing.
    Degenerate,
    /// Two skeletons in one.
    Forest,
}

pub(crate) const KINDS: [Kind; 5] =
    [Kind::Person, Kind::Chain, Kind::Random, Kind::Degenerate, Kind::Forest];

/// How it stands.
pub(crate) const ANGLES: [f64; 4] = [0.0, 1e-4, 0.5, 3.2];

pub(crate) fn body(kind: Kind, random: &mut Random, scale: f64) -> (Skeleton, Vec<BatchLeaf>) {
    let (skeleton, leaves) = match kind {
        Kind::Person => {
            let (skeleton, leaves) = reference::person();
            let leaves = if random.one_in(2) { leaves } else { reference::bones(&skeleton, true) };
            (skeleton, leaves)
        }
        Kind::Chain => reference::chain(1 + random.below(40) as u32),
        Kind::Random => any(random, 1, false),
        Kind::Degenerate => any(random, 1, true),
        Kind::Forest => any(random, 3, false),
    };
    let joints = skeleton.joints().iter().cloned().map(|mut joint| {
        joint.rest.translation *= scale;
        joint
    });
    let leaves = leaves.into_iter().map(|mut leaf| {
        leaf.shape.center *= scale;
        leaf.shape.half *= scale;
        leaf
    });
    (Skeleton::new(joints.collect()).expect("still a forest"), leaves.collect())
}

fn any(random: &mut Random, roots: u64, degenerate: bool) -> (Skeleton, Vec<BatchLeaf>) {
    let count = (roots + random.below(24)) as u32;
    let vector = |random: &mut Random| {
        let mut part = || random.uniform(-1.0, 1.0);
        DVec3::new(part(), part(), part())
    };
    let mut joints = Vec::new();
    for i in 0..count {
        let parent = (u64::from(i) >= roots).then(|| JointId(random.below(u64::from(i)) as u32));
        let mut translation = vector(random);
        if degenerate && random.one_in(2) {
            translation *= DVec3::X * random.range(0, 1) as f64;
        }
        let rest = Local::from_rotation_translation(reference::rotation(random, 1.0), translation);
        joints.push(Joint { name: format!("{i}"), parent, rest });
    }
    let leaves = (0..count + 3)
        .map(|_| {
            let mut half = vector(random).abs();
            let mut center = 0.3 * vector(random);
            if degenerate {
                half *= DVec3::from_array([0, 1, 2].map(|_| random.range(0, 1) as f64));
                center *= random.range(0, 1) as f64;
            }
            let turn = reference::rotation(random, 3.0);
            let axes = if random.one_in(2) { DMat3::IDENTITY } else { DMat3::from_quat(turn) };
            let joint = JointId(random.below(u64::from(count)) as u32);
            BatchLeaf { joint, shape: Obb { center, axes, half } }
        })
        .collect();
    (Skeleton::new(joints).expect("a forest"), leaves)
}

/// Poses of bodies whose first root is at the origin, and the same for the reference.
pub(crate) fn poses(
    skeleton: &Skeleton,
    plan: &Plan,
    bodies: usize,
    random: &mut Random,
    angle: f64,
) -> (Poses, Vec<(SkeletonPose, DQuat)>) {
    let mut poses = Poses::new(plan, bodies);
    let each = (0..bodies)
        .map(|body| {
            let (pose, turn) =
                (reference::bent(skeleton, random, angle), reference::rotation(random, 3.2));
            let root = skeleton.joints().iter().position(|joint| joint.parent.is_none());
            let at = pose.locals[root.expect("a root")].translation;
            poses.set(plan, body, &pose, (turn, -(turn * at))).expect("a good pose");
            (pose, turn)
        })
        .collect();
    (poses, each)
}
