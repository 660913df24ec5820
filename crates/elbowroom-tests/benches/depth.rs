//! The cost of asking how deep two characters are in each other, and how much of them.
//!
//!     cargo bench -p elbowroom --bench depth
//!
//! Pairs of posed people of 2,850 triangles each that meet, from the shared data; without it, two
//! bumpy spheres. Beside the depth stand the question whether surfaces meet, all pairs of triangles
//! that do, and the volume with its areas. A workspace is kept, and what is worked out once a model
//! is worked out before. Times are of the thread's own time on a core, where the system tells it:
//! means over 20 ms or more each.

#[path = "common/clock.rs"]
mod clock;

use std::hint::black_box;

use clock::thread_secs;
use elbowroom::internal::model::Model;
use elbowroom::internal::query::{
    CollisionRequest, Want, collide, intersects, overlap, penetration, profile,
};
use elbowroom::internal::traverse::Workspace;
use elbowroom::{Mesh, Pose};
use elbowroom_make::bumpy_sphere;
use elbowroom_testkit::brute::Soup;
use elbowroom_testkit::data;
use glam::DVec3;

/// The mean of as many rounds as take a while, in µs.
fn micros(mut work: impl FnMut()) -> f64 {
    work();
    // Asking for the time takes longer than some questions, so it is done ever less often.
    let mut rounds = 1;
    loop {
        let begin = thread_secs();
        (0..rounds).for_each(|_| work());
        let passed = 1e6 * (thread_secs() - begin);
        if passed > 2e4 {
            return passed / f64::from(rounds);
        }
        rounds *= 2;
    }
}

fn model(soup: &Soup) -> Model {
    let vertices = soup.vertices.iter().map(|&v| DVec3::from_array(v)).collect();
    Model::new(Mesh::new(vertices, soup.triangles.clone()).expect("sound"))
}

/// Pairs of models as they stand.
fn pairs() -> Vec<[Model; 2]> {
    let Some(shared) = data::shared_dir() else {
        println!("the shared data is absent: two bumpy spheres instead");
        let sphere = |shift: f64| {
            let ball = bumpy_sphere(12, 0.2, 5);
            let moved = ball.vertices().iter().map(|&v| v + DVec3::X * shift).collect();
            Model::new(ball.with_vertices(moved).expect("finite"))
        };
        return vec![[sphere(0.0), sphere(1.7)]];
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
    let here = Pose::IDENTITY;
    let mut columns = vec![Vec::new(); 4];
    println!(
        "{:>8} {:>8} {:>8} {:>8} {:>8} {:>9} {:>9} {:>9}   (µs; mm, litres)",
        "pairs", "touches", "all", "deepest", "amount", "lower", "upper", "volume"
    );
    for [a, b] in &pairs() {
        for model in [a, b] {
            model.tree();
            profile(model, &mut workspace);
        }
        let question = CollisionRequest { want: Want::All, ..CollisionRequest::default() };
        let met = collide(a, &here, b, &here, &question, &mut workspace).pairs.len();
        let times = [
            micros(|| {
                black_box(intersects(a, &here, b, &here));
            }),
            micros(|| {
                black_box(collide(a, &here, b, &here, &question, &mut workspace));
            }),
            micros(|| {
                black_box(penetration(a, &here, b, &here, None, &mut workspace));
            }),
            micros(|| {
                black_box(overlap(a, &here, b, &here, &mut workspace));
            }),
        ];
        for (column, time) in columns.iter_mut().zip(times) {
            column.push(time);
        }
        let depth = penetration(a, &here, b, &here, None, &mut workspace);
        let common = overlap(a, &here, b, &here, &mut workspace);
        let [touching, all, deep, much] = times;
        println!(
            "{met:>8} {touching:>8.1} {all:>8.1} {deep:>8.1} {much:>8.1} {:>9.3} {:>9.3} {:>9.3} {}",
            depth.lower * 1e3,
            depth.upper * 1e3,
            common.volume * 1e3,
            if depth.certainty.is_exact() { "" } else { "estimate" }
        );
    }
    let deepest = columns[2].clone();
    let worst = deepest.iter().copied().fold(0.0, f64::max);
    let mean = deepest.iter().sum::<f64>() / deepest.len() as f64;
    let fast = deepest.iter().filter(|&&time| time < 1000.0).count();
    let [touching, all, deep, much] = [0, 1, 2, 3].map(|i| median(columns[i].clone()));
    println!("{:>8} {touching:>8.1} {all:>8.1} {deep:>8.1} {much:>8.1}", "median");
    let (median, count) = (median(deepest.clone()), deepest.len());
    println!(
        "deepest point: median {median:.1}, mean {mean:.1}, worst {worst:.1} µs; {fast} of {count} pairs under 1 ms"
    );
}
