//! Any files as the objects of one scene.

use std::path::PathBuf;

use elbowroom_io::{Asked, ReadOptions, Shot, glb_out, read_shot};
use elbowroom_motion::scene::{Content, Scene, Stage, Timing};

use super::common::{CUBE, Folder};

fn read(paths: &[PathBuf], clip: Option<&str>) -> Result<Shot, String> {
    read_shot(paths, &ReadOptions::default(), Asked { clip, fps: None })
        .map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}

fn names(shot: &Shot) -> Vec<String> {
    shot.objects.iter().map(|object| object.name.clone()).collect()
}

const TWO_NODES: &str = r#"{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
  "nodes": [{"name": "room", "children": [1, 2]}, {"name": "cup", "mesh": 0}, {"name": "cup", "mesh": 0}],
  "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
  "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
  "bufferViews": [{"buffer": 0, "byteLength": 36}],
  "buffers": [{"byteLength": 36, "uri": "points.bin"}]}"#;

fn points() -> Vec<u8> {
    [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0].iter().flat_map(|x| x.to_le_bytes()).collect()
}

#[test]
fn nodes_are_objects_and_names_are_made_unique() {
    let folder = Folder::new();
    folder.put("points.bin", points());
    let shot = folder.put("shot.gltf", TWO_NODES);
    let cube = folder.put("cube.obj", CUBE);
    let alone = read(std::slice::from_ref(&shot), None).unwrap();
    assert_eq!((names(&alone), alone.span), (vec!["cup".into(), "cup #2".into()], None));
    let both = read(&[shot.clone(), cube.clone(), cube.clone()], None).unwrap();
    assert_eq!(names(&both), ["shot/cup", "shot/cup #2", "cube", "cube #2"]);
    assert!(both.notes.iter().any(|note| note.contains("does not state its unit")));
}

/// The rig of a man, written and read back: what the clip is, how long and how fast.
#[test]
fn clips_are_chosen_by_name() {
    let folder = Folder::new();
    let man = elbowroom_make::body::male();
    let bytes = glb_out::to_bytes(&[man]).expect("a GLB");
    let man = folder.put("man.glb", bytes);
    let files = [man];
    let longest = read(&files, None).unwrap();
    assert_eq!(names(&longest), ["man"]);
    let idle = "the clip \"idle\" (4.00 s) is played, the longest that moves";
    assert!(longest.doubts.iter().any(|doubt| doubt.text.contains(idle)), "{:?}", longest.doubts);
    assert_eq!(
        (longest.span, longest.plays[0].as_ref().unwrap().clip.as_deref()),
        (Some([0.0, 4.0]), Some("idle"))
    );
    assert!(longest.fps.is_some_and(|fps| (25.0..35.0).contains(&fps)), "{:?}", longest.fps);
    let wave = read(&files, Some("wave")).unwrap();
    assert!(wave.notes.is_empty() && wave.doubts.is_empty(), "{:?} {:?}", wave.notes, wave.doubts);
    assert!(wave.span < longest.span);
    let error = read(&files, Some("fly")).unwrap_err();
    assert!(error.contains("no clip is called \"fly\"; there are 9 clips"), "{error}");
    let Content::Actor(actor) = &wave.objects[0].content else { panic!("an actor") };
    assert_eq!(actor.parts.as_deref(), Some(&[0][..]));
    let scene = Scene::new(Timing::new(30.0, 0, 3), wave.objects, &[]).unwrap();
    let mut stage = Stage::new();
    assert!(scene.at(3, &mut stage).is_ok() && stage.pieces().count() == 1);
}

#[test]
fn every_bad_file_is_named() {
    let folder = Folder::new();
    let cube = folder.put("cube.obj", CUBE);
    let bvh = folder.put(
        "walk.bvh",
        "HIERARCHY\nROOT a {\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\nMOTION\nFrames: 2\nFrame Time: 1\n0\n9\n",
    );
    let none = folder.path().join("none.glb");
    let numbered = folder.path().join("cloth.####.obj");
    let error = read(&[cube, bvh, none, numbered], None).unwrap_err();
    let lines: Vec<&str> = error.lines().collect();
    assert_eq!(lines.len(), 3, "{error}");
    assert!(lines[0].contains("walk.bvh: holds a motion and no mesh"), "{error}");
    assert!(lines[1].contains("none.glb: no such file"), "{error}");
    assert!(lines[2].contains("cloth.####.obj"), "{error}");
}
