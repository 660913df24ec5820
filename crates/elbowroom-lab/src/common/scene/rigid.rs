//! Rigid bodies.

use elbowroom::{Aabb, Mesh, Pose};
use elbowroom_make::body::{Gait, Move};
use elbowroom_make::{Pipes, join, landscape, lat_long_sphere, pipes, wrinkled_torus};
use elbowroom_motion::body::SkeletonPose;
use glam::{DVec2, DVec3};

use super::{Asked, Scene};
use crate::bch::bodies::{people as rigs, posed_mesh};
use crate::bch::cases::{turned, upright};
use crate::data::{SUZANNE, at_rest};
use crate::random::Random;
use crate::sbbk::scene::{at, ball, helicopter};
use crate::{Absent, Context};

/// The woman and the man of `MakeHuman`.
const REAL_PEOPLE: [&str; 2] =
    ["characters/mh_female2850_cmu.glb", "characters/mh_male2850_cmu.glb"];

fn moved(mesh: &Mesh, map: impl Fn(DVec3) -> DVec3) -> Mesh {
    let vertices = mesh.vertices().iter().map(|&p| map(p)).collect();
    mesh.with_vertices(vertices).expect("as many as before")
}

fn sphere(quick: bool) -> Mesh {
    if quick { lat_long_sphere(26, 40) } else { lat_long_sphere(101, 160) }
}

/// Turned anyhow and shifted.
fn somewhere(random: &mut Random, shift: DVec3) -> Pose {
    Pose::new(random.rotation(), shift).expect("a rotation")
}

/// One within the other, in gaps of 10, 1 and 0.1 %.
pub(super) fn concentric(quick: bool) -> Scene {
    let inner = sphere(quick);
    let gaps: &[f64] = if quick { &[0.1, 0.03] } else { &[0.1, 0.01, 1e-3] };
    let mut meshes = vec![inner.clone()];
    meshes.extend(gaps.iter().map(|gap| moved(&inner, |p| p * (1.0 + gap))));
    let mut random = Random::new(51);
    let asks = (1..meshes.len())
        .map(|outer| Asked::there([0, outer], somewhere(&mut random, DVec3::ZERO)))
        .collect();
    Scene::rigid("concentric spheres", meshes, asks)
}

/// Next to each other, from 10 to 0.1 % of their radius apart.
pub(super) fn beside(quick: bool) -> Scene {
    let ball = sphere(quick);
    let mut random = Random::new(52);
    let count = if quick { 6 } else { 30 };
    let asks = (0..count).map(|i| {
        let gap = [0.1, 0.01, 1e-3][i % 3];
        let way = random.direction() * (2.0 + gap);
        Asked::there([0, 1], somewhere(&mut random, way))
    });
    let asks = asks.collect();
    Scene::rigid("spheres side by side", vec![ball.clone(), ball], asks)
}

fn ring(quick: bool) -> Mesh {
    if quick { wrinkled_torus(24, 16) } else { wrinkled_torus(100, 100) }
}

pub(super) fn ring_in_pipes(quick: bool) -> Scene {
    let tangle = if quick {
        pipes(&Pipes { cells: 6, pipes: 6, longest: 20, ..Pipes::default() })
    } else {
        pipes(&Pipes::default())
    };
    let reach = if quick { 2.5 } else { 5.0 };
    let mut random = Random::new(53);
    let count = if quick { 5 } else { 20 };
    let asks = (0..count).map(|_| {
        let shift = random.point(-reach, reach);
        Asked::there([0, 1], somewhere(&mut random, shift))
    });
    let asks = asks.collect();
    Scene::rigid("ring in pipes", vec![tangle, ring(quick)], asks)
}

pub(super) fn ring_on_ground(quick: bool) -> Scene {
    let ground = if quick { landscape(40, 30, 3) } else { landscape(245, 200, 3) };
    let Aabb { min: low, max: high } = ground.bounds();
    let mut random = Random::new(54);
    let count = if quick { 5 } else { 20 };
    let asks = (0..count).map(|_| {
        let along = |random: &mut Random, low: f64, high: f64| random.uniform(low, high);
        let x = along(&mut random, 0.6 * low.x, 0.6 * high.x);
        let z = along(&mut random, 0.6 * low.z, 0.6 * high.z);
        let y = along(&mut random, 0.2, 1.0);
        Asked::there([0, 1], somewhere(&mut random, DVec3::new(x, y, z)))
    });
    let asks = asks.collect();
    Scene::rigid("ring on ground", vec![ground, ring(quick)], asks)
}

/// All pairs of a heap whose balls overlap.
pub(super) fn heads(quick: bool, head: &Mesh, name: &'static str) -> Scene {
    let count = if quick { 8 } else { 40 };
    let mut random = Random::new(55);
    let Aabb { min: low, max: high } = head.bounds();
    let (middle, radius) = (0.5 * (low + high), 0.5 * (high - low).length());
    // Each has a cube of 0.8 of its radius's double.
    let room = 1.6 * radius * libm::cbrt(f64::from(count));
    let places: Vec<Pose> = (0..count)
        .map(|_| {
            let to = random.point(0.0, room);
            let turn = random.rotation();
            Pose::new(turn, to - turn * middle).expect("a rotation")
        })
        .collect();
    let mut asks = Vec::new();
    for (i, first) in places.iter().enumerate() {
        for second in &places[..i] {
            if first.apply(middle).distance(second.apply(middle)) < 2.0 * radius {
                asks.push(Asked::new([0, 1], [*first, *second]));
            }
        }
    }
    Scene::rigid(name, vec![head.clone(), head.clone()], asks)
}

/// Balls on their way down to the rotor, not turned.
pub(super) fn helicopter_and_ball(quick: bool) -> Scene {
    let (chopper, rotor) = helicopter();
    let small = ball(0.2, if quick { 4 } else { 12 });
    let mut random = Random::new(56);
    let (starts, steps) = if quick { (5, 3) } else { (30, 6) };
    let mut asks = Vec::new();
    for _ in 0..starts {
        let triangle = rotor.start + random.below(rotor.len() as u64) as usize;
        let above = chopper.triangle(triangle).iter().sum::<DVec3>() / 3.0;
        for step in 0..steps {
            let height = 0.6 * (1.0 - f64::from(step) / f64::from(steps));
            asks.push(Asked::there([0, 1], at(above + DVec3::Y * height)));
        }
    }
    Scene::rigid("helicopter and ball", vec![chopper, small], asks)
}

/// In a walk, as far as that: z up.
pub(super) fn walking(who: usize, share: f64) -> Mesh {
    let rig = &rigs()[who];
    let gait = Gait::of(&rig.skeleton, Move::Walk).expect("one of our own");
    let mut pose: SkeletonPose = rig.rest_pose();
    gait.clip.sample(gait.clip.start() + share * gait.clip.seconds(), &mut pose);
    posed_mesh(rig, &pose).expect("one of our own")
}

/// On one floor, so far apart.
fn on_a_floor(name: &'static str, meshes: Vec<Mesh>, count: usize, apart: [f64; 2]) -> Scene {
    let mut random = Random::new(57);
    let (mut asks, mut floor) = (Vec::new(), Vec::new());
    for _ in 0..count {
        let bodies = [0; 2].map(|_| random.below(meshes.len() as u64) as usize);
        let way = random.uniform(apart[0], apart[1]);
        let angle = random.uniform(-3.2, 3.2);
        let shift = way * DVec2::new(libm::cos(angle), libm::sin(angle));
        let both = [
            turned(random.uniform(-3.2, 3.2), DVec2::ZERO),
            turned(random.uniform(-3.2, 3.2), shift),
        ];
        asks.push(Asked::new(bodies, both.each_ref().map(upright)));
        floor.push(both);
    }
    Scene { floor, ..Scene::rigid(name, meshes, asks) }
}

/// How far apart arms meet now and then.
const NEAR: [f64; 2] = [0.35, 0.9];

fn poses(quick: bool) -> Vec<Mesh> {
    let poses = if quick { 2 } else { 6 };
    (0..poses).map(|i| walking(i % 2, i as f64 / poses as f64)).collect()
}

pub(super) fn people(quick: bool) -> Scene {
    on_a_floor("two people, rigid", poses(quick), if quick { 16 } else { 120 }, NEAR)
}

pub(super) fn crowd(quick: bool, name: &'static str, apart: [f64; 2]) -> Scene {
    on_a_floor(name, poses(quick), if quick { 60 } else { 1000 }, apart)
}

pub(super) fn real_heads(context: &Context) -> Result<Scene, Absent> {
    let head = join(&at_rest(&context.data.rig(SUZANNE)?)?);
    Ok(heads(context.quick, &head, "heap of heads, Suzanne"))
}

pub(super) fn real_people(context: &Context) -> Result<Scene, Absent> {
    let upright = |name: &str| -> Result<Mesh, Absent> {
        let standing = join(&at_rest(&context.data.rig(name)?)?);
        Ok(moved(&standing, |p| DVec3::new(p.x, -p.z, p.y)))
    };
    let meshes = vec![upright(REAL_PEOPLE[0])?, upright(REAL_PEOPLE[1])?];
    Ok(on_a_floor("two people, MakeHuman", meshes, if context.quick { 16 } else { 120 }, NEAR))
}
