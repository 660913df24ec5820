//! What is written: JSON and lines as the schema says, tables, several at once; and what is left
//! out when something cannot be read.

use glam::DVec3;
use serde_json::{Value, json};

use crate::desk::{Desk, obj, shift};

/// The schema of one part of the text, with no field allowed that it does not know.
fn schema(of: &str) -> jsonschema::Validator {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/check.schema.json");
    let text = std::fs::read_to_string(path).expect("the schema is beside its page");
    let mut schema: Value = serde_json::from_str(&text).expect("JSON");
    if !of.is_empty() {
        schema = json!({"$ref": of, "$defs": schema["$defs"]});
    }
    close(&mut schema);
    jsonschema::validator_for(&schema).expect("a schema")
}

fn close(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            fields.values_mut().for_each(close);
            if fields.get("type") == Some(&json!("object")) {
                fields.insert("additionalProperties".to_owned(), json!(false));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}

#[track_caller]
fn assert_valid(schema: &jsonschema::Validator, value: &Value) {
    let faults: Vec<String> = schema.iter_errors(value).map(|fault| fault.to_string()).collect();
    assert!(faults.is_empty(), "{faults:?} in {value}");
}

/// Two cubes of which one comes, touches, goes in, leaves and comes again.
fn desk() -> Desk {
    let desk = Desk::new();
    let cube = elbowroom_make::cuboid(DVec3::splat(0.5));
    desk.put("a.obj", obj(&cube));
    desk.put("b, or \"c\".obj", obj(&cube));
    desk.put("bad.obj", "v 1 2\n");
    let way = [3.0, 1.0, 0.75, 0.5, 2.0, 0.75, 2.0, 2.0, 2.0, 2.0, 0.875];
    let poses: Vec<String> = way.iter().map(|x| shift(*x, 0.25, 0.125)).collect();
    desk.put("way.json", format!("[{}]", poses.join(",")));
    desk
}

const CUBES: [&str; 5] = ["check", "a.obj", "b, or \"c\".obj", "--poses", "way.json"];

#[test]
fn what_is_printed_is_what_the_schema_says() {
    let desk = desk();
    let whole = schema("");
    let line = schema("#/$defs/line");
    let cases: [&[&str]; 7] = [
        &CUBES,
        &["check", "a.obj", "b, or \"c\".obj", "--poses", "way.json", "--where", "--triangles"],
        &["check", "a.obj", "b, or \"c\".obj", "--poses", "way.json", "--depth", "--where"],
        &["check", "a.obj", "b, or \"c\".obj", "--poses", "way.json", "--continuous"],
        &["check", "a.obj", "bad.obj", "b, or \"c\".obj", "--clearance", "0.1"],
        &["check", "--frames", "20-40x4", "--where", "--solid"],
        &["check", "--frames", "0"],
    ];
    let mut types = std::collections::BTreeMap::<String, usize>::new();
    for case in cases {
        let json = desk.run(&[case, &["--json", "-q"]].concat());
        assert_valid(&whole, &json.json());
        let lines = desk.run(&[case, &["--ndjson", "-q"]].concat());
        assert_eq!(lines.code, json.code, "{case:?}");
        let lines: Vec<Value> =
            lines.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        for one in &lines {
            assert_valid(&line, one);
        }
        for one in &lines {
            *types.entry(one["type"].as_str().unwrap_or_default().to_owned()).or_default() += 1;
        }
        // Both outputs say equal things.
        let report = json.json();
        for (name, list) in [("contact", "contacts"), ("incident", "incidents")] {
            let said = lines.iter().filter(|one| one["type"] == name).map(|one| {
                let mut one = one.clone();
                one.as_object_mut().and_then(|fields| fields.remove("type"));
                one
            });
            assert_eq!(said.collect::<Vec<_>>(), *report[list].as_array().expect("a list"));
        }
        let end = lines.last().expect("a line");
        assert_eq!(end["type"], "end");
        assert_eq!(end["pairs_examined"], report["pairs_examined"]);
    }
    assert!(types.len() == 5 && types["contact"] > 20 && types["between"] > 1, "{types:?}");
}

#[test]
fn incidents_are_merged_and_ranked() {
    let desk = desk();
    let report = desk.run(&[&CUBES[..], &["--depth", "--json"]].concat()).json();
    assert_eq!((&report["severity"], &report["gap"]), (&json!("depth"), &json!(2)));
    let incidents = report["incidents"].as_array().expect("a list");
    let told: Vec<_> = incidents
        .iter()
        .map(|i| (&i["rank"], &i["first"], &i["worst"], &i["last"], &i["frames"]))
        .collect();
    // A frame without contact is bridged, four are not.
    let first = (&json!(1), &json!(1), &json!(3), &json!(5), &json!(4));
    assert_eq!(told, [first, (&json!(2), &json!(10), &json!(10), &json!(10), &json!(1))]);
    assert_eq!(incidents[0]["kind"], "crossing");
    let depth = incidents[0]["depth"].as_f64().expect("a number");
    assert!((depth - 0.5).abs() < 1e-3, "{depth}");
    let frames: Vec<_> =
        incidents[0]["series"].as_array().expect("a list").iter().map(|beat| &beat[0]).collect();
    assert_eq!(frames, [1, 2, 3, 5]);
    let strict = desk.run(&[&CUBES[..], &["--gap", "0", "--json"]].concat()).json();
    assert_eq!(strict["incidents"].as_array().map(Vec::len), Some(3));
    let table = desk.run(&[&CUBES[..], &["--gap", "0", "--top", "1"]].concat());
    assert!(table.out.contains("\n2 more; --top 0 shows all\n"), "{}", table.out);
}

#[test]
fn several_files_are_written_at_once() {
    let desk = desk();
    let outputs = ["-o", "x.json", "-o", "x.ndjson", "-o", "x.csv", "-o", "x.parquet"];
    let run = desk.run(&[&CUBES[..], &outputs, &["--continuous", "-q"]].concat());
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (1, "", ""));
    let read = |name: &str| std::fs::read(desk.path().join(name)).expect("a file");
    let text = |name: &str| String::from_utf8(read(name)).expect("text");
    let json = desk.run(&[&CUBES[..], &["--continuous", "--json"]].concat());
    assert_eq!(text("x.json"), json.out);
    let lines = desk.run(&[&CUBES[..], &["--continuous", "--ndjson"]].concat());
    assert_eq!(text("x.ndjson"), lines.out);
    let contacts = text("x.csv");
    assert!(contacts.starts_with("frame,time,a,b,kind,triangle_pairs,"), "{contacts}");
    let rows = json.json()["contacts"].as_array().map(Vec::len).unwrap_or_default();
    assert_eq!((contacts.lines().count(), rows), (rows + 1, 5));
    assert!(contacts.contains(",\"b, or \"\"c\"\"\",crossing,"), "{contacts}");
    assert_eq!(text("x.incidents.csv").lines().count(), 3);
    assert!(text("x.between.csv").lines().count() > 1);
    for name in ["x.parquet", "x.incidents.parquet", "x.between.parquet"] {
        let bytes = read(name);
        assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"), "{name}");
    }
    let names = std::fs::read_dir(desk.path()).expect("a folder");
    let names = names.map(|entry| entry.expect("an entry").file_name().into_string());
    let left: Vec<_> = names
        .flatten()
        .filter(|name| name.contains(".progress") || name.contains(".rows"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

/// The block of the page with an id.
fn block<'a>(page: &'a str, id: &str) -> &'a str {
    let start = page.find(&format!("id=\"{id}\">")).expect("a block");
    let rest = &page[start..];
    let from = rest.find('>').expect("an end") + 1;
    &rest[from..from + rest[from..].find("</script>").expect("an end")]
}

#[test]
fn a_page_holds_what_was_found() {
    let desk = Desk::new();
    let run = desk.run(&["check", "-q", "--frames", "10-50", "-o", "x.html", "-o", "x.json"]);
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (1, "", ""));
    let read = |name: &str| std::fs::read_to_string(desk.path().join(name)).expect("a file");
    let page = read("x.html");
    let summary: Value = serde_json::from_str(block(&page, "report")).expect("JSON");
    let report: Value = serde_json::from_str(&read("x.json")).expect("JSON");
    let command = "elbowroom check -q --frames 10-50 -o x.html -o x.json";
    assert_eq!((&summary["command"], &summary["complete"]), (&json!(command), &json!(true)));
    assert_eq!(summary["frames"], json!({"first": 10, "last": 50, "step": 1, "count": 41}));
    let told = |report: &Value, name: &str| -> Vec<Value> {
        let incidents = report["incidents"].as_array().expect("a list");
        incidents.iter().map(|incident| incident[name].clone()).collect()
    };
    assert!(!told(&summary, "worst").is_empty());
    for name in ["first", "last", "worst", "kind", "frames", "series"] {
        assert_eq!(told(&summary, name), told(&report, name), "{name}");
    }
    assert_eq!(summary["objects"][0]["kind"], "character");
    // Two bodies, three clips and 38 people of 41 frames, packed: a header of gzip, and not too
    // much.
    let shot = block(&page, "shot");
    let bytes = shot.len();
    assert!(shot.starts_with("H4sI") && (50_000..500_000).contains(&bytes), "{bytes}");
    // A name cannot end the block.
    let plain = self::desk();
    plain.put("<script>.obj", obj(&elbowroom_make::cuboid(DVec3::splat(0.5))));
    let run = plain.run(&["check", "-q", "a.obj", "<script>.obj", "-o", "x.html"]);
    assert_eq!(run.code, 1, "{}", run.err);
    let page = std::fs::read_to_string(plain.path().join("x.html")).expect("a file");
    let summary = block(&page, "report");
    assert!(!summary.contains('<') && summary.contains("\\u003cscript>.obj"), "{summary}");
}

#[test]
fn the_summary_of_a_page_is_what_its_schema_says() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/report.schema.json");
    let text = std::fs::read_to_string(path).expect("the schema is beside its page");
    let schema: Value = serde_json::from_str(&text).expect("JSON");
    let schema = jsonschema::validator_for(&schema).expect("a schema");
    let desk = desk();
    let cases: [&[&str]; 5] = [
        &CUBES,
        &["check", "a.obj", "b, or \"c\".obj", "--poses", "way.json", "--depth", "--where"],
        &["check", "a.obj", "bad.obj", "b, or \"c\".obj", "--clearance", "0.1"],
        &["check", "--frames", "20-40x4", "--where", "--solid"],
        &["check", "--frames", "0"],
    ];
    let (mut incidents, mut errors) = (0, 0);
    for case in cases {
        desk.run(&[case, &["-q", "-o", "x.html"]].concat());
        let page = std::fs::read_to_string(desk.path().join("x.html")).expect("a file");
        let summary: Value = serde_json::from_str(block(&page, "report")).expect("JSON");
        assert_valid(&schema, &summary);
        incidents += summary["incidents"].as_array().map_or(0, Vec::len);
        let files = summary["files"].as_array().expect("a list");
        errors += files.iter().filter(|file| file["status"] == "error").count();
        let mut broken = summary.clone();
        broken["counts"]["contacts"] = json!("many");
        assert!(!schema.is_valid(&broken));
    }
    assert!(incidents > 4 && errors == 1, "{incidents} {errors}");
}

#[test]
fn what_cannot_be_written_is_refused_before_the_work() {
    let desk = desk();
    desk.put("in.csv", "");
    let cases: [(&[&str], &str); 7] = [
        (&["-o", "x.xlsx"], "ends in .xlsx"),
        (&["-o", "x"], "has no ending"),
        (&["-o", "x.csv", "-o", "x.csv"], "named twice"),
        (&["-o", "x.json", "--resume"], "x.json is written at the end only"),
        (&["-o", "x.csv", "--resume", "--json"], "--json is written at the end only"),
        (
            &["--triangles", "-o", "x.csv"],
            "--triangles lists triangles in JSON only, and no output is JSON",
        ),
        (&["-o", "way.json"], "is an input, and cannot be an output"),
    ];
    let mut met = 0;
    for (arguments, words) in cases {
        let run = desk.run(&[&CUBES[..], arguments].concat());
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{arguments:?}");
        assert!(run.err.contains(words) && run.err.contains("hint: "), "{}", run.err);
        met += 1;
    }
    assert_eq!(met, 7);
    assert_eq!(desk.run(&["check", "--resume"]).code, 2);
    assert_eq!(desk.run(&["check", "--json", "--ndjson"]).code, 2);
    assert!(!desk.path().join("x.csv").exists());
    let nowhere = desk.run(&[&CUBES[..], &["-o", "none/x.csv"]].concat());
    assert_eq!((nowhere.code, nowhere.out.as_str()), (2, ""), "{}", nowhere.err);
}

#[test]
fn one_bad_file_does_not_keep_the_others() {
    let desk = desk();
    let man = elbowroom_make::body::male();
    desk.put("man.glb", elbowroom_io::glb_out::to_bytes(&[man]).expect("a GLB"));
    desk.put("bad.glb", "no glTF");
    let mixed: [&[&str]; 3] = [
        &["check", "bad.obj", "a.obj", "b, or \"c\".obj"],
        &["check", "bad.glb", "man.glb", "a.obj", "--frames", "0-2"],
        &["check", "bad.obj", "b, or \"c\".obj", "a.obj", "--poses", "way.json"],
    ];
    let mut met = 0;
    for arguments in mixed {
        let run = desk.run(&[arguments, &["--json"]].concat());
        assert_eq!(run.code, 3, "{arguments:?}: {}", run.err);
        assert!(run.err.contains("error: bad."), "{}", run.err);
        let report = run.json();
        assert_eq!(report["complete"], false);
        let files = report["files"].as_array().expect("a list");
        assert_eq!(
            (files.len(), &files[0]["ok"], &files[1]["ok"]),
            (3, &json!(false), &json!(true))
        );
        assert!(files[0]["error"].as_str().is_some_and(|error| error.contains("bad.")));
        assert!(report["contacts"].as_array().is_some_and(|contacts| !contacts.is_empty()));
        met += 1;
    }
    assert_eq!(met, 3);
    // The one that the poses move is what it is all about.
    let moved = desk.run(&["check", "a.obj", "bad.obj", "a.obj", "--poses", "way.json"]);
    assert_eq!((moved.code, moved.out.as_str()), (2, ""));
    let all = desk.run(&["check", "bad.obj", "bad.glb"]);
    assert_eq!((all.code, all.out.as_str()), (2, ""));
}

#[test]
fn a_bad_file_within_a_scene_does_not_keep_the_others() {
    let desk = desk();
    desk.put("bad.glb", "no glTF");
    let good = "[[model]]\nname = 'one'\nfile = 'a.obj'\n[[model]]\nname = 'two'\nfile = 'a.obj'\nposition = [0.5, 0, 0]\n";
    let bad = "[[character]]\nname = 'ghost'\nfile = 'bad.glb'\n[[model]]\nname = 'lost'\nfile = 'none.obj'\n\
        [[model]]\nname = 'moved'\nfile = 'a.obj'\nposes = 'bad.obj'\n";
    let allow = "allow = [['ghost', 'one'], ['*', 'lo*'], ['ghost/Head', '*']]\n";
    desk.put("scene.toml", format!("{allow}{good}{bad}"));
    let run = desk.run(&["check", "scene.toml", "--json"]);
    assert_eq!(run.code, 3, "{}", run.err);
    let report = run.json();
    assert_eq!((&report["complete"], &report["pairs_examined"]), (&json!(false), &json!(1)));
    assert_eq!(report["contacts"].as_array().map(Vec::len), Some(1));
    let files = report["files"].as_array().expect("a list");
    let told: Vec<_> =
        files.iter().map(|file| (file["path"].as_str().unwrap_or_default(), &file["ok"])).collect();
    let (yes, no) = (&json!(true), &json!(false));
    assert_eq!(told, [("scene.toml", yes), ("none.obj", no), ("bad.obj", no), ("bad.glb", no)]);
    for place in ["scene.toml:14:8: there is no file none.obj", "scene.toml:11:8: bad.glb"] {
        assert!(run.err.contains(place), "no {place:?} in {}", run.err);
    }
    assert_valid(&schema(""), &report);
    // A page says so, too.
    assert_eq!(desk.run(&["check", "-q", "scene.toml", "-o", "x.html"]).code, 3);
    let page = std::fs::read_to_string(desk.path().join("x.html")).expect("a file");
    let summary: Value = serde_json::from_str(block(&page, "report")).expect("JSON");
    assert_eq!((&summary["complete"], &summary["files"][1]["status"]), (no, &json!("error")));
    // Where too little is left, or the scene file itself is wrong, nothing is examined; nor is half
    // of it written.
    let one = good.split("[[model]]").nth(1).unwrap_or_default();
    let refused = [
        format!("[[model]]{one}{bad}"),
        bad.to_owned(),
        format!("allow = [['ghots', 'one']]\n{good}"),
        format!("{good}{bad}scal = 2\n"),
    ];
    let mut met = 0;
    for text in refused {
        desk.put("refused.toml", &text);
        let run = desk.run(&["check", "refused.toml", "--json"]);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{text}");
        met += 1;
    }
    assert_eq!(met, 4);
    assert_eq!(desk.run(&["convert", "scene.toml", "scene.npz"]).code, 2);
}

#[test]
fn the_number_of_cores_changes_nothing() {
    let desk = Desk::new();
    let run =
        |threads: &str| desk.run(&["check", "--frames", "0-40", "--ndjson", "--threads", threads]);
    let one = run("1");
    assert_eq!(one.code, 1);
    for threads in ["2", "5"] {
        assert_eq!(run(threads), one);
    }
    assert_eq!(run("0").code, 2);
}
