//! Every kind of object, where it is and when.

use std::sync::Arc;

use elbowroom_motion::body::{Clip, Freedom, FreedomKind, JointId};
use elbowroom_motion::scene::{
    Actor, Axes, Content, Motion, Object, ObjectId, Path, Playback, Repeat, Scene, Sequence, Stage,
    Step, Timing, Whereabouts,
};
use glam::{DAffine3, DQuat, DVec3};

use super::common::{Rising, SECOND, arm, at, cube, points_of, scene, still};

fn highest(stage: &Stage, object: u32) -> f64 {
    points_of(stage, object).iter().map(|p| p.y).fold(f64::NEG_INFINITY, f64::max)
}

#[test]
fn still_and_moving_things() {
    let path = vec![at(0.0, 0.0, 0.0), at(0.0, 2.0, 0.0), at(0.0, 4.0, 0.0)];
    let moving = Object::new("lift", Content::Moving { model: cube(1.0), path });
    let scene = scene(vec![still("floor", 1.0, at(0.0, -5.0, 0.0)), moving]);
    assert!(!scene.is_still());
    let mut stage = Stage::new();
    for (frame, height) in [(0, 1.0), (1, 3.0), (2, 5.0), (3, 5.0), (10, 5.0)] {
        scene.at(frame, &mut stage).unwrap();
        assert_eq!(highest(&stage, 1), height, "{frame}");
        assert_eq!(highest(&stage, 0), -4.0);
        assert!(stage.pieces().all(|piece| piece.is_rigid()));
    }
}

#[test]
fn an_articulated_actor_moves_in_rigid_pieces_at_any_scale() {
    for scale in [1.0, 0.01, 2.5] {
        let rig = Arc::new(arm(scale));
        let clip = Arc::new(rig.clips[0].clone());
        let mut actor = Actor::new(Arc::clone(&rig));
        actor.motion = Motion::Clip(Playback::new(clip, Repeat::Hold));
        actor.whereabouts = Whereabouts::Fixed(Axes::Y_UP.placed(DVec3::Y, 0.7, 3.0));
        let scene = scene(vec![Object::new("arm", Content::Actor(actor))]);
        assert_eq!(scene.parts(ObjectId(0)), ["upper", "lower"]);
        assert_eq!(scene.size(ObjectId(0)), (16, 24));
        let mut stage = Stage::new();
        let mut rigid = 0;
        for frame in 0..=10 {
            scene.at(frame, &mut stage).unwrap();
            rigid += stage.pieces().filter(elbowroom_motion::scene::Piece::is_rigid).count();
        }
        assert_eq!(rigid, 22, "{scale}");
        // At the end the lower link points up: from the elbow 0.9 of its length.
        let expected = 1.0 + 3.0 * scale * 0.9;
        assert!((highest(&stage, 0) - expected).abs() < 1e-12 * expected, "{scale}");
    }
}

#[test]
fn many_share_one_model_and_mirrors_are_baked() {
    let rig = Arc::new(arm(1.0));
    let place = |i: u32, mirror: f64| {
        let turn = DQuat::from_rotation_y(f64::from(i));
        let scale = DVec3::new(mirror, 1.0, 1.0);
        Whereabouts::Fixed(DAffine3::from_scale_rotation_translation(scale, turn, DVec3::X))
    };
    let objects = (0..6).map(|i| {
        let mut actor = Actor::new(Arc::clone(&rig));
        actor.whereabouts = place(i, if i == 5 { -1.0 } else { 1.0 });
        Object::new(format!("arm {i}"), Content::Actor(actor))
    });
    let scene = scene(objects.collect());
    assert!(scene.is_still());
    let mut stage = Stage::new();
    scene.at(0, &mut stage).unwrap();
    let upper: Vec<_> = stage.pieces().step_by(2).map(|piece| piece.model()).collect();
    assert!(stage.pieces().all(|piece| piece.is_rigid()));
    assert!(upper[1..5].iter().all(|model| std::ptr::eq(*model, upper[0])));
    assert!(!std::ptr::eq(upper[5], upper[0]));
}

#[test]
fn sheared_and_morphed_pieces_get_new_points() {
    let rig = Arc::new(arm(1.0));
    let mut actor = Actor::new(Arc::clone(&rig));
    // Scaled along one axis, and the elbow turns within it: no rotation is left.
    actor.whereabouts = Whereabouts::Fixed(DAffine3::from_scale(DVec3::new(1.0, 3.0, 1.0)));
    let clip = Arc::new(rig.clips[0].clone());
    actor.motion = Motion::Clip(Playback::new(clip, Repeat::Hold));
    let scene = scene(vec![Object::new("arm", Content::Actor(actor))]);
    let mut stage = Stage::new();
    let kinds: Vec<Vec<bool>> = [0, 5]
        .into_iter()
        .map(|frame| {
            scene.at(frame, &mut stage).unwrap();
            stage.pieces().map(|piece| piece.is_rigid()).collect()
        })
        .collect();
    assert_eq!(kinds, [[true, true], [true, false]]);
    let (mut poser, mut points) = (elbowroom_motion::body::Poser::new(), Vec::new());
    let mut pose = rig.rest_pose();
    rig.clips[0].sample(1.0, &mut pose);
    poser.set_placed(&rig, &pose, &DAffine3::from_scale(DVec3::new(1.0, 3.0, 1.0)));
    poser.part(&rig, 1, &mut points);
    assert_eq!(points_of(&stage, 0)[8..], points);
}

#[test]
fn clips_start_hold_and_loop() {
    let rig = Arc::new(arm(1.0));
    let clip: Arc<Clip> = Arc::new(rig.clips[0].clone());
    let playing = |start_secs, speed, repeat| {
        let playback = Playback { clip: Arc::clone(&clip), start_secs, speed, repeat };
        let actor = Actor { motion: Motion::Clip(playback), ..Actor::new(Arc::clone(&rig)) };
        Content::Actor(actor)
    };
    let objects = vec![
        Object::new("late", playing(0.5, 1.0, Repeat::Hold)),
        Object::new("fast", playing(0.0, 2.0, Repeat::Hold)),
        Object::new("again", playing(0.0, 2.0, Repeat::Loop)),
        Object::new("before", playing(-0.25, 1.0, Repeat::Loop)),
    ];
    let timing = Timing::new(4.0, 0, 8);
    let scene = Scene::new(timing, objects, &[]).unwrap();
    let mut stage = Stage::new();
    let mut turns = Vec::new();
    for frame in timing.frames() {
        scene.at(frame, &mut stage).unwrap();
        let turn = |piece: elbowroom_motion::scene::Piece| {
            let axis = piece.placement().rotation().x_axis;
            (libm_atan2(axis.y, axis.x) / std::f64::consts::FRAC_PI_2 * 4.0).round()
        };
        turns.push(stage.pieces().skip(1).step_by(2).map(turn).collect::<Vec<_>>());
    }
    // In quarters of the whole turn, a frame being a quarter of a second.
    let column = |i: usize| turns.iter().map(|row| row[i]).collect::<Vec<f64>>();
    assert_eq!(column(0), [0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 4.0, 4.0, 4.0]);
    assert_eq!(column(1), [0.0, 2.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0]);
    assert_eq!(column(2), [0.0, 2.0, 0.0, 2.0, 0.0, 2.0, 0.0, 2.0, 0.0]);
    assert_eq!(column(3), [1.0, 2.0, 3.0, 0.0, 1.0, 2.0, 3.0, 0.0, 1.0]);
}

fn libm_atan2(y: f64, x: f64) -> f64 {
    y.atan2(x)
}

#[test]
fn robots_take_joint_values() {
    let mut rig = arm(1.0);
    rig.freedoms.push(Freedom {
        name: "elbow".into(),
        joint: JointId(1),
        kind: FreedomKind::Hinge,
        axis: DVec3::Z,
        anchor: DVec3::ZERO,
        range: None,
        mimic: None,
    });
    let poses: Vec<_> = [0.0, 0.5, 1.0].iter().map(|&v| rig.pose_of(&[v]).unwrap()).collect();
    let rig = Arc::new(rig);
    let one = Actor { motion: Motion::Pose(poses[2].clone()), ..Actor::new(Arc::clone(&rig)) };
    let all = Actor { motion: Motion::Poses(poses), ..Actor::new(rig) };
    let objects =
        vec![Object::new("one", Content::Actor(one)), Object::new("all", Content::Actor(all))];
    let scene = scene(objects);
    let mut stage = Stage::new();
    let mut heights = Vec::new();
    for frame in 0..4 {
        scene.at(frame, &mut stage).unwrap();
        heights.push(highest(&stage, 1));
    }
    assert!(heights[0] < heights[1] && heights[1] < heights[2]);
    assert_eq!(heights[2], heights[3]);
    assert_eq!(highest(&stage, 0), heights[3]);
}

#[test]
fn sequences_show_the_nearest_frame() {
    let mut looped = Sequence::new(Rising::boxed(false), 10.0);
    looped.repeat = Repeat::Loop;
    looped.world_from_mesh = DAffine3::from_scale(DVec3::splat(2.0));
    let mut late = Sequence::new(Rising::boxed(false), 5.0);
    late.start_secs = 0.2;
    let objects = vec![
        Object::new("looped", Content::Vertices(looped)),
        Object::new("late", Content::Vertices(late)),
    ];
    let scene = scene(objects);
    let mut stage = Stage::new();
    let mut heights = Vec::new();
    for frame in 0..=10 {
        scene.at(frame, &mut stage).unwrap();
        heights.push([0, 1].map(|object| points_of(&stage, object)[0].z));
    }
    let column = |i: usize| heights.iter().map(|row| row[i]).collect::<Vec<f64>>();
    assert_eq!(column(0), [0.0, 2.0, 4.0, 6.0, 8.0, 0.0, 2.0, 4.0, 6.0, 8.0, 0.0]);
    assert_eq!(column(1)[..5], [0.0, 0.0, 0.0, 1.0, 1.0]);
    assert_eq!(column(1)[10], 4.0);
}

#[test]
fn a_broken_sequence_names_the_object_and_the_frame() {
    let sequence = Sequence::new(Rising::boxed(true), 10.0);
    let scene = scene(vec![Object::new("cloth", Content::Vertices(sequence))]);
    let mut stage = Stage::new();
    scene.at(2, &mut stage).unwrap();
    let error = scene.at(3, &mut stage).unwrap_err().to_string();
    assert_eq!(error, "object \"cloth\" in frame 3: cloth.0003.obj: no such file");
    assert_eq!((stage.frame(), stage.pieces().count()), (None, 0));
    scene.at(4, &mut stage).unwrap();
    assert_eq!((stage.frame(), stage.pieces().count()), (Some(4), 1));
}

#[test]
fn walkers_are_there_while_their_way_lasts() {
    let man = Arc::new(elbowroom_make::body::male());
    let walk = man.clips.iter().find(|clip| clip.name() == "walk").unwrap();
    let step = |time_secs, x| Step { time_secs, position: DVec3::X * x, heading: None };
    let path = Path::new(&[step(0.3, 0.0), step(0.8, 0.7)], Axes::Y_UP).unwrap();
    let actor = Actor {
        motion: Motion::Clip(Playback::new(Arc::new(walk.clone()), Repeat::Loop)),
        whereabouts: Whereabouts::Walk {
            path: Arc::new(path),
            scale: 1.0,
            stride: Some(1.4),
            in_place: None,
        },
        ..Actor::new(Arc::clone(&man))
    };
    let scene = scene(vec![Object::new("man", Content::Actor(actor))]);
    assert!(scene.parts(ObjectId(0)).iter().any(|part| part == "LeftHand"));
    let mut stage = Stage::new();
    let mut there = Vec::new();
    for frame in 0..=10 {
        scene.at(frame, &mut stage).unwrap();
        if stage.is_present(&scene, ObjectId(0)) {
            there.push(frame);
            let points = points_of(&stage, 0);
            let middle = points.iter().sum::<DVec3>() / points.len() as f64;
            let expected = 0.7 * (f64::from(frame) / 10.0 - 0.3) / 0.5;
            assert!((middle.x - expected).abs() < 0.1, "{frame}: {middle} {expected}");
            assert!((0.0..1.2).contains(&middle.y) && middle.z.abs() < 0.1, "{middle}");
        }
    }
    assert_eq!(there, [3, 4, 5, 6, 7, 8]);
    assert_eq!(SECOND.secs(3), 0.3);
}

#[test]
fn triangles_of_a_skin_belong_to_joints() {
    let man = Arc::new(elbowroom_make::body::male());
    let scene = scene(vec![Object::new("man", Content::Actor(Actor::new(Arc::clone(&man))))]);
    let parts = scene.parts(ObjectId(0));
    let mut stage = Stage::new();
    scene.at(0, &mut stage).unwrap();
    let piece = stage.piece(0).unwrap();
    let points = points_of(&stage, 0);
    let mut counts = vec![0; parts.len()];
    let mut heads = 0;
    for (triangle, corners) in man.parts[0].mesh.triangles().iter().enumerate() {
        let part = piece.part_of(triangle as u32) as usize;
        counts[part] += 1;
        if parts[part] == "Head" {
            heads += 1;
            assert!(corners.iter().all(|&corner| points[corner as usize].y > 1.4));
        }
    }
    assert!(heads > 100, "{heads}");
    assert!(counts.iter().all(|&count| count > 0) && parts.len() > 15, "{parts:?} {counts:?}");
}
