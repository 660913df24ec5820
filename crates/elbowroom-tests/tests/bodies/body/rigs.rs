//! Rigs: parts posed rigidly, with morphs, by joint variables; what does not fit together.

use std::f64::consts::FRAC_PI_2;

use elbowroom::internal::arch::SimdLevel;
use elbowroom_motion::body::{
    Blend, Character, Clip, Freedom, FreedomKind, Hold, Interpolation, JointId, Local, Mimic,
    Morph, Part, PosedCharacter, Poser, Primitive, Rig, Skeleton, SkeletonPose, Target, Track,
    pose_all,
};
use elbowroom_testkit::random::Random;
use glam::{DAffine3, DQuat, DVec3};

use super::skins::{cloud, posed};
use super::{any_point, any_rotation, chain, joint, mesh_of};

fn hinge(name: &str, joint: u32) -> Freedom {
    Freedom {
        name: name.into(),
        joint: JointId(joint),
        kind: FreedomKind::Hinge,
        axis: DVec3::Z * 3.0,
        anchor: DVec3::ZERO,
        range: None,
        mimic: None,
    }
}

fn world(rig: &Rig, pose: &SkeletonPose) -> Vec<DAffine3> {
    let mut world = Vec::new();
    rig.skeleton.world(pose, &mut world);
    world
}

#[test]
fn morphs_are_added_and_then_carried() {
    let mut rig = Rig::new("face", chain(2));
    let mut part = Part::new("face", mesh_of(vec![DVec3::ZERO, DVec3::Y]), Hold::Rigid(JointId(1)));
    let morph = |name: &str, to| Morph { name: name.into(), offsets: vec![DVec3::ZERO, to] };
    part.morphs = vec![morph("smile", DVec3::Y), morph("frown", DVec3::Z)];
    part.morph_weights = vec![0.0, 0.5];
    rig.parts.push(part);
    rig.validate().unwrap();
    let (mut poser, mut out) = (Poser::new(), Vec::new());
    // What the pose does not say, the part does.
    rig.posed(&rig.skeleton.rest_pose(), 0, &mut poser, &mut out);
    assert_eq!(out, [DVec3::new(2.0, 0.0, 0.0), DVec3::new(2.0, 1.0, 0.5)]);
    let mut pose = rig.rest_pose();
    assert_eq!(pose.weights, [[0.0, 0.5]]);
    pose.weights[0] = vec![2.0, 0.0];
    rig.posed(&pose, 0, &mut poser, &mut out);
    assert_eq!(out[1], DVec3::new(2.0, 3.0, 0.0));
    pose.locals[1].rotation = DQuat::from_rotation_z(FRAC_PI_2);
    rig.posed(&pose, 0, &mut poser, &mut out);
    assert!(out[1].abs_diff_eq(DVec3::new(-1.0, 0.0, 0.0), 1e-15), "{}", out[1]);
    assert_eq!(poser.world().len(), 2);
}

#[test]
fn a_crowd_is_posed_as_each_alone() {
    let mut random = Random::new(51);
    let kinds = [cloud(1, 200, 4, Blend::Linear), cloud(2, 300, 5, Blend::DualQuaternion)];
    let poses: Vec<SkeletonPose> = (0..30)
        .map(|i| {
            let mut pose = kinds[i % 2].1.clone();
            pose.locals[3].rotation = any_rotation(&mut random);
            pose
        })
        .collect();
    let crowd: Vec<Character<'_>> = poses
        .iter()
        .enumerate()
        .map(|(i, pose)| Character {
            rig: &kinds[i % 2].0,
            pose,
            world_from_rig: DAffine3::from_translation(any_point(&mut random) * 100.0),
        })
        .collect();
    let mut out: Vec<PosedCharacter> = Vec::new();
    pose_all(&crowd, &mut out);
    assert_eq!(out.len(), 30);
    let mut met = 0;
    for (character, all) in crowd.iter().zip(&out) {
        let (mut poser, mut points) = (Poser::with_level(SimdLevel::Portable), Vec::new());
        poser.set_placed(character.rig, character.pose, &character.world_from_rig);
        poser.part(character.rig, 0, &mut points);
        assert!(all.parts() == [points.clone()] && all.world() == poser.world());
        met += points.len();
    }
    assert_eq!(met, 15 * 500);
    #[cfg(feature = "parallel")]
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut again: Vec<PosedCharacter> = Vec::new();
        // Twice: the second time everything is warm, and left over from other characters.
        pool.install(|| elbowroom_motion::body::pose_all_parallel(&crowd[3..], &mut again));
        pool.install(|| elbowroom_motion::body::pose_all_parallel(&crowd, &mut again));
        assert!(again.iter().zip(&out).all(|(a, b)| a.parts() == b.parts()), "{threads} threads");
        assert_eq!(again.len(), 30);
    }
}

#[test]
fn hinges_turn_about_their_anchors_one_after_the_other() {
    let mut rig = Rig::new("arm", chain(2));
    rig.freedoms = vec![hinge("lift", 1), hinge("turn", 1)];
    rig.freedoms[0].anchor = DVec3::new(0.0, 1.0, 0.0);
    rig.freedoms[1].axis = DVec3::X;
    rig.validate().unwrap();
    assert_eq!(rig.values_len(), 2);
    let mut random = Random::new(52);
    for _ in 0..100 {
        let (a, b) = (random.uniform(-4.0, 4.0), random.uniform(-4.0, 4.0));
        let pose = rig.pose_of(&[a, b]).unwrap();
        let around = |anchor: DVec3, turn: DQuat| {
            DAffine3::from_translation(anchor)
                * DAffine3::from_quat(turn)
                * DAffine3::from_translation(-anchor)
        };
        let expected = DAffine3::from_translation(DVec3::new(2.0, 0.0, 0.0))
            * around(DVec3::Y, DQuat::from_rotation_z(a))
            * around(DVec3::ZERO, DQuat::from_rotation_x(b));
        assert!(world(&rig, &pose)[1].abs_diff_eq(expected, 1e-14));
    }
    // A quarter turn about an anchor one above, seen from there.
    let pose = rig.pose_of(&[FRAC_PI_2, 0.0]).unwrap();
    let origin = world(&rig, &pose)[1].translation;
    assert!(origin.abs_diff_eq(DVec3::new(3.0, 1.0, 0.0), 1e-15), "{origin}");
}

#[test]
fn slides_balls_and_free_joints() {
    let rest = Local::from_rotation_translation(DQuat::from_rotation_z(FRAC_PI_2), DVec3::Y);
    let skeleton = Skeleton::new(vec![
        joint("base", None, rest),
        joint("slide", Some(0), rest),
        joint("ball", Some(1), rest),
    ]);
    let mut rig = Rig::new("robot", skeleton.unwrap());
    let of_kind = |joint, kind| Freedom { kind, axis: DVec3::X, ..hinge("f", joint) };
    rig.freedoms = vec![
        of_kind(0, FreedomKind::Free),
        of_kind(1, FreedomKind::Slide),
        of_kind(2, FreedomKind::Ball),
    ];
    rig.validate().unwrap();
    assert_eq!(rig.values_len(), 12);
    let h = 0.5_f64.sqrt();
    let pose = rig.pose_of(&[5.0, 6.0, 7.0, 0.0, 0.0, 0.0, 2.0, 3.0, 0.0, 0.0, h, h]).unwrap();
    assert_eq!(pose.locals[0], Local::from_translation(DVec3::new(5.0, 6.0, 7.0)));
    // Along the joint's own x, which its rest turns to y.
    assert!(pose.locals[1].translation.abs_diff_eq(DVec3::new(0.0, 4.0, 0.0), 1e-15));
    let twice = DQuat::from_rotation_z(2.0 * FRAC_PI_2);
    assert!(pose.locals[2].rotation.abs_diff_eq(twice, 1e-15));
    assert!(pose.locals[2].translation.abs_diff_eq(DVec3::Y, 1e-15));
}

#[test]
fn mimics_follow_and_have_no_values() {
    let mut rig = Rig::new("gripper", chain(3));
    rig.freedoms = vec![hinge("a", 0), hinge("b", 1), hinge("c", 2)];
    rig.freedoms[0].mimic = Some(Mimic { of: 1, factor: 2.0, offset: 0.1 });
    rig.freedoms[1].mimic = Some(Mimic { of: 2, factor: -0.5, offset: 0.2 });
    rig.validate().unwrap();
    let pose = rig.pose_of(&[0.4]).unwrap();
    let angles = pose.locals.iter().map(|local| local.rotation.to_axis_angle());
    let angles: Vec<f64> = angles.map(|(axis, angle)| angle * axis.z).collect();
    for (found, expected) in angles.iter().zip([2.0 * (-0.5 * 0.4 + 0.2) + 0.1, 0.0, 0.4]) {
        assert!((found - expected).abs() < 1e-15, "{angles:?}");
    }
}

#[test]
fn bad_values_are_refused() {
    let mut rig = Rig::new("arm", chain(2));
    rig.freedoms = vec![hinge("lift", 1), hinge("turn", 1)];
    let refused = |values: &[f64]| rig.pose_of(values).unwrap_err().to_string();
    assert!(refused(&[1.0]).contains("1 values were given, but the freedoms take 2"));
    assert!(refused(&[1.0, f64::NAN]).contains("\"turn\""));
    assert!(refused(&[0.0; 3]).contains("3 values"));
    for mimic in
        [Mimic { of: 1, factor: 1.0, offset: 0.0 }, Mimic { of: 9, factor: 1.0, offset: 0.0 }]
    {
        let mut rig = rig.clone();
        rig.freedoms[1].mimic = Some(mimic);
        assert!(rig.pose_of(&[0.0]).unwrap_err().to_string().contains("\"turn\""));
        assert!(rig.validate().unwrap_err().to_string().contains("freedom 1 (\"turn\")"));
    }
}

/// A rig with one of everything.
fn everything() -> Rig {
    let (mut rig, _) = cloud(4, 30, 3, Blend::Linear);
    let mut part = Part::new("hat", mesh_of(vec![DVec3::ZERO; 2]), Hold::Rigid(JointId(19)));
    part.morphs.push(Morph { name: "bend".into(), offsets: vec![DVec3::X; 2] });
    part.morph_weights.push(0.0);
    part.primitive = Some((Local::IDENTITY, Primitive::Sphere { radius: 1.0 }));
    rig.parts.push(part);
    let track = |target, width: usize| Track {
        target,
        interpolation: Interpolation::Step,
        times: vec![0.0],
        values: vec![1.0; width],
    };
    let tracks = vec![track(Target::Scale(JointId(19)), 3), track(Target::Weights(1), 1)];
    rig.clips.push(Clip::new("nod".into(), tracks).unwrap());
    rig.freedoms = vec![hinge("lift", 1), hinge("turn", 2)];
    rig.allowed.push((0, 19));
    rig
}

#[test]
fn what_does_not_fit_together_is_named() {
    let rig = everything();
    rig.validate().unwrap();
    let mut met = 0;
    let mut refused = |words: &str, spoil: &dyn Fn(&mut Rig)| {
        let mut bad = rig.clone();
        spoil(&mut bad);
        let error = bad.validate().unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
        met += 1;
    };
    let clip = |target, width| {
        let (interpolation, times, values) = (Interpolation::Step, vec![0.0], vec![1.0; width]);
        Clip::new("nod".into(), vec![Track { target, interpolation, times, values }]).unwrap()
    };
    refused("part 1 (\"hat\") names joint 20", &|r| r.parts[1].hold = Hold::Rigid(JointId(20)));
    refused("part 0 (\"cloud\") names joint 19", &|r| r.skeleton = chain(19));
    refused("part 0 (\"cloud\") has 1 vertices, but its skin has 30", &|r| {
        r.parts[0].mesh = mesh_of(vec![DVec3::ZERO]);
    });
    refused("its morph \"bend\" moves 1", &|r| r.parts[1].morphs[0].offsets.truncate(1));
    refused("not finite at vertex 1", &|r| r.parts[1].morphs[0].offsets[1].y = f64::NAN);
    refused("0 morph weights for 1 morphs", &|r| r.parts[1].morph_weights.clear());
    refused("has a primitive", &|r| {
        let sphere = Primitive::Sphere { radius: -1.0 };
        r.parts[1].primitive = Some((Local::IDENTITY, sphere));
    });
    refused("track 0 (rotation of joint 20) of clip 1 (\"nod\")", &|r| {
        r.clips.push(clip(Target::Rotation(JointId(20)), 4));
    });
    refused("2 weights a key, but the part has 1 morphs", &|r| {
        r.clips.push(clip(Target::Weights(1), 2));
    });
    refused("only 2 parts", &|r| r.clips.push(clip(Target::Weights(2), 1)));
    refused("freedom 1 (\"turn\") names joint 20", &|r| r.freedoms[1].joint = JointId(20));
    refused("no direction", &|r| r.freedoms[1].axis = DVec3::ZERO);
    refused("anchor", &|r| r.freedoms[1].anchor = DVec3::NAN);
    refused("range from 1 to 0", &|r| r.freedoms[1].range = Some((1.0, 0.0)));
    refused("follows itself", &|r| {
        r.freedoms[0].mimic = Some(Mimic { of: 1, factor: 1.0, offset: 0.0 });
        r.freedoms[1].mimic = Some(Mimic { of: 0, factor: 1.0, offset: 0.0 });
    });
    refused("single value", &|r| {
        r.freedoms[0].kind = FreedomKind::Ball;
        r.freedoms[1].mimic = Some(Mimic { of: 0, factor: 1.0, offset: 0.0 });
    });
    refused("joints 3 and 20 are allowed", &|r| r.allowed.push((3, 20)));
    assert_eq!(met, 17);
}

#[test]
fn a_part_may_be_posed_after_a_larger_one() {
    let (large, large_pose) = cloud(6, 100, 3, Blend::Linear);
    let (small, small_pose) = cloud(7, 10, 3, Blend::Linear);
    let (mut poser, mut out) = (Poser::new(), Vec::new());
    large.posed(&large_pose, 0, &mut poser, &mut out);
    small.posed(&small_pose, 0, &mut poser, &mut out);
    assert!(out == posed(&small, &small_pose, SimdLevel::best()));
}
