//! What could touch and was not read, with every command that has an answer or writes one: a
//! warning `left-out`, `complete: false`, exit code 3; `--allow-left-out` takes it. And answers
//! about nothing.

use elbowroom_io::glb_out;
use serde_json::{Value, json};

use crate::desk::{Desk, Run, obj};
use crate::doors::{cube, goer};

/// What of a report says that something is missing.
fn is_told(report: &Value) -> bool {
    let warnings = report["warnings"].as_array().expect("warnings").iter();
    let kinds: Vec<_> = warnings.filter_map(|warning| warning["kind"].as_str()).collect();
    !kinds.is_empty() && kinds.iter().all(|kind| *kind == "left-out")
}

/// A body of which another scene of its file has a part.
fn goer_with_more() -> Vec<u8> {
    let bytes = goer();
    let length = u32::from_le_bytes(bytes[12..16].try_into().expect("a header")) as usize;
    let mut root: Value = serde_json::from_slice(&bytes[20..20 + length]).expect("JSON");
    let nodes = root["nodes"].as_array_mut().expect("nodes");
    let mesh = nodes.iter().find_map(|node| node.get("mesh").cloned()).expect("a mesh");
    nodes.push(json!({"mesh": mesh.as_u64().expect("a number") + 1, "name": "hat"}));
    let hat = nodes.len() - 1;
    let shape = root["meshes"][0].clone();
    root["meshes"].as_array_mut().expect("meshes").push(shape);
    root["scenes"].as_array_mut().expect("scenes").push(json!({"nodes": [hat]}));
    let mut text = root.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let rest = &bytes[20 + length..];
    let all = (20 + text.len() + rest.len()) as u32;
    let mut out = bytes[..8].to_vec();
    out.extend(all.to_le_bytes());
    out.extend((text.len() as u32).to_le_bytes());
    out.extend(&bytes[16..20]);
    out.extend(&text);
    out.extend(rest);
    out
}

fn desk() -> Desk {
    let desk = Desk::new();
    for frame in [1, 2, 5] {
        desk.put(&format!("cloth.{frame}.obj"), obj(&cube(0.5, glam::DVec3::ZERO)));
    }
    let surface = format!(
        "{}\ncstype bspline\ndeg 3 3\nsurf 0 1 0 1 1 2 3 4\nend\n",
        obj(&cube(0.5, glam::DVec3::ZERO))
    );
    desk.put("surface.obj", surface);
    desk.put("goer.glb", goer());
    desk.put("more.glb", goer_with_more());
    desk.put("ways.csv", "id,frame,x/m,y\n1,0,0,0\n1,10,1,0\n2,0,0,9\n2,10,1,9\n");
    desk
}

/// Commands whose input lacks something, each with what comes with `--allow-left-out`, and whether
/// there is an answer in JSON.
const LACKING: [(&[&str], i32, bool); 10] = [
    (&["clips", "cloth.#.obj", "cloth.#.obj", "--place-b", "9,9"], 0, true),
    (&["clips", "cloth.#.obj", "cloth.#.obj"], 1, true),
    (&["clips", "goer.glb", "more.glb", "--place-b", "0,9", "--exact"], 0, true),
    (&["crowd", "ways.csv", "--body", "more.glb", "--levels", "0"], 0, true),
    (&["crowd", "--stand", "goer.glb", "more.glb", "--levels", "0"], 0, true),
    (&["tree", "surface.obj"], 0, true),
    (&["check", "surface.obj", "goer.glb"], 1, true),
    (&["convert", "cloth.#.obj", "cloth.npz", "--force"], 0, false),
    (&["convert", "more.glb", "less.obj", "--force"], 0, false),
    (&["pose", "more.glb", "-o", "less.glb", "--force"], 0, false),
];

#[test]
fn every_command_says_what_it_did_not_read() {
    let desk = desk();
    for (arguments, code, is_report) in LACKING {
        let more: &[&str] = if is_report { &["--json", "--exit-zero"] } else { &[] };
        let more = if arguments[0] == "tree" { &more[..1] } else { more };
        let run = desk.run(&[arguments, more].concat());
        assert_eq!(run.code, 3, "{arguments:?}: {run:?}");
        let is_warned = run.err.contains("warning: ") && run.err.contains("left out of the check");
        assert!(is_warned && run.err.contains("error: incomplete"), "{}", run.err);
        assert!(run.err.contains("hint: --allow-left-out"), "{}", run.err);
        if is_report {
            let report = run.json();
            assert!(is_told(&report) && report["complete"] == false, "{arguments:?}: {report}");
        }
        let quiet = desk.run(&[arguments, &["-q"]].concat());
        assert!(quiet.code == 3 && quiet.err.contains("incomplete"), "{quiet:?}");
        assert!(!quiet.err.contains("warning: "), "{quiet:?}");
        let allowed = [arguments, &["--allow-left-out"]].concat();
        let run = desk.run(&allowed);
        assert_eq!(run.code, code, "{arguments:?}: {run:?}");
        assert!(run.err.contains("warning: ") && !run.err.contains("incomplete"), "{}", run.err);
        if is_report {
            let report = desk.run(&[&allowed[..], &["--json"]].concat()).json();
            assert!(is_told(&report) && report["complete"] == true, "{report}");
        }
    }
}

/// What is all there is complete, and needs no leave.
#[test]
fn what_is_all_there_is_complete() {
    let desk = desk();
    let whole: [&[&str]; 4] = [
        &["clips", "goer.glb", "goer.glb", "--place-b", "0,9"],
        &["crowd", "ways.csv", "--body", "goer.glb", "--levels", "0"],
        &["crowd", "--stand", "goer.glb", "goer.glb", "--levels", "0"],
        &["tree", "cloth.1.obj"],
    ];
    for arguments in whole {
        let run = desk.run(&[arguments, &["--json"]].concat());
        assert_eq!(run.code, 0, "{arguments:?}: {run:?}");
        let report = run.json();
        assert_eq!((&report["complete"], &report["warnings"]), (&json!(true), &json!([])));
    }
}

fn is_nothing(run: &Run, words: &str) {
    assert_eq!(run.code, 3, "{run:?}");
    assert!(run.err.contains("nothing was examined") && run.err.contains(words), "{}", run.err);
}

/// Motions that never move at once, and people who are never there at once.
#[test]
fn an_answer_about_nothing_is_not_clean() {
    let desk = desk();
    let apart = ["clips", "goer.glb", "goer.glb", "--start-b", "100"];
    let run = desk.run(&[&apart[..], &["--exit-zero"]].concat());
    is_nothing(&run, "never move at the same time");
    assert!(run.out.contains("Nothing examined"), "{}", run.out);
    let report = desk.run(&[&apart[..], &["--json"]].concat()).json();
    assert_eq!(report["complete"], false);
    assert_eq!(report["nothing_examined"], "they never move at the same time");
    // All offsets are an answer.
    let offsets = desk.run(&[&apart[..], &["--offsets", "--json"]].concat());
    assert_eq!((offsets.code, &offsets.json()["complete"]), (0, &json!(true)));
    desk.put("late.csv", "id,frame,x/m,y\n1,0,0,0\n1,10,1,0\n2,20,0,0\n2,30,1,0\n");
    let late = ["crowd", "late.csv", "--body", "goer.glb", "--levels", "0"];
    let run = desk.run(&[&late[..], &["--json"]].concat());
    is_nothing(&run, "no examined frame has two people");
    assert_eq!(run.json()["nothing_examined"], "no examined frame has two people");
    let table = desk.run(&late);
    assert!(table.out.contains("Nothing examined") && !table.out.contains("No pair"), "{table:?}");
}

/// A capture has joints and no skin: how far its disks reach is assumed, and said.
#[test]
fn what_clips_take_for_granted_is_said() {
    let desk = Desk::new();
    desk.put(
        "a.bvh",
        "HIERARCHY\nROOT hips\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\nJOINT head\n{\nOFFSET 0 1.7 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 .1 0\n}\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0 0 0 0\n1 0 0 0 0 0\n",
    );
    let assumed = |more: &[&str]| {
        let arguments = ["clips", "a.bvh", "a.bvh", "--place-b", "9,9", "--json"];
        let run = desk.run(&[&arguments[..], more].concat());
        assert_eq!(run.code, 0, "{run:?}");
        run.json()["assumed"].to_string()
    };
    assert!(assumed(&[]).contains("nothing is assumed to reach beyond"));
    assert!(!assumed(&["--radius", "0.5"]).contains("reach beyond"));
    assert!(!assumed(&["--exact", "--body", "make:man"]).contains("reach beyond"));
    desk.put("man.glb", glb_out::to_bytes(&[elbowroom_make::body::male()]).expect("a GLB"));
    let own = desk.run(&["clips", "man.glb", "man.glb", "--place-b", "9,9", "--json"]).json();
    assert_eq!(own["assumed"], json!([]));
}
