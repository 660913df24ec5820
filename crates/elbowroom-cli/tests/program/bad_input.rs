//! Bad input: exit code 2, a message that names the place, nothing on stdout, no panic.

use crate::desk::{Desk, Run, obj, shift};
use glam::DVec3;

/// A desk with one good mesh on it.
fn desk() -> Desk {
    let desk = Desk::new();
    desk.put("good.obj", obj(&elbowroom_make::cuboid(DVec3::ONE)));
    desk
}

#[track_caller]
fn assert_refused(run: &Run, places: &[&str]) {
    assert_eq!(run.code, 2, "{run:?}");
    assert_eq!(run.out, "");
    for place in places {
        assert!(run.err.contains(place), "no {place:?} in {}", run.err);
    }
    assert!(run.err.contains("error: ") && run.err.contains("hint: "), "{}", run.err);
    assert!(!run.err.contains("panicked"), "{}", run.err);
}

const TRIANGLE: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";

/// A binary STL of no triangles whose header claims this many.
fn lying_stl(claimed: u32) -> Vec<u8> {
    let mut bytes = vec![b' '; 80];
    bytes.extend(claimed.to_le_bytes());
    bytes.extend([0; 50]);
    bytes
}

#[test]
fn every_kind_of_bad_mesh_is_refused_with_its_place() {
    let with = |rest: &str| format!("{TRIANGLE}{rest}").into_bytes();
    let cases: [(&str, Vec<u8>, &str); 13] = [
        ("empty.obj", vec![], "empty.obj: "),
        ("empty.stl", vec![], "empty.stl: "),
        ("faceless.obj", with(""), "faceless.obj: "),
        ("text.obj", with("v 1 two 3\nf 1 2 3\n"), "text.obj:4: "),
        ("nan.obj", with("v nan 0 0\nf 1 2 3\n"), "nan.obj:4: "),
        ("large.obj", with("v 0 0 1e999\nf 1 2 3\n"), "large.obj:4: "),
        ("zero.obj", with("f 1 2 3\nf 0 1 2\n"), "zero.obj:5: "),
        ("index.obj", with("f 1 2 4\n"), "index.obj:4: "),
        ("negative.obj", with("f -1 -2 -4\n"), "negative.obj:4: "),
        ("huge.obj", with("f 1 2 99999999999999999999\n"), "huge.obj:4: "),
        ("lies.stl", lying_stl(u32::MAX), "lies.stl: "),
        ("lies_less.stl", lying_stl(2), "lies_less.stl: "),
        ("what.fbx", with("f 1 2 3\n"), "what.fbx: "),
    ];
    let desk = desk();
    let mut met = 0;
    for (name, bytes, place) in cases {
        desk.put(name, bytes);
        assert_refused(&desk.run(&["check", "good.obj", name]), &[place]);
        assert_refused(&desk.run(&["check", name, "good.obj", "--json"]), &[place]);
        met += 1;
    }
    assert_eq!(met, 13);
    assert_refused(
        &desk.run(&["check", "good.obj", "missing.stl"]),
        &["missing.stl: no such file"],
    );
    assert_refused(&desk.run(&["check", "good.obj", "."]), &[".: is a directory"]);
}

#[test]
fn all_bad_files_are_reported_at_once() {
    let desk = desk();
    desk.put("one.obj", "v 1 2\n");
    desk.put("poses.json", "[[1]]");
    let arguments = ["check", "one.obj", "two.obj", "good.obj", "one.obj", "--poses", "poses.json"];
    let run = desk.run(&arguments);
    assert_refused(&run, &["one.obj:1: ", "two.obj: ", "poses.json:1:4: pose 0: 1 number;"]);
    assert_eq!(run.err.matches("error: ").count(), 3, "{}", run.err);
}

#[test]
fn one_file_is_not_enough() {
    let run = desk().run(&["check", "good.obj"]);
    assert_refused(&run, &["good.obj", "takes two", "elbowroom check good.obj OTHER.obj"]);
}

#[test]
fn bad_poses_are_refused_with_file_pose_and_entry() {
    let good = shift(3.0, 0.0, 0.0);
    let cases = [
        ("empty", String::new(), "poses.json:"),
        ("no frames", "[]".to_owned(), "poses.json: the list of poses is empty"),
        ("no list", "{\"poses\": []}".to_owned(), "poses.json:1:"),
        ("too large", format!("[{good},{}]", good.replace('3', "1e999")), "pose 1, entry (0, 3)"),
        ("NaN", format!("[{good},{}]", good.replace('3', "NaN")), "pose 1, entry (0, 3)"),
        ("text", format!("[{good},{}]", good.replace('3', "\"3\"")), "pose 1, entry (0, 3)"),
        ("scale", format!("[{good},\n{}]", good.replace('1', "2")), "poses.json:2:"),
        ("mirror", format!("[{}]", good.replacen('1', "-1", 1)), "pose 0: the matrix mirrors"),
        ("transposed", "[[1,0,0,0,0,1,0,0,0,0,1,0,3,0,0,1]]".to_owned(), "entry (3, 0)"),
        ("short", "[[1,0,0]]".to_owned(), "pose 0: 3 numbers; a pose is 16"),
        ("cut off", format!("[{good},"), "pose 1: EOF"),
    ];
    let desk = desk();
    let mut met = 0;
    for (what, text, place) in cases {
        desk.put("poses.json", text);
        let run = desk.run(&["check", "good.obj", "good.obj", "--poses", "poses.json"]);
        assert_refused(&run, &["poses.json", place]);
        met += usize::from(!what.is_empty());
    }
    assert_eq!(met, 11);
    let absent = desk.run(&["check", "good.obj", "good.obj", "--poses", "none.json"]);
    assert_refused(&absent, &["none.json: "]);
    assert_refused(&desk.run(&["check", "--poses", "none.json"]), &["--poses moves plain meshes"]);
}

#[test]
fn wrong_usage_exits_with_2() {
    let desk = desk();
    let wrong: [&[&str]; 5] = [
        &[],
        &["chek"],
        &["check", "--touching", "maybe"],
        &["check", "--triangles"],
        &["check", "--tolerance", "1"],
    ];
    for arguments in wrong {
        let run = desk.run(arguments);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{arguments:?}");
        assert!(run.err.contains("Usage: ") || run.err.contains("--help"), "{}", run.err);
    }
}
