//! `elbowroom convert` and `elbowroom pose`: what is written is read back and compared.

use elbowroom::Aabb;
use elbowroom_io::{ReadOptions, VertexFrames, read_document, read_mesh};
use elbowroom_motion::body::{Poser, Rig};
use glam::DVec3;

use crate::desk::Desk;

fn rig(desk: &Desk, name: &str) -> Rig {
    read_document(&desk.path().join(name), &ReadOptions::default()).unwrap().rigs.remove(0)
}

/// All vertices of a rig, at a time of a clip or at rest.
fn posed(rig: &Rig, moment: Option<(usize, f64)>) -> Vec<DVec3> {
    let mut pose = rig.rest_pose();
    if let Some((clip, time)) = moment {
        rig.clips[clip].sample(rig.clips[clip].start() + time, &mut pose);
    }
    let (mut poser, mut out, mut all) = (Poser::new(), Vec::new(), Vec::new());
    poser.set(rig, &pose);
    for part in 0..rig.parts.len() {
        poser.part(rig, part, &mut out);
        all.extend_from_slice(&out);
    }
    all
}

fn make(desk: &Desk, what: &str, output: &str) {
    let run = desk.run(&["make", what, "-o", output, "-q"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
}

#[test]
fn a_rig_stays_the_same_from_glb_to_glb() {
    let desk = Desk::new();
    for what in ["man", "hand", "helicopter", "chain"] {
        make(&desk, what, "a.glb");
        assert_eq!(desk.run(&["convert", "-q", "a.glb", "b.glb"]).code, 0);
        let bytes = |name: &str| std::fs::read(desk.path().join(name)).unwrap();
        assert!(bytes("a.glb") == bytes("b.glb"), "{what}");
        let (a, b) = (rig(&desk, "a.glb"), rig(&desk, "b.glb"));
        assert_eq!(a, b);
        assert!(!a.clips.is_empty() && a.skeleton.len() > 2);
        std::fs::remove_file(desk.path().join("a.glb")).unwrap();
        std::fs::remove_file(desk.path().join("b.glb")).unwrap();
    }
}

#[test]
fn meshes_are_the_posed_vertices_bit_for_bit() {
    let desk = Desk::new();
    make(&desk, "woman", "w.glb");
    let woman = rig(&desk, "w.glb");
    let moments = [(None, vec![]), (Some((0, 0.25)), vec!["--clip", "walk", "--time", "0.25"])];
    let mut compared = 0;
    for (moment, arguments) in moments {
        let expected = posed(&woman, moment);
        for (index, name) in ["m.obj", "m.ply", "m.off", "t.ply"].into_iter().enumerate() {
            let mut all = vec!["convert", "-q", "--force", "w.glb", name];
            all.extend(&arguments);
            if index == 3 {
                all.push("--ascii");
            }
            let run = desk.run(&all);
            assert_eq!((run.code, run.err.as_str()), (0, ""), "{name}");
            let file = read_mesh(&desk.path().join(name)).unwrap();
            assert_eq!(file.mesh.vertices(), expected, "{name}");
            assert_eq!(file.mesh.triangles(), woman.parts[0].mesh.triangles());
            compared += 1;
        }
        let mut all = vec!["pose", "-q", "--force", "w.glb", "-o", "p.obj"];
        all.extend(&arguments);
        assert_eq!(desk.run(&all).code, 0);
        let file = read_mesh(&desk.path().join("p.obj")).unwrap();
        assert_eq!(file.mesh.vertices(), expected);
    }
    assert_eq!(compared, 8);
}

#[test]
fn frames_go_to_an_archive_and_to_numbered_files() {
    let desk = Desk::new();
    make(&desk, "man", "m.glb");
    let man = rig(&desk, "m.glb");
    let run = desk.run(&["convert", "m.glb", "idle.npz", "--clip", "idle", "--fps", "5"]);
    assert_eq!(run.out, "idle.npz: 21 frames at 5 per second, 1,427 vertices each\n");
    assert!(run.err.contains("note: left out of a posed mesh as NPZ: 32 joints"), "{}", run.err);
    let run = desk.run(&["convert", "-q", "idle.npz", "f.##.ply"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let mut archive = VertexFrames::open(&desk.path().join("idle.npz")).unwrap();
    let mut files = VertexFrames::open(&desk.path().join("f.##.ply")).unwrap();
    assert_eq!((archive.len(), files.len(), archive.fps()), (21, 21, Some(5.0)));
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for frame in [0, 7, 20] {
        archive.read(frame, &mut a).unwrap();
        files.read(frame, &mut b).unwrap();
        assert_eq!(a, posed(&man, Some((6, frame as f64 / 5.0))));
        assert_eq!(a, b);
    }
}

#[test]
fn units_and_axes_are_baked_in() {
    let desk = Desk::new();
    desk.put("a.obj", "v 0 0 0\nv 100 0 0\nv 0 250 0\no side\nf 1 2 3\n");
    let arguments = ["convert", "a.obj", "b.obj", "--units", "cm", "--metres", "--to-up", "z"];
    assert_eq!(desk.run(&arguments).code, 0);
    let file = read_mesh(&desk.path().join("b.obj")).unwrap();
    let far = |p: DVec3, q: DVec3| (p - q).length();
    assert!(far(file.mesh.vertices()[2], DVec3::Z * 2.5) < 1e-12, "{:?}", file.mesh.vertices());
    assert_eq!(file.parts[0].name, "side");
}

#[test]
fn what_is_lost_is_said() {
    let desk = Desk::new();
    desk.put("q.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 0.1 0\no a\nf 1 2 3 4\no b\nf 1 2 3\n");
    let run = desk.run(&["convert", "q.obj", "q.stl"]);
    assert_eq!(run.out, "q.stl: 3 triangles, 4 vertices\n");
    for note in [
        "2 faces are written as 3 triangles",
        "a binary STL holds f32: coordinates are rounded, by 1.5e-9 at most",
        "STL has no shared vertices",
        "the names of 2 parts are left out",
    ] {
        assert!(run.err.contains(note), "no {note:?} in {}", run.err);
    }
    let text = desk.run(&["convert", "q.obj", "t.stl", "--ascii"]);
    assert!(!text.err.contains("f32") && !text.err.contains("names"), "{}", text.err);
}

#[test]
fn nothing_is_written_over_or_left_half() {
    let desk = Desk::new();
    desk.put("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    desk.put("taken.off", "mine");
    let refused = desk.run(&["convert", "a.obj", "taken.off"]);
    assert_eq!((refused.code, refused.out.as_str()), (2, ""));
    assert!(refused.err.contains("taken.off: exists already"), "{}", refused.err);
    assert!(refused.err.contains("--force"), "{}", refused.err);
    assert_eq!(std::fs::read(desk.path().join("taken.off")).unwrap(), b"mine");
    assert_eq!(desk.run(&["convert", "a.obj", "taken.off", "--force"]).code, 0);
    assert!(read_mesh(&desk.path().join("taken.off")).is_ok());
    let bad = [
        (vec!["convert", "a.obj", "a.fbx"], "ends in .fbx, which is not written"),
        (vec!["convert", "a.obj", "no/where.obj"], "the folder no does not exist"),
        (vec!["convert", "a.obj", "x.npz"], "there is no clip in the file"),
        (vec!["convert", "a.obj", "x.##.glb"], "a # stands for the number of a frame"),
        (vec!["convert", "a.obj", "x.csv"], "only trajectories can be written as .csv"),
        (vec!["convert", "absent.obj", "x.obj"], "absent.obj: no such file"),
        (vec!["pose", "a.obj", "-o", "x.npz"], "a single pose is not written as NPZ"),
        (vec!["pose", "a.obj", "--set", "a=1", "-o", "x.obj"], "there are no joint variables"),
        (vec!["pose", "a.obj", "--clip", "walk", "-o", "x.obj"], "there is no clip in the file"),
    ];
    for (arguments, problem) in &bad {
        let run = desk.run(arguments);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{arguments:?}");
        assert!(run.err.contains(problem) && run.err.contains("hint: "), "{}", run.err);
    }
    // No draft is left, and nothing of what was refused.
    let mut left: Vec<String> = std::fs::read_dir(desk.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    left.sort();
    assert_eq!(left, ["a.obj", "taken.off"]);
}

#[test]
fn moments_beyond_a_clip_are_refused() {
    let desk = Desk::new();
    make(&desk, "man", "m.glb");
    let cases: [(&[&str], &str); 4] = [
        (
            &["--clip", "idle", "--time", "9"],
            "9 s is not within the clip \"idle\", which is from 0.000 s to 4.000 s",
        ),
        (&["--clip", "6", "--frame", "121"], "it has the frames 0 to 120 at 30 per second"),
        (&["--clip", "Idle", "--time", "-1"], "-1 s is not within the clip"),
        (&["--clip", "nod"], "there is no clip \"nod\""),
    ];
    for (arguments, problem) in cases {
        let run = desk.run(&[&["pose", "m.glb", "-o", "x.obj"][..], arguments].concat());
        assert_eq!(run.code, 2, "{arguments:?}");
        assert!(run.err.contains(problem), "{}", run.err);
    }
    let last = desk.run(&["pose", "m.glb", "-o", "x.obj", "--clip", "IDLE", "--frame", "120"]);
    assert_eq!(
        last.out,
        "x.obj: 2,850 triangles, 1,427 vertices, \"idle\" at 4.000 s, frame 120 at 30 per second\n"
    );
}

const ARM: &str = r#"<mujoco model="arm"><worldbody>
  <body name="upper"><joint name="shoulder" type="hinge" axis="0 0 1" range="-90 90"/>
    <geom type="capsule" fromto="0 0 0 1 0 0" size="0.1"/>
    <body name="lower" pos="1 0 0"><joint name="elbow" type="hinge" axis="0 0 1"/>
      <geom name="tip" type="box" pos="0.5 0 0" size="0.5 0.1 0.1"/></body></body>
</worldbody></mujoco>"#;

#[test]
fn robots_stand_at_their_values() {
    let desk = Desk::new();
    desk.put("arm.xml", ARM);
    let quarter = (0.5 * std::f64::consts::PI).to_string();
    let all = format!("{quarter},0");
    let one = format!("shoulder={quarter}");
    let by_values = desk.run(&["pose", "arm.xml", "--values", &all, "-o", "a.obj"]);
    let by_name = desk.run(&["pose", "arm.xml", "--set", &one, "-o", "b.obj"]);
    assert_eq!((by_values.code, by_name.code), (0, 0), "{} {}", by_values.err, by_name.err);
    let bytes = |name: &str| std::fs::read(desk.path().join(name)).unwrap();
    assert!(bytes("a.obj") == bytes("b.obj"));
    let file = read_mesh(&desk.path().join("a.obj")).unwrap();
    let Aabb { min: low, max: high } = file.mesh.bounds();
    // The whole arm of two metres has turned from x to y.
    assert!((high.y - 2.0).abs() < 1e-12 && high.x < 0.11 && low.y > -0.11, "{low} {high}");
    let beyond = desk.run(&["pose", "arm.xml", "--set", "shoulder=2", "-o", "c.obj"]);
    assert!(beyond.err.contains("note: \"shoulder\" is at 2, outside its range"), "{}", beyond.err);
    let cases: [(&[&str], &str); 4] = [
        (&["--values", "1,2,3"], "3 values were given, but the freedoms take 2"),
        (&["--set", "wrist=1"], "there is no joint variable \"wrist\""),
        (&["--set", "elbow"], "--set elbow: no value"),
        (&["--set", "elbow=1,2"], "2 values, but \"elbow\" takes 1"),
    ];
    for (arguments, problem) in cases {
        let run = desk.run(&[&["pose", "arm.xml", "-o", "x.obj"][..], arguments].concat());
        assert_eq!(run.code, 2, "{arguments:?}");
        assert!(run.err.contains(problem), "{}", run.err);
    }
}

const MOCAP: &str = "HIERARCHY
ROOT Hips { OFFSET 0 0 0 CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
 JOINT LeftUpLeg { OFFSET 1 -1 0 CHANNELS 3 Zrotation Yrotation Xrotation
  JOINT LeftLeg { OFFSET 0 -4 0 CHANNELS 3 Zrotation Yrotation Xrotation End Site { OFFSET 0 -4 0 } } } }
MOTION
Frames: 2
Frame Time: 0.1
0 9 0  0 0 0  0 0 0  0 0 0
0 9 0  0 0 0  0 0 -60  0 0 0
";

#[test]
fn mocap_moves_a_character() {
    let desk = Desk::new();
    make(&desk, "man", "m.glb");
    desk.put("kick.bvh", MOCAP);
    let pose = |frame: &str, output: &str| {
        let run =
            desk.run(&["pose", "m.glb", "--motion", "kick.bvh", "--frame", frame, "-o", output]);
        assert_eq!(run.code, 0, "{}", run.err);
        assert!(run.err.contains("3 joints of \"man\" follow the motion"), "{}", run.err);
        read_mesh(&desk.path().join(output)).unwrap().mesh
    };
    let (rest, kick) = (pose("0", "a.obj"), pose("1", "b.obj"));
    // One leg is raised forward, and the head stays where it is.
    assert!(kick.bounds().max.z > rest.bounds().max.z + 0.3, "{:?}", kick.bounds());
    assert!((kick.bounds().max.y - rest.bounds().max.y).abs() < 1e-9);
    // The same motion as a clip: its second frame is the second pose.
    let carried = desk.run(&["convert", "-q", "m.glb", "kick.npz", "--motion", "kick.bvh"]);
    assert_eq!((carried.code, carried.err.as_str()), (0, ""));
    let mut frames = VertexFrames::open(&desk.path().join("kick.npz")).unwrap();
    assert_eq!((frames.len(), frames.fps()), (2, Some(10.0)));
    let mut points = Vec::new();
    frames.read(1, &mut points).unwrap();
    let pairs = points.iter().zip(kick.vertices());
    let off = pairs.map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max);
    assert!(off < 1e-12, "{off}");
    assert_eq!(desk.run(&["convert", "m.glb", "k.glb", "--motion", "kick.bvh"]).code, 0);
    let clips = rig(&desk, "k.glb").clips;
    assert_eq!((clips.len(), clips[0].name()), (10, "kick"));
    let absent =
        desk.run(&["pose", "m.glb", "--motion", "kick.bvh", "--frame", "2", "-o", "c.obj"]);
    assert_eq!(absent.code, 2);
    let alone = desk.run(&["convert", "kick.bvh", "c.obj"]);
    assert!(alone.code == 2 && alone.err.contains("there is no mesh in the file"), "{}", alone.err);
}
