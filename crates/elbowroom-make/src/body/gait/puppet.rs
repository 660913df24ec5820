//! A skeleton moved by where its feet are to be.
//!
//! Turns are said in the world and relative to the bind pose, in which a person stands: no turn at
//! all is standing. A leg is two bones and a hinge; where hip and ankle are given, the knee is
//! where the bones meet, on the side that the foot points to.

use elbowroom_motion::body::{Skeleton, SkeletonPose};
use glam::{DMat3, DQuat, DVec3};

use super::super::bones::{self, COUNT};

/// Legs are never stretched farther than this share of their length, or knees would snap.
const STRETCH: f64 = 0.997;

/// A leg in the bind pose, and the point on the floor at the back of its heel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leg {
    pub(super) hip: DVec3,
    pub(super) knee: DVec3,
    pub(super) ankle: DVec3,
    pub(super) ball: DVec3,
    pub(super) heel: DVec3,
}

/// Where a foot is to be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Foot {
    pub(super) ankle: DVec3,
    pub(super) turn: DQuat,
    pub(super) toes: DQuat,
}

/// The measures of a skeleton that is to be moved.
pub(super) struct Puppet {
    rest: SkeletonPose,
    pub(super) hips: DVec3,
    pub(super) legs: [Leg; 2],
}

/// One moment of a motion: turns relative to the bind pose; joints without one follow their parent.
pub(super) struct Moment {
    pub(super) hips: DVec3,
    pub(super) turns: [Option<DQuat>; COUNT],
}

impl Moment {
    pub(super) fn set(&mut self, name: &str, turn: DQuat) {
        self.turns[bones::number(name)] = Some(turn);
    }
}

/// The names of the joints of the legs, left and right.
pub(super) const LEGS: [[&str; 4]; 2] = [
    ["LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToeBase"],
    ["RightUpLeg", "RightLeg", "RightFoot", "RightToeBase"],
];

impl Puppet {
    /// A skeleton of ours; none of any other.
    pub(super) fn new(skeleton: &Skeleton) -> Option<Self> {
        let places = bones::bound(skeleton)?;
        let place = |name: &str| places[bones::number(name)];
        let legs = LEGS.map(|[hip, knee, ankle, ball]| {
            let [hip, knee, ankle, ball] = [hip, knee, ankle, ball].map(place);
            // The heel sticks out behind the ankle by as much as two thirds of its height.
            let heel = DVec3::new(ankle.x, 0.0, ankle.z - 0.67 * ankle.y);
            Leg { hip, knee, ankle, ball, heel }
        });
        Some(Self { rest: skeleton.rest_pose(), hips: place("Hips"), legs })
    }

    /// From hip to ankle.
    pub(super) fn leg_length(&self) -> f64 {
        let leg = &self.legs[0];
        (leg.knee - leg.hip).length() + (leg.ankle - leg.knee).length()
    }

    /// How high the hips may be so that an ankle is within reach.
    pub(super) fn highest(&self, side: usize, hips: DVec3, turn: DQuat, ankle: DVec3) -> f64 {
        let offset = turn * (self.legs[side].hip - self.hips);
        let away = hips + offset - ankle;
        let reach = STRETCH * self.leg_length();
        let flat = away.x * away.x + away.z * away.z;
        ankle.y - offset.y + (reach * reach - flat).max(0.0).sqrt()
    }

    /// Puts a foot where it is to be.
    pub(super) fn step(&self, moment: &mut Moment, side: usize, foot: &Foot) {
        let leg = &self.legs[side];
        let hips_turn = moment.turns[0].unwrap_or(DQuat::IDENTITY);
        let hip = moment.hips + hips_turn * (leg.hip - self.hips);
        let (thigh, shin) = (leg.knee - leg.hip, leg.ankle - leg.knee);
        let (upper, lower) = (thigh.length(), shin.length());
        let way = foot.ankle - hip;
        let long = way.length().clamp((upper - lower).abs() + 1e-3, upper + lower - 1e-6);
        let along = way.normalize_or(DVec3::NEG_Y);
        let forward = foot.turn * DVec3::Z + 0.3 * (hips_turn * DVec3::Z);
        let hinge = forward.cross(along).normalize_or(DVec3::X);
        let bend = along.cross(hinge);
        let share = (upper * upper - lower * lower + long * long) / (2.0 * long);
        let out = (upper * upper - share * share).max(0.0).sqrt();
        let knee = along * share + bend * out;
        let [upleg, lowleg, ankle, toes] = LEGS[side];
        moment.set(upleg, swing(thigh, knee, hinge));
        moment.set(lowleg, swing(shin, along * long - knee, hinge));
        moment.set(ankle, foot.turn);
        moment.set(toes, foot.toes);
    }

    /// The pose of a moment.
    pub(super) fn pose(&self, moment: &Moment) -> SkeletonPose {
        let mut turns = [DQuat::IDENTITY; COUNT];
        for joint in 0..COUNT {
            let inherited = bones::parent(joint).map_or(DQuat::IDENTITY, |parent| turns[parent]);
            turns[joint] = moment.turns[joint].unwrap_or(inherited);
        }
        let world: Vec<DQuat> =
            (0..COUNT).map(|joint| turns[joint] * bones::bind_turn(joint)).collect();
        let mut pose = self.rest.clone();
        pose.locals[0].translation = moment.hips;
        bones::turn(&mut pose, &world);
        pose
    }
}

/// The turn that brings one direction to another, and the axis x to a hinge.
fn swing(from: DVec3, to: DVec3, hinge: DVec3) -> DQuat {
    let frame = |along: DVec3, across: DVec3| {
        let y = along.normalize();
        let x = (across - y * across.dot(y)).normalize();
        DMat3::from_cols(x, y, x.cross(y))
    };
    DQuat::from_mat3(&(frame(to, hinge) * frame(from, DVec3::X).transpose())).normalize()
}
