//! The skeleton: the 31 joints of the CMU motion capture files, by their names and in their order.
//!
//! At rest every rotation is the identity, the arms are level and the legs are spread by 20
//! degrees, as in those files: their rotations can be put on our joints by name, one for one. The
//! skin is drawn on a person who stands: arms half down, legs straight. That is the *bind* pose,
//! and how far it is from rest is written here.
//!
//! ```text
//!      rest  o      bind  o
//!        ----+----      / | \
//!            |         /  |  \
//!           / \          | |
//!          /   \         | |
//! ```

use elbowroom_motion::body::{Joint, JointId, Local, Skeleton, SkeletonPose};
use glam::{DQuat, DVec3};

use super::figure::Figure;
use super::flesh::arm_frame;

/// Names and parents of the joints.
const JOINTS: [(&str, &str); 31] = [
    ("Hips", ""),
    ("LHipJoint", "Hips"),
    ("LeftUpLeg", "LHipJoint"),
    ("LeftLeg", "LeftUpLeg"),
    ("LeftFoot", "LeftLeg"),
    ("LeftToeBase", "LeftFoot"),
    ("RHipJoint", "Hips"),
    ("RightUpLeg", "RHipJoint"),
    ("RightLeg", "RightUpLeg"),
    ("RightFoot", "RightLeg"),
    ("RightToeBase", "RightFoot"),
    ("LowerBack", "Hips"),
    ("Spine", "LowerBack"),
    ("Spine1", "Spine"),
    ("Neck", "Spine1"),
    ("Neck1", "Neck"),
    ("Head", "Neck1"),
    ("LeftShoulder", "Spine1"),
    ("LeftArm", "LeftShoulder"),
    ("LeftForeArm", "LeftArm"),
    ("LeftHand", "LeftForeArm"),
    ("LeftFingerBase", "LeftHand"),
    ("LeftHandIndex1", "LeftFingerBase"),
    ("LThumb", "LeftHand"),
    ("RightShoulder", "Spine1"),
    ("RightArm", "RightShoulder"),
    ("RightForeArm", "RightArm"),
    ("RightHand", "RightForeArm"),
    ("RightFingerBase", "RightHand"),
    ("RightHandIndex1", "RightFingerBase"),
    ("RThumb", "RightHand"),
];

/// How many joints there are.
pub(super) const COUNT: usize = JOINTS.len();

/// How far each leg of the rest pose is from straight down.
const SPREAD: f64 = 20.0 * std::f64::consts::PI / 180.0;
/// How far the arms of the bind pose are from level.
const DROOP: f64 = std::f64::consts::FRAC_PI_4;

/// A joint's number.
///
/// # Panics
/// If there is no such joint.
pub(super) fn number(name: &str) -> usize {
    match JOINTS.iter().position(|joint| joint.0 == name) {
        Some(number) => number,
        None => panic!("no joint is called {name:?}"),
    }
}

/// The number of the joint that something hangs on; none for the hips.
pub(super) fn parent(joint: usize) -> Option<usize> {
    let name = JOINTS[joint].1;
    (!name.is_empty()).then(|| number(name))
}

/// The joint of the other side; joints of the middle are their own.
pub(super) fn opposite(joint: usize) -> usize {
    let name = JOINTS[joint].0;
    let other = if let Some(rest) = name.strip_prefix("Left") {
        format!("Right{rest}")
    } else if let Some(rest) = name.strip_prefix("Right") {
        format!("Left{rest}")
    } else if name == "LHipJoint" || name == "LThumb" {
        format!("R{}", &name[1..])
    } else if name == "RHipJoint" || name == "RThumb" {
        format!("L{}", &name[1..])
    } else {
        name.to_owned()
    };
    number(&other)
}

/// A turn about the axis that points forward; a positive one lifts what is on the left.
pub(super) fn roll(angle: f64) -> DQuat {
    DQuat::from_xyzw(0.0, 0.0, libm::sin(0.5 * angle), libm::cos(0.5 * angle))
}

/// How a joint is turned, in the world, when the skin is bound.
pub(super) fn bind_turn(joint: usize) -> DQuat {
    match limb(joint) {
        Limb::Leg(side) => roll(-side * SPREAD),
        Limb::Arm(side) => roll(-side * DROOP),
        Limb::Middle => DQuat::IDENTITY,
    }
}

enum Limb {
    /// +1 for the left.
    Leg(f64),
    Arm(f64),
    Middle,
}

fn limb(joint: usize) -> Limb {
    let name = JOINTS[joint].0;
    let side = if name.starts_with('L') { 1.0 } else { -1.0 };
    let part = name.trim_start_matches("Left").trim_start_matches("Right");
    match part {
        "UpLeg" | "Leg" | "Foot" | "ToeBase" => Limb::Leg(side),
        "Arm" | "ForeArm" | "Hand" | "FingerBase" | "HandIndex1" | "LThumb" | "RThumb" => {
            Limb::Arm(side)
        }
        _ => Limb::Middle,
    }
}

/// Where the joints are when the skin is bound, in the figure's own size.
pub(super) fn bind_places(figure: &Figure) -> Vec<DVec3> {
    let [along, _, _] = arm_frame();
    let shoulder = DVec3::from(figure.shoulder);
    let [upper, fore, palm, _] = figure.arm;
    let left = |name: &str| match name {
        "LeftUpLeg" => figure.leg[0].into(),
        "LeftLeg" => figure.leg[1].into(),
        "LeftFoot" => figure.leg[2].into(),
        "LeftToeBase" => figure.leg[3].into(),
        "Spine" => figure.back[0].into(),
        "Spine1" | "Neck" | "LeftShoulder" => figure.back[1].into(),
        "Neck1" => figure.back[2].into(),
        "Head" => figure.back[3].into(),
        "LeftArm" => shoulder,
        "LeftForeArm" => shoulder + along * upper,
        "LeftHand" | "LeftFingerBase" | "LThumb" => shoulder + along * (upper + fore),
        "LeftHandIndex1" => shoulder + along * (upper + fore + palm),
        _ => DVec3::from(figure.hips),
    };
    let place = |joint: usize| {
        let name = JOINTS[joint].0;
        if name.starts_with('R') {
            let mut place = left(JOINTS[opposite(joint)].0);
            place.x = -place.x;
            place
        } else {
            left(name)
        }
    };
    (0..COUNT).map(place).collect()
}

/// The skeleton whose joints are at these places when bound, and that pose.
pub(super) fn skeleton(places: &[DVec3]) -> (Skeleton, SkeletonPose) {
    let joints = (0..COUNT).map(|joint| {
        let offset = match parent(joint) {
            Some(parent) => bind_turn(parent).inverse() * (places[joint] - places[parent]),
            None => places[joint],
        };
        Joint {
            name: JOINTS[joint].0.to_owned(),
            parent: parent(joint).map(|parent| JointId(parent as u32)),
            rest: Local::from_translation(offset),
        }
    });
    let skeleton = match Skeleton::new(joints.collect()) {
        Ok(skeleton) => skeleton,
        Err(error) => panic!("the joints of a person are a tree: {error}"),
    };
    let turns: Vec<DQuat> = (0..COUNT).map(bind_turn).collect();
    let mut bind = skeleton.rest_pose();
    turn(&mut bind, &turns);
    (skeleton, bind)
}

/// Turns every joint of a pose as said in the world.
pub(super) fn turn(pose: &mut SkeletonPose, world: &[DQuat]) {
    for joint in 0..COUNT {
        pose.locals[joint].rotation = match parent(joint) {
            Some(parent) => (world[parent].inverse() * world[joint]).normalize(),
            None => world[joint],
        };
    }
}

/// Where the joints of one of our skeletons are when bound; none if it is another one.
pub(super) fn bound(skeleton: &Skeleton) -> Option<Vec<DVec3>> {
    let names = skeleton.joints().iter().map(|joint| joint.name.as_str());
    if !names.eq(JOINTS.iter().map(|joint| joint.0)) {
        return None;
    }
    let mut bind = skeleton.rest_pose();
    turn(&mut bind, &(0..COUNT).map(bind_turn).collect::<Vec<_>>());
    let mut world = Vec::new();
    skeleton.world(&bind, &mut world);
    Some(world.iter().map(|place| place.translation).collect())
}
