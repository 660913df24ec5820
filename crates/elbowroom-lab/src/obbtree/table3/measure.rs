//! What is measured of a simulation, after it has run.
//!
//! The path is gone through again with other trees: at every step with the paper's, at every n-th
//! step with the others and by the clock. At a few steps rational arithmetic has its say about all
//! triangles.

use std::hint::black_box;

use elbowroom::Pose;
use elbowroom::internal::bvh::NodeId;
use elbowroom::internal::query;
use elbowroom::internal::query::{CollisionRequest, Want};
use elbowroom::internal::traverse::Workspace;
use elbowroom::internal::volume::{Meet, Obb};

use super::scene::{Path, Scene};
use super::trees::{AABB, ASKEW, Askew, Asks, NAMES, OBB, SPHERE, Trees, truth};
use crate::obbtree::close::Sums;
use crate::obbtree::grown::{Work, space, watch};
use crate::rounds::Least;

/// What came of a simulation.
pub(super) struct Measured {
    pub(super) name: &'static str,
    /// Triangles of surroundings and thing.
    pub(super) triangles: [usize; 2],
    pub(super) path: Path,
    /// Of the OBB trees, step by step.
    pub(super) work: Vec<Work>,
    /// How many steps all trees were asked about, how many contacts they have, and the tests by
    /// family.
    pub(super) sampled: usize,
    pub(super) sampled_contacts: u64,
    pub(super) sums: [Work; NAMES.len()],
    /// Answers of any tree that are not those of the simulation.
    pub(super) differences: usize,
    pub(super) checked: Checked,
    /// Of the sampled box tests.
    pub(super) operations: Sums,
    pub(super) times: Times,
}

/// What rational arithmetic said.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Checked {
    pub(super) steps: usize,
    pub(super) contacts: usize,
    pub(super) differences: usize,
}

/// Seconds of a query, mean over the sampled steps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Times {
    pub(super) packed: f64,
    pub(super) families: [f64; NAMES.len()],
    /// Of the OBB trees' box tests alone.
    pub(super) boxes: f64,
}

impl Measured {
    pub(super) fn new(scene: &Scene, quick: bool) -> Self {
        let path = scene.run();
        let mut obb = scene.trees();
        let turned = Askew::new(&scene.ground, &scene.thing);
        let mut askew = turned.trees();
        let mut aabb = Trees::aabb(&scene.ground, &scene.thing);
        let mut sphere = Trees::sphere(&scene.ground, &scene.thing);
        let (mut differences, mut pairs, mut nearly) = (0, Vec::new(), Vec::new());
        let mut compared = |trees: &mut dyn Asks, step: usize| {
            let step = &path.steps[step];
            let work = trees.ask(&step.place, &mut pairs);
            differences += usize::from(pairs != step.pairs);
            work
        };
        let work: Vec<Work> = (0..path.steps.len()).map(|i| compared(&mut obb, i)).collect();
        let sample: Vec<usize> =
            (0..path.steps.len()).step_by(if quick { 50 } else { 60 }).collect();
        let mut sums = [Work::default(); NAMES.len()];
        let mut operations = Sums::default();
        for &step in &sample {
            sums[OBB] = sums[OBB].plus(work[step]);
            sums[AABB] = sums[AABB].plus(compared(&mut aabb, step));
            // Turning rounds the corners, so here only the tests are compared.
            sums[ASKEW] = sums[ASKEW].plus(askew.ask(&path.steps[step].place, &mut nearly));
            sums[SPHERE] = sums[SPHERE].plus(compared(&mut sphere, step));
            operations = operations.plus(&Sums::count(&obb.a, &obb.b, &path.steps[step].place));
        }
        let contacts = |&step: &usize| path.steps[step].pairs.len() as u64;
        Self {
            name: scene.name,
            triangles: [&scene.ground, &scene.thing].map(|mesh| mesh.triangles().len()),
            sampled: sample.len(),
            sampled_contacts: sample.iter().map(contacts).sum(),
            work,
            sums,
            differences,
            checked: Checked::new(scene, &path, if quick { 2 } else { 12 }),
            operations,
            times: Times::new(
                &path,
                &sample,
                &mut obb,
                [&mut aabb, &mut askew, &mut sphere],
                quick,
            ),
            path,
        }
    }

    pub(super) fn steps(&self) -> f64 {
        self.path.steps.len() as f64
    }

    /// Contacts, box tests and triangle tests of all steps.
    pub(super) fn totals(&self) -> [u64; 3] {
        let all = self.work.iter().fold(Work::default(), |sum, &work| sum.plus(work));
        [self.path.contacts(), all.volumes, all.primitives]
    }

    /// Contacts a step, box tests a step, triangle tests a contact.
    pub(super) fn rates(&self) -> [f64; 3] {
        let [contacts, volumes, primitives] = self.totals().map(|n| n as f64);
        [contacts / self.steps(), volumes / self.steps(), primitives / contacts]
    }
}

impl Checked {
    /// Checks this many steps with contacts, spread over the path.
    fn new(scene: &Scene, path: &Path, most: usize) -> Self {
        let steps: Vec<_> = path.steps.iter().filter(|step| !step.pairs.is_empty()).collect();
        let mut checked = Self::default();
        for step in steps.iter().step_by(steps.len().div_ceil(most).max(1)) {
            let pairs = truth(&scene.ground, &scene.thing, &step.place);
            checked.steps += 1;
            checked.contacts += pairs.len();
            checked.differences += usize::from(pairs != step.pairs);
        }
        checked
    }
}

impl Times {
    fn new(
        path: &Path,
        sample: &[usize],
        obb: &mut Trees<Obb>,
        [aabb, askew, sphere]: [&mut dyn Asks; 3],
        quick: bool,
    ) -> Self {
        let place = |step: usize| &path.steps[sample[step]].place;
        let noted: Vec<_> = (0..sample.len()).map(|step| Noted::new(obb, place(step))).collect();
        let [ground, thing] = &path.models;
        let question = CollisionRequest { want: Want::Count, ..CollisionRequest::default() };
        let mut workspace = Workspace::default();
        let volumes = [obb.a.volumes.clone(), obb.b.volumes.clone()];
        let mut found: [Vec<(u32, u32)>; NAMES.len()] = Default::default();
        let [first, second, third, fourth] = &mut found;
        let taken = Least::run(
            if quick { 2 } else { 3 },
            sample.len(),
            &mut [
                &mut |step| {
                    let here = Pose::IDENTITY;
                    black_box(query::collide(
                        ground,
                        &here,
                        thing,
                        place(step),
                        &question,
                        &mut workspace,
                    ));
                },
                &mut |step| {
                    black_box(obb.ask(place(step), first));
                },
                &mut |step| {
                    black_box(aabb.ask(place(step), second));
                },
                &mut |step| {
                    black_box(askew.ask(place(step), third));
                },
                &mut |step| {
                    black_box(sphere.ask(place(step), fourth));
                },
                &mut |step| noted[step].test(&volumes),
            ],
        );
        let mean = |contestant: usize| taken.secs(contestant) / sample.len() as f64;
        Self {
            packed: mean(0),
            families: [OBB, AABB, ASKEW, SPHERE].map(|family| mean(1 + family)),
            boxes: mean(1 + NAMES.len()),
        }
    }
}

/// The box tests of a query.
struct Noted {
    space: <Obb as Meet>::Space,
    tests: Vec<(NodeId, NodeId)>,
}

impl Noted {
    fn new(trees: &Trees<Obb>, place: &Pose) -> Self {
        let rigid = space(&trees.a, &trees.b, place);
        let mut tests = Vec::new();
        let note = |i, j| tests.push((i, j));
        watch(&trees.a, &trees.b, &rigid, &mut Workspace::default(), note, |_, _| {});
        Self { space: (&rigid).into(), tests }
    }

    /// Does them once more, and nothing else.
    fn test(&self, [a, b]: &[Vec<Obb>; 2]) {
        for &(i, j) in &self.tests {
            black_box(a[i.index()].may_meet(&b[j.index()], black_box(&self.space)));
        }
    }
}
