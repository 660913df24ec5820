//! `elbowroom info`.

use elbowroom_testkit::data;
use glam::DVec3;

use crate::desk::Desk;

#[test]
fn a_person_is_described() {
    let desk = Desk::new();
    assert_eq!(desk.run(&["make", "man", "-o", "man.glb"]).code, 0);
    let run = desk.run(&["info", "man.glb"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let words = [
        "man.glb: glTF binary (GLB)",
        "in metres (known from the file), Y up (known from the file)",
        "2,850 triangles, 1,427 vertices, 9 clips",
        "31 joints, at most 4 per vertex",
        "turn-left",
    ];
    for word in words {
        assert!(run.out.contains(word), "no {word:?} in {}", run.out);
    }
    let json = desk.run(&["info", "man.glb", "--json"]).json();
    assert_eq!(json["schema_version"], 1);
    let file = &json["files"][0];
    assert_eq!((file["ok"].as_bool(), file["kind"].as_str()), (Some(true), Some("rigs")));
    assert_eq!(file["units"]["value"], 1.0);
    let rig = &file["rigs"][0];
    let part = &rig["parts"][0];
    assert_eq!((part["triangles"].as_u64(), part["closed"].as_bool()), (Some(2850), Some(true)));
    assert_eq!(part["skin"]["joints"], 31);
    let clips = rig["clips"].as_array().unwrap();
    assert_eq!(clips.len(), 9);
    assert_eq!((clips[6]["name"].as_str(), clips[6]["frames"].as_u64()), (Some("idle"), Some(121)));
}

#[test]
fn closed_welded_and_open_are_told_apart() {
    let desk = Desk::new();
    let cube = elbowroom_make::cuboid(DVec3::ONE);
    desk.put_obj("closed.obj", &cube);
    assert_eq!(desk.run(&["convert", "-q", "closed.obj", "soup.stl"]).code, 0);
    desk.put("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let run = desk.run(&["info", "closed.obj", "soup.stl", "open.obj", "--units", "cm"]);
    assert_eq!(run.code, 0);
    let closed = |name: &str| {
        let line = run.out.lines().find(|line| line.trim_start().starts_with(name)).unwrap();
        line.to_owned()
    };
    assert!(closed("closed ").contains("yes     0.0200 × 0.0200 × 0.0200"), "{}", run.out);
    assert!(closed("soup ").contains("after welding"), "{}", run.out);
    assert!(closed("open ").contains("no: 3 open edges"), "{}", run.out);
    assert_eq!(
        run.out.matches("in centimetres (as given), Y up (assumed; --up gives another)").count(),
        3
    );
}

#[test]
fn a_bad_file_does_not_hide_the_others() {
    let desk = Desk::new();
    desk.put_obj("good.obj", &elbowroom_make::cuboid(DVec3::ONE));
    desk.put("bad.obj", "v 0 0 0\nf 1 2 3\n");
    desk.put("what.dae", "<COLLADA/>");
    let files = ["info", "bad.obj", "good.obj", "what.dae", "absent.glb"];
    let run = desk.run(&files);
    assert_eq!(run.code, 2);
    assert!(run.out.starts_with("good.obj: Wavefront OBJ"), "{}", run.out);
    assert!(run.err.contains("error: bad.obj:2: "), "{}", run.err);
    assert!(run.err.contains("what.dae: COLLADA is not read; export as GLB"), "{}", run.err);
    assert!(run.err.contains("absent.glb: no such file"), "{}", run.err);
    assert!(run.err.contains("hint: 3 of 4 files could not be read"), "{}", run.err);
    let json = desk.run(&[&files[..], &["--json"]].concat());
    assert_eq!(json.code, 2);
    let json = json.json();
    let ok: Vec<_> = (0..4).map(|i| json["files"][i]["ok"].as_bool().unwrap()).collect();
    assert_eq!(ok, [false, true, false, false]);
    for arguments in [&["info"][..], &["info", "good.obj", "--units", "league"]] {
        assert_eq!(desk.run(arguments).code, 2);
    }
}

#[test]
fn ways_and_frames_are_described() {
    let desk = Desk::new();
    let walk = ["make", "crowd", "--people", "30", "--seconds", "5", "-o", "crowd.csv"];
    assert_eq!(desk.run(&walk).code, 0);
    let run = desk.run(&["info", "crowd.csv"]);
    assert!(run.out.contains("at 25 per second (known from the file)"), "{}", run.out);
    let json = desk.run(&["info", "crowd.csv", "--json"]).json();
    let file = &json["files"][0];
    assert_eq!(
        (file["kind"].as_str(), file["headings"].as_bool()),
        (Some("trajectories"), Some(true))
    );
    let speed = file["mean_speed"].as_f64().unwrap();
    assert!((1.0..1.5).contains(&speed), "{speed}");
    for frame in 0..4 {
        let cube = elbowroom_make::cuboid(DVec3::splat(1.0 + f64::from(frame)));
        desk.put_obj(&format!("box.{frame:03}.obj"), &cube);
    }
    let run = desk.run(&["info", "box.###.obj"]);
    assert!(run.out.contains("4 frames from number 0 on"), "{} {}", run.out, run.err);
}

#[test]
fn every_real_file_is_described() {
    let Some(folder) = data::shared_dir() else {
        data::skip_note("every_real_file_is_described");
        return;
    };
    let desk = Desk::new();
    let (mut good, mut bad) = (0, Vec::new());
    for name in ["characters", "meshes", "crowds"] {
        let mut files: Vec<_> = std::fs::read_dir(folder.join(name))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.is_file())
            .collect();
        files.sort();
        let files: Vec<&str> = files.iter().map(|path| path.to_str().unwrap()).collect();
        let run = desk.run(&[&["info", "--json"][..], &files].concat());
        for file in run.json()["files"].as_array().unwrap() {
            if file["ok"] == true {
                good += 1;
            } else {
                bad.push(file["error"].as_str().unwrap().to_owned());
            }
        }
    }
    // Two scenes name a robot by another name than it is stored under.
    assert_eq!(bad.len(), 2, "{bad:?}");
    assert!(bad.iter().all(|error| error.contains("humanoid.xml, which is not there")), "{bad:?}");
    assert!(good > 90, "{good}");
}
