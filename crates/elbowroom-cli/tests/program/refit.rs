//! `check --refit` and `--counts`: the same findings to the byte by every way to keep boxes over
//! links, and what they take.
#![cfg(feature = "papers")]

use elbowroom_io::glb_out;
use elbowroom_make::body;
use serde_json::Value;

use crate::desk::{Desk, Run, shift};

const WAYS: [&str; 6] = ["auto", "cab", "cab-sum", "obb", "aabb", "aabb-vertices"];

/// What was met over all inputs.
#[derive(Debug, Default)]
struct Met {
    inputs: usize,
    contacts: u64,
    left: [u64; 6],
    boxes: [u64; 6],
    /// In how many inputs triangle tests were known.
    triangles_known: usize,
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is not a count"))
}

fn checked(run: &Run) -> Value {
    run.checked("check")
}

/// Asks in every way, and sums up what that took.
fn ask(desk: &Desk, arguments: &[&str], met: &mut Met) {
    let run = |more: &[&str]| desk.run(&[&["check"], arguments, more, &["--json", "-q"]].concat());
    let plain = run(&[]);
    assert!(plain.code < 2, "{arguments:?}: {plain:?}");
    let json = checked(&plain);
    met.contacts += number(&json["contacts_found"]);
    met.inputs += 1;
    let mut lefts = [0; 6];
    for (place, way) in WAYS.into_iter().enumerate() {
        let other = run(&["--refit", way]);
        assert_eq!((&other.out, other.code), (&plain.out, plain.code), "{arguments:?} by {way}");
        let counted = run(&["--refit", way, "--counts", "--threads", "2"]);
        let mut told = checked(&counted);
        let work = told.as_object_mut().expect("an object").remove("work").expect("counts");
        assert_eq!(told, json, "{arguments:?} by {way}");
        let again = run(&["--refit", way, "--counts", "--threads", "1"]).json();
        assert_eq!(again["work"], work, "{arguments:?} by {way}: on one core");
        assert_eq!(work["refit"], way);
        let left = number(&work["pairs_left"]);
        assert!(left <= number(&work["link_pairs"]), "{work}");
        lefts[place] = left;
        met.left[place] += left;
        assert_eq!(work["box_tests"].is_null(), way == "auto", "{work}");
        met.boxes[place] += work["box_tests"].as_u64().unwrap_or(0);
        if place == 0 {
            met.triangles_known += usize::from(!work["triangle_tests"].is_null());
        }
    }
    // What is above the links does not decide which links are compared; boxes around vertices lie
    // in those around corners.
    let [_, cab, sum, obb, aabb, vertices] = lefts;
    assert!(cab == sum && cab == obb && vertices <= aabb, "{arguments:?}: {lefts:?}");
}

/// A robot of many links, of which some are crooked into each other.
fn snake(links: usize) -> String {
    let link = |k: usize| {
        format!(
            "<link name='l{k}'><collision><origin xyz='.5 0 0'/><geometry><box size='1 .2 .3'/></geometry></collision></link>"
        )
    };
    let joint = |k: usize| {
        let (turn, before) = ([1.4, 1.9, -0.3, 0.8][k % 4], k - 1);
        format!(
            "<joint name='j{k}' type='revolute'><axis xyz='0 0 1'/><limit lower='-3' upper='3' effort='1' velocity='1'/>\
             <origin xyz='1 0 .02' rpy='0 0.1 {turn}'/><parent link='l{before}'/><child link='l{k}'/></joint>"
        )
    };
    let parts = (0..links).map(link).chain((1..links).map(joint));
    format!("<robot name='snake'>{}</robot>", parts.collect::<String>())
}

fn desk() -> Desk {
    let desk = Desk::new();
    desk.put("snake.urdf", snake(24));
    desk.put_obj("ball.obj", &elbowroom_make::icosphere(5));
    desk.put("man.glb", glb_out::to_bytes(&[body::male()]).expect("a GLB"));
    let made = ["make", "chain", "--links", "9", "-o", "chain.glb", "-q"];
    assert_eq!(desk.run(&made).code, 0);
    // As characters of a scene, the links of a chain are links; of a GLB alone they are objects.
    let chain = |name: &str, x: f64| {
        format!("[[character]]\nname = '{name}'\nfile = 'chain.glb'\nposition = [{x}, {x}, 0.02]\n")
    };
    desk.put("chain.toml", format!("fps = 30\nframes = 6\n{}", chain("chain", 0.0)));
    let ball = "[[model]]\nname = 'ball'\nfile = 'ball.obj'\nunits = 'm'\n";
    desk.put(
        "two.toml",
        format!("fps = 30\nframes = 4\n{}{}{ball}", chain("one", 0.0), chain("two", 0.05)),
    );
    desk
}

#[test]
fn every_way_to_keep_boxes_finds_the_same() {
    let desk = desk();
    let mut met = Met::default();
    for arguments in [
        &["snake.urdf", "--self"][..],
        &["snake.urdf", "ball.obj@m"],
        &["snake.urdf", "ball.obj@m", "--self", "--clearance", "20cm"],
        &["snake.urdf", "--self", "--solid", "--where"],
        &["snake.urdf", "ball.obj@m", "--self", "--depth"],
        &["snake.urdf", "man.glb", "--self", "--touching", "ignore", "--frames", "0-4"],
        &["two.toml", "--self", "--rest", "ignore"],
        &["snake.urdf", "man.glb", "--triangles", "--frames", "0-3", "--clearance", "5cm"],
        &["chain.toml", "--self", "--clearance", "1mm"],
        &["two.toml", "--self"],
    ] {
        ask(&desk, arguments, &mut met);
    }
    println!("{met:?}");
    assert!(met.inputs == 10 && met.contacts > 60 && met.triangles_known >= 3, "{met:?}");
    assert!(met.left.iter().all(|&left| left > 100), "{met:?}");
    assert!(
        met.boxes[1..].iter().all(|&boxes| boxes > 100) && met.boxes[1] != met.boxes[4],
        "{met:?}"
    );
    let table = desk.run(&["check", "snake.urdf", "--self", "--refit", "cab", "--counts", "-q"]);
    assert!(table.out.is_empty());
    let table = desk.run(&["check", "snake.urdf", "--self", "--refit", "cab", "--counts"]);
    assert!(table.out.contains("boxes kept by cab: 276 pairs of links, "), "{}", table.out);
    let auto = desk.run(&["check", "snake.urdf", "--self", "--counts"]);
    assert!(auto.out.contains("box tests not counted"), "{}", auto.out);
}

/// Where there is nothing to keep boxes over, that is said.
#[test]
fn what_has_no_links_is_refused() {
    let desk = desk();
    let mut refused = 0;
    for (arguments, words) in [
        (&["ball.obj", "ball.obj", "--refit", "cab"][..], "plain meshes have none"),
        (&["ball.obj", "ball.obj", "--refit", "auto"], "plain meshes have none"),
        (&["ball.obj", "--self", "--refit", "cab"], "no object has more than one"),
        (&["snake.urdf", "--self", "--refit", "oak"], "cab-sum"),
        (&["view", "r.html"], "--refit"),
    ] {
        let arguments = if arguments[0] == "view" {
            assert_eq!(desk.run(&["check", "snake.urdf", "--self", "-q", "-o", "r.html"]).code, 1);
            vec!["view", "r.html", "--no-open", "--refit", "cab"]
        } else {
            [&["check"], arguments].concat()
        };
        let run = desk.run(&arguments);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{arguments:?}: {run:?}");
        assert!(run.err.contains(words), "{arguments:?}: no {words:?} in {}", run.err);
        refused += 1;
    }
    assert_eq!(refused, 5);
}

/// Plain meshes count like links. In a single frame, that includes what never moves.
#[test]
fn plain_meshes_are_counted() {
    let desk = desk();
    desk.put_obj("cube.obj", &elbowroom_make::icosphere(1));
    desk.put("way.json", format!("[{}]", [0.0, 0.5, 90.0].map(|x| shift(x, 0.0, 0.0)).join(",")));
    let two = ["cube.obj", "ball.obj", "-q", "--json", "--exit-zero", "--counts"];
    let work = |more: &[&str]| {
        let run = desk.run(&[&["check"], &two[..], more].concat());
        assert_eq!(run.code, 0, "{run:?}");
        let mut told = checked(&run);
        told["work"].take()
    };
    let one = work(&[]);
    assert_eq!((&one["link_pairs"], &one["pairs_left"]), (&1.into(), &1.into()), "{one}");
    assert!(number(&one["triangle_tests"]) > 0, "{one}");
    let posed = work(&["--poses", "way.json"]);
    assert_eq!((&posed["link_pairs"], &posed["pairs_left"]), (&3.into(), &2.into()), "{posed}");
    assert!(number(&posed["triangle_tests"]) > 0, "{posed}");
    assert_eq!(posed, work(&["--poses", "way.json", "--threads", "1"]));
    // Of copies, one is compared for all.
    let copies = work(&["ball.obj", "ball.obj"]);
    assert_eq!((&copies["link_pairs"], &copies["pairs_left"]), (&6.into(), &6.into()), "{copies}");
}

/// An interrupted check goes on with the counts that it had, and not with another way.
#[test]
fn counts_are_in_every_output() {
    let desk = desk();
    let run = desk.run(&[
        "check",
        "chain.toml",
        "--self",
        "--refit",
        "obb",
        "--counts",
        "--ndjson",
        "-q",
    ]);
    let end: Value = serde_json::from_str(run.out.lines().last().expect("an end")).expect("JSON");
    assert_eq!((&end["type"], &end["work"]["refit"]), (&"end".into(), &"obb".into()), "{end}");
    assert!(number(&end["work"]["link_pairs"]) >= 36, "{end}");
    let plain = desk.run(&["check", "chain.toml", "--self", "--ndjson", "-q"]);
    assert!(!plain.out.contains("\"work\""));
}

/// Robots and characters as they are published, against themselves and each other.
#[test]
fn real_robots_and_characters_by_every_way() {
    let Some(folder) = elbowroom_testkit::data::shared_dir() else {
        return elbowroom_testkit::data::skip_note("real_robots_and_characters_by_every_way");
    };
    let desk = desk();
    let file = |name: &str| folder.join(name).display().to_string();
    let hand = file("meshes/robots/shadow_hand/right_hand.xml");
    let panda = file("meshes/robots/panda/urdf/panda.urdf");
    let casual = file("characters/quaternius_man_Casual.glb");
    let knight = file("characters/kaykit_Knight.glb");
    let mut met = Met::default();
    for arguments in [
        &[&*hand, "--self"][..],
        &[&*hand, &*panda, "--self", "--clearance", "1cm"],
        &[&*knight, "--self", "--frames", "0-12x4"],
        &[&*casual, &*knight, "--self", "--frames", "0-6x3"],
    ] {
        ask(&desk, arguments, &mut met);
    }
    println!("{met:?}");
    assert!(met.inputs == 4 && met.contacts > 10, "{met:?}");
}
