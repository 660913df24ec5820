//! What more threads are worth on large batches.
//!
//!     cargo bench -p elbowroom --features parallel --bench threads
//!
//! A batch of pairs of heads that stand close, and a batch of poses of one pair of balls, are asked
//! about by one thread and by more, in turns, and trees are built; answers and trees must be the
//! same. Shown is the best of the rounds, by the clock on the wall.

use std::time::Instant;

use elbowroom::Pose;
use elbowroom::internal::bvh::Packed;
use elbowroom::internal::model::Model;
use elbowroom::internal::query::{CollisionRequest, Placed, Want, collide_pairs};
use elbowroom_testkit::random::Random;
use glam::{DQuat, DVec3};

const ROUNDS: usize = 7;

fn main() {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut random = Random::new(1);
    let mut place = |reach: f64| {
        let mut vector = || DVec3::from_array([(); 3].map(|()| random.uniform(-1.0, 1.0)));
        let (axis, step) = (vector().normalize_or(DVec3::X), vector() * reach);
        let turn = DQuat::from_axis_angle(axis, random.uniform(-3.0, 3.0));
        Pose::from_quat(turn, step).unwrap_or_default()
    };
    let head = Model::new(elbowroom_make::monkey_head(5));
    let places: Vec<Pose> = (0..200_000).map(|_| place(1.5)).collect();
    let pairs: Vec<(Placed, Placed)> = places
        .chunks_exact(2)
        .map(|two| (Placed::new(&head, &two[0]), Placed::new(&head, &two[1])))
        .collect();
    let ball = Model::new(elbowroom_make::icosphere(60));
    let here = Pose::IDENTITY;
    let flights: Vec<Pose> = (0..20_000).map(|_| place(2.0)).collect();
    let flights: Vec<(Placed, Placed)> =
        flights.iter().map(|at| (Placed::new(&ball, &here), Placed::new(&ball, at))).collect();
    println!("{cores} cores");
    // Short questions are many, so that a batch takes some tens of milliseconds all the same.
    for (ask, pairs, flights) in
        [(Want::Any, &pairs[..], &flights[..]), (Want::All, &pairs[..10_000], &flights[..2_000])]
    {
        let question = CollisionRequest { want: ask, ..CollisionRequest::default() };
        compare(&format!("{} pairs of heads, {ask:?}", pairs.len()), cores, || {
            collide_pairs(pairs, &question)
        });
        compare(&format!("{} placements of two balls, {ask:?}", flights.len()), cores, || {
            collide_pairs(flights, &question)
        });
    }
    let large = elbowroom_make::bumpy_sphere(160, 0.1, 1);
    compare("a tree of 512,000 triangles", cores, || Packed::build(&large));
}

fn compare<T: Clone + PartialEq + Send>(name: &str, cores: usize, work: impl Fn() -> T + Sync) {
    let mut expected: Option<T> = None;
    let mut best = vec![f64::INFINITY; cores];
    for _ in 0..ROUNDS {
        for threads in 1..=cores {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let pool = pool.expect("threads can be started");
            let start = Instant::now();
            let answers = pool.install(&work);
            best[threads - 1] = best[threads - 1].min(start.elapsed().as_secs_f64());
            let expected = expected.get_or_insert_with(|| answers.clone());
            assert!(*expected == answers, "{name}: it depends on the threads");
        }
    }
    print!("{name}: {:.1} ms", 1e3 * best[0]);
    for threads in 2..=cores {
        print!("; {threads} threads {:.2} times as fast", best[0] / best[threads - 1]);
    }
    println!();
}
