//! Boxes from joints alone hold the skins of real characters, in the poses of their own clips, of
//! captures, and in any other.

use elbowroom_io::{ReadOptions, read_document};
use elbowroom_motion::body::{
    Blend, Bounds, Hold, Poser, Retarget, RetargetConfig, Rig, SkeletonPose,
};
use elbowroom_testkit::data::{shared_dir, skip_note};
use elbowroom_testkit::random::Random;
use glam::{DAffine3, DQuat, DVec3};

/// Checks one pose; how many vertices it has.
fn check(rig: &Rig, bounds: &mut Bounds, pose: &SkeletonPose, world: &DAffine3) -> usize {
    let (mut poser, mut points) = (Poser::new(), Vec::new());
    poser.set_placed(rig, pose, world);
    bounds.pose_morphed(poser.world(), &pose.weights);
    let mut count = 0;
    for part in 0..rig.parts.len() {
        poser.part(rig, part, &mut points);
        for (point, &cluster) in points.iter().zip(bounds.clusters_of(part)) {
            let held = &bounds.boxes()[cluster as usize];
            let is_in = held.min.cmple(*point).all() && point.cmple(held.max).all();
            assert!(is_in, "{}, part {part}: {point} is not in {held:?}", rig.name);
        }
        count += points.len();
    }
    count
}

fn turned(random: &mut Random, most: f64) -> DQuat {
    let mut number = || random.uniform(-1.0, 1.0);
    let axis = DVec3::new(number(), number(), number()).normalize_or(DVec3::X);
    DQuat::from_axis_angle(axis, random.uniform(-most, most))
}

#[test]
fn real_characters_are_held_in_every_pose() {
    let Some(data) = shared_dir() else { return skip_note("real_characters_are_held") };
    let capture = data.join("mocap/short/02_01.bvh.gz");
    let capture = read_document(&capture, &ReadOptions::default()).expect("a capture");
    let mover = capture.rigs.iter().find(|rig| !rig.clips.is_empty()).expect("a motion");
    let mut names: Vec<_> = std::fs::read_dir(data.join("characters"))
        .expect("characters")
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|end| end == "glb"))
        .collect();
    names.sort();
    let mut random = Random::new(7);
    let (mut characters, mut vertices, mut captured) = (0, 0, 0);
    for path in names {
        let Ok(document) = read_document(&path, &ReadOptions::default()) else { continue };
        for mut rig in document.rigs {
            let is_skinned =
                |part: &elbowroom_motion::body::Part| matches!(part.hold, Hold::Skinned(_));
            if !rig.parts.iter().any(is_skinned) {
                continue;
            }
            for part in &mut rig.parts {
                if let Hold::Skinned(skin) = &mut part.hold {
                    *skin = skin.clone().with_blend(Blend::Linear);
                }
            }
            let mut bounds = Bounds::new(&rig);
            characters += 1;
            let far =
                DAffine3::from_rotation_translation(turned(&mut random, 3.0), DVec3::ONE * 1e4);
            for clip in rig.clips.iter().take(8) {
                let mut pose = rig.rest_pose();
                for k in 0..3 {
                    clip.sample(clip.start() + clip.seconds() * 0.37 * f64::from(k), &mut pose);
                    vertices += check(&rig, &mut bounds, &pose, &far);
                }
            }
            for _ in 0..4 {
                let mut pose = rig.rest_pose();
                for local in &mut pose.locals {
                    local.rotation = turned(&mut random, 1.0) * local.rotation;
                }
                vertices += check(&rig, &mut bounds, &pose, &DAffine3::IDENTITY);
            }
            let config = RetargetConfig::default();
            let Ok(retarget) = Retarget::new(&mover.skeleton, &rig.skeleton, &config) else {
                continue;
            };
            let Ok(clip) = retarget.clip(&mover.clips[0], 30.0) else { continue };
            let mut pose = rig.rest_pose();
            for k in 1..8 {
                clip.sample(clip.start() + clip.seconds() * f64::from(k) / 8.0, &mut pose);
                captured += check(&rig, &mut bounds, &pose, &far);
            }
        }
    }
    println!(
        "{characters} characters, {vertices} vertices in their clips and at random, {captured} in a capture"
    );
    assert!(
        characters > 10 && vertices > 500_000 && captured > 20_000,
        "{characters} {vertices} {captured}"
    );
}
