//! What a footprint takes to make and to ask: `cargo bench --bench footprint [cases]`.
//!
//! Our man and woman in 48 poses, and where the shared data is present the 2,850-triangle bodies in
//! the poses of its human pairs. Cases are pairs that the exact meshes find touching, as in Figure
//! 3 of the BCH paper, placed at random, and as many that are clear though their single
//! cylinders meet. On every round the packed circles and the counted loop take turns. Printed:
//! nodes, microseconds of thread time to make one, circles compared one by one and blocks of them a
//! question, nanoseconds of thread time for both (the median of the rounds), and how many of the
//! clear cases are called clear.

#[path = "common/clock.rs"]
mod clock;

use std::hint::black_box;

use clock::thread_secs;
use elbowroom::internal::geom::Contour;
use elbowroom::internal::math::planar::Planar;
use elbowroom::internal::model::Model;
use elbowroom::internal::query;
use elbowroom::{Mesh, Pose};
use elbowroom_make::body::{female, male};
use elbowroom_motion::body::Poser;
use elbowroom_motion::footprint::{
    Cut, Footprint, FootprintConfig, Look, Nearness, Parts, Work, ask, ask_counted,
};
use elbowroom_papers::bch::area::union_of_discs;
use elbowroom_papers::bch::{Animated, AnimatedConfig, Sliced, Slices};
use elbowroom_testkit::data;
use elbowroom_testkit::random::Random;
use glam::{DMat3, DVec2, DVec3};

struct Case {
    bodies: [usize; 2],
    places: [Planar; 2],
}

fn main() {
    let mut words = std::env::args().skip(1).filter(|word| word != "--bench");
    let count: usize = words.next().and_then(|word| word.parse().ok()).unwrap_or(500);
    let ours = people(24);
    report("our bodies", &ours, count);
    making("our bodies", &ours);
    slabs("our bodies", &ours);
    moving();
    match data::shared_dir() {
        Some(shared) => {
            let real = real_people(&shared);
            report("real bodies", &real, count);
            making("real bodies", &real[..100]);
            slabs("real bodies", &real[..100]);
        }
        None => data::skip_note("real bodies"),
    }
}

/// The cost of making a footprint, the outline alone by silhouette and by all triangles.
fn making(name: &str, meshes: &[Mesh]) {
    let flat: Vec<Vec<DVec2>> =
        meshes.iter().map(|mesh| mesh.vertices().iter().map(|p| p.truncate()).collect()).collect();
    let mut times = [const { Vec::new() }; 5];
    let with = |parts| FootprintConfig { parts, ..FootprintConfig::default() };
    for (mesh, flat) in meshes.iter().zip(&flat) {
        // Each mesh by all ways in turn, the least of three.
        let mut least = [f64::INFINITY; 5];
        for _ in 0..3 {
            for (way, least) in least.iter_mut().enumerate() {
                let start = thread_secs();
                match way {
                    0 => drop(black_box(Contour::of(flat, mesh.triangles()))),
                    1 => drop(black_box(Contour::of_all(flat, mesh.triangles()))),
                    2 => drop(black_box(Footprint::of_mesh(mesh, &with(Parts::Contour)))),
                    3 => drop(black_box(Footprint::of_mesh(mesh, &with(Parts::Triangles)))),
                    _ => drop(black_box(Footprint::of_mesh(mesh, &with(Parts::Whole)))),
                }
                *least = least.min(thread_secs() - start);
            }
        }
        times.iter_mut().zip(least).for_each(|(times, least)| times.push(least));
    }
    let names =
        ["outline by silhouette", "outline by all triangles", "contour", "triangles", "whole"];
    println!("{name}: microseconds to make one (median), how many in 1/30 s");
    for (name, mut times) in names.into_iter().zip(times) {
        times.sort_by(f64::total_cmp);
        let median = times[times.len() / 2];
        println!("{name:>27} {:>8.0} {:>8.0}", median * 1e6, 1.0 / 30.0 / median);
    }
}

/// What the leaves cover.
fn covered(footprint: &Footprint) -> f64 {
    let tree = footprint.tree();
    let leaves = tree.nodes().filter(|&node| tree.is_leaf(node));
    let disc = |node| (footprint.column()[node].center, footprint.column()[node].radius);
    union_of_discs(&leaves.map(disc).collect::<Vec<_>>())
}

/// How much room slabs take, beside one footprint of full height and one cylinder: all triangles
/// under circles, as in Table 1 of the paper.
fn slabs(name: &str, meshes: &[Mesh]) {
    let config = FootprintConfig { parts: Parts::Triangles, ..FootprintConfig::default() };
    let volume = |f: &Footprint| covered(f) * (f.height().1 - f.height().0);
    let (mut whole, mut full, mut sliced) = (0.0, 0.0, 0.0);
    for mesh in meshes {
        let footprint = Footprint::of_mesh(mesh, &config);
        let (low, high) = footprint.height();
        let cuts = [0.45, 0.85].map(|share| low + share * (high - low));
        let slices = Slices::new(&cuts).expect("ascending");
        whole += std::f64::consts::PI * footprint.whole().radius.powi(2) * (high - low);
        full += volume(&footprint);
        sliced += Sliced::of_mesh(mesh, &slices, &config).slabs().iter().map(volume).sum::<f64>();
    }
    println!(
        "{name}: litres of cylinder {:.0}, footprint {:.0} ({:.2}), legs, torso and head {:.0} ({:.2})",
        1e3 * whole / meshes.len() as f64,
        1e3 * full / meshes.len() as f64,
        full / whole,
        1e3 * sliced / meshes.len() as f64,
        sliced / whole
    );
}

/// One tree for a clip, whose circles move, beside a footprint for every pose at 30 to a second.
fn moving() {
    let rig = male();
    let clip = &rig.clips[0];
    let is_in = |&k: &u32| f64::from(k) <= 30.0 * clip.seconds();
    let count = (0..1000).take_while(is_in).count();
    let (mut poser, mut pose) = (Poser::default(), rig.rest_pose());
    let poses: Vec<Vec<DVec3>> = (0..count)
        .map(|k| {
            let mut points = Vec::new();
            clip.sample(clip.start() + k as f64 / 30.0, &mut pose);
            rig.posed(&pose, 0, &mut poser, &mut points);
            points.iter().map(|p| DVec3::new(p.x, -p.z, p.y)).collect()
        })
        .collect();
    let poses: Vec<&[DVec3]> = poses.iter().map(|pose| &pose[..]).collect();
    let triangles = rig.parts[0].mesh.triangles();
    let config = FootprintConfig::default();
    let each: Vec<Footprint> =
        poses.iter().map(|points| Footprint::new(points, triangles, &config)).collect();
    // As many bytes a circle as the moving ones take.
    let bytes: usize = each.iter().map(|made| 12 * made.tree().len()).sum();
    let tight = FootprintConfig { parts: Parts::Triangles, ..config };
    let times: Vec<usize> = (0..count).step_by(5).collect();
    let room = |k: &usize| covered(&Footprint::new(poses[*k], triangles, &tight));
    let full: f64 = times.iter().map(room).sum();
    println!(
        "{count} poses in {:.1} s, {:.0} kB/s as footprints",
        clip.seconds(),
        1e-3 * bytes as f64 / clip.seconds()
    );
    for poses_per_key in [2, 4, 8, 16] {
        for threshold in [0.02, 0.04, 0.08] {
            let config = AnimatedConfig { poses_per_key, threshold };
            let moving = Animated::new(&poses, triangles, &config).expect("a clip");
            let area: f64 = times.iter().map(|&k| covered(&moving.at(k as f64))).sum();
            println!(
                "{poses_per_key:>3} poses a key, {:>2.0} cm: {:>5} nodes {:>6.1} kB/s ({:.2}), area {:.2} of the footprints'",
                100.0 * threshold,
                moving.tree().len(),
                1e-3 * moving.bytes() as f64 / clip.seconds(),
                moving.bytes() as f64 / bytes as f64,
                area / full
            );
        }
    }
}

fn report(name: &str, meshes: &[Mesh], count: usize) {
    let models: Vec<Model> = meshes.iter().map(|mesh| Model::new(mesh.clone())).collect();
    let (touching, clear) = cases(meshes, &models, count);
    println!(
        "{name}: {} poses, {count} touching cases, {count} clear ones with cylinders that meet",
        meshes.len()
    );
    println!("{:>27} {:>7} | {:>38} | {:>38}", "", "", "touching", "clear");
    println!(
        "{:>20} {:>6} {:>7} | {:>6} {:>7} {:>6} {:>7} {:>5} | {:>6} {:>7} {:>6} {:>7} {:>5} {:>6}",
        "kind",
        "nodes",
        "make us",
        "tests",
        "ns",
        "batches",
        "ns",
        "ratio",
        "tests",
        "ns",
        "batches",
        "ns",
        "ratio",
        "clear"
    );
    let base = FootprintConfig::default();
    let kinds = [
        ("contour", base),
        ("contour, centre", FootprintConfig { cut: Cut::Center, ..base }),
        ("contour, covariance", FootprintConfig { cut: Cut::Covariance, ..base }),
        ("triangles", FootprintConfig { parts: Parts::Triangles, ..base }),
        ("whole", FootprintConfig { parts: Parts::Whole, ..base }),
    ];
    for (name, config) in kinds {
        let start = thread_secs();
        let made: Vec<Footprint> =
            meshes.iter().map(|mesh| Footprint::of_mesh(mesh, &config)).collect();
        let make = (thread_secs() - start) / meshes.len() as f64 * 1e6;
        let nodes = made.iter().map(|made| made.tree().len()).sum::<usize>() / made.len();
        let levels: &[Option<u32>] =
            if config == base { &[None, Some(9), Some(6), Some(3)] } else { &[None] };
        for &level in levels {
            let name = level.map_or(name.to_owned(), |level| format!("to level {level}"));
            let (hit, miss) = (run(&made, &touching, level), run(&made, &clear, level));
            println!("{name:>20} {nodes:>6} {make:>7.0} | {hit} | {miss} {:>6}", miss.clear);
        }
    }
}

/// What a question takes.
struct Taken {
    tests: f64,
    counted: f64,
    batches: f64,
    packed: f64,
    clear: usize,
}

impl std::fmt::Display for Taken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { tests, counted, batches, packed, .. } = self;
        let ratio = packed / counted;
        write!(f, "{tests:>6.1} {counted:>7.0} {batches:>6.1} {packed:>7.0} {ratio:>5.2}")
    }
}

fn run(made: &[Footprint], cases: &[Case], level: Option<u32>) -> Taken {
    const ROUNDS: usize = 41;
    let mut work = Work::default();
    let mut times = [const { Vec::new() }; 2];
    let mut clear = [0; 2];
    let look = Look { level, ..Look::default() };
    for _ in 0..ROUNDS {
        for (which, times) in times.iter_mut().enumerate() {
            let start = thread_secs();
            for Case { bodies: [i, j], places: [a, b] } in cases {
                let (i, j) = (&made[*i], &made[*j]);
                let said = match which {
                    0 => ask_counted(i, a, j, b, &look, &mut work),
                    _ => ask(i, a, j, b, &look, &mut work),
                };
                clear[which] += usize::from(black_box(said) == Nearness::Clear);
            }
            times.push(thread_secs() - start);
        }
    }
    assert_eq!(clear[0], clear[1], "packed circles and counted ones disagree");
    let median = |times: &mut Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[ROUNDS / 2] / cases.len() as f64 * 1e9
    };
    let [counted, packed] = &mut times;
    let each = 1.0 / (ROUNDS * cases.len()) as f64;
    Taken {
        tests: work.tests as f64 * each,
        counted: median(counted),
        batches: work.batches as f64 * each,
        packed: median(packed),
        clear: clear[0] / ROUNDS,
    }
}

/// Both people of every human pair, upright along z and with their middle at the origin.
fn real_people(shared: &std::path::Path) -> Vec<Mesh> {
    let people = data::humans::load(shared);
    let both = (0..people.pairs.len()).flat_map(|pair| people.placed(pair));
    both.map(|soup| {
        let points: Vec<DVec3> = soup.vertices.iter().map(|&p| DVec3::from(p)).collect();
        let middle = points.iter().sum::<DVec3>() / points.len() as f64;
        let turned = |p: &DVec3| DVec3::new(p.x - middle.x, middle.z - p.z, p.y);
        let points = points.iter().map(turned).collect();
        Mesh::new(points, soup.triangles).expect("a posed body")
    })
    .collect()
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
        let meet = query::intersects(&models[i], &a, &models[j], &b);
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

fn upright(planar: &Planar) -> Pose {
    let (cos, sin) = planar.turn();
    let turn = DMat3::from_cols(DVec3::new(cos, sin, 0.0), DVec3::new(-sin, cos, 0.0), DVec3::Z);
    Pose::new(turn, planar.translation().extend(0.0)).expect("a turn about z")
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
