//! Forward kinematics against chains worked out by hand and against products of 4×4 matrices.

use std::f64::consts::FRAC_PI_2;

use elbowroom_motion::body::{JointId, Local, Skeleton, SkeletonErrorKind, SkeletonPose};
use elbowroom_testkit::random::Random;
use glam::{DAffine3, DMat3, DQuat, DVec3};

use super::{any_point, any_rotation, chain, joint};

type Matrix = [[f64; 4]; 4];

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let entry = |i: usize, j: usize| (0..4).map(|k| a[i][k] * b[k][j]).sum();
    std::array::from_fn(|i| std::array::from_fn(|j| entry(i, j)))
}

/// T·R·S by rows, R by turning the axes one at a time.
fn matrix(local: &Local) -> Matrix {
    let columns = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| {
        // The sandwich q v q*, by quaternion products.
        let q = local.rotation.normalize();
        let v = DQuat::from_xyzw(axis.x, axis.y, axis.z, 0.0);
        let turned = q * v * q.conjugate();
        [turned.x, turned.y, turned.z]
    });
    let (t, s) = (local.translation.to_array(), local.scale.to_array());
    std::array::from_fn(|i| {
        std::array::from_fn(|j| match (i, j) {
            (3, 3) => 1.0,
            (3, _) => 0.0,
            (_, 3) => t[i],
            _ => columns[j][i] * s[j],
        })
    })
}

fn any_local(random: &mut Random) -> Local {
    Local {
        translation: any_point(random),
        rotation: any_rotation(random) * random.uniform(0.5, 2.0),
        scale: DVec3::from_array(std::array::from_fn(|_| random.uniform(0.5, 1.5))),
    }
}

#[test]
fn a_chain_worked_out_by_hand() {
    // Each joint goes one along its own x and turns left.
    let skeleton = chain(3);
    let mut pose = skeleton.rest_pose();
    for local in &mut pose.locals {
        local.rotation = DQuat::from_rotation_z(FRAC_PI_2);
    }
    let mut world = Vec::new();
    skeleton.world(&pose, &mut world);
    let expected =
        [DVec3::new(1.0, 0.0, 0.0), DVec3::new(1.0, 1.0, 0.0), DVec3::new(0.0, 1.0, 0.0)];
    for (at, expected) in world.iter().zip(expected) {
        assert!(at.translation.abs_diff_eq(expected, 1e-15), "{at:?}");
    }
    let end = world[2].transform_point3(DVec3::X);
    assert!(end.abs_diff_eq(DVec3::new(0.0, 0.0, 0.0), 1e-15), "{end}");
}

#[test]
fn any_tree_in_any_order_is_a_product_of_matrices() {
    let mut random = Random::new(11);
    let (mut met, mut late) = (0, 0);
    for _ in 0..200 {
        let joints = 1 + random.below(12) as usize;
        let mut places: Vec<u32> = (0..joints as u32).collect();
        random.shuffle(&mut places);
        let mut list = vec![None; joints];
        for i in 0..joints {
            let parent =
                (i > 0 && !random.one_in(6)).then(|| places[random.below(i as u64) as usize]);
            late += usize::from(parent.is_some_and(|parent| parent > places[i]));
            let local = any_local(&mut random);
            list[places[i] as usize] = Some(joint("joint", parent, local));
        }
        let skeleton = Skeleton::new(list.into_iter().flatten().collect()).unwrap();
        let locals: Vec<Local> = (0..joints).map(|_| any_local(&mut random)).collect();
        let pose = SkeletonPose { locals, weights: vec![] };
        let mut world = Vec::new();
        skeleton.world(&pose, &mut world);
        for (index, found) in world.iter().enumerate() {
            let mut expected = matrix(&pose.locals[index]);
            let mut at = index;
            while let Some(parent) = skeleton.joints()[at].parent {
                at = parent.index();
                expected = product(&matrix(&pose.locals[at]), &expected);
            }
            let rows = DMat3::from_cols_array(&std::array::from_fn(|i| expected[i % 3][i / 3]));
            let place = DVec3::new(expected[0][3], expected[1][3], expected[2][3]);
            let oracle = DAffine3 { matrix3: rows, translation: place };
            assert!(found.abs_diff_eq(oracle, 1e-11), "{found:?}\n{oracle:?}");
            met += 1;
        }
        let placed = DAffine3::from_translation(DVec3::new(3.0, 4.0, 5.0));
        let mut there = Vec::new();
        skeleton.world_placed(&pose, &placed, &mut there);
        assert!(there.iter().zip(&world).all(|(t, w)| t.abs_diff_eq(placed * *w, 1e-11)));
    }
    assert!(met > 1000 && late > 300, "{met} joints, {late} with their parent after them");
}

#[test]
fn a_hundred_thousand_joints_do_not_recurse() {
    let joints = 100_000;
    let rest = Local::from_translation(DVec3::X);
    let mut world = Vec::new();
    for backwards in [false, true] {
        let parent = |i: u32| {
            if backwards { (i + 1 < joints).then_some(i + 1) } else { i.checked_sub(1) }
        };
        let list = (0..joints).map(|i| joint("link", parent(i), rest)).collect();
        let skeleton = Skeleton::new(list).unwrap();
        skeleton.world(&skeleton.rest_pose(), &mut world);
        let end = if backwards { 0 } else { joints - 1 };
        assert_eq!(world[end as usize].translation.x, f64::from(joints));
    }
    let all_in_a_ring = (0..joints).map(|i| joint("link", Some((i + 1) % joints), rest)).collect();
    assert!(Skeleton::new(all_in_a_ring).is_err());
}

#[test]
fn bad_skeletons_are_refused_by_name() {
    let rest = Local::IDENTITY;
    let refused = |list| Skeleton::new(list).unwrap_err();
    let error = refused(vec![joint("hip", None, rest), joint("knee", Some(7), rest)]);
    assert_eq!(
        error.to_string(),
        "joint 1 (\"knee\") hangs on joint 7, but there are only 2 (counted from 0)"
    );
    let error = refused(vec![joint("hip", None, rest), joint("knee", Some(1), rest)]);
    assert!(error.to_string().contains("joint 1 (\"knee\") is its own ancestor"), "{error}");
    // The tail of a ring is not the ring.
    let list = vec![
        joint("tail", Some(1), rest),
        joint("a", Some(2), rest),
        joint("b", Some(1), rest),
        joint("root", None, rest),
    ];
    let error = refused(list);
    let SkeletonErrorKind::Cycle { name, .. } = error.kind() else { panic!("{error}") };
    assert!(name == "a" || name == "b", "{error}");
    for bad in [
        Local { translation: DVec3::new(0.0, f64::NAN, 0.0), ..rest },
        Local { rotation: DQuat::from_xyzw(0.0, 0.0, f64::INFINITY, 1.0), ..rest },
        Local { scale: DVec3::NAN, ..rest },
    ] {
        let error = refused(vec![joint("hip", None, rest), joint("knee", Some(0), bad)]);
        assert!(error.to_string().contains("joint 1 (\"knee\")"), "{error}");
    }
    assert!(Skeleton::new(vec![]).unwrap().is_empty());
}

#[test]
fn joints_are_found_by_name_and_the_first_of_equals() {
    let rest = Local::IDENTITY;
    let names = ["b", "a", "b", "", "ä"];
    let list = names.iter().map(|name| joint(name, None, rest)).collect();
    let skeleton = Skeleton::new(list).unwrap();
    let found = names.map(|name| skeleton.find(name).map(|JointId(id)| id));
    assert_eq!(found, [Some(0), Some(1), Some(0), Some(3), Some(4)]);
    assert_eq!(["c", "A", "bb"].map(|name| skeleton.find(name)), [None; 3]);
}

#[test]
fn matrices_come_apart_and_together() {
    let mut random = Random::new(12);
    let (mut mirrored, mut flat) = (0, 0);
    for _ in 0..2000 {
        let mut local = any_local(&mut random);
        for axis in 0..3 {
            if random.one_in(4) {
                local.scale[axis] = -local.scale[axis];
            }
            if random.one_in(12) {
                local.scale[axis] = 0.0;
            }
        }
        let affine = local.affine();
        mirrored += usize::from(affine.matrix3.determinant() < 0.0);
        flat += usize::from(local.scale.min_element() == 0.0 || local.scale.max_element() == 0.0);
        let again = Local::from_affine(affine).expect("not sheared").affine();
        assert!(again.abs_diff_eq(affine, 1e-14), "{affine:?}\n{again:?}");
    }
    assert!(mirrored > 500 && flat > 200, "{mirrored} mirrored, {flat} flat");
    let sheared = DMat3::from_cols(DVec3::X, DVec3::new(2e-5, 1.0, 0.0), DVec3::Z);
    assert_eq!(Local::from_affine(DAffine3::from_mat3(sheared)), None);
    let nearly = DMat3::from_cols(DVec3::X, DVec3::new(5e-6, 1.0, 0.0), DVec3::Z);
    assert!(Local::from_affine(DAffine3::from_mat3(nearly)).is_some());
    assert_eq!(Local::from_affine(DAffine3::from_translation(DVec3::NAN)), None);
}

#[test]
fn the_length_of_a_quaternion_does_not_matter() {
    let turned = DQuat::from_xyzw(0.0, 0.6, 0.0, 0.8);
    let expected = Local { rotation: turned, ..Local::IDENTITY }.affine();
    for length in [1e-300, 1e-20, 0.5, 0.999_999_9, 1.0, 7.0, 1e160, 1e300] {
        let found = Local { rotation: turned * length, ..Local::IDENTITY }.affine();
        assert!(found.abs_diff_eq(expected, 1e-15), "{length}: {found:?}");
    }
    for nothing in [DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), DQuat::NAN] {
        let found = Local { rotation: nothing, ..Local::IDENTITY }.affine();
        assert_eq!(found, DAffine3::IDENTITY);
    }
}

#[test]
fn joints_that_a_pose_leaves_out_are_at_rest() {
    let skeleton = chain(4);
    let pose = SkeletonPose { locals: vec![Local::IDENTITY], weights: vec![] };
    let mut world = Vec::new();
    skeleton.world(&pose, &mut world);
    assert_eq!(world[3].translation, DVec3::new(3.0, 0.0, 0.0));
}
