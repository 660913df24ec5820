//! Which structure finds overlapping boxes the soonest, scene by scene; and what the boxes of
//! objects cost.
//!
//!     cargo bench -p elbowroom --bench broad [-- PART OF A SCENE'S NAME]
//!
//! The first table moves some of the boxes a little and asks for all pairs again, with each
//! structure and with the one that `choose` takes: nanoseconds a box and step, the best of five
//! groups of rounds. The second compares three boxes around turned objects: of the turned box, of
//! the support function, of all points.

use std::hint::black_box;
use std::time::Instant;

use elbowroom::internal::broad_phase::{Broad, Method, Support};
use elbowroom::internal::volume::Aabb;
use elbowroom::{Mesh, Pose};
use elbowroom_testkit::data;
use elbowroom_testkit::random::Random;
use glam::{DMat3, DQuat, DVec3};

fn vector(random: &mut Random) -> DVec3 {
    DVec3::new(random.unit(), random.unit(), random.unit())
}

fn box_at(low: DVec3, size: DVec3) -> Aabb {
    Aabb { min: low, max: low + size }
}

struct Scene {
    name: String,
    boxes: Vec<Aabb>,
}

/// Boxes of sizes 0.5 to 1.5 that overlap about `near` others each.
fn uniform(count: usize, near: f64, spread: DVec3) -> Vec<Aabb> {
    let mut random = Random::new(count as u64);
    // Two boxes of size 1 overlap if their corners are within a cube of size 2.
    let volume = 8.0 * count as f64 / near;
    let flat = spread.to_array().iter().filter(|&&s| s == 0.0).count();
    let side = (volume / f64::from(2_u32.pow(flat as u32))).powf(1.0 / (3 - flat) as f64);
    (0..count)
        .map(|_| box_at(side * spread * vector(&mut random), 0.5 + vector(&mut random)))
        .collect()
}

fn scenes() -> Vec<Scene> {
    let mut scenes = Vec::new();
    let mut add = |name: String, boxes| scenes.push(Scene { name, boxes });
    for count in [30, 100, 300, 1_000, 2_000, 10_000, 100_000] {
        for near in [2.0, 10.0] {
            add(format!("cube of {count}, {near} near"), uniform(count, near, DVec3::ONE));
        }
    }
    for count in [1_000, 100_000] {
        add(format!("sparse cube of {count}"), uniform(count, 0.01, DVec3::ONE));
        add(format!("plane of {count}"), uniform(count, 2.0, DVec3::new(1.0, 1.0, 0.0)));
        add(format!("line of {count}"), uniform(count, 2.0, DVec3::X));
        let mut boxes = uniform(count, 2.0, DVec3::ONE);
        boxes[count / 2] = box_at(DVec3::splat(-1e3), DVec3::splat(2e3));
        add(format!("one huge among {count}"), boxes.clone());
        for (i, bounds) in boxes.iter_mut().enumerate() {
            // Sizes over three decades, few of them large.
            let scale = 0.1 * (i % 1000 + 1) as f64 / 1000.0;
            bounds.max = bounds.min + bounds.half() * 0.2 / scale.powf(0.7);
        }
        boxes[count / 2] = boxes[0];
        add(format!("mixed sizes, {count}"), boxes);
        let mut random = Random::new(5);
        let clusters = uniform(count, 2.0, DVec3::ONE);
        let centers: Vec<DVec3> = (0..20).map(|_| 1e5 * vector(&mut random)).collect();
        let clustered = clusters.iter().enumerate().map(|(i, bounds)| {
            let shift = centers[i % 20];
            Aabb { min: bounds.min * 0.4 + shift, max: bounds.min * 0.4 + shift + bounds.half() }
        });
        add(format!("20 far clusters, {count}"), clustered.collect());
    }
    scenes
}

/// The best time of a step in which every `every`th box moves, in ns a box, and the pairs.
fn step(scene: &Scene, method: Method, every: usize) -> (f64, usize, Method) {
    let mut broad = Broad::new(method);
    for (id, bounds) in scene.boxes.iter().enumerate() {
        broad.set(id as u32, *bounds).expect("finite");
    }
    let mut pairs = broad.pairs().len();
    let count = scene.boxes.len();
    // A tree is rebuilt now and then: groups of rounds are long enough to have their share of that.
    let rounds = (200_000 / count).clamp(2, 40);
    let mut best = f64::INFINITY;
    let mut random = Random::new(9);
    for group in 0..5 {
        let start = Instant::now();
        for round in 0..rounds {
            let shift = 0.05 * vector(&mut random);
            for id in ((group + round) % every..count).step_by(every) {
                let bounds = scene.boxes[id];
                let moved = Aabb { min: bounds.min + shift, max: bounds.max + shift };
                broad.set(id as u32, moved).expect("finite");
            }
            pairs = black_box(broad.pairs()).len();
        }
        best = best.min(start.elapsed().as_secs_f64() * 1e9 / (rounds * count) as f64);
    }
    (best, pairs, broad.last_method())
}

fn structures() {
    println!(
        "{:>26} {:>6} {:>9} {:>9} {:>9} {:>9} {:>9} choice",
        "ns a box", "moved", "pairs", "tree", "sweep", "grid", "auto"
    );
    let part = std::env::args().skip(1).find(|arg| !arg.starts_with('-')).unwrap_or_default();
    for scene in scenes().into_iter().filter(|scene| scene.name.contains(&part)) {
        for every in [1, 4, 16, 100, 1_000] {
            if scene.boxes.len() / every < 2 {
                continue;
            }
            let times = Method::ALL.map(|method| step(&scene, method, every));
            let auto = step(&scene, Method::Auto, every);
            println!(
                "{:>26} {:>6} {:>9} {:>9.1} {:>9.1} {:>9.1} {:>9.1} {}",
                scene.name,
                format!("1/{every}"),
                auto.1,
                times[0].0,
                times[1].0,
                times[2].0,
                auto.0,
                auto.2.name()
            );
            assert!(times.iter().all(|time| time.1 == auto.1), "the structures differ");
        }
    }
}

fn per_item(items: usize, mut run: impl FnMut()) -> f64 {
    (0..9)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed().as_secs_f64() * 1e9 / items as f64
        })
        .fold(f64::INFINITY, f64::min)
}

/// The box around a turned box.
fn turned_box(own: &Aabb, placement: &Pose) -> Aabb {
    let rotation = placement.rotation();
    let sizes =
        DMat3::from_cols(rotation.x_axis.abs(), rotation.y_axis.abs(), rotation.z_axis.abs())
            * own.half();
    let center = placement.apply(own.center());
    Aabb { min: center - sizes, max: center + sizes }
}

type Way<'a> = &'a dyn Fn(&Pose) -> Aabb;

fn boxes_of(name: &str, mesh: &Mesh, placements: &[Pose]) {
    let Aabb { min, max } = mesh.bounds();
    let own = Aabb { min, max };
    let support = Support::of_mesh(mesh);
    let growing = per_item(1, || drop(black_box(Support::of_mesh(mesh))));
    let points = mesh.vertices();
    let ways: [(&str, Way); 3] = [
        ("turned box", &|p| turned_box(&own, p)),
        ("support", &|p| support.placed(p)),
        ("all points", &|p| {
            Aabb::of_points(&points.iter().map(|&q| p.apply(q)).collect::<Vec<_>>())
        }),
    ];
    println!("{name}: {} points, {:.0} µs for the support function", points.len(), growing / 1e3);
    for (way, bounds) in ways {
        let nanoseconds = per_item(placements.len(), || {
            for placement in placements {
                black_box(bounds(black_box(placement)));
            }
        });
        let mut broad = Broad::new(Method::Sweep);
        for (id, placement) in placements.iter().enumerate() {
            broad.set(id as u32, bounds(placement)).expect("finite");
        }
        println!("{way:>26} {nanoseconds:>9.1} ns a box {:>9} pairs", broad.pairs().len());
    }
}

fn boxes() {
    let heads = elbowroom_make::bumpy_sphere(7, 0.3, 3);
    let mut random = Random::new(6);
    let Aabb { min: low, max: high } = heads.bounds();
    let side = (high - low).max_element() * 0.75 * 2_000_f64.cbrt();
    let placements: Vec<Pose> = (0..2_000)
        .map(|_| {
            let v = vector(&mut random) - 0.5;
            let turn = DQuat::from_xyzw(v.x, v.y, v.z, random.unit() - 0.5);
            Pose::from_quat(turn, side * vector(&mut random)).expect("a rotation")
        })
        .collect();
    boxes_of("2,000 bumpy heads", &heads, &placements);
    let Some(shared) = data::shared_dir() else {
        println!("the shared data is absent: no swarm");
        return;
    };
    let swarm = data::swarm::load(&shared);
    let vertices = swarm.mesh.vertices.iter().map(|&v| DVec3::from_array(v)).collect();
    let mesh = Mesh::new(vertices, swarm.mesh.triangles.clone()).expect("sound");
    let placements: Vec<Pose> = swarm
        .poses
        .iter()
        .map(|pose| {
            let rotation = DMat3::from_cols_array_2d(&pose.r).transpose();
            Pose::new(rotation, DVec3::from_array(pose.t)).expect("rigid")
        })
        .collect();
    boxes_of("2,000 Suzannes", &mesh, &placements);
}

fn main() {
    boxes();
    structures();
}
