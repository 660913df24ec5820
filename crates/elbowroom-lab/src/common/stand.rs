//! A scene with structures of one kind around its meshes.

use std::hint::black_box;

use elbowroom::internal::query::CollisionRequest;
use elbowroom::internal::traverse::{Tally, Workspace};

use super::scene::Scene;
use super::structure::{Kind, Made, ask_made};
use super::turns::{Secs, Turns};
use elbowroom_papers::grammar::thread_secs;

/// What was counted.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Counted {
    pub(super) tally: Tally,
    /// By question: pairs of triangles that touch and that cross, or one of them where only that
    /// is asked.
    pub(super) pairs: Vec<[u64; 2]>,
}

impl Counted {
    /// How many questions found a contact.
    pub(super) fn contacts(&self) -> u64 {
        self.pairs.iter().filter(|[touching, crossing]| touching + crossing > 0).count() as u64
    }
}

/// A scene with structures of one kind.
pub(super) struct Stand<'a> {
    scene: &'a Scene,
    kind: Kind,
    pub(super) made: Vec<Made>,
    workspace: Workspace,
}

impl<'a> Stand<'a> {
    pub(super) fn new(scene: &'a Scene, kind: Kind) -> Self {
        let make = |mesh| if scene.is_soft() { kind.make_soft(mesh) } else { kind.make(mesh) };
        Self::with(scene, kind, scene.meshes.iter().map(make).collect())
    }

    /// With structures that were made before, by mesh; they follow as those of a kind do.
    pub(super) fn with(scene: &'a Scene, kind: Kind, made: Vec<Made>) -> Self {
        Self { scene, kind, made, workspace: Workspace::default() }
    }

    /// Asks all questions and counts.
    pub(super) fn count(&mut self, question: &CollisionRequest) -> Counted {
        let mut counted = Counted::default();
        self.each(question, |tally, pairs| {
            counted.tally += tally;
            counted.pairs.push(pairs);
        });
        counted
    }

    /// Asks all questions against the clock.
    pub(super) fn time(&mut self, question: &CollisionRequest) -> Secs {
        self.each(question, |tally, pairs| {
            black_box((tally, pairs));
        })
    }

    fn each(&mut self, question: &CollisionRequest, mut see: impl FnMut(Tally, [u64; 2])) -> Secs {
        let Self { scene, kind, made, workspace } = self;
        let mut secs = Secs::default();
        for moment in scene.moments() {
            let start = thread_secs();
            for (made, vertices) in made.iter_mut().zip(moment.vertices) {
                kind.follow(made, vertices);
            }
            let ready = thread_secs();
            for asked in moment.asks {
                let bodies = asked.bodies.map(|body| &made[body]);
                let answer = ask_made(bodies, &asked.at, question, workspace);
                see(answer.tally, [answer.touching, answer.crossing]);
            }
            secs.follow += ready - start;
            secs.ask += thread_secs() - ready;
        }
        secs
    }
}

/// All kinds on a scene: what each counts, and the times of all in turns.
pub(super) fn measure(
    scene: &Scene,
    kinds: &[Kind],
    question: &CollisionRequest,
    rounds: usize,
) -> (Vec<Counted>, Turns) {
    let mut stands: Vec<Stand> = kinds.iter().map(|&kind| Stand::new(scene, kind)).collect();
    let counted = stands.iter_mut().map(|stand| stand.count(question)).collect();
    let turns = Turns::run(rounds, stands.len(), |kind| stands[kind].time(question));
    (counted, turns)
}
