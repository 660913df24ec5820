//! Nothing gets out of its box by rounding, and how much of the slack that takes.

use elbowroom::internal::volume::Obb;
use elbowroom_papers::cab::batch::{BatchWorkspace, Boxes, Plan, refit};
use elbowroom_testkit::random::Random;
use glam::{DAffine3, DVec3};

use super::{ANGLES, KINDS, body, poses, reference};

/// The corners of a box as the set of points with |axis · (p − center)| ≤ half: the axes need not
/// be orthonormal.
fn corners(of: &Obb) -> [DVec3; 8] {
    let dual = of.axes.transpose().inverse();
    std::array::from_fn(|i| {
        let sign = |bit: usize| if i >> bit & 1 == 0 { -1.0 } else { 1.0 };
        of.center + dual * (of.half * DVec3::new(sign(0), sign(1), sign(2)))
    })
}

/// Whether points are in a box, judged in f64 on the numbers of the box as they are.
fn holds(of: &Obb, points: &[DVec3], lost: f64) -> bool {
    points.iter().all(|&p| {
        let along = of.axes.transpose() * (p - of.center);
        (along.abs() - of.half).max_element() <= lost
    })
}

/// How often something was outside: a link of its box, a box of the one around it, a link of the
/// root; of how many.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Outside {
    links: usize,
    boxes: usize,
    all: usize,
    of: usize,
}

fn outside(share: f64, rounds: usize) -> Outside {
    let mut random = Random::new(71);
    let (mut found, mut workspace, mut boxes) =
        (Outside::default(), BatchWorkspace::new(), Boxes::new());
    for round in 0..rounds {
        let kind = KINDS[round % KINDS.len()];
        let angle = ANGLES[round / KINDS.len() % ANGLES.len()];
        let scale = [1.0, 1e-6, 1e6][round / 20 % 3];
        let (skeleton, leaves) = body(kind, &mut random, scale);
        let plan = Plan::new(&skeleton, &leaves).expect("a good plan").with_share_of_slack(share);
        let (columns, each) = poses(&skeleton, &plan, 17, &mut random, angle);
        refit(&plan, &columns, &mut workspace, &mut boxes);
        let mut one = reference::Body::default();
        // What f64 itself loses, a million times less than the slack.
        let lost = 1e-14 * scale;
        for (index, (pose, turn)) in each.iter().enumerate() {
            let root = skeleton.joints().iter().position(|joint| joint.parent.is_none());
            let at = pose.locals[root.expect("a root")].translation;
            let placed = DAffine3::from_rotation_translation(*turn, -(*turn * at));
            one.refit(&skeleton, (&leaves, plan.merges()), pose, &placed);
            let obb = |node: usize| boxes.obb(index, node);
            for leaf in 0..plan.leaves() {
                let exact = corners(&one.boxes[leaf]);
                found.links += usize::from(!holds(&obb(leaf), &exact, lost));
                found.all += usize::from(!holds(&obb(plan.root()), &exact, lost));
            }
            for (k, merge) in plan.merges().iter().enumerate() {
                let around = obb(plan.leaves() + k);
                for node in [merge.a, merge.b] {
                    let inside = holds(&around, &corners(&obb(node as usize)), lost);
                    found.boxes += usize::from(!inside);
                }
            }
            found.of += plan.nodes();
        }
    }
    found
}

#[test]
fn every_box_contains_what_is_below_it() {
    let found = outside(1.0, 600);
    assert_eq!((found.links, found.boxes, found.all), (0, 0, 0));
    assert!(found.of > 300_000, "{found:?}");
}

/// A slack that is too small would show: without any, most boxes let something out, and with a
/// thirty-second of it hundreds still do. A quarter was enough for everything met here.
#[test]
fn the_slack_is_needed() {
    let shares = [0.0, 1.0 / 64.0, 1.0 / 32.0, 1.0 / 16.0, 1.0 / 8.0, 1.0 / 4.0];
    let found = shares.map(|share| outside(share, 120));
    for (share, found) in shares.iter().zip(&found) {
        println!("with {share} of the slack: {found:?}");
    }
    let [none, _, little, _, _, quarter] = found;
    assert!(4 * none.links > none.of && 4 * none.boxes > none.of, "{none:?}");
    assert!(little.links > 100 && little.boxes > 100, "{little:?}");
    assert_eq!((quarter.links, quarter.boxes, quarter.all), (0, 0, 0));
}
