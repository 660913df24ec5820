//! What layers cost: refitting them, testing their volumes, and whole queries with layers made by hand and chosen.
//!
//!     cargo bench -p elbowroom --bench refit
//!     cargo bench -p elbowroom --bench refit --features parallel
//!
//! Names behind `--` (`refits`, `costs`, `rotation`, `queries`) pick sections. Times are the best of many short rounds on one thread (refits: on all, with the feature). The section *costs* is where
//! `elbowroom::model::Costs::MEASURED` comes from. What rivals take for a refit is in `bench/`.

use std::hint::black_box;
use std::time::{Duration, Instant};

use elbowroom::arch::Level;
use elbowroom::descend::{Path, Rule, Workspace};
use elbowroom::model::{Costs, Layered, Purpose, RIGID, SOFT, choose, sample_placements};
use elbowroom::query::{Ask, Question, ask_layered};
use elbowroom::tree::{Config, Layering};
use elbowroom::volume::Family;
use elbowroom::{Mesh, Placement};
use glam::DVec3;

/// Nanoseconds of a call, the best of rounds of about a millisecond.
fn nanos(mut call: impl FnMut()) -> f64 {
    let start = Instant::now();
    call();
    let calls = (1e-3 / start.elapsed().as_secs_f64().max(1e-7)).ceil();
    let round = |_| {
        let start = Instant::now();
        let mut done = 0.0;
        while done < calls {
            call();
            done += 1.0;
        }
        start.elapsed().as_secs_f64() / calls * 1e9
    };
    // What takes long is not asked a hundred times.
    let until = start + Duration::from_millis(400);
    (0..100)
        .take_while(|&done| done < 3 || Instant::now() < until)
        .map(round)
        .fold(f64::INFINITY, f64::min)
}

fn single(family: Family) -> Layering {
    Layering::single(family).expect("good layers")
}

fn grown(mesh: &Mesh, layering: &Layering) -> Layered {
    Layered::new(mesh.clone(), layering, &Config::default().with_family(Family::Aabb))
}

fn refits() {
    let mesh = elbowroom_make::icosphere(20);
    println!("refit of {} triangles, µs (ns a node)", mesh.triangles().len());
    println!("{:>44} {:>16} {:>16}", "", "portable", "avx2");
    let mut layerings: Vec<Layering> = RIGID.map(single).into();
    layerings.extend([Layering::sbbk(18, 1, 5), Layering::s_aabb(1)].map(|l| l.expect("good")));
    let wave = |time: f64| -> Vec<DVec3> {
        mesh.vertices().iter().map(|&p| p * (1.0 + 0.2 * (4.0 * p.x + time).sin())).collect()
    };
    let frames = [wave(0.0), wave(1.0)];
    for layering in layerings {
        let mut model = grown(&mesh, &layering);
        print!("{:>44}", layering.to_string());
        for level in [Level::Portable, Level::Avx2] {
            let mut frame = 0;
            let time = nanos(|| {
                frame = 1 - frame;
                model.refit_on(black_box(&frames[frame]), level).expect("finite");
            });
            print!(" {:>8.1} ({:>5.1})", time * 1e-3, time / model.tree().len() as f64);
        }
        println!();
    }
}

/// Tests of volumes stop above the leaves; what is more at the end is triangles.
fn costs() {
    println!("\ncosts: one test in a descent, ns");
    println!("{:>12} {:>9} {:>9} {:>11}", "", "turned", "parallel", "triangles");
    let mesh = elbowroom_make::bumpy_sphere(12, 0.2, 7);
    for family in RIGID {
        let model = grown(&mesh, &single(family));
        let mut workspace = Workspace::default();
        let mut row = Vec::new();
        for is_turned in [true, false] {
            let places = sample_placements(&model, &model, 6, is_turned);
            let mut ask = |level| {
                let path = Path { rule: Rule::Larger, level };
                let question = Question { ask: Ask::Count, path, margin: 0.0 };
                let mut sums = (0, 0);
                let time = nanos(|| {
                    sums = (0, 0);
                    for [a, b] in &places {
                        let answer = ask_layered(&model, a, &model, b, &question, &mut workspace);
                        sums.0 += answer.tally.volumes();
                        sums.1 += answer.tally.primitives;
                    }
                });
                (time, sums)
            };
            let (above, (tests, none)) = ask(Some(8));
            let (all, (more, pairs)) = ask(None);
            let test = above / tests as f64;
            let triangles = (all - test * more as f64) / pairs as f64;
            row.push((test, triangles, none));
        }
        println!(
            "{:>12} {:>9.1} {:>9.1} {:>5.0} {:>5.0}   ({} pairs above the leaves)",
            family.name(),
            row[0].0,
            row[1].0,
            row[0].1,
            row[1].1,
            row[0].2
        );
    }
}

/// A body that turns: bounded anew pair by pair, or refitted where it stands.
fn rotation() {
    println!(
        "\na rigid body that turns, µs a query: bounded anew, or refitted and compared in one frame"
    );
    for frequency in [4, 10, 20, 40] {
        let mesh = elbowroom_make::bumpy_sphere(frequency, 0.2, 7);
        for layering in [Layering::sbbk(18, 1, 4), Layering::single(Family::Aabb)] {
            let model = grown(&mesh, &layering.expect("good"));
            let mut moving = model.clone();
            let mut workspace = Workspace::default();
            let places = sample_placements(&model, &model, 8, true);
            let question = Question { ask: Ask::Count, ..Question::default() };
            let here = Placement::IDENTITY;
            let anew = nanos(|| {
                for [a, b] in &places {
                    black_box(ask_layered(&model, a, &model, b, &question, &mut workspace));
                }
            });
            let mut moved = mesh.vertices().to_vec();
            let refitted = nanos(|| {
                for [_, b] in &places {
                    for (to, &from) in moved.iter_mut().zip(mesh.vertices()) {
                        *to = b.rotation() * from + b.translation();
                    }
                    moving.refit(&moved).expect("finite");
                    black_box(ask_layered(
                        &model,
                        &here,
                        &moving,
                        &here,
                        &question,
                        &mut workspace,
                    ));
                }
            });
            let share = 1e-3 / places.len() as f64;
            println!(
                "{:>8} triangles {:>36} {:>9.1} {:>9.1}",
                mesh.triangles().len(),
                model.layering().to_string(),
                anew * share,
                refitted * share
            );
        }
    }
}

fn queries() {
    println!("\nqueries, µs: layers by hand, and chosen");
    let bodies = [
        ("monkey", elbowroom_make::monkey_head(1)),
        ("bumpy ball", elbowroom_make::bumpy_sphere(16, 0.3, 2)),
        ("torus", elbowroom_make::wrinkled_torus(60, 24)),
        ("landscape", elbowroom_make::landscape(50, 50, 3)),
    ];
    let mut worst: f64 = 0.0;
    for (name, mesh) in &bodies {
        for is_turned in [true, false] {
            let model = grown(mesh, &single(Family::Aabb));
            let places = sample_placements(&model, &model, 24, is_turned);
            let families: &[Family] = if is_turned { &RIGID } else { &SOFT };
            let costs = Costs::default();
            let purpose = Purpose { placements: &places, refits: 0.0, costs, families };
            let choice = choose(&model, &model, &purpose).expect("places");
            let mut hand: Vec<Layering> = families.iter().map(|&f| single(f)).collect();
            hand.extend(
                [Layering::sbbk(18, 1, 4), Layering::sbbk(26, 1, 6)].map(|l| l.expect("good")),
            );
            if is_turned {
                hand.extend([Layering::s_obb(1), Layering::hbbcd(1, 2)].map(|l| l.expect("good")));
            }
            let time = |layering: &Layering| {
                let model = model.with_layering(layering);
                let (mut workspace, question) =
                    (Workspace::default(), Question { ask: Ask::Count, ..Question::default() });
                let time = nanos(|| {
                    for [a, b] in &places {
                        black_box(ask_layered(&model, a, &model, b, &question, &mut workspace));
                    }
                });
                time * 1e-3 / places.len() as f64
            };
            let mut times: Vec<(f64, String)> =
                hand.iter().map(|layering| (time(layering), layering.to_string())).collect();
            times.sort_by(|x, y| x.0.total_cmp(&y.0));
            let chosen = time(&choice.layering);
            worst = worst.max(chosen / times[0].0);
            let way = if is_turned { "turned" } else { "parallel" };
            println!("{name}, {way}: chosen {chosen:.1} ({})", choice.layering);
            for (time, layering) in times {
                println!("{time:>12.1}  {layering}");
            }
        }
    }
    println!("chosen / best by hand: at most {worst:.3}");
}

fn main() {
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let sections: [(&str, fn()); 4] =
        [("refits", refits), ("costs", costs), ("rotation", rotation), ("queries", queries)];
    for (name, run) in sections {
        if wanted.is_empty() || wanted.iter().any(|word| word == name) {
            run();
        }
    }
}
