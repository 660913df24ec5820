//! `elbowroom score`: metrics of clips and sets, files that are bad, and runs that go on.

use std::fs;

use elbowroom::Mesh;
use elbowroom_io::npz_out::Archive;
use glam::DVec3;
use serde_json::Value;

use crate::desk::{Desk, Run, obj};

/// A schema is a promise: everything that is printed keeps it.
fn checked(run: &Run) -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/score.schema.json");
    let schema = fs::read_to_string(path).expect("the schema is beside its page");
    let schema: Value = serde_json::from_str(&schema).expect("JSON");
    let schema = jsonschema::validator_for(&schema).expect("a schema");
    let json = run.json();
    let faults: Vec<String> = schema.iter_errors(&json).map(|fault| fault.to_string()).collect();
    assert!(faults.is_empty(), "{faults:?} in {json}");
    json
}

fn cube() -> Mesh {
    elbowroom_make::cuboid(DVec3::splat(0.5))
}

/// A cube of 1 m over frames, at these places along x, as an archive.
fn moving(mesh: &Mesh, places: &[f64]) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let count = mesh.vertices().len();
    let mut archive = Archive::new(&mut bytes, places.len(), count).expect("begun");
    for x in places {
        let points: Vec<DVec3> = mesh.vertices().iter().map(|v| v + x * DVec3::X).collect();
        archive.frame(&points).expect("written");
    }
    archive.finish(mesh.triangles(), Some(30.0)).expect("ended");
    bytes.into_inner()
}

/// An array of numbers as `numpy.save` writes it.
fn npy(shape: &str, numbers: impl Iterator<Item = f64>) -> Vec<u8> {
    let mut head = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({shape}), }}");
    while (head.len() + 11) % 64 != 0 {
        head.push(' ');
    }
    head.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend(u16::try_from(head.len()).expect("short").to_le_bytes());
    bytes.extend(head.as_bytes());
    bytes.extend(numbers.flat_map(f64::to_le_bytes));
    bytes
}

/// Two clips of two cubes. In the first they overlap by a quarter in one of four frames, and touch
/// in another; in the second they are apart.
fn desk() -> Desk {
    let desk = Desk::new();
    for clip in ["one", "two"] {
        fs::create_dir(desk.path().join(clip)).expect("a folder");
    }
    let (cube, still) = (cube(), [0.0; 4]);
    desk.put("one/P1.npz", moving(&cube, &still));
    desk.put("one/P2.npz", moving(&cube, &[1.5, 1.0, 0.75, 1.25]));
    desk.put("two/P1.npz", moving(&cube, &still));
    desk.put("two/P2.npz", moving(&cube, &[2.0, 2.0, 1.5, 2.0]));
    desk
}

const PAIRS: &str = "*/P{1,2}.npz";

fn near(value: &Value, expected: f64) -> bool {
    value.as_f64().is_some_and(|value| (value - expected).abs() <= 1e-6 * expected.abs())
}

#[test]
fn two_clips_have_known_figures() {
    let run = desk().run(&["score", PAIRS, "--json", "-q", "--gap", "0"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let json = checked(&run);
    assert_eq!((&json["pairs"], &json["frames_examined"]), (&2.into(), &8.into()));
    let one = &json["clips"][0];
    assert_eq!((&one["clip"], &one["incidents"]), (&"one".into(), &1.0.into()));
    assert_eq!((&one["contact_frames"], &one["crossing_frames"]), (&2.into(), &1.into()));
    // Faces in line are shared, not inside: a quarter of a cube of 1 m.
    assert!(near(&one["volume_max"], 250_000.0) && near(&one["volume_mean"], 62_500.0), "{one}");
    assert!(near(&one["volume_mean_crossing"], 250_000.0), "{one}");
    let depth = one["depth_max"].as_f64().expect("a depth");
    let upper = one["depth_max_upper"].as_f64().expect("a bound");
    assert!(depth <= 25.0 && 25.0 <= upper && upper - depth < 0.1, "{one}");
    assert_eq!((&one["worst_frame"], &one["distance_min"]), (&2.into(), &0.0.into()));
    let two = &json["clips"][1];
    assert!(near(&two["distance_min"], 50.0) && two["volume_mean_crossing"].is_null(), "{two}");
    let set = &json["set"];
    assert!(near(&set[0]["mean"], 0.25) && near(&set[1]["mean"], 0.125), "{set}");
    assert_eq!(set[3]["pairs"], 1);
    assert_eq!(json["complete"], true);
}

#[test]
fn nothing_depends_on_threads_or_on_the_order_of_the_bodies() {
    let desk = desk();
    let json = |args: &[&str]| {
        let run = desk.run(&[&["score"], args, &["--json", "-q"]].concat());
        assert_eq!(run.code, 0, "{run:?}");
        run.out
    };
    let all = json(&[PAIRS]);
    assert_eq!(json(&[PAIRS, "--threads", "1"]), all);
    assert_eq!(json(&[PAIRS, "--threads", "7"]), all);
    let (ab, ba): (Value, Value) = (
        serde_json::from_str(&all).expect("JSON"),
        serde_json::from_str(&json(&["*/P{2,1}.npz"])).expect("JSON"),
    );
    assert_eq!(ab["set"], ba["set"]);
}

#[test]
fn one_bad_file_does_not_stop_the_rest() {
    let desk = desk();
    desk.put("two/P2.npz", "no archive");
    fs::create_dir(desk.path().join("three")).expect("a folder");
    desk.put("three/P1.npz", moving(&cube(), &[0.0; 4]));
    fs::create_dir(desk.path().join("four")).expect("a folder");
    desk.put("four/P1.npz", moving(&cube(), &[0.0; 4]));
    desk.put("four/P2.npz", moving(&cube(), &[0.0; 3]));
    let run = desk.run(&["score", PAIRS, "--json"]);
    assert_eq!(run.code, 3, "{run:?}");
    let json = checked(&run);
    assert_eq!(
        (&json["pairs"], &json["failed"], &json["complete"]),
        (&1.into(), &3.into(), &false.into())
    );
    let why = |clip: &str| {
        let clips = json["clips"].as_array().expect("a list");
        let row = clips.iter().find(|row| row["clip"] == clip).expect("a row for each clip");
        row["error"].as_str().expect("a reason").to_owned()
    };
    assert!(why("two").contains("two/P2.npz"), "{}", why("two"));
    assert!(why("three").contains("P2.npz"), "{}", why("three"));
    assert!(why("four").contains("3 and of 4 frames"), "{}", why("four"));
    assert!(run.err.contains("four: not scored"), "{}", run.err);
    let table = desk.run(&["score", PAIRS]);
    assert!(table.out.contains("3 clips NOT scored"), "{}", table.out);
    let none = desk.run(&["score", "nowhere/*/P{1,2}.npz"]);
    assert!(none.code == 2 && none.err.contains("no file fits"), "{none:?}");
    let alone = desk.run(&["score", "one/P1.npz"]);
    assert!(alone.code == 3 && alone.err.contains("one body, and nothing"), "{alone:?}");
}

/// What could touch and was not read is a row that says so, not a number without it.
#[test]
fn a_clip_is_not_scored_without_what_was_left_out() {
    let desk = Desk::new();
    let surface = "cstype bspline\ndeg 3 3\nsurf 0 1 0 1 1 2 3 4\nend\n";
    desk.put("more.obj", format!("{}{surface}", obj(&cube())));
    desk.put_obj("cube.obj", &cube());
    let score = ["score", "more.obj", "--with", "cube.obj", "--json"];
    let run = desk.run(&score);
    let json = checked(&run);
    assert_eq!((run.code, &json["pairs"], &json["complete"]), (3, &0.into(), &false.into()));
    let error = json["clips"][0]["error"].as_str().expect("a reason");
    assert!(error.contains("left out") && error.contains("--allow-left-out"), "{error}");
    let run = desk.run(&[&score[..], &["--allow-left-out"]].concat());
    let json = checked(&run);
    assert_eq!((run.code, &json["pairs"], &json["complete"]), (0, &1.into(), &true.into()));
}

/// Twenty clips of two balls that go through each other.
fn long_desk() -> Desk {
    let desk = Desk::new();
    let ball = elbowroom_make::icosphere(5);
    let places: Vec<f64> = (0..16).map(|frame| 0.1 * f64::from(frame)).collect();
    let [still, moved] = [moving(&ball, &[0.0; 16]), moving(&ball, &places)];
    for clip in 10..30 {
        fs::create_dir(desk.path().join(clip.to_string())).expect("a folder");
        desk.put(&format!("{clip}/P1.npz"), &still);
        desk.put(&format!("{clip}/P2.npz"), &moved);
    }
    desk
}

/// Runs until two clips are on record and kills the program; then cuts the last line in half. A run
/// that ends before it is killed is begun again.
fn kill(desk: &Desk, output: &str, frames: &str) -> usize {
    let path = desk.path().join(format!("{output}.progress"));
    let lines = |bytes: &[u8]| bytes.split(|&byte| byte == b'\n').count() - 1;
    for _ in 0..100 {
        let mut run = desk.command(&["score", PAIRS, "-q", "--threads", "1", "-o", output]);
        let mut child = run.spawn().expect("it runs");
        while child.try_wait().expect("a state").is_none()
            && lines(&fs::read(&path).unwrap_or_default()) <= 2
        {
            std::thread::sleep(std::time::Duration::from_micros(200));
        }
        child.kill().expect("killed, or ended");
        child.wait().expect("ended");
        if let Ok(bytes) = fs::read(&path) {
            let cut = &bytes[..bytes.len() - 1];
            let last = cut.iter().rposition(|&byte| byte == b'\n').expect("lines");
            fs::write(&path, &bytes[..last.midpoint(bytes.len())]).expect("cut");
            return lines(&bytes);
        }
        for name in [output, frames] {
            fs::remove_file(desk.path().join(name)).expect("it ended");
        }
    }
    panic!("no run of a hundred was killed before it ended");
}

#[test]
fn a_run_that_was_killed_goes_on_to_the_same_bytes() {
    let desk = long_desk();
    let mut compared = 0;
    for (output, frames) in [("x.csv", "x.frames.csv"), ("x.parquet", "x.frames.parquet")] {
        let bytes =
            || [output, frames].map(|name| fs::read(desk.path().join(name)).expect("there"));
        let score = |more: &[&str]| {
            let run = desk.run(&[&["score", PAIRS, "-q", "-o", output], more].concat());
            assert_eq!(run.code, 0, "{run:?}");
            assert!(!desk.path().join(format!("{output}.progress")).exists());
        };
        score(&[]);
        let whole = bytes();
        for name in [output, frames] {
            fs::remove_file(desk.path().join(name)).expect("there");
        }
        let recorded = kill(&desk, output, frames);
        assert!(recorded > 2, "{recorded}");
        let other = desk.run(&["score", PAIRS, "-o", output, "--cap", "--resume"]);
        let refused = "of other clips, files or options";
        assert!(other.code == 2 && other.err.contains(refused), "{other:?}");
        score(&["--resume"]);
        assert!(bytes() == whole, "{output}");
        compared += 1;
    }
    assert_eq!(compared, 2);
    let text = fs::read_to_string(desk.path().join("x.frames.csv")).expect("text");
    assert_eq!(text.lines().count(), 1 + 20 * 16);
}

#[test]
fn arrays_of_several_bodies_are_read() {
    let desk = Desk::new();
    let (cube, places) = (cube(), [[0.0, 0.75], [0.0, 2.0]]);
    desk.put_obj("cube.obj", &cube);
    let points = |x: f64| cube.vertices().iter().flat_map(move |v| [v.x + x, v.y, v.z]);
    let people = places.iter().flatten().flat_map(|&x| points(x));
    desk.put("people.npy", npy("2, 2, 8, 3", people));
    let run = desk.run(&["score", "people.npy", "--faces", "cube.obj", "--json", "-q"]);
    let json = checked(&run);
    assert_eq!((run.code, &json["clips"][0]["frames"]), (0, &2.into()), "{run:?}");
    assert!(near(&json["clips"][0]["volume_max"], 250_000.0), "{json}");
    // Two clips of two frames each, in a file a body.
    let [a, b] = [[0.0; 4], [0.75, 2.0, 0.5, 0.5]];
    desk.put("a.npy", npy("2, 2, 8, 3", a.iter().flat_map(|&x| points(x))));
    desk.put("b.npy", npy("2, 2, 8, 3", b.iter().flat_map(|&x| points(x))));
    let run = desk.run(&["score", "{a,b}.npy", "--faces", "cube.obj", "--json", "-q"]);
    let json = checked(&run);
    let shares = [0, 1].map(|clip| json["clips"][clip]["share_crossing"].as_f64());
    assert_eq!((run.code, shares), (0, [Some(0.5), Some(1.0)]), "{run:?}");
    assert_eq!(json["clips"][1]["clip"], "{a,b}.npy#1");
    // A batch of poses on one object.
    let alone = npy("3, 8, 3", [0.0, 0.5, 3.0].iter().flat_map(|&x| points(x)));
    desk.put("hands.npy", alone);
    let args = ["score", "hands.npy", "--faces", "cube.obj", "--with", "cube.obj", "--json", "-q"];
    let json = checked(&desk.run(&args));
    assert!(near(&json["clips"][0]["share_crossing"], 2.0 / 3.0), "{json}");
    let none = desk.run(&["score", "people.npy"]);
    assert!(none.code == 3 && none.err.contains("no array called faces"), "{none:?}");
}

#[test]
fn caps_make_estimates_exact() {
    let desk = desk();
    let cube = cube();
    let open = Mesh::new(cube.vertices().to_vec(), cube.triangles()[2..].to_vec()).expect("open");
    desk.put("one/P1.npz", moving(&open, &[0.0; 4]));
    let estimate = desk.run(&["score", "one/P{1,2}.npz"]);
    assert!(
        estimate.out.contains("in 4 frames answers on solids are estimates"),
        "{}",
        estimate.out
    );
    let run = desk.run(&["score", "one/P{1,2}.npz", "--cap", "--json", "-q"]);
    let json = checked(&run);
    let clip = &json["clips"][0];
    assert_eq!((&clip["caps"], &clip["estimated_frames"]), (&1.into(), &0.into()), "{clip}");
    assert!(near(&clip["cap_length_max"], 400.0), "{clip}");
    assert!(near(&clip["volume_max"], 250_000.0), "{clip}");
}

#[test]
fn tables_name_their_version_and_their_reference() {
    let desk = desk();
    let written = desk.run(&["score", PAIRS, "-q", "-o", "ref.parquet"]);
    assert_eq!((written.code, written.out.as_str()), (0, ""), "{written:?}");
    let version = env!("CARGO_PKG_VERSION");
    for (format, mark) in
        [("markdown", "|---"), ("latex", "\\begin{tabular}"), ("csv", "metric,unit")]
    {
        let args = ["score", "one/P{1,2}.npz", "--against", "ref.parquet", "--table", format];
        let run = desk.run(&args);
        assert!(run.code == 0 && run.out.contains(mark), "{run:?}");
        assert!(run.out.contains(&format!("elbowroom {version}; gap 2, seed 0; 1 pair, 4 frames")));
        assert!(run.out.contains("2 pairs, 8 frames"), "{}", run.out);
    }
    let run = desk.run(&["score", PAIRS, "--against", "ref.parquet", "--json", "-q"]);
    let json = checked(&run);
    assert_eq!(json["reference"]["difference"]["volume_mean"], 0.0);
    assert_eq!(json["reference"]["set"], json["set"]);
    let none = desk.run(&["score", PAIRS, "--against", "one/P1.npz"]);
    assert!(none.code == 2 && none.err.contains("one/P1.npz"), "{none:?}");
}

#[test]
fn a_table_of_paths_names_clips() {
    let desk = desk();
    desk.put(
        "pairs.csv",
        "clip,a,b\nfirst,one/P1.npz,one/P2.npz\n\"x, y\",two/P1.npz,two/P2.npz\n",
    );
    let json = checked(&desk.run(&["score", "--pairs", "pairs.csv", "--json", "-q"]));
    let names = [0, 1].map(|clip| json["clips"][clip]["clip"].as_str().expect("a name").to_owned());
    assert_eq!(names, ["first", "x, y"]);
    desk.put("bad.csv", "clip,a,b\nfirst,one/P1.npz\n");
    let bad = desk.run(&["score", "--pairs", "bad.csv"]);
    assert!(bad.code == 2 && bad.err.contains("line 2 has 2 fields"), "{bad:?}");
}

#[test]
fn scenes_tell_touching_from_crossing() {
    let desk = Desk::new();
    for (name, x) in [("touch", 1.0), ("cross", 0.9), ("clear", 1.5)] {
        let moved = cube().vertices().iter().map(|v| v + x * DVec3::X).collect();
        desk.put(&format!("{name}.obj"), obj(&cube().with_vertices(moved).expect("finite")));
    }
    desk.put_obj("room.obj", &cube());
    let args =
        ["score", "touch.obj", "cross.obj", "clear.obj", "--with", "room.obj", "--json", "-q"];
    let json = checked(&desk.run(&args));
    let of = |clip: usize| {
        let clip = &json["clips"][clip];
        (clip["share_contact"].as_f64(), clip["share_crossing"].as_f64())
    };
    assert_eq!(
        [of(0), of(1), of(2)],
        [(Some(1.0), Some(0.0)), (Some(1.0), Some(1.0)), (Some(0.0), Some(0.0))]
    );
}

#[test]
fn a_character_is_compared_with_itself_by_its_parts() {
    let desk = Desk::new();
    let made = desk.run(&["make", "man", "-o", "man.glb"]);
    assert_eq!(made.code, 0, "{made:?}");
    let run = desk.run(&["score", "man.glb", "--self", "--frames", "0-1", "--json", "-q"]);
    let json = checked(&run);
    let clip = &json["clips"][0];
    assert_eq!((run.code, &clip["a"]), (0, &clip["b"]), "{run:?}");
    assert_eq!((&clip["frames"], &clip["estimated_frames"]), (&2.into(), &0.into()), "{clip}");
}

#[test]
fn what_papers_report_is_beside_what_is_exact() {
    let desk = desk();
    let args = ["score", "one/P{1,2}.npz", "--legacy", "--pitch", "10cm", "--json", "-q"];
    let clip = &checked(&desk.run(&args))["clips"][0];
    assert!(near(&clip["legacy_non_collision"], 1.0), "{clip}");
    assert!(clip["legacy_voxels_ab"].as_f64().is_some(), "{clip}");
    let plain = desk.run(&["score", "one/P{1,2}.npz", "--json", "-q"]);
    assert!(checked(&plain)["clips"][0]["legacy_inside_a"].is_null());
}

#[test]
fn a_clip_that_takes_too_long_is_given_up() {
    let desk = desk();
    let run = desk.run(&["score", PAIRS, "--item-time-limit", "0.000001ms", "--json", "-q"]);
    assert_eq!(run.code, 3, "{run:?}");
    let json = checked(&run);
    assert_eq!(json["failed"], 2);
    assert!(
        json["clips"][0]["error"].as_str().is_some_and(|why| why.contains("--item-time-limit"))
    );
}

#[test]
fn the_entry_for_references_has_the_version() {
    let run = Desk::new().run(&["cite"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let version = env!("CARGO_PKG_VERSION");
    assert!(run.out.contains(&format!("version = {{{version}}}")), "{}", run.out);
    let cff = concat!(env!("CARGO_MANIFEST_DIR"), "/../../CITATION.cff");
    let cff = fs::read_to_string(cff).expect("it is there");
    assert!(cff.contains(&format!("version: {version}\n")), "{cff}");
    assert!(
        cff.contains("The elbowroom developers") && run.out.contains("The elbowroom developers")
    );
}
