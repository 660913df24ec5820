//! How people move: clips by rule.
//!
//! Every clip is one period of something that goes on for ever, and ends as it began. Clips are in
//! place: who plays one also moves the person at [`Gait::velocity`] and turns them at
//! [`Gait::yaw_rate`]; then feet on the floor stand still. [`Gait::travelling`] does that within a
//! clip.
//!
//! Walking follows what is known of it: heel first, then flat, then off the ball of the foot; 60 %
//! of the time on the floor; the pelvis turns with the leading leg and the chest against it, arms
//! against legs; the body is highest when it is over one foot and sways towards it (Inman, Ralston
//! and Todd, Human walking, 1981). Knees are found from hips and ankles.

mod arms;
mod puppet;
mod steps;
mod turns;

use std::f64::consts::TAU;

use elbowroom_motion::body::{Clip, Interpolation, JointId, Skeleton, SkeletonPose, Target, Track};
use glam::{DQuat, DVec3};

use super::bones::{self, COUNT};
use arms::Arms;
use puppet::{Foot, Moment, Puppet};
use steps::Steps;
use turns::{degrees, pitch, roll, yaw};

/// Keys a second, about: a period is a whole number of them.
const RATE: f64 = 30.0;

/// A motion of a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// Walks straight on.
    Walk,
    /// Walks backward, with short steps.
    Back,
    /// Turns to the left on the spot.
    TurnLeft,
    /// Turns to the right on the spot.
    TurnRight,
    /// Steps aside to the left.
    StepLeft,
    /// Steps aside to the right.
    StepRight,
    /// Stands and breathes.
    Idle,
    /// Stands and waves the right hand.
    Wave,
    /// Stands and speaks with both hands.
    Talk,
}

impl Move {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Walk,
        Self::Back,
        Self::TurnLeft,
        Self::TurnRight,
        Self::StepLeft,
        Self::StepRight,
        Self::Idle,
        Self::Wave,
        Self::Talk,
    ];

    /// The name of the clip.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Walk => "walk",
            Self::Back => "back",
            Self::TurnLeft => "turn-left",
            Self::TurnRight => "turn-right",
            Self::StepLeft => "step-left",
            Self::StepRight => "step-right",
            Self::Idle => "idle",
            Self::Wave => "wave",
            Self::Talk => "talk",
        }
    }

    fn is_stepping(self) -> bool {
        !matches!(self, Self::Idle | Self::Wave | Self::Talk)
    }
}

/// A motion that can go on for ever.
///
/// ```
/// use elbowroom_make::body::{Gait, Move, male};
///
/// let man = male();
/// let walk = Gait::of(&man.skeleton, Move::Walk).expect("one of our own");
/// assert!(walk.velocity.z > 1.2 && walk.clip.seconds() > 0.9);
/// let hundred_metres = walk.travelling(100.0 / walk.velocity.z);
/// assert!(hundred_metres.seconds() > 60.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Gait {
    /// One period, in place; the last key is the first.
    pub clip: Clip,
    /// The velocity of the person meanwhile, in its own frame (x to the left, z forward), in
    /// metres per second.
    pub velocity: DVec3,
    /// The turning rate of the person meanwhile, to the left, in radians per second.
    pub yaw_rate: f64,
}

impl Gait {
    /// A motion for one of our people; none for a skeleton with other joints.
    pub fn of(skeleton: &Skeleton, motion: Move) -> Option<Self> {
        let puppet = Puppet::new(skeleton)?;
        let steps = steps_of(motion, puppet.leg_length());
        let height = hips_height(&puppet, motion, &steps);
        let keys = crate::whole((steps.period * RATE).round().max(4.0));
        let mut poses: Vec<SkeletonPose> = (0..keys)
            .map(|key| moment(&puppet, motion, &steps, height, key as f64 / keys as f64))
            .map(|moment| puppet.pose(&moment))
            .collect();
        poses.push(poses[0].clone());
        let times: Vec<f64> =
            (0..=keys).map(|key| steps.period * key as f64 / keys as f64).collect();
        Some(Self {
            clip: clip(motion.name(), &times, &poses),
            velocity: steps.velocity,
            yaw_rate: steps.yaw_rate,
        })
    }

    /// The motion repeated for a number of seconds, with the distance that it covers in the root.
    pub fn travelling(&self, seconds: f64) -> Clip {
        let period = self.clip.seconds();
        let keys = crate::whole((seconds * RATE).round().max(1.0));
        let times: Vec<f64> = (0..=keys).map(|key| key as f64 / RATE).collect();
        let blank = SkeletonPose {
            locals: vec![elbowroom_motion::body::Local::IDENTITY; COUNT],
            weights: vec![],
        };
        let poses: Vec<SkeletonPose> = times
            .iter()
            .map(|&time| {
                let mut pose = blank.clone();
                self.clip.sample(time - period * (time / period).floor(), &mut pose);
                let (place, heading) = self.travelled(time);
                let root = &mut pose.locals[0];
                root.translation = place + yaw(heading) * root.translation;
                root.rotation = yaw(heading) * root.rotation;
                pose
            })
            .collect();
        clip(self.clip.name(), &times, &poses)
    }

    /// The place and heading of a person, a number of seconds after starting at the origin with
    /// heading 0.
    pub fn travelled(&self, seconds: f64) -> (DVec3, f64) {
        let angle = self.yaw_rate * seconds;
        let v = self.velocity;
        if angle.abs() < 1e-6 {
            return (v * seconds, angle);
        }
        let along = libm::sin(angle) / self.yaw_rate;
        let across = (1.0 - libm::cos(angle)) / self.yaw_rate;
        (DVec3::new(v.x * along + v.z * across, 0.0, v.z * along - v.x * across), angle)
    }
}

/// All motions as clips.
pub(super) fn clips(skeleton: &Skeleton) -> Vec<Clip> {
    Move::ALL
        .iter()
        .filter_map(|&motion| Gait::of(skeleton, motion))
        .map(|gait| gait.clip)
        .collect()
}

/// How the feet go, for legs of this length.
fn steps_of(motion: Move, leg: f64) -> Steps {
    // Legs swing like pendulums: time grows with the root of the length (Froude).
    let slow = (leg / 0.88).sqrt();
    let still = Steps {
        velocity: DVec3::ZERO,
        yaw_rate: 0.0,
        period: 4.0,
        duty: 0.7,
        apart: 0.0,
        ahead: 0.0,
        lift: 0.06,
        heel_angle: 0.0,
        toe_angle: degrees(12.0),
    };
    let walk = |speed: f64, period: f64| Steps {
        velocity: DVec3::Z * (speed * slow),
        period: period * slow,
        ..still
    };
    let turn =
        |rate: f64| Steps { yaw_rate: rate / slow, period: 1.2 * slow, apart: 0.04 * leg, ..still };
    // Feet come together without crossing.
    let aside = |speed: f64| Steps {
        velocity: DVec3::X * (speed * slow),
        period: 1.1 * slow,
        apart: 0.09 * leg,
        ..still
    };
    match motion {
        Move::Walk => Steps {
            duty: 0.61,
            // The ankle of the foot that rolls off comes forward, so the reach is the same on both
            // sides.
            ahead: -0.055 * leg,
            lift: 0.014,
            heel_angle: degrees(21.0),
            toe_angle: degrees(52.0),
            ..walk(1.32, 1.08)
        },
        Move::Back => Steps { duty: 0.65, lift: 0.05, ..walk(-0.7, 1.15) },
        Move::TurnLeft => turn(degrees(75.0)),
        Move::TurnRight => turn(-degrees(75.0)),
        Move::StepLeft => aside(0.36),
        Move::StepRight => aside(-0.36),
        Move::Idle => still,
        Move::Wave => Steps { period: 1.6, ..still },
        Move::Talk => Steps { period: 3.2, ..still },
    }
}

/// How the trunk is held at a phase.
struct Trunk {
    sway: f64,
    rise: f64,
    hips: DQuat,
    chest: DQuat,
    head: DQuat,
}

fn trunk(motion: Move, phase: f64) -> Trunk {
    let (sin, cos) = (libm::sin(TAU * phase), libm::cos(TAU * phase));
    let twice = libm::cos(2.0 * TAU * (phase - 0.05));
    // The middle of the left foot's stance is at three tenths of a period.
    let over_left = libm::cos(TAU * (phase - 0.3));
    match motion {
        Move::Walk | Move::Back => {
            let forward = if motion == Move::Walk { 1.0 } else { -0.6 };
            let twist = -forward * cos;
            Trunk {
                sway: 0.018 * over_left,
                rise: -0.026 * twice,
                hips: yaw(degrees(5.5) * twist)
                    * roll(degrees(3.0) * over_left)
                    * pitch(degrees(-2.0)),
                chest: yaw(degrees(-5.0) * twist)
                    * roll(degrees(-1.0) * over_left)
                    * pitch(degrees(-3.0)),
                head: pitch(degrees(-1.0)),
            }
        }
        _ if motion.is_stepping() => Trunk {
            sway: 0.03 * over_left,
            rise: -0.008 * twice,
            hips: roll(degrees(1.5) * over_left) * pitch(degrees(-1.0)),
            chest: roll(degrees(-1.0) * over_left) * pitch(degrees(-2.0)),
            head: DQuat::IDENTITY,
        },
        _ => Trunk {
            sway: 0.012 * sin,
            rise: 0.0,
            hips: roll(degrees(0.8) * sin),
            chest: roll(degrees(-0.8) * sin) * pitch(degrees(-1.0 + 0.7 * cos)),
            head: yaw(degrees(4.0) * sin) * pitch(degrees(1.0) * cos),
        },
    }
}

fn foot(puppet: &Puppet, motion: Move, steps: &Steps, side: usize, phase: f64) -> Foot {
    let leg = &puppet.legs[side];
    if motion.is_stepping() {
        let own = phase + 0.5 * side as f64;
        steps.foot(leg, own - own.floor())
    } else {
        Foot { ankle: leg.ankle, turn: DQuat::IDENTITY, toes: DQuat::IDENTITY }
    }
}

/// How high the hips are when the trunk does not rise or sink: as high as the legs allow at every
/// phase.
fn hips_height(puppet: &Puppet, motion: Move, steps: &Steps) -> f64 {
    let mut height = puppet.hips.y;
    for sample in 0..120 {
        let phase = f64::from(sample) / 120.0;
        let trunk = trunk(motion, phase);
        let hips = DVec3::new(trunk.sway, 0.0, puppet.hips.z);
        for side in 0..2 {
            let ankle = foot(puppet, motion, steps, side, phase).ankle;
            let highest = puppet.highest(side, hips, trunk.hips, ankle);
            height = height.min(highest - trunk.rise * puppet.leg_length());
        }
    }
    height
}

fn moment(puppet: &Puppet, motion: Move, steps: &Steps, height: f64, phase: f64) -> Moment {
    let trunk = trunk(motion, phase);
    let rise = trunk.rise * puppet.leg_length();
    let hips = DVec3::new(trunk.sway, height + rise, puppet.hips.z);
    let mut moment = Moment { hips, turns: [None; COUNT] };
    moment.set("Hips", trunk.hips);
    moment.set("LowerBack", trunk.hips.lerp(trunk.chest, 0.3));
    moment.set("Spine", trunk.hips.lerp(trunk.chest, 0.7));
    moment.set("Spine1", trunk.chest);
    moment.set("Neck1", trunk.chest.lerp(trunk.head, 0.5));
    moment.set("Head", trunk.head);
    for side in 0..2 {
        Arms::at(motion, side, phase).set(&mut moment, side, trunk.chest);
        let foot = foot(puppet, motion, steps, side, phase);
        puppet.step(&mut moment, side, &foot);
    }
    moment
}

/// A clip through poses: every joint's rotation, and the place of the root.
fn clip(name: &str, times: &[f64], poses: &[SkeletonPose]) -> Clip {
    let root = poses.iter().flat_map(|pose| pose.locals[0].translation.to_array()).collect();
    let mut tracks = vec![track(Target::Translation(JointId(0)), times, root)];
    for joint in 0..COUNT {
        let mut last = poses[0].locals[joint].rotation;
        let values = poses.iter().flat_map(|pose| {
            // A rotation has two quaternions; neighbours that agree are blended the short way.
            let turn = pose.locals[joint].rotation;
            last = if turn.dot(last) < 0.0 { -turn } else { turn };
            last.to_array()
        });
        let values: Vec<f64> = values.collect();
        tracks.push(track(Target::Rotation(JointId(joint as u32)), times, values));
    }
    match Clip::new(name.to_owned(), tracks) {
        Ok(clip) => clip,
        Err(error) => panic!("a gait is a sound clip: {error}"),
    }
}

fn track(target: Target, times: &[f64], values: Vec<f64>) -> Track {
    Track { target, interpolation: Interpolation::Linear, times: times.to_vec(), values }
}

/// Where the joints of one of our skeletons are when bound; none of any other skeleton.
pub(super) fn standing(skeleton: &Skeleton) -> Option<SkeletonPose> {
    bones::bound(skeleton)?;
    let gait = Gait::of(skeleton, Move::Idle)?;
    let mut pose = skeleton.rest_pose();
    gait.clip.sample(0.0, &mut pose);
    Some(pose)
}
