//! `elbowroom crowd`: bodies on the trajectories of a file.

use std::fmt::Write;
use std::sync::OnceLock;

use serde_json::Value;

use crate::desk::{Desk, Run};

/// Two who pass each other along x with this distance between their paths, and one far away; 10
/// frames a second.
fn passing(apart: f64) -> String {
    let mut text = "# framerate: 10\nid,frame,x/m,y/m\n".to_owned();
    for frame in 0..=60 {
        let x = -3.0 + 0.1 * f64::from(frame);
        writeln!(text, "4,{frame},{x},0\n9,{frame},{},{apart}\n20,{frame},{x},7", -x)
            .expect("a string");
    }
    text
}

/// A man of few triangles, made once: our own people take half a second each.
fn man() -> &'static [u8] {
    static MAN: OnceLock<Vec<u8>> = OnceLock::new();
    MAN.get_or_init(|| {
        let desk = Desk::new();
        assert_eq!(
            desk.run(&["make", "man", "--triangles", "1500", "-o", "man.glb", "-q"]).code,
            0
        );
        std::fs::read(desk.path().join("man.glb")).expect("written")
    })
}

fn desk() -> Desk {
    let desk = Desk::new();
    desk.put("man.glb", man());
    for (name, apart) in [("into", 0.1), ("beside", 0.62), ("clear", 1.6)] {
        desk.put(&format!("{name}.csv"), passing(apart));
    }
    desk
}

/// Everybody is that man.
fn run(desk: &Desk, arguments: &[&str]) -> Run {
    desk.run(&[&["crowd", "--body", "man.glb"], arguments].concat())
}

fn checked(run: &Run) -> Value {
    run.checked("crowd")
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is not a count"))
}

/// What must hold of every result: bounds miss nothing, closer looks list less, sums are right.
fn is_consistent(json: &Value) {
    let methods = json["methods"].as_array().expect("a list");
    let judge = methods.last().expect("one at least");
    assert_eq!(judge["name"], json["judge"]);
    let mut last = u64::MAX;
    for method in methods {
        let [listed, found, missed, wrong] =
            ["listed", "found", "missed", "false"].map(|name| number(&method[name]));
        assert_eq!((found + wrong, found + missed), (listed, number(&judge["listed"])), "{method}");
        if method["kind"] != "disk" {
            assert_eq!(missed, 0, "{method}");
            if method["kind"] != "camera" {
                assert!(listed <= last, "{method}");
                last = listed;
            }
        }
    }
    let people: Vec<u64> = json["density"]["people_by_others"]
        .as_array()
        .expect("a list")
        .iter()
        .map(number)
        .collect();
    for method in methods {
        let touching = method["touching_by_others"].as_array().expect("a list").iter().map(number);
        assert!(touching.zip(&people).all(|(touching, all)| touching <= *all), "{method}");
    }
    let contacts = json["contacts"].as_array().expect("a list");
    let frames: u64 = contacts.iter().map(|contact| number(&contact["frames"])).sum();
    assert_eq!(frames, number(&judge["listed"]));
    assert_eq!(contacts.len() as u64, number(&judge["pairs"]));
    assert_eq!(json["touch"], !contacts.is_empty());
}

#[test]
fn who_walks_into_somebody_touches() {
    let desk = desk();
    let run = self::run(&desk, &["into.csv", "--json", "-q", "--camera=0,-10,5"]);
    assert_eq!((run.code, run.err.as_str()), (1, ""));
    let json = checked(&run);
    is_consistent(&json);
    assert_eq!((number(&json["people"]), number(&json["frames_examined"])), (3, 61));
    // Three pairs in each frame.
    assert_eq!(number(&json["pairs_examined"]), 3 * 61);
    let [contact] = json["contacts"].as_array().expect("a list").as_slice() else {
        panic!("{json}")
    };
    assert_eq!(contact["ids"], serde_json::json!([4, 9]));
    let nearest = contact["nearest"].as_f64().expect("a number");
    assert!((nearest - 0.1).abs() < 1e-9 && number(&contact["nearest_frame"]) == 30, "{contact}");
    assert!(contact["parts"].as_array().is_some_and(|parts| !parts.is_empty()), "{contact}");
    assert_eq!(json["methods"].as_array().map(Vec::len), Some(2 + 7 + 1 + 1));
    // Disks of 0.25 m overlap while they are nearer than half a metre: 0.49 along x, at 0.2 a
    // frame.
    let disk = &json["methods"][0];
    assert_eq!((disk["kind"].as_str(), number(&disk["listed"])), (Some("disk"), 5), "{disk}");

    let clear = self::run(&desk, &["clear.csv", "--json", "-q"]);
    let json = checked(&clear);
    is_consistent(&json);
    assert_eq!((clear.code, &json["touch"]), (0, &false.into()), "{json}");
    assert_eq!(number(&json["methods"][1]["listed"]), 0);
}

/// However cylinders are made, they miss no one on any level, and the contacts are those of the
/// meshes.
#[test]
fn every_hierarchy_of_cylinders_misses_nobody() {
    let desk = desk();
    let ask = |file: &str, more: &[&str]| {
        let levels = ["--levels", "0,1,2,4,64,all", "--every", "2"];
        let json =
            checked(&self::run(&desk, &[&[file, "--json", "-q"], &levels[..], more].concat()));
        is_consistent(&json);
        json
    };
    let tests = |json: &Value| {
        number(&json["methods"].as_array().expect("a list").last().expect("one")["circle_tests"])
    };
    let (mut listed, mut costs) = (0, std::collections::BTreeSet::new());
    for file in ["into.csv", "beside.csv"] {
        let usual = ask(file, &[]);
        assert_eq!(usual["cylinders"]["parts"], "contour");
        for more in [
            &["--threshold", "5cm"][..],
            &["--threshold", "10"],
            &["--threshold", "1mm", "--split", "centre"],
            &["--split", "covariance"],
            &["--split", "area"],
            &["--parts", "union"],
            &["--parts", "outline", "--split", "center"],
            &["--parts", "triangles"],
            &["--parts", "triangles", "--split", "covariance"],
            &["--parts", "single"],
            &["--level", "0"],
            &["--level", "3"],
            &["--level", "60", "--threshold", "2cm"],
        ] {
            let json = ask(file, more);
            assert_eq!(json["contacts"], usual["contacts"], "{file} {more:?}");
            // Beyond the tree there is nothing more to see.
            let methods = json["methods"].as_array().expect("a list");
            let of = |name: &str| {
                methods.iter().find(|m| m["name"] == name).map(|m| m["listed"].clone())
            };
            assert_eq!(of("level 64"), of("all levels"), "{more:?}");
            listed += number(&methods.last().expect("one")["listed"]);
            costs.insert(tests(&json));
        }
    }
    assert!(listed > 25 && costs.len() > 6, "{listed} {costs:?}");
    let table =
        self::run(&desk, &["into.csv", "--threshold", "5cm", "--level", "2", "--levels", "all"]);
    let words = "Cylinders: around the contour, cut at the centroid, threshold 0.05 m, down to level 2 before meshes";
    assert!(table.out.contains(words), "{}", table.out);
}

#[test]
fn disks_are_wrong_where_bodies_pass() {
    let desk = desk();
    let run =
        self::run(&desk, &["beside.csv", "--json", "-q", "--radius", "30cm", "--levels", "0,all"]);
    let json = checked(&run);
    is_consistent(&json);
    let names: Vec<&str> = json["methods"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|m| m["name"].as_str())
        .collect();
    assert_eq!(
        names,
        ["disk 0.25 m", "disk 0.30 m", "disk 0.40 m", "level 0", "all levels", "exact"]
    );
    let listed = |index: usize| number(&json["methods"][index]["listed"]);
    // 0.62 m between the paths: the small disks never meet, the large ones do, and so do the
    // circles.
    assert!(listed(0) == 0 && listed(1) == 0 && listed(2) > 0 && listed(3) > 0, "{json}");
    // Without meshes, the circles are the judge.
    let above = self::run(&desk, &["beside.csv", "--json", "-q", "--no-exact"]);
    let json = checked(&above);
    is_consistent(&json);
    assert_eq!(json["judge"], "all levels");
    assert_eq!(number(&json["methods"][8]["mesh_tests"]), 0);
}

#[test]
fn the_same_whichever_frames_and_whoever_comes_first() {
    let desk = desk();
    let whole = checked(&self::run(&desk, &["into.csv", "--json", "-q", "--levels", "0,all"]));
    let part = ["into.csv", "--json", "-q", "--levels", "0,all", "--frames", "20-40x2"];
    let part = checked(&self::run(&desk, &part));
    assert_eq!((number(&part["frames_examined"]), number(&part["every"])), (11, 2));
    assert_eq!(whole["contacts"][0]["nearest"], part["contacts"][0]["nearest"]);
    // Lines in another order are the same crowd.
    let mut lines: Vec<String> = passing(0.1).lines().map(str::to_owned).collect();
    lines[2..].reverse();
    desk.put("back.csv", lines.join("\n"));
    let back = checked(&self::run(&desk, &["back.csv", "--json", "-q", "--levels", "0,all"]));
    assert_eq!(back["contacts"], whole["contacts"]);
    assert_eq!(back["density"], whole["density"]);
}

#[test]
fn people_get_a_table_and_a_picture() {
    let desk = desk();
    let run = desk.run(&["crowd", "into.csv", "-o", "c.svg", "-o", "c.html", "-o", "c.csv"]);
    assert_eq!(run.code, 1, "{run:?}");
    for words in [
        "into.csv: 3 people (3 at once at most), 61 frames of 0 to 60 examined, 10 per second",
        "make:man (2; stride",
        "disk 0.25 m",
        "all levels",
        "1 pair touches, for",
        "4 & 9",
        "183 pairs examined, summed over frames",
    ] {
        assert!(run.out.contains(words), "no {words:?} in {}", run.out);
    }
    let read = |name: &str| std::fs::read_to_string(desk.path().join(name)).expect("written");
    let svg = read("c.svg");
    for words in [
        "<svg xmlns",
        "into.csv: one pair touches",
        "Pairs that touch at once, over time",
        "How right each method is, against exact",
        "From above, in metres",
        "Density over time",
        "class=\"way\"",
        "class=\"spot\"",
        "prefers-color-scheme:dark",
        "seconds from the first frame of the file",
    ] {
        assert!(svg.contains(words), "no {words:?} in the picture");
    }
    assert!(!svg.contains("NaN") && !svg.contains("inf\""));
    assert!(read("c.html").starts_with("<!DOCTYPE html>"));
    let csv = read("c.csv");
    assert!(
        csv.starts_with("frame,seconds,people,others_per_m2_mean,others_per_m2_most,disk_0.25_m,")
    );
    assert_eq!(csv.lines().count(), 62);
    let again = desk.run(&["crowd", "into.csv", "-q", "-o", "c.svg"]);
    assert!(again.code == 2 && again.err.contains("--force"), "{again:?}");
    let quiet = self::run(&desk, &["into.csv", "-q", "--exit-zero", "--levels", "all"]);
    assert_eq!(quiet, Run { code: 0, out: String::new(), err: String::new() });
}

#[test]
fn a_newcomer_needs_no_file() {
    let desk = Desk::new();
    let run = desk.run(&["crowd", "--json", "-q", "--frames", "100-300x50"]);
    let json = checked(&run);
    is_consistent(&json);
    assert_eq!((run.code, &json["file"], number(&json["people"])), (1, &Value::Null, 60));
    assert!(number(&json["pairs_examined"]) > 100);
}

#[test]
fn one_person_and_one_frame_are_a_crowd() {
    let desk = desk();
    desk.put("one.csv", "id,frame,x,y\n-3,7,1.5,2\n");
    let run = self::run(&desk, &["one.csv", "--units", "m", "--fps", "25", "-o", "one.svg"]);
    // No one is there to touch: nothing was examined, which is not clean.
    assert!(run.code == 3 && run.err.contains("nothing was examined"), "{run:?}");
    assert!(run.out.contains("1 person") && run.out.contains("Nothing examined"), "{}", run.out);
    let svg = std::fs::read_to_string(desk.path().join("one.svg")).expect("a picture");
    assert!(!svg.contains("NaN") && !svg.contains("inf\""), "{svg}");
}

#[test]
fn other_bodies_walk_too() {
    let desk = desk();
    desk.put("other.glb", man());
    let ask = ["into.csv", "--json", "-q", "--body", "other.glb", "--body", "make:man"];
    let json = checked(&self::run(&desk, &[&ask[..], &["--levels", "0,all"]].concat()));
    is_consistent(&json);
    let bodies = json["bodies"].as_array().expect("a list");
    assert_eq!(bodies.iter().map(|body| number(&body["people"])).collect::<Vec<_>>(), [1, 1, 1]);
    assert_eq!((&bodies[0]["walk"], &bodies[1]["stand"]), (&"walk".into(), &"idle".into()));
    assert!(
        bodies[0]["stride"].as_f64().is_some_and(|stride| (1.2..1.8).contains(&stride)),
        "{json}"
    );
    assert_eq!(json["touch"], true);
}

#[test]
fn how_close_two_may_stand() {
    let desk = desk();
    let run = desk.run(&["crowd", "--stand", "man.glb", "man.glb", "--json"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let json = checked(&run);
    let apart = |method: &Value, way: usize| method["apart"][way].as_f64().expect("a number");
    let methods = json["methods"].as_array().expect("a list");
    assert_eq!((methods.len(), json["ways"].as_array().map(Vec::len)), (10, Some(4)));
    let (exact, bounds) = methods.split_last().expect("some");
    for way in 0..4 {
        let mut last = f64::INFINITY;
        for bound in &bounds[2..] {
            // The places at which trees of different levels meet are found to rounding.
            assert!(apart(bound, way) <= last + 1e-9, "{bound}");
            last = apart(bound, way);
        }
        assert!(apart(exact, way) <= last + 1e-9 && apart(exact, way) > 0.15, "{exact}");
    }
    assert_eq!((apart(&methods[0], 0), apart(&methods[1], 2)), (0.5, 0.8));
    // Shoulders are wider than chests.
    assert!(apart(exact, 1) > apart(exact, 0), "{exact}");
    let table = desk.run(&["crowd", "--stand", "make:woman", "man.glb"]);
    for words in ["face to face", "side by side", "in a queue", "back to back", "level 9", "exact"]
    {
        assert!(table.out.contains(words), "no {words:?} in {}", table.out);
    }
    assert_eq!(desk.run(&["crowd", "--stand", "make:man"]).code, 2);
    assert_eq!(desk.run(&["crowd", "a.csv", "--stand", "make:man", "make:man"]).code, 2);
}

#[test]
fn bad_input_is_refused_with_a_reason() {
    let desk = desk();
    desk.put("empty.csv", "");
    desk.put("names.csv", "id,frame,x,y\n");
    desk.put("nan.csv", "id,frame,x,y\n1,0,0,0\n1,1,nan,0\n");
    desk.put("no-frames.csv", "id,x,y\n1,0,0\n");
    desk.put("huge.csv", "id,frame,x,y\n1,0,0,0\n1,1,1e300,0\n");
    desk.put("far.csv", "# framerate: 25\nid,frame,x/m,y/m\n7,0,0,0\n7,1,9e7,0\n");
    desk.put("long.csv", "id,frame,x,y\n1,0,0,0\n1,900000000000,1,0\n");
    desk.put("twice.csv", "id,frame,x,y\n1,0,0,0\n1,0,1,0\n");
    desk.put("cut.csv", "id,frame,x,y\n1,0,0,0\n1,1\n");
    desk.put_obj("ball.obj", &elbowroom_make::icosphere(2));
    let mut heap = "# framerate: 25\nid,frame,x/m,y/m\n".to_owned();
    for id in 0..2000 {
        writeln!(heap, "{id},0,1.001,2").expect("a string");
    }
    desk.put("heap.csv", heap);
    let mut refused = 0;
    for (arguments, words) in [
        (&["missing.csv"][..], &["missing.csv", "no such file"][..]),
        (&["empty.csv"], &["empty.csv", "id, frame, x, y"]),
        (&["names.csv"], &["names.csv", "no samples"]),
        (&["nan.csv"], &["nan.csv", "3", "not a finite number"]),
        (&["no-frames.csv"], &["no-frames.csv", "frame"]),
        (&["huge.csv"], &["huge.csv", "person 1", "frame 1", "--units"]),
        (&["far.csv"], &["far.csv", "person 7", "frame 1"]),
        (&["long.csv"], &["long.csv", "--every"]),
        (&["twice.csv"], &["twice.csv", "person 1", "second position"]),
        (&["cut.csv"], &["cut.csv", "truncated"]),
        (&["ball.obj"], &["ball.obj", "trajectories"]),
        (&["heap.csv"], &["heap.csv", "frame 0", "--units"]),
        (&["into.csv", "--frames", "900-950"], &["into.csv", "0 to 60"]),
        (&["into.csv", "--frames", "5-2"], &["10-50x5"]),
        (&["into.csv", "--every", "0"], &["--every"]),
        (&["into.csv", "--fps", "nan"], &["frames per second"]),
        (&["into.csv", "--radius", "0"], &["radius"]),
        (&["into.csv", "--radius=-1"], &["radius"]),
        (&["into.csv", "--levels", "x"], &["give levels"]),
        (&["into.csv", "--threshold", "0"], &["give a radius of 1mm"]),
        (&["into.csv", "--threshold=-1cm"], &["give a radius of 1mm"]),
        (&["into.csv", "--threshold", "nan"], &["give a radius of 1mm"]),
        (&["into.csv", "--threshold", "5cm", "--parts", "triangles"], &["--parts triangles"]),
        (&["into.csv", "--split", "centre", "--parts", "single"], &["--parts single"]),
        (&["into.csv", "--level", "1", "--parts", "single"], &["--parts single"]),
        (&["into.csv", "--level", "3", "--no-exact"], &["--no-exact"]),
        (&["into.csv", "--level=-1"], &["--level"]),
        (&["into.csv", "--split", "oak"], &["centroid"]),
        (&["into.csv", "--parts", "oak"], &["contour"]),
        (&["into.csv", "--camera", "1,2"], &["x,y,z"]),
        (&["into.csv", "--units", "yard"], &["give m, cm"]),
        (&["into.csv", "--body", "nobody.glb"], &["nobody.glb"]),
        (&["into.csv", "--body", "ball.obj"], &["ball.obj", "no clip"]),
        (&["into.csv", "--clip", "fly"], &["no clip \"fly\""]),
        (&["into.csv", "-o", "c.png"], &[".svg"]),
        (&["into.csv", "-o", "nowhere/c.svg"], &["nowhere"]),
    ] {
        let run = desk.run(&[&["crowd"], arguments].concat());
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{arguments:?}: {run:?}");
        for word in words {
            assert!(run.err.contains(word), "{arguments:?}: no {word:?} in {}", run.err);
        }
        refused += 1;
    }
    assert_eq!(refused, 36);
}

#[test]
fn numbers_that_jump_are_one_body_at_a_time() {
    let desk = desk();
    // Number 5 leaves and is given to another person, who comes in far away; the step between is no
    // walk.
    let mut text = "# framerate: 10\nid,frame,x/m,y/m\n".to_owned();
    for frame in 0..30 {
        writeln!(text, "5,{frame},{},0", 0.1 * f64::from(frame)).expect("a string");
        writeln!(text, "5,{},{},40", frame + 100, 0.1 * f64::from(frame)).expect("a string");
    }
    writeln!(text, "1000000007,0,3,0\n1000000007,150,3,40").expect("a string");
    desk.put("jump.csv", text);
    let run = self::run(&desk, &["jump.csv", "--json", "--levels", "0,all"]);
    let json = checked(&run);
    is_consistent(&json);
    // No one is there between frames 30 and 99 but at the ends; the other one has two samples only,
    // 15 s apart.
    assert_eq!(number(&json["pairs_examined"]), 1, "{json}");
    assert_eq!(json["density"]["most_people"], 2);
}

/// Real crowds, in a few frames: who touches, and by what.
#[test]
fn real_crowds_walk() {
    let Some(folder) = elbowroom_testkit::data::shared_dir() else {
        return elbowroom_testkit::data::skip_note("real_crowds_walk");
    };
    let desk = desk();
    let mut contacts = 0;
    for (name, frames, people) in [
        ("ucy_zara01/obsmat.txt.gz", "1-9000x1000", 148),
        ("ucy_students03/obsmat.txt.gz", "1-5300x1000", 428),
        ("juelich_bi_corr_400_b_03.txt.gz", "100-3300x800", 480),
        ("juelich_traj_UNI_CORR_500_01.txt.gz", "100-1900x600", 148),
    ] {
        let file = folder.join("crowds").join(name).display().to_string();
        let run =
            self::run(&desk, &[&file, "--frames", frames, "--json", "-q", "--levels", "0,5,all"]);
        let json = checked(&run);
        is_consistent(&json);
        assert_eq!((number(&json["people"]), &json["fps"]), (people, &25.0.into()), "{name}");
        contacts += json["contacts"].as_array().map_or(0, Vec::len);
    }
    assert!(contacts > 3, "{contacts}");
}
