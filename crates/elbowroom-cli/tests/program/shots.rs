//! What moves: shots, scene files, sequences, robots.

use elbowroom_io::glb_out;
use glam::DVec3;
use serde_json::json;

use crate::desk::{Desk, obj, shift};

fn desk() -> Desk {
    let desk = Desk::new();
    desk.put("cube.obj", obj(&elbowroom_make::cuboid(DVec3::splat(0.5))));
    desk
}

const SCENE: &str = "\
fps = 10
frames = 4
[[model]]
name = 'box'
file = 'cube.obj'
[[model]]
name = 'lift'
file = 'make:cube'
poses = 'way.json'
";

fn scene_desk() -> Desk {
    let desk = desk();
    let poses: Vec<String> = [3.0, 1.5, 0.75, 0.75].iter().map(|y| shift(0.25, *y, 0.1)).collect();
    desk.put("way.json", format!("[{}]", poses.join(",")));
    desk.put("scene.toml", SCENE);
    desk
}

#[test]
fn a_scene_file_is_checked_frame_by_frame() {
    let desk = scene_desk();
    let run = desk.run(&["check", "scene.toml"]);
    assert_eq!(run.code, 1, "{run:?}");
    let row = run.out.lines().nth(1).unwrap_or_default();
    assert!(row.starts_with("2–3     box  lift  crossing"), "{}", run.out);
    assert!(run.out.ends_with("2 objects, 1 pair × 4 frames examined: 2 contacts (crossing)\n"));
    let report = desk.run(&["check", "scene.toml", "--json", "--triangles"]).json();
    assert_eq!((&report["fps"], &report["frames_examined"]), (&json!(10.0), &json!(4)));
    let contact = &report["contacts"][0];
    let listed = contact["triangles"].as_array().map(Vec::len);
    assert_eq!(contact["triangle_pairs"].as_u64(), listed.map(|n| n as u64));
    let clear = desk.run(&["check", "scene.toml", "--frames", "0-1"]);
    assert_eq!(clear.code, 0);
    assert!(clear.out.contains("1 pair × 2 frames examined: no contact"), "{}", clear.out);
    let some = desk.run(&["check", "scene.toml", "--frames", "0-3x3", "--json"]).json();
    assert_eq!((&some["frames_examined"], &some["contacts"][0]["frame"]), (&json!(2), &json!(3)));
}

#[test]
fn allowed_pairs_are_left_out() {
    let desk = scene_desk();
    desk.put("allowed.toml", format!("allow = [['box', 'l*']]\n{SCENE}"));
    let run = desk.run(&["check", "allowed.toml", "--json"]);
    assert_eq!((run.code, &run.json()["pairs_examined"]), (3, &json!(0)));
}

#[test]
fn a_shot_of_people_names_their_parts() {
    let desk = desk();
    let man = elbowroom_make::body::male();
    desk.put("man.glb", glb_out::to_bytes(&[man]).expect("a GLB"));
    let run = desk.run(&["check", "man.glb", "cube.obj", "--frames", "0-3", "--json"]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.err.contains("the clip \"idle\" (4.00 s) is played"), "{}", run.err);
    let report = run.json();
    assert_eq!(report["frames_examined"], 4);
    let parts = report["contacts"][0]["parts"].as_array().expect("a list");
    let named: Vec<_> = parts.iter().filter_map(|part| part["a"].as_str()).collect();
    assert!(named.iter().any(|part| part.contains("Leg")), "{named:?}");
    let other = desk.run(&["check", "man.glb", "cube.obj", "--clip", "idle", "--fps", "2"]);
    assert!(other.out.contains("× 9 frames"), "{}", other.out);
    let missing = desk.run(&["check", "man.glb", "cube.obj", "--clip", "fly"]);
    assert_eq!(missing.code, 2);
    assert!(
        missing.err.contains("no clip is called \"fly\"; there are 9 clips"),
        "{}",
        missing.err
    );
}

#[test]
fn units_bring_files_together() {
    let desk = desk();
    desk.put("big.ply", "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n-900 0 100\n900 0 100\n0 900 100\n3 0 1 2\n");
    let scene = |units: &str| {
        format!("[[model]]\nfile = 'cube.obj'\n[[model]]\nfile = 'big.ply'\nunits = '{units}'\n")
    };
    desk.put("m.toml", scene("m"));
    desk.put("mm.toml", scene("mm"));
    assert_eq!(desk.run(&["check", "m.toml"]).code, 0);
    assert_eq!(desk.run(&["check", "mm.toml"]).code, 1);
    assert_eq!(desk.run(&["check", "mm.toml", "--units", "miles"]).code, 2);
}

#[test]
fn numbered_files_move() {
    let desk = desk();
    for frame in 0..5 {
        let z = f64::from(frame) * 0.2 - 1.1;
        desk.put(
            &format!("cloth.{frame:02}.obj"),
            format!("v 0 0 {z}\nv 9 0 {z}\nv 0 9 {z}\nf 1 2 3\n"),
        );
    }
    let run = desk.run(&["check", "cloth.##.obj", "cube.obj", "--json"]);
    assert_eq!(run.code, 1, "{}", run.err);
    let report = run.json();
    assert_eq!(report["frames_examined"], 5);
    let frames: Vec<_> = report["contacts"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|c| c["frame"].as_u64())
        .collect();
    assert_eq!(frames, [3, 4]);
    // A frame that is no mesh is told of, and the others are examined.
    desk.put("cloth.03.obj", "v 0 0 0\n");
    let broken = desk.run(&["check", "cloth.##.obj", "cube.obj", "--json"]);
    assert_eq!(broken.code, 3, "{}", broken.err);
    assert!(
        broken.err.contains("cloth.03.obj") && broken.err.contains("frame 3"),
        "{}",
        broken.err
    );
    let report = broken.json();
    assert_eq!((&report["complete"], &report["frames_examined"]), (&json!(false), &json!(4)));
    assert_eq!(report["frames_unreadable"][0]["frame"], 3);
    assert_eq!(report["contacts"].as_array().map(Vec::len), Some(1));
    let table = desk.run(&["check", "cloth.##.obj", "cube.obj"]);
    assert!(table.out.contains("1 pair × 4 of 5 frames examined: 1 contact"), "{}", table.out);
    // If no frame is left, nothing was examined.
    let nothing = desk.run(&["check", "cloth.##.obj", "cube.obj", "--frames", "3"]);
    assert_eq!((nothing.code, nothing.out.as_str()), (2, ""), "{}", nothing.err);
}

#[test]
fn a_robot_may_meet_itself() {
    let desk = Desk::new();
    let robot = "<mujoco><worldbody><body name='a'><joint axis='0 0 1'/><geom type='box' size='1 .1 .1'/>\
        <body name='b' pos='1 0 0'><joint axis='0 0 1'/><geom type='box' size='.2 .2 .2'/>\
        <body name='c' pos='-1 0 0'><joint axis='0 0 1'/><geom type='box' size='.3 .3 .3'/></body></body></body>\
        </worldbody></mujoco>";
    desk.put("robot.xml", robot);
    let alone = desk.run(&["check", "robot.xml"]);
    assert_eq!(alone.code, 2);
    assert!(
        alone.err.contains("takes two to touch") && alone.err.contains("--self"),
        "{}",
        alone.err
    );
    let own = desk.run(&["check", "robot.xml", "--self", "--json"]);
    assert_eq!(own.code, 1, "{}", own.err);
    let parts = own.json()["contacts"][0]["parts"].clone();
    // Neighbours are joined; the first link and the last are not.
    let pairs: Vec<_> =
        parts.as_array().expect("a list").iter().map(|p| (&p["a"], &p["b"])).collect();
    assert_eq!(pairs, [(&json!("a"), &json!("c"))]);
}

/// A mesh without parts is compared with itself, but for what its triangles share.
#[test]
fn a_mesh_may_meet_itself() {
    let desk = Desk::new();
    let strip = |last: &str| {
        format!(
            "v 0 0 0\nv 0 1 0\nv 1 0 0\nv 1 1 0\nv {last} 0 0\nv {last} 1 0\nf 1 3 4 2\nf 3 5 6 4\n"
        )
    };
    desk.put("flat.obj", strip("2"));
    desk.put("folded.obj", strip("0.5"));
    let flat = desk.run(&["check", "flat.obj", "--self", "--json"]);
    assert_eq!((flat.code, flat.json()["contacts"].as_array().map(Vec::len)), (0, Some(0)));
    let folded = desk.run(&["check", "folded.obj", "--self", "--json"]);
    assert_eq!(folded.code, 1, "{}", folded.err);
    let contact = &folded.json()["contacts"][0];
    assert_eq!((&contact["a"], &contact["b"]), (&json!("folded"), &json!("folded")));
    // Both halves of one square lie on both of the other, and none of them crosses.
    assert_eq!((&contact["triangle_pairs"], &contact["crossing_pairs"]), (&json!(4), &json!(0)));
}

#[test]
fn what_makes_no_sense_is_refused() {
    let desk = scene_desk();
    desk.put("bad.toml", "fps = 30\n[[model]]\nfile = 'cube.obj'\nscal = 2\n");
    let cases: [(&[&str], &str); 9] = [
        (&["bad.toml"], "bad.toml:4:1: [[model]] has no `scal`; is it `scale`?"),
        (&["none.toml"], "none.toml: no such file"),
        (&["scene.toml", "cube.obj"], "a scene file cannot be checked beside other files"),
        (&["scene.toml", "--fps", "25"], "--fps cannot be used with a scene file"),
        (&["scene.toml", "--clip", "x"], "--clip cannot be used with a scene file"),
        (&["scene.toml", "--poses", "way.json"], "--poses moves plain meshes"),
        (&["none.glb", "cube.obj"], "none.glb: no such file"),
        (&["cube.obj", "x.####.obj"], "x.####.obj"),
        (&["cube.obj", "what.xyz"], "what.xyz"),
    ];
    let mut met = 0;
    for (arguments, words) in cases {
        let run = desk.run(&[&["check"], arguments].concat());
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{arguments:?}: {run:?}");
        assert!(
            run.err.contains(words) && run.err.contains("hint: "),
            "{arguments:?}: {}",
            run.err
        );
        met += 1;
    }
    assert_eq!(met, 9);
    for arguments in [["--frames", "9-3"], ["--fps", "0"], ["--up", "w"], ["--units", "0"]] {
        assert_eq!(desk.run(&[&["check"][..], &arguments].concat()).code, 2, "{arguments:?}");
    }
}
