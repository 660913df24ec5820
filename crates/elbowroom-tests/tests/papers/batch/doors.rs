//! What is refused, and how it is said.

use elbowroom::internal::volume::Obb;
use elbowroom_motion::body::{Joint, JointId, Local, Skeleton};
use elbowroom_papers::cab::batch::{BatchErrorKind, BatchLeaf, Merge, Plan, Poses};
use glam::{DMat3, DQuat, DVec3};

use super::reference::chain;

fn refused(result: Result<Plan, elbowroom_papers::cab::batch::BatchError>) -> BatchErrorKind {
    let error = result.expect_err("it cannot be");
    assert!(error.to_string().len() > 20, "{error}");
    error.kind().clone()
}

#[test]
fn what_cannot_be_is_refused_by_name() {
    let (skeleton, leaves) = chain(3);
    assert_eq!(refused(Plan::new(&skeleton, &[])), BatchErrorKind::NoLeaves);
    let mut bad = leaves.clone();
    bad[1].joint = JointId(3);
    let expected = BatchErrorKind::NoSuchJoint { joint: 3, joints: 3 };
    assert_eq!(refused(Plan::new(&skeleton, &bad)), expected);
    let shapes: [fn(&mut Obb); 4] = [
        |shape| shape.half.y = -1e-9,
        |shape| shape.half.z = f64::INFINITY,
        |shape| shape.center.x = f64::NAN,
        |shape| shape.axes.x_axis *= 1.001,
    ];
    for change in shapes {
        let mut bad = leaves.clone();
        change(&mut bad[2].shape);
        assert_eq!(refused(Plan::new(&skeleton, &bad)), BatchErrorKind::Leaf { leaf: 2 });
    }
    let mut huge = leaves.clone();
    huge[0].shape.center.x = 2e9;
    assert!(matches!(refused(Plan::new(&skeleton, &huge)), BatchErrorKind::TooLarge { .. }));
    let mut joints = skeleton.joints().to_vec();
    joints[1].rest.scale.y = 2.0;
    let scaled = Skeleton::new(joints).expect("a chain");
    assert!(matches!(
        refused(Plan::new(&scaled, &leaves)),
        BatchErrorKind::Scaled { joint: 1, .. }
    ));
    let (long, leaves) = chain(20_000);
    assert!(matches!(refused(Plan::new(&long, &leaves[..2])), BatchErrorKind::TooDeep { .. }));
}

#[test]
fn trees_that_are_none_are_refused() {
    let (skeleton, leaves) = chain(3);
    let merge = |a, b| Merge { a, b, joint: JointId(1) };
    let plan = |merges: &[Merge]| Plan::with_tree(&skeleton, &leaves, merges.to_vec());
    for (merges, at) in [
        (vec![], 0),
        (vec![merge(0, 1)], 1),
        (vec![merge(0, 1), merge(1, 2)], 1),
        (vec![merge(0, 0), merge(1, 2)], 0),
        (vec![merge(0, 3), merge(1, 2)], 0),
        (vec![merge(0, 1), merge(3, 2), merge(4, 4)], 2),
    ] {
        assert_eq!(refused(plan(&merges)), BatchErrorKind::Merge { merge: at }, "{merges:?}");
    }
    let other = plan(&[merge(2, 1), merge(3, 0)]).expect("a tree");
    assert_eq!((other.nodes(), other.leaves(), other.root()), (5, 3, 4));
}

#[test]
fn poses_turn_joints_and_move_the_root() {
    let (skeleton, leaves) = chain(3);
    let plan = Plan::new(&skeleton, &leaves).expect("a good plan");
    let mut poses = Poses::new(&plan, 1);
    let mut pose = skeleton.rest_pose();
    let place = (DQuat::from_rotation_z(0.5 * std::f64::consts::PI), DVec3::Y);
    pose.locals[0].translation = DVec3::X;
    poses.set(&plan, 0, &pose, place).expect("the root may move");
    assert!(poses.origins()[0].abs_diff_eq(DVec3::Y * 2.0, 1e-15));
    pose.locals[2].translation.x += 1e-3;
    let error = poses.set(&plan, 0, &pose, place).expect_err("a joint may not");
    assert_eq!(*error.kind(), BatchErrorKind::Pose { joint: 2 });
    let joint = Joint { name: "other".into(), parent: None, rest: Local::IDENTITY };
    let two = Skeleton::new(vec![joint.clone(), joint]).expect("a forest");
    let shape = Obb { center: DVec3::ZERO, axes: DMat3::IDENTITY, half: DVec3::ONE };
    let plan = Plan::new(&two, &[BatchLeaf { joint: JointId(1), shape }]).expect("one box");
    assert_eq!((plan.nodes(), plan.root()), (1, 0));
    let mut pose = two.rest_pose();
    pose.locals[0].translation = DVec3::X;
    let error = Poses::new(&plan, 1).set(&plan, 0, &pose, place).expect_err("which root?");
    assert_eq!(*error.kind(), BatchErrorKind::Pose { joint: 0 });
}
