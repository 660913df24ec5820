//! A warm refit of many bodies allocates nothing, nor does a question for depth.

use elbowroom::internal::convex::shape::Corners;
use elbowroom::internal::convex::{BoxShape, penetration};
use elbowroom::internal::volume::Obb;
use elbowroom_motion::body::{Joint, JointId, Local, Skeleton};
use elbowroom_papers::cab::batch::{
    BatchLeaf, BatchWorkspace, Boxes, Plan, Poses, refit, refit_each,
};
use glam::{DMat3, DQuat, DVec3};

use crate::counter::Region;

#[test]
fn warm_refits_and_depths_allocate_nothing() {
    let joint = |i: u32| Joint {
        name: String::new(),
        parent: i.checked_sub(1).map(JointId),
        rest: Local::from_translation(DVec3::X),
    };
    let skeleton = Skeleton::new((0..9).map(joint).collect()).expect("a chain");
    let shape = Obb { center: DVec3::X, axes: DMat3::IDENTITY, half: DVec3::ONE };
    let leaves: Vec<BatchLeaf> = (0..9).map(|i| BatchLeaf { joint: JointId(i), shape }).collect();
    let plan = Plan::new(&skeleton, &leaves).expect("a plan");
    let mut poses = Poses::new(&plan, 100);
    let (mut workspace, mut boxes) = (BatchWorkspace::new(), Boxes::new());
    let mut bodies = 0;
    let mut frame = |angle: f64| {
        for body in 0..100 {
            poses.turn(body, JointId(4), DQuat::from_rotation_y(angle * body as f64));
        }
        refit(&plan, &poses, &mut workspace, &mut boxes);
        refit_each(&plan, &poses, &mut workspace, |block| bodies += block.len());
    };
    frame(0.1);
    let region = Region::new();
    frame(0.2);
    assert_eq!(region.change().allocations + region.change().reallocations, 0);
    assert_eq!(bodies, 200);

    let hull = Corners::of_points(&[DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z]).expect("points");
    let cube = BoxShape { center: DVec3::ZERO, axes: DMat3::IDENTITY, half: DVec3::ONE };
    let region = Region::new();
    let found = penetration(&hull, &cube);
    assert_eq!(region.change().allocations, 0);
    assert!((found.upper - 1.0).abs() < 1e-9);
}
