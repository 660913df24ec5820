//! Which axis a CAB takes: claims about section 3.2 of the paper.

use std::sync::Arc;

use elbowroom::Pose;
use elbowroom::internal::bvh::NodeId;
use elbowroom::internal::volume::Obb;
use elbowroom_papers::cab::{ArticulatedBody, CabAxis, CabHierarchy, RefitMethod};
use elbowroom_testkit::random::Random;
use glam::{DQuat, DVec3};

use super::{bar, link, skeleton};

/// Two bars from one joint, at an angle, and the box around both.
fn bent(keep: RefitMethod, [l1, l2]: [f64; 2], thick: f64, angle: f64) -> Obb {
    let skeleton = skeleton(&[None, Some(0)], &[DVec3::ZERO, DVec3::ZERO]);
    // The first bar lies along its own x from the joint, the second is turned away from it.
    let links = vec![
        link(0, bar(l1, thick, 0.9 * thick), Pose::IDENTITY),
        link(1, bar(l2, thick, 0.9 * thick), Pose::IDENTITY),
    ];
    let articulation = ArticulatedBody::new(&skeleton, links).expect("two links");
    let mut pose = skeleton.rest_pose();
    pose.locals[1].rotation = DQuat::from_rotation_z(angle);
    let mut world = Vec::new();
    skeleton.world(&pose, &mut world);
    let mut body = CabHierarchy::new(Arc::new(articulation), keep);
    body.update(&world).expect("rigid");
    body.oriented(NodeId::ROOT).expect("a box")
}

fn is_along(b: &Obb, direction: DVec3) -> bool {
    b.axes.x_axis.cross(direction.normalize()).length() < 1e-9
}

/// The vector between the ends wins exactly when cos θ < shorter / (2·longer).
#[test]
fn the_endpoint_vector_wins_from_an_angle_on() {
    let mut random = Random::new(411);
    let mut met = [0; 2];
    for _ in 0..600 {
        let lengths = [random.uniform(1.0, 4.0), random.uniform(1.0, 4.0)];
        let angle = random.uniform(0.02, 3.1);
        let (longer, shorter) = (lengths[0].max(lengths[1]), lengths[0].min(lengths[1]));
        let threshold = shorter / (2.0 * longer);
        if (angle.cos() - threshold).abs() < 1e-6 {
            continue;
        }
        let first = DVec3::X * lengths[0];
        let second = DVec3::new(angle.cos(), angle.sin(), 0.0) * lengths[1];
        let b = bent(RefitMethod::Cab(CabAxis::Longest), lengths, 0.2, angle);
        let wins = angle.cos() < threshold;
        let expected = match wins {
            true => first - second,
            false if lengths[0] >= lengths[1] => first,
            false => second,
        };
        assert!(is_along(&b, expected), "{lengths:?} {angle}: {b:?}");
        assert!(b.axes.y_axis.abs().abs_diff_eq(DVec3::Z, 1e-9), "across the plane of the bend");
        met[usize::from(wins)] += 1;
    }
    assert!(met[0] > 150 && met[1] > 300, "{met:?}");
    // 60° for equal ones.
    for (degrees, wins) in [(59.9_f64, false), (60.1, true)] {
        let b = bent(RefitMethod::Cab(CabAxis::Longest), [2.0; 2], 0.1, degrees.to_radians());
        assert_eq!(is_along(&b, DVec3::X), !wins, "{degrees}");
    }
}

/// The sum of both axes where the vector between the ends is the shortest, else the same.
#[test]
fn the_sum_is_taken_at_small_angles_only() {
    let mut random = Random::new(412);
    let mut met = [0; 2];
    for _ in 0..400 {
        let lengths = [random.uniform(1.0, 3.0), random.uniform(1.0, 3.0)];
        let angle = random.uniform(0.02, 3.1);
        let (longer, shorter) = (lengths[0].max(lengths[1]), lengths[0].min(lengths[1]));
        if (longer - 2.0 * shorter * angle.cos()).abs() < 1e-6 {
            continue;
        }
        let [longest, sum] = [CabAxis::Longest, CabAxis::Sum]
            .map(|axis| bent(RefitMethod::Cab(axis), lengths, 0.2, angle));
        let is_shortest = longer < 2.0 * shorter * angle.cos();
        if is_shortest {
            let second = DVec3::new(angle.cos(), angle.sin(), 0.0) * lengths[1];
            assert!(is_along(&sum, DVec3::X * lengths[0] + second));
        } else {
            assert_eq!(sum, longest);
        }
        met[usize::from(is_shortest)] += 1;
    }
    assert!(met.iter().all(|&n| n > 40), "{met:?}");
}

/// Straight limbs, whose axes are opposite, and folded ones take the axes of the thicker child.
#[test]
fn parallel_axes_are_those_of_the_thicker_child() {
    for angle in [std::f64::consts::PI, 0.0, 0.001, std::f64::consts::PI - 0.001] {
        let b = bent(RefitMethod::Cab(CabAxis::Longest), [2.0, 1.0], 0.2, angle);
        assert!(is_along(&b, DVec3::X), "{angle}: {b:?}");
        assert!(b.half.is_finite() && b.half.x < 1.52 && b.half.y < 0.12, "{b:?}");
    }
}

/// For links six times as long as wide, the box is nearly as small as the covariance's: the claim's
/// median is below 1.3.
#[test]
fn boxes_are_nearly_as_small_as_those_of_the_covariance() {
    let volume = |b: Obb| b.half.x * b.half.y * b.half.z;
    let mut ratios: Vec<f64> = (1..180)
        .map(|degrees| {
            let angle = f64::from(degrees).to_radians();
            let [cab, covariance] = [RefitMethod::Cab(CabAxis::Longest), RefitMethod::Covariance]
                .map(|keep| volume(bent(keep, [1.0; 2], 1.0 / 6.0, angle)));
            cab / covariance
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    assert!((0.7..1.3).contains(&ratios[89]), "median {}", ratios[89]);
    assert!(ratios[178] < 2.0, "{ratios:?}");
}

/// The closed form of the covariance is that of the sixteen corners: the boxes agree with those
/// that volumes merge.
#[test]
fn covariance_is_that_of_sixteen_corners() {
    use elbowroom::internal::volume::Volume;

    let mut random = Random::new(413);
    let mut met = 0;
    for _ in 0..200 {
        let lengths = [random.uniform(1.0, 3.0), random.uniform(1.0, 3.0)];
        let angle = random.uniform(0.1, 3.0);
        let whole = bent(RefitMethod::Covariance, lengths, 0.2, angle);
        let leaf = |length: f64, turn: f64| {
            let axis = DVec3::new(turn.cos(), turn.sin(), 0.0);
            Obb {
                center: 0.5 * length * axis,
                axes: glam::DMat3::from_rotation_z(turn),
                half: DVec3::new(0.5 * length, 0.1, 0.09),
            }
        };
        let merged = leaf(lengths[0], 0.0).merged(&leaf(lengths[1], angle));
        let mut halves = [whole, merged].map(|b| b.half.to_array());
        for half in &mut halves {
            half.sort_by(f64::total_cmp);
        }
        let [a, b] = halves.map(DVec3::from_array);
        assert!((a - b).abs().max_element() < 1e-9, "{lengths:?} {angle}: {a} {b}");
        met += 1;
    }
    assert_eq!(met, 200);
}
