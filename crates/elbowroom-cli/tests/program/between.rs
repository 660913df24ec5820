//! What comes together between frames: `check --continuous`.

use glam::DVec3;
use serde_json::json;

use crate::desk::{Desk, obj, shift};

/// A wall, and a small box that is on one side of it in a frame and on the other in the next.
fn desk() -> Desk {
    let desk = Desk::new();
    desk.put("wall.obj", obj(&elbowroom_make::cuboid(DVec3::new(0.01, 2.0, 2.0))));
    desk.put("bullet.obj", obj(&elbowroom_make::cuboid(DVec3::splat(0.05))));
    let way: Vec<String> = [-4.0, -2.0, 2.0, 0.0].iter().map(|x| shift(*x, 0.1, 0.2)).collect();
    desk.put("way.json", format!("[{}]", way.join(",")));
    let scene = "fps = 10\nframes = 4\n[[model]]\nname = 'wall'\nfile = 'wall.obj'\n\
        [[model]]\nname = 'bullet'\nfile = 'bullet.obj'\nposes = 'way.json'\n";
    desk.put("scene.toml", scene);
    desk
}

/// The box is at the wall when its face is: 0.06 before the middle.
const PASSES: f64 = 1.0 + (2.0 - 0.06) / 4.0;
const BEGINS: f64 = 2.0 + (2.0 - 0.06) / 2.0;

#[test]
fn a_bullet_does_not_tunnel() {
    let desk = desk();
    for command in [
        vec!["check", "scene.toml"],
        vec!["check", "wall.obj", "bullet.obj", "--poses", "way.json"],
    ] {
        let report = desk.run(&[&command[..], &["--json"]].concat()).json();
        assert!(report.get("between").is_none());
        let run = desk.run(&[&command[..], &["--continuous", "--json"]].concat());
        assert_eq!(run.code, 1, "{}", run.err);
        let report = run.json();
        assert_eq!(report["contacts"].as_array().map(Vec::len), Some(1));
        let between = report["between"].as_array().expect("a list");
        let told: Vec<_> = between.iter().map(|entry| entry["what"].as_str()).collect();
        assert_eq!(told, [Some("passes"), Some("begins")]);
        for (entry, expected) in between.iter().zip([PASSES, BEGINS]) {
            let frame = entry["frame"].as_f64().expect("a number");
            assert!(frame <= expected && frame > expected - 1e-6, "{entry} {expected}");
            assert!((entry["point"][0].as_f64().expect("a number").abs() - 0.01).abs() < 1e-6);
        }
        let table = desk.run(&[&command[..], &["--continuous"]].concat());
        assert!(table.out.contains("between frames  a"), "{}", table.out);
        assert!(table.out.contains("1.485"), "{}", table.out);
        let end = "2 beginnings between frames, 1 seen in no frame\n";
        assert!(table.out.ends_with(end), "{}", table.out);
    }
}

#[test]
fn what_passes_unseen_is_a_contact() {
    let desk = desk();
    let frames = ["--frames", "0-2"];
    let clean = desk.run(&[&["check", "scene.toml"], &frames[..]].concat());
    assert_eq!(clean.code, 0, "{}", clean.out);
    let run = desk.run(&[&["check", "scene.toml", "--continuous"], &frames[..]].concat());
    assert_eq!(run.code, 1, "{}", run.out);
    let quiet =
        desk.run(&[&["check", "scene.toml", "--continuous", "--quiet"], &frames[..]].concat());
    assert_eq!((quiet.code, quiet.out.as_str()), (1, ""));
    let still = desk.run(&["check", "scene.toml", "--continuous", "--frames", "0-1"]);
    assert_eq!(still.code, 0, "{}", still.out);
    assert!(still.out.contains("no contact begins between frames"), "{}", still.out);
    // Every other frame: from the first to the third it goes through the wall as well.
    let other = desk.run(&["check", "scene.toml", "--continuous", "--frames", "0-2x2", "--json"]);
    let frame = other.json()["between"][0]["frame"].as_f64().expect("a number");
    assert!((frame - 2.0 * (4.0 - 0.06) / 6.0).abs() < 1e-6, "{frame}");
}

#[test]
fn allowed_pairs_and_odd_requests() {
    let desk = desk();
    let scene = std::fs::read_to_string(desk.path().join("scene.toml")).expect("a scene");
    desk.put("allowed.toml", format!("allow = [['wall', 'bullet']]\n{scene}"));
    let run = desk.run(&["check", "allowed.toml", "--continuous", "--json"]);
    // Nothing is left to be examined.
    assert_eq!((run.code, &run.json()["between"]), (3, &json!([])));
    let odd = desk.run(&["check", "scene.toml", "--continuous", "--touching", "ignore"]);
    assert_eq!((odd.code, odd.out.as_str()), (2, ""));
    assert!(odd.err.contains("--continuous"), "{}", odd.err);
}

/// A sheet of three strips whose last one closes onto the first, and goes through it.
#[test]
fn a_sheet_goes_through_itself() {
    let desk = Desk::new();
    for (frame, lid) in [(0, (2.0, 1.0)), (1, (0.2, -1.0)), (2, (0.2, -1.0))] {
        let rows = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), lid];
        let points = rows.map(|(x, z)| format!("v {x} 0 {z}\nv {x} 1 {z}\n")).concat();
        let faces = "f 1 3 2\nf 2 3 4\nf 3 5 4\nf 4 5 6\nf 5 7 6\nf 6 7 8\n";
        desk.put(&format!("sheet.{frame}.obj"), format!("{points}{faces}"));
    }
    let run = desk.run(&["check", "sheet.#.obj", "--self", "--continuous", "--json"]);
    assert_eq!(run.code, 1, "{}", run.err);
    let between = &run.json()["between"];
    assert_eq!(between.as_array().map(Vec::len), Some(1), "{between}");
    let frame = between[0]["frame"].as_f64().expect("a number");
    assert!(frame > 0.3 && frame < 0.7, "{between}");
    assert_eq!((&between[0]["a"], &between[0]["what"]), (&between[0]["b"], &json!("begins")));
}

/// A box of half a metre that walks along x by a file, at a check of one frame a second, and a post
/// in its way. Frames are at 0 s and 1 s.
fn walk(ways: &str, post: f64) -> crate::desk::Run {
    let desk = Desk::new();
    desk.put("box.obj", obj(&elbowroom_make::cuboid(DVec3::splat(0.25))));
    desk.put("goer.glb", crate::doors::goer());
    // The shot begins with the first sample: that of a person far away.
    desk.put("ways.csv", format!("id,frame,x/m,y\n9,0,50,50\n9,20,50,50\n{ways}"));
    let scene = format!(
        "fps = 1\nframes = 3\n[[crowd]]\ntrajectories = 'ways.csv'\nfps = 10\ncharacters = ['goer.glb']\n\
         [[model]]\nname = 'post'\nfile = 'make:cube'\nscale = 0.1\nposition = [{post}, 0.5, 0]\n"
    );
    desk.put("crowd.toml", scene);
    desk.run(&["check", "crowd.toml", "--continuous", "--json"])
}

/// Who leaves between frames is compared up to then, and who comes from then on.
#[test]
fn who_comes_or_goes_between_frames_is_compared() {
    // From 2 m before the post to 2 m behind it within half a second, in the middle of two frames.
    let through = "1,2,-2,0\n1,7,2,0\n";
    let leaves = "1,0,-2,0\n1,7,2,0\n";
    let comes = "1,3,-2,0\n1,10,2,0\n";
    for (ways, from, to) in [(through, 0.2, 0.7), (leaves, 0.0, 0.7), (comes, 0.3, 1.0)] {
        let run = walk(ways, 0.0);
        assert_eq!(run.code, 1, "{ways}: {run:?}");
        let between = run.json()["between"].clone();
        assert_eq!(between.as_array().map(Vec::len), Some(1), "{ways}: {between}");
        let frame = between[0]["frame"].as_f64().expect("a number");
        // The cube of `make:` is of half a metre, so of 5 cm here.
        let half = 0.25 + 0.1 * 0.5;
        let expected = from + (to - from) * (2.0 - half) / 4.0;
        assert!((frame - expected).abs() < 0.02, "{ways}: {frame}, not {expected}");
        assert_eq!(between[0]["what"], "passes", "{between}");
    }
    // A place that no one reaches: it leaves before.
    for ways in [through, leaves] {
        let run = walk(ways, 2.6);
        assert_eq!(run.code, 0, "{ways}: {run:?}");
    }
    // Two who are not there at the same time; and two who are.
    let others = |second: &str| walk(&format!("{leaves}{second}"), 9.0);
    let later = others("2,8,-2,0\n2,9,2,0\n");
    assert_eq!(later.code, 0, "{later:?}");
    let meets = others("2,3,2,0\n2,10,-2,0\n");
    let between = meets.json()["between"].clone();
    assert_eq!((meets.code, between.as_array().map(Vec::len)), (1, Some(1)), "{meets:?}");
    // -2 + 4 t / 0.7 + 0.5 = 2 - 4 (t - 0.3) / 0.7
    let expected = (3.5 + 4.0 * 0.3 / 0.7) * 0.7 / 8.0;
    let frame = between[0]["frame"].as_f64().expect("a number");
    assert!((frame - expected).abs() < 0.02, "{frame}, not {expected}");
}
