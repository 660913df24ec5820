//! Motions on the ground by brute force: every pair of samples that are held at a common moment.
//!
//! A motion is an array of (x, y, radius), a sampling time, a turn, a shift and a start. Times are
//! compared as integers of any length, so that a start which misses the grid by the last bit does
//! miss it.

#![allow(
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "numbers of samples are small, and clamped before they are indices"
)]

use std::cmp::Ordering;
use std::ops::Range;

use dashu_int::IBig;

use crate::random::Random;

/// A motion, placed.
#[derive(Clone, Debug)]
pub struct Motion {
    /// Centre and radius of each disk.
    pub samples: Vec<[f64; 3]>,
    /// From one sample to the next.
    pub dt: f64,
    /// Cosine and sine.
    pub turn: [f64; 2],
    /// Added after the turn.
    pub shift: [f64; 2],
    /// When sample 0 begins.
    pub start: f64,
}

impl Motion {
    /// Unturned, unmoved, at time 0.
    pub fn new(samples: Vec<[f64; 3]>, dt: f64) -> Self {
        Self { samples, dt, turn: [1.0, 0.0], shift: [0.0; 2], start: 0.0 }
    }

    /// A sample where it stands.
    pub fn placed(&self, index: usize) -> [f64; 3] {
        let ([c, s], [x, y, r]) = (self.turn, self.samples[index]);
        [(c * x - s * y) + self.shift[0], (s * x + c * y) + self.shift[1], r]
    }
}

/// Numerator over a power of two.
fn exact(value: f64) -> (IBig, i32) {
    let bits = value.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32;
    let fraction = (bits & ((1 << 52) - 1)) as i64;
    let size = if exponent == 0 { fraction } else { fraction | 1 << 52 };
    (IBig::from(if value < 0.0 { -size } else { size }), exponent.max(1) - 1075)
}

/// Compares a.start + i·a.dt with b.start + j·b.dt.
pub fn compare_times(a: &Motion, i: i64, b: &Motion, j: i64) -> Ordering {
    let (fast_a, fast_b) = (a.start + i as f64 * a.dt, b.start + j as f64 * b.dt);
    if (fast_a - fast_b).abs()
        > 1e-9 * (a.start.abs() + b.start.abs() + fast_a.abs() + fast_b.abs())
    {
        return fast_a.total_cmp(&fast_b);
    }
    let terms = [(a.start, 1), (a.dt, i), (b.start, -1), (b.dt, -j)].map(|(value, times)| {
        let (size, exponent) = exact(value);
        (size * IBig::from(times), exponent)
    });
    let least = terms.iter().map(|term| term.1).min().unwrap_or(0);
    let sum = terms
        .into_iter()
        .fold(IBig::ZERO, |sum, (size, exponent)| sum + (size << (exponent - least) as usize));
    sum.cmp(&IBig::ZERO)
}

/// Whether two samples are held at a common moment.
pub fn held_together(a: &Motion, i: usize, b: &Motion, j: usize) -> bool {
    let (i, j) = (i as i64, j as i64);
    compare_times(a, i, b, j + 1) == Ordering::Less
        && compare_times(b, j, a, i + 1) == Ordering::Less
}

/// Whether two disks collide, by the squares of f64; touching ones if that counts.
pub fn disks_meet(a: [f64; 3], b: [f64; 3], touching: bool) -> bool {
    let (dx, dy, reach) = (a[0] - b[0], a[1] - b[1], a[2] + b[2]);
    let (square, limit) = (dx * dx + dy * dy, reach * reach);
    if touching { square <= limit } else { square < limit }
}

/// Samples that may be held together with sample i by any reckoning: without this a million queries
/// would take a day.
fn about(a: &Motion, i: usize, b: &Motion) -> Range<usize> {
    let count = b.samples.len() as f64;
    let guess = ((a.start + i as f64 * a.dt - b.start) / b.dt).floor();
    let wide = (a.dt / b.dt).ceil() + 4.0;
    (guess - 3.0).clamp(0.0, count) as usize..(guess + wide).clamp(0.0, count) as usize
}

/// Every pair of samples that are held at a common moment and collide, in order of time.
pub fn pairs(a: &Motion, b: &Motion, touching: bool) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for i in 0..a.samples.len() {
        let here = a.placed(i);
        let hits =
            |&j: &usize| disks_meet(here, b.placed(j), touching) && held_together(a, i, b, j);
        found.extend(about(a, i, b).filter(hits).map(|j| (i, j)));
    }
    found
}

/// Whether two motions collide.
pub fn collide(a: &Motion, b: &Motion, touching: bool) -> bool {
    (0..a.samples.len()).any(|i| {
        let here = a.placed(i);
        let hits = |j: usize| disks_meet(here, b.placed(j), touching) && held_together(a, i, b, j);
        about(a, i, b).any(hits)
    })
}

/// A walk that turns at random: speed in lengths a second, radii around `radius`.
pub fn walk(random: &mut Random, samples: usize, dt: f64, speed: f64, radius: f64) -> Motion {
    let (mut x, mut y) = (0.0_f64, 0.0_f64);
    let mut heading = random.uniform(-3.2, 3.2);
    let mut pause = 0_u64;
    let points = (0..samples)
        .map(|_| {
            let here = [x, y, radius * random.uniform(0.8, 1.2)];
            if pause > 0 {
                pause -= 1;
            } else {
                heading += random.uniform(-0.15, 0.15);
                x += speed * dt * heading.cos();
                y += speed * dt * heading.sin();
                if random.one_in(60) {
                    pause = random.below(20);
                }
            }
            here
        })
        .collect();
    Motion::new(points, dt)
}

/// A walk that turns at random within a room, a disk about the origin: it turns back where it would
/// leave.
pub fn pace(random: &mut Random, samples: usize, dt: f64, speed: f64, room: f64) -> Motion {
    let (mut x, mut y, mut heading) = (0.0_f64, 0.0_f64, random.uniform(-3.2, 3.2));
    let mut bend = 0.0;
    let points = (0..samples)
        .map(|_| {
            let here = [x, y, 1.0];
            if random.one_in(30) {
                bend = random.uniform(-1.5, 1.5);
            }
            let outward = x * heading.cos() + y * heading.sin();
            let turn = if x * x + y * y > room * room && outward > 0.0 { 3.0 } else { bend };
            heading += turn * dt;
            x += speed * dt * heading.cos();
            y += speed * dt * heading.sin();
            here
        })
        .collect();
    Motion::new(points, dt)
}
