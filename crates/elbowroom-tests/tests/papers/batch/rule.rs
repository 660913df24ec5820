//! The inner boxes are those of the paper's rule, node by node.

use elbowroom::internal::volume::Obb;
use elbowroom_motion::body::{Joint, JointId, Local, Skeleton};
use elbowroom_papers::cab::batch::{BatchLeaf, BatchWorkspace, Boxes, Plan, Poses, refit};
use elbowroom_testkit::random::Random;
use glam::{DAffine3, DMat3, DQuat, DVec3};

use super::{ANGLES, KINDS, body, poses, reference};

/// How far two boxes are from each other: the largest difference of centre, extents and axes, axes
/// up to their sign and as much as the box is long along the others.
fn difference(a: &Obb, b: &Obb) -> f64 {
    let size = a.half.max_element();
    let turn: f64 = (0..3)
        .map(|i| {
            let (x, y) = (a.axes.col(i), b.axes.col(i));
            (x - y).length().min((x + y).length())
        })
        .fold(0.0, f64::max);
    (a.half - b.half).abs().max_element().max((a.center - b.center).length()) + turn * size
}

#[test]
fn inner_boxes_are_those_of_the_rule() {
    let mut random = Random::new(72);
    let (mut workspace, mut boxes) = (BatchWorkspace::new(), Boxes::new());
    let (mut compared, mut ties, mut parallel) = (0, 0, 0);
    let mut worst: f64 = 0.0;
    for round in 0..400 {
        let kind = KINDS[round % KINDS.len()];
        let angle = ANGLES[round / KINDS.len() % ANGLES.len()];
        let (skeleton, leaves) = body(kind, &mut random, 1.0);
        let plan = Plan::new(&skeleton, &leaves).expect("a good plan");
        let (columns, each) = poses(&skeleton, &plan, 5, &mut random, angle);
        refit(&plan, &columns, &mut workspace, &mut boxes);
        let mut one = reference::Body::default();
        for (index, (pose, turn)) in each.iter().enumerate() {
            let root = skeleton.joints().iter().position(|joint| joint.parent.is_none());
            let at = pose.locals[root.expect("a root")].translation;
            let placed = DAffine3::from_rotation_translation(*turn, -(*turn * at));
            one.refit(&skeleton, (&leaves, plan.merges()), pose, &placed);
            for (k, merge) in plan.merges().iter().enumerate() {
                let [a, b] = [merge.a, merge.b].map(|node| boxes.obb(index, node as usize));
                let joint = one.world[merge.joint.index()].translation;
                let (expected, tie) = reference::cab(&a, &b, joint, 1e-4);
                // What has no direction is left to the other rule, which the reference only knows
                // at zero.
                let point = a.half.max_element().min(b.half.max_element()) < 1e-4;
                if tie || point {
                    ties += 1;
                    continue;
                }
                let found = boxes.obb(index, plan.leaves() + k);
                let off = difference(&expected, &found) / found.half.max_element();
                worst = worst.max(off);
                // Where the angle is small, a₁ × a₂ is known to 10⁻⁷ / 4.5·10⁻³ only.
                assert!(off < 3e-4, "{kind:?} {off}: {a:?} {b:?} {expected:?} {found:?}");
                parallel += usize::from(expected.axes == a.axes || expected.axes == b.axes);
                compared += 1;
            }
        }
    }
    println!("{compared} compared, {ties} ties, {parallel} parallel, worst {worst:e}");
    assert!(compared > 20_000 && parallel > 500, "{compared} {parallel}");
}

/// A straight limb, a folded one and one at a right angle, by hand.
#[test]
fn straight_folded_and_square() {
    let joint = |parent, x: f64| Joint {
        name: "limb".into(),
        parent,
        rest: Local::from_translation(DVec3::X * x),
    };
    let skeleton =
        Skeleton::new(vec![joint(None, 0.0), joint(Some(JointId(0)), 2.0)]).expect("a limb");
    let shape = Obb { center: DVec3::X, axes: DMat3::IDENTITY, half: DVec3::new(1.0, 0.2, 0.1) };
    let leaves = [0, 1].map(|i| BatchLeaf { joint: JointId(i), shape });
    let plan = Plan::new(&skeleton, &leaves).expect("a good plan");
    let mut poses = Poses::new(&plan, 3);
    poses.turn(1, JointId(1), DQuat::from_rotation_z(std::f64::consts::PI));
    poses.turn(2, JointId(1), DQuat::from_rotation_z(0.5 * std::f64::consts::PI));
    let mut boxes = Boxes::new();
    refit(&plan, &poses, &mut BatchWorkspace::new(), &mut boxes);
    let near = |half: DVec3, expected: [f64; 3]| {
        let off = half - DVec3::from_array(expected);
        off.min_element() > 0.0 && off.max_element() < 1e-4
    };
    let straight = boxes.obb(0, plan.root());
    assert!(near(straight.half, [2.0, 0.2, 0.1]), "{straight:?}");
    assert!(straight.center.abs_diff_eq(DVec3::X * 2.0, 1e-4));
    let folded = boxes.obb(1, plan.root());
    assert!(near(folded.half, [1.0, 0.2, 0.1]), "{folded:?}");
    // The upper arm points to −x and the lower to y from the elbow: the longest is E, from hand to
    // shoulder.
    let square = boxes.obb(2, plan.root());
    let diagonal = 0.5_f64.sqrt();
    assert!(square.axes.x_axis.abs().abs_diff_eq(DVec3::new(diagonal, diagonal, 0.0), 1e-4));
    assert!(near(square.half, [2.2 * diagonal, 0.1, 1.2 * diagonal]), "{square:?}");
}
