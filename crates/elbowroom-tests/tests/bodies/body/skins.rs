//! Linear blend skinning against a plain sum, and the same bits on every path.

use elbowroom::internal::arch::SimdLevel;
use elbowroom_motion::body::{
    Blend, Hold, Influence, JointId, Part, Poser, Rig, SkeletonPose, Skin, SkinErrorKind,
};
use elbowroom_testkit::random::Random;
use glam::{DAffine3, DVec3};

use super::{any_point, any_rotation, chain, mesh_of};

/// A skinned cloud of points on a chain of joints, and a pose of it.
pub(super) fn cloud(seed: u64, vertices: u32, most: u64, blend: Blend) -> (Rig, SkeletonPose) {
    let mut random = Random::new(seed);
    let skeleton = chain(20);
    let mut world = Vec::new();
    skeleton.world(&skeleton.rest_pose(), &mut world);
    let binds = world.iter().map(DAffine3::inverse).collect();
    let (mut offsets, mut influences) = (vec![0], Vec::new());
    for _ in 0..vertices {
        for _ in 0..=random.below(most) {
            let weight = random.uniform(0.01, 1.0) as f32;
            influences.push(Influence { joint: random.below(20) as u16, weight });
        }
        offsets.push(influences.len() as u32);
    }
    let joints = (0..20).map(JointId).collect();
    let skin = Skin::new(joints, binds, offsets, influences).expect("a good skin");
    let points = (0..vertices).map(|_| any_point(&mut random) * 10.0).collect();
    let mut rig = Rig::new("cloud", skeleton);
    rig.parts.push(Part::new("cloud", mesh_of(points), Hold::Skinned(skin.with_blend(blend))));
    rig.validate().expect("a good rig");
    let mut pose = rig.rest_pose();
    for local in &mut pose.locals {
        local.rotation = any_rotation(&mut random);
    }
    (rig, pose)
}

fn skin_of(rig: &Rig) -> &Skin {
    let Hold::Skinned(skin) = &rig.parts[0].hold else { panic!("skinned") };
    skin
}

pub(super) fn posed(rig: &Rig, pose: &SkeletonPose, level: SimdLevel) -> Vec<DVec3> {
    let (mut poser, mut out) = (Poser::with_level(level), Vec::new());
    rig.posed(pose, 0, &mut poser, &mut out);
    out
}

pub(super) fn levels() -> impl Iterator<Item = SimdLevel> {
    SimdLevel::ALL.into_iter().filter(|level| level.is_here())
}

#[test]
fn skinning_is_the_weighted_sum_of_what_each_joint_does() {
    let mut met = [0; 10];
    for seed in 0..20 {
        let (rig, pose) = cloud(seed, 300, 9, Blend::Linear);
        let skin = skin_of(&rig);
        let mut world = Vec::new();
        rig.skeleton.world(&pose, &mut world);
        let found = posed(&rig, &pose, SimdLevel::best());
        for (vertex, &point) in rig.parts[0].mesh.vertices().iter().enumerate() {
            let own = skin.influences(vertex as u32);
            let total: f64 = own.iter().map(|i| f64::from(i.weight)).sum();
            let mut expected = DVec3::ZERO;
            for influence in own {
                let joint = influence.joint as usize;
                let bound = skin.inverse_binds()[joint].transform_point3(point);
                let moved = world[skin.joints()[joint].index()].transform_point3(bound);
                expected += moved * (f64::from(influence.weight) / total);
            }
            // Weights that were renormalised were rounded to f32 once more for the accessor.
            assert!(found[vertex].abs_diff_eq(expected, 2e-5), "{} {expected}", found[vertex]);
            met[own.len()] += 1;
        }
    }
    assert!(met[1..].iter().all(|&n| n > 500), "{met:?}");
}

#[test]
fn weights_that_are_kept_agree_to_the_last_digits() {
    // Weights that add up to one exactly are used as they are.
    let shares: [&[f32]; 5] = [&[1.0], &[0.5, 0.5], &[0.25, 0.75], &[0.5, 0.25, 0.25], &[0.25; 4]];
    let (rig, pose) = cloud(3, 500, 1, Blend::Linear);
    let mut random = Random::new(31);
    let (mut offsets, mut influences) = (vec![0], Vec::new());
    for vertex in 0..500 {
        for &weight in shares[vertex % 5] {
            influences.push(Influence { joint: random.below(20) as u16, weight });
        }
        offsets.push(influences.len() as u32);
    }
    let old = skin_of(&rig);
    let skin = Skin::new(old.joints().to_vec(), old.inverse_binds().to_vec(), offsets, influences)
        .unwrap();
    assert_eq!(skin.renormalised(), 0);
    let mut world = Vec::new();
    rig.skeleton.world(&pose, &mut world);
    let points = rig.parts[0].mesh.vertices().to_vec();
    let mut other = rig.clone();
    other.parts[0].hold = Hold::Skinned(skin.clone());
    let found = posed(&other, &pose, SimdLevel::best());
    for (vertex, &point) in points.iter().enumerate() {
        let moved = |i: &Influence| {
            let joint = i.joint as usize;
            (world[joint] * skin.inverse_binds()[joint]).transform_point3(point)
                * f64::from(i.weight)
        };
        let expected: DVec3 = skin.influences(vertex as u32).iter().map(moved).sum();
        assert!(found[vertex].abs_diff_eq(expected, 1e-13), "{} {expected}", found[vertex]);
    }
}

#[test]
fn every_level_and_every_order_of_influences_gives_the_same_bits() {
    let mut compared = 0;
    for blend in [Blend::Linear, Blend::DualQuaternion] {
        for vertices in [1, 15, 16, 17, 1000] {
            let (rig, pose) = cloud(u64::from(vertices), vertices, 6, blend);
            let reference = posed(&rig, &pose, SimdLevel::Portable);
            for level in levels() {
                assert!(posed(&rig, &pose, level) == reference, "{level:?} {blend:?}");
                compared += 1;
            }
            let skin = skin_of(&rig);
            let (mut offsets, mut turned) = (vec![0], Vec::new());
            for vertex in 0..vertices {
                let mut own = skin.influences(vertex).to_vec();
                own.reverse();
                own.push(Influence { joint: 3, weight: 0.0 });
                turned.extend(own);
                offsets.push(turned.len() as u32);
            }
            // Renormalised weights are rounded to f32 on the way out, so both are made from those.
            let again = |offsets: Vec<u32>, influences: Vec<Influence>| {
                let (joints, binds) = (skin.joints().to_vec(), skin.inverse_binds().to_vec());
                let mut rig = rig.clone();
                let skin = Skin::new(joints, binds, offsets, influences).unwrap().with_blend(blend);
                rig.parts[0].hold = Hold::Skinned(skin);
                posed(&rig, &pose, SimdLevel::best())
            };
            let straight: Vec<Influence> =
                (0..vertices).flat_map(|vertex| skin.influences(vertex).to_vec()).collect();
            let mut ends = vec![0];
            ends.extend((0..vertices).scan(0, |sum, vertex| {
                *sum += skin.influences(vertex).len() as u32;
                Some(*sum)
            }));
            let (a, b) = (again(ends, straight), again(offsets, turned));
            assert!(a == b, "{blend:?}");
        }
    }
    assert!(compared >= 10, "{compared}");
}

#[test]
fn the_bits_of_a_fixed_scene_never_change() {
    // Written down when skinning was made. Another hash means that another path rounds differently.
    let mut found = Vec::new();
    for blend in [Blend::Linear, Blend::DualQuaternion] {
        let (rig, pose) = cloud(77, 2000, 6, blend);
        for level in levels() {
            let mut hash = 0xcbf2_9ce4_8422_2325_u64;
            for value in posed(&rig, &pose, level).iter().flat_map(DVec3::to_array) {
                for byte in value.to_bits().to_le_bytes() {
                    hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
                }
            }
            found.push((blend, hash));
        }
    }
    let expected = |blend| match blend {
        Blend::Linear => (blend, LINEAR),
        Blend::DualQuaternion => (blend, DUAL),
    };
    let expected: Vec<_> = found.iter().map(|&(blend, _)| expected(blend)).collect();
    assert!(found == expected, "{found:#x?}");
}

const LINEAR: u64 = 0x4f0a_f233_053b_fd26;
const DUAL: u64 = 0xc721_6355_15fd_3167;

#[test]
fn a_body_far_away_keeps_its_shape() {
    for blend in [Blend::Linear, Blend::DualQuaternion] {
        let (rig, pose) = cloud(5, 500, 4, blend);
        let here = posed(&rig, &pose, SimdLevel::best());
        let away = DVec3::new(1e6, -2e6, 3e6);
        let (mut poser, mut there) = (Poser::new(), Vec::new());
        poser.set_placed(&rig, &pose, &DAffine3::from_translation(away));
        poser.part(&rig, 0, &mut there);
        let off = |(a, b): (&DVec3, &DVec3)| (*b - away - *a).length();
        let worst = here.iter().zip(&there).map(off).fold(0.0, f64::max);
        // Some roundings at a distance of 4e6, of 4.7e-10 each.
        assert!(worst < 1e-8, "{blend:?}: {worst}");
    }
}

#[test]
fn sums_off_one_are_renormalised_and_reported() {
    let one = |weights: &[f32]| {
        let list: Vec<Influence> = weights
            .iter()
            .enumerate()
            .map(|(joint, &weight)| Influence { joint: joint as u16, weight })
            .collect();
        let joints = (0..4).map(JointId).collect();
        Skin::new(joints, vec![DAffine3::IDENTITY; 4], vec![0, list.len() as u32], list).unwrap()
    };
    assert_eq!(one(&[0.3, 0.7]).renormalised(), 0);
    assert_eq!(one(&[1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0]).renormalised(), 0);
    let off = one(&[0.5, 0.25, 0.0, 0.5]);
    assert_eq!(off.renormalised(), 1);
    let weights: Vec<f32> = off.influences(0).iter().map(|i| i.weight).collect();
    assert_eq!(weights, [0.4, 0.2, 0.0, 0.4]);
    assert_eq!(off.dominant(0), JointId(0));
    assert_eq!(one(&[0.1, 0.2, 0.7, 0.0]).dominant(0), JointId(2));
    let tiny = one(&[1e-40, 1e-40]);
    assert_eq!(tiny.influences(0)[0].weight, 0.5);
    let huge = one(&[f32::MAX, f32::MAX]);
    assert_eq!(huge.influences(0)[1].weight, 0.5);
}

#[test]
fn bad_skins_are_refused_by_vertex() {
    let influence = |joint, weight| Influence { joint, weight };
    let good = influence(0, 1.0);
    let refused = |offsets: &[u32], list: &[Influence]| {
        let joints = vec![JointId(0), JointId(1)];
        Skin::new(joints, vec![DAffine3::IDENTITY; 2], offsets.to_vec(), list.to_vec())
            .unwrap_err()
            .to_string()
    };
    let cases = [
        (refused(&[0, 1, 2], &[good, influence(2, 1.0)]), "vertex 1 hangs on joint 2 of the skin"),
        (
            refused(&[0, 1, 2], &[good, influence(1, -0.5)]),
            "vertex 1 hangs on joint 1 of the skin with weight -0.5",
        ),
        (refused(&[0, 1, 2], &[good, influence(1, f32::NAN)]), "vertex 1 hangs on joint 1"),
        (refused(&[0, 1, 2], &[good, influence(1, f32::INFINITY)]), "finite"),
        (refused(&[0, 1, 2], &[good, influence(1, 0.0)]), "vertex 1 hangs on nothing"),
        (refused(&[0, 1, 1], &[good]), "vertex 1 hangs on nothing"),
        (refused(&[], &[]), "offsets"),
        (refused(&[0, 2, 1], &[good, good]), "offsets"),
        (refused(&[0, 1], &[good, good]), "offsets"),
        (refused(&[1, 2], &[good, good]), "offsets"),
    ];
    for (error, words) in &cases {
        assert!(error.contains(words), "{error}");
    }
    assert_eq!(cases.len(), 10);
    let kind = |joints: usize, binds: Vec<DAffine3>| {
        let joints = vec![JointId(0); joints];
        Skin::new(joints, binds, vec![0], vec![]).unwrap_err().kind().clone()
    };
    let few = kind(2, vec![DAffine3::IDENTITY]);
    assert_eq!(few, SkinErrorKind::InverseBindCount { joints: 2, inverse_binds: 1 });
    let many = kind(65_537, vec![DAffine3::IDENTITY; 65_537]);
    assert_eq!(many, SkinErrorKind::TooManyJoints { joints: 65_537 });
    let nan = kind(1, vec![DAffine3::from_translation(DVec3::NAN)]);
    assert_eq!(nan, SkinErrorKind::NonFiniteBind { joint: 0 });
}
