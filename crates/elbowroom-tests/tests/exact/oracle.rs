//! Every class of nasty triangle pairs against the rational oracle, in all orders.
//!
//! By default a short run. `ELBOWROOM_PAIRS=10000000` makes it as long as that, over all cores:
//!
//!     ELBOWROOM_PAIRS=10000000 cargo test --release -p elbowroom-tests --test exact oracle:: --
//! --nocapture

use std::thread;

use elbowroom::internal::exact::Sign;
use elbowroom::internal::exact::{PlacedTriangle, Stages, orient3d, relate, relate_counted};
use elbowroom::{Pose, Relation};
use elbowroom_testkit::nasty::{Class, PairCase, generate};
use elbowroom_testkit::oracle::{self, PlainPose};
use elbowroom_testkit::random::Random;
use glam::{DMat3, DVec3};

fn placement(pose: &PlainPose) -> Pose {
    let rotation = DMat3::from_cols_array_2d(&pose.r).transpose();
    Pose::new(rotation, DVec3::from_array(pose.t)).expect("generated poses are rigid")
}

fn points(triangle: [[f64; 3]; 3]) -> [DVec3; 3] {
    triangle.map(DVec3::from_array)
}

fn expected(relation: oracle::Relation) -> Relation {
    match relation {
        oracle::Relation::Apart => Relation::Apart,
        oracle::Relation::Touching => Relation::Touching,
        oracle::Relation::Crossing => Relation::Crossing,
    }
}

/// How many pairs of a class were apart, touching and crossing, and which stages decided.
#[derive(Clone, Copy, Default)]
struct Met {
    relations: [u64; 3],
    stages: Stages,
}

impl std::ops::AddAssign for Met {
    fn add_assign(&mut self, other: Self) {
        for (sum, more) in self.relations.iter_mut().zip(other.relations) {
            *sum += more;
        }
        self.stages += other.stages;
    }
}

/// Decides a pair both ways round and checks the answer and one random orientation.
fn check(class: Class, case: &PairCase, random: &mut Random, met: &mut Met) {
    let (place_a, place_b) = (placement(&case.pose_a), placement(&case.pose_b));
    let a = PlacedTriangle::new(&place_a, points(case.a));
    let b = PlacedTriangle::new(&place_b, points(case.b));
    let truth = expected(oracle::relation(&case.a, &case.pose_a, &case.b, &case.pose_b));
    let answer = relate_counted(&a, &b, &mut met.stages);
    assert_eq!(answer, truth, "{class:?}: {case:?}");
    assert_eq!(relate(&b, &a), truth, "{class:?}, swapped: {case:?}");
    met.relations[answer as usize] += 1;

    let corners = std::array::from_fn(|_| random.below(6) as usize);
    let site = |corner: usize| match corner {
        0..3 => (&case.a[corner], &case.pose_a),
        _ => (&case.b[corner - 3], &case.pose_b),
    };
    let sign = match oracle::orient3d(corners.map(site)) {
        ..0 => Sign::Negative,
        0 => Sign::Zero,
        1.. => Sign::Positive,
    };
    assert_eq!(orient3d(&a, &b, corners), sign, "{class:?}, corners {corners:?}: {case:?}");
}

fn sweep(class: Class, pairs: u64, seed: u64) -> Met {
    let mut random = Random::new(seed ^ (class as u64) << 32);
    let mut met = Met::default();
    for _ in 0..pairs {
        let case = generate(class, &mut random);
        check(class, &case, &mut random, &mut met);
    }
    met
}

#[test]
fn no_class_of_pairs_disagrees_with_the_oracle() {
    let pairs: u64 = match std::env::var("ELBOWROOM_PAIRS") {
        Ok(count) => count.parse().expect("ELBOWROOM_PAIRS is a number of pairs"),
        Err(_) => 60_000,
    };
    let per_class = pairs.div_ceil(Class::ALL.len() as u64);
    let threads = thread::available_parallelism().map_or(1, |n| n.get() as u64);
    let mut total = Met::default();
    println!("{:>18} {:>9} {:>9} {:>9}   signs by stage", "class", "apart", "touching", "crossing");
    for class in Class::ALL {
        let met = thread::scope(|scope| {
            let parts: Vec<_> = (0..threads)
                .map(|part| scope.spawn(move || sweep(class, per_class.div_ceil(threads), part)))
                .collect();
            let mut met = Met::default();
            for part in parts {
                met += part.join().expect("a disagreement was printed above");
            }
            met
        });
        let [apart, touching, crossing] = met.relations;
        let Stages { fast, bounded, wide, big } = met.stages;
        println!(
            "{:>18} {apart:>9} {touching:>9} {crossing:>9}   {fast} {bounded} {wide} {big}",
            format!("{class:?}")
        );
        assert!(apart + touching + crossing >= per_class);
        total += met;
    }
    println!("{:>18} {:?} {:?}", "all", total.relations, total.stages);
    // The sweep met every answer and every stage of the chain many times.
    assert!(total.relations.iter().all(|&met| met > pairs / 20), "{:?}", total.relations);
    let Stages { fast, bounded, wide, big } = total.stages;
    assert!([fast, bounded, wide, big].iter().all(|&met| met > pairs / 20), "{:?}", total.stages);
}

/// All 36 orders of the corners, and the swap, give one answer.
#[test]
fn the_order_of_corners_does_not_matter() {
    const ORDERS: [[usize; 3]; 6] =
        [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];
    let mut random = Random::new(36);
    let mut relations = [0; 3];
    for class in Class::ALL {
        for _ in 0..200 {
            let case = generate(class, &mut random);
            let (place_a, place_b) = (placement(&case.pose_a), placement(&case.pose_b));
            let (a, b) = (points(case.a), points(case.b));
            let answers: Vec<Relation> = ORDERS
                .iter()
                .flat_map(|p| ORDERS.map(|q| (p.map(|i| a[i]), q.map(|i| b[i]))))
                .flat_map(|(a, b)| {
                    let a = PlacedTriangle::new(&place_a, a);
                    let b = PlacedTriangle::new(&place_b, b);
                    [relate(&a, &b), relate(&b, &a)]
                })
                .collect();
            assert_eq!(answers.len(), 72);
            assert!(answers.iter().all(|&x| x == answers[0]), "{class:?}: {answers:?} {case:?}");
            relations[answers[0] as usize] += 1;
        }
    }
    assert!(relations.iter().all(|&met| met > 400), "{relations:?}");
}
