//! A warm poser allocates nothing, whatever it poses.

use elbowroom::Mesh;
use elbowroom_motion::body::{
    Blend, Character, Clip, Hold, Influence, Interpolation, Joint, JointId, Local, Morph, Part,
    PosedCharacter, Rig, Skeleton, Skin, Target, Track, pose_all,
};
use glam::{DAffine3, DVec3};

use crate::counter::Region;

fn rig() -> Rig {
    let rest = Local::from_translation(DVec3::Y);
    let joint =
        |parent: Option<u32>| Joint { name: String::new(), parent: parent.map(JointId), rest };
    let skeleton = Skeleton::new(vec![joint(None), joint(Some(0)), joint(Some(1))]).unwrap();
    let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Z], vec![[0, 1, 2]]).unwrap();
    let influences: Vec<Influence> = (0..9)
        .map(|i| Influence { joint: i % 3, weight: 0.25 + 0.25 * f32::from(i % 3) })
        .collect();
    let binds = vec![DAffine3::from_scale(DVec3::new(1.0, 2.0, 3.0)); 3];
    let joints = vec![JointId(0), JointId(1), JointId(2)];
    let skin = Skin::new(joints, binds, vec![0, 3, 6, 9], influences).unwrap();
    let dual = skin.clone().with_blend(Blend::DualQuaternion);
    let mut rig = Rig::new("rig", skeleton);
    for hold in [Hold::Rigid(JointId(2)), Hold::Skinned(skin), Hold::Skinned(dual)] {
        let mut part = Part::new("part", mesh.clone(), hold);
        part.morphs.push(Morph { name: String::new(), offsets: vec![DVec3::ONE; 3] });
        part.morph_weights.push(0.5);
        rig.parts.push(part);
    }
    let track = |target, values: Vec<f64>| {
        let (interpolation, times) = (Interpolation::Linear, vec![0.0, 1.0]);
        Track { target, interpolation, times, values }
    };
    let tracks = vec![
        track(Target::Rotation(JointId(1)), vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.6, 0.0, 0.8]),
        track(Target::Translation(JointId(0)), vec![0.0, 0.0, 0.0, 1.0, 2.0, 3.0]),
        track(Target::Weights(1), vec![0.0, 1.0]),
    ];
    rig.clips.push(Clip::new("clip".into(), tracks).unwrap());
    rig.validate().unwrap();
    rig
}

#[test]
fn a_warm_poser_allocates_nothing() {
    let rig = rig();
    let mut pose = rig.rest_pose();
    let mut out: Vec<PosedCharacter> = Vec::new();
    let mut frame = |time: f64| {
        rig.clips[0].sample(time, &mut pose);
        let world_from_rig = DAffine3::from_translation(DVec3::splat(time));
        pose_all(&[Character { rig: &rig, pose: &pose, world_from_rig }; 4], &mut out);
        out.iter().flat_map(PosedCharacter::parts).flatten().map(|point| point.x).sum::<f64>()
    };
    let cold = Region::new();
    let mut last = frame(0.0);
    assert!(cold.change().allocations > 0, "the first frame makes the memory");
    // A morph weight of zero leaves its room unused, so one frame later is warm.
    frame(0.1);
    let warm = Region::new();
    let mut moved = 0;
    for i in 2..=50 {
        let now = frame(f64::from(i) / 50.0);
        moved += u32::from(now != last);
        last = now;
    }
    let change = warm.change();
    assert_eq!((change.allocations, change.reallocations), (0, 0));
    assert_eq!(moved, 49);
}
