//! A hand that flicks a ball over a table.
//!
//! The last scene of Schmidl, Walker and Lin (CAB: fast update of OBB trees for collision detection
//! between articulated bodies, 2004): a tracked hand plays with a ball, and every frame asks 72
//! questions, links of the hand against the things around it. The tracks are lost and the links not
//! known. Ours are eighteen, the [`hand`](crate::hand) on a wrist and a forearm, and there are four
//! things: table, ball, wall and post.
//!
//! ```text
//!            wall |
//!     post o      |      The table slopes down to the hand, so the ball comes back and lies
//!                 |      against the fingers until they stretch.
//!       ball ()   |
//!      fingers ///|
//!        palm [ ] |
//! ```
//!
//! The ball is a point on the table that falls down the slope, loses speed, bounces at the edges
//! and is pushed away by the segments within the links; its velocity is what is left of its step
//! after that.
//!
//! Invariants: the same seed gives the same bits on every system.

use std::f64::consts::TAU;

use elbowroom::{Aabb, Mesh};
use elbowroom_motion::body::{FreedomKind, Local, Rig, SkeletonPose};
use glam::{DAffine3, DMat3, DVec3};

use crate::random::Random;
use crate::rigid::{Links, about};
use crate::{capsule, cuboid, cylinder, hand, icosphere};

/// Seconds a frame: a tracked glove.
pub(crate) const STEP: f64 = 1.0 / 60.0;
/// How far the table leans.
const LEAN: f64 = 0.09;
const BALL: f64 = 0.03;
/// Half of the table.
const TABLE: DVec3 = DVec3::new(0.3, 0.01, 0.3);
/// How far to either side the ball goes, and how far the hand goes after it.
const SIDE: f64 = 0.17;
const REACH: f64 = 0.13;
/// Where the palm stops a ball that got past the fingers.
const PALM: f64 = -0.03;
/// How much of its speed the ball keeps in a frame.
const KEPT: f64 = 0.995;
/// The links of the arm.
const LINKS: usize = 18;
/// What is around it.
pub(crate) const THINGS: usize = 4;

/// The arm, and the things around it.
#[derive(Clone, Debug)]
pub struct HandAndBall {
    /// Eighteen links: forearm, wrist, palm and fifteen of the fingers.
    pub arm: Rig,
    /// Table, ball, wall and post, with their names.
    pub things: [(&'static str, Mesh); THINGS],
}

/// The places of all objects in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BallFrame {
    /// `world_from_joint` of the arm.
    pub joints: [DAffine3; LINKS],
    /// `world_from_thing`.
    pub things: [DAffine3; THINGS],
}

/// A hand, a ball on a table, and where they are, frame after frame without end.
///
/// ```
/// let (scene, mut frames) = elbowroom_make::hand_and_ball(1);
/// let frame = frames.next().unwrap();
/// assert_eq!(scene.arm.parts.len() * scene.things.len(), 72);
/// assert_eq!((frame.joints.len(), frame.things.len()), (18, 4));
/// ```
pub fn hand_and_ball(seed: u64) -> (HandAndBall, BallFrames) {
    let mut links = Links::new("arm");
    let up = |y: f64| DVec3::new(0.0, y, 0.0);
    let forearm = capsule(up(0.0), up(0.2), 0.028, 3, 12);
    let forearm = links.add("forearm".into(), None, Local::IDENTITY, forearm);
    let wrist = capsule(up(0.0), up(0.02), 0.019, 3, 12);
    let rest = Local::from_translation(up(0.235));
    let wrist = links.add("wrist".into(), Some(forearm), rest, wrist);
    links.free("wrist".into(), wrist, FreedomKind::Ball, DVec3::X, None);
    let rest = Local::from_translation(up(0.035));
    let bends = hand::grow(&mut links, Some(wrist), rest, seed);
    let arm = links.rig();
    let frames = BallFrames::new(&arm, bends, seed);
    (HandAndBall { arm, things: things() }, frames)
}

/// Table, ball, wall and post.
pub(crate) fn things() -> [(&'static str, Mesh); THINGS] {
    [
        ("table", cuboid(TABLE)),
        ("ball", scaled(&icosphere(6), BALL)),
        ("wall", cuboid(DVec3::new(0.012, 0.05, TABLE.z))),
        ("post", cylinder(DVec3::ZERO, DVec3::Y * 0.1, 0.018, 20)),
    ]
}

fn scaled(mesh: &Mesh, by: f64) -> Mesh {
    crate::mesh(mesh.vertices().iter().map(|&p| p * by).collect(), mesh.triangles().to_vec())
}

/// See [`hand_and_ball`].
#[derive(Clone, Debug)]
pub struct BallFrames {
    arm: Rig,
    pose: SkeletonPose,
    world: Vec<DAffine3>,
    bends: Vec<(u32, f64)>,
    /// For each of the fifteen links and the hand's place: how often a second, where it starts.
    waves: [[f64; 2]; 18],
    rolling: Rolling,
    frame: u32,
}

impl BallFrames {
    fn new(arm: &Rig, bends: Vec<(u32, f64)>, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let waves = [0; 18].map(|_: u8| [random.uniform(0.1, 0.4), random.uniform(0.0, TAU)]);
        let (arm, pose) = (arm.clone(), arm.rest_pose());
        let rolling = Rolling::new();
        Self { arm, pose, world: Vec::new(), bends, waves, rolling, frame: 0 }
    }

    fn wave(&self, which: usize, time: f64) -> f64 {
        let [often, start] = self.waves[which];
        libm::sin(TAU * often * time + start)
    }

    /// Bends the fingers, and places the arm over the table, in the table's frame.
    fn reach(&mut self, time: f64) {
        let flick = flick(time);
        for index in 0..self.bends.len() {
            let (link, share) = self.bends[index];
            let bend = share * (0.55 + 0.06 * self.wave(index, time) - 0.4 * flick);
            self.pose.locals[link as usize].rotation = self.rest(link) * about(DVec3::X, bend);
        }
        let sway = [15, 16, 17].map(|which| self.wave(which, time));
        // Palm down, fingers up the slope.
        let rotation = about(DVec3::X, 0.25 * TAU) * about(DVec3::Z, 0.1 * sway[0]);
        let translation = DVec3::new(
            self.rolling.hand + 0.01 * sway[0],
            0.088 + 0.004 * sway[1],
            -0.42 + 0.015 * sway[2],
        );
        self.pose.locals[0] = Local::from_rotation_translation(rotation, translation);
        self.arm.skeleton.world(&self.pose, &mut self.world);
    }

    fn rest(&self, joint: u32) -> glam::DQuat {
        self.arm.skeleton.joints()[joint as usize].rest.rotation
    }

    /// The middles of the links that can reach the ball: of each finger's link the segment to the
    /// next, and its radius with a little to spare.
    fn segments(&self) -> impl Iterator<Item = Segment> {
        self.bends.iter().map(|&(link, _)| {
            let place = &self.world[link as usize];
            let Aabb { min: low, max: high } = self.arm.parts[link as usize].mesh.bounds();
            let radius = high.x;
            let end = DVec3::new(0.0, high.y + low.y, 0.0);
            (place.translation, place.transform_point3(end), 1.02 * radius)
        })
    }
}

/// How far the fingers stretch: every two seconds, for a fifth of a second.
pub(crate) fn flick(time: f64) -> f64 {
    let beat = 0.5 * time - (0.5 * time).floor();
    if beat < 0.1 { libm::sin(0.5 * TAU * beat / 0.1) } else { 0.0 }
}

/// The table leans towards the hand.
pub(crate) fn world_from_table() -> DAffine3 {
    DAffine3::from_quat(about(DVec3::X, -LEAN))
}

/// What pushes the ball: the middle of a link, from where to where, and how thick it is around
/// that.
pub(crate) type Segment = (DVec3, DVec3, f64);

/// The ball, and the hand that goes after it, in the table's frame.
#[derive(Clone, Debug)]
pub(crate) struct Rolling {
    ball: DVec3,
    before: DVec3,
    /// How far to the right the hand is.
    pub(crate) hand: f64,
}

impl Rolling {
    pub(crate) fn new() -> Self {
        let ball = DVec3::new(0.0, BALL, 0.1);
        Self { ball, before: ball, hand: 0.0 }
    }

    /// A frame on, in the table's frame.
    pub(crate) fn roll(&mut self, segments: &[Segment]) {
        let downhill = 9.81 * libm::sin(LEAN) * STEP * STEP;
        let old = self.ball;
        let mut ball = old + (old - self.before) * KEPT - DVec3::Z * downhill;
        for _ in 0..3 {
            for &(from, to, radius) in segments {
                let way = to - from;
                let share = ((ball - from).dot(way) / way.length_squared()).clamp(0.0, 1.0);
                let off = ball - (from + way * share);
                let distance = off.length();
                let least = BALL + radius;
                if distance < least && distance > 0.0 {
                    ball += off * (0.7 * (least - distance) / distance);
                    ball.y = BALL;
                }
            }
        }
        self.before = old;
        for (axis, low, high) in [(0, -SIDE, SIDE), (2, PALM, TABLE.z - BALL)] {
            let edge = ball[axis].clamp(low, high);
            if edge != ball[axis] {
                // Back with six tenths of its speed.
                let speed = ball[axis] - self.before[axis];
                ball[axis] = edge;
                self.before[axis] = edge + 0.6 * speed;
            }
        }
        self.ball = ball;
        self.hand += 0.1 * (ball.x.clamp(-REACH, REACH) - self.hand);
    }

    /// Where table, ball, wall and post are, in the world.
    pub(crate) fn things(&self) -> [DAffine3; THINGS] {
        // A ball that rolls turns by its way over its radius.
        let turned = about(DVec3::X, self.ball.z / BALL) * about(DVec3::Z, -self.ball.x / BALL);
        let at = |translation| DAffine3 { matrix3: DMat3::IDENTITY, translation };
        let ball = DAffine3 { matrix3: DMat3::from_quat(turned), translation: self.ball };
        let wall = at(DVec3::new(TABLE.x - 0.02, 0.05, 0.0));
        let post = at(DVec3::new(-0.12, 0.0, 0.12));
        let things = [at(-DVec3::Y * TABLE.y), ball, wall, post];
        things.map(|thing| world_from_table() * thing)
    }
}

impl Iterator for BallFrames {
    type Item = BallFrame;

    fn next(&mut self) -> Option<BallFrame> {
        let time = f64::from(self.frame) * STEP;
        self.frame = self.frame.wrapping_add(1);
        self.reach(time);
        let segments: Vec<Segment> = self.segments().collect();
        self.rolling.roll(&segments);
        let world_from_table = world_from_table();
        let mut joints = [DAffine3::IDENTITY; LINKS];
        for (joint, &table_from_joint) in joints.iter_mut().zip(&self.world) {
            *joint = world_from_table * table_from_joint;
        }
        Some(BallFrame { joints, things: self.rolling.things() })
    }
}
