//! What `elbowroom check` finds.

use crate::desk::{Desk, shift};
use elbowroom::Mesh;
use elbowroom_testkit::brute::{Soup, all_pairs};
use elbowroom_testkit::oracle::{PlainPose, Relation};
use glam::DVec3;
use serde_json::{Value, json};

fn cube() -> Mesh {
    elbowroom_make::cuboid(DVec3::ONE)
}

#[test]
fn the_built_in_people_collide() {
    let desk = Desk::new();
    let run = desk.run(&["check"]);
    assert_eq!(run.code, 1);
    assert!(run.err.contains("generated people"), "{}", run.err);
    let lines: Vec<&str> = run.out.lines().collect();
    let head: Vec<&str> = lines[0].split_whitespace().collect();
    assert_eq!(head, ["frames", "a", "b", "kind", "worst", "triangle", "pairs", "parts"]);
    let row: Vec<&str> = lines[1].split_whitespace().collect();
    assert_eq!(row[3], "crossing");
    assert!(row[6].contains('–'), "two parts: {}", lines[1]);
    let last = lines[lines.len() - 1];
    assert!(last.starts_with("38 objects, 703 pairs × 241 frames examined: "), "{last}");
    // Few enough to be read at once, and only those who are meant to: no two people who keep to
    // their lanes meet.
    let rows: Vec<&str> = lines[1..].iter().take_while(|line| !line.is_empty()).copied().collect();
    assert!((8..=20).contains(&rows.len()), "{}", run.out);
    let strays = ["Faye", "Gero", "Hana", "Igor", "Jana", "Karl", "Lara", "Milo"];
    for row in rows {
        let words: Vec<&str> = row.split_whitespace().collect();
        assert!(strays.contains(&words[1]) || strays.contains(&words[2]), "{row}");
    }
}

#[test]
fn the_built_in_scene_writes_its_report() {
    const NAME: &str = "elbowroom-report.html";
    let desk = Desk::new();
    let path = desk.path().join(NAME);
    let short = ["check", "--frames", "100-110"];
    let run = desk.run(&short);
    assert_eq!(run.code, 1);
    assert!(run.err.contains(&format!("note: wrote {NAME} (")), "{}", run.err);
    let first = std::fs::read(&path).expect("a report");
    assert!(first.starts_with(b"<!DOCTYPE html>") && first.len() > 700_000);
    // A report gives way to the next, whatever else is there does not.
    assert!(desk.run(&["check", "--frames", "100-104"]).err.contains("wrote"));
    assert!(std::fs::read(&path).is_ok_and(|second| second != first));
    desk.put(NAME, "<html>mine</html>");
    let kept = desk.run(&short);
    assert_eq!((kept.code, &kept.out), (1, &run.out));
    assert!(kept.err.contains("is not a report, so no report was written"), "{}", kept.err);
    assert!(std::fs::read(&path).is_ok_and(|text| text == b"<html>mine</html>"));
    std::fs::remove_file(&path).expect("it is there");
    // A user who names the outputs, or reads by a program, gets these alone.
    for more in [&["-o", "x.csv"][..], &["--json"], &["--ndjson"], &["-q"]] {
        let run = desk.run(&[&short[..], more].concat());
        assert_eq!(run.code, 1, "{more:?}");
        assert!(!path.exists() && !run.err.contains("wrote"), "{more:?}: {}", run.err);
    }
    // A folder that cannot be written to, which this one is as well: something that cannot be
    // replaced lies there.
    std::fs::create_dir(&path).expect("a folder");
    let blocked = desk.run(&short);
    assert_eq!((blocked.code, &blocked.out), (1, &run.out));
    assert!(blocked.err.contains("no report was written"), "{}", blocked.err);
}

#[test]
fn json_has_the_fields_it_promises() {
    let run = Desk::new().run(&["check", "--json", "--frames", "80-120"]);
    assert_eq!(run.code, 1);
    let report = run.json();
    assert_eq!((&report["schema_version"], &report["unit"]), (&json!(2), &json!("m")));
    assert_eq!(report["mode"], "surface");
    assert_eq!(report["touching"], "count");
    assert_eq!(report["fps"], 30.0);
    assert_eq!(report["frames_examined"], 41);
    assert_eq!(report["pairs_examined"], 703 * 41);
    let ben = &report["objects"][1];
    assert_eq!((&ben["name"], &ben["path"]), (&json!("Ben"), &Value::Null));
    assert!(ben["triangles"].as_u64() > Some(2000) && ben["vertices"].as_u64() > Some(1000));
    let contacts = report["contacts"].as_array().expect("a list");
    assert!(contacts.len() > 10, "{}", contacts.len());
    let is_couple = |contact: &&Value| contact["a"] == "Faye" && contact["b"] == "Gero";
    let first = contacts.iter().find(is_couple).expect("they walk too close");
    assert_eq!(first["kind"], "crossing");
    assert!(first["triangle_pairs"].as_u64() >= first["crossing_pairs"].as_u64());
    assert!(first.get("triangles").is_none());
    for contact in contacts {
        let parts = contact["parts"].as_array().expect("a list");
        let counts: Vec<u64> = parts.iter().filter_map(|p| p["triangle_pairs"].as_u64()).collect();
        assert!(counts.is_sorted_by(|a, b| a >= b), "the most first: {counts:?}");
        assert_eq!(contact["triangle_pairs"], counts.iter().sum::<u64>());
        assert!(parts[0]["a"].as_str().is_some_and(|part| !part.is_empty()));
    }
}

#[test]
fn plain_meshes_have_no_parts_and_no_rate() {
    let desk = Desk::new();
    desk.put_obj("a.obj", &cube());
    let report = desk.run(&["check", "a.obj", "a.obj", "--json"]).json();
    assert!(report.get("fps").is_none() && report["contacts"][0].get("parts").is_none());
    assert_eq!(
        report["objects"][0],
        json!({"name": "a", "path": "a.obj", "vertices": 8, "triangles": 12})
    );
}

#[test]
fn cubes_apart_touching_and_crossing() {
    let desk = Desk::new();
    desk.put_obj("a.obj", &cube());
    let cases = [
        (DVec3::new(2.5, 0.0, 0.0), 0, None),
        (DVec3::new(2.0_f64.next_up(), 0.0, 0.0), 0, None),
        (DVec3::new(2.0, 0.0, 0.0), 1, Some("touching")),
        (DVec3::new(2.0, 2.0, -2.0), 1, Some("touching")),
        (DVec3::new(1.0, 0.0, 0.0), 1, Some("touching")),
        (DVec3::new(1.0, 0.25, 0.5), 1, Some("crossing")),
    ];
    let mut met = 0;
    for (offset, code, kind) in cases {
        let vertices = cube().vertices().iter().map(|&v| v + offset).collect();
        let moved = Mesh::new(vertices, cube().triangles().to_vec()).expect("a cube");
        desk.put_obj("b.obj", &moved);
        let run = desk.run(&["check", "a.obj", "b.obj", "--json"]);
        assert_eq!(run.code, code, "{offset}: {run:?}");
        let report = run.json();
        assert_eq!(report["contacts"][0]["kind"].as_str(), kind, "{offset}");
        assert_eq!(report["pairs_examined"], 1);
        assert_eq!(report["contacts"].as_array().map(Vec::len), Some(usize::from(kind.is_some())));
        met += 1;
    }
    assert_eq!(met, 6);
}

#[test]
fn touching_can_be_left_out() {
    let desk = Desk::new();
    desk.put_obj("a.obj", &cube());
    desk.put("touch.json", format!("[{}]", shift(2.0, 0.0, 0.0)));
    desk.put("cross.json", format!("[{}]", shift(1.0, 0.25, 0.5)));
    let run = |poses, touching| {
        let touching = format!("--touching={touching}");
        desk.run(&["check", "a.obj", "a.obj", "--json", "--poses", poses, &touching])
    };
    assert_eq!(run("touch.json", "count").code, 1);
    let ignored = run("touch.json", "ignore");
    assert_eq!(ignored.code, 0);
    assert_eq!(ignored.json()["contacts"], json!([]));
    assert_eq!(ignored.json()["touching"], "ignore");
    let crossing = &run("cross.json", "ignore").json()["contacts"][0];
    assert_eq!(crossing["triangle_pairs"], crossing["crossing_pairs"]);
    assert!(crossing["crossing_pairs"].as_u64() > Some(0));
}

/// Boxes that overlap with their sides in line, and copies in one place, only touch as surfaces;
/// who leaves out touching does not mean them.
#[test]
fn overlap_in_line_is_more_than_touching() {
    let desk = Desk::new();
    desk.put_obj("a.obj", &cube());
    let shifts = [(2.0, "touching"), (1.0, "crossing"), (0.0, "duplicate")];
    for (x, kind) in shifts {
        desk.put("p.json", format!("[{}]", shift(x, 0.0, 0.0)));
        let run = |option: &[&str]| {
            desk.run(
                &[&["check", "a.obj", "a.obj", "--json", "--poses", "p.json"], option].concat(),
            )
        };
        let surface = run(&[]);
        assert_eq!(
            (surface.code, &surface.json()["contacts"][0]["crossing_pairs"]),
            (1, &json!(0))
        );
        let ignored = run(&["--touching", "ignore"]);
        let report = ignored.json();
        let met = report["contacts"][0]["kind"].as_str().unwrap_or("touching");
        assert_eq!((met, ignored.code), (kind, i32::from(x < 2.0)), "{report}");
    }
}

#[test]
fn poses_are_frames() {
    let desk = Desk::new();
    desk.put_obj("a.obj", &cube());
    let poses = [shift(5.0, 0.0, 0.0), shift(2.0, 0.0, 0.0), shift(1.0, 0.25, 0.5)];
    desk.put("poses.json", format!("[{}]", poses.join(",\n")));
    let run = desk.run(&["check", "a.obj", "a.obj", "--poses", "poses.json", "--json"]);
    assert_eq!(run.code, 1);
    let report = run.json();
    assert_eq!(report["frames_examined"], 3);
    assert_eq!(report["pairs_examined"], 3);
    let contacts = report["contacts"].as_array().expect("a list");
    let found: Vec<_> = contacts.iter().map(|c| (&c["frame"], &c["kind"])).collect();
    assert_eq!(found, [(&json!(1), &json!("touching")), (&json!(2), &json!("crossing"))]);
    assert_eq!(contacts[0]["a"], "a");
    assert_eq!(contacts[0]["b"], "a #2");
}

#[test]
fn the_second_mesh_moves_and_all_pairs_are_examined() {
    let desk = Desk::new();
    desk.put_obj("a.obj", &cube());
    let poses: Vec<String> = (0..6).map(|x| shift(f64::from(x), 0.25, 0.5)).collect();
    desk.put("poses.json", format!("[{}]", poses.join(",")));
    let files = ["check", "a.obj", "a.obj", "a.obj", "--poses", "poses.json"];
    let table = desk.run(&files);
    let expected = "\
frames  a     b     kind       worst  triangle pairs
0–5     a     a #3  duplicate      0";
    assert!(table.out.starts_with(expected), "{}", table.out);
    let moving = "0–2     a     a #2  crossing";
    assert!(table.out.contains(moving), "{}", table.out);
    let last = table.out.lines().last().unwrap_or_default();
    assert!(last.starts_with("3 objects, 3 pairs × 6 frames examined: 1"), "{last}");

    let report = desk.run(&[&files[..], &["--json"]].concat()).json();
    assert_eq!(report["pairs_examined"], 18);
    let contacts = report["contacts"].as_array().expect("a list");
    let frames_of = |a: &str, b: &str| {
        let of_pair = contacts.iter().filter(|c| c["a"] == a && c["b"] == b);
        of_pair.filter_map(|c| c["frame"].as_u64()).collect::<Vec<_>>()
    };
    assert_eq!(frames_of("a", "a #2"), [0, 1, 2]);
    assert_eq!(frames_of("a", "a #3"), [0, 1, 2, 3, 4, 5]);
    assert_eq!(frames_of("a #2", "a #3"), [0, 1, 2]);
}

fn soup(mesh: &Mesh) -> Soup {
    Soup {
        vertices: mesh.vertices().iter().map(DVec3::to_array).collect(),
        triangles: mesh.triangles().to_vec(),
    }
}

#[test]
fn triangles_are_those_of_the_oracle() {
    let desk = Desk::new();
    let shapes = [
        ("ball.obj", elbowroom_make::bumpy_sphere(3, 0.3, 5)),
        ("ring.obj", elbowroom_make::wrinkled_torus(14, 10)),
        ("cube.obj", cube()),
    ];
    for (name, mesh) in &shapes {
        desk.put_obj(name, mesh);
    }
    let poses = [
        PlainPose::IDENTITY,
        PlainPose {
            r: [[0.6, -0.8, 0.0], [0.8, 0.6, 0.0], [0.0, 0.0, 1.0]],
            t: [0.5, 0.25, -0.125],
        },
        PlainPose { r: [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]], t: [1.0, 0.0, 2.0] },
    ];
    let rows = |p: &PlainPose| {
        let row = |i: usize| vec![p.r[i][0], p.r[i][1], p.r[i][2], p.t[i]];
        vec![row(0), row(1), row(2), vec![0.0, 0.0, 0.0, 1.0]]
    };
    desk.put("poses.json", json!(poses.iter().map(rows).collect::<Vec<_>>()).to_string());

    let (mut met, mut clear) = ([0_usize; 2], 0);
    for (a, first) in &shapes {
        for (b, second) in &shapes {
            let run = desk.run(&["check", a, b, "--poses", "poses.json", "--json", "--triangles"]);
            let report = run.json();
            for (frame, pose) in poses.iter().enumerate() {
                let truth = all_pairs(&soup(first), &PlainPose::IDENTITY, &soup(second), pose);
                let contacts = report["contacts"].as_array().expect("a list");
                let contact = contacts.iter().find(|c| c["frame"] == frame);
                let Some(contact) = contact else {
                    assert!(truth.is_empty(), "{a} {b} {frame}");
                    clear += 1;
                    continue;
                };
                let pairs: Vec<Value> = truth.iter().map(|&(i, j, _)| json!([i, j])).collect();
                assert_eq!(contact["triangles"], Value::Array(pairs), "{a} {b} {frame}");
                let crossing = truth.iter().filter(|t| t.2 == Relation::Crossing).count();
                assert_eq!(contact["triangle_pairs"], truth.len());
                assert_eq!(contact["crossing_pairs"], crossing);
                let kind = match crossing {
                    _ if a == b && frame == 0 => "duplicate",
                    0 => "touching",
                    _ => "crossing",
                };
                assert_eq!(contact["kind"], kind, "{a} {b} {frame}");
                met[usize::from(crossing > 0)] += 1;
            }
        }
    }
    assert_eq!(met.iter().sum::<usize>() + clear, 27);
    assert!(met[0] >= 3 && met[1] >= 10 && clear >= 1, "{met:?} {clear}");
}
