//! What a pair of triangles costs at each stage of the chain, and how often each stage is reached.
//!
//!     cargo bench -p elbowroom --bench exact
//!
//! The first table sorts pairs of every class by the last stage that they reached. The second is
//! real: the placed people of the shared data, where they are present, every pair of triangles
//! whose bounds overlap.

use std::hint::black_box;
use std::time::Instant;

use elbowroom::internal::exact::{PlacedTriangle, Stages, relate, relate_counted};
use elbowroom::{Pose, Relation};
use elbowroom_testkit::data;
use elbowroom_testkit::nasty::{Class, generate};
use elbowroom_testkit::oracle::PlainPose;
use elbowroom_testkit::random::Random;
use glam::{DMat3, DVec3};

type Placed = (Pose, [DVec3; 3], Pose, [DVec3; 3]);

fn placement(pose: &PlainPose) -> Pose {
    let rotation = DMat3::from_cols_array_2d(&pose.r).transpose();
    Pose::new(rotation, DVec3::from_array(pose.t)).expect("generated poses are rigid")
}

/// The best of seven rounds, in ns a pair.
fn nanoseconds(pairs: &[(PlacedTriangle, PlacedTriangle)]) -> f64 {
    let rounds = (200_000 / pairs.len()).max(1);
    (0..7)
        .map(|_| {
            let start = Instant::now();
            for _ in 0..rounds {
                for (a, b) in pairs {
                    black_box(relate(black_box(a), black_box(b)));
                }
            }
            start.elapsed().as_secs_f64() * 1e9 / (rounds * pairs.len()) as f64
        })
        .fold(f64::INFINITY, f64::min)
}

/// The last stage that a pair needed: 0 fast to 3 big.
fn last_stage(stages: &Stages) -> usize {
    let Stages { bounded, wide, big, .. } = *stages;
    [bounded, wide, big].iter().rposition(|&count| count > 0).map_or(0, |place| place + 1)
}

fn print_row(name: &str, stages: &Stages, pairs: &[(PlacedTriangle, PlacedTriangle)]) {
    let Stages { fast, bounded, wide, big } = *stages;
    let signs = (fast + bounded + wide + big) as f64;
    let share = |count: u64| 100.0 * count as f64 / signs;
    println!(
        "{name:>22} {:>9} {:>8.1} {:>7.2} {:>9.2} {:>8.2} {:>8.2} {:>8.2}",
        pairs.len(),
        nanoseconds(pairs),
        signs / pairs.len() as f64,
        share(fast),
        share(bounded),
        share(wide),
        share(big)
    );
}

fn placed(pairs: &[Placed]) -> Vec<(PlacedTriangle<'_>, PlacedTriangle<'_>)> {
    pairs
        .iter()
        .map(|(place_a, a, place_b, b)| {
            (PlacedTriangle::new(place_a, *a), PlacedTriangle::new(place_b, *b))
        })
        .collect()
}

fn by_last_stage() {
    let mut random = Random::new(1);
    let mut sorted: [Vec<Placed>; 4] = Default::default();
    for class in Class::ALL {
        for _ in 0..2000 {
            let case = generate(class, &mut random);
            let (a, b) = (case.a.map(DVec3::from_array), case.b.map(DVec3::from_array));
            let (place_a, place_b) = (placement(&case.pose_a), placement(&case.pose_b));
            let mut stages = Stages::default();
            let pair = (PlacedTriangle::new(&place_a, a), PlacedTriangle::new(&place_b, b));
            relate_counted(&pair.0, &pair.1, &mut stages);
            sorted[last_stage(&stages)].push((place_a, a, place_b, b));
        }
    }
    for (name, pairs) in ["ends fast", "ends bounded", "ends wide", "ends big"].iter().zip(&sorted)
    {
        let pairs = placed(pairs);
        let mut stages = Stages::default();
        for (a, b) in &pairs {
            relate_counted(a, b, &mut stages);
        }
        print_row(name, &stages, &pairs);
    }
}

fn on_people() {
    let Some(directory) = data::shared_dir() else {
        println!("the shared data is absent: no real pairs");
        return;
    };
    let people = data::humans::load(&directory);
    let here = Pose::IDENTITY;
    let mut candidates = Vec::new();
    let (mut stages, mut met) = (Stages::default(), 0);
    for pair in (0..people.pairs.len()).step_by(8) {
        let [a, b] = people.placed(pair);
        let triangles = |soup: &elbowroom_testkit::brute::Soup| -> Vec<_> {
            (0..soup.triangles.len())
                .map(|i| PlacedTriangle::new(&here, soup.triangle(i).map(DVec3::from_array)))
                .map(|triangle| (triangle, triangle.bounds()))
                .collect()
        };
        let (a, b) = (triangles(&a), triangles(&b));
        for (first, (low, high)) in &a {
            for (second, (other_low, other_high)) in &b {
                if low.cmple(*other_high).all() && other_low.cmple(*high).all() {
                    met += u32::from(relate_counted(first, second, &mut stages) != Relation::Apart);
                    candidates.push((*first, *second));
                }
            }
        }
    }
    print_row("people, bounds overlap", &stages, &candidates);
    println!("{:>22} {met} of them meet", "");
}

fn main() {
    println!(
        "{:>22} {:>9} {:>8} {:>7} {:>9} {:>8} {:>8} {:>8}",
        "pairs that", "pairs", "ns/pair", "signs", "fast %", "bound %", "wide %", "big %"
    );
    by_last_stage();
    on_people();
}
