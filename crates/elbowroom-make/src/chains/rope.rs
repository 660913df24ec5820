//! Two ropes of joined points, moved in steps.
//!
//! A step is that of position-based dynamics (Müller, Heidelberger, Hennix and Ratcliff, Position
//! based dynamics, 2007): points go on as they went, less the drag, and fall; then distances are
//! put right by pairs, several times over, and links of different ropes that are too near push each
//! other away. So ropes slide along each other, as those of the paper did: many of its boxes
//! overlap where hardly a link touches. We differ at the end: one walk down from the hand makes
//! every length and every bend exact, so that what comes out is an articulated body. The velocity
//! is what is left of the step after that.
//!
//! The frame of a link is carried along by the smallest turn from its old direction to the new one.
//! Only sums, products, quotients and square roots are in a step, and the hands' sines come from
//! one library.

use std::f64::consts::TAU;

use glam::{DAffine3, DMat3, DVec3};

use super::{CHAIN_LINKS, Play};
use crate::random::Random;

const POINTS: usize = CHAIN_LINKS + 1;
/// Seconds a frame.
const STEP: f64 = 1.0 / 60.0;
/// A fifth of the earth's: heavier chains hang down and seldom meet.
const GRAVITY: f64 = 2.0;
/// What is left of a velocity after a frame.
const KEPT: f64 = 0.992;
const PASSES: usize = 12;
/// Cosine of the largest bend of a joint: 19°.
pub(super) const BEND: f64 = 0.945;
/// How near links of different ropes come before they yield, in widths. They yield late, so some
/// touch.
const THICK: f64 = 1.05;
/// Frames before the first one that is given, so that the ropes have left their start.
const LEAD: u32 = 240;

/// Both ropes and the hands that hold them.
#[derive(Clone, Debug)]
pub(super) struct Ropes {
    both: [Rope; 2],
    hands: [Hand; 2],
    braid: Option<Braid>,
    pitch: f64,
    thick: f64,
    frame: u32,
}

impl Ropes {
    pub(super) fn new(play: Play, pitch: f64, width: f64, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let hands = [-1.0, 1.0].map(|side| Hand::new(side, play, width, &mut random));
        let braid = (play == Play::Braided).then(|| Braid::new(pitch, width, &mut random));
        let both = [0, 1].map(|i: usize| Rope::hanging(hands[i].at(0.0), pitch));
        let mut all = Self { both, hands, braid, pitch, thick: THICK * width, frame: 0 };
        for _ in 0..LEAD {
            all.step();
        }
        all
    }

    /// One frame on, and where the joints are then.
    pub(super) fn step(&mut self) -> [[DAffine3; CHAIN_LINKS]; 2] {
        self.frame = self.frame.wrapping_add(1);
        let time = f64::from(self.frame) * STEP;
        let hands = [0, 1].map(|side: usize| self.hands[side].at(time));
        for (side, rope) in self.both.iter_mut().enumerate() {
            let guide = self.braid.as_ref().map(|braid| braid.at(side, time));
            rope.go_on(guide.as_ref());
        }
        for pass in 0..PASSES {
            for (rope, hand) in self.both.iter_mut().zip(hands) {
                rope.correct(hand, self.pitch);
            }
            if pass % 3 == 2 {
                self.push_apart();
            }
        }
        for (rope, hand) in self.both.iter_mut().zip(hands) {
            rope.walk(hand, self.pitch);
        }
        [self.both[0].joints(), self.both[1].joints()]
    }

    /// Links of different ropes that are nearer than they are thick yield, half of the way each.
    fn push_apart(&mut self) {
        let [first, second] = &mut self.both;
        for a in 0..CHAIN_LINKS {
            for b in 0..CHAIN_LINKS {
                let reach = self.pitch + self.thick;
                let step = first.at[a] + first.at[a + 1] - second.at[b] - second.at[b + 1];
                if 0.25 * step.length_squared() > reach * reach {
                    continue;
                }
                let [s, t] =
                    nearest([first.at[a], first.at[a + 1]], [second.at[b], second.at[b + 1]]);
                let way =
                    second.at[b].lerp(second.at[b + 1], t) - first.at[a].lerp(first.at[a + 1], s);
                let distance = way.length();
                if distance >= self.thick || distance == 0.0 {
                    continue;
                }
                let push = way * (0.5 * (self.thick - distance) / distance);
                first.shove(a, s, -push);
                second.shove(b, t, push);
            }
        }
    }
}

/// One rope: its points from the hand down, where they were a frame ago, and the frames of its
/// links.
#[derive(Clone, Debug)]
struct Rope {
    at: [DVec3; POINTS],
    before: [DVec3; POINTS],
    turns: [DMat3; CHAIN_LINKS],
}

impl Rope {
    fn hanging(hand: DVec3, pitch: f64) -> Self {
        let at = std::array::from_fn(|i| hand - DVec3::Y * (pitch * i as f64));
        Self { at, before: at, turns: [DMat3::IDENTITY; CHAIN_LINKS] }
    }

    /// On as before, less the drag, down, and towards the guide.
    fn go_on(&mut self, guide: Option<&[DVec3; POINTS]>) {
        let old = self.at;
        for (at, before) in self.at.iter_mut().zip(&self.before) {
            *at += (*at - *before) * KEPT - DVec3::Y * (GRAVITY * STEP * STEP);
        }
        self.before = old;
        if let Some(guide) = guide {
            for (at, to) in self.at.iter_mut().zip(guide) {
                *at += (*to - *at) * Braid::PULL;
            }
        }
    }

    /// Brings distances nearer to what they should be.
    fn correct(&mut self, hand: DVec3, pitch: f64) {
        // The shortest way across two links whose joint is bent as far as it goes.
        let folded = pitch * (2.0 + 2.0 * BEND).sqrt();
        self.at[0] = hand;
        for i in 1..POINTS {
            self.pull(i - 1, i, pitch, false);
        }
        for i in 2..POINTS {
            self.pull(i - 2, i, folded, true);
        }
    }

    /// Moves a link at a share of its length.
    fn shove(&mut self, link: usize, share: f64, by: DVec3) {
        self.at[link] += by * (1.0 - share);
        self.at[link + 1] += by * share;
    }

    /// Brings two points to a distance, or only to no less than that; the hand is not moved.
    fn pull(&mut self, a: usize, b: usize, distance: f64, at_least: bool) {
        let way = self.at[b] - self.at[a];
        let length = way.length();
        if length == 0.0 || (at_least && length >= distance) {
            return;
        }
        let by = way * ((length - distance) / length);
        let share = if a == 0 { 0.0 } else { 0.5 };
        self.at[a] += by * share;
        self.at[b] -= by * (1.0 - share);
    }

    /// Down from the hand: every link as long as it is, no joint bent too far, and frames carried
    /// along.
    fn walk(&mut self, hand: DVec3, pitch: f64) {
        let mut points = [hand; POINTS];
        let mut last: Option<DVec3> = None;
        for i in 0..CHAIN_LINKS {
            let old = -self.turns[i].y_axis;
            let mut along = unit(self.at[i + 1] - self.at[i], old);
            if let Some(last) = last {
                along = bent(last, along);
            }
            points[i + 1] = points[i] + along * pitch;
            self.turns[i] = carried(&self.turns[i], -along);
            last = Some(along);
        }
        self.at = points;
    }

    fn joints(&self) -> [DAffine3; CHAIN_LINKS] {
        std::array::from_fn(|i| DAffine3 { matrix3: self.turns[i], translation: self.at[i] })
    }
}

/// The shares of two segments at which they are nearest to each other (Ericson, Real-time collision
/// detection, 2005, 5.1.9); of parallel ones the first's middle.
fn nearest(a: [DVec3; 2], b: [DVec3; 2]) -> [f64; 2] {
    let (u, v, w) = (a[1] - a[0], b[1] - b[0], a[0] - b[0]);
    let (uu, vv, uv) = (u.dot(u), v.dot(v), u.dot(v));
    let (uw, vw) = (u.dot(w), v.dot(w));
    let both = uu * vv - uv * uv;
    let s = if both > 1e-9 * uu * vv { ((uv * vw - uw * vv) / both).clamp(0.0, 1.0) } else { 0.5 };
    let t = (uv * s + vw) / vv;
    if (0.0..=1.0).contains(&t) {
        return [s, t];
    }
    let t = t.clamp(0.0, 1.0);
    [((uv * t - uw) / uu).clamp(0.0, 1.0), t]
}

/// The direction of a vector, or another where it has none.
fn unit(way: DVec3, other: DVec3) -> DVec3 {
    let length = way.length();
    if length > 0.0 { way / length } else { other }
}

/// A direction, brought back towards the last one if the joint between them is bent too far.
fn bent(last: DVec3, along: DVec3) -> DVec3 {
    let cos = last.dot(along);
    if cos >= BEND {
        return along;
    }
    let across = unit(along - last * cos, crate::capsule::across(last)[0]);
    last * BEND + across * (1.0 - BEND * BEND).sqrt()
}

/// A frame turned as little as brings its y axis to a direction, and square again to the last bits.
fn carried(turn: &DMat3, y: DVec3) -> DMat3 {
    let middle = turn.y_axis + y;
    let square = middle.length_squared();
    let mut x = turn.x_axis;
    // The turn is two mirrors: one across the old y, which leaves x, and one across the middle.
    // After half a turn in one frame x stays.
    if square > 1e-12 {
        x -= middle * (2.0 * middle.dot(x) / square);
    }
    x = unit(x - y * y.dot(x), crate::capsule::across(y)[0]);
    DMat3::from_cols(x, y, x.cross(y))
}

/// What holds the end of a rope: it goes to and fro on sums of sines.
#[derive(Clone, Debug)]
struct Hand {
    middle: DVec3,
    /// For each axis two sines: how often a second, where it starts, how far.
    waves: [[[f64; 3]; 2]; 3],
}

impl Hand {
    fn new(side: f64, play: Play, width: f64, random: &mut Random) -> Self {
        let (apart, far) = match play {
            Play::Loose => (2.0 * width, 4.0 * width),
            Play::Braided => (1.1 * width, 0.0),
        };
        let waves = [0; 3].map(|_: u8| {
            [0; 2].map(|_: u8| {
                [
                    random.uniform(0.08, 0.8),
                    random.uniform(0.0, TAU),
                    far * random.uniform(0.4, 1.0),
                ]
            })
        });
        Self { middle: DVec3::X * (0.5 * side * apart), waves }
    }

    fn at(&self, time: f64) -> DVec3 {
        let wave = |[often, start, far]: [f64; 3]| far * libm::sin(TAU * often * time + start);
        let along = |waves: &[[f64; 3]; 2]| wave(waves[0]) + wave(waves[1]);
        self.middle + DVec3::from_array([0, 1, 2].map(|axis| along(&self.waves[axis])))
    }
}

/// Two screws around one axis, which the ropes are drawn to; they turn, sway and breathe.
#[derive(Clone, Debug)]
struct Braid {
    pitch: f64,
    radius: f64,
    waves: [[f64; 2]; 3],
}

impl Braid {
    /// How much of the way to its screw a point is drawn in a frame.
    const PULL: f64 = 0.3;
    /// How far the screw turns from one joint to the next.
    const TURN: f64 = 0.2 * TAU;

    fn new(pitch: f64, width: f64, random: &mut Random) -> Self {
        let waves = [0; 3].map(|_: u8| [random.uniform(0.1, 0.4), random.uniform(0.0, TAU)]);
        Self { pitch, radius: 1.2 * width, waves }
    }

    fn at(&self, side: usize, time: f64) -> [DVec3; POINTS] {
        let wave = |i: usize| {
            let [often, start] = self.waves[i];
            libm::sin(TAU * often * time + start)
        };
        let radius = self.radius * (1.0 + 0.25 * wave(0));
        let turned = 0.3 * wave(1) + if side == 0 { 0.5 * TAU } else { 0.0 };
        std::array::from_fn(|i| {
            let angle = turned + Self::TURN * i as f64;
            let down = i as f64 * self.pitch;
            let sway = 0.15 * down * wave(2);
            DVec3::new(radius * libm::cos(angle) + sway, -down, radius * libm::sin(angle))
        })
    }
}
