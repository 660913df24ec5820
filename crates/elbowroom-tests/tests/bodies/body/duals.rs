//! Dual quaternion skinning: rigid where it should be, and no candy wrapper.

use std::f64::consts::{PI, TAU};

use elbowroom::Mesh;
use elbowroom::internal::arch::SimdLevel;
use elbowroom_motion::body::{
    Blend, Hold, Influence, JointId, Local, Part, Rig, Skeleton, SkeletonPose, Skin,
};
use elbowroom_testkit::random::Random;
use glam::{DAffine3, DQuat, DVec3};

use super::skins::{cloud, posed};
use super::{any_point, any_rotation, joint, mesh_of};

const RINGS: u32 = 48;
const ROUND: u32 = 48;

/// A closed cylinder of radius 1 along z, from -2 to 2, between two joints at the origin.
fn cylinder(blend: Blend) -> Rig {
    let mut points = Vec::new();
    for ring in 0..RINGS {
        let z = 4.0 * f64::from(ring) / f64::from(RINGS - 1) - 2.0;
        for i in 0..ROUND {
            let angle = TAU * f64::from(i) / f64::from(ROUND);
            points.push(DVec3::new(angle.cos(), angle.sin(), z));
        }
    }
    let (bottom, top) = (points.len() as u32, points.len() as u32 + 1);
    points.extend([DVec3::new(0.0, 0.0, -2.0), DVec3::new(0.0, 0.0, 2.0)]);
    let mut triangles = Vec::new();
    for i in 0..ROUND {
        let next = (i + 1) % ROUND;
        for ring in 0..RINGS - 1 {
            let (low, high) = (ring * ROUND, (ring + 1) * ROUND);
            triangles.push([low + i, low + next, high + next]);
            triangles.push([low + i, high + next, high + i]);
        }
        let last = (RINGS - 1) * ROUND;
        triangles.push([bottom, next, i]);
        triangles.push([top, last + i, last + next]);
    }
    let influences = points.iter().flat_map(|point| {
        let upper = ((point.z + 2.0) / 4.0) as f32;
        [(0, 1.0 - upper), (1, upper)].map(|(joint, weight)| Influence { joint, weight })
    });
    let influences: Vec<Influence> = influences.collect();
    let offsets = (0..=points.len() as u32).map(|i| 2 * i).collect();
    let binds = vec![DAffine3::IDENTITY; 2];
    let skin = Skin::new(vec![JointId(0), JointId(1)], binds, offsets, influences).unwrap();
    let still = Local::IDENTITY;
    let skeleton =
        Skeleton::new(vec![joint("a", None, still), joint("b", Some(0), still)]).unwrap();
    let mut rig = Rig::new("cylinder", skeleton);
    let mesh = Mesh::new(points, triangles).unwrap();
    assert!(mesh.seams().is_closed());
    rig.parts.push(Part::new("tube", mesh, Hold::Skinned(skin.with_blend(blend))));
    rig
}

fn twisted(rig: &Rig, angle: f64) -> SkeletonPose {
    let mut pose = rig.rest_pose();
    pose.locals[1].rotation = DQuat::from_rotation_z(angle);
    pose
}

fn volume(rig: &Rig, points: &[DVec3]) -> f64 {
    let six = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|i| points[i as usize]);
        a.dot(b.cross(c))
    };
    rig.parts[0].mesh.triangles().iter().map(six).sum::<f64>() / 6.0
}

#[test]
fn a_twisted_cylinder_keeps_its_volume() {
    let (linear, dual) = (cylinder(Blend::Linear), cylinder(Blend::DualQuaternion));
    let rest = volume(&dual, dual.parts[0].mesh.vertices());
    assert!((rest / (4.0 * PI) - 1.0).abs() < 0.01, "{rest}");
    for degrees in [30.0_f64, 90.0, 150.0, 179.0] {
        let angle = degrees.to_radians();
        let kept = volume(&dual, &posed(&dual, &twisted(&dual, angle), SimdLevel::best())) / rest;
        let thin =
            volume(&linear, &posed(&linear, &twisted(&linear, angle), SimdLevel::best())) / rest;
        assert!(kept > 0.985 && kept <= 1.0 + 1e-12, "{degrees}: {kept}");
        // Two points on a circle, blended: the mean of |1 - w + w e^ia|² over w is 1 - (1 - cos a)
        // / 3.
        let expected = 1.0 - (1.0 - angle.cos()) / 3.0;
        assert!((thin - expected).abs() < 0.02, "{degrees}: {thin} {expected}");
    }
}

#[test]
fn a_twist_turns_every_ring_and_moves_none() {
    let rig = cylinder(Blend::DualQuaternion);
    let angle = 2.5;
    let found = posed(&rig, &twisted(&rig, angle), SimdLevel::best());
    let mut met = 0;
    for (before, after) in rig.parts[0].mesh.vertices().iter().zip(&found) {
        assert!((after.z - before.z).abs() < 1e-14);
        assert!((after.truncate().length() - before.truncate().length()).abs() < 1e-14);
        let w = f64::from(((before.z + 2.0) / 4.0) as f32);
        // The sum of two quaternions about one axis: tan of half the angle is a ratio of sums.
        let half = (w * (0.5 * angle).sin()).atan2((1.0 - w) + w * (0.5 * angle).cos());
        let expected = DQuat::from_rotation_z(2.0 * half) * *before;
        assert!(after.abs_diff_eq(expected, 1e-7), "{after} {expected}");
        met += 1;
    }
    assert_eq!(met, RINGS * ROUND + 2);
}

#[test]
fn joints_that_move_alike_move_rigidly() {
    let mut random = Random::new(41);
    for _ in 0..50 {
        let rig = cylinder(Blend::DualQuaternion);
        let mut pose = rig.rest_pose();
        pose.locals[0].rotation = any_rotation(&mut random);
        pose.locals[0].translation = any_point(&mut random) * 5.0;
        let world = pose.locals[0].affine();
        let found = posed(&rig, &pose, SimdLevel::best());
        for (before, after) in rig.parts[0].mesh.vertices().iter().zip(&found) {
            assert!(after.abs_diff_eq(world.transform_point3(*before), 1e-13));
        }
    }
}

#[test]
fn turning_the_whole_body_turns_the_result() {
    // Blending does not depend on where the world's origin and axes are.
    let mut random = Random::new(42);
    let (rig, mut pose) = cloud(8, 400, 4, Blend::DualQuaternion);
    let before = posed(&rig, &pose, SimdLevel::best());
    let root = pose.locals[0].affine();
    for _ in 0..20 {
        let moved =
            DAffine3::from_rotation_translation(any_rotation(&mut random), any_point(&mut random));
        pose.locals[0] = Local::from_affine(moved * root).unwrap();
        let after = posed(&rig, &pose, SimdLevel::best());
        for (a, b) in before.iter().zip(&after) {
            assert!(b.abs_diff_eq(moved.transform_point3(*a), 1e-11), "{a} {b}");
        }
    }
}

/// One joint that scales, mirrors or flattens, and points that hang on it alone.
#[test]
fn what_hangs_on_one_joint_follows_its_matrix_whatever_it_is() {
    let mut random = Random::new(43);
    let points: Vec<DVec3> = (0..40).map(|_| any_point(&mut random)).collect();
    let influences = vec![Influence { joint: 0, weight: 1.0 }; 40];
    let offsets = (0..=40).collect();
    let skin = Skin::new(vec![JointId(1)], vec![DAffine3::IDENTITY], offsets, influences).unwrap();
    let still = Local::IDENTITY;
    let skeleton =
        Skeleton::new(vec![joint("a", None, still), joint("b", Some(0), still)]).unwrap();
    let mut rig = Rig::new("stretched", skeleton);
    let hold = Hold::Skinned(skin.with_blend(Blend::DualQuaternion));
    rig.parts.push(Part::new("cloud", mesh_of(points.clone()), hold));
    let (mut mirrored, mut flat) = (0, 0);
    for _ in 0..300 {
        let mut pose = rig.rest_pose();
        for local in &mut pose.locals {
            local.rotation = any_rotation(&mut random);
            local.translation = any_point(&mut random);
            local.scale = any_point(&mut random) * 3.0;
            if random.one_in(10) {
                local.scale.y = 0.0;
            }
        }
        let world = pose.locals[0].affine() * pose.locals[1].affine();
        mirrored += usize::from(world.matrix3.determinant() < 0.0);
        flat += usize::from(
            world.matrix3.determinant() == 0.0 || pose.locals.iter().any(|l| l.scale.y == 0.0),
        );
        for (before, after) in points.iter().zip(posed(&rig, &pose, SimdLevel::best())) {
            assert!(after.abs_diff_eq(world.transform_point3(*before), 1e-12), "{world:?}");
        }
    }
    assert!(mirrored > 80 && flat > 30, "{mirrored} {flat}");
}

#[test]
fn a_body_that_is_scaled_as_a_whole_blends_as_before() {
    // Files in centimetres have a scale of 0.01 at the root.
    let (rig, pose) = cloud(9, 400, 4, Blend::DualQuaternion);
    let before = posed(&rig, &pose, SimdLevel::best());
    let mut small = pose.clone();
    small.locals[0].scale = DVec3::splat(0.01);
    small.locals[0].translation *= 0.01;
    let after = posed(&rig, &small, SimdLevel::best());
    for (a, b) in before.iter().zip(&after) {
        assert!(b.abs_diff_eq(*a * 0.01, 1e-12), "{a} {b}");
    }
}
