//! What `elbowroom check --depth` says: how deep, how much.

use elbowroom::Mesh;
use glam::DVec3;

use crate::desk::{Desk, Run};

fn cuboid(half: DVec3, shift: DVec3) -> Mesh {
    let mesh = elbowroom_make::cuboid(half);
    let moved = mesh.vertices().iter().map(|&v| v + shift).collect();
    Mesh::new(moved, mesh.triangles().to_vec()).expect("a box")
}

/// A cube, one that overlaps it by a quarter, a small one inside, a copy, one that touches, and one
/// without a lid.
fn desk() -> Desk {
    let desk = Desk::new();
    let cube = |x: f64| cuboid(DVec3::splat(0.5), DVec3::X * x);
    desk.put_obj("a.obj", &cube(0.0));
    desk.put_obj("quarter.obj", &cube(0.75));
    desk.put_obj("small.obj", &cuboid(DVec3::splat(0.125), DVec3::X * 0.25));
    desk.put_obj("copy.obj", &cube(0.0));
    desk.put_obj("beside.obj", &cube(1.0));
    let open = cube(0.75);
    let lidless = Mesh::new(open.vertices().to_vec(), open.triangles()[2..].to_vec());
    desk.put_obj("open.obj", &lidless.expect("ten triangles"));
    desk
}

/// Two objects, read as plain meshes and as a shot.
fn both_ways(desk: &Desk, b: &str, options: &[&str]) -> [Run; 2] {
    let scene =
        format!("[[model]]\nname = 'a'\nfile = 'a.obj'\n[[model]]\nname = 'b'\nfile = '{b}'\n");
    desk.put("scene.toml", scene);
    let plain = desk.run(&[&["check", "a.obj", b][..], options].concat());
    let shot = desk.run(&[&["check", "scene.toml"][..], options].concat());
    [plain, shot]
}

#[test]
fn depth_volume_and_areas_are_those_of_boxes() {
    let desk = desk();
    let mut met = 0;
    for (b, kind, depth, volume, areas) in [
        ("quarter.obj", "crossing", 0.25, 0.25, [2.0, 2.0]),
        ("small.obj", "containment", 0.375, 0.015_625, [0.0, 0.375]),
        ("copy.obj", "duplicate", 0.5, 1.0, [6.0, 6.0]),
        ("beside.obj", "touching", 0.0, 0.0, [0.0, 0.0]),
    ] {
        for run in both_ways(&desk, b, &["--depth", "--json"]) {
            assert_eq!(run.code, 1, "{b}: {run:?}");
            let report = run.json();
            assert_eq!(report["mode"], "solid");
            assert!(report["depth_means"].as_str().is_some_and(|text| text.contains("boundary")));
            let contact = &report["contacts"][0];
            assert_eq!(contact["kind"], kind, "{b}");
            let number = |field: &str| contact[field].as_f64().unwrap_or(f64::NAN);
            assert!(
                number("depth") <= depth + 1e-9 && depth <= number("depth_upper") + 1e-9,
                "{contact}"
            );
            assert!(number("depth_upper") - number("depth") < 2e-4, "{contact}");
            assert!((number("volume") - volume).abs() < 1e-9, "{contact}");
            assert!((number("area_a") - areas[0]).abs() < 1e-9, "{contact}");
            assert!((number("area_b") - areas[1]).abs() < 1e-9, "{contact}");
            assert_eq!(contact["depth_certainty"], "exact", "{contact}");
            assert_eq!(contact.get("depth_point").is_some(), depth > 0.0, "{contact}");
            met += 1;
        }
    }
    assert_eq!(met, 8);
}

#[test]
fn the_table_names_the_deepest_and_says_what_depth_is() {
    let desk = desk();
    for run in both_ways(&desk, "quarter.obj", &["--depth"]) {
        let mut lines = run.out.lines();
        let head = lines.next().unwrap_or_default();
        assert!(head.contains("depth  volume"), "{}", run.out);
        let row = lines.next().unwrap_or_default();
        assert!(row.contains("crossing") && row.contains("0.25"), "{}", run.out);
        assert!(
            run.out.contains("depth is the farthest that a point of one boundary"),
            "{}",
            run.out
        );
    }
    // What is not closed is marked, in the table and in the JSON.
    for run in both_ways(&desk, "open.obj", &["--depth"]) {
        assert!(run.out.contains('~') && run.out.contains("(estimate)"), "{}", run.out);
    }
    for run in both_ways(&desk, "open.obj", &["--depth", "--json"]) {
        let certainty = run.json()["contacts"][0]["depth_certainty"].clone();
        assert!(
            certainty.as_str().is_some_and(|text| text.starts_with("estimate: ")),
            "{certainty}"
        );
    }
    // Without the option there is no depth.
    for run in both_ways(&desk, "quarter.obj", &["--json", "--solid"]) {
        assert!(run.json()["contacts"][0].get("depth").is_none(), "{}", run.out);
    }
}
