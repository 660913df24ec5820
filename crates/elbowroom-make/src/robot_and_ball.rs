//! A robot's hand that flicks a ball over a table.
//!
//! The table, the ball and what pushes it are those of [`hand_and_ball`](crate::hand_and_ball); the
//! hand is any rig of rigid links with joint variables, such as a file describes. Nothing is known
//! of it but that: where its fingers point is where its last joints are, seen from its first; where
//! its palm looks is where these go when the joints bend. Then
//!
//! * a variable whose range is mostly on the positive side bends a finger: it goes about a third of
//!   the way and stretches when the hand flicks;
//! * every other one sways about zero, by a tenth of its range.
//!
//! The hand is held palm down, fingers up the slope and the arm raised, so that its lowest point is
//! some millimetres over the table, and goes after the ball. Links push the ball by capsules within
//! their boxes.
//!
//! Invariants: every value is within its range; the same rig and seed give the same bits on every
//! system.

use std::f64::consts::TAU;

use elbowroom::{Aabb, Mesh};
use elbowroom_motion::body::{Freedom, Hold, JointId, Rig};
use glam::{DAffine3, DMat3, DQuat, DVec3};

use crate::hand_and_ball::{Rolling, STEP, Segment, THINGS, flick, things, world_from_table};
use crate::random::Random;
use crate::rigid::about;

/// How far the arm is raised, in radians.
const RAISED: f64 = 0.35;
/// How far over the table the lowest point is while the hand is neither stretched nor swaying.
const OVER: f64 = 0.004;
/// How far up the slope the fingers end.
const TIPS: f64 = 0.01;

/// The places of all objects in a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct RobotFrame {
    /// `world_from_joint` of the hand.
    pub joints: Vec<DAffine3>,
    /// `world_from_thing`: table, ball, wall and post.
    pub things: [DAffine3; THINGS],
}

/// A robot's hand, the things around it with their names, and where they are, frame after frame
/// without end. `None` if the rig has no fingers that bend: no joint that ends a limb, no part on a
/// joint, or a variable of more than one value.
///
/// ```
/// let hand = elbowroom_make::hand(1);
/// let (things, mut frames) = elbowroom_make::robot_and_ball(&hand, 1).unwrap();
/// let frame = frames.next().unwrap();
/// assert_eq!((frame.joints.len(), frame.things.len()), (hand.skeleton.len(), things.len()));
/// ```
pub fn robot_and_ball(
    hand: &Rig,
    seed: u64,
) -> Option<([(&'static str, Mesh); THINGS], RobotFrames)> {
    Some((things(), RobotFrames::new(hand, seed)?))
}

/// See [`robot_and_ball`].
#[derive(Clone, Debug)]
pub struct RobotFrames {
    hand: Rig,
    drives: Vec<Drive>,
    /// How the hand itself sways.
    waves: [[f64; 2]; 3],
    bones: Vec<Bone>,
    table_from_hand: DAffine3,
    rolling: Rolling,
    world: Vec<DAffine3>,
    frame: u32,
}

impl RobotFrames {
    fn new(hand: &Rig, seed: u64) -> Option<Self> {
        let mut random = Random::new(seed);
        let own = hand.freedoms.iter().filter(|freedom| freedom.mimic.is_none());
        let drives: Vec<Drive> =
            own.map(|freedom| Drive::of(freedom, &mut random)).collect::<Option<_>>()?;
        let waves = [0; 3].map(|_: u8| wave(&mut random));
        let mut frames = Self {
            hand: hand.clone(),
            drives,
            waves,
            bones: Bone::all(hand),
            table_from_hand: DAffine3::IDENTITY,
            rolling: Rolling::new(),
            world: Vec::new(),
            frame: 0,
        };
        frames.table_from_hand = frames.held()?;
        Some(frames)
    }

    /// Palm down, fingers up the slope, just over the table.
    fn held(&mut self) -> Option<DAffine3> {
        let tips = tips(&self.hand);
        let middle = |world: &[DAffine3]| {
            let sum: DVec3 = tips.iter().map(|joint| world[joint.index()].translation).sum();
            sum / tips.len() as f64
        };
        self.bend(|drive| drive.value(0.0, 1.0))?;
        let open = middle(&self.world);
        let root = self.world.first()?.translation;
        self.bend(|drive| drive.value(0.0, 0.0))?;
        let bent = middle(&self.world);
        let along = (open - root).try_normalize()?;
        let palm = (bent - open).reject_from(along).try_normalize()?;
        let hand_from_table = DMat3::from_cols(along.cross(palm), -palm, along);
        let turned = DQuat::from_mat3(&hand_from_table.transpose()).normalize();
        let turned = about(DVec3::X, RAISED) * turned;
        let lowest = self.bones.iter().map(|bone| bone.lowest(&self.hand, &self.world, turned));
        let lowest = lowest.fold(f64::INFINITY, f64::min);
        let end = turned * bent;
        let place = DVec3::new(-end.x, OVER - lowest, TIPS - end.z);
        place.is_finite().then(|| DAffine3::from_rotation_translation(turned, place))
    }

    /// Places the joints, in the hand's own frame.
    fn bend(&mut self, value: impl Fn(&Drive) -> f64) -> Option<()> {
        let values: Vec<f64> = self.drives.iter().map(value).collect();
        let pose = self.hand.pose_of(&values).ok()?;
        self.hand.skeleton.world(&pose, &mut self.world);
        Some(())
    }
}

impl Iterator for RobotFrames {
    type Item = RobotFrame;

    fn next(&mut self) -> Option<RobotFrame> {
        let time = f64::from(self.frame) * STEP;
        self.frame = self.frame.wrapping_add(1);
        let flick = flick(time);
        self.bend(|drive| {
            drive.value(libm::sin(TAU * drive.wave[0] * time + drive.wave[1]), flick)
        })?;
        let sway = self.waves.map(|[often, start]| libm::sin(TAU * often * time + start));
        let shift =
            DVec3::new(self.rolling.hand + 0.01 * sway[0], 0.004 * sway[1], 0.015 * sway[2]);
        let turn = DAffine3::from_quat(about(DVec3::Y, 0.1 * sway[0]));
        let table_from_hand = DAffine3::from_translation(shift) * turn * self.table_from_hand;
        for joint in &mut self.world {
            *joint = table_from_hand * *joint;
        }
        let segments: Vec<Segment> = self.bones.iter().map(|bone| bone.at(&self.world)).collect();
        self.rolling.roll(&segments);
        let joints = self.world.iter().map(|joint| world_from_table() * *joint).collect();
        Some(RobotFrame { joints, things: self.rolling.things() })
    }
}

/// How often a second, and where it starts.
fn wave(random: &mut Random) -> [f64; 2] {
    [random.uniform(0.1, 0.4), random.uniform(0.0, TAU)]
}

/// How a variable goes.
#[derive(Clone, Debug)]
struct Drive {
    low: f64,
    high: f64,
    wave: [f64; 2],
    bends: bool,
}

impl Drive {
    /// Nothing for what takes several values.
    fn of(freedom: &Freedom, random: &mut Random) -> Option<Self> {
        let (low, high) = freedom.range.unwrap_or((-0.5, 0.5));
        let finite = low.is_finite() && high.is_finite();
        let bends = low >= -0.3 * high && high > low;
        (freedom.kind.width() == 1 && finite).then(|| Self { low, high, wave: wave(random), bends })
    }

    /// With a wave of −1 to 1, and stretched by 0 to 1.
    fn value(&self, wave: f64, flick: f64) -> f64 {
        let width = self.high - self.low;
        let value = if self.bends {
            self.low + width * (0.38 + 0.05 * wave - 0.26 * flick)
        } else {
            0.1 * width * wave
        };
        value.clamp(self.low, self.high)
    }
}

/// The joints that end a limb.
fn tips(hand: &Rig) -> Vec<JointId> {
    let joints = hand.skeleton.joints();
    let mut ends = vec![true; joints.len()];
    for parent in joints.iter().filter_map(|joint| joint.parent) {
        ends[parent.index()] = false;
    }
    let limbs = (0..)
        .zip(ends)
        .filter(|&(joint, ends): &(u32, bool)| ends && joints[joint as usize].parent.is_some());
    limbs.map(|(joint, _)| JointId(joint)).collect()
}

/// A capsule within the box of a part, along its longest edge.
#[derive(Clone, Debug)]
struct Bone {
    part: usize,
    joint: usize,
    from: DVec3,
    to: DVec3,
    radius: f64,
}

impl Bone {
    fn all(hand: &Rig) -> Vec<Self> {
        let parts = hand.parts.iter().enumerate();
        parts
            .filter_map(|(index, part)| {
                let Hold::Rigid(joint) = part.hold else { return None };
                let Aabb { min: low, max: high } = part.mesh.bounds();
                let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
                let long = half.max_element();
                let axis = DVec3::AXES.into_iter().find(|axis| axis.dot(half) == long)?;
                let radius = 0.5 * (half.element_sum() - long);
                // A ball has hardly any length, but some direction.
                let reach = axis * (long - radius).max(0.1 * long);
                let (from, to) = (middle - reach, middle + reach);
                (long > 0.0).then_some(Self { part: index, joint: joint.index(), from, to, radius })
            })
            .collect()
    }

    fn at(&self, world: &[DAffine3]) -> Segment {
        let place = &world[self.joint];
        (place.transform_point3(self.from), place.transform_point3(self.to), self.radius)
    }

    /// How far down the part reaches if the hand is turned.
    fn lowest(&self, hand: &Rig, world: &[DAffine3], turned: DQuat) -> f64 {
        let place = &world[self.joint];
        let heights = hand.parts[self.part].mesh.vertices().iter();
        heights.map(|&p| (turned * place.transform_point3(p)).y).fold(f64::INFINITY, f64::min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_in_range_and_the_ball_is_met() {
        let hand = crate::hand(3);
        let (things, frames) = robot_and_ball(&hand, 1).expect("fingers bend");
        assert_eq!(things.map(|(name, _)| name), ["table", "ball", "wall", "post"]);
        for drive in &frames.drives {
            for (wave, flick) in [(-1.0, 0.0), (1.0, 0.0), (-1.0, 1.0), (1.0, 1.0)] {
                assert!((drive.low..=drive.high).contains(&drive.value(wave, flick)));
            }
        }
        // Fifteen bend, five spread.
        assert_eq!(frames.drives.iter().filter(|drive| drive.bends).count(), 15);
        let pushed = |frame: &RobotFrame| {
            let ball = frame.things[1].translation;
            let near = |joint: &DAffine3| joint.translation.distance(ball) < 0.06;
            frame.joints.iter().any(near)
        };
        let met = frames.clone().take(600).filter(pushed).count();
        assert!(met > 60, "{met}");
        assert!(frames.take(600).all(|frame| frame.joints.iter().all(glam::DAffine3::is_finite)));
    }

    #[test]
    fn what_has_no_fingers_does_not_play() {
        let mut hand = crate::hand(1);
        hand.freedoms.clear();
        assert!(robot_and_ball(&hand, 1).is_none(), "nothing bends");
        let mut hand = crate::hand(1);
        hand.parts.clear();
        assert!(robot_and_ball(&hand, 1).is_none(), "nothing is on it");
    }
}
