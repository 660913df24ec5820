//! What a scene refuses, and how it says so.

use std::sync::Arc;

use elbowroom_motion::body::{Clip, Interpolation, JointId, Target, Track};
use elbowroom_motion::scene::{
    Actor, Axes, Content, Motion, Object, Path, Playback, Repeat, Scene, Sequence, Stage, Step,
    Timing, Whereabouts,
};
use glam::{DAffine3, DVec3};

use super::common::{Rising, SECOND, arm, at, cube, scene, still};

fn refused(objects: Vec<Object>) -> String {
    Scene::new(SECOND, objects, &[]).expect_err("a bad scene").to_string()
}

fn actor(change: impl FnOnce(&mut Actor)) -> Vec<Object> {
    let mut actor = Actor::new(Arc::new(arm(1.0)));
    change(&mut actor);
    vec![Object::new("robot", Content::Actor(actor))]
}

fn playing(change: impl FnOnce(&mut Playback)) -> Vec<Object> {
    actor(|actor| {
        let clip = Arc::new(actor.rig.clips[0].clone());
        let mut playback = Playback::new(clip, Repeat::Hold);
        change(&mut playback);
        actor.motion = Motion::Clip(playback);
    })
}

#[test]
fn timing() {
    let with = |fps, first, last| Scene::new(Timing::new(fps, first, last), vec![], &[]);
    for fps in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = with(fps, 0, 1).unwrap_err().to_string();
        assert!(error.contains("is no rate; give a number above 0"), "{error}");
    }
    assert!(with(30.0, 2, 1).unwrap_err().to_string().contains("from 2 to 1"));
    assert!(with(30.0, 0, u32::MAX).is_err());
    let scene = with(30.0, 5, 7).unwrap();
    let mut stage = Stage::new();
    for frame in [0, 4, 8, u32::MAX] {
        let error = scene.at(frame, &mut stage).unwrap_err().to_string();
        assert_eq!(error, format!("there is no frame {frame}; the scene goes from 5 to 7"));
    }
    assert!(scene.at(6, &mut stage).is_ok());
}

#[test]
fn names() {
    let twice = vec![still("cup", 1.0, at(0.0, 0.0, 0.0)), still("cup", 1.0, at(9.0, 0.0, 0.0))];
    assert_eq!(refused(twice), "two objects are called \"cup\"; give each its own name");
    let none = vec![still("", 1.0, at(0.0, 0.0, 0.0))];
    assert_eq!(refused(none), "object 0 (counted from 0) has no name");
}

#[test]
fn places_scales_and_ways() {
    let fixed = |place| actor(|actor| actor.whereabouts = Whereabouts::Fixed(place));
    let walking = |scale, stride| {
        let step = Step { time_secs: 0.0, position: DVec3::ZERO, heading: None };
        let path = Arc::new(Path::new(&[step], Axes::Y_UP).unwrap());
        let whereabouts = Whereabouts::Walk { path, scale, stride, in_place: None };
        actor(|actor| actor.whereabouts = whereabouts)
    };
    let scaled = |scale| DAffine3::from_scale(DVec3::splat(scale));
    let cases = [
        (fixed(scaled(0.0)), "scaled to nothing"),
        (fixed(scaled(f64::NAN)), "not finite"),
        (fixed(scaled(1e200)), "beyond all numbers"),
        (fixed(DAffine3::from_translation(DVec3::splat(f64::INFINITY))), "not finite"),
        (walking(0.0, None), "the scale 0; give a number above 0"),
        (walking(-1.0, None), "the scale -1"),
        (walking(f64::NAN, None), "the scale NaN"),
        (walking(1.0, Some(0.0)), "a stride of 0 m"),
        (
            vec![Object::new("robot", Content::Moving { model: cube(1.0), path: vec![] })],
            "no places",
        ),
    ];
    let count = cases.len();
    for (objects, expected) in cases {
        let error = refused(objects);
        assert!(error.contains(expected) && error.contains("\"robot\""), "{error}");
    }
    assert_eq!(count, 9);
}

#[test]
fn motions() {
    let strange = |target, width: usize| {
        let values = vec![0.5; width];
        let track = Track { target, interpolation: Interpolation::Step, times: vec![0.0], values };
        Arc::new(Clip::new("strange".into(), vec![track]).unwrap())
    };
    let nan = |actor: &mut Actor| {
        let mut pose = actor.rig.rest_pose();
        pose.locals[0].translation.x = f64::NAN;
        actor.motion = Motion::Poses(vec![actor.rig.rest_pose(), pose]);
    };
    let long = |actor: &mut Actor| {
        let mut pose = actor.rig.rest_pose();
        pose.locals.push(pose.locals[0]);
        actor.motion = Motion::Pose(pose);
    };
    let cases = [
        (playing(|p| p.speed = 0.0), "at the speed 0"),
        (playing(|p| p.speed = f64::NAN), "at the speed NaN"),
        (playing(|p| p.start_secs = f64::INFINITY), "starts \"bend\" at inf s"),
        (playing(|p| p.clip = strange(Target::Scale(JointId(9)), 3)), "retarget it first"),
        (playing(|p| p.clip = strange(Target::Weights(0), 2)), "retarget it first"),
        (actor(|a| a.motion = Motion::Poses(vec![])), "no poses"),
        (actor(nan), "not finite"),
        (actor(long), "a pose of 3 joints, but its rig has 2"),
        (actor(|a| a.parts = Some(vec![0, 2])), "has no part 2; its rig has 2"),
    ];
    let count = cases.len();
    for (objects, expected) in cases {
        let error = refused(objects);
        assert!(error.contains(expected) && error.contains("\"robot\""), "{expected}: {error}");
    }
    assert_eq!(count, 9);
}

#[test]
fn rigs_that_are_not_sound() {
    let mut rig = arm(1.0);
    rig.allowed.push((0, 7));
    let objects = vec![Object::new("robot", Content::Actor(Actor::new(Arc::new(rig))))];
    let error = refused(objects);
    assert!(error.contains("not sound") && error.contains("only 2 joints"), "{error}");
}

#[test]
fn sequences() {
    let with = |change: fn(&mut Sequence)| {
        let mut sequence = Sequence::new(Rising::boxed(false), 10.0);
        change(&mut sequence);
        refused(vec![Object::new("cloth", Content::Vertices(sequence))])
    };
    assert!(with(|s| s.fps = 0.0).contains("0 frames per second"));
    assert!(with(|s| s.start_secs = f64::NAN).contains("NaN s"));
    assert!(with(|s| s.world_from_mesh.matrix3 *= 0.0).contains("scaled to nothing"));
}

/// What overflows only when it is posed is told apart by frame.
#[test]
fn numbers_that_grow_too_large() {
    let rig = Arc::new(arm(1.0));
    let track = Track {
        target: Target::Translation(JointId(0)),
        interpolation: Interpolation::Linear,
        times: vec![0.0, 1.0],
        values: vec![0.0, 0.0, 0.0, f64::MAX, 0.0, 0.0],
    };
    let clip = Arc::new(Clip::new("away".into(), vec![track]).unwrap());
    let mut actor = Actor::new(rig);
    actor.motion = Motion::Clip(Playback::new(clip, Repeat::Hold));
    actor.whereabouts = Whereabouts::Fixed(DAffine3::from_scale(DVec3::splat(4.0)));
    let scene = scene(vec![Object::new("robot", Content::Actor(actor))]);
    let mut stage = Stage::new();
    assert!(scene.at(0, &mut stage).is_ok());
    let error = scene.at(10, &mut stage).unwrap_err().to_string();
    assert!(error.contains("\"robot\" in frame 10") && error.contains("not finite"), "{error}");
    assert!(stage.frame().is_none());
}
