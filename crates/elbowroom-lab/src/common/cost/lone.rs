//! The tests of queries on layered trees, noted and then done alone.

use elbowroom::Aabb;
use std::hint::black_box;
use std::ops::ControlFlow;

use elbowroom::internal::bvh::NodeId;
use elbowroom::internal::exact::{PlacedTriangle, relate};
use elbowroom::internal::traverse::{Judge, Path, Workspace, pair};
use elbowroom_papers::sbbk::HybridTree;
use elbowroom_papers::sbbk::LayeredPairs;
use elbowroom_papers::sbbk::Spaces;

use super::super::scene::{Asked, Scene};
use super::super::structure::Made;
use elbowroom_papers::grammar::thread_secs;

/// The most tests of each kind that are timed alone; the others are counted.
const MOST: usize = 300_000;

/// Tests alone: how many were timed, and their seconds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Timed {
    tests: u64,
    secs: f64,
}

/// Seconds of one test, of several timings together.
pub(super) fn mean(timed: impl IntoIterator<Item = Timed>) -> f64 {
    let mut sum = Timed::default();
    for one in timed {
        sum.tests += one.tests;
        sum.secs += one.secs;
    }
    if sum.tests == 0 { 0.0 } else { sum.secs / sum.tests as f64 }
}

/// What the tests of all questions of a scene take alone.
pub(super) struct Lone {
    /// Tests of volumes and of triangles.
    pub(super) counted: [u64; 2],
    pub(super) volumes: Timed,
    pub(super) triangles: Timed,
}

/// What a traversal looks at.
struct Notes<'a> {
    pairs: LayeredPairs<'a>,
    counted: [u64; 2],
    tests: Vec<(NodeId, NodeId)>,
    triangles: Vec<[u32; 2]>,
    room: [usize; 2],
}

impl Judge for Notes<'_> {
    fn may_meet(&mut self, a: NodeId, b: NodeId) -> bool {
        self.counted[0] += 1;
        if self.tests.len() < self.room[0] {
            self.tests.push((a, b));
        }
        self.pairs.may_meet(a, b)
    }

    fn is_first_larger(&self, a: NodeId, b: NodeId) -> bool {
        self.pairs.is_first_larger(a, b)
    }

    fn leaves(&mut self, a: NodeId, b: NodeId) -> ControlFlow<()> {
        for &i in self.pairs.a.tree.members(a) {
            for &j in self.pairs.b.tree.members(b) {
                self.counted[1] += 1;
                if self.triangles.len() < self.room[1] {
                    self.triangles.push([i, j]);
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn limit(&mut self, _: NodeId, _: NodeId) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Bounds the sum of the magnitudes of any coordinates, as the library does.
fn reach(model: &HybridTree) -> f64 {
    let Aabb { min: low, max: high } = model.bounds();
    low.abs().max(high.abs()).element_sum()
}

impl Lone {
    /// Nothing of trees that are not layered.
    pub(super) fn measure(scene: &Scene, made: &[Made]) -> Option<Self> {
        let mut lone =
            Self { counted: [0; 2], volumes: Timed::default(), triangles: Timed::default() };
        for asked in &scene.asks {
            let [a, b] = asked.bodies.map(|body| made[body].layered());
            lone.add(asked, a?, b?);
        }
        Some(lone)
    }

    fn add(&mut self, asked: &Asked, a: &HybridTree, b: &HybridTree) {
        let [place_a, place_b] = &asked.at;
        let spaces = Spaces::new(place_a, reach(a), place_b, reach(b), 0.0);
        let pairs = LayeredPairs { a: a.layered_tree(), b: b.layered_tree(), spaces: &spaces };
        let room =
            [self.volumes, self.triangles].map(|timed| MOST.saturating_sub(timed.tests as usize));
        let mut notes =
            Notes { pairs, counted: [0; 2], tests: Vec::new(), triangles: Vec::new(), room };
        // Nothing breaks it off.
        let _ = pair(a.tree(), b.tree(), Path::default(), &mut notes, &mut Workspace::default());
        for (sum, more) in self.counted.iter_mut().zip(notes.counted) {
            *sum += more;
        }
        add(&mut self.volumes, notes.tests.len(), || {
            for &(i, j) in &notes.tests {
                black_box(pairs.may_meet(i, j));
            }
        });
        add(&mut self.triangles, notes.triangles.len(), || {
            for &[i, j] in &notes.triangles {
                let first = PlacedTriangle::new(place_a, a.mesh().triangle(i as usize));
                let second = PlacedTriangle::new(place_b, b.mesh().triangle(j as usize));
                black_box(relate(&first, &second));
            }
        });
    }
}

/// The least of three times; what is too short for the clock is done several times.
fn add(timed: &mut Timed, tests: usize, run: impl Fn()) {
    if tests == 0 {
        return;
    }
    let repeats = (2000 / tests).max(1);
    let secs = (0..3).map(|_| {
        let start = thread_secs();
        (0..repeats).for_each(|_| run());
        (thread_secs() - start) / repeats as f64
    });
    timed.secs += secs.fold(f64::INFINITY, f64::min);
    timed.tests += tests as u64;
}
