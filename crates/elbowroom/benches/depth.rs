//! What it costs to ask how deep two characters are in each other, and how much of them.
//!
//!     cargo bench -p elbowroom --bench depth
//!
//! Pairs of posed people of 2,850 triangles each that meet, from the shared data; without it, two bumpy spheres. Beside the depth stand the question whether
//! surfaces meet, all pairs of triangles that do, and the solids. A workspace is kept, and what is worked out once a model is worked out before.

use std::hint::black_box;
use std::time::Instant;

use elbowroom::descend::Workspace;
use elbowroom::query::{Ask, Question, ask, deepest, profile, solids, touches};
use elbowroom::{Mesh, Model, Placement};
use elbowroom_make::bumpy_sphere;
use elbowroom_testkit::brute::Soup;
use elbowroom_testkit::data;
use glam::DVec3;

/// The best of a few rounds, in µs.
fn micros(rounds: usize, mut work: impl FnMut()) -> f64 {
    (0..rounds)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64() * 1e6
        })
        .fold(f64::INFINITY, f64::min)
}

fn model(soup: &Soup) -> Model {
    let vertices = soup.vertices.iter().map(|&v| DVec3::from_array(v)).collect();
    Model::new(Mesh::new(vertices, soup.triangles.clone()).expect("sound"))
}

/// Pairs of models as they stand.
fn pairs() -> Vec<[Model; 2]> {
    let Some(shared) = data::shared_dir() else {
        println!("the shared data is absent: two bumpy spheres instead");
        let sphere = || Model::new(bumpy_sphere(12, 0.2, 5));
        return vec![[sphere(), sphere()]];
    };
    let people = data::humans::load(&shared);
    let meeting = (0..people.pairs.len()).filter(|&i| people.pairs[i].intersects);
    meeting.step_by(4).take(24).map(|i| people.placed(i).each_ref().map(model)).collect()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    let mut workspace = Workspace::default();
    let here = Placement::IDENTITY;
    let mut columns = vec![Vec::new(); 4];
    println!(
        "{:>8} {:>8} {:>8} {:>8} {:>8} {:>10} {:>10}   (µs; mm)",
        "pairs", "touches", "all", "solids", "deepest", "lower", "upper"
    );
    for [a, b] in &pairs() {
        for model in [a, b] {
            model.tree();
            profile(model, &mut workspace);
        }
        let question = Question { ask: Ask::All, ..Question::default() };
        let met = ask(a, &here, b, &here, &question, &mut workspace).pairs.len();
        let times = [
            micros(5, || {
                black_box(touches(a, &here, b, &here));
            }),
            micros(5, || {
                black_box(ask(a, &here, b, &here, &question, &mut workspace));
            }),
            micros(5, || {
                black_box(solids(a, &here, b, &here, &mut workspace));
            }),
            micros(5, || {
                black_box(deepest(a, &here, b, &here, None, &mut workspace));
            }),
        ];
        for (column, time) in columns.iter_mut().zip(times) {
            column.push(time);
        }
        let depth = deepest(a, &here, b, &here, None, &mut workspace);
        let [touching, all, solid, deep] = times;
        println!(
            "{met:>8} {touching:>8.1} {all:>8.1} {solid:>8.1} {deep:>8.1} {:>10.3} {:>10.3} {}",
            depth.lower * 1e3,
            depth.upper * 1e3,
            if depth.certainty.is_exact() { "" } else { "estimate" }
        );
    }
    let [touching, all, solid, deep] = [0, 1, 2, 3].map(|i| median(columns[i].clone()));
    println!("{:>8} {touching:>8.1} {all:>8.1} {solid:>8.1} {deep:>8.1}", "median");
}
