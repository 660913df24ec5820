//! The built-in scene: a crowded pavement of our own people, eight seconds long.
//!
//! Most keep to their lanes, three each way, and stay clear of each other. Some do not: a couple
//! walks too close, one looks at a phone, one cuts across, one is in a hurry, and two stand and
//! talk with their hands. They are what there is to be found.

use std::f64::consts::PI;
use std::sync::Arc;

use elbowroom_io::Axis;
use elbowroom_make::body::{Gait, Move, female, male};
use elbowroom_motion::body::{Clip, Rig};
use elbowroom_motion::scene::{
    Actor, Axes, Content, Motion, Object, Path, Playback, Repeat, Scene, Step, Timing, Whereabouts,
};
use glam::{DAffine3, DQuat, DVec3};

use super::Read;
use crate::args::CheckArgs;

const SECONDS: f64 = 8.0;

/// Whose body it is.
#[derive(Clone, Copy, PartialEq)]
enum Sex {
    Woman,
    Man,
}
use Sex::{Man, Woman};

/// People who keep to a lane: at which z it is, how fast they go along x (below 0, the other way),
/// and who they are, from the lowest x to the highest.
type Lane = (f64, f64, [(&'static str, Sex); 5]);

const LANES: [Lane; 6] = [
    (0.5, 1.38, [("Ada", Woman), ("Ben", Man), ("Cleo", Woman), ("Dan", Man), ("Eva", Woman)]),
    (1.35, 1.3, [("Finn", Man), ("Gia", Woman), ("Hugo", Man), ("Ida", Woman), ("Jon", Man)]),
    (2.2, 1.22, [("Kim", Woman), ("Leo", Man), ("Mia", Woman), ("Nils", Man), ("Olga", Woman)]),
    (-0.5, -1.34, [("Paul", Man), ("Rosa", Woman), ("Sam", Man), ("Tess", Woman), ("Uma", Woman)]),
    (-1.35, -1.26, [("Vito", Man), ("Wren", Woman), ("Xavi", Man), ("Yara", Woman), ("Zeno", Man)]),
    (
        -2.2,
        -1.2,
        [("Anna", Woman), ("Bob", Man), ("Carla", Woman), ("Dario", Man), ("Elin", Woman)],
    ),
];

/// How far apart people of a lane are, in metres.
const APART: f64 = 3.2;

/// Places on the floor (x, z), a second and a third apart from each other, from the first moment to
/// the last.
type Way = [[f64; 2]; 7];

/// Those who do not keep to a lane.
const STRAYS: [(&str, Sex, Way); 6] = [
    // A couple, arm in arm, on the far side of all lanes.
    (
        "Faye",
        Woman,
        [[-5.2, 3.1], [-3.5, 3.1], [-1.8, 3.1], [-0.1, 3.1], [1.6, 3.1], [3.3, 3.1], [5.0, 3.1]],
    ),
    (
        "Gero",
        Man,
        [
            [-5.2, 3.52],
            [-3.5, 3.52],
            [-1.8, 3.52],
            [-0.1, 3.52],
            [1.6, 3.52],
            [3.3, 3.52],
            [5.0, 3.52],
        ],
    ),
    // Looks at a phone and drifts into those who come along.
    (
        "Hana",
        Woman,
        [[6.6, 0.0], [4.9, 0.05], [3.2, 0.2], [1.5, 0.45], [-0.2, 0.4], [-1.9, 0.1], [-3.6, 0.0]],
    ),
    // Cuts across.
    (
        "Igor",
        Man,
        [
            [-3.0, -4.2],
            [-2.4, -2.8],
            [-1.7, -1.4],
            [-1.0, 0.0],
            [-0.3, 1.3],
            [0.4, 2.6],
            [1.1, 4.0],
        ],
    ),
    // In a hurry: overtakes between two lanes.
    (
        "Jana",
        Woman,
        [
            [7.5, -1.0],
            [4.8, -1.0],
            [2.1, -0.95],
            [-0.6, -0.9],
            [-3.3, -0.95],
            [-6.0, -1.0],
            [-8.7, -1.0],
        ],
    ),
    // Turns back, having forgotten something.
    (
        "Karl",
        Man,
        [
            [1.8, -3.1],
            [0.5, -3.1],
            [-0.5, -3.0],
            [-0.7, -2.6],
            [0.2, -2.45],
            [1.4, -2.6],
            [2.6, -3.0],
        ],
    ),
];

/// Two who stand and talk: where, and which way they look.
const TALKERS: [(&str, Sex, [f64; 2], f64); 2] =
    [("Lara", Woman, [4.1, -3.2], 0.5 * PI), ("Milo", Man, [4.8, -3.15], -0.5 * PI)];

/// The scene, where its objects come from, and what people should know.
pub(super) fn scene(args: &CheckArgs) -> Result<Read, String> {
    let bodies = [Body::new(female())?, Body::new(male())?];
    let of = |sex: Sex| &bodies[usize::from(sex == Man)];
    let mut people: Vec<(&str, Actor)> = Vec::new();
    for (z, speed, names) in LANES {
        for (place, (name, sex)) in names.into_iter().enumerate() {
            let number = people.len();
            // No one keeps exactly to the row.
            let middle = APART * (place as f64 - 2.0) + 0.9 * (spread(number, 1) - 0.5);
            let [from, to] = [-0.5, 0.5].map(|part| middle + part * speed * SECONDS);
            let ends = [step(0.0, [from, z]), step(SECONDS, [to, z])];
            people.push((name, of(sex).walker(&ends, number)?));
        }
    }
    for (name, sex, way) in &STRAYS {
        people.push((name, of(*sex).walker(&smooth(way), people.len())?));
    }
    for (name, sex, at, heading) in TALKERS {
        people.push((name, of(sex).talker(at, heading, people.len())));
    }
    let count = people.len();
    let objects = people.into_iter().map(|(name, actor)| Object::new(name, Content::Actor(actor)));
    let fps = args.fps.unwrap_or(30.0);
    #[expect(clippy::cast_sign_loss, reason = "the rate is above 0")]
    let timing = Timing::new(fps, 0, (SECONDS * fps + 1e-6) as u32);
    let scene = Scene::new(timing, objects.collect(), &[]).map_err(|error| error.to_string())?;
    let note = format!(
        "no files given, so this checks the built-in scene: {count} generated people on a pavement, for {SECONDS} seconds; \
         `elbowroom check --help` shows how to check your files"
    );
    Ok(Read {
        scene,
        up: Axis::Y,
        sources: vec![None; count],
        plays: vec![None; count],
        notes: vec![note],
        doubts: Vec::new(),
        facts: Vec::new(),
    })
}

/// A body, and what it can do.
struct Body {
    rig: Arc<Rig>,
    walk: Arc<Clip>,
    talk: Arc<Clip>,
    stride: f64,
}

impl Body {
    fn new(rig: Rig) -> Result<Self, String> {
        let gait = |motion| Gait::of(&rig.skeleton, motion).ok_or("our own people can do it all");
        let (walk, talk) = (gait(Move::Walk)?, gait(Move::Talk)?);
        let stride = walk.velocity.length() * walk.clip.seconds();
        Ok(Self {
            walk: Arc::new(walk.clip),
            talk: Arc::new(talk.clip),
            stride,
            rig: Arc::new(rig),
        })
    }

    fn walker(&self, steps: &[Step], number: usize) -> Result<Actor, String> {
        let path = Arc::new(Path::new(steps, Axes::Y_UP)?);
        let scale = height(number);
        let stride = Some(self.stride * scale);
        Ok(Actor {
            motion: playing(&self.walk, number),
            whereabouts: Whereabouts::Walk { path, scale, stride, in_place: None },
            ..Actor::new(Arc::clone(&self.rig))
        })
    }

    fn talker(&self, [x, z]: [f64; 2], heading: f64, number: usize) -> Actor {
        let scale = DVec3::splat(height(number));
        let half = 0.5 * heading;
        let turn = DQuat::from_xyzw(0.0, libm::sin(half), 0.0, libm::cos(half));
        let place = DAffine3::from_scale_rotation_translation(scale, turn, DVec3::new(x, 0.0, z));
        Actor {
            motion: playing(&self.talk, number),
            whereabouts: Whereabouts::Fixed(place),
            ..Actor::new(Arc::clone(&self.rig))
        }
    }
}

/// A clip that has been going on for a while, for everyone another one.
fn playing(clip: &Arc<Clip>, number: usize) -> Motion {
    let start_secs = -spread(number, 2) * clip.seconds();
    Motion::Clip(Playback { start_secs, ..Playback::new(Arc::clone(clip), Repeat::Loop) })
}

/// How tall a person is, as a share of our man or woman.
fn height(number: usize) -> f64 {
    0.92 + 0.1 * spread(number, 3)
}

/// Numbers from 0 to 1 that are spread evenly (Roberts, The unreasonable effectiveness of
/// quasirandom sequences, 2018): multiples of powers of the root of x⁴ = x + 1, of which there are
/// three.
fn spread(number: usize, which: usize) -> f64 {
    const POWERS: [f64; 3] =
        [0.819_172_513_396_164_5, 0.671_043_606_703_789_3, 0.549_700_477_901_970_3];
    let part = (number as f64 + 0.5) * POWERS[which % 3];
    part - part.floor()
}

fn step(time_secs: f64, [x, z]: [f64; 2]) -> Step {
    Step { time_secs, position: DVec3::new(x, 0.0, z), heading: None }
}

/// A smooth way through places that are equally far apart in time (Catmull and Rom, A class of
/// local interpolating splines, 1974).
fn smooth(way: &Way) -> Vec<Step> {
    const PARTS: usize = 10;
    let last = way.len() - 1;
    let at = |place: usize| DVec3::new(way[place][0], 0.0, way[place][1]);
    let mut steps = Vec::new();
    for part in 0..=last * PARTS {
        let place = (part / PARTS).min(last - 1);
        let t = (part - place * PARTS) as f64 / PARTS as f64;
        let (p0, p1) = (at(place.saturating_sub(1)), at(place));
        let (p2, p3) = (at(place + 1), at((place + 2).min(last)));
        let (m1, m2) = ((p2 - p0) * 0.5, (p3 - p1) * 0.5);
        let (t2, t3) = (t * t, t * t * t);
        let position = p1 * (2.0 * t3 - 3.0 * t2 + 1.0)
            + m1 * (t3 - 2.0 * t2 + t)
            + p2 * (3.0 * t2 - 2.0 * t3)
            + m2 * (t3 - t2);
        let time_secs = SECONDS * part as f64 / (last * PARTS) as f64;
        steps.push(Step { time_secs, position, heading: None });
    }
    steps
}
