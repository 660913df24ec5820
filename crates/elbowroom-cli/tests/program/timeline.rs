//! Which clip is played, when, and at which rate: files of one shot stay in step, whichever way
//! they come.
//!
//! The truth is closed: cubes that slide along a line, whose places at any time are known.

#![allow(clippy::format_push_string, reason = "files are put together line by line")]

use std::collections::HashMap;
use std::fs::File;
use std::io::BufWriter;

use elbowroom_io::npz_out::Archive;
use elbowroom_io::{VertexFrames, glb_out};
use elbowroom_motion::body::{
    Clip, Hold, Interpolation, Joint, JointId, Local, Part, Rig, Skeleton, Target, Track,
};
use elbowroom_testkit::data::{shared_dir, skip_note};
use glam::DVec3;
use serde_json::{Value, json};

use crate::desk::{Desk, Run, obj};

/// Half an edge of every cube.
const HALF: f64 = 0.52;

/// A track that slides along x from 0 to a place, between two times.
fn slide(from: f64, to: f64, x: f64) -> Vec<Track> {
    vec![Track {
        target: Target::Translation(JointId(0)),
        interpolation: Interpolation::Linear,
        times: vec![from, to],
        values: vec![0.0, 0.0, 0.0, x, 0.0, 0.0],
    }]
}

/// A cube with clips.
fn cube(clips: &[(&str, Vec<Track>)]) -> Vec<u8> {
    let joint = Joint { name: "cube".into(), parent: None, rest: Local::IDENTITY };
    let mut rig = Rig::new("cube", Skeleton::new(vec![joint]).expect("a skeleton"));
    let mesh = elbowroom_make::cuboid(DVec3::splat(HALF));
    rig.parts.push(Part::new("cube", mesh, Hold::Rigid(JointId(0))));
    let clip = |(name, tracks): &(&str, Vec<Track>)| Clip::new((*name).to_owned(), tracks.clone());
    rig.clips = clips.iter().map(clip).collect::<Result<_, _>>().expect("clips");
    glb_out::to_bytes(&[rig]).expect("a GLB")
}

/// Two files of one shot: the same slide of two metres a second, a second later.
fn shot() -> Desk {
    let desk = Desk::new();
    desk.put("early.glb", cube(&[("slide", slide(0.0, 2.0, 4.0))]));
    desk.put("late.glb", cube(&[("slide", slide(1.0, 3.0, 4.0))]));
    desk
}

/// The frames of the shot in which its cubes meet: in the first 0.52 s, and from 2.48 s on.
fn shot_frames(from: u64) -> Vec<u64> {
    (0..=90).filter(|frame| *frame <= 15 || *frame >= 75).map(|frame| frame + from).collect()
}

#[track_caller]
fn frames(report: &Value) -> Vec<u64> {
    let contacts = report["contacts"].as_array().expect("a list");
    contacts.iter().map(|contact| contact["frame"].as_u64().expect("a number")).collect()
}

fn warnings(report: &Value) -> Vec<(&str, &str)> {
    let all = report["warnings"].as_array().expect("a list").iter();
    all.map(|one| (one["kind"].as_str().expect("a kind"), one["text"].as_str().expect("words")))
        .collect()
}

#[track_caller]
fn checked(desk: &Desk, arguments: &[&str]) -> Value {
    let run = desk.run(&[&["check", "--json"], arguments].concat());
    assert!(run.code <= 1, "{arguments:?}: {}", run.err);
    run.json()
}

#[track_caller]
fn done(run: &Run) {
    assert_eq!(run.code, 0, "{}", run.err);
}

#[test]
fn files_of_one_shot_stay_in_step() {
    let desk = shot();
    let report = checked(&desk, &["early.glb", "late.glb"]);
    assert_eq!(frames(&report), shot_frames(0));
    assert_eq!(report["frame_range"], json!([0, 90, 1]));
    assert_eq!(report["time_range"], json!([0.0, 3.0]));
    assert_eq!(report["objects"][1]["clip_range"], json!([1.0, 3.0]));
    assert_eq!(report["warnings"], json!([]));
    assert_eq!(frames(&checked(&desk, &["late.glb", "early.glb"])), shot_frames(0));
    // The same by a scene file, where a start shifts the whole clip.
    let entry = |name: &str, more: &str| format!("[[character]]\nfile = '{name}.glb'\n{more}\n");
    desk.put("same.toml", format!("{}{}", entry("early", ""), entry("late", "")));
    assert_eq!(frames(&checked(&desk, &["same.toml"])), shot_frames(0));
    desk.put(
        "moved.toml",
        format!("{}{}", entry("early", "start = 1"), entry("late", "start = 1")),
    );
    let moved = checked(&desk, &["moved.toml"]);
    assert_eq!((frames(&moved), &moved["frame_range"]), (shot_frames(30), &json!([30, 120, 1])));
    desk.put("together.toml", format!("{}{}", entry("early", "start = 1"), entry("late", "")));
    assert_eq!(frames(&checked(&desk, &["together.toml"])), (30..=90).collect::<Vec<_>>());
    // At twice the speed all of it is over in half the time.
    desk.put("fast.toml", format!("{}{}", entry("early", "speed = 2"), entry("late", "speed = 2")));
    let fast = frames(&checked(&desk, &["fast.toml"]));
    assert_eq!((fast[0], fast[fast.len() - 1], fast.len()), (0, 45, 16));
}

#[test]
fn vertices_over_time_stay_in_step_with_what_they_were_made_from() {
    let desk = shot();
    for name in ["early", "late"] {
        done(&desk.run(&["convert", &format!("{name}.glb"), &format!("{name}.npz")]));
        done(&desk.run(&["convert", &format!("{name}.glb"), &format!("{name}.####.obj")]));
    }
    assert!(
        desk.path().join("late.0030.obj").exists() && !desk.path().join("late.0029.obj").exists()
    );
    let mut met = 0;
    for a in ["early.glb", "early.npz", "early.####.obj"] {
        for b in ["late.glb", "late.npz", "late.####.obj"] {
            let report = checked(&desk, &[a, b]);
            assert_eq!(frames(&report), shot_frames(0), "{a} {b}");
            met += 1;
        }
    }
    assert_eq!(met, 9);
    // An archive keeps its place through another conversion.
    done(&desk.run(&["convert", "late.npz", "again.npz"]));
    done(&desk.run(&["convert", "late.####.obj", "third.npz", "--fps", "30"]));
    for b in ["again.npz", "third.npz"] {
        assert_eq!(frames(&checked(&desk, &["early.glb", b])), shot_frames(0), "{b}");
    }
    let info = desk.run(&["info", "late.npz"]).out;
    assert!(info.contains("61 frames from number 30 on"), "{info}");
}

#[test]
fn frames_are_called_as_they_are_asked_for() {
    let desk = shot();
    let files = ["early.glb", "late.glb", "--first-frame", "1001"];
    let report = checked(&desk, &files);
    assert_eq!(frames(&report), shot_frames(1001));
    assert_eq!(report["frame_range"], json!([1001, 1091, 1]));
    // Seconds stay those of the files.
    assert_eq!(report["time_range"], json!([0.0, 3.0]));
    let some = checked(&desk, &[&files[..], &["--frames", "1010-1020x5"]].concat());
    assert_eq!(frames(&some), [1010, 1015]);
    let table = desk.run(&[&["check"], &files[..]].concat()).out;
    assert!(table.contains("1001–1016") && table.contains("1076–1091"), "{table}");
    done(&desk.run(
        &[&["check", "-q", "--exit-zero", "-o", "x.csv", "-o", "x.html"], &files[..]].concat(),
    ));
    let rows = std::fs::read_to_string(desk.path().join("x.csv")).expect("a table");
    let row = rows.lines().nth(16).expect("a row");
    assert!(row.starts_with("1016,0.5,"), "{row}");
    let page = std::fs::read_to_string(desk.path().join("x.html")).expect("a page");
    assert!(page.contains(
        "\"frames\":{\"first\":1001,\"last\":1091,\"step\":1,\"count\":91,\"zero\":1001}"
    ));
    // A shot that begins later begins with its own frame, and its first one is called as asked.
    desk.put("wall.obj", obj(&elbowroom_make::cuboid(DVec3::splat(9.0))));
    let alone = checked(&desk, &["late.glb", "wall.obj"]);
    assert_eq!(alone["frame_range"], json!([30, 90, 1]));
    let alone = checked(&desk, &["late.glb", "wall.obj", "--first-frame", "1001"]);
    assert_eq!(
        (&alone["frame_range"], &alone["time_range"]),
        (&json!([1001, 1061, 1]), &json!([1.0, 3.0]))
    );
    let note = desk.run(&["check", "late.glb", "wall.obj"]).err;
    assert!(note.contains("frames 30 to 90 are examined, 1.000 s to 3.000 s"), "{note}");
    // Frames in which nothing moves are no examination of the motion.
    let outside = desk.run(&["check", "late.glb", "wall.obj", "--frames", "0-9", "-q", "--json"]);
    assert_eq!(outside.code, 3, "{}", outside.err);
    assert!(outside.err.contains("the shot has frames 30 to 90"), "{}", outside.err);
    let plain = desk.run(&["check", "wall.obj", "wall.obj", "--first-frame", "5"]);
    assert_eq!(plain.code, 2, "{}", plain.err);
}

/// The least x of a mesh that was written.
fn least_x(desk: &Desk, name: &str) -> f64 {
    let text = std::fs::read_to_string(desk.path().join(name)).expect("an OBJ");
    let xs =
        text.lines().filter_map(|line| line.strip_prefix("v ")?.split(' ').next()?.parse().ok());
    xs.fold(f64::INFINITY, f64::min)
}

#[test]
fn a_moment_is_one_of_the_files_time() {
    let desk = shot();
    let cases: [(&[&str], f64); 6] = [
        (&["--time", "2"], 2.0),
        (&["--time", "0.5"], 0.0),
        (&["--frame", "45"], 1.0),
        (&["--frame", "30"], 0.0),
        (&["--frame", "90"], 4.0),
        (&["--clip", "slide"], 0.0),
    ];
    for (moment, x) in cases {
        done(&desk.run(&[&["pose", "late.glb", "-o", "x.obj", "--force"], moment].concat()));
        let found = least_x(&desk, "x.obj") + HALF;
        assert!((found - x).abs() < 1e-6, "{moment:?}: {found}");
        done(&desk.run(&[&["convert", "late.glb", "y.obj", "--force"], moment].concat()));
        assert_eq!(least_x(&desk, "x.obj"), least_x(&desk, "y.obj"), "{moment:?}");
    }
    let cases: [(&[&str], &str); 3] = [
        (&["--frame", "29"], "it has the frames 30 to 90"),
        (&["--time", "3.5"], "from 1.000 s to 3.000 s"),
        (&["--time", "-1"], "from 1.000 s to 3.000 s"),
    ];
    for (moment, words) in cases {
        let run = desk.run(&[&["pose", "late.glb", "-o", "z.obj"], moment].concat());
        assert_eq!(run.code, 2, "{moment:?}");
        assert!(run.err.contains(words), "{}", run.err);
    }
}

/// A take of a single pose in front of two motions, as exporters leave them.
fn takes() -> Desk {
    let desk = Desk::new();
    let pose = Track { times: vec![0.0], values: vec![0.0; 3], ..slide(0.0, 1.0, 0.0).remove(0) };
    let clips = [
        ("Take 001", vec![pose]),
        ("short walk", slide(0.0, 1.0, 4.0)),
        ("Dance", slide(0.0, 2.0, 4.0)),
    ];
    desk.put("takes.glb", cube(&clips));
    desk.put("two.glb", cube(&clips[..2]));
    let wall = elbowroom_make::cuboid(DVec3::new(0.1, 3.0, 3.0));
    let moved = wall.vertices().iter().map(|&vertex| vertex + 3.0 * DVec3::X).collect();
    desk.put("wall.obj", obj(&wall.with_vertices(moved).expect("a mesh")));
    desk
}

#[test]
fn the_clip_that_moves_is_played() {
    let desk = takes();
    // It reaches the wall at 2.38 m, after 1.19 s, and leaves it behind at 3.62 m.
    let report = checked(&desk, &["takes.glb", "wall.obj", "-q"]);
    assert_eq!(
        (frames(&report), &report["objects"][0]["clip"]),
        ((36..=54).collect(), &json!("Dance"))
    );
    let [("clip", text)] = warnings(&report)[..] else { panic!("{report}") };
    assert!(
        text.contains("the clip \"Dance\" (2.00 s) is played, the longest that moves"),
        "{text}"
    );
    assert!(
        text.contains(
            "there are 3 clips: 0 \"Take 001\" (a single pose), 1 \"short walk\" (1.00 s)"
        ),
        "{text}"
    );
    // Beside an empty take there is no choice, so a note is enough.
    let two = desk.run(&["check", "two.glb", "wall.obj", "--json"]);
    assert!(two.err.contains("\"short walk\" (1.00 s) is played"), "{}", two.err);
    assert_eq!(
        (two.json()["frames_examined"].as_u64(), two.json()["warnings"].clone()),
        (Some(31), json!([]))
    );
    let cases =
        [("Dance", 61), ("dance", 61), ("2", 61), ("#2", 61), ("short", 31), ("take 001", 1)];
    for (asked, examined) in cases {
        let report = checked(&desk, &["takes.glb", "wall.obj", "--clip", asked, "-q"]);
        assert_eq!(report["frames_examined"], examined, "{asked}");
        let is_warned = warnings(&report).iter().any(|(kind, _)| *kind == "clip");
        assert_eq!(is_warned, examined == 1, "{asked}");
    }
    for (asked, words) in [
        (
            "fly",
            "no clip is called \"fly\"; there are 3 clips: 0 \"Take 001\" (a single pose), 1 \"short walk\" (1.00 s), 2 \"Dance\" (2.00 s)",
        ),
        ("a", "is a piece of several names"),
        ("7", "no clip is called \"7\""),
    ] {
        for command in [
            &["check", "takes.glb", "wall.obj"][..],
            &["pose", "takes.glb", "-o", "p.obj"],
            &["convert", "takes.glb", "c.npz"],
        ] {
            let run = desk.run(&[command, &["--clip", asked]].concat());
            let words = if command[0] == "check" {
                words
            } else {
                words.trim_start_matches("no clip is called ").split(';').next().expect("some")
            };
            assert_eq!(run.code, 2, "{command:?} {asked}: {}", run.err);
            assert!(run.err.contains(words), "{command:?} {asked}: {}", run.err);
        }
    }
    // Who does not have the clip that is asked for plays its own, and that is said.
    desk.put("other.glb", cube(&[("roll", slide(0.0, 0.5, -4.0))]));
    let report = checked(&desk, &["takes.glb", "other.glb", "--clip", "Dance"]);
    assert_eq!(report["objects"][1]["clip"], "roll");
    assert!(warnings(&report)[0].1.contains("because it has no clip \"Dance\""), "{report}");
}

#[test]
fn every_command_takes_the_same_clip() {
    let desk = takes();
    let posed = desk.run(&["pose", "takes.glb", "--time", "1", "-o", "x.obj"]);
    done(&posed);
    assert!(posed.out.contains("\"Dance\" at 1.000 s"), "{}", posed.out);
    assert!(posed.err.contains("the longest that moves"), "{}", posed.err);
    let converted = desk.run(&["convert", "takes.glb", "x.npz"]);
    assert!(converted.out.contains("61 frames at 30 per second"), "{}", converted.out);
    let info = desk.run(&["info", "takes.glb"]).out;
    let line = info.lines().find(|line| line.contains("Dance")).expect("a line");
    assert!(line.ends_with("played by default"), "{info}");
    let known = desk.run(&["info", "takes.glb", "--json"]).json();
    let clips = known["files"][0]["rigs"][0]["clips"].as_array().expect("a list").clone();
    let default: Vec<bool> = clips.iter().map(|clip| clip["default"] == true).collect();
    assert_eq!(default, [false, false, true]);
    let clips = desk.run(&["clips", "takes.glb", "two.glb", "--json"]);
    assert!(
        clips.err.contains("\"Dance\"") && clips.err.contains("\"short walk\""),
        "{}",
        clips.err
    );
    // A scene file has to say which, unless only one moves.
    let scene = |file: &str, more: &str| {
        format!("[[character]]\nfile = '{file}'\n{more}\n[[model]]\nfile = 'wall.obj'\n")
    };
    desk.put("unsaid.toml", scene("takes.glb", ""));
    let unsaid = desk.run(&["check", "unsaid.toml"]);
    assert_eq!(unsaid.code, 2);
    assert!(unsaid.err.contains("unsaid.toml:2:8: give the `clip` to play"), "{}", unsaid.err);
    desk.put("only.toml", scene("two.glb", ""));
    assert_eq!(checked(&desk, &["only.toml"])["objects"][1]["clip"], "short walk");
    desk.put("numbered.toml", scene("takes.glb", "clip = '#2'"));
    assert_eq!(checked(&desk, &["numbered.toml"])["objects"][1]["clip"], "Dance");
}

/// A cube over time at a rate, whose x is where `at` has it.
fn put_npz(desk: &Desk, name: &str, count: usize, fps: Option<f64>, at: impl Fn(usize) -> f64) {
    let file = File::create(desk.path().join(name)).expect("a file");
    let cube = elbowroom_make::cuboid(DVec3::splat(HALF));
    let mut archive =
        Archive::new(BufWriter::new(file), count, cube.vertices().len()).expect("an archive");
    for frame in 0..count {
        let moved: Vec<DVec3> = cube.vertices().iter().map(|&v| v + at(frame) * DVec3::X).collect();
        archive.frame(&moved).expect("a frame");
    }
    archive.finish(cube.triangles(), fps).expect("an archive ends");
}

#[test]
fn rates_are_matched_by_time() {
    let desk = Desk::new();
    // Side by side at two metres a second for two seconds, 1 m apart: in contact all the time,
    // unless they go by index.
    put_npz(&desk, "a.npz", 49, Some(24.0), |frame| 2.0 * frame as f64 / 24.0);
    put_npz(&desk, "b.npz", 61, Some(30.0), |frame| 2.0 * frame as f64 / 30.0 + 0.9);
    let report = checked(&desk, &["a.npz", "b.npz", "-q"]);
    assert_eq!((&report["fps"], frames(&report)), (&json!(30.0), (0..=60).collect()));
    let [("rate", text)] = warnings(&report)[..] else { panic!("{report}") };
    assert!(
        text.contains("24 (") && text.contains("30 (") && text.contains("matched by time"),
        "{text}"
    );
    assert_eq!(frames(&checked(&desk, &["b.npz", "a.npz"])), (0..=60).collect::<Vec<_>>());
    // One that has no rate gets that of the other, and that is said.
    put_npz(&desk, "none.npz", 61, None, |frame| 2.0 * frame as f64 / 30.0);
    let report = checked(&desk, &["none.npz", "b.npz", "-q"]);
    assert_eq!(frames(&report), (0..=60).collect::<Vec<_>>());
    let [("rate", text)] = warnings(&report)[..] else { panic!("{report}") };
    assert!(
        text.contains("none.npz: the file gives no frame rate, and 30 per second is assumed"),
        "{text}"
    );
    put_npz(&desk, "other.npz", 61, None, |frame| 2.0 * frame as f64 / 30.0);
    let neither = desk.run(&["check", "none.npz", "other.npz", "--json"]);
    assert!(
        neither.err.contains("gives no frame rate; 30 frames per second are assumed"),
        "{}",
        neither.err
    );
    assert_eq!(frames(&neither.json()).len(), 61);
    // A scene file has a rate of its own.
    let entry = |name: &str| format!("[[model]]\nfile = '{name}.npz'\n");
    desk.put("scene.toml", format!("fps = 30\n{}{}", entry("a"), entry("b")));
    let report = checked(&desk, &["scene.toml"]);
    assert_eq!(frames(&report).len(), 61);
    assert!(warnings(&report)[0].1.contains("24 (a)"), "{report}");
}

#[test]
fn uneven_keys_are_sampled_alike_by_check_and_convert() {
    let desk = Desk::new();
    let mut track = slide(0.0, 1.0, 4.0).remove(0);
    track.times = vec![0.0, 0.123_4, 0.9];
    track.values = vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 4.0, 0.0, 0.0];
    desk.put("uneven.glb", cube(&[("uneven", vec![track])]));
    desk.put("wall.obj", obj(&elbowroom_make::cuboid(DVec3::splat(HALF))));
    let shot = desk.run(&["check", "uneven.glb", "wall.obj", "--json"]);
    assert!(shot.err.contains("have no even rate; 30 frames per second"), "{}", shot.err);
    let written = desk.run(&["convert", "uneven.glb", "uneven.npz"]);
    done(&written);
    assert!(written.err.contains("have no even rate; 30 frames per second"), "{}", written.err);
    let again = checked(&desk, &["uneven.npz", "wall.obj"]);
    assert_eq!(frames(&again), frames(&shot.json()));
    assert_eq!(again["frames_examined"], shot.json()["frames_examined"]);
}

/// A cube in FBX, as text: an empty take, a motion of two seconds from a frame on at 24 a second,
/// and one of four.
#[cfg(feature = "fbx")]
fn fbx(first_frame: i64, active: &str) -> String {
    const SECOND: i64 = 46_186_158_000;
    let time = |frame: i64| frame * (SECOND / 24);
    let corners = elbowroom_make::cuboid(DVec3::splat(HALF));
    let numbers: Vec<String> =
        corners.vertices().iter().flat_map(DVec3::to_array).map(|x| x.to_string()).collect();
    let faces: Vec<String> =
        corners.triangles().iter().map(|[a, b, c]| format!("{a},{b},-{}", c + 1)).collect();
    let mut objects = format!(
        "Geometry: 100, \"Geometry::\", \"Mesh\" {{\nVertices: *{} {{\na: {}\n}}\nPolygonVertexIndex: *{} {{\na: {}\n}}\n}}\n\
         Model: 200, \"Model::cube\", \"Mesh\" {{\nVersion: 232\n}}\n",
        numbers.len(),
        numbers.join(","),
        3 * faces.len(),
        faces.join(",")
    );
    let mut connections = "C: \"OO\",200,0\nC: \"OO\",100,200\n".to_owned();
    for (base, name, frames) in [(300, "Take 001", 0), (400, "shot", 48), (500, "long", 96)] {
        let range = [("LocalStart", first_frame), ("LocalStop", first_frame + frames)];
        let range = range.map(|(name, frame)| {
            format!("P: \"{name}\", \"KTime\", \"Time\", \"\",{}\n", time(frame))
        });
        let span = range.concat();
        objects += &format!(
            "AnimationStack: {base}, \"AnimStack::{name}\", \"\" {{\nProperties70:  {{\n{span}}}\n}}\nAnimationLayer: {}, \"AnimLayer::Base\", \"\" {{\n}}\n",
            base + 1
        );
        connections += &format!("C: \"OO\",{},{base}\n", base + 1);
        if frames > 0 {
            let (from, to) = (time(first_frame), time(first_frame + frames));
            objects += &format!(
                "AnimationCurveNode: {0}, \"AnimCurveNode::T\", \"\" {{\nProperties70:  {{\nP: \"d|X\", \"Number\", \"\", \"A\",0\n}}\n}}\n\
                 AnimationCurve: {1}, \"AnimCurve::\", \"\" {{\nDefault: 0\nKeyVer: 4008\nKeyTime: *2 {{\na: {from},{to}\n}}\n\
                 KeyValueFloat: *2 {{\na: 0,4\n}}\nKeyAttrFlags: *1 {{\na: 4\n}}\nKeyAttrDataFloat: *4 {{\na: 0,0,0,0\n}}\n\
                 KeyAttrRefCount: *1 {{\na: 2\n}}\n}}\n",
                base + 2,
                base + 3
            );
            connections += &format!(
                "C: \"OO\",{0},{1}\nC: \"OP\",{0},200, \"Lcl Translation\"\nC: \"OP\",{2},{0}, \"d|X\"\n",
                base + 2,
                base + 1,
                base + 3
            );
        }
    }
    let whole =
        |name: &str, value: i32| format!("P: \"{name}\", \"int\", \"Integer\", \"\",{value}\n");
    let axes = [
        ("UpAxis", 1),
        ("UpAxisSign", 1),
        ("FrontAxis", 2),
        ("FrontAxisSign", 1),
        ("CoordAxis", 0),
        ("CoordAxisSign", 1),
    ];
    let axes: String = axes.iter().map(|(name, value)| whole(name, *value)).collect();
    format!(
        "; FBX 7.4.0 project file\nFBXHeaderExtension:  {{\nFBXHeaderVersion: 1003\nFBXVersion: 7400\n}}\n\
         GlobalSettings:  {{\nVersion: 1000\nProperties70:  {{\n{axes}P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",100\n\
         P: \"TimeMode\", \"enum\", \"\", \"\",11\n}}\n}}\n\
         Documents:  {{\nCount: 1\nDocument: 1, \"\", \"Scene\" {{\nProperties70:  {{\n\
         P: \"ActiveAnimStackName\", \"KString\", \"\", \"\", \"{active}\"\n}}\nRootNode: 0\n}}\n}}\n\
         Objects:  {{\n{objects}}}\nConnections:  {{\n{connections}}}\n"
    )
}

#[cfg(feature = "fbx")]
#[test]
fn an_fbx_file_has_its_own_rate_frames_and_active_take() {
    let desk = takes();
    desk.put("shot.fbx", fbx(1001, "shot"));
    let report = checked(&desk, &["shot.fbx", "wall.obj"]);
    assert_eq!(report["objects"][0]["clip"], "shot");
    assert_eq!((&report["fps"], &report["frame_range"]), (&json!(24.0), &json!([1001, 1049, 1])));
    // Between 2.38 m and 3.62 m, at a twelfth of a metre a frame.
    assert_eq!(frames(&report), (1001 + 29..=1001 + 43).collect::<Vec<_>>());
    let [("clip", text)] = warnings(&report)[..] else { panic!("{report}") };
    assert!(text.contains("which the file marks as active"), "{text}");
    // A mark on the empty take does not make it the motion.
    desk.put("empty.fbx", fbx(0, "Take 001"));
    let report = checked(&desk, &["empty.fbx", "wall.obj"]);
    assert_eq!(
        (&report["objects"][0]["clip"], &report["frames_examined"]),
        (&json!("long"), &json!(97))
    );
    // Asked for, it is played, with a warning that programs see.
    let report = checked(&desk, &["empty.fbx", "wall.obj", "--clip", "Take 001", "-q"]);
    assert_eq!(report["frames_examined"], 1);
    assert!(
        warnings(&report)[0].1.contains("the clip \"Take 001\" is empty, so nothing moves in it"),
        "{report}"
    );
    // What begins before time 0 is examined as well: a second before it, the cube is 1.19 s from
    // the wall.
    desk.put("before.fbx", fbx(-24, "shot"));
    let report = checked(&desk, &["before.fbx", "wall.obj"]);
    assert_eq!(report["frame_range"], json!([0, 48, 1]));
    assert_eq!(
        (&report["time_range"], frames(&report)),
        (&json!([-1.0, 1.0]), (29..=43).collect())
    );
    let moved = desk.run(&["convert", "before.fbx", "before.glb"]);
    assert!(moved.err.contains("begins at -1.000 s"), "{}", moved.err);
    // Beside a GLB of 30 frames a second, both are matched by time.
    let dense: Vec<f64> = (0..=60).map(|frame| f64::from(frame) / 30.0).collect();
    let values = dense.iter().flat_map(|time| [2.0 * time, 0.0, 0.9]).collect();
    let track = Track { times: dense, values, ..slide(0.0, 1.0, 0.0).remove(0) };
    desk.put("dense.glb", cube(&[("dense", vec![track])]));
    desk.put("zero.fbx", fbx(0, "shot"));
    let report = checked(&desk, &["zero.fbx", "dense.glb"]);
    assert_eq!((&report["fps"], frames(&report)), (&json!(30.0), (0..=60).collect()));
    assert!(
        warnings(&report).iter().any(|(kind, text)| *kind == "rate" && text.contains("24 (")),
        "{report}"
    );
}

/// A take that goes on by repeating its curves is not played there, and says so.
#[cfg(feature = "fbx")]
#[test]
fn curves_of_an_fbx_that_repeat_are_left_out() {
    let desk = Desk::new();
    desk.put("far.obj", obj(&elbowroom_make::cuboid(DVec3::splat(0.01))));
    let head = "AnimationCurve: 403, \"AnimCurve::\", \"\" {\n";
    let repeats = |kind: u8, stop: i64| {
        let text = fbx(0, "shot");
        assert!(text.contains(head), "{text}");
        let goes_on = format!("{head}Post-Extrapolation:  {{\nType: {kind}\nRepetition: -1\n}}\n");
        let (front, back) = text.split_once("AnimStack::shot").expect("a take");
        let ticks = |frame: i64| format!(",{}\n", frame * (46_186_158_000 / 24));
        let back = back.replacen(&ticks(48), &ticks(stop), 1).replace(head, &goes_on);
        desk.put("take.fbx", format!("{front}AnimStack::shot{back}"));
        desk.run(&["check", "take.fbx", "far.obj", "--json", "-q"])
    };
    let run = repeats(b'R', 96);
    let report = run.json();
    let texts = warnings(&report);
    let is_told = |(kind, text): &(&str, &str)| {
        *kind == "left-out" && text.contains("goes on beyond the keys of its curves")
    };
    assert!(run.code == 3 && texts.iter().any(is_told), "{run:?}");
    // What is held, or ends with its keys, is all there.
    for (kind, stop) in [(b'C', 96), (b'R', 48)] {
        let run = repeats(kind, stop);
        assert!(!warnings(&run.json()).iter().any(is_told), "{kind} {stop}: {run:?}");
    }
}

/// A walker in mocap whose frame 0 is a rest pose, well apart from the motion.
pub(crate) fn capture(x: f64) -> String {
    let mut text = "HIERARCHY\nROOT Hips {\n OFFSET 0 0 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n".to_owned();
    for (side, sign) in [("Left", 1.0), ("Right", -1.0)] {
        let out = 10.0 * sign;
        text += &format!(
            " JOINT {side}UpLeg {{\n OFFSET {out} -5 0\n CHANNELS 3 Zrotation Xrotation Yrotation\n \
             JOINT {side}Leg {{\n OFFSET 0 -30 0\n CHANNELS 3 Zrotation Xrotation Yrotation\n \
             JOINT {side}Foot {{\n OFFSET 0 -30 0\n CHANNELS 3 Zrotation Xrotation Yrotation\n \
             End Site {{ OFFSET 0 -5 5 }}\n }}\n }}\n }}\n"
        );
    }
    text += " JOINT Spine {\n OFFSET 0 10 0\n CHANNELS 3 Zrotation Xrotation Yrotation\n JOINT Head {\n OFFSET 0 60 0\n CHANNELS 3 Zrotation Xrotation Yrotation\n End Site { OFFSET 0 10 0 }\n }\n }\n}\n";
    text += "MOTION\nFrames: 41\nFrame Time: 0.0333333\n";
    for frame in 0..41 {
        let (turn, z) = if frame == 0 {
            (0.0, 0.0)
        } else {
            (60.0 + f64::from(frame) * 0.1, 5.0 * f64::from(frame) - 100.0)
        };
        let joints = vec![format!("0 {} 0", 0.3 * turn); 8].join(" ");
        text += &format!("{x} 95 {} 0 {turn} 0 {joints}\n", z * x.signum());
    }
    text
}

/// Contacts by frame, with how many pairs of triangles meet.
fn met(report: &Value) -> Vec<(u64, u64)> {
    let contacts = report["contacts"].as_array().expect("a list").iter();
    let number = |contact: &Value, name: &str| contact[name].as_u64().expect("a number");
    contacts.map(|contact| (number(contact, "frame"), number(contact, "triangle_pairs"))).collect()
}

#[test]
fn retargeted_motion_is_the_same_by_convert_and_by_a_scene_file() {
    let desk = Desk::new();
    done(&desk.run(&["make", "man", "-o", "man.glb"]));
    done(&desk.run(&["make", "woman", "-o", "woman.glb"]));
    desk.put("a.bvh", capture(20.0));
    desk.put("b.bvh", capture(-20.0));
    let scene = |scale: &str| {
        let entry = |body: &str, motion: &str| {
            format!(
                "[[character]]\nname = '{motion}'\nfile = '{body}.glb'\nmotion = {{ file = '{motion}.bvh'{scale} }}\n"
            )
        };
        format!("fps = 30\n{}{}", entry("man", "a"), entry("woman", "b"))
    };
    let mut found = Vec::new();
    for (scale, option) in [("", &[][..]), (", root_scale = 1.2", &["--root-scale", "1.2"])] {
        desk.put("scene.toml", scene(scale));
        let shot = desk.run(&["check", "scene.toml", "--json"]);
        assert!(shot.code <= 1, "{}", shot.err);
        for (body, motion) in [("man", "a"), ("woman", "b")] {
            let (from, bvh, to) =
                (format!("{body}.glb"), format!("{motion}.bvh"), format!("{motion}.npz"));
            let run = desk.run(
                &[&["convert", &from, &to, "--motion", &bvh, "--fps", "30", "--force"], option]
                    .concat(),
            );
            done(&run);
            for words in [
                "looks like a rest pose put in front; it is left out",
                "0.01 m is assumed",
                "is multiplied by",
            ] {
                assert!(run.err.contains(words), "{words}: {}", run.err);
                // By a scene file the unit is said in other words.
                assert!(
                    words.contains("assumed") || shot.err.contains(words),
                    "{words}: {}",
                    shot.err
                );
            }
        }
        let report = checked(&desk, &["a.npz", "b.npz"]);
        assert_eq!(met(&report), met(&shot.json()), "{scale}");
        // One moment of it is the same by `pose`.
        let posed = desk.run(
            &[
                &[
                    "pose", "man.glb", "--motion", "a.bvh", "--frame", "20", "-o", "p.obj",
                    "--force",
                ],
                option,
            ]
            .concat(),
        );
        done(&posed);
        done(&desk.run(&["convert", "a.npz", "q.obj", "--frame", "20", "--force"]));
        assert!((least_x(&desk, "p.obj") - least_x(&desk, "q.obj")).abs() < 1e-9);
        found.push(met(&report));
    }
    assert!(found.iter().all(|contacts| contacts.len() > 3 && contacts.len() < 40), "{found:?}");
    assert_ne!(found[0], found[1]);
    // The rest pose can be kept, and a scale without a motion makes no sense.
    let kept =
        desk.run(&["convert", "man.glb", "kept.npz", "--motion", "a.bvh", "--keep-rest-frame"]);
    assert!(kept.out.contains("41 frames") && kept.err.contains("it is kept"), "{kept:?}");
    assert_eq!(desk.run(&["convert", "man.glb", "no.npz", "--root-scale", "1"]).code, 2);
    assert_eq!(
        desk.run(&["pose", "man.glb", "-o", "no.obj", "--motion", "a.bvh", "--root-scale", "0"])
            .code,
        2
    );
}

/// Two people who were captured together, by both roads.
#[test]
fn captured_people_meet_alike_by_both_roads() {
    let Some(data) = shared_dir() else {
        return skip_note("captured_people_meet_alike_by_both_roads");
    };
    let data = data.canonicalize().expect("a folder");
    let desk = Desk::new();
    let people = [
        ("a", "mh_male2850_cmu.glb", "22_09.bvh.gz"),
        ("b", "mh_female2850_cmu.glb", "23_09.bvh.gz"),
    ];
    let mut scene = "fps = 10\n".to_owned();
    for (name, body, motion) in people {
        let (body, motion) =
            (data.join("characters").join(body), data.join("mocap/two_person").join(motion));
        let (body, motion) = (body.to_str().expect("UTF-8"), motion.to_str().expect("UTF-8"));
        scene += &format!(
            "[[character]]\nname = '{name}'\nfile = '{body}'\nmotion = {{ file = '{motion}', root_scale = 1 }}\n"
        );
        let out = format!("{name}.npz");
        done(&desk.run(&["convert", body, &out, "--motion", motion, "--root-scale", "1", "-q"]));
    }
    desk.put("scene.toml", scene);
    let shot = checked(&desk, &["scene.toml", "--allow-outside"]);
    let report = checked(&desk, &["a.npz", "b.npz", "--fps", "10"]);
    assert_eq!(met(&report), met(&shot));
    let contacts = met(&shot).len();
    assert!(contacts > 3 && contacts < 45, "{contacts}");
}

/// Frames of a retargeted motion at half its rate are every other frame of it, wherever its first
/// key is.
#[test]
fn a_retargeted_motion_is_sampled_where_its_keys_are() {
    let desk = Desk::new();
    done(&desk.run(&["make", "man", "-o", "man.glb"]));
    // Up and down from frame to frame, behind a rest pose that is left out.
    let capture = capture(0.0);
    let (head, rows) = capture.split_once("0.0333333\n").expect("a motion");
    let zigzag = rows.lines().enumerate().map(|(frame, row)| {
        let height = if frame > 0 && frame % 3 == 0 { "120" } else { "95" };
        row.replacen(" 95 ", &format!(" {height} "), 1) + "\n"
    });
    desk.put("zigzag.bvh", format!("{head}0.0333333\n{}", zigzag.collect::<Vec<_>>().concat()));
    let mut points = Vec::new();
    let mut frames = [30, 15].map(|fps| {
        let (name, fps) = (format!("at{fps}.npz"), fps.to_string());
        done(&desk.run(&["convert", "man.glb", &name, "--motion", "zigzag.bvh", "--fps", &fps]));
        let mut frames = VertexFrames::open(&desk.path().join(name)).expect("an archive");
        let all = (0..frames.len()).map(|frame| {
            frames.read(frame, &mut points).expect("a frame");
            (frames.number(frame).expect("a number"), points.clone())
        });
        all.collect::<HashMap<i64, Vec<DVec3>>>()
    });
    let [all, half] = &mut frames;
    let mut met = 0;
    for (number, points) in half {
        let Some(same) = all.get(&(2 * *number)) else { continue };
        let apart = points.iter().zip(same).map(|(p, q)| p.distance(*q)).fold(0.0, f64::max);
        assert!(apart < 1e-4, "frame {number}: {apart}");
        met += 1;
    }
    assert!(met > 15, "{met}");
}

/// Frames of a file that gives its rate are not sampled at another one by `convert`, and `clips`
/// keeps gaps.
#[test]
fn frames_at_another_rate_and_with_gaps_are_told() {
    let desk = Desk::new();
    put_npz(&desk, "a.npz", 3, Some(30.0), |_| 0.0);
    let run = desk.run(&["convert", "a.npz", "b.npz", "--fps", "60"]);
    assert!(run.code == 0 && run.err.contains("60 a second instead of 30"), "{run:?}");
    let run = desk.run(&["convert", "a.npz", "c.npz", "--fps", "30"]);
    assert!(!run.err.contains("instead of"), "{}", run.err);
    for frame in [1, 2, 5] {
        desk.put(&format!("cloth.{frame}.obj"), "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n");
    }
    let run = desk.run(&["clips", "cloth.#.obj", "cloth.#.obj", "--fps", "10"]);
    assert!(run.out.contains("\"5 frames\", 0.500 s, 5 samples"), "{run:?}");
}
