//! `elbowroom make`: everything is made, read back and what it should be.

use elbowroom::Aabb;
use elbowroom_io::{ReadOptions, read_document, read_trajectories};

use crate::desk::Desk;

#[test]
fn everything_on_the_list_is_made_and_closed() {
    let desk = Desk::new();
    let list = desk.run(&["make", "list"]);
    assert_eq!((list.code, list.err.as_str()), (0, ""));
    let names: Vec<&str> = list
        .out
        .lines()
        .filter(|line| !line.starts_with(' '))
        .map(|line| line.split_whitespace().next().unwrap())
        .collect();
    assert_eq!(names.len(), 15);
    let (mut closed, mut clips) = (0, 0);
    for name in names {
        let file = format!("{name}.glb");
        let mut arguments = vec!["make", name, "-o", &file];
        if name == "crowd" {
            arguments.extend(["--people", "3", "--seconds", "2"]);
        }
        let run = desk.run(&arguments);
        assert_eq!(run.code, 0, "{name}: {}", run.err);
        let read = read_document(&desk.path().join(&file), &ReadOptions::default()).unwrap();
        assert!(read.notes.is_empty(), "{name}: {:?}", read.notes);
        let rig = &read.rigs[0];
        assert!(!rig.parts.is_empty(), "{name}");
        closed += usize::from(rig.parts.iter().all(|part| part.mesh.seams().is_closed()));
        clips += rig.clips.len();
    }
    // All but the landscape; nine clips of each person, and four of what else moves.
    assert_eq!((closed, clips), (14, 22));
}

#[test]
fn people_are_as_tall_as_asked() {
    let desk = Desk::new();
    let run = desk.run(&["make", "woman", "--height", "1.5", "--girth", "1.2", "-o", "w.obj"]);
    assert_eq!(run.code, 0);
    assert!(run.err.contains("the 9 clips are left out"), "{}", run.err);
    let run = desk.run(&["make", "woman", "--height", "1.5", "--girth", "1.2", "-o", "w.glb"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let read = read_document(&desk.path().join("w.glb"), &ReadOptions::default()).unwrap();
    let Aabb { min: low, max: high } = read.rigs[0].parts[0].mesh.bounds();
    assert!((high.y - low.y - 1.5).abs() < 1e-3, "{low} {high}");
}

#[test]
fn a_crowd_walks_as_its_table_says() {
    let desk = Desk::new();
    let options =
        ["--people", "5", "--seconds", "4", "--fps", "10", "--corridor", "10,3", "--seed", "7"];
    for output in ["c.glb", "c.csv"] {
        let run = desk.run(&[&["make", "crowd", "-o", output][..], &options].concat());
        assert_eq!(run.code, 0, "{}", run.err);
    }
    let table = read_trajectories(&desk.path().join("c.csv")).unwrap();
    assert!(table.notes.is_empty() && table.rate.fps == 10.0);
    let read = read_document(&desk.path().join("c.glb"), &ReadOptions::default()).unwrap();
    let rig = &read.rigs[0];
    assert_eq!((rig.parts.len(), rig.clips.len()), (5, 1));
    assert!((rig.clips[0].seconds() - 4.0).abs() < 1e-6);
    let mut compared = 0;
    for person in &table.people {
        let joint = rig.skeleton.find(&format!("person {}", person.id)).unwrap();
        for (&frame, place) in person.frames.iter().zip(&person.positions) {
            let mut pose = rig.rest_pose();
            rig.clips[0].sample(frame as f64 / 10.0, &mut pose);
            let at = pose.locals[joint.index()].translation;
            assert!((at.x - place.x).abs() < 1e-5 && (at.z + place.y).abs() < 1e-5, "{at} {place}");
            compared += 1;
        }
    }
    assert!(compared > 50, "{compared}");
}

#[test]
fn the_same_options_give_the_same_bytes() {
    let desk = Desk::new();
    let bytes = |seed: &str| {
        let run = desk.run(&["make", "chain", "--seed", seed, "-o", "c.glb", "--force", "-q"]);
        assert_eq!(run.code, 0);
        std::fs::read(desk.path().join("c.glb")).unwrap()
    };
    assert!(bytes("4") == bytes("4"));
    assert!(bytes("4") != bytes("5"));
}

#[test]
fn bad_wishes_are_refused() {
    let desk = Desk::new();
    let cases: [(&[&str], &str); 12] = [
        (&["unicorn", "-o", "x.glb"], "\"unicorn\" is not something that elbowroom makes"),
        (&["man"], "no output file is given"),
        (&["man", "--height", "9", "-o", "x.glb"], "no person is made 9 m tall"),
        (&["man", "--height", "nan", "-o", "x.glb"], "no person is made NaN m tall"),
        (&["man", "--links", "3", "-o", "x.glb"], "--links is no option of a man"),
        (&["man", "-o", "x.csv"], "a .csv has trajectories, and a man has none"),
        (&["chain", "--links", "0", "-o", "x.glb"], "a chain of 0 links"),
        (&["chain", "--link", "rope", "-o", "x.glb"], "no link of the shape \"rope\""),
        (&["box", "--size", "1,2", "-o", "x.obj"], "--size has 2 numbers, but a box takes 3"),
        (&["ball", "--size", "-1", "-o", "x.obj"], "a length of -1 m is not made"),
        (&["crowd", "--people", "100000", "-o", "x.glb"], "a crowd of 100000 is not made"),
        (&["landscape", "--cells", "99999,99999", "-o", "x.obj"], "99999 by 99999 cells"),
    ];
    for (arguments, problem) in cases {
        let run = desk.run(&[&["make"][..], arguments].concat());
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{arguments:?}");
        assert!(run.err.contains(problem), "{}", run.err);
    }
    assert_eq!(std::fs::read_dir(desk.path()).unwrap().count(), 0);
}

#[test]
fn help_shows_examples() {
    let desk = Desk::new();
    for command in ["info", "convert", "pose", "make"] {
        let help = desk.run(&[command, "--help"]);
        assert_eq!((help.code, help.err.as_str()), (0, ""));
        for word in ["Examples:", "Exit code: 0", &format!("elbowroom {command} ")] {
            assert!(help.out.contains(word), "no {word:?} in {}", help.out);
        }
    }
}
