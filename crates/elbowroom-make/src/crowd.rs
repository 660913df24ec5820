//! People on their way: who, when, where.
//!
//! Every walker follows a smooth path at a constant speed, from the moment they enter to the moment
//! they leave, and where they are at any time can be asked without looking at the times before. A
//! walker's phase is how far they are in the clip `walk`, so their feet stand still on
//! the floor while the path is straight. No walker gives way: the crowd is made to collide.

use std::f64::consts::TAU;

use glam::DVec3;

use crate::body::Sex;
use crate::random::Random;

/// The ground of a crowd, in the plane y = 0 around the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ground {
    /// Along x, both ways.
    Corridor {
        /// Along x, in metres.
        length: f64,
        /// Along z, in metres.
        width: f64,
    },
    /// Across a circle, every way.
    Plaza {
        /// In metres.
        radius: f64,
    },
}

/// The measures of a crowd.
///
/// ```
/// use elbowroom_make::{Crowd, crowd};
///
/// let walkers = crowd(&Crowd { people: 50, ..Crowd::default() });
/// let there = walkers.iter().filter_map(|walker| walker.at(30.0)).count();
/// assert!(walkers.len() == 50 && there > 0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crowd {
    /// The number of people.
    pub people: u32,
    /// The ground.
    pub ground: Ground,
    /// The seconds within which they enter.
    pub seconds: f64,
    /// The seed of the crowd.
    pub seed: u64,
}

impl Default for Crowd {
    fn default() -> Self {
        let ground = Ground::Plaza { radius: 15.0 };
        Self { people: 100, ground, seconds: 60.0, seed: 1 }
    }
}

/// Someone on their way.
#[derive(Clone, Debug, PartialEq)]
pub struct Walker {
    /// The sex of the body.
    pub sex: Sex,
    /// The height, in metres.
    pub height: f64,
    /// The time of entering, in seconds.
    pub enters: f64,
    /// The speed, in metres per second.
    pub speed: f64,
    /// Two steps, in metres.
    pub stride: f64,
    /// The phase in which they enter.
    first_phase: f64,
    /// The corners of a Bézier curve.
    path: [DVec3; 4],
    /// The way covered at equal steps of the curve's parameter.
    covered: Vec<f64>,
}

/// The place of a walker, with heading and phase of the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stand {
    /// The place on the floor.
    pub place: DVec3,
    /// The heading, to the left of +z, in radians.
    pub heading: f64,
    /// The phase in the clip `walk`, from 0 to 1.
    pub phase: f64,
}

/// Pieces into which a path is cut to measure it.
const PIECES: usize = 64;

/// The walkers of a crowd, in order of their entry.
///
/// # Panics
/// If the ground or the time has no extent, or is not finite.
pub fn crowd(what: &Crowd) -> Vec<Walker> {
    let [long, wide] = match what.ground {
        Ground::Corridor { length, width } => [length, width],
        Ground::Plaza { radius } => [radius, radius],
    };
    let is_size = |size: f64| size > 0.0 && size.is_finite();
    assert!(is_size(long) && is_size(wide) && is_size(what.seconds), "no crowd walks in {what:?}");
    let mut random = Random::new(what.seed);
    let mut walkers: Vec<Walker> = (0..what.people).map(|_| walker(what, &mut random)).collect();
    walkers.sort_by(|a, b| a.enters.total_cmp(&b.enters));
    walkers
}

fn walker(what: &Crowd, random: &mut Random) -> Walker {
    let is_man = random.uniform(0.0, 1.0) < 0.5;
    let (sex, usual) = if is_man { (Sex::Male, 1.8) } else { (Sex::Female, 1.67) };
    let height = usual * random.uniform(0.92, 1.08);
    // Longer legs, longer strides: the walk of our people at rest from hurry is 0.8 of the height a
    // stride.
    let stride = 0.78 * height * random.uniform(0.95, 1.05);
    let path = match what.ground {
        Ground::Corridor { length, width } => along(length, width, random),
        Ground::Plaza { radius } => across(radius, random),
    };
    let mut covered = vec![0.0];
    let mut last = path[0];
    for piece in 1..=PIECES {
        let next = on_curve(&path, piece as f64 / PIECES as f64);
        covered.push(covered[piece - 1] + (next - last).length());
        last = next;
    }
    Walker {
        sex,
        height,
        enters: random.uniform(0.0, what.seconds),
        speed: stride * random.uniform(0.85, 1.0),
        stride,
        first_phase: random.uniform(0.0, 1.0),
        path,
        covered,
    }
}

/// From one end of a corridor to the other.
fn along(length: f64, width: f64, random: &mut Random) -> [DVec3; 4] {
    let way = if random.uniform(0.0, 1.0) < 0.5 { 0.5 } else { -0.5 };
    // Shoulders keep off the walls.
    let free = 0.5 * (width - 0.6).max(0.0);
    let [from, to] = [0; 2].map(|_: u8| random.uniform(-free, free));
    [(-1.0, from), (-0.3, from), (0.3, to), (1.0, to)]
        .map(|(x, z)| DVec3::new(x * way * length, 0.0, z))
}

/// From one point of a circle to one on its far half, by way of two points near the middle.
fn across(radius: f64, random: &mut Random) -> [DVec3; 4] {
    let start = random.uniform(0.0, TAU);
    let end = start + 0.5 * TAU + random.uniform(-1.2, 1.2);
    let on_circle =
        |angle: f64| DVec3::new(radius * libm::cos(angle), 0.0, radius * libm::sin(angle));
    let mut near = |from: DVec3| {
        let [x, z] = [0; 2].map(|_: u8| random.uniform(-0.2, 0.2));
        from * 0.35 + DVec3::new(x, 0.0, z) * radius
    };
    let (from, to) = (on_circle(start), on_circle(end));
    [from, near(from), near(to), to]
}

fn on_curve([a, b, c, d]: &[DVec3; 4], t: f64) -> DVec3 {
    let s = 1.0 - t;
    *a * (s * s * s) + *b * (3.0 * s * s * t) + *c * (3.0 * s * t * t) + *d * (t * t * t)
}

impl Walker {
    /// The time of leaving, in seconds.
    pub fn leaves(&self) -> f64 {
        self.enters + self.covered[PIECES] / self.speed
    }

    /// The place at a time; `None` before entering and after leaving.
    pub fn at(&self, time_secs: f64) -> Option<Stand> {
        let way = (time_secs - self.enters) * self.speed;
        if !(0.0..=self.covered[PIECES]).contains(&way) {
            return None;
        }
        let next = self.covered.partition_point(|&covered| covered <= way).clamp(1, PIECES);
        let [from, to] = [next - 1, next].map(|piece| self.covered[piece]);
        let t = ((next - 1) as f64 + (way - from) / (to - from)) / PIECES as f64;
        let place = on_curve(&self.path, t);
        let [a, b, c, d] = self.path;
        let s = 1.0 - t;
        let ahead = (b - a) * (s * s) + (c - b) * (2.0 * s * t) + (d - c) * (t * t);
        let strides = self.first_phase + way / self.stride;
        let heading = libm::atan2(ahead.x, ahead.z);
        Some(Stand { place, heading, phase: strides - strides.floor() })
    }
}
