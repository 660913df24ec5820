use super::*;
use crate::internal::volume::Spatial;
use elbowroom_testkit::random::Random;
use glam::DQuat;

fn vector(random: &mut Random) -> DVec3 {
    DVec3::new(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0))
}

fn turn(random: &mut Random) -> DQuat {
    let v = vector(random);
    DQuat::from_xyzw(v.x, v.y, v.z, random.uniform(-1.0, 1.0)).normalize()
}

#[test]
fn directions_are_all_there() {
    let directions = Directions::new();
    assert_eq!(directions.steps.len(), DIRECTIONS);
    let mut met = [0; DIRECTIONS];
    for (_, _, direction) in corners() {
        met[directions.find(direction).0] += 1;
    }
    assert!(met.iter().all(|&n| (1..=3).contains(&n)), "{met:?}");
}

/// Every placed point is in the box; and the box is not much larger than it must be.
#[test]
fn boxes_hold_what_is_placed_and_hardly_more() {
    let mut random = Random::new(1);
    let (mut met, mut excess) = (0, 0.0_f64);
    for scale in [1e-300, 1e-9, 1.0, 1e9, 1e300] {
        for _ in 0..200 {
            let points: Vec<DVec3> =
                (0..300).map(|_| scale * vector(&mut random).normalize()).collect();
            let shift = 5.0 * scale * vector(&mut random);
            let pose = Pose::from_quat(turn(&mut random), shift).expect("a rotation");
            let bounds = Support::of_points(points.iter().copied()).placed(&pose);
            let placed: Vec<DVec3> = points.iter().map(|&p| pose.apply(p)).collect();
            let exact = Aabb::of_points(&placed);
            for (axis, rounding) in
                pose.rounding(&[DVec3::splat(scale); 3]).to_array().iter().enumerate()
            {
                assert!(bounds.min[axis] <= exact.min[axis] - rounding);
                assert!(bounds.max[axis] >= exact.max[axis] + rounding);
            }
            excess = excess.max((bounds.half() / exact.half()).max_element());
            met += 1;
        }
    }
    assert_eq!(met, 1_000);
    assert!((1.02..1.1).contains(&excess), "{excess}");
}

#[test]
fn along_the_axes_nothing_is_lost() {
    let mut random = Random::new(2);
    let points: Vec<DVec3> = (0..50).map(|_| vector(&mut random)).collect();
    let exact = Aabb::of_points(&points);
    let bounds = Support::of_points(points).placed(&Pose::IDENTITY);
    assert!((bounds.max - exact.max).abs().max_element() < 2e-14);
    assert!((bounds.min - exact.min).abs().max_element() < 2e-14);
}

#[test]
fn what_overflows_ends_at_the_largest() {
    let everything = Aabb { min: DVec3::splat(-f64::MAX), max: DVec3::splat(f64::MAX) };
    let corner = DVec3::splat(f64::MAX);
    let turned = Pose::from_quat(DQuat::from_xyzw(0.3, 0.4, 0.5, 0.6), corner).expect("rigid");
    assert_eq!(Support::of_points([-corner, corner]).placed(&turned), everything);
    let nothing = Support::of_points([]).placed(&Pose::IDENTITY);
    assert!(nothing.contains(DVec3::ZERO) && nothing.half().max_element() < 1e-300);
}
