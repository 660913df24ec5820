//! A frame has the same bits whatever was posed before, and by whichever thread.

use std::sync::Arc;

use elbowroom_motion::scene::{
    Actor, Axes, Content, Finder, Motion, Object, Path, Playback, Repeat, Scene, Seek, Sequence,
    Stage, Step, Timing, Whereabouts,
};
use glam::DVec3;

use super::common::{Rising, arm, at, still};

fn rich_scene() -> Scene {
    let man = Arc::new(elbowroom_make::body::male());
    let walk = Arc::new(man.clips[0].clone());
    let rig = Arc::new(arm(0.5));
    let bend = Arc::new(rig.clips[0].clone());
    let step = |time_secs: f64, x| Step { time_secs, position: DVec3::X * x, heading: None };
    let walker = |from: f64, to: f64| {
        let path = Path::new(&[step(0.1, from), step(1.1, to)], Axes::Y_UP).unwrap();
        Actor {
            motion: Motion::Clip(Playback::new(Arc::clone(&walk), Repeat::Loop)),
            whereabouts: Whereabouts::Walk {
                path: Arc::new(path),
                scale: 0.97,
                stride: None,
                in_place: None,
            },
            ..Actor::new(Arc::clone(&man))
        }
    };
    let robot =
        Actor { motion: Motion::Clip(Playback::new(bend, Repeat::Loop)), ..Actor::new(rig) };
    let objects = vec![
        still("floor", 0.5, at(0.0, -0.4, 0.0)),
        Object::new("first", Content::Actor(walker(-0.6, 0.6))),
        Object::new("second", Content::Actor(walker(0.6, -0.6))),
        Object::new("robot", Content::Actor(robot)),
        Object::new("cloth", Content::Vertices(Sequence::new(Rising::boxed(false), 3.0))),
    ];
    Scene::new(Timing::new(10.0, 0, 12), objects, &[]).unwrap()
}

/// Every bit of a stage, and what meets on it.
fn print(scene: &Scene, frame: u32, stage: &mut Stage, finder: &mut Finder) -> (Vec<u64>, String) {
    scene.at(frame, stage).unwrap();
    let mut bits = Vec::new();
    let mut points = Vec::new();
    for piece in stage.pieces() {
        piece.points(&mut points);
        bits.push(u64::from(piece.number()));
        bits.extend(points.iter().flat_map(|p| p.to_array().map(f64::to_bits)));
        bits.extend(piece.placement().rotation().to_cols_array().map(f64::to_bits));
    }
    (bits, format!("{:?}", finder.find(scene, stage)))
}

#[test]
fn frames_do_not_depend_on_those_before() {
    let scene = rich_scene();
    let seek = Seek { most_listed: 10_000, ..Seek::default() };
    let fresh: Vec<_> = (0..=12)
        .map(|frame| print(&scene, frame, &mut Stage::new(), &mut Finder::new(seek)))
        .collect();
    assert!(fresh[0].0.len() < fresh[5].0.len(), "the walkers come later");
    let mut met = 0;
    let (mut stage, mut finder) = (Stage::new(), Finder::new(seek));
    for frame in [0, 1, 2, 3, 4, 12, 11, 6, 6, 3, 0, 9, 5, 10, 8, 7, 12] {
        let kept = print(&scene, frame, &mut stage, &mut finder);
        assert!(kept == fresh[frame as usize], "frame {frame}");
        met += usize::from(kept.1.contains("crossing"));
    }
    assert!(met > 5, "{met}");
}

#[test]
fn frames_do_not_depend_on_threads_or_other_scenes() {
    let (scene, other) = (rich_scene(), rich_scene());
    let seek = Seek::default();
    let expected: Vec<_> = (0..=12)
        .map(|frame| print(&scene, frame, &mut Stage::new(), &mut Finder::new(seek)))
        .collect();
    let scene = &scene;
    let found: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..3)
            .map(|first| {
                scope.spawn(move || {
                    let (mut stage, mut finder) = (Stage::new(), Finder::new(seek));
                    let frames = (first..=12).step_by(3);
                    frames
                        .map(|frame| (frame, print(scene, frame, &mut stage, &mut finder)))
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(found.len(), 13);
    for (frame, print) in found {
        assert!(print == expected[frame as usize], "frame {frame}");
    }
    // A stage that served one scene serves another.
    let (mut stage, mut finder) = (Stage::new(), Finder::new(seek));
    for frame in [2, 7] {
        for scene in [scene, &other, scene] {
            assert!(print(scene, frame, &mut stage, &mut finder) == expected[frame as usize]);
        }
    }
}
