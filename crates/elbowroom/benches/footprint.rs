//! What a footprint takes to make and to ask: `cargo bench --bench footprint [cases]`.
//!
//! Our man and woman in 48 poses; cases are pairs that the exact meshes find touching, as in Figure 3 of the BCH paper, placed at random, and
//! as many that are clear though their single cylinders meet. All kinds take turns on every case. Printed: nodes, time to
//! make one, circles compared and time a question, and how many of the clear cases a kind calls clear.

use std::hint::black_box;
use std::time::Instant;

use elbowroom::body::Poser;
use elbowroom::footprint::{Cut, Footprint, FootprintConfig, Look, Nearness, Parts, Work, ask};
use elbowroom::math::planar::Planar;
use elbowroom::{Mesh, Model, Placement, query};
use elbowroom_make::body::{female, male};
use elbowroom_testkit::random::Random;
use glam::{DMat3, DVec2, DVec3};

struct Case {
    bodies: [usize; 2],
    places: [Planar; 2],
}

fn main() {
    let mut words = std::env::args().skip(1).filter(|word| word != "--bench");
    let count: usize = words.next().and_then(|word| word.parse().ok()).unwrap_or(500);
    let meshes = people(24);
    let models: Vec<Model> = meshes.iter().map(|mesh| Model::new(mesh.clone())).collect();
    let base = FootprintConfig::default();
    let kinds = [
        ("contour", base),
        ("contour, centre", FootprintConfig { cut: Cut::Center, ..base }),
        ("contour, covariance", FootprintConfig { cut: Cut::Covariance, ..base }),
        ("triangles", FootprintConfig { parts: Parts::Triangles, ..base }),
        ("whole", FootprintConfig { parts: Parts::Whole, ..base }),
    ];
    let (touching, clear) = cases(&meshes, &models, count);
    println!(
        "{} touching cases, {} clear ones with cylinders that meet",
        touching.len(),
        clear.len()
    );
    println!(
        "{:>20} {:>7} {:>9} | {:>7} {:>8} | {:>7} {:>8} {:>7}",
        "kind", "nodes", "make us", "tests", "ns", "tests", "ns", "clear"
    );
    for (name, config) in kinds {
        let start = Instant::now();
        let made: Vec<Footprint> =
            meshes.iter().map(|mesh| Footprint::of_mesh(mesh, &config)).collect();
        let make = start.elapsed().as_secs_f64() / meshes.len() as f64;
        let nodes = made.iter().map(|made| made.tree().len()).sum::<usize>() / made.len();
        let (tests, time, _) = run(&made, &touching);
        let (clear_tests, clear_time, cleared) = run(&made, &clear);
        println!(
            "{name:>20} {nodes:>7} {:>9.0} | {tests:>7.1} {time:>8.0} | {clear_tests:>7.1} {clear_time:>8.0} {cleared:>7}",
            make * 1e6
        );
    }
}

/// Circles and nanoseconds a question, the least of several rounds, and how many were clear.
fn run(made: &[Footprint], cases: &[Case]) -> (f64, f64, usize) {
    let mut least = f64::INFINITY;
    let mut work = Work::default();
    let mut clear = 0;
    for _ in 0..30 {
        work.tests = 0;
        clear = 0;
        let start = Instant::now();
        for Case { bodies: [i, j], places: [a, b] } in cases {
            let said = ask(&made[*i], a, &made[*j], b, &Look::default(), &mut work);
            clear += usize::from(black_box(said) == Nearness::Clear);
        }
        least = least.min(start.elapsed().as_secs_f64());
    }
    let each = 1.0 / cases.len() as f64;
    (work.tests as f64 * each, least * each * 1e9, clear)
}

fn cases(meshes: &[Mesh], models: &[Model], count: usize) -> (Vec<Case>, Vec<Case>) {
    let whole = FootprintConfig { parts: Parts::Whole, ..FootprintConfig::default() };
    let wholes: Vec<Footprint> =
        meshes.iter().map(|mesh| Footprint::of_mesh(mesh, &whole)).collect();
    let mut random = Random::new(3);
    let (mut touching, mut clear) = (Vec::new(), Vec::new());
    while touching.len() < count || clear.len() < count {
        let mut place = || {
            let at = DVec2::new(random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5));
            Planar::from_angle(random.uniform(-4.0, 4.0), at).expect("a place")
        };
        let places = [place(), place()];
        let bodies = [0, 0].map(|_: u32| random.below(meshes.len() as u64) as usize);
        let [i, j] = bodies;
        let [a, b] = places.map(|planar| upright(&planar));
        let meet = query::touches(&models[i], &a, &models[j], &b);
        let near = ask(
            &wholes[i],
            &places[0],
            &wholes[j],
            &places[1],
            &Look::default(),
            &mut Work::default(),
        );
        let cases = if meet { &mut touching } else { &mut clear };
        if cases.len() < count && near == Nearness::MayTouch {
            cases.push(Case { bodies, places });
        }
    }
    (touching, clear)
}

fn upright(planar: &Planar) -> Placement {
    let (cos, sin) = planar.turn();
    let turn = DMat3::from_cols(DVec3::new(cos, sin, 0.0), DVec3::new(-sin, cos, 0.0), DVec3::Z);
    Placement::new(turn, planar.translation().extend(0.0)).expect("a turn about z")
}

fn people(each: usize) -> Vec<Mesh> {
    let mut meshes = Vec::new();
    for rig in [male(), female()] {
        for k in 0..each {
            let (mut poser, mut pose, mut points) = (Poser::default(), rig.rest_pose(), Vec::new());
            let clip = &rig.clips[k % rig.clips.len()];
            let share = (0.37 * k as f64).fract();
            clip.sample(clip.start() + clip.seconds() * share, &mut pose);
            rig.posed(&pose, 0, &mut poser, &mut points);
            let middle = points.iter().sum::<DVec3>() / points.len() as f64;
            let turned = |p: &DVec3| DVec3::new(p.x - middle.x, middle.z - p.z, p.y);
            let points = points.iter().map(turned).collect();
            meshes.push(rig.parts[0].mesh.with_vertices(points).expect("a pose is finite"));
        }
    }
    meshes
}
