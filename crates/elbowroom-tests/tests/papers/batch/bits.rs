//! Equal bits on every level, on any number of threads and wherever a body is.

use elbowroom::internal::arch::SimdLevel;
use elbowroom_papers::cab::batch::{BatchWorkspace, Boxes, Plan, Poses, refit, refit_each};
use elbowroom_testkit::random::Random;
use glam::{DQuat, DVec3};

use super::{ANGLES, KINDS, body, poses};

#[test]
fn levels_and_ways_agree_bit_for_bit() {
    let mut random = Random::new(73);
    let (mut rounds, mut compared) = (0, 0);
    for kind in KINDS {
        for angle in ANGLES {
            let (skeleton, leaves) = body(kind, &mut random, 1.0);
            let plan = Plan::new(&skeleton, &leaves).expect("a good plan");
            let (columns, _) = poses(&skeleton, &plan, 150, &mut random, angle);
            let mut first: Option<Boxes> = None;
            for level in SimdLevel::ALL.into_iter().filter(|level| level.is_here()) {
                let (mut workspace, mut boxes) = (BatchWorkspace::with_level(level), Boxes::new());
                refit(&plan, &columns, &mut workspace, &mut boxes);
                assert_eq!(boxes.bodies(), 150);
                let expected = first.get_or_insert_with(|| boxes.clone());
                assert!(*expected == boxes, "{level:?} differs");
                let mut blocks = boxes.blocks();
                let mut seen = 0;
                refit_each(&plan, &columns, &mut workspace, |block| {
                    let other = blocks.next().expect("as many blocks");
                    assert_eq!((block.first(), block.len()), (other.first(), other.len()));
                    assert!(block.boxes() == other.boxes());
                    seen += block.len();
                });
                assert_eq!(seen, 150);
                rounds += 1;
            }
            #[cfg(feature = "parallel")]
            {
                let mut boxes = Boxes::new();
                elbowroom_papers::cab::batch::refit_parallel(&plan, &columns, &mut boxes);
                assert!(first.as_ref() == Some(&boxes), "threads differ");
            }
            compared += plan.nodes();
        }
    }
    assert!(rounds >= 20 && compared > 300);
}

#[test]
fn neither_the_lane_nor_the_world_matters() {
    let mut random = Random::new(74);
    let (skeleton, leaves) = body(super::Kind::Person, &mut random, 1.0);
    let plan = Plan::new(&skeleton, &leaves).expect("a good plan");
    let (_, each) = poses(&skeleton, &plan, 1, &mut random, 0.7);
    let (pose, turn) = &each[0];
    let mut columns = Poses::new(&plan, 33);
    for index in 0..33 {
        let far = DVec3::new(1e7 * index as f64, 0.0, -3e9);
        columns.set(&plan, index, pose, (*turn, far)).expect("a good pose");
    }
    let mut boxes = Boxes::new();
    refit(&plan, &columns, &mut BatchWorkspace::new(), &mut boxes);
    let mut same = 0;
    for block in boxes.blocks() {
        for lane in 0..block.len() {
            for node in block.boxes() {
                let strips = node.center.iter().chain(node.axes.iter().flatten()).chain(&node.half);
                assert!(strips.clone().all(|strip| strip.0[lane] == strip.0[0]));
                same += strips.count();
            }
        }
    }
    assert_eq!(same, 33 * 61 * 15);
    let obb = boxes.obb(32, plan.root());
    assert!((obb.center - DVec3::new(3.2e8, 0.0, -3e9)).length() < 2.0);
}

#[test]
fn quaternions_mean_their_direction() {
    let (skeleton, leaves) = super::reference::person();
    let plan = Plan::new(&skeleton, &leaves).expect("a good plan");
    let mut columns = Poses::new(&plan, 4);
    let joint = elbowroom_motion::body::JointId(3);
    let turn = DQuat::from_xyzw(0.1, 0.2, -0.3, 0.9);
    columns.turn(0, joint, turn);
    columns.turn(1, joint, turn * 1e200);
    columns.turn(2, joint, DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0));
    columns.turn(3, joint, DQuat::from_xyzw(f64::NAN, 0.0, 0.0, 1.0));
    let mut boxes = Boxes::new();
    refit(&plan, &columns, &mut BatchWorkspace::new(), &mut boxes);
    let root = |body: usize| boxes.obb(body, plan.root());
    assert!(root(0) != root(2) && root(2) == root(3));
    assert!((root(0).half - root(1).half).abs().max_element() < 1e-6);
}
