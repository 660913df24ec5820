//! What each way of keeping boxes costs on a scene: counts, and times that can be compared.
//!
//! Frames are taken in blocks. Within a block one way after the other updates all frames, then
//! looks for candidates in all of them, then asks about these; each step is repeated and its least
//! time counts. So no clock runs for less than a microsecond or two, and a machine that is slow at
//! one moment is slow for all ways.

use std::time::Instant;

use elbowroom_papers::cab::{
    Allowed, LinkQuestion, Work, Workspace, candidates_between, candidates_within, decide_between,
    decide_within,
};
use elbowroom_papers::cab::{CabAxis, CabHierarchy, RefitMethod};

use super::scene::{Frame, Scene};
use crate::Context;

/// The ways of the tables, in their order.
pub(super) const ROWS: [(RefitMethod, &str); 5] = [
    (RefitMethod::Brute, "brute"),
    (RefitMethod::AabbVertices, "AABB⁺"),
    (RefitMethod::AabbCorners, "AABB*"),
    (RefitMethod::Covariance, "OBB"),
    (RefitMethod::Cab(CabAxis::Longest), "CAB"),
];
pub(super) const BRUTE: usize = 0;
pub(super) const VERTICES: usize = 1;
pub(super) const CORNERS: usize = 2;
pub(super) const OBB: usize = 3;
pub(super) const CAB: usize = 4;
/// Beyond the tables: the modern form of AABB*, c ± |R|·e.
pub(super) const CENTRE: usize = 5;

/// Frames that are taken together.
const BLOCK: usize = 16;
/// How often a step is timed.
const REPEATS: usize = 3;

/// What one way took over all frames.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Row {
    /// Counts of everything.
    pub(super) work: Work,
    /// Seconds of exact queries, of placing links and refitting boxes, and of looking for
    /// candidates.
    pub(super) query: f64,
    pub(super) update: f64,
    pub(super) test: f64,
}

impl Row {
    pub(super) fn total(&self) -> f64 {
        self.query + self.update + self.test
    }
}

/// What all ways took on a scene.
pub(super) struct Measured {
    /// The rows of the tables, then [`CENTRE`].
    pub(super) rows: Vec<Row>,
    pub(super) frames: u64,
    pub(super) pairs: u64,
    pub(super) what: &'static str,
}

impl Measured {
    /// Takes this many frames of a scene, all ways.
    pub(super) fn of(context: &Context, scene: Scene, frames: usize) -> Self {
        let mut keeps: Vec<RefitMethod> = ROWS.iter().map(|row| row.0).collect();
        keeps.push(RefitMethod::AabbCentre);
        Self::ways(context, scene, frames, &keeps)
    }

    /// Takes this many frames of a scene, some ways.
    pub(super) fn ways(
        context: &Context,
        scene: Scene,
        frames: usize,
        keeps: &[RefitMethod],
    ) -> Self {
        let (pairs, what) = (scene.pairs(), scene.what);
        let mut stands: Vec<Stand> = keeps.iter().map(|&keep| Stand::new(&scene, keep)).collect();
        let mut stream = scene.frames.take(frames);
        context.progress.message(what);
        loop {
            let block: Vec<Frame> = stream.by_ref().take(BLOCK).collect();
            if block.is_empty() {
                break;
            }
            for stand in &mut stands {
                stand.take(&block);
            }
            context.progress.inc(block.len() as u64);
        }
        let rows = stands.into_iter().map(|stand| stand.row).collect();
        Self { rows, frames: frames as u64, pairs, what }
    }

    pub(super) fn calls(&self, row: usize) -> u64 {
        self.rows[row].work.calls
    }

    pub(super) fn hits(&self, row: usize) -> u64 {
        self.rows[row].work.hits
    }

    /// How many times the second's total the first took.
    pub(super) fn total_ratio(&self, first: usize, second: usize) -> f64 {
        self.rows[first].total() / self.rows[second].total()
    }

    pub(super) fn update_ratio(&self, first: usize, second: usize) -> f64 {
        self.rows[first].update / self.rows[second].update
    }

    pub(super) fn calls_ratio(&self, first: usize, second: usize) -> f64 {
        self.calls(first) as f64 / self.calls(second).max(1) as f64
    }

    /// Whether all rows have equal numbers of true hits.
    pub(super) fn same_hits(&self) -> bool {
        self.rows.iter().all(|row| row.work.hits == self.rows[0].work.hits)
    }
}

/// One way, with bodies and memory for each frame of a block.
struct Stand {
    within: [Option<Allowed>; 2],
    places: Vec<Place>,
    row: Row,
}

/// One frame: the bodies, and memory for the questions between them and within each.
struct Place {
    bodies: [CabHierarchy; 2],
    rooms: [Workspace; 3],
}

impl Stand {
    fn new(scene: &Scene, keep: RefitMethod) -> Self {
        let bodies = scene.bodies.each_ref().map(|body| CabHierarchy::new(body.clone(), keep));
        let place = || Place { bodies: bodies.clone(), rooms: Default::default() };
        Self {
            within: scene.within.clone(),
            places: std::iter::repeat_with(place).take(BLOCK).collect(),
            row: Row::default(),
        }
    }

    fn take(&mut self, block: &[Frame]) {
        let Self { within, places, row } = self;
        let places = &mut places[..block.len()];
        row.update += least(|| {
            for (place, frame) in places.iter_mut().zip(block) {
                for (body, joints) in place.bodies.iter_mut().zip(frame) {
                    body.update(joints).expect("generated poses are rigid");
                }
            }
        });
        let mut tested = Work::default();
        row.test += least(|| {
            tested = Work::default();
            for Place { bodies: [a, b], rooms: [between, own_a, own_b] } in places.iter_mut() {
                tested += candidates_between(a, b, between).1;
                for (body, allowed, own) in [(a, &within[0], own_a), (b, &within[1], own_b)] {
                    if let Some(allowed) = allowed {
                        tested += candidates_within(body, allowed, own).1;
                    }
                }
            }
        });
        let question = LinkQuestion::default();
        let mut asked = Work::default();
        row.query += least(|| {
            asked = Work::default();
            for Place { bodies: [a, b], rooms: [between, own_a, own_b] } in places.iter_mut() {
                asked += decide_between(a, b, &question, between).work;
                for (body, allowed, own) in [(a, &within[0], own_a), (b, &within[1], own_b)] {
                    if allowed.is_some() {
                        asked += decide_within(body, &question, own).work;
                    }
                }
            }
        });
        row.work += tested;
        row.work += asked;
        for body in places.iter().flat_map(|place| &place.bodies) {
            row.work += body.work();
        }
    }
}

/// The least seconds that a step takes.
fn least(mut step: impl FnMut()) -> f64 {
    let secs = (0..REPEATS).map(|_| {
        let start = Instant::now();
        step();
        start.elapsed().as_secs_f64()
    });
    secs.fold(f64::INFINITY, f64::min)
}
