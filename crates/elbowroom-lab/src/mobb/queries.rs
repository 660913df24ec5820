//! What is asked of two motions, and the motions of a method.

use elbowroom::internal::math::planar::Planar;
use elbowroom_motion::space_time::{Config, Placed, Trace, Tracked, Workspace, collide};
use glam::DVec2;

use super::clips::{LONG_SECS, centred};
use crate::random::Random;

/// Of 100 queries 83 overlap in time in the paper's Table 2: motions of 42 s with delays up to
/// this.
pub(super) const DELAY: f64 = LONG_SECS / 0.83;
/// The share of collisions. The paper says that it is as in its crowd, and prints neither; at this
/// one a box alone takes about as many sample tests as in the paper.
pub(super) const SHARE: f64 = 0.05;

/// Two motions by their numbers, placed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Query {
    pub(super) a: usize,
    pub(super) pa: Placed,
    pub(super) b: usize,
    pub(super) pb: Placed,
}

/// Trees over some motions.
///
/// # Panics
/// Never: the configurations of the experiments are good.
pub(super) fn grown(traces: &[Trace], config: Config) -> Vec<Tracked> {
    let grow = |trace: &Trace| Tracked::new(trace.clone(), config).expect("a good configuration");
    traces.iter().map(grow).collect()
}

/// How random queries are drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Draw {
    /// The second motion is shifted by this much at most, along x and along y.
    pub(super) shift: f64,
    /// The most seconds by which it starts before or after the first.
    pub(super) delay: f64,
    /// Whether starts are whole numbers of samples.
    pub(super) on_grid: bool,
}

impl Draw {
    /// As for the long motions of Table 2.
    pub(super) fn long(traces: &[Trace]) -> Self {
        Self { shift: shift_for(traces, DELAY, SHARE), delay: DELAY, on_grid: false }
    }

    /// One of the motions is shifted, turned and delayed at random.
    pub(super) fn queries(&self, motions: usize, count: usize, seed: u64) -> Vec<Query> {
        let mut random = Random::new(seed);
        (0..count).map(|_| self.query(motions, &mut random)).collect()
    }

    fn query(&self, motions: usize, random: &mut Random) -> Query {
        let mut pick = || random.below(motions as u64) as usize;
        let (a, b) = (pick(), pick());
        let angle = random.uniform(-std::f64::consts::PI, std::f64::consts::PI);
        let [x, y] = [0; 2].map(|_| random.uniform(-self.shift, self.shift));
        let delay = random.uniform(-self.delay, self.delay);
        let start = if self.on_grid {
            (delay * super::paper::FPS).round() * (1.0 / super::paper::FPS)
        } else {
            delay
        };
        let at = Planar::from_angle(angle, DVec2::new(x, y)).unwrap_or(Planar::IDENTITY);
        let pb = Placed::new(at, start).unwrap_or(Placed::ORIGIN);
        Query { a, pa: Placed::ORIGIN, b, pb }
    }
}

/// The shift at which a share of the random queries collide, to a hundredth of a metre; motions are
/// centred.
pub(super) fn shift_for(traces: &[Trace], delay: f64, share: f64) -> f64 {
    let motions = grown(traces, Config::default());
    let mut workspace = Workspace::new();
    let (mut near, mut far) = (0.0, 400.0);
    while far - near > 0.01 {
        let shift = 0.5 * (near + far);
        let draw = Draw { shift, delay, on_grid: false };
        let queries = draw.queries(motions.len(), 4000, 0x5a1f);
        let hits = queries
            .iter()
            .filter(|q| collide(&motions[q.a], &q.pa, &motions[q.b], &q.pb, &mut workspace))
            .count();
        if hits as f64 > share * queries.len() as f64 {
            near = shift;
        } else {
            far = shift;
        }
    }
    0.5 * (near + far)
}

/// The motions moved to the origin, so that a shift says how far apart two are.
pub(super) fn all_centred(traces: &[Trace]) -> Vec<Trace> {
    traces.iter().map(centred).collect()
}
