//! How fast thousands of skeletons are posed and their inner boxes refitted, on one core.
//!
//!     cargo bench -p elbowroom --bench batch
//!
//! A person of 31 joints has a box at every joint and 30 around two others each. *Seen* is a refit
//! whose boxes are read block by block, here at the root; *written* is one that leaves all boxes of
//! all bodies in memory; *scalar* goes body by body in f64, forward kinematics and boxes, without
//! any rounding outward. The rounds of all three take turns, and the best of each counts. Every
//! level must give the same bits, and that is checked. The last lines put an articulated body's own
//! update, which rounds outward and checks its pose, in the place of the scalar one.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use elbowroom::internal::arch::SimdLevel;
use elbowroom_make::{Chain, chain};
use elbowroom_motion::body::{Skeleton, SkeletonPose};
use elbowroom_papers::cab::batch::{
    BatchLeaf, BatchWorkspace, Boxes, Plan, Poses, refit, refit_each,
};
use elbowroom_papers::cab::{ArticulatedBody, CabAxis, CabHierarchy, RefitMethod};
use elbowroom_testkit::random::Random;
use glam::{DAffine3, DQuat, DVec3};

#[path = "../../elbowroom-tests/tests/papers/batch/reference.rs"]
mod reference;

/// Milliseconds.
fn time(call: impl FnOnce()) -> f64 {
    let start = Instant::now();
    call();
    start.elapsed().as_secs_f64() * 1e3
}

fn look(plan: &Plan, poses: &Poses, workspace: &mut BatchWorkspace) -> f32 {
    let mut sum = 0.0;
    refit_each(plan, poses, workspace, |block| {
        let root = &block.boxes()[plan.root()];
        sum += root.half[0].0.iter().sum::<f32>();
    });
    sum
}

fn row(name: &str, (skeleton, leaves): &(Skeleton, Vec<BatchLeaf>), bodies: usize, rounds: usize) {
    let plan = Plan::new(skeleton, leaves).expect("a good plan");
    let mut random = Random::new(1);
    // Few poses for many bodies, so that the scalar refit is not held up by its memory.
    let some: Vec<SkeletonPose> =
        (0..64).map(|_| reference::bent(skeleton, &mut random, 0.6)).collect();
    let mut poses = Poses::new(&plan, bodies);
    let at = |body: usize| DVec3::new(0.7 * (body % 100) as f64, 0.0, 0.7 * (body / 100) as f64);
    for body in 0..bodies {
        let place = (DQuat::IDENTITY, at(body));
        poses.set(&plan, body, &some[body % 64], place).expect("a good pose");
    }
    let mut best = [f64::INFINITY; 3];
    let mut narrow = BatchWorkspace::with_level(SimdLevel::Portable);
    let mut wide = BatchWorkspace::new();
    let (mut boxes, mut body) = (Boxes::new(), reference::Body::default());
    refit(&plan, &poses, &mut narrow, &mut boxes);
    let bits = boxes.clone();
    for _ in 0..rounds {
        best[0] = best[0].min(time(|| {
            black_box(look(&plan, &poses, &mut wide));
        }));
        best[1] = best[1].min(time(|| refit(&plan, &poses, &mut wide, black_box(&mut boxes))));
        let few = bodies.min(1000);
        best[2] = best[2].min(
            bodies as f64 / few as f64
                * time(|| {
                    for i in 0..few {
                        let placed = DAffine3::from_translation(at(i));
                        body.refit(skeleton, (leaves, plan.merges()), &some[i % 64], &placed);
                        black_box(&mut body);
                    }
                }),
        );
    }
    assert!(bits == boxes, "levels differ");
    let per_joint = best[0] * 1e6 / (bodies * skeleton.len()) as f64;
    println!(
        "{name:>14} {:>7} {bodies:>7} {:>9.3} {:>9.3} {:>9.3} {:>7.1} {:>7.1} {:>9.1}",
        skeleton.len(),
        best[0],
        best[1],
        best[2],
        best[2] / best[0],
        best[2] / best[1],
        per_joint
    );
}

/// The chain of the articulated bodies, and its own hierarchy, updated body by body.
fn articulated(links: u32, bodies: usize) {
    let rig = chain(&Chain { links, aspect: 6.0, ..Chain::default() });
    let body = Arc::new(ArticulatedBody::of_rig(&rig).expect("links"));
    let plan = Plan::of_articulation(&rig.skeleton, &body).expect("a good plan");
    let mut poses = Poses::new(&plan, bodies);
    let some: Vec<SkeletonPose> = (0..64)
        .map(|frame| {
            let mut pose = rig.rest_pose();
            rig.clips[0].sample(0.1 * f64::from(frame), &mut pose);
            pose
        })
        .collect();
    for body in 0..bodies {
        let place = (DQuat::IDENTITY, DVec3::X * body as f64);
        poses.set(&plan, body, &some[body % 64], place).expect("a good pose");
    }
    let mut one = CabHierarchy::new(body, RefitMethod::Cab(CabAxis::Longest));
    let (mut workspace, mut world, mut best) =
        (BatchWorkspace::new(), Vec::new(), [f64::INFINITY; 2]);
    for _ in 0..50 {
        best[0] = best[0].min(time(|| {
            black_box(look(&plan, &poses, &mut workspace));
        }));
        best[1] = best[1].min(time(|| {
            for i in 0..bodies {
                rig.skeleton.world(&some[i % 64], &mut world);
                one.update(black_box(&world)).expect("rigid");
            }
        }));
    }
    let [seen, own] = best;
    println!("{links} links, {bodies} bodies: seen {seen:.3}, own {own:.3}, × {:.1}", own / seen);
}

fn main() {
    println!("milliseconds, one core, {:?}", SimdLevel::best());
    println!(
        "{:>14} {:>7} {:>7} {:>9} {:>9} {:>9} {:>7} {:>7} {:>9}",
        "", "joints", "bodies", "seen", "written", "scalar", "×", "×", "ns/joint"
    );
    let person = reference::person();
    row("person", &person, 10_000, 200);
    let turned = reference::bones(&person.0, true);
    row("turned boxes", &(person.0.clone(), turned), 10_000, 100);
    for bodies in [16, 100, 1000, 100_000] {
        row("person", &person, bodies, (1_000_000 / bodies).clamp(10, 500));
    }
    for joints in [2, 8, 31, 124, 500] {
        row("chain", &reference::chain(joints), 2000, 50);
    }
    articulated(8, 1000);
    articulated(31, 1000);
}
