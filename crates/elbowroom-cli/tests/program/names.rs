//! What things are called: short names for people, whole ones for programs, and names that are
//! made to do harm, which are nothing but names in every output.

use std::fs;

use glam::DVec3;
use serde_json::{Value, json};

use crate::desk::{Desk, Run, obj};

/// Markup, a formula, quotes, escape sequences of one and of two bytes, marks that turn the
/// direction, ends of lines, a separator of lines.
const HOSTILE: &str = "=cmd|' /C calc'!A1</script><img src=x onerror=\"alert(1)\">\u{1b}]0;x\u{7}\
                       \u{9b}31m\u{202e}txt.exe\u{2066}\r\n\"quoted\", 'too'\u{2028}&amp;";

/// The hostile name as it is written in a JSON string.
fn in_json(text: &str) -> String {
    let quoted = Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

/// Two triangles that cross, as two nodes of these names.
fn gltf(a: &str, b: &str) -> String {
    let [a, b] = [a, b].map(in_json);
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0,1]}}],
"nodes":[{{"mesh":0,"name":"{a}"}},{{"mesh":0,"name":"{b}","rotation":[0.5,0.5,0.5,0.5],
"translation":[0.3,0.1,-0.2]}}],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
"buffers":[{{"uri":"b.bin","byteLength":42}}],
"bufferViews":[{{"buffer":0,"byteLength":36}},{{"buffer":0,"byteOffset":36,"byteLength":6}}],
"accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],
"max":[1,1,0]}},{{"bufferView":1,"componentType":5123,"count":3,"type":"SCALAR"}}]}}"#
    )
}

fn buffer() -> Vec<u8> {
    let places = [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0].map(f32::to_le_bytes).concat();
    [places, [0_u16, 1, 2].map(u16::to_le_bytes).concat()].concat()
}

/// Whether a text does nothing to a terminal but end lines.
#[track_caller]
fn assert_harmless(text: &str) {
    let bad = |c: &char| {
        (c.is_control() && *c != '\n')
            || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
    };
    assert_eq!(text.chars().find(bad), None, "{text:?}");
}

/// The rows of a text by RFC 4180.
fn csv(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut cell) = (Vec::new(), Vec::new(), String::new());
    let mut letters = text.chars().peekable();
    let mut is_quoted = false;
    while let Some(c) = letters.next() {
        match c {
            '"' if is_quoted && letters.peek() == Some(&'"') => cell.extend(letters.next()),
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => row.push(std::mem::take(&mut cell)),
            '\n' if !is_quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            _ => cell.push(c),
        }
    }
    rows
}

#[test]
fn a_name_is_nothing_but_a_name_in_every_output() {
    let desk = Desk::new();
    let long = "long".repeat(5000);
    desk.put("two.gltf", gltf(HOSTILE, &long));
    desk.put("b.bin", buffer());
    let outputs = ["-o", "r.html", "-o", "r.json", "-o", "r.ndjson", "-o", "r.csv"];
    let run = desk.run(&[&["check", "two.gltf"], &outputs[..]].concat());
    assert_eq!(run.code, 1, "{run:?}");
    let read = |name: &str| fs::read_to_string(desk.path().join(name)).expect("a file");

    assert_harmless(&run.out);
    assert_harmless(&run.err);
    assert!(run.out.lines().all(|line| line.chars().count() < 300), "{}", run.out);
    assert_eq!(run.out.lines().count(), 4, "{}", run.out);

    let text = read("r.json");
    assert_harmless(&text);
    let report: Value = serde_json::from_str(&text).expect("JSON");
    let names = |one: &Value| (one["a"].clone(), one["b"].clone());
    assert_eq!(names(&report["contacts"][0]), (json!(HOSTILE), json!(long)));
    assert_eq!(report["objects"][0]["path"], "two.gltf");

    let text = read("r.ndjson");
    assert_harmless(&text);
    let lines = text.lines().map(|line| serde_json::from_str(line).expect("JSON"));
    let lines: Vec<Value> = lines.collect();
    assert_eq!(lines.len(), 4);
    assert_eq!(names(&lines[1]), (json!(HOSTILE), json!(long)));

    for name in ["r.csv", "r.incidents.csv"] {
        let rows = csv(&read(name));
        let at = rows[0].iter().position(|head| head == "a").expect("a column");
        // An apostrophe keeps spreadsheets from computing it.
        assert_eq!((rows.len(), rows[1][at].clone()), (2, format!("'{HOSTILE}")), "{name}");
        assert_eq!(rows[1][at + 1], long, "{name}");
        assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{name}");
    }

    let page = read("r.html");
    let (_, data) =
        page.split_once("<script type=\"application/json\" id=\"report\">").expect("data");
    let (summary, _) = data.split_once("</script>").expect("an end");
    assert!(!summary.contains(['<', '\u{1b}', '\n']), "{summary}");
    let summary: Value = serde_json::from_str(summary).expect("JSON");
    assert_eq!(summary["objects"][0]["name"], HOSTILE);
    assert!(!page.contains("<img src=x"));

    #[cfg(feature = "parquet")]
    {
        let run = desk.run(&["check", "two.gltf", "-q", "-o", "r.parquet"]);
        assert_eq!(run.code, 1, "{run:?}");
        let (rows, _) = crate::tables::read(&desk, "r.parquet");
        assert_eq!((&rows[0]["a"], &rows[0]["b"]), (&json!(HOSTILE), &json!(long)));
    }
}

/// The names of files and of what is in them, on stderr and in pictures.
#[cfg(unix)]
#[test]
fn names_of_files_are_nothing_but_names() {
    let desk = Desk::new();
    let name = "=1+1 \u{1b}[31m<b>\n\u{202e}&";
    let cube = obj(&elbowroom_make::cuboid(DVec3::splat(0.5)));
    desk.put(&format!("{name}.obj"), &cube);
    desk.put("a.obj", &cube);
    let run = desk.run(&["check", "a.obj", &format!("{name}.obj"), "--json", "-o", "r.csv"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert_harmless(&run.out);
    assert_eq!(run.json()["contacts"][0]["b"], name);
    let text = fs::read_to_string(desk.path().join("r.csv")).expect("a file");
    assert_eq!(csv(&text)[1][3], format!("'{name}"));
    for arguments in [
        &["check", "none\u{1b}[2J\u{9b}.obj", "a.obj"][..],
        &["check", "a.obj", "a.obj", "-o", "none\u{1b}[2J/r.html"],
        &["info", "none\u{1b}[2J\n.glb"],
        &["convert", "a.obj", "x\u{1b}[2J.xyz"],
        &["view", "none\u{1b}[2J.html", "--no-open"],
    ] {
        let run = desk.run(arguments);
        assert_eq!(run.code, 2, "{run:?}");
        assert_harmless(&run.err);
        assert!(run.err.contains("\\u{1b}[2J"), "{}", run.err);
        assert!(
            run.err.lines().all(|line| line.starts_with("error: ") || line.starts_with("hint: "))
        );
    }
    desk.put(&format!("{name}.csv"), "id,frame,x,y\n1,0,0,0\n1,10,1,0\n2,0,0,2\n2,10,1,2\n");
    let run = desk.run(&["crowd", &format!("{name}.csv"), "-o", "r.svg", "-o", "r.html"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_harmless(&run.out);
    for picture in ["r.svg", "r.html"] {
        let text = fs::read_to_string(desk.path().join(picture)).expect("a file");
        assert_harmless(&text);
        assert!(text.contains("&lt;b&gt;") && !text.contains("<b>"), "{picture}");
    }
}

fn objects(run: &Run) -> Vec<(String, String)> {
    let report = run.json();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let objects = report["objects"].as_array().expect("a list");
    objects.iter().map(|object| (text(&object["name"]), text(&object["path"]))).collect()
}

#[test]
fn objects_are_called_by_their_files_and_paths_have_a_field() {
    let desk = Desk::new();
    let cube = obj(&elbowroom_make::cuboid(DVec3::splat(0.5)));
    for folder in ["left", "right", "deep", "deep/left"] {
        fs::create_dir(desk.path().join(folder)).expect("a folder");
    }
    for name in ["left/arm.obj", "right/arm.obj", "deep/left/arm.obj", "cup.obj", "deep/leg.v2.obj"]
    {
        desk.put(name, &cube);
    }
    assert_eq!(desk.run(&["convert", "-q", "cup.obj", "deep/cup.stl"]).code, 0);
    let cases: &[(&[&str], &[&str])] = &[
        (&["cup.obj", "deep/leg.v2.obj"], &["cup", "leg.v2"]),
        (&["cup.obj", "deep/cup.stl"], &["cup.obj", "cup.stl"]),
        (&["left/arm.obj", "right/arm.obj", "cup.obj"], &["left/arm", "right/arm", "cup"]),
        (&["left/arm.obj", "deep/left/arm.obj"], &["left/arm", "deep/left/arm"]),
        (&["cup.obj", "cup.obj", "cup.obj"], &["cup", "cup #2", "cup #3"]),
    ];
    for (files, names) in cases {
        // Plain meshes and shots are called alike.
        for more in [&["--json"][..], &["--json", "--self"]] {
            let run = desk.run(&[&["check"], *files, more].concat());
            let told = objects(&run);
            let expected =
                names.iter().zip(*files).map(|(a, b)| ((*a).to_owned(), (*b).to_owned()));
            assert_eq!(told, expected.collect::<Vec<_>>(), "{more:?}");
        }
        let table = desk.run(&[&["check"], *files].concat());
        let row = table.out.lines().nth(1).unwrap_or_default();
        assert!(row.contains(names[0]) && row.contains(names[1]), "{}", table.out);
    }
}

#[test]
fn robots_are_called_by_their_models_and_pages_by_their_files() {
    let desk = Desk::new();
    let body = |more: &str| format!("<geom type='box' size='1 1 1'/>{more}");
    let hinge = "<joint name='turn' axis='0 0 1'/>";
    let arm = format!("<body name='ns:hand' pos='1.5 0 0'>{hinge}{}</body>", body(""));
    let robot = format!(
        "<mujoco model='reacher'><worldbody><body name='ns:base_link'>{}</body></worldbody></mujoco>",
        body(&arm)
    );
    desk.put("scene.xml", robot);
    let cube = obj(&elbowroom_make::cuboid(DVec3::splat(0.75)));
    for name in ["a.obj", "b.obj", "c.obj"] {
        desk.put(name, &cube);
    }
    let run = desk.run(&["check", "scene.xml", "a.obj", "-o", "r.html", "-o", "r.json"]);
    assert_eq!(run.code, 1, "{run:?}");
    // People read parts without namespaces, programs with them.
    assert!(run.out.contains("reacher") && run.out.contains("  hand–a"), "{}", run.out);
    assert!(!run.out.contains("ns:"), "{}", run.out);
    let json = fs::read_to_string(desk.path().join("r.json")).expect("a file");
    assert!(json.contains("\"ns:hand\"") && json.contains("\"scene.xml\""), "{json}");
    let summary = |name: &str| -> Value {
        let page = fs::read_to_string(desk.path().join(name)).expect("a page");
        let (_, data) = page.split_once("id=\"report\">").expect("data");
        serde_json::from_str(data.split_once("</script>").expect("an end").0).expect("JSON")
    };
    let data = summary("r.html");
    assert_eq!(
        (&data["title"], &data["objects"][0]["name"]),
        (&json!("scene and a"), &json!("reacher"))
    );
    assert_eq!(data["objects"][0]["path"], "scene.xml");
    let labels = data["objects"][0]["part_labels"].as_array().expect("labels").clone();
    let parts = data["objects"][0]["parts"].as_array().expect("parts").clone();
    assert!(labels.contains(&json!("base_link")) && parts.contains(&json!("ns:base_link")));
    desk.run(&["check", "-q", "a.obj", "b.obj", "c.obj", "-o", "r.html"]);
    assert_eq!(summary("r.html")["title"], "3 files");
}

/// Frames in which parts meet are spans of the incident's own, and no more than it has.
#[test]
fn pages_say_in_which_frames_parts_meet() {
    let desk = Desk::new();
    let run = desk.run(&["check", "-q", "--frames", "60-140x2", "-o", "r.html", "-o", "r.json"]);
    assert_eq!(run.code, 1, "{run:?}");
    let page = fs::read_to_string(desk.path().join("r.html")).expect("a page");
    let (_, data) = page.split_once("id=\"report\">").expect("data");
    let data: Value =
        serde_json::from_str(data.split_once("</script>").expect("an end").0).expect("JSON");
    let json = fs::read_to_string(desk.path().join("r.json")).expect("a file");
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let objects = data["objects"].as_array().expect("a list");
    let number = |value: &Value| value.as_u64().expect("a number");
    let name = |object: &Value, part: &Value| {
        &objects[number(object) as usize]["parts"][number(part) as usize]
    };
    let mut met = 0;
    for incident in data["incidents"].as_array().expect("a list") {
        for pair in incident["parts"].as_array().expect("a list") {
            // The frames that the contacts themselves say.
            let said = json["contacts"].as_array().expect("a list").iter().filter(|contact| {
                let of = |side: &str| &objects[number(&incident[side]) as usize]["name"];
                let frame = number(&contact["frame"]);
                let parts = contact["parts"].as_array().expect("a list");
                contact["a"] == *of("a")
                    && contact["b"] == *of("b")
                    && (number(&incident["first"])..=number(&incident["last"])).contains(&frame)
                    && parts.iter().any(|one| {
                        one["a"] == *name(&incident["a"], &pair["a"])
                            && one["b"] == *name(&incident["b"], &pair["b"])
                    })
            });
            let said: Vec<u64> = said.map(|contact| number(&contact["frame"])).collect();
            let ends: Vec<u64> =
                pair["spans"].as_array().expect("spans").iter().map(number).collect();
            let told: Vec<u64> =
                ends.chunks(2).flat_map(|ends| (ends[0]..=ends[1]).step_by(2)).collect();
            assert_eq!(told, said);
            met += told.len();
        }
    }
    assert!(met > 50, "{met}");
}
