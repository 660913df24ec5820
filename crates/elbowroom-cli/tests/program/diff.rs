//! `elbowroom diff`: what changed between two reports of a check.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::desk::{Desk, Run, shift};

/// A schema is a promise: everything that is printed keeps it.
fn checked(run: &Run) -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/diff.schema.json");
    let schema = std::fs::read_to_string(path).expect("the schema is beside its page");
    let schema: Value = serde_json::from_str(&schema).expect("JSON");
    let schema = jsonschema::validator_for(&schema).expect("a schema");
    let json = run.json();
    let faults: Vec<String> = schema.iter_errors(&json).map(|fault| fault.to_string()).collect();
    assert!(faults.is_empty(), "{faults:?} in {json}");
    json
}

/// Two unit balls, and reports of one that moves along x past the other.
struct Checks {
    desk: Desk,
}

impl Checks {
    fn new() -> Self {
        let desk = Desk::new();
        desk.put_obj("ball.obj", &elbowroom_make::icosphere(4));
        desk.put_obj("other.obj", &elbowroom_make::icosphere(4));
        Self { desk }
    }

    /// Checks the ball at each place, and gives the report.
    fn report(&self, places: &[f64], options: &[&str]) -> Value {
        let poses: Vec<String> = places.iter().map(|&x| shift(x, 0.0, 0.0)).collect();
        self.desk.put("poses.json", format!("[{}]", poses.join(",")));
        let check = ["check", "ball.obj", "other.obj", "--poses", "poses.json", "--json", "-q"];
        let run = self.desk.run(&[&check[..], options].concat());
        assert!(run.code <= 1, "{}", run.err);
        run.json()
    }

    fn put(&self, name: &str, report: &Value) -> PathBuf {
        self.desk.put(name, report.to_string())
    }

    fn diff(&self, old: &Value, new: &Value, options: &[&str]) -> Run {
        self.put("old.json", old);
        self.put("new.json", new);
        self.desk.run(&[&["diff", "old.json", "new.json"][..], options].concat())
    }

    /// The changes, each in a word, and the exit code.
    fn changes(&self, old: &Value, new: &Value) -> (Vec<String>, i32) {
        let run = self.diff(old, new, &["--json"]);
        let json = checked(&run);
        let changes = json["changes"].as_array().expect("a list").iter();
        let changes: Vec<String> =
            changes.map(|change| change["change"].as_str().expect("a word").to_owned()).collect();
        for (name, count) in json["counts"].as_object().expect("counts") {
            let name = name.replace('_', " ");
            let found = changes.iter().filter(|change| **change == name).count();
            assert_eq!(count.as_u64(), Some(found as u64), "{name} in {json}");
        }
        (changes, run.code)
    }
}

const APART: f64 = 3.0;
const SHALLOW: f64 = 1.9;
const DEEP: f64 = 0.5;

#[test]
fn each_change_has_its_name_and_exit_code() {
    let checks = Checks::new();
    let report = |places: &[f64]| checks.report(places, &["--depth"]);
    let (a, s, d) = (APART, SHALLOW, DEEP);
    let never = report(&[a; 10]);
    let shallow = report(&[a, a, a, s, s, a, a, a, a, a]);
    let deep = report(&[a, a, a, d, d, a, a, a, a, a]);
    let long = report(&[a, a, a, s, s, s, a, a, a, a]);
    let deep_but_short = report(&[a, a, a, a, d, a, a, a, a, a]);
    let twice = report(&[a, a, a, s, s, a, a, a, s, s]);
    let cases: [(&Value, &Value, &[&str], i32); 11] = [
        (&never, &never, &[], 0),
        (&never, &shallow, &["new"], 1),
        (&shallow, &never, &["gone"], 0),
        (&shallow, &shallow, &["same"], 0),
        (&shallow, &deep, &["worse"], 1),
        (&deep, &shallow, &["better"], 0),
        (&shallow, &long, &["worse"], 1),
        (&long, &shallow, &["better"], 0),
        // Something of it is worse.
        (&long, &deep_but_short, &["worse"], 1),
        (&shallow, &twice, &["new", "same"], 1),
        (&twice, &shallow, &["gone", "same"], 0),
    ];
    for (i, (old, new, expected, code)) in cases.into_iter().enumerate() {
        let (changes, found) = checks.changes(old, new);
        assert_eq!(
            (changes, found),
            (expected.iter().map(ToString::to_string).collect(), code),
            "{i}"
        );
    }
}

#[test]
fn one_incident_that_falls_in_two_is_one_change() {
    let checks = Checks::new();
    let (a, d) = (APART, DEEP);
    let one = checks.report(&[a, d, d, d, d, d, d, d, a], &[]);
    let two = checks.report(&[a, d, d, a, a, a, d, d, a], &[]);
    assert_eq!(two["incidents"].as_array().map(Vec::len), Some(2));
    assert_eq!(checks.changes(&one, &two), (vec!["better".to_owned()], 0));
    assert_eq!(checks.changes(&two, &one), (vec!["worse".to_owned()], 1));
    let json = checked(&checks.diff(&two, &one, &["--json"]));
    let change = &json["changes"][0];
    assert_eq!((&change["old"]["ranks"], &change["new"]["ranks"]), (&json!([1, 2]), &json!([1])));
    assert_eq!((&change["old"]["first"], &change["old"]["last"]), (&json!(1), &json!(7)));
    assert_eq!((&change["old"]["frames"], &change["new"]["frames"]), (&json!(4), &json!(7)));
    assert_eq!(change["why"], json!(["lasts longer"]));
}

#[test]
fn what_the_new_check_did_not_look_at_is_not_gone() {
    let checks = Checks::new();
    let (a, d) = (APART, DEEP);
    let old = checks.report(&[a, a, a, d, d, a, a, a], &[]);
    let clean = checks.report(&[a; 8], &[]);
    assert_eq!(checks.changes(&old, &clean), (vec!["gone".to_owned()], 0));

    let fewer_frames = checks.report(&[a; 4], &[]);
    let with = |change: fn(&mut Value)| {
        let mut report = clean.clone();
        change(&mut report);
        report
    };
    let unseen = [
        (fewer_frames, "frames outside of the new check"),
        (with(|report| report["frame_range"] = json!([0, 8, 2])), "fewer frames examined"),
        (with(|report| report["objects"][1]["name"] = json!("x")), "no object other"),
        (
            with(|report| {
                report["frames_unreadable"] = json!([{"frame": 4, "error": "gone"}]);
                report["complete"] = json!(false);
            }),
            "frame 4 could not be read",
        ),
        (
            with(|report| {
                report["interrupted_after"] = json!(3);
                report["complete"] = json!(false);
            }),
            "frames outside of the new check",
        ),
    ];
    for (new, why) in unseen {
        let run = checks.diff(&old, &new, &["--json"]);
        let json = checked(&run);
        assert_eq!((run.code, &json["complete"]), (3, &json!(false)), "{why}");
        assert_eq!(json["changes"][0]["change"], "not examined", "{why}");
        assert_eq!(json["changes"][0]["why"], json!([why]));
        let run = checks.diff(&old, &new, &[]);
        assert!(run.code == 3 && run.err.contains("1 incident of the old report"), "{}", run.err);
    }
    // What ends with the check has not ended sooner; what is worse already is worse.
    let long = checks.report(&[a, d, d, d, d, d, a], &[]);
    let cut = checks.report(&[a, d, d, d], &[]);
    assert_eq!(checks.changes(&long, &cut), (vec!["not examined".to_owned()], 3));
    assert_eq!(checks.changes(&cut, &long), (vec!["worse".to_owned()], 1));
    let short = checks.report(&[a, a, a, a, a, d, d], &[]);
    let longer = checks.report(&[d, d, d, d, d, d], &[]);
    assert_eq!(checks.changes(&short, &longer), (vec!["worse".to_owned()], 1));
    // What is not complete is said even where nothing is missing that was there before.
    let partial = with(|report| report["complete"] = json!(false));
    let run = checks.diff(&clean, &partial, &[]);
    assert!(run.code == 3 && run.err.contains("new.json is not complete"), "{}", run.err);
    // An interrupted check has seen what came before.
    let later = with(|report| {
        report["interrupted_after"] = json!(5);
        report["complete"] = json!(false);
    });
    assert_eq!(checks.changes(&old, &later), (vec!["gone".to_owned()], 3));
}

#[test]
fn frames_are_compared_by_time_and_lengths_by_unit() {
    let checks = Checks::new();
    let (a, d) = (APART, DEEP);
    let timed = |places: &[f64], fps: f64, from: u32| {
        let mut report = checks.report(places, &["--depth", "--units", "m"]);
        let last = from as usize + places.len() - 1;
        report["fps"] = json!(fps);
        report["frame_range"] = json!([from, last, 1]);
        report["time_range"] = json!([0.0, (places.len() - 1) as f64 / fps]);
        for incident in report["incidents"].as_array_mut().expect("a list") {
            for field in ["first", "last", "worst"] {
                incident[field] =
                    json!(incident[field].as_u64().expect("a frame") + u64::from(from));
            }
        }
        report
    };
    // From 0.5 s to 1 s, at ten and at twenty frames per second, numbered from 0 and from 1001.
    let slow: Vec<f64> = (0..21).map(|i| if (5..10).contains(&i) { d } else { a }).collect();
    let fast: Vec<f64> = (0..41).map(|i| if (10..20).contains(&i) { d } else { a }).collect();
    let (slow, fast) = (timed(&slow, 10.0, 0), timed(&fast, 20.0, 1001));
    assert_eq!(checks.changes(&slow, &fast), (vec!["same".to_owned()], 0));
    // The slower one looked at fewer moments, so that it proves nothing gone.
    let clean = timed(&[a; 21], 10.0, 0);
    assert_eq!(checks.changes(&fast, &clean), (vec!["not examined".to_owned()], 3));

    let millimetres = {
        let mut report = slow.clone();
        (report["unit"], report["metres_per_unit"]) = (json!("mm"), json!(0.001));
        let depth = report["incidents"][0]["depth"].as_f64().expect("measured");
        report["incidents"][0]["depth"] = json!(depth * 1000.0);
        report
    };
    assert_eq!(checks.changes(&slow, &millimetres), (vec!["same".to_owned()], 0));
    let json = checked(&checks.diff(&slow, &millimetres, &["--json"]));
    let depth = |side: &str| json["changes"][0][side]["depth"].as_f64().expect("measured");
    assert!((depth("old") - depth("new")).abs() < 1e-9 * depth("new"), "{json}");
    assert!(depth("new") > 100.0);
}

#[test]
fn a_tolerance_says_what_is_the_same() {
    let checks = Checks::new();
    let old = checks.report(&[APART, 1.2, APART], &["--depth"]);
    let new = checks.report(&[APART, 1.15, APART], &["--depth"]);
    assert_eq!(checks.changes(&old, &new), (vec!["worse".to_owned()], 1));
    assert_eq!(checks.diff(&old, &new, &["--tolerance", "10%"]).code, 0);
    assert_eq!(checks.diff(&old, &new, &["--tolerance", "4"]).code, 1);
    assert_eq!(checks.diff(&old, &new, &["--tolerance", "-1"]).code, 2);
    // Of a finer mesh, more triangles meet in the same contact.
    let coarse = checks.report(&[APART, 1.0, APART], &[]);
    checks.desk.put_obj("ball.obj", &elbowroom_make::icosphere(8));
    let fine = checks.report(&[APART, 1.0, APART], &[]);
    let pairs = |report: &Value| report["incidents"][0]["triangle_pairs"].as_u64();
    assert!(pairs(&fine) > pairs(&coarse));
    assert_eq!(checks.changes(&coarse, &fine), (vec!["same".to_owned()], 0));
}

#[test]
fn parts_of_one_object_are_told_apart() {
    let checks = Checks::new();
    let incident = |rank: u64, parts: [&str; 2]| {
        json!({"rank": rank, "a": "man", "b": "man", "kind": "crossing", "first": 2, "last": 3, "worst": 2,
            "frames": 2, "triangle_pairs": 5, "parts": [{"a": parts[0], "b": parts[1], "triangle_pairs": 5}]})
    };
    let mut old = checks.report(&[APART; 5], &[]);
    old["rest"] = json!("count");
    old["objects"][0]["name"] = json!("man");
    let mut new = old.clone();
    old["incidents"] = json!([incident(1, ["Hand", "Hips"]), incident(2, ["Head", "Arm"])]);
    old["incidents_found"] = json!(2);
    new["incidents"] = json!([incident(1, ["Hips", "Hand"]), incident(2, ["Arm", "Knee"])]);
    new["incidents_found"] = json!(2);
    let (changes, code) = checks.changes(&old, &new);
    assert_eq!((changes, code), (["new", "gone", "same"].map(str::to_owned).into(), 1));
    let table = checks.diff(&old, &new, &["--all"]);
    assert!(
        table.out.contains("man: Hips") && table.out.contains("1 new, 1 gone, 1 same"),
        "{}",
        table.out
    );
    // Without --self they are not examined.
    new.as_object_mut().expect("an object").remove("rest");
    new["incidents"] = json!([]);
    new["incidents_found"] = json!(0);
    let (changes, code) = checks.changes(&old, &new);
    assert_eq!((changes, code), (vec!["not examined".to_owned(); 2], 3));
}

#[test]
fn reports_that_cannot_be_compared_are_refused() {
    let checks = Checks::new();
    let report = checks.report(&[APART, DEEP], &[]);
    let with = |change: fn(&mut Value)| {
        let mut report = report.clone();
        change(&mut report);
        report
    };
    let others: [(Value, &str); 9] = [
        (with(|report| report["mode"] = json!("solid")), "mode: `solid`"),
        (with(|report| report["touching"] = json!("ignore")), "touching: `ignore`"),
        (with(|report| report["clearance"] = json!(0.5)), "clearance: `0.5"),
        (
            with(|report| {
                report["unit"] = json!("mm");
                report["metres_per_unit"] = json!(0.001);
            }),
            "unit: `mm`",
        ),
        (with(|report| report["time_range"] = json!([0.0, 1.0])), "time of frames: `with`"),
        (with(|report| report["schema_version"] = json!(1)), "schema_version 1"),
        (with(|report| report["frame_range"] = json!([1, 0, 1])), "impossible frame_range"),
        (with(|report| report["incidents"][0]["last"] = json!(0)), "ends before it begins"),
        (json!({"files": []}), "is no report of a check"),
    ];
    for (other, what) in others {
        let run = checks.diff(&other, &report, &["--json"]);
        assert!(
            run.code == 2 && run.out.is_empty() && run.err.contains(what),
            "{what}: {}",
            run.err
        );
        assert!(run.err.contains("hint: "), "{}", run.err);
    }
    checks.put("new.json", &report);
    for (name, text) in
        [("no.json", None), ("cut.json", Some("{\"mode\": ")), ("empty.json", Some(""))]
    {
        if let Some(text) = text {
            checks.desk.put(name, text);
        }
        let run = checks.desk.run(&["diff", name, "new.json"]);
        assert!(run.code == 2 && run.err.contains(name), "{}", run.err);
    }
}
