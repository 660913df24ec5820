//! What a scene file means.

use elbowroom_io::{ReadOptions, read_scene};
use elbowroom_motion::scene::{Content, Finder, Motion, ObjectId, Scene, Seek, Stage};
use glam::DVec3;

use super::common::{CUBE, Folder, WAYS, example};

fn names(scene: &Scene) -> Vec<&str> {
    scene.objects().iter().map(|object| object.name.as_str()).collect()
}

fn bounds(scene: &Scene, object: u32, frame: u32) -> Option<(DVec3, DVec3)> {
    let mut stage = Stage::new();
    scene.at(frame, &mut stage).unwrap();
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let mut points = Vec::new();
    for piece in stage.pieces().filter(|piece| piece.object() == ObjectId(object)) {
        piece.points(&mut points);
        low = points.iter().fold(low, |low, &p| low.min(p));
        high = points.iter().fold(high, |high, &p| high.max(p));
    }
    low.is_finite().then_some((low, high))
}

#[test]
fn the_example_of_the_document_is_read() {
    let folder = Folder::new();
    folder.put("trajectories.csv", WAYS);
    let file = folder.read(&example()).unwrap();
    let scene = &file.scene;
    let expected = ["floor", "table", "ann", "bob", "passer-by 1", "passer-by 2"];
    assert_eq!(names(scene), expected);
    let timing = scene.timing();
    assert_eq!((timing.fps, timing.first, timing.last), (30.0, 0, 45));
    assert!(file.sources.iter().all(Option::is_none));
    // The floor is a box of 10 m whose top is at 0, and may be touched.
    let (low, high) = bounds(scene, 0, 0).unwrap();
    assert_eq!((low, high), (DVec3::new(-5.0, -10.0, -5.0), DVec3::new(5.0, 0.0, 5.0)));
    let (mut stage, mut finder) = (Stage::new(), Finder::new(Seek::default()));
    let mut met = std::collections::BTreeSet::new();
    for frame in timing.frames() {
        scene.at(frame, &mut stage).unwrap();
        let found = finder.find(scene, &stage);
        met.extend(found.meetings.iter().map(|m| (m.a.0, m.b.0)));
    }
    assert!(met.contains(&(2, 3)), "Ann and Bob stand too close: {met:?}");
    assert!(met.iter().all(|&(a, _)| a != 0), "the floor may be touched: {met:?}");
    // The second passer-by is there from half a second on.
    assert!(bounds(scene, 5, 14).is_none() && bounds(scene, 5, 15).is_some());
    assert!(bounds(scene, 5, 45).is_some());
}

#[test]
fn places_units_and_axes() {
    let folder = Folder::new();
    folder.put("cube.obj", CUBE);
    let scene = "\
        up = 'z'\nunits = 'cm'\n\
        [[model]]\nname = 'a'\nfile = 'cube.obj'\nup = 'z'\n\
        [[model]]\nname = 'b'\nfile = 'cube.obj'\nup = 'z'\nunits = 'mm'\nposition = [100, 0, 50]\n\
        [[model]]\nname = 'c'\nfile = 'cube.obj'\nup = 'z'\nheading = 90\nscale = 2\n\
        [[model]]\nname = 'd'\nfile = 'cube.obj'\n\
        [[model]]\nname = 'e'\nfile = 'cube.obj'\nup = 'z'\nrotation = [1, 0, 0, 0]\n";
    let file = folder.read(scene).unwrap();
    let near = |object: u32, low: [f64; 3], high: [f64; 3]| {
        let found = bounds(&file.scene, object, 0).unwrap();
        let off = (found.0 - DVec3::from(low)).length() + (found.1 - DVec3::from(high)).length();
        assert!(off < 1e-12, "{object}: {found:?}");
    };
    near(0, [0.0; 3], [1.0; 3]);
    near(1, [1.0, 0.0, 0.5], [1.001, 0.001, 0.501]);
    // A quarter turn to the left, seen from above: x becomes y, y becomes -x.
    near(2, [-2.0, 0.0, 0.0], [0.0, 2.0, 2.0]);
    // From Y up to Z up: y becomes z, z becomes -y.
    near(3, [0.0, -1.0, 0.0], [1.0, 0.0, 1.0]);
    // Half a turn about x.
    near(4, [0.0, -1.0, -1.0], [1.0, 0.0, 0.0]);
    assert_eq!(file.sources[0].as_deref(), Some(folder.path().join("cube.obj").as_path()));
    let timing = file.scene.timing();
    assert_eq!((timing.fps, timing.first, timing.last), (30.0, 0, 0));
}

#[test]
fn poses_move_a_model() {
    let folder = Folder::new();
    folder.put("cube.obj", CUBE);
    let shift = |x: f64| format!("[1,0,0,{x}, 0,1,0,0, 0,0,1,0, 0,0,0,1]");
    folder.put("way.json", format!("[{},{},{}]", shift(0.0), shift(10.0), shift(20.0)));
    let scene = "fps = 10\nunits = 'cm'\n\
        [[model]]\nfile = 'cube.obj'\nscale = 3\nposition = [100, 0, 0]\nposes = 'way.json'\n";
    let file = folder.read(scene).unwrap();
    assert_eq!((names(&file.scene), file.scene.timing().last), (vec!["cube"], 2));
    for frame in 0..3 {
        let (low, high) = bounds(&file.scene, 0, frame).unwrap();
        let x = 1.0 + 0.1 * f64::from(frame);
        assert!((low.x - x).abs() < 1e-12 && (high.x - x - 3.0).abs() < 1e-12, "{low} {high}");
    }
}

#[test]
fn numbered_files_are_a_sequence() {
    let folder = Folder::new();
    for frame in 1..=4 {
        let triangle = format!("v 0 {frame} 0\nv 1 {frame} 0\nv 0 {frame} 1\nf 1 2 3\n");
        folder.put(&format!("cloth/cloth.{frame:04}.obj"), triangle);
    }
    let scene = "fps = 20\n[[model]]\nfile = 'cloth/cloth.####.obj'\nfps = 10\nstart = 0.1\n\
        [[model]]\nname = 'box'\nfile = 'make:cube'\n";
    let file = folder.read(scene).unwrap();
    assert_eq!((names(&file.scene), file.scene.timing().last), (vec!["cloth", "box"], 8));
    let heights: Vec<f64> =
        [2, 4, 6, 8].iter().map(|&f| bounds(&file.scene, 0, f).unwrap().0.y).collect();
    assert_eq!(heights, [1.0, 2.0, 3.0, 4.0]);
    // Nothing moves before it begins, so that is where the scene begins.
    assert_eq!(file.scene.timing().first, 2);
}

const HINGE: &str = "<mujoco><worldbody><body name='arm'><joint name='j' axis='0 0 1'/>\
    <geom type='box' size='1 .1 .1' pos='1 0 0'/></body></worldbody></mujoco>";

#[test]
fn robots_take_values_and_mocap_is_carried_over() {
    let folder = Folder::new();
    folder.put("arm.xml", HINGE);
    folder.put(
        "turn.bvh",
        "HIERARCHY\nROOT Hips {\n OFFSET 0 0 0\n CHANNELS 3 Zrotation Xrotation Yrotation\n \
         JOINT LeftUpLeg {\n OFFSET 0.1 -0.1 0\n CHANNELS 3 Zrotation Xrotation Yrotation\n \
         End Site { OFFSET 0 -0.9 0 }\n }\n}\n\
         MOTION\nFrames: 3\nFrame Time: 0.1\n0 0 0 0 0 0\n0 0 20 0 0 0\n0 0 40 0 0 0\n",
    );
    let scene = "fps = 10\nup = 'z'\n\
        [[character]]\nfile = 'arm.xml'\nvalues = [[0], [1.5707963267948966]]\n\
        [[character]]\nfile = 'make:man'\nmotion = { file = 'turn.bvh', keep_rest_frame = true }\n\
        position = [9, 0, 0]\n";
    let file = folder.read(scene).unwrap();
    assert_eq!((names(&file.scene), file.scene.timing().last), (vec!["arm", "man"], 2));
    let (_, high) = bounds(&file.scene, 0, 0).unwrap();
    assert!((high.x - 2.0).abs() < 1e-12, "{high}");
    let (_, high) = bounds(&file.scene, 0, 1).unwrap();
    assert!((high.y - 2.0).abs() < 1e-9, "{high}");
    let Content::Actor(man) = &file.scene.objects()[1].content else { panic!("an actor") };
    let Motion::Clip(playback) = &man.motion else { panic!("a clip") };
    assert!((playback.clip.seconds() - 0.2).abs() < 1e-12);
    assert_ne!(bounds(&file.scene, 1, 0), bounds(&file.scene, 1, 2));
}

#[test]
fn characters_of_one_file_share_it() {
    let folder = Folder::new();
    folder.put("ways.csv", WAYS);
    let scene = "\
        [[character]]\nname = 'a'\nfile = 'make:man'\nclip = 'idle'\n\
        [[character]]\nname = 'b'\nfile = 'make:man'\nclip = ''\nself = true\n\
        [[crowd]]\ntrajectories = 'ways.csv'\ncharacters = ['make:man']\npeople = 1\n";
    let file = folder.read(scene).unwrap();
    let rigs: Vec<_> = file
        .scene
        .objects()
        .iter()
        .map(|object| match &object.content {
            Content::Actor(actor) => std::sync::Arc::as_ptr(&actor.rig),
            _ => panic!("all are actors"),
        })
        .collect();
    assert_eq!((rigs.len(), names(&file.scene)[2]), (3, "ways 1"));
    assert!(rigs.iter().all(|rig| *rig == rigs[0]));
    let own: Vec<bool> = file.scene.objects().iter().map(|object| object.with_itself).collect();
    assert_eq!(own, [false, true, false]);
    // The only one who walks is on their way for two seconds.
    assert_eq!(file.scene.timing().last, 120, "the idle clip is four seconds long");
    let (low, high) = bounds(&file.scene, 2, 30).unwrap();
    let middle = 0.5 * (low + high);
    assert!(middle.x.abs() < 0.3 && low.y.abs() < 0.1 && high.y > 1.7, "{low} {high}");
}

#[test]
fn files_outside_are_read_if_allowed() {
    let folder = Folder::new();
    folder.put("cube.obj", CUBE);
    let text = "[[model]]\nfile = '../cube.obj'\n";
    let path = folder.put("inner/scene.toml", text);
    assert!(read_scene(&path, &ReadOptions::default()).is_err());
    let options = ReadOptions { allow_outside: true, ..ReadOptions::default() };
    assert_eq!(read_scene(&path, &options).unwrap().scene.objects().len(), 1);
}
