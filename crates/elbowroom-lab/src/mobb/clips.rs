//! The motions: gaits by rule, seeded walks of them, and captured ones where they are at hand.
//!
//! A [`Step`] begins in the origin and heads along x. Where it leads to is a pose, so that steps
//! can follow each other.

use std::f64::consts::PI;

use elbowroom::internal::math::planar::Planar;
use elbowroom_make::body::{Gait, Move, male};
use elbowroom_motion::body::{Clip, Rig, Skeleton};
use elbowroom_motion::space_time::{Reach, Sample, Taking, Trace, Up};
use glam::{DVec2, DVec3};

use super::paper::{FPS, RADIUS};
use crate::Context;
use crate::data::{Absent, Data};
use crate::random::Random;

/// How many short motions the paper has, and how long they are on average.
const SHORT: usize = 51;
const SHORT_SAMPLES: usize = 63;
/// How many long motions the paper has, and how long they are on average.
const LONG: usize = 14;
pub(super) const LONG_SECS: f64 = 42.0;

/// A short motion, and where it leads.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) trace: Trace,
    pub(super) exit: Planar,
}

impl Step {
    /// The motion with disks of another size.
    pub(super) fn with_radius(&self, radius: f64) -> Self {
        let samples: Vec<Sample> =
            self.trace.samples().map(|sample| Sample { radius, ..sample }).collect();
        // What was a trace is one with a good radius.
        let trace = Trace::new(&samples, self.trace.dt()).unwrap_or_else(|_| self.trace.clone());
        Self { trace, ..self.clone() }
    }
}

/// Where motions are from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    Generated,
    Captured,
}

impl Origin {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Generated => "generated gaits",
            Self::Captured => "CMU captures",
        }
    }

    /// One of two names of a claim.
    pub(super) fn id(self, [generated, captured]: [&'static str; 2]) -> &'static str {
        match self {
            Self::Generated => generated,
            Self::Captured => captured,
        }
    }
}

/// Every origin that there is, with its motions; and what to say of those that are not there.
pub(super) struct Motions<T> {
    pub(super) origins: Vec<(Origin, T)>,
    pub(super) notes: Vec<String>,
}

impl<T> Motions<T> {
    fn new(generated: T, captured: Result<T, Absent>) -> Self {
        let mut origins = vec![(Origin::Generated, generated)];
        let mut notes = Vec::new();
        match captured {
            Ok(motions) => origins.push((Origin::Captured, motions)),
            Err(why) => notes.push(crate::data::without("the captured motions", &why)),
        }
        Self { origins, notes }
    }

    /// Does something with the motions of every origin, and tells of the progress.
    pub(super) fn each(&self, context: &Context, mut work: impl FnMut(Origin, &T)) {
        context.progress.ahead(self.origins.len() as u64);
        for (origin, motions) in &self.origins {
            context.progress.message(origin.name());
            work(*origin, motions);
            context.progress.inc(1);
        }
    }
}

/// The short motions of Table 1.
pub(super) fn short(context: &Context) -> Motions<Vec<Step>> {
    Motions::new(generated_steps(), captured_steps(context.data))
}

/// The long motions of Table 2, around the origin.
pub(super) fn long(context: &Context) -> Motions<Vec<Trace>> {
    let centred = |traces: Vec<Trace>| traces.iter().map(centred).collect();
    let generated = walks(&generated_steps(), LONG, LONG_SECS, 0x10c6);
    Motions::new(centred(generated), captured_long(context.data).map(centred))
}

/// Gaits by rule: three in four walk, straight or in curves; the others step aside, walk backward,
/// turn or stand.
fn generated_steps() -> Vec<Step> {
    let skeleton = male().skeleton;
    let moves =
        [Move::StepLeft, Move::StepRight, Move::Back, Move::TurnLeft, Move::TurnRight, Move::Idle];
    let mut random = Random::new(0x510c_0de5);
    (0..SHORT)
        .filter_map(|index| {
            let walks = index % 4 != 3;
            let motion = if walks { Move::Walk } else { moves[index / 4 % moves.len()] };
            let mut gait = Gait::of(&skeleton, motion)?;
            if walks {
                gait.velocity *= random.uniform(0.7, 1.15);
                gait.yaw_rate = random.uniform(-0.9, 0.9);
            }
            // Of 33 to 93 samples: 63 on average.
            let samples = SHORT_SAMPLES - 30 + index * 60 / (SHORT - 1);
            let secs = (samples - 1) as f64 / FPS;
            step(&skeleton, &gait.travelling(secs), 0, samples)
        })
        .collect()
}

/// Captured motions: samples from the middle of each clip.
fn captured_steps(data: &dyn Data) -> Result<Vec<Step>, Absent> {
    let steps = CAPTURED_SHORT.iter().enumerate().map(|(index, name)| {
        let rig = data.rig(&format!("mocap/short/{name}.bvh.gz"))?;
        let clip = first_clip(&rig)?;
        let there = samples_in(clip);
        let samples = (SHORT_SAMPLES - 30 + index * 60 / (SHORT - 1)).min(there - 1);
        // Captures begin with a rest pose in the origin, one key long.
        let skip = 1 + (there - 1 - samples) / 2;
        step(&rig.skeleton, clip, skip, samples)
            .ok_or_else(|| Absent::new(format!("{name}: is no motion on the ground")))
    });
    steps.collect()
}

/// Seeded walks of short motions, each as long as the paper's long ones on average, some longer and
/// some shorter.
pub(super) fn walks(steps: &[Step], count: usize, mean_secs: f64, seed: u64) -> Vec<Trace> {
    let mut random = Random::new(seed);
    (0..count)
        .filter_map(|index| {
            let share = 0.9 + 0.2 * (index as f64 + 0.5) / count as f64;
            walk(steps, (share * mean_secs * FPS).round(), &mut random)
        })
        .collect()
}

fn walk(steps: &[Step], samples: f64, random: &mut Random) -> Option<Trace> {
    let mut at = Planar::IDENTITY;
    let mut all: Vec<Sample> = Vec::new();
    while (all.len() as f64) < samples {
        let step = &steps[random.below(steps.len() as u64) as usize];
        let placed = step.trace.placed(&at).ok()?;
        // The last sample of a step is the first of the next.
        all.extend(placed.samples().take(step.trace.len() - 1));
        at = at.after(&step.exit);
    }
    all.truncate(whole(samples).max(1));
    Trace::new(&all, 1.0 / FPS).ok()
}

/// The long captures, without their first key.
fn captured_long(data: &dyn Data) -> Result<Vec<Trace>, Absent> {
    let traces = CAPTURED_LONG.iter().map(|name| {
        let rig = data.rig(&format!("mocap/long/{name}.bvh.gz"))?;
        let taking = Taking { skip: 1, ..taking() };
        Trace::from_clip(&rig.skeleton, first_clip(&rig)?, &taking)
            .map_err(|error| Absent::new(format!("{name}: {error}")))
    });
    traces.collect()
}

fn taking() -> Taking {
    Taking { up: Up::Y, reach: Reach::Fixed(RADIUS), fps: Some(FPS), ..Taking::default() }
}

fn first_clip(rig: &Rig) -> Result<&Clip, Absent> {
    rig.clips.first().ok_or_else(|| Absent::new(format!("{}: has no clip", rig.name)))
}

fn samples_in(clip: &Clip) -> usize {
    whole((clip.seconds() * FPS + 1e-6).floor()).max(1) + 1
}

/// Some samples of a clip, begun in the origin.
fn step(skeleton: &Skeleton, clip: &Clip, from: usize, count: usize) -> Option<Step> {
    let trace = Trace::from_clip(skeleton, clip, &taking()).ok()?;
    let to = (from + count).min(trace.len());
    let samples: Vec<Sample> = (from..to).map(|index| trace.sample(index)).collect();
    let entry = stand(skeleton, clip, from)?;
    let exit = stand(skeleton, clip, to - 1)?;
    let back = entry.inverse();
    let trace = Trace::new(&samples, trace.dt()).ok()?.placed(&back).ok()?;
    Some(Step { trace, exit: back.after(&exit) })
}

/// Where the root is at a sample, and where it heads.
fn stand(skeleton: &Skeleton, clip: &Clip, sample: usize) -> Option<Planar> {
    let (mut pose, mut world) = (skeleton.rest_pose(), Vec::new());
    clip.sample(clip.start() + sample as f64 / FPS, &mut pose);
    skeleton.world(&pose, &mut world);
    let root = world.first()?;
    let ahead = Up::Y.ground(root.transform_vector3(DVec3::Z));
    let heading = if ahead.length() > 1e-6 { libm::atan2(ahead.y, ahead.x) } else { 0.0 };
    debug_assert!(heading.abs() <= PI);
    Planar::from_angle(heading, Up::Y.ground(root.translation)).ok()
}

/// A whole number that is not negative.
#[expect(clippy::cast_sign_loss, reason = "callers round what is not negative")]
pub(super) fn whole(number: f64) -> usize {
    number as usize
}

/// A motion around the origin: the middle of the box of its centres.
pub(super) fn centred(trace: &Trace) -> Trace {
    let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
    for sample in trace.samples() {
        low = low.min(sample.center);
        high = high.max(sample.center);
    }
    let back = Planar::new(1.0, 0.0, -0.5 * (low + high));
    back.ok().and_then(|back| trace.placed(&back).ok()).unwrap_or_else(|| trace.clone())
}

/// The short captures, by subject and trial.
pub(crate) const CAPTURED_SHORT: [&str; SHORT] = [
    "02_01", "05_01", "07_01", "07_05", "08_01", "08_07", "113_21", "12_01", "134_03", "140_07",
    "141_20", "16_12", "16_14", "16_15", "16_18", "16_20", "16_31", "16_33", "26_01", "29_01",
    "32_02", "35_02", "35_29", "38_01", "39_01", "43_01", "45_01", "46_01", "47_01", "49_01",
    "49_18", "69_17", "69_19", "69_21", "69_25", "69_29", "69_31", "69_50", "69_54", "69_56",
    "69_60", "69_66", "77_02", "82_08", "82_15", "83_05", "83_13", "83_37", "83_55", "83_68",
    "91_46",
];

/// The long captures, by subject and trial.
const CAPTURED_LONG: [&str; LONG] = [
    "132_44", "137_15", "13_21", "142_13", "142_15", "144_32", "14_03", "15_01", "40_02", "69_06",
    "69_08", "69_38", "69_47", "91_09",
];
