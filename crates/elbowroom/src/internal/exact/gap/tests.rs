//! Against the rational oracle, on every class of nasty pairs.

use elbowroom_testkit::distance::squared_distance;
use elbowroom_testkit::nasty::{Class, PairCase, generate};
use elbowroom_testkit::oracle::PlainPose;
use elbowroom_testkit::random::Random;
use glam::DMat3;

use super::*;
use crate::internal::math::pose::Pose;

fn placement(pose: &PlainPose) -> Pose {
    let rotation = DMat3::from_cols_array_2d(&pose.r).transpose();
    Pose::new(rotation, DVec3::from_array(pose.t)).unwrap()
}

/// Checks one pair; whether it is apart, and which stage told.
fn check(case: &PairCase) -> (bool, usize) {
    let truth = squared_distance(&case.a, &case.pose_a, &case.b, &case.pose_b);
    let places = [&case.pose_a, &case.pose_b].map(placement);
    let corners = [case.a, case.b].map(|triangle| triangle.map(DVec3::from_array));
    let [a, b] = [0, 1].map(|i| PlacedTriangle::new(&places[i], corners[i]));
    let found = gap(&a, &b);
    assert_eq!(found.is_none(), truth.is_zero(), "{case:?}");
    let Some(found) = found else { return (false, 0) };
    let Gap { distance, points: [p, q] } = found;
    // Beyond f64 it is the largest number, below it the smallest.
    let high = if distance == f64::MAX { f64::INFINITY } else { distance * (1.0 + Gap::RELATIVE) };
    let low = distance * (1.0 - Gap::RELATIVE);
    let within = truth.is_between(low.next_down().max(0.0), high.next_up());
    assert!(within, "{distance:e} is off: {case:?}");
    assert!(p.is_finite() && q.is_finite(), "{found:?}");
    for order in [[0, 1, 2], [1, 2, 0], [2, 1, 0]] {
        let turned = corners.map(|triangle| order.map(|i| triangle[i]));
        let a = PlacedTriangle::new(&places[0], turned[0]);
        let b = PlacedTriangle::new(&places[1], turned[1]);
        let swapped = gap(&b, &a).unwrap();
        assert_eq!(swapped.distance.to_bits(), distance.to_bits(), "{case:?}");
        assert_eq!(swapped.points, [q, p], "{case:?}");
    }
    (true, stage(&a, &b))
}

/// Which stage tells: 0 is f64, 1 twice its digits for placing, 2 integers.
fn stage(a: &PlacedTriangle, b: &PlacedTriangle) -> usize {
    let ([first, second], _) = in_order([a.points(), b.points()]);
    let origin = if precedes(second[0], first[0]) { second[0] } else { first[0] };
    let relative = [first, second].map(|triangle| triangle.map(|p| p - origin));
    let error = a.rounding().length() + b.rounding().length();
    if certified(relative, origin, error).is_some() {
        return 0;
    }
    let (relative, error) = placed_finely([a, b], origin);
    if certified(in_order(relative).0, origin, error).is_some() { 1 } else { 2 }
}

#[test]
fn nasty_pairs_are_as_far_apart_as_the_oracle_says() {
    let mut random = Random::new(1901);
    let (mut meet, mut stages) = (0, [0; 3]);
    for class in Class::ALL {
        for _ in 0..240 {
            match check(&generate(class, &mut random)) {
                (false, _) => meet += 1,
                (true, stage) => stages[stage] += 1,
            }
        }
    }
    println!("{meet} meet; told by f64, fine placing, integers: {stages:?}");
    assert!(meet > 400 && stages.iter().all(|&count| count > 20), "{meet} {stages:?}");
}

/// Gaps from wide to a thousandth of a millionth of the triangles, of every kind of closest
/// feature, at the origin and a million away.
#[test]
fn narrow_gaps_far_away_are_as_good_as_wide_ones() {
    let mut random = Random::new(1902);
    let mut stages = [[0; 3]; 4];
    for round in 0..480_usize {
        let mut point = |size: f64| [0, 1, 2].map(|_| random.uniform(-size, size));
        let mut case = PairCase {
            a: [0, 1, 2].map(|_| point(1.0)),
            pose_a: PlainPose::IDENTITY,
            b: [0, 1, 2].map(|_| point(1.0)),
            pose_b: PlainPose::IDENTITY,
            known: None,
        };
        // Parts them along the direction between their closest points, to any gap.
        let corners = [case.a, case.b].map(|triangle| triangle.map(DVec3::from_array));
        let places = [Pose::IDENTITY; 2];
        let [a, b] = [0, 1].map(|i| PlacedTriangle::new(&places[i], corners[i]));
        let Some(Gap { points: [p, q], .. }) = gap(&a, &b) else { continue };
        let narrow = [1.0, 1e-3, 1e-6, 1e-9][round % 4];
        let step = (p - q) * (1.0 - narrow);
        let far = if round % 8 < 4 { 0.0 } else { 1e6 };
        case.pose_a = PlainPose::at([far, -far, 0.3 * far]);
        case.pose_b = PlainPose::at((DVec3::new(far, -far, 0.3 * far) + step).to_array());
        let (is_apart, stage) = check(&case);
        if is_apart {
            stages[round % 4][stage] += 1;
        }
    }
    println!("by gap, told by f64, fine placing, integers: {stages:?}");
    assert!(stages.iter().all(|gap| gap.iter().sum::<usize>() > 50), "{stages:?}");
    assert!(stages[0][2] + stages[1][2] < 10, "{stages:?}");
}
