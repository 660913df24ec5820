//! What `elbowroom check` says that an answer means: kinds, solids, clearance, where.

use elbowroom::Mesh;
use glam::DVec3;
use serde_json::{Value, json};

use crate::desk::{Desk, Run, obj, shift};

fn cube(half: f64, x: f64) -> Mesh {
    let mesh = elbowroom_make::cuboid(DVec3::splat(half));
    let moved = mesh.vertices().iter().map(|&v| v + DVec3::X * x).collect();
    Mesh::new(moved, mesh.triangles().to_vec()).expect("a cube")
}

/// A cube, one that overlaps it by half with its sides in line, a small one inside, a copy, one
/// that is 2 cm away, and one without a lid.
fn desk() -> Desk {
    let desk = Desk::new();
    desk.put_obj("a.obj", &cube(0.5, 0.0));
    desk.put_obj("half.obj", &cube(0.5, 0.5));
    desk.put_obj("small.obj", &cube(0.25, 0.0));
    desk.put_obj("copy.obj", &cube(0.5, 0.0));
    desk.put_obj("near.obj", &cube(0.5, 1.015_625));
    let open = cube(0.5, 0.0);
    let lidless = Mesh::new(open.vertices().to_vec(), open.triangles()[2..].to_vec());
    desk.put_obj("open.obj", &lidless.expect("ten triangles"));
    desk
}

/// Two objects, read as plain meshes and as a shot.
fn both_ways(desk: &Desk, (a, b): (&str, &str), options: &[&str]) -> [Run; 2] {
    let scene =
        format!("[[model]]\nname = 'a'\nfile = '{a}'\n[[model]]\nname = 'b'\nfile = '{b}'\n");
    desk.put("scene.toml", scene);
    let plain = desk.run(&[&["check", a, b][..], options].concat());
    let shot = desk.run(&[&["check", "scene.toml"][..], options].concat());
    [plain, shot]
}

#[test]
fn kinds_as_surfaces_and_as_solids() {
    let desk = desk();
    let cases = [
        ("half.obj", Some("touching"), "crossing", None),
        ("small.obj", None, "containment", Some("b")),
        ("copy.obj", Some("duplicate"), "duplicate", None),
    ];
    let mut met = 0;
    for (b, surface, solid, inside) in cases {
        for run in both_ways(&desk, ("a.obj", b), &["--json"]) {
            assert_eq!(run.code, i32::from(surface.is_some()), "{b}: {run:?}");
            let report = run.json();
            assert_eq!((&report["mode"], report.get("clearance")), (&json!("surface"), None));
            let contact = &report["contacts"][0];
            assert_eq!(contact["kind"].as_str(), surface, "{b}");
            assert!(contact.get("certainty").is_none() && contact.get("point").is_none());
        }
        for run in both_ways(&desk, ("a.obj", b), &["--json", "--solid"]) {
            assert_eq!(run.code, 1, "{b}: {run:?}");
            let report = run.json();
            assert_eq!(report["mode"], "solid");
            let contact = &report["contacts"][0];
            assert_eq!(contact["kind"], solid, "{b}");
            assert_eq!(contact.get("inside").and_then(Value::as_str), inside, "{b}");
            assert_eq!(contact["certainty"], "exact");
            assert!(!run.err.contains("not closed"), "{}", run.err);
            met += 1;
        }
    }
    assert_eq!(met, 6);
}

#[test]
fn the_table_says_which_is_inside() {
    let desk = desk();
    for run in both_ways(&desk, ("small.obj", "a.obj"), &["--solid", "--clearance", "0.3"]) {
        let row = run.out.lines().nth(1).unwrap_or_default();
        assert!(row.contains("  a in b     -0.25"), "{}", run.out);
        assert!(
            run.out.contains("1 contact (containment), nothing else within 0.3"),
            "{}",
            run.out
        );
    }
    let [clear, _] = both_ways(&desk, ("small.obj", "a.obj"), &[]);
    assert!(clear.out.ends_with("no contact between surfaces\n"), "{}", clear.out);
    let [apart, _] = both_ways(&desk, ("small.obj", "near.obj"), &["--solid"]);
    assert!(apart.out.ends_with("no contact between solids\n"), "{}", apart.out);
}

#[test]
fn what_is_nearer_than_the_clearance_is_reported() {
    let desk = desk();
    for run in
        both_ways(&desk, ("a.obj", "near.obj"), &["--json", "--units", "m", "--clearance", "2cm"])
    {
        assert_eq!(run.code, 1, "{run:?}");
        let report = run.json();
        assert_eq!(report["clearance"], 0.02);
        let contact = &report["contacts"][0];
        assert_eq!(
            (&contact["kind"], &contact["distance"]),
            (&json!("clearance"), &json!(0.015_625))
        );
        assert_eq!(
            (&contact["triangle_pairs"], &contact["normal"]),
            (&json!(0), &json!([1.0, 0.0, 0.0]))
        );
        assert_eq!(contact["point"][0], 0.507_812_5);
    }
    for run in both_ways(&desk, ("a.obj", "near.obj"), &["--clearance=0.01"]) {
        assert_eq!(run.code, 0);
        assert!(
            run.out.contains("no contact between surfaces, nothing else within 0.01"),
            "{}",
            run.out
        );
    }
    let metres = ["--units", "m", "--clearance", "2cm"];
    for run in both_ways(&desk, ("a.obj", "near.obj"), &metres) {
        let head: Vec<_> = run.out.lines().next().unwrap_or_default().split_whitespace().collect();
        assert!(
            head.starts_with(&["a", "b", "kind", "distance", "(m)", "triangle", "pairs"]),
            "{}",
            run.out
        );
        assert!(run.out.contains("clearance        0.0156"), "{}", run.out);
        let summary = "no contact between surfaces, 1 more within 0.02 m";
        assert!(run.out.contains(summary), "{}", run.out);
    }
    // What meets has no distance; and plain files are in the unit that is said.
    let [met, _] = both_ways(&desk, ("a.obj", "half.obj"), &["--json", "--clearance", "0.02"]);
    assert_eq!(met.json()["contacts"][0]["distance"], 0.0);
    let millimetres =
        ["check", "a.obj", "near.obj", "--units", "mm", "--json", "--clearance", "0.02mm"];
    let run = desk.run(&millimetres);
    assert_eq!((run.code, &run.json()["clearance"]), (1, &json!(0.02)), "{run:?}");
}

#[test]
fn frames_and_poses_keep_their_distance() {
    let desk = desk();
    let poses = [3.0, 1.125, 1.0, 1.25].map(|x| shift(x, 0.0, 0.0));
    desk.put("way.json", format!("[{}]", poses.join(",")));
    let scene = "fps = 10\nframes = 4\n[[model]]\nname = 'a'\nfile = 'a.obj'\n\
        [[model]]\nname = 'b'\nfile = 'copy.obj'\nposes = 'way.json'\n";
    desk.put("moving.toml", scene);
    let plain = ["check", "a.obj", "copy.obj", "--poses", "way.json"];
    let shot = ["check", "moving.toml", "--frames", "0-3"];
    for command in [&plain[..], &shot[..]] {
        let run = desk.run(&[command, &["--clearance", "0.125", "--json"]].concat());
        let report = run.json();
        let contacts = report["contacts"].as_array().expect("a list");
        let found: Vec<_> =
            contacts.iter().map(|c| (&c["frame"], &c["kind"], &c["distance"])).collect();
        let (near, meets) = (json!("clearance"), json!("touching"));
        let expected = [(&json!(1), &near, &json!(0.125)), (&json!(2), &meets, &json!(0.0))];
        assert_eq!(found, expected, "{command:?}");
        assert_eq!(report["pairs_examined"], 4);
        let table = desk.run(&[command, &["--units", "m", "--clearance", "30cm"]].concat());
        // What is near before and after is of the same incident.
        let row: Vec<_> = table.out.lines().nth(1).unwrap_or_default().split_whitespace().collect();
        assert_eq!(row[..6], ["1–3", row[1], row[2], "touching", "2", "0"], "{}", table.out);
        assert!(table.out.contains("1 contact (touching), 2 more within 0.3"), "{}", table.out);
    }
}

#[test]
fn open_meshes_are_estimated_and_told_of() {
    let desk = desk();
    for run in both_ways(&desk, ("open.obj", "small.obj"), &["--solid", "--json"]) {
        let contact = &run.json()["contacts"][0];
        assert_eq!((&contact["kind"], &contact["inside"]), (&json!("containment"), &json!("b")));
        assert_eq!(contact["certainty"], "estimate: 4 boundary edges");
        let notes: Vec<_> = run.err.lines().filter(|line| line.contains("not closed")).collect();
        let [note] = notes[..] else { panic!("one note: {}", run.err) };
        assert!(note.starts_with("note: 1 of 2 objects is not closed"), "{note}");
        assert!(note.ends_with("(4 boundary edges)"), "{note}");
    }
    let [plain, _] = both_ways(&desk, ("open.obj", "small.obj"), &["--solid"]);
    assert!(plain.out.contains("b in a (estimate)"), "{}", plain.out);
    let [quiet, _] = both_ways(&desk, ("open.obj", "small.obj"), &["--solid", "--quiet"]);
    assert_eq!((quiet.code, quiet.out.as_str(), quiet.err.as_str()), (1, "", ""));
}

#[test]
fn where_says_the_point_and_who_goes_through_whom() {
    let desk = desk();
    let rod = elbowroom_make::cuboid(DVec3::new(2.0, 0.125, 0.125));
    desk.put("rod.obj", obj(&rod));
    for run in both_ways(&desk, ("a.obj", "rod.obj"), &["--where", "--json"]) {
        let contact = &run.json()["contacts"][0];
        assert_eq!((&contact["kind"], &contact["regions"]), (&json!("crossing"), &json!(2)));
        assert_eq!(contact["length"], 1.0);
        assert_eq!(contact["point"][0].as_f64().map(f64::abs), Some(0.5));
        let normal = contact["normal"].as_array().expect("a list");
        let length: f64 = normal.iter().filter_map(Value::as_f64).map(|x| x * x).sum();
        assert!((length - 1.0).abs() < 1e-12, "{normal:?}");
        assert!(contact.get("through").is_none() && contact.get("distance").is_none());
    }
    for run in both_ways(&desk, ("a.obj", "rod.obj"), &["--where", "--solid", "--json"]) {
        assert_eq!(run.json()["contacts"][0]["through"], "b", "{}", run.out);
    }
    for run in both_ways(&desk, ("a.obj", "rod.obj"), &["--where", "--solid"]) {
        assert!(run.out.contains("crossing, b through a"), "{}", run.out);
        assert!(run.out.lines().next().is_some_and(|head| head.contains("point")), "{}", run.out);
    }
}

#[test]
fn lengths_that_are_none_are_refused() {
    let desk = desk();
    let mut met = 0;
    for bad in ["-1", "-2cm", "nan", "inf", "", "2 yards", "cm", "1e999", "two"] {
        for run in both_ways(&desk, ("a.obj", "near.obj"), &["--clearance", bad]) {
            assert_eq!((run.code, run.out.as_str()), (2, ""), "{bad}: {run:?}");
            assert!(run.err.contains("give a length, such as 2cm"), "{bad}: {}", run.err);
            met += 1;
        }
    }
    assert_eq!(met, 18);
    for run in both_ways(&desk, ("a.obj", "near.obj"), &["--clearance", "1", "--touching=ignore"]) {
        assert!(run.code == 1 && run.out.contains("clearance"), "{run:?}");
    }
}

/// What only touches may be left out; solids that share space do not only touch.
#[test]
fn touching_is_ignored_by_meaning() {
    let desk = desk();
    let ignore = "--touching=ignore";
    // Their surfaces are in line and only touch; what they enclose overlaps.
    for mode in [&["--solid"][..], &[]] {
        let options = [&[ignore, "--json"], mode].concat();
        for run in both_ways(&desk, ("a.obj", "half.obj"), &options) {
            let contact = &run.json()["contacts"][0];
            assert_eq!(
                (&contact["kind"], &contact["triangle_pairs"]),
                (&json!("crossing"), &json!(0))
            );
        }
    }
    desk.put_obj("beside.obj", &cube(0.5, 1.0));
    for run in both_ways(&desk, ("a.obj", "beside.obj"), &[ignore, "--solid"]) {
        assert_eq!(run.code, 0, "{run:?}");
    }
}
