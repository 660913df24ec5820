//! The two simulations: what moves where, and what it meets.
//!
//! The paper gives the sizes of its models, the numbers of steps and what the dynamics does: find
//! the contacts of the moment, apply an impulse at each, advance the clock. Everything else is our
//! choice, and stands here as constants.
//!
//! A body that touches parts at least by half of what its fall gains in a step: then it is where it
//! was a step later, and neither sinks nor hops.

use elbowroom::internal::model::Model;
use elbowroom::internal::query;
use elbowroom::internal::query::CollisionRequest;
use elbowroom::internal::traverse::Workspace;
use elbowroom::internal::volume::Obb;
use elbowroom::{Mesh, Pose};
use elbowroom_make::{Pipes, landscape, pipes, wrinkled_torus};
use glam::{DQuat, DVec3};

use super::trees::Trees;
use crate::dynamics::{Body, Bounce, Field, Mass, Touch, parting};
use crate::obbtree::grown::mapped;

/// How many times smaller the falling pipes are: the paper's number.
const SMALLER: f64 = 15.0;
/// Of the ground beneath the torus, in metres and seconds.
const GRAVITY: f64 = 9.81;

/// A thing that moves in surroundings that do not.
pub(in crate::obbtree) struct Scene {
    pub(in crate::obbtree) name: &'static str,
    pub(in crate::obbtree) ground: Mesh,
    /// The centre of mass is at its origin.
    pub(in crate::obbtree) thing: Mesh,
    body: Body,
    field: Field,
    bounce: Bounce,
    /// How long a step is.
    secs: f64,
    steps: usize,
    /// Whether the thing is the surroundings again, smaller.
    is_copy: bool,
}

impl Scene {
    /// A tangle of pipes falls into one that is fifteen times as large, towards its centre. A cell
    /// of the large one has length 1, and so has the pull.
    pub(in crate::obbtree) fn pipes(quick: bool) -> Self {
        // Dense enough that what falls seldom goes far without meeting a pipe, and open enough that
        // it comes inward.
        let what = if quick {
            Pipes { cells: 12, pipes: 20, longest: 50, radius: 0.2, sectors: 5, bend: 2, seed: 1 }
        } else {
            Pipes { cells: 16, pipes: 60, longest: 60, radius: 0.2, sectors: 10, bend: 5, seed: 1 }
        };
        let ground = pipes(&what);
        let small = mapped(&ground, |v| v / SMALLER);
        let mass = Mass::of_solid(&small, 1.0);
        let thing = mapped(&small, |v| v - mass.centre);
        // From beside the middle of the upper face, a little out of the lattice.
        let half = 0.5 * f64::from(what.cells);
        let place = DVec3::new(0.3 * half, 1.1 * half, -0.2 * half);
        let body = Body::new(&mass, place, DQuat::IDENTITY)
            .with_motion(DVec3::ZERO, DVec3::new(0.7, 0.4, -0.5));
        let secs = if quick { 0.01 } else { 0.006 };
        Self {
            name: "pipes",
            ground,
            thing,
            body,
            field: Field::Inward { pull: 1.0, core: 1.0 },
            bounce: Bounce { restitution: 0.3, least: 0.5 * secs },
            secs,
            steps: if quick { 1000 } else { 4008 },
            is_copy: true,
        }
    }

    /// A wrinkled torus falls around a stalagmite onto ground with dents and teeth.
    pub(in crate::obbtree) fn torus(quick: bool) -> Self {
        let [columns, rows, round] = if quick { [70, 70, 36] } else { [245, 200, 100] };
        // A stalagmite in the middle, more than twice as high as the teeth.
        let ground = mapped(&landscape(columns, rows, 1), |v| {
            v + DVec3::Y * (1.2 * libm::exp(-(v.x * v.x + v.z * v.z) / 0.03))
        });
        let ring = wrinkled_torus(round, round);
        let mass = Mass::of_solid(&ring, 1.0);
        let thing = mapped(&ring, |v| v - mass.centre);
        let tilt = DQuat::from_xyzw(0.15, 0.0, 0.1, 1.0).normalize();
        let body = Body::new(&mass, DVec3::new(0.05, 1.8, -0.05), tilt)
            .with_motion(DVec3::ZERO, DVec3::new(0.5, 1.0, 0.3));
        // So that the run ends soon after the torus has come to rest.
        let secs = if quick { 1.0 / 300.0 } else { 1.0 / 480.0 };
        Self {
            name: "torus",
            ground,
            thing,
            body,
            field: Field::Uniform(DVec3::NEG_Y * GRAVITY),
            bounce: Bounce { restitution: 0.4, least: 0.5 * GRAVITY * secs },
            secs,
            steps: if quick { 600 } else { 1298 },
            is_copy: false,
        }
    }

    /// The paper's trees of both.
    pub(in crate::obbtree) fn trees(&self) -> Trees<'_, Obb> {
        if self.is_copy {
            Trees::obb_copied(&self.ground, &self.thing)
        } else {
            Trees::obb(&self.ground, &self.thing)
        }
    }

    /// Goes through the simulation.
    pub(in crate::obbtree) fn run(&self) -> Path {
        let models = [&self.ground, &self.thing].map(|mesh| Model::new(mesh.clone()));
        let mut body = self.body;
        let mut workspace = Workspace::default();
        let mut steps = Vec::with_capacity(self.steps);
        for _ in 0..self.steps {
            let step = self.step(&models, &mut body, &mut workspace);
            steps.push(step);
            body.advance(&self.field, self.secs);
        }
        Path { models, steps }
    }

    /// Finds the contacts of the moment and applies an impulse at each.
    fn step(&self, models: &[Model; 2], body: &mut Body, workspace: &mut Workspace) -> Step {
        let here = Pose::IDENTITY;
        let place = body.placement();
        let [ground, thing] = models;
        let answer =
            query::collide(ground, &here, thing, &place, &CollisionRequest::default(), workspace);
        let mut rock = Body::fixed();
        let mut impulses = 0;
        for &pair in &answer.pairs {
            let corners = self.thing.triangle(pair.b as usize).map(|corner| place.apply(corner));
            let Some(normal) = parting(self.ground.triangle(pair.a as usize), corners) else {
                continue;
            };
            let point = query::contact(ground, &here, thing, &place, pair).point;
            let strength = self.bounce.between(&mut rock, body, &Touch { point, normal });
            impulses += u64::from(strength > 0.0);
        }
        let pairs = answer.pairs.iter().map(|pair| (pair.a, pair.b)).collect();
        Step { place, pairs, impulses, energy: body.energy(&self.field) }
    }
}

/// What happened in a simulation.
pub(in crate::obbtree) struct Path {
    /// Surroundings and thing, packed.
    pub(in crate::obbtree) models: [Model; 2],
    pub(in crate::obbtree) steps: Vec<Step>,
}

/// A moment of a simulation.
pub(in crate::obbtree) struct Step {
    pub(in crate::obbtree) place: Pose,
    /// Triangles that meet, of surroundings and thing, in order.
    pub(in crate::obbtree) pairs: Vec<(u32, u32)>,
    /// How many of them gave an impulse.
    pub(in crate::obbtree) impulses: u64,
    /// After the impulses.
    pub(in crate::obbtree) energy: f64,
}

impl Path {
    /// Of all steps together.
    pub(in crate::obbtree) fn contacts(&self) -> u64 {
        self.steps.iter().map(|step| step.pairs.len() as u64).sum()
    }

    /// The largest energy at any later time, over that at the start.
    pub(in crate::obbtree) fn most_energy(&self) -> f64 {
        let most = self.steps.iter().map(|step| step.energy).fold(f64::MIN, f64::max);
        most / self.steps[0].energy
    }
    /// Of all steps together.
    pub(in crate::obbtree) fn impulses(&self) -> u64 {
        self.steps.iter().map(|step| step.impulses).sum()
    }

    /// How many steps have a contact.
    pub(in crate::obbtree) fn touching(&self) -> usize {
        self.steps.iter().filter(|step| !step.pairs.is_empty()).count()
    }

    /// Energy at the end over that at the start.
    pub(in crate::obbtree) fn energy_left(&self) -> f64 {
        self.steps[self.steps.len() - 1].energy / self.steps[0].energy
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Places and rotations of every step, bit by bit.
    fn bits(path: &Path) -> u64 {
        let numbers = path.steps.iter().flat_map(|step| {
            let rotation = step.place.rotation().to_cols_array();
            rotation.into_iter().chain(step.place.translation().to_array())
        });
        numbers.fold(0xcbf2_9ce4_8422_2325, |hash, number| {
            (hash ^ number.to_bits()).wrapping_mul(0x0100_0000_01b3)
        })
    }

    #[test]
    fn things_fall_bounce_and_win_no_energy() {
        for (scene, contacts) in [(Scene::pipes(true), 7621), (Scene::torus(true), 628)] {
            let path = scene.run();
            let (start, end) = (path.steps[0].place, path.steps[path.steps.len() - 1].place);
            assert!(end.translation().length() < start.translation().length() - 0.5);
            assert_eq!(path.contacts(), contacts, "{}", scene.name);
            assert!(path.impulses() > 200 && path.impulses() <= contacts);
            // From step to step, too: only parting at the least speed adds something.
            let scale = path.steps[0].energy;
            let rise = |pair: &[Step]| (pair[1].energy - pair[0].energy) / scale;
            let most = path.steps.windows(2).map(rise).fold(0.0, f64::max);
            assert!(most < 1e-4, "{}: {most}", scene.name);
            assert!(path.most_energy() <= 1.0 + 1e-4 && path.energy_left() < 0.9);
        }
    }

    #[test]
    fn the_bits_of_paths_never_change() {
        let found = [Scene::pipes(true), Scene::torus(true)].map(|scene| bits(&scene.run()));
        assert_eq!(found, [16_872_535_654_289_849_788, 18_144_657_038_845_642_998]);
    }
}
