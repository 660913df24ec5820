//! No false "clean" at the door: what is assumed is said, what is left out makes a result
//! incomplete, what is one object without being named so is told.

use elbowroom_io::glb_out;
use elbowroom_motion::body::{
    Clip, Hold, Influence, Interpolation, Joint, JointId, Local, Part, Rig, Skeleton, Skin, Target,
    Track,
};
use glam::{DAffine3, DVec3};
use serde_json::{Value, json};

use crate::desk::{Desk, Run, obj};

fn joint(name: &str, parent: Option<u32>) -> Joint {
    Joint { name: name.into(), parent: parent.map(JointId), rest: Local::IDENTITY }
}

pub(crate) fn cube(half: f64, at: DVec3) -> elbowroom::Mesh {
    let cube = elbowroom_make::cuboid(DVec3::splat(half));
    let moved = cube.vertices().iter().map(|&vertex| vertex + at).collect();
    cube.with_vertices(moved).expect("a cube")
}

/// A cube whose corners follow a joint each, over and over.
fn skinned(name: &str, at: DVec3, joints: std::ops::Range<u32>) -> Part {
    let (mesh, joints): (_, Vec<JointId>) = (cube(0.5, at), joints.map(JointId).collect());
    let count = mesh.vertices().len() as u32;
    let influence = |corner: u32| {
        let joint = u16::try_from(corner as usize % joints.len()).expect("few");
        Influence { joint, weight: 1.0 }
    };
    let influences = (0..count).map(influence).collect();
    let binds = vec![DAffine3::IDENTITY; joints.len()];
    let skin = Skin::new(joints, binds, (0..=count).collect(), influences).expect("a skin");
    Part::new(name, mesh, Hold::Skinned(skin))
}

/// The joints of a person.
const RIDER: [&str; 8] =
    ["Hips", "Spine", "LeftArm", "RightArm", "LeftLeg", "RightLeg", "LeftFoot", "RightFoot"];

/// A horse, and on one of its joints a rider of this many.
fn riding(joints: u32) -> Vec<u8> {
    let mut all = vec![joint("root", None), joint("Armature", Some(0))];
    all.extend((0..8).map(|at| joint(&format!("horse{at}"), Some(at + 1))));
    all.extend((0..joints).map(|at| joint(RIDER[at as usize], Some(at + 9))));
    let mut rig = Rig::new("scene", Skeleton::new(all).expect("a skeleton"));
    let apart = DVec3::new(0.3, 0.2, 0.1);
    rig.parts =
        vec![skinned("horse", DVec3::ZERO, 2..10), skinned("rider", apart, 10..10 + joints)];
    glb_out::to_bytes(&[rig]).expect("a GLB")
}

fn names(report: &Value) -> Vec<&str> {
    let objects = report["objects"].as_array().expect("objects").iter();
    objects.map(|object| object["name"].as_str().expect("a name")).collect()
}

fn warned<'r>(report: &'r Value, kind: &str) -> Option<&'r str> {
    let warnings = report["warnings"].as_array().expect("warnings").iter();
    warnings.filter(|warning| warning["kind"] == kind).find_map(|warning| warning["text"].as_str())
}

/// The skeleton of a rider hangs on that of the horse; a tail hangs on it, too, and is the horse's.
#[test]
fn a_rider_is_compared_with_the_horse() {
    let desk = Desk::new();
    desk.put("ride.glb", riding(8));
    let run = desk.run(&["check", "ride.glb", "--json"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert_eq!(names(&run.json()), ["horse", "rider"]);
    assert!(run.err.contains("the skeletons of horse, rider hang together"), "{}", run.err);
    desk.put("tail.glb", riding(3));
    desk.put("far.obj", obj(&cube(0.5, DVec3::splat(9.0))));
    let run = desk.run(&["check", "tail.glb", "far.obj", "--json"]);
    assert_eq!((run.code, names(&run.json())), (0, vec!["tail", "far"]), "{run:?}");
}

/// An entry of a scene file is one object, though the same file on the command line is two.
#[test]
fn an_entry_that_names_a_whole_shot_is_told() {
    let desk = Desk::new();
    desk.put("ride.glb", riding(8));
    let check = |key: &str| {
        let scene = format!(
            "[[character]]\nfile = 'ride.glb'\n{key}\n[[model]]\nfile = 'make:cube'\nposition = [9, 9, 9]\n"
        );
        desk.put("one.toml", scene);
        desk.run(&["check", "one.toml", "--json", "-q"])
    };
    let run = check("");
    let report = run.json();
    assert_eq!((run.code, names(&report)), (0, vec!["cube", "ride"]));
    let text = warned(&report, "objects").expect("a warning");
    assert!(text.contains("holds 2 (horse, rider)") && text.contains("`self = true`"), "{text}");
    let run = check("self = true");
    assert_eq!((run.code, warned(&run.json(), "objects")), (1, None), "{run:?}");
}

/// A body of one joint whose clip goes three metres along z.
pub(crate) fn goer() -> Vec<u8> {
    let joints = vec![joint("root", None), joint("hips", Some(0))];
    let mut rig = Rig::new("goer", Skeleton::new(joints).expect("a skeleton"));
    rig.parts = vec![Part::new("box", cube(0.25, DVec3::Y * 0.5), Hold::Rigid(JointId(1)))];
    let track = Track {
        target: Target::Translation(JointId(1)),
        interpolation: Interpolation::Linear,
        times: vec![0.0, 1.0],
        values: vec![0.0, 0.0, 0.0, 0.0, 0.0, 3.0],
    };
    rig.clips = vec![Clip::new("walk".into(), vec![track]).expect("a clip")];
    glb_out::to_bytes(&[rig]).expect("a GLB")
}

/// Who walks along a file's way does not walk away from it by the clip.
#[test]
fn crowds_of_a_scene_play_clips_in_place() {
    let desk = Desk::new();
    desk.put("goer.glb", goer());
    // From x = 0 to x = 2 in two seconds.
    desk.put("ways.csv", "id,frame,x/m,y\n1,0,0,0\n1,10,1,0\n1,20,2,0\n");
    let check = |post: [f64; 3]| {
        let scene = format!(
            "fps = 10\n[[crowd]]\ntrajectories = 'ways.csv'\nfps = 10\ncharacters = ['goer.glb']\n\
             [[model]]\nfile = 'make:cube'\nscale = 0.12\nposition = {post:?}\n"
        );
        desk.put("crowd.toml", scene);
        desk.run(&["check", "crowd.toml", "--solid", "--json"])
    };
    // Where the walker is after a second; and three metres to the side, where the clip alone would
    // lead.
    let on_way = check([1.0, 0.5, 0.0]);
    assert_eq!(on_way.code, 1, "{on_way:?}");
    assert!(on_way.err.contains("it is played in place"), "{}", on_way.err);
    let frames: Vec<i64> = on_way.json()["contacts"]
        .as_array()
        .expect("contacts")
        .iter()
        .map(|contact| contact["frame"].as_i64().expect("a frame"))
        .collect();
    assert_eq!(frames, (7..=13).collect::<Vec<_>>());
    for away in [[2.0, 0.5, 1.5], [3.0, 0.5, 0.0], [1.0, 0.5, -2.0], [4.0, 0.5, 0.0]] {
        let run = check(away);
        assert_eq!(run.code, 0, "{away:?}: {run:?}");
    }
}

/// `--units` is for trajectories of a scene as for all files that do not state their unit.
#[test]
fn trajectories_of_a_scene_are_in_the_unit_that_is_given() {
    let desk = Desk::new();
    desk.put("ways.csv", "id,frame,x,y\n1,0,0,0\n1,10,1,0\n2,0,0,80\n2,10,1,80\n");
    desk.put(
        "crowd.toml",
        "[[crowd]]\ntrajectories = 'ways.csv'\nfps = 10\ncharacters = ['make:man']\n",
    );
    let run = |more: &[&str]| desk.run(&[&["check", "crowd.toml", "--json"], more].concat());
    let metres = run(&[]);
    assert_eq!(metres.code, 0, "{metres:?}");
    let assumed = metres.json()["assumed"].to_string();
    assert!(assumed.contains("metres are assumed"), "{assumed}");
    let centimetres = run(&["--units", "cm"]);
    assert_eq!(
        (centimetres.code, &centimetres.json()["unit"]),
        (1, &json!("cm")),
        "{centimetres:?}"
    );
    assert_eq!(centimetres.json()["assumed"], json!([]));
    // A header that states the unit is believed.
    desk.put("ways.csv", "id,frame,x[ft],y[ft]\n1,0,0,0\n1,10,1,0\n2,0,0,80\n2,10,1,80\n");
    assert_eq!(run(&[]).code, 0);
    let refused = run(&["--units", "cm"]);
    assert!(
        refused.code == 2
            && refused.err.contains("states its own (ft), which --units cm does not overrule"),
        "{refused:?}"
    );
}

/// A sample at a time that is a rounded sum is there.
#[test]
fn the_start_of_a_crowd_loses_no_sample() {
    let desk = Desk::new();
    desk.put(
        "ways.csv",
        "id,frame,x/m,y\n1,0,0,0\n1,1,0,0\n1,2,0,0\n2,0,0.1,0\n2,1,0.1,0\n2,2,0.1,0\n",
    );
    let scene = "fps = 10\n[[crowd]]\ntrajectories = 'ways.csv'\nfps = 10\nstart = 0.1\ncharacters = ['make:man']\n";
    for (start, first) in [(0.1, 1), (0.3, 3), (0.7, 7)] {
        desk.put("crowd.toml", scene.replace("0.1\nch", &format!("{start}\nch")));
        let report = desk.run(&["check", "crowd.toml", "--json"]).json();
        let frames: Vec<i64> = report["contacts"]
            .as_array()
            .expect("contacts")
            .iter()
            .map(|contact| contact["frame"].as_i64().expect("a frame"))
            .collect();
        assert_eq!(frames, [first, first + 1, first + 2], "{start}: {report}");
    }
}

#[test]
fn people_who_are_not_seen_for_long_are_told() {
    let desk = Desk::new();
    let samples = |id: u32, frames: &mut dyn Iterator<Item = u32>| {
        frames.map(|frame| format!("{id},{frame},{id},0\n")).collect::<Vec<_>>().concat()
    };
    let seen = samples(1, &mut (0..100)) + &samples(2, &mut (0..20).chain(80..100));
    desk.put("ways.csv", format!("# framerate: 10\nid,frame,x/m,y\n{seen}"));
    let run = desk.run(&["crowd", "ways.csv", "--no-exact"]);
    assert!(
        run.err.contains(
            "1 person was not seen for more than 2 s in 1 gap; they are assumed to be absent"
        ),
        "{run:?}"
    );
    let before = desk.run(&["crowd", "ways.csv", "--no-exact", "--frames", "0-10"]);
    assert!(!before.err.contains("absent"), "{}", before.err);
}

/// A speed of 6 units in a frame is 150 a second at 25, and 6 at one.
#[test]
fn the_unit_of_trajectories_is_guessed_at_the_rate_that_is_given() {
    let desk = Desk::new();
    desk.put("ways.csv", "id,frame,x,y\n1,0,0,0\n1,1,6,0\n1,2,12,0\n2,0,0,9\n2,1,6,9\n2,2,12,9\n");
    let unit = |more: &[&str]| {
        let run = desk.run(&[&["crowd", "ways.csv", "--no-exact"], more].concat());
        if run.err.contains("centimetres are assumed") { "cm" } else { "m" }
    };
    assert_eq!((unit(&[]), unit(&["--fps", "1"])), ("cm", "m"));
    let scene = "[[crowd]]\ntrajectories = 'ways.csv'\nfps = 1\ncharacters = ['make:man']\n";
    desk.put("crowd.toml", scene);
    let assumed = desk.run(&["check", "crowd.toml", "--json"]).json()["assumed"].to_string();
    assert!(assumed.contains("; metres are assumed"), "{assumed}");
}

/// What a key would do and does not is refused.
#[test]
fn keys_that_would_be_passed_over_are_refused() {
    let desk = Desk::new();
    for frame in 0..2 {
        desk.put(&format!("cloth.{frame}.obj"), obj(&cube(0.5, DVec3::X * f64::from(frame))));
    }
    desk.put("way.json", format!("[{}]", crate::desk::shift(0.0, 0.0, 0.0)));
    desk.put(
        "arm.urdf",
        "<robot name='r'><link name='a'><collision><geometry><sphere radius='1'/></geometry></collision></link>\
         <link name='b'/><joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint></robot>",
    );
    let cases = [
        ("[[model]]\nfile = 'cloth.#.obj'\nposes = 'way.json'", "`poses` moves what is rigid"),
        ("[[character]]\nfile = 'arm.urdf'\nvalues = [0]\nstart = 1", "are for clips"),
        ("[[character]]\nfile = 'arm.urdf'\nvalues = [0]\nspeed = 2", "are for clips"),
        ("[[character]]\nfile = 'arm.urdf'\nvalues = [0]\nloop = true", "are for clips"),
    ];
    for (entry, words) in cases {
        desk.put("one.toml", format!("{entry}\n[[model]]\nfile = 'make:cube'\n"));
        let run = desk.run(&["check", "one.toml"]);
        assert!(run.code == 2 && run.err.contains(words), "{entry}: {run:?}");
    }
}

/// Numbered meshes of a scene file are at their numbers, as on the command line.
#[test]
fn numbered_meshes_of_a_scene_are_at_their_numbers() {
    let desk = Desk::new();
    for frame in 11..14 {
        let x = if frame == 13 { 0.0 } else { 5.0 };
        desk.put(&format!("cloth.{frame}.obj"), obj(&cube(0.5, DVec3::X * x)));
    }
    let check = |key: &str| {
        let entry = "fps = 10\n[[model]]\nfile = 'cloth.##.obj'\nfps = 10\n";
        desk.put("one.toml", format!("{entry}{key}\n[[model]]\nfile = 'make:cube'\n"));
        let report = desk.run(&["check", "one.toml", "--json"]).json();
        (report["frame_range"].clone(), report["incidents"][0]["first"].clone())
    };
    assert_eq!(check(""), (json!([11, 13, 1]), json!(13)));
    assert_eq!(check("start = 0"), (json!([0, 2, 1]), json!(2)));
}

/// A thing of one joint that moves by keys at a rate.
fn mover(fps: f64, keys: u32) -> Vec<u8> {
    let mut rig = Rig::new("mover", Skeleton::new(vec![joint("box", None)]).expect("a skeleton"));
    rig.parts = vec![Part::new("box", cube(0.5, DVec3::ZERO), Hold::Rigid(JointId(0)))];
    let track = Track {
        target: Target::Translation(JointId(0)),
        interpolation: Interpolation::Linear,
        times: (0..=keys).map(|key| f64::from(key) / fps).collect(),
        values: (0..=keys).flat_map(|key| [0.0, f64::from(key), 0.0]).collect(),
    };
    rig.clips = vec![Clip::new("up".into(), vec![track]).expect("a clip")];
    glb_out::to_bytes(&[rig]).expect("a GLB")
}

#[test]
fn rates_below_those_of_the_files_and_frames_behind_the_end_are_told() {
    let desk = Desk::new();
    desk.put("mover.glb", mover(120.0, 60));
    desk.put("far.obj", obj(&cube(0.5, DVec3::X * 9.0)));
    let check = |more: &[&str]| {
        let run =
            desk.run(&[&["check", "mover.glb", "far.obj@m,y", "--json", "-q"], more].concat());
        assert_eq!(run.code, 0, "{run:?}");
        run.json()
    };
    let own = check(&[]);
    assert_eq!((&own["fps"], &own["warnings"]), (&json!(120.0), &json!([])));
    let fewer = check(&["--fps", "30"]);
    let text = warned(&fewer, "rate").expect("a warning");
    assert!(text.contains("30 frames a second are examined, and mover has 120"), "{text}");
    let behind = check(&["--frames", "50-99"]);
    let text = warned(&behind, "time").expect("a warning");
    assert!(text.contains("frames 61 to 99 are behind the end"), "{text}");
    let scene =
        "[[character]]\nfile = 'mover.glb'\n[[model]]\nfile = 'make:cube'\nposition = [9, 0, 0]\n";
    desk.put("scene.toml", scene);
    let report = desk.run(&["check", "scene.toml", "--json"]).json();
    let text = warned(&report, "rate").expect("a warning");
    assert!(text.contains("give `fps` = 120"), "{text}");
    desk.put("scene.toml", format!("fps = 120\n{scene}"));
    let report = desk.run(&["check", "scene.toml", "--json"]).json();
    assert_eq!(report["warnings"], json!([]));
}

/// Parts that may all touch, named one by one or by a star, are not examined.
#[test]
fn what_may_touch_by_all_its_parts_is_not_examined() {
    let desk = Desk::new();
    desk.put(
        "arm.urdf",
        "<robot name='r'><link name='a'><collision><geometry><sphere radius='1'/></geometry></collision></link>\
         <link name='b'><collision><geometry><sphere radius='1'/></geometry></collision></link>\
         <joint name='j' type='continuous'><parent link='a'/><child link='b'/></joint></robot>",
    );
    let check = |allow: &str| {
        desk.put(
            "one.toml",
            format!("allow = {allow}\n[[character]]\nname = 'arm'\nfile = 'arm.urdf'\n[[model]]\nname = 'box'\nfile = 'make:cube'\n"),
        );
        desk.run(&["check", "one.toml"])
    };
    for allow in [
        "[['arm', 'box']]",
        "[['arm/*', 'box']]",
        "[['arm/a', 'box'], ['arm/b', 'box']]",
        "[['box', 'arm/a'], ['arm/b', 'box/*']]",
    ] {
        let run = check(allow);
        assert_eq!(run.code, 3, "{allow}: {run:?}");
        assert!(run.err.contains("every pair of objects is allowed to touch"), "{}", run.err);
    }
    for allow in ["[]", "[['arm/a', 'box']]"] {
        assert_eq!(check(allow).code, 1, "{allow}");
    }
}

fn gltf_pointer(pointer: &str) -> String {
    json!({
        "asset": {"version": "2.0"},
        "extensionsUsed": ["KHR_animation_pointer"],
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "name": "box"}],
        "buffers": [{"byteLength": 72, "uri": format!("data:application/octet-stream;base64,{}", {
            let mut text = String::new();
            // Three points at 1 in x, y and z, then keys at 0 and 1 that are all 0 and 1.
            let numbers: [f32; 18] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0];
            for byte in numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>().chunks(3) {
                let bits = byte.iter().fold(0_u32, |bits, &byte| bits << 8 | u32::from(byte));
                for place in (0..4).rev() {
                    let digit = (bits >> (6 * place)) & 63;
                    text.push(char::from(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[digit as usize]));
                }
            }
            text
        })}],
        "bufferViews": [{"buffer": 0, "byteLength": 72}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 1]},
            {"bufferView": 0, "byteOffset": 36, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1]},
            {"bufferView": 0, "byteOffset": 44, "componentType": 5126, "count": 2, "type": "VEC3"}
        ],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "animations": [{
            "samplers": [{"input": 1, "output": 2}],
            "channels": [{"sampler": 0, "target": {
                "path": "pointer",
                "extensions": {"KHR_animation_pointer": {"pointer": pointer}}
            }}]
        }]
    })
    .to_string()
}

/// Runs a check whose result lacks something, without and with the option that takes it so.
fn lacks(desk: &Desk, arguments: &[&str]) -> Run {
    let quiet =
        |more: &[&str]| desk.run(&[&["check"], arguments, &["--json", "-q"], more].concat());
    let run = quiet(&[]);
    assert_eq!((run.code, &run.json()["complete"]), (3, &json!(false)), "{run:?}");
    assert!(run.err.contains("something that could touch was not examined"), "{}", run.err);
    let allowed = quiet(&["--allow-left-out"]);
    assert_eq!((allowed.code, &allowed.json()["complete"]), (0, &json!(true)), "{allowed:?}");
    assert_eq!(allowed.json()["warnings"], run.json()["warnings"]);
    run
}

/// What could touch and was not read makes a result incomplete, whatever it is.
#[test]
fn what_is_left_out_makes_a_result_incomplete() {
    let desk = Desk::new();
    desk.put("far.obj", obj(&cube(0.5, DVec3::splat(20.0))));
    for frame in [1, 2, 5] {
        desk.put(&format!("cloth.{frame}.obj"), obj(&cube(0.5, DVec3::ZERO)));
    }
    let run = lacks(&desk, &["cloth.#.obj", "far.obj"]);
    let text = run.json();
    let text = warned(&text, "left-out").expect("a warning");
    assert!(text.contains("2 of the numbers from 1 to 5 have no file"), "{text}");
    desk.put("moved.gltf", gltf_pointer("/nodes/0/translation"));
    let report = lacks(&desk, &["moved.gltf", "far.obj@m,y"]).json();
    let text = warned(&report, "left-out").expect("a warning");
    assert!(text.contains("/nodes/0/translation"), "{text}");
    // What only looks otherwise is all there.
    desk.put("moved.gltf", gltf_pointer("/materials/0/emissiveFactor"));
    let run = desk.run(&["check", "moved.gltf", "far.obj@m,y", "--json"]);
    assert_eq!((run.code, warned(&run.json(), "left-out")), (0, None), "{run:?}");
    // Free-form surfaces of an OBJ are no faces, and could touch.
    let surface = format!(
        "{}\ncstype bspline\ndeg 3 3\nsurf 0 1 0 1 1 2 3 4\nend\n",
        obj(&cube(0.5, DVec3::ZERO))
    );
    desk.put("surface.obj", surface);
    lacks(&desk, &["surface.obj", "far.obj"]);
    lacks(&desk, &["surface.obj", "far.obj", "--self"]);
}

/// What was assumed is part of the result.
#[test]
fn what_was_assumed_is_in_the_result() {
    let desk = Desk::new();
    desk.put("mover.glb", mover(30.0, 3));
    desk.put("far.obj", obj(&cube(0.5, DVec3::X * 9.0)));
    let assumed = |arguments: &[&str]| {
        let run = desk.run(&[&["check", "mover.glb"], arguments, &["--json", "-q"]].concat());
        assert_eq!((run.code, run.err.as_str()), (0, ""));
        run.json()["assumed"].clone()
    };
    let both = assumed(&["far.obj"]).to_string();
    assert!(both.contains("m is assumed") && both.contains("Y is assumed"), "{both}");
    let unit = assumed(&["far.obj@y"]).to_string();
    assert!(unit.contains("m is assumed") && !unit.contains("Y is assumed"), "{unit}");
    assert_eq!(assumed(&["far.obj@m,y"]), json!([]));
}

/// What stays one object although it was to be split, or has several inside, says so.
#[test]
fn what_is_not_split_is_told() {
    let desk = Desk::new();
    desk.put("a.obj", obj(&cube(0.5, DVec3::ZERO)));
    desk.put("b.obj", obj(&cube(0.5, DVec3::X * 9.0)));
    for (how, words) in [("groups", "has no two named groups"), ("shells", "is one shell")] {
        let run = desk.run(&["check", "a.obj", "b.obj", "--split", how]);
        assert_eq!(run.code, 0, "{run:?}");
        assert!(run.err.contains(&format!("a.obj: {words}")), "{}", run.err);
    }
    let two = format!("o x\n{}o y\nf 1 2 3\n", obj(&cube(0.5, DVec3::ZERO)));
    (0..2).for_each(|frame| drop(desk.put(&format!("two.{frame}.obj"), &two)));
    let run = desk.run(&["check", "two.#.obj", "b.obj"]);
    assert!(run.err.contains("the 2 objects of its files are one object here"), "{}", run.err);
    for (split, is_told) in [("", true), ("split = 'none'", false), ("split = 'groups'", false)] {
        let scene = format!("[[model]]\nfile = 'two.0.obj'\n{split}\n[[model]]\nfile = 'b.obj'\n");
        desk.put("one.toml", scene);
        let run = desk.run(&["check", "one.toml"]);
        assert_eq!(run.err.contains("its 2 objects are one object here"), is_told, "{}", run.err);
    }
}

/// A shell is compared with itself as a surface; who asks for more is told so.
#[test]
fn a_shell_with_itself_is_a_surface() {
    let desk = Desk::new();
    desk.put("a.obj", obj(&cube(0.5, DVec3::ZERO)));
    for option in [&["--solid"][..], &["--depth"], &["--clearance", "1"]] {
        let run = desk.run(&[&["check", "a.obj", "--self", "--json"], option].concat());
        let report = run.json();
        let table = desk.run(&[&["check", "a.obj", "--self"], option].concat()).out;
        let words = match option[0] {
            "--clearance" => "nothing else within 1 between different shells",
            _ => "no contact between solids, and none within one shell, as a surface",
        };
        assert!(table.contains(words), "{table}");
        let text = warned(&report, "self").unwrap_or_default();
        assert!(text.contains(&format!("{} is not asked of one shell", option[0])), "{report}");
    }
    let run = desk.run(&["check", "a.obj", "--self", "--json"]);
    assert_eq!(run.json()["warnings"], json!([]));
    let man = elbowroom_make::body::male();
    desk.put("man.glb", glb_out::to_bytes(&[man]).expect("a GLB"));
    let run = desk.run(&["check", "man.glb", "--self", "--frames", "0"]);
    assert!(
        run.out.contains("of parts that are neighbours or may touch, not compared"),
        "{}",
        run.out
    );
}

/// A finger that follows another at an offset stands there at rest.
#[test]
fn followers_of_a_urdf_rest_at_their_offset() {
    let desk = Desk::new();
    let robot = |more: &str, limits: &str| {
        format!(
            "<robot name='r'><link name='a'/><link name='b'/><link name='c'><collision><geometry><box size='.2 .2 .2'/></geometry></collision></link>\
             <link name='cover'><visual><geometry><box size='1 1 1'/></geometry></visual></link>\
             <joint name='j' type='prismatic'><parent link='a'/><child link='b'/><axis xyz='1 0 0'/>{limits}</joint>\
             <joint name='k' type='prismatic'><parent link='a'/><child link='c'/><axis xyz='1 0 0'/>{more}</joint>\
             <joint name='f' type='fixed'><parent link='a'/><child link='cover'/></joint></robot>"
        )
    };
    desk.put("post.obj", obj(&cube(0.1, DVec3::X * 3.0)));
    let check = |more: &str, limits: &str| {
        desk.put("r.urdf", robot(more, limits));
        desk.run(&["check", "r.urdf", "post.obj@m,z"])
    };
    assert_eq!(check("", "").code, 0);
    let run =
        check("<mimic joint='j' multiplier='2' offset='3'/>", "<limit lower='0.5' upper='2'/>");
    assert_eq!(run.code, 1, "{run:?}");
    for words in [
        "1 joint follows another at an offset",
        "1 joint rests outside of the limits, the first is \"j\"",
        "1 link has visual shapes and no collision shape, and touch nothing: cover",
    ] {
        assert!(run.err.contains(words), "{words}: {}", run.err);
    }
    // With a value for the leader: 2 · 0.5 + 3.
    desk.put("far.obj", obj(&cube(0.1, DVec3::X * 4.0)));
    desk.put(
        "scene.toml",
        "up = 'z'\n[[character]]\nfile = 'r.urdf'\nvalues = [0.5]\n[[model]]\nfile = 'far.obj'\nunits = 'm'\nup = 'z'\n",
    );
    let run = desk.run(&["check", "scene.toml"]);
    assert_eq!(run.code, 1, "{run:?}");
}

#[test]
fn a_model_of_mjcf_is_read_as_it_says_or_refused() {
    let desk = Desk::new();
    let check = |contact: &str, geom: &str| {
        desk.put(
            "m.xml",
            format!(
                "<mujoco><worldbody><geom name='floor' type='box' size='1 1 .1' {geom}/>\
                 <body name='b' pos='0 0 .15'><freejoint/><geom name='ball' size='.1' {geom}/></body></worldbody>{contact}</mujoco>"
            ),
        );
        desk.run(&["check", "m.xml"])
    };
    assert_eq!(check("", "").code, 1);
    let masked = "contype='0' conaffinity='0'";
    assert_eq!(check("", masked).code, 2);
    // A pair is for shapes that touch nothing else.
    let run = check("<contact><pair geom1='floor' geom2='ball'/></contact>", masked);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.err.contains("2 shapes touch nothing but the other of a <pair>"), "{}", run.err);
    for (contact, words) in [
        ("<compiler coordinate='global'/>", "coordinate=\"global\" is not read"),
        ("<contacts/>", "<contacts> is not known in <mujoco>"),
        ("<contact><par/></contact>", "<par> is not known in <contact>"),
        ("<worldbody><geon size='1'/></worldbody>", "<geon> is not known in <worldbody>"),
        ("<worldbody><geom sise='1'/></worldbody>", "\"sise\" of <geom> is not known"),
        ("<worldbody><body posn='1 0 0'/></worldbody>", "\"posn\" of <body> is not known"),
        ("<default><geom tpye='box'/></default>", "\"tpye\" of <geom> is not known"),
    ] {
        let run = check(contact, "");
        assert!(run.code == 2 && run.err.contains(words), "{contact}: {run:?}");
    }
}

/// Two cubes in one mesh, the first on the joint `left`, the second on `right`.
fn twins() -> Vec<u8> {
    let cubes = [cube(0.5, DVec3::ZERO), cube(0.5, DVec3::X * 1.5)];
    let each = cubes[0].vertices().len() as u32;
    let vertices = cubes.iter().flat_map(|cube| cube.vertices().to_vec()).collect();
    let triangles = cubes.iter().zip([0, each]).flat_map(|(cube, from)| {
        cube.triangles().iter().map(move |corners| corners.map(|corner| corner + from))
    });
    let mesh = elbowroom::Mesh::new(vertices, triangles.collect()).expect("two cubes");
    let influence = |corner: u32| Influence { joint: u16::from(corner >= each), weight: 1.0 };
    let skin = Skin::new(
        vec![JointId(1), JointId(2)],
        vec![DAffine3::IDENTITY; 2],
        (0..=2 * each).collect(),
        (0..2 * each).map(influence).collect(),
    );
    let joints = vec![joint("root", None), joint("left", Some(0)), joint("right", Some(0))];
    let mut rig = Rig::new("twins", Skeleton::new(joints).expect("a skeleton"));
    rig.parts = vec![Part::new("twins", mesh, Hold::Skinned(skin.expect("a skin")))];
    glb_out::to_bytes(&[rig]).expect("a GLB")
}

/// How deep, how much and how, is said of what may not touch alone.
#[test]
fn parts_that_may_touch_are_not_measured() {
    let desk = Desk::new();
    desk.put("twins.glb", twins());
    // From deep in the first cube to the second, as far as is asked for.
    let check = |end: f64, allow: &str| {
        let post = elbowroom_make::cuboid(DVec3::new(0.5 * (end - 0.1), 0.25, 0.25));
        let moved = post.vertices().iter().map(|&v| v + DVec3::X * 0.5 * (end + 0.1)).collect();
        desk.put("post.obj", obj(&post.with_vertices(moved).expect("a post")));
        desk.put(
            "one.toml",
            format!(
                "allow = {allow}\n[[character]]\nname = 'twins'\nfile = 'twins.glb'\n\
                 [[model]]\nname = 'post'\nfile = 'post.obj'\nunits = 'm'\nup = 'y'\n"
            ),
        );
        let run = desk.run(&["check", "one.toml", "--depth", "--json"]);
        assert_eq!(run.code, 1, "{run:?}");
        run.json()["contacts"][0].clone()
    };
    let number = |contact: &Value, field: &str| contact[field].as_f64().expect("a number");
    let all = check(1.1, "[]");
    assert!((number(&all, "volume") - 0.125).abs() < 1e-6, "{all}");
    let some = check(1.1, "[['twins/left', 'post']]");
    assert_eq!(some["kind"], "crossing", "{some}");
    assert!((number(&some, "volume") - 0.025).abs() < 1e-6, "{some}");
    assert!((number(&some, "depth") - 0.1).abs() < 1e-3, "{some}");
    let beside = check(1.0, "[['twins/left', 'post']]");
    assert_eq!(beside["kind"], "touching", "{beside}");
    assert_eq!((number(&beside, "volume"), number(&beside, "depth")), (0.0, 0.0), "{beside}");
}

/// What only another scene of a glTF shows is not read, and could touch.
#[test]
fn meshes_of_other_scenes_are_left_out() {
    let desk = Desk::new();
    desk.put("far.obj", obj(&cube(0.5, DVec3::splat(20.0))));
    let file = |mesh: u32| {
        let text = gltf_pointer("/materials/0/emissiveFactor");
        let mut root: Value = serde_json::from_str(&text).expect("JSON");
        let shape = root["meshes"][0].clone();
        root["meshes"].as_array_mut().expect("a list").push(shape);
        root["nodes"] = json!([{"mesh": 0}, {"mesh": mesh}]);
        root["scenes"] = json!([{"nodes": [0]}, {"nodes": [1]}]);
        root.to_string()
    };
    desk.put("two.gltf", file(1));
    let report = lacks(&desk, &["two.gltf", "far.obj@m,y"]).json();
    let text = warned(&report, "left-out").expect("a warning");
    assert!(text.contains("1 mesh of the others is left out"), "{text}");
    // The default scene has this mesh too.
    desk.put("two.gltf", file(0));
    let run = desk.run(&["check", "two.gltf", "far.obj@m,y", "--json"]);
    assert_eq!((run.code, warned(&run.json(), "left-out")), (0, None), "{run:?}");
}

/// A column beside the positions that states their unit.
#[test]
fn a_column_of_units_is_heard() {
    let desk = Desk::new();
    desk.put(
        "crowd.toml",
        "[[crowd]]\ntrajectories = 'ways.csv'\nfps = 10\ncharacters = ['make:man']\n",
    );
    let check = |second: &str| {
        let rows = format!("1,0,0,0,cm\n1,10,100,0,cm\n2,0,0,80,cm\n2,10,100,80,{second}\n");
        desk.put("ways.csv", format!("id,frame,x,y,unit\n{rows}"));
        desk.run(&["check", "crowd.toml", "--json"])
    };
    let run = check("cm");
    // 80 cm apart; 80 m would be clear.
    let report = run.json();
    assert!(!report["assumed"].to_string().contains("unit"), "{report}");
    assert!(run.err.is_empty() || !run.err.contains("are assumed from a height"), "{}", run.err);
    for (second, words) in [("m", "another unit"), ("ell", "the unit \"ell\" of this line")] {
        let run = check(second);
        assert!(run.code == 2 && run.err.contains(words), "{second}: {run:?}");
    }
}
