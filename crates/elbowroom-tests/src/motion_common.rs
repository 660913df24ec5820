//! What the tests of motions share: the same motion for the library and for its judge.

#![allow(clippy::cast_sign_loss, reason = "numbers of samples are small")]

use elbowroom::internal::math::planar::Planar;
use elbowroom_motion::space_time::{Config, Placed, Sample, Trace, Tracked};
use elbowroom_testkit::motion::Motion;
use elbowroom_testkit::random::Random;
use glam::DVec2;

pub fn trace(motion: &Motion) -> Trace {
    let samples: Vec<Sample> =
        motion.samples.iter().map(|&[x, y, r]| Sample::new(x, y, r)).collect();
    Trace::new(&samples, motion.dt).unwrap()
}

pub fn tracked(motion: &Motion, config: Config) -> Tracked {
    Tracked::new(trace(motion), config).unwrap()
}

pub fn placed(motion: &Motion) -> Placed {
    let [cos, sin] = motion.turn;
    let at = Planar::new(cos, sin, DVec2::from_array(motion.shift)).unwrap();
    Placed::new(at, motion.start).unwrap()
}

/// Turns a motion anyhow, shifts it by at most `far` and lets it start anywhere within `late`
/// seconds; half of the starts are on the grid.
pub fn scatter(motion: &mut Motion, random: &mut Random, far: f64, late: f64) {
    let angle = random.uniform(-3.2, 3.2);
    motion.turn = [angle.cos(), angle.sin()];
    motion.shift = [random.uniform(-far, far), random.uniform(-far, far)];
    let start = random.uniform(-late, late);
    motion.start = if random.one_in(2) { (start / motion.dt).round() * motion.dt } else { start };
}

/// A capture as a motion at 30 samples a second, with one radius; metres, seen from above.
pub fn captured(capture: &elbowroom_testkit::data::mocap::Capture, radius: f64) -> Motion {
    let step = (1.0 / 30.0 / capture.dt).round() as usize;
    let samples = capture.roots.iter().step_by(step).map(|&[x, _, z]| [z, x, radius]).collect();
    Motion::new(samples, step as f64 * capture.dt)
}
