//! What layers cost: refitting them, testing their volumes, and whole queries with layers made by
//! hand and chosen.
//!
//!     cargo bench -p elbowroom --bench refit
//!     cargo bench -p elbowroom --bench refit --features parallel
//!
//! Names behind `--` (`refits`, `costs`, `fitted`, `rotation`, `queries`) pick sections. Times are
//! the best of many short rounds on one thread (refits: on all, with the feature); those of
//! *fitted* and *queries* are the thread's own, the least of each query. The section *fitted* is
//! where `elbowroom_papers::sbbk::Costs::MEASURED` comes from. What rivals take for a refit is in
//! `bench/`.

#[path = "common/clock.rs"]
mod clock;

use std::hint::black_box;
use std::time::{Duration, Instant};

use clock::thread_secs;
use elbowroom::internal::arch::SimdLevel;
use elbowroom::internal::bvh::Config;
use elbowroom::internal::query::{CollisionRequest, Want};
use elbowroom::internal::traverse::{Path, Rule, Workspace};
use elbowroom::internal::volume::Family;
use elbowroom::{Mesh, Pose};
use elbowroom_papers::sbbk::Layers;
use elbowroom_papers::sbbk::{Costs, HybridTree, Purpose, RIGID, SOFT, choose, sample_placements};
use elbowroom_papers::sbbk::{choose_by_clock, collide_layered};
use glam::DVec3;

/// Nanoseconds of a call, the best of rounds of about a millisecond.
fn nanos(mut call: impl FnMut()) -> f64 {
    let start = Instant::now();
    call();
    let calls = (1e-3 / start.elapsed().as_secs_f64().max(1e-7)).ceil();
    let round = |_| {
        let start = now();
        let mut done = 0.0;
        while done < calls {
            call();
            done += 1.0;
        }
        (now() - start) / calls * 1e9
    };
    // What takes long is not asked a hundred times.
    let until = start + Duration::from_millis(400);
    (0..100)
        .take_while(|&done| done < 3 || Instant::now() < until)
        .map(round)
        .fold(f64::INFINITY, f64::min)
}

/// Seconds of this thread; by the clock where refits are shared out.
fn now() -> f64 {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    if cfg!(feature = "parallel") {
        return START.get_or_init(Instant::now).elapsed().as_secs_f64();
    }
    thread_secs()
}

fn single(family: Family) -> Layers {
    Layers::single(family).expect("good layers")
}

fn grown(mesh: &Mesh, layering: &Layers) -> HybridTree {
    HybridTree::new(mesh.clone(), layering, &Config::default().with_family(Family::Aabb))
}

fn refits() {
    let mesh = elbowroom_make::icosphere(20);
    println!("refit of {} triangles, µs (ns a node)", mesh.triangles().len());
    println!("{:>44} {:>16} {:>16}", "", "portable", "avx2");
    let mut layerings: Vec<Layers> = RIGID.map(single).into();
    layerings.extend([Layers::sbbk(18, 1, 5), Layers::s_aabb(1)].map(|l| l.expect("good")));
    let wave = |time: f64| -> Vec<DVec3> {
        mesh.vertices().iter().map(|&p| p * (1.0 + 0.2 * (4.0 * p.x + time).sin())).collect()
    };
    let frames = [wave(0.0), wave(1.0)];
    for layering in layerings {
        let mut model = grown(&mesh, &layering);
        print!("{:>44}", layering.to_string());
        for level in [SimdLevel::Portable, SimdLevel::Avx2] {
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
                let question = CollisionRequest { want: Want::Count, path, margin: 0.0 };
                let mut sums = (0, 0);
                let time = nanos(|| {
                    sums = (0, 0);
                    for [a, b] in &places {
                        let answer =
                            collide_layered(&model, a, &model, b, &question, &mut workspace);
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

/// A body that turns: bounded again pair by pair, or refitted where it stands.
fn rotation() {
    println!(
        "\na rigid body that turns, µs a query: bounded anew, or refitted and compared in one frame"
    );
    for frequency in [4, 10, 20, 40] {
        let mesh = elbowroom_make::bumpy_sphere(frequency, 0.2, 7);
        for layering in [Layers::sbbk(18, 1, 4), Layers::single(Family::Aabb)] {
            let model = grown(&mesh, &layering.expect("good"));
            let mut moving = model.clone();
            let mut workspace = Workspace::default();
            let places = sample_placements(&model, &model, 8, true);
            let question = CollisionRequest { want: Want::Count, ..CollisionRequest::default() };
            let here = Pose::IDENTITY;
            let anew = nanos(|| {
                for [a, b] in &places {
                    black_box(collide_layered(&model, a, &model, b, &question, &mut workspace));
                }
            });
            let mut moved = mesh.vertices().to_vec();
            let refitted = nanos(|| {
                for [_, b] in &places {
                    for (to, &from) in moved.iter_mut().zip(mesh.vertices()) {
                        *to = b.rotation() * from + b.translation();
                    }
                    moving.refit(&moved).expect("finite");
                    black_box(collide_layered(
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

/// Layers made by hand, of some families.
fn by_hand(families: &[Family]) -> Vec<Layers> {
    let mut hand: Vec<Layers> = families.iter().map(|&family| single(family)).collect();
    let hybrids =
        [Layers::sbbk(18, 1, 4), Layers::sbbk(26, 1, 6), Layers::s_obb(1), Layers::hbbcd(1, 2)];
    hand.extend(hybrids.map(|layering| layering.expect("good layers")));
    hand.retain(|layering| layering.runs().iter().all(|(family, _)| families.contains(family)));
    hand
}

/// Microseconds of a query with each of some layers, and by how much two halves of the rounds
/// differ at most.
///
/// All take turns, and of each query the least time of the thread's own counts. Rounds go on until
/// the halves agree.
fn timed(base: &HybridTree, layerings: &[Layers], places: &[[Pose; 2]]) -> (Vec<f64>, f64) {
    const ROUNDS: std::ops::Range<usize> = 40..400;
    const AGREE: f64 = 0.015;
    let models: Vec<HybridTree> =
        layerings.iter().map(|layering| base.with_layering(layering)).collect();
    let question = CollisionRequest { want: Want::Count, ..CollisionRequest::default() };
    let mut workspace = Workspace::default();
    let mut halves = [(); 2].map(|()| vec![vec![f64::INFINITY; places.len()]; models.len()]);
    let sum = |least: &[f64]| 1e6 * least.iter().sum::<f64>() / places.len() as f64;
    let differ = |[first, second]: &[Vec<Vec<f64>>; 2]| {
        let pairs = first.iter().zip(second);
        pairs.map(|(x, y)| (sum(x) / sum(y) - 1.0).abs()).fold(0.0_f64, f64::max)
    };
    for round in 0..ROUNDS.end {
        if round >= ROUNDS.start && round % 20 == 0 && differ(&halves) < AGREE {
            break;
        }
        for (model, least) in models.iter().zip(&mut halves[round % 2]) {
            let mut start = thread_secs();
            for ([a, b], least) in places.iter().zip(least) {
                black_box(collide_layered(model, a, model, b, &question, &mut workspace));
                let end = thread_secs();
                *least = least.min(end - start);
                start = end;
            }
        }
    }
    let [first, second] = &halves;
    let times = first.iter().zip(second).map(|(first, second)| {
        let both: Vec<f64> = first.iter().zip(second).map(|(x, y)| x.min(*y)).collect();
        sum(&both)
    });
    (times.collect(), differ(&halves))
}

fn queries() {
    println!(
        "\nqueries, µs of the thread's own: layers by hand, chosen by counts and by the clock"
    );
    let bodies = [
        ("monkey", elbowroom_make::monkey_head(1)),
        ("bumpy ball", elbowroom_make::bumpy_sphere(16, 0.3, 2)),
        ("torus", elbowroom_make::wrinkled_torus(60, 24)),
        ("landscape", elbowroom_make::landscape(50, 50, 3)),
    ];
    let mut worst = [0.0_f64; 2];
    for (name, mesh) in &bodies {
        for is_turned in [true, false] {
            let model = grown(mesh, &single(Family::Aabb));
            let places = sample_placements(&model, &model, 24, is_turned);
            let families: &[Family] = if is_turned { &RIGID } else { &SOFT };
            let costs = Costs::default();
            let purpose = Purpose { placements: &places, refits: 0.0, costs, families };
            let by_counts = choose(&model, &model, &purpose).expect("places").layering;
            let by_clock = choose_by_clock(&model, &model, &purpose).expect("places").layering;
            let mut layerings = by_hand(families);
            let hand = layerings.len();
            layerings.extend([by_counts, by_clock]);
            let (times, spread) = timed(&model, &layerings, &places);
            let best = times[..hand].iter().copied().fold(f64::INFINITY, f64::min);
            let way = if is_turned { "turned" } else { "parallel" };
            println!("{name}, {way}; spread {:.1} %", 100.0 * spread);
            for (which, word) in ["by counts", "by the clock"].into_iter().enumerate() {
                let (time, layering) = (times[hand + which], &layerings[hand + which]);
                println!("{time:>12.2}  {:.3} chosen {word}: {layering}", time / best);
                worst[which] = worst[which].max(time / best);
            }
            let mut order: Vec<usize> = (0..hand).collect();
            order.sort_by(|&x, &y| times[x].total_cmp(&times[y]));
            for i in order {
                println!("{:>12.2}  {:.3} {}", times[i], times[i] / best, layerings[i]);
            }
        }
    }
    println!(
        "chosen / best by hand, at most: by counts {:.3}, by the clock {:.3}",
        worst[0], worst[1]
    );
}

/// The costs that fit the times of whole queries best: of other scenes than those of *queries*,
/// single families and hybrids, by least squares of relative errors.
fn fitted() {
    println!("\nfitted costs, ns a test");
    let bodies = [
        elbowroom_make::monkey_head(5),
        elbowroom_make::bumpy_sphere(12, 0.2, 7),
        elbowroom_make::torus(1.0, 0.35, 48, 20),
        elbowroom_make::landscape(40, 40, 8),
    ];
    for is_turned in [true, false] {
        let families: &[Family] = if is_turned { &RIGID } else { &SOFT };
        let mut rows = Vec::new();
        let mut spreads: f64 = 0.0;
        for mesh in &bodies {
            let base = grown(mesh, &single(Family::Aabb));
            let places = sample_placements(&base, &base, 16, is_turned);
            let layerings = by_hand(families);
            let (times, spread) = timed(&base, &layerings, &places);
            spreads = spreads.max(spread);
            for (layering, time) in layerings.iter().zip(times) {
                rows.push(relative(&base.with_layering(layering), &places, families, time));
            }
        }
        let costs = least_squares(&rows);
        println!(
            "{}; spread {:.1} %",
            if is_turned { "turned" } else { "parallel" },
            100.0 * spreads
        );
        for (family, cost) in
            families.iter().map(|family| family.name()).chain(["triangles"]).zip(&costs)
        {
            println!("{family:>12} {cost:>7.1}");
        }
        let errors = rows
            .iter()
            .map(|row| row.iter().zip(&costs).map(|(x, cost)| x * cost).sum::<f64>() - 1.0);
        let worst = errors.fold(0.0_f64, |worst, error| worst.max(error.abs()));
        println!("{:>12} {:>6.1} %", "off by", 100.0 * worst);
    }
}

/// Tests a query by family, and triangles, over the nanoseconds that it takes.
fn relative(
    model: &HybridTree,
    places: &[[Pose; 2]],
    families: &[Family],
    micros: f64,
) -> Vec<f64> {
    let question = CollisionRequest { want: Want::Count, ..CollisionRequest::default() };
    let mut workspace = Workspace::default();
    let mut tally = elbowroom::internal::traverse::Tally::default();
    for [a, b] in places {
        tally += collide_layered(model, a, model, b, &question, &mut workspace).tally;
    }
    let share = 1.0 / (1e3 * micros * places.len() as f64);
    let tests = families.iter().map(|&family| tally.of_family(family));
    tests.chain([tally.primitives]).map(|count| count as f64 * share).collect()
}

/// The x for which all rows · x are nearest to one: normal equations, by elimination.
fn least_squares(rows: &[Vec<f64>]) -> Vec<f64> {
    let n = rows[0].len();
    let sum = |i: usize, j: usize| rows.iter().map(|row| row[i] * row.get(j).unwrap_or(&1.0)).sum();
    let mut matrix: Vec<Vec<f64>> = (0..n).map(|i| (0..=n).map(|j| sum(i, j)).collect()).collect();
    for i in 0..n {
        let pivot = matrix[i].clone();
        for (_, row) in matrix.iter_mut().enumerate().filter(|(j, _)| *j != i) {
            let factor = row[i] / pivot[i];
            row.iter_mut().zip(&pivot).for_each(|(x, p)| *x -= factor * p);
        }
    }
    (0..n).map(|i| matrix[i][n] / matrix[i][i]).collect()
}

fn main() {
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let sections: [(&str, fn()); 5] = [
        ("refits", refits),
        ("costs", costs),
        ("fitted", fitted),
        ("rotation", rotation),
        ("queries", queries),
    ];
    for (name, run) in sections {
        if wanted.is_empty() || wanted.iter().any(|word| word == name) {
            run();
        }
    }
}
