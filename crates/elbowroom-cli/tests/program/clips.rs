//! `elbowroom clips`: two motions on the ground.

use serde_json::Value;

use crate::desk::{self, Desk, Run};

fn walk(frames: usize) -> String {
    desk::walk(frames, "0 0.2 0.1")
}

const ACROSS: [&str; 8] =
    ["clips", "a.bvh", "b.bvh", "--units", "m", "--radius", "0.4", "--place-b=2,-2,90"];

fn desk() -> Desk {
    let desk = Desk::new();
    desk.put("a.bvh", walk(90));
    desk.put("b.bvh", walk(90));
    desk
}

fn run(desk: &Desk, more: &[&str]) -> Run {
    desk.run(&[&ACROSS[..], more].concat())
}

fn checked(run: &Run) -> Value {
    run.checked("clips")
}

fn near(value: &Value, expected: f64) -> bool {
    value.as_f64().is_some_and(|value| (value - expected).abs() < 1e-6)
}

#[test]
fn walks_that_cross_collide_while_they_do() {
    let desk = desk();
    let run = run(&desk, &["-q", "--json", "--offsets"]);
    assert_eq!((run.code, run.err.as_str()), (1, ""));
    let json = checked(&run);
    assert_eq!(json["collide"], true);
    // Both are within 0.8/√2 m of the crossing from frame 29 to frame 51.
    let [contact] = json["contacts"].as_array().expect("a list").as_slice() else {
        panic!("{json}")
    };
    assert!(near(&contact["from"], 29.0 / 30.0) && near(&contact["to"], 52.0 / 30.0), "{json}");
    assert_eq!(contact["first_samples"], serde_json::json!([29, 29]));
    assert!(near(&json["nearest"]["gap"], -0.8) && near(&json["nearest"]["time"], 40.0 / 30.0));
    // Starts that are up to 22 frames apart collide, and what is between them.
    let offsets = &json["offsets"];
    let intervals = offsets["intervals"].as_array().expect("a list");
    assert_eq!(intervals.len(), 1);
    assert!(near(&intervals[0][0], -23.0 / 30.0) && near(&intervals[0][1], 23.0 / 30.0), "{json}");
    assert!(near(&offsets["smallest_wait"], 23.0 / 30.0), "{json}");
    assert_eq!(
        (&offsets["collides_now"], json["motions"][1]["samples"].as_u64()),
        (&true.into(), Some(90))
    );
    // The wait is a wait indeed, to the last bit.
    let wait = offsets["smallest_wait"].to_string();
    let later = self::run(&desk, &["-q", "--json", "--start-b", &wait]);
    assert_eq!((later.code, &checked(&later)["collide"]), (0, &false.into()));
    let sooner = self::run(&desk, &["-q", "--start-b", "0.7666"]);
    assert_eq!((sooner.code, sooner.out.as_str()), (1, ""));
}

#[test]
fn the_order_of_the_motions_does_not_matter() {
    let desk = desk();
    let one = run(&desk, &["-q", "--json", "--start-b", "0.31"]).json();
    let swapped = desk.run(&[
        "clips",
        "b.bvh",
        "a.bvh",
        "--units",
        "m",
        "--radius",
        "40cm",
        "--place-a=2,-2,90",
        "--start-a",
        "0.31",
        "-q",
        "--json",
    ]);
    let two = swapped.json();
    assert_eq!(one["nearest"]["gap"], two["nearest"]["gap"]);
    assert!(one["contacts"].as_array().is_some_and(|contacts| !contacts.is_empty()));
    for field in ["from", "to"] {
        assert_eq!(one["contacts"][0][field], two["contacts"][0][field]);
    }
}

#[test]
fn every_tree_and_the_way_between_samples() {
    let desk = desk();
    let plain = run(&desk, &["-q", "--json"]).json();
    for method in METHODS {
        assert_eq!(run(&desk, &["-q", "--json", "--method", method]).json(), plain, "{method}");
    }
    let linear = checked(&run(&desk, &["-q", "--json", "--between", "linear"]));
    // On lines they collide until they are 0.8 m apart, and no longer.
    let contact = &linear["contacts"][0];
    let apart = 0.8 / 2.0_f64.sqrt() / 1.5;
    let middle = 40.0 / 30.0;
    let is_near = |value: &Value, expected: f64| {
        value.as_f64().is_some_and(|value| (value - expected).abs() < 0.035)
    };
    assert!(is_near(&contact["from"], middle - apart), "{linear}");
    assert!(is_near(&contact["to"], middle + apart), "{linear}");
}

#[test]
fn offsets_between_samples() {
    let desk = desk();
    let asked = checked(&run(&desk, &["-q", "--json", "--between", "linear", "--offsets"]));
    let offsets = &asked["offsets"];
    assert_eq!(offsets["collides_now"], asked["collide"]);
    // Who crosses behind the other at 1.5 m/s is 1.5·|offset|/√2 away at the nearest.
    let last = 0.8 * 2.0_f64.sqrt() / 1.5;
    let [from, to] = [0, 1].map(|end| offsets["intervals"][0][end].as_f64().unwrap());
    assert!((from + last).abs() < 1e-6 && (to - last).abs() < 1e-6, "{from} {to} {last}");
    let held = run(&desk, &["-q", "--json", "--offsets"]).json();
    assert_ne!(held["offsets"]["intervals"], offsets["intervals"]);
}

#[test]
fn people_get_a_table() {
    let desk = desk();
    let table = run(&desk, &["--offsets"]);
    assert_eq!(table.code, 1);
    for words in [
        "A  a.bvh  clip \"motion\", 3.000 s, 90 samples at 30 per second, radius 0.4 m",
        "at 2, -2 turned by 90°",
        "They collide once, for 0.767 s in all.",
        "       0.967       1.733       0.767   29–29, 51–51",
        "Nearest approach: the disks overlap by 0.800 m, at 1.333 s.",
        "Smallest wait of B: 0.767 s",
    ] {
        assert!(table.out.contains(words), "no {words:?} in {}", table.out);
    }
    let apart = run(&desk, &["--start-b", "2", "--offsets", "--from", "1", "--to", "3"]);
    assert_eq!(apart.code, 0);
    for words in
        ["They do not collide.", "m between the disks", "at no start offset", "2 s, is free"]
    {
        assert!(apart.out.contains(words), "no {words:?} in {}", apart.out);
    }
    let never = run(&desk, &["--start-b", "100"]);
    assert!(never.code == 3 && never.out.contains("never move at the same time"), "{never:?}");
    assert_eq!(
        run(&desk, &["--exit-zero", "-q"]),
        Run { code: 0, out: String::new(), err: String::new() }
    );
}

const METHODS: [&str; 6] = ["circles", "mobb", "umobb", "hybrid1", "hybrid2", "one-level"];

/// The answers of every method are those of circles: offsets, moving disks, different rates and few
/// samples a leaf among them. What they take is told, and differs.
#[test]
fn every_method_answers_the_same_and_counts() {
    let desk = desk();
    desk.put("short.bvh", walk(1));
    // The same walk at 20 samples a second.
    desk.put("slow.bvh", walk(60).replace("0.0333333333", "0.05"));
    let answers = |json: &Value| {
        let mut json = json.clone();
        json.as_object_mut().expect("an object").remove("counts").map(|counts| (counts, json))
    };
    let (mut compared, mut of_offsets, mut of_mobb) = (0, 0, 0);
    for (a, b) in [
        ("a.bvh", "b.bvh"),
        ("a.bvh", "short.bvh"),
        ("short.bvh", "short.bvh"),
        ("a.bvh", "slow.bvh"),
    ] {
        for more in [
            &["--offsets"][..],
            &["--between", "linear"],
            &["--fps", "own"],
            &["--start-b", "0.31"],
        ] {
            let ask = |method: &str, n_min: Option<&str>| {
                let plain = ["clips", a, b, "--units", "m", "--radius", "0.4", "--place-b=2,-2,90"];
                let n_min: Vec<&str> = n_min.into_iter().flat_map(|n| ["--n-min", n]).collect();
                let told = ["--method", method, "--counts", "--json", "-q"];
                let run = desk.run(&[&plain[..], more, &told, &n_min].concat());
                answers(&checked(&run)).expect("counts")
            };
            let (counts, expected) = ask("circles", None);
            let step = |side: usize| &expected["motions"][side]["step_secs"];
            let is_of_two_rates = step(0) != step(1);
            assert_eq!(counts["method"] == "mobb", is_of_two_rates, "{counts}");
            of_mobb += usize::from(is_of_two_rates);
            for method in &METHODS[1..] {
                let (many, found) = ask(method, Some("1"));
                assert_eq!(found, expected, "{a} {b} {more:?} {method}");
                let (few, found) = ask(method, None);
                assert_eq!(found, expected, "{a} {b} {more:?} {method}");
                assert_eq!(few["method"], *method);
                let nodes = |counts: &Value| counts["nodes"][0].as_u64().expect("a number");
                assert!(nodes(&many) >= nodes(&few), "{many} {few}");
                of_offsets += usize::from(few.get("offset_box_tests").is_some());
                compared += 2;
            }
        }
    }
    assert_eq!((compared, of_offsets), (160, 20));
    assert!((1..=4).contains(&of_mobb), "{of_mobb}");
    // On a walk of 90 samples there is something to count.
    let of = |arguments: &[&str]| {
        checked(&run(&desk, &[&["--json", "-q", "--counts"], arguments].concat()))["counts"].clone()
    };
    let (circles, mobb, level) =
        (of(&[]), of(&["--method", "mobb"]), of(&["--method", "one-level"]));
    assert_eq!(mobb["nodes"], serde_json::json!([31, 31]));
    for counts in [&circles, &mobb, &level] {
        assert!(counts["box_tests"].as_u64() > Some(0), "{counts}");
        assert!(counts["sample_tests"].as_u64() >= Some(23), "{counts}");
    }
    assert!(level["sample_tests"].as_u64() > mobb["sample_tests"].as_u64(), "{level} {mobb}");
    let table = run(&desk, &["--counts", "--method", "umobb", "--offsets"]);
    for words in ["By umobb, of 31 and 31 nodes: ", "For the offsets: ", "pairs of samples tested"]
    {
        assert!(table.out.contains(words), "no {words:?} in {}", table.out);
    }
    // Different rates are said to be the trouble, and what to do.
    let refused = desk.run(&[
        "clips",
        "a.bvh",
        "slow.bvh",
        "--units",
        "m",
        "--fps",
        "own",
        "--offsets",
        "--method",
        "mobb",
    ]);
    assert_eq!((refused.code, refused.out.as_str()), (2, ""));
    assert!(
        refused.err.contains("different rates") && refused.err.contains("--fps"),
        "{refused:?}"
    );
}

#[test]
fn one_sample_is_a_motion() {
    let desk = Desk::new();
    desk.put("a.bvh", walk(1));
    desk.put("b.bvh", walk(90));
    let ask =
        ["clips", "a.bvh", "b.bvh", "--units", "m", "--radius", "0.4", "--json", "-q", "--offsets"];
    let run = desk.run(&ask);
    let json = checked(&run);
    assert_eq!((run.code, json["motions"][0]["samples"].as_u64()), (1, Some(1)), "{json}");
    // Who stands for one sample where the other begins: hit from 16 samples before on.
    let interval = &json["offsets"]["intervals"][0];
    assert!(near(&interval[0], -16.0 / 30.0) && near(&interval[1], 1.0 / 30.0), "{json}");
    assert_eq!(desk.run(&[&ask[..], &["-o", "p.svg"]].concat()).code, 1);
    let svg = std::fs::read_to_string(desk.path().join("p.svg")).expect("a picture");
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
}

#[test]
fn the_picture_shows_all() {
    let desk = desk();
    for method in ["circles", "umobb"] {
        let name = format!("{method}.svg");
        let run = run(&desk, &["-q", "--offsets", "--method", method, "-o", &name]);
        assert_eq!((run.code, run.err.as_str()), (1, ""));
        let svg = std::fs::read_to_string(desk.path().join(name)).expect("a picture");
        for words in [
            "<svg xmlns",
            "Distance between the disks over time, in metres",
            "Start offsets of B against A",
            "From above, in metres",
            "Boxes of the trees in space and time",
            "level 0",
            "(leaves)",
            "class=\"hit\"",
            "class=\"bar\"",
            "prefers-color-scheme:dark",
            "seconds of the common clock",
        ] {
            assert!(svg.contains(words), "no {words:?} in the picture");
        }
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
        assert_eq!(svg.matches("<text").count(), svg.matches("</text>").count());
    }
    assert_eq!(run(&desk, &["-q", "-o", "p.html"]).code, 1);
    let html = std::fs::read_to_string(desk.path().join("p.html")).expect("a page");
    assert!(
        html.starts_with("<!DOCTYPE html>")
            && html.contains("</svg>")
            && html.ends_with("</html>\n")
    );
    let again = run(&desk, &["-q", "-o", "p.html"]);
    assert!(again.code == 2 && again.err.contains("--force"), "{again:?}");
    assert_eq!(run(&desk, &["-q", "-o", "p.html", "--force"]).code, 1);
}

#[test]
fn characters_reach_to_their_farthest_vertex() {
    let desk = Desk::new();
    assert_eq!(desk.run(&["make", "man", "-o", "man.glb", "-q"]).code, 0);
    let ask = ["clips", "man.glb", "man.glb", "--clip", "walk", "--json", "-q"];
    let here = desk.run(&ask);
    let json = checked(&here);
    assert_eq!((here.code, &json["motions"][0]["clip"]), (1, &"walk".into()));
    let reach = json["motions"][0]["greatest_radius"].as_f64().expect("a number");
    assert!((0.3..0.9).contains(&reach), "{reach}");
    let far = desk.run(&[&ask[..], &["--place-b", "5,0"]].concat());
    assert_eq!((far.code, &checked(&far)["collide"]), (0, &false.into()));
    let other = desk.run(&[
        "clips", "man.glb", "man.glb", "--clip-a", "walk", "--clip-b", "wave", "--json", "-q",
    ]);
    assert_eq!(checked(&other)["motions"][1]["clip"], "wave");
}

#[test]
fn bad_input_is_refused_with_a_reason() {
    let desk = desk();
    desk.put_obj("ball.obj", &elbowroom_make::icosphere(2));
    desk.put("empty.bvh", "");
    let clips = |arguments: &[&str]| desk.run(&[&["clips"], arguments].concat());
    for (arguments, word) in [
        (&["a.bvh"][..], "<B>"),
        (&["a.bvh", "missing.bvh"], "missing.bvh"),
        (&["a.bvh", "empty.bvh"], "empty.bvh"),
        (&["a.bvh", "ball.obj"], "holds no clip"),
        (&["a.bvh", "b.bvh", "--clip", "run"], "there is no clip \"run\""),
        (&["a.bvh", "b.bvh", "--radius", "nan"], "give a length"),
        (&["a.bvh", "b.bvh", "--radius", "-1"], "give a length"),
        (&["a.bvh", "b.bvh", "--radius", "1", "--reach"], "--reach"),
        (&["a.bvh", "b.bvh", "--fps", "nan"], "give frames"),
        (&["a.bvh", "b.bvh", "--fps", "0"], "give frames"),
        (&["a.bvh", "b.bvh", "--start-b", "nan"], "give seconds"),
        (&["a.bvh", "b.bvh", "--start-a", "inf"], "give seconds"),
        (&["a.bvh", "b.bvh", "--place-b", "1"], "give x,y"),
        (&["a.bvh", "b.bvh", "--place-a", "1,nan,0"], "give x,y"),
        (&["a.bvh", "b.bvh", "--from", "1"], "--offsets"),
        (&["a.bvh", "b.bvh", "--offsets", "--from", "2", "--to", "1"], "not before"),
        (&["a.bvh", "b.bvh", "-o", "p.png"], ".svg"),
        (&["a.bvh", "b.bvh", "-o", "nowhere/p.svg"], "nowhere"),
        (&["a.bvh", "b.bvh", "--method", "oak"], "mobb"),
        (&["a.bvh", "b.bvh", "--n-min", "5"], "circles have none"),
        (&["a.bvh", "b.bvh", "--method", "mobb", "--n-min", "0"], "--n-min"),
        (&["a.bvh", "b.bvh", "--method", "mobb", "--n-min=-1"], "--n-min"),
        (&["a.bvh", "b.bvh", "--method", "mobb", "--n-min", "x"], "--n-min"),
        (
            &["a.bvh", "b.bvh", "--method", "umobb", "--offsets", "--between", "linear"],
            "not by --method umobb",
        ),
    ] {
        let run = clips(arguments);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{arguments:?}: {run:?}");
        assert!(run.err.contains(word), "{arguments:?}: no {word:?} in {}", run.err);
    }
}

/// Captures of two people at once, in one world: some come within the reach of each other's joints,
/// some do not, and far apart no one does.
#[test]
fn two_people_in_one_world() {
    let Some(folder) = elbowroom_testkit::data::shared_dir() else {
        return elbowroom_testkit::data::skip_note("two_people_in_one_world");
    };
    let desk = Desk::new();
    let file =
        |name: &str| folder.join(format!("mocap/two_person/{name}.bvh.gz")).display().to_string();
    let met = [
        ("18_01", "19_01", false),
        ("18_08", "19_08", true),
        ("20_03", "21_03", true),
        ("20_08", "21_08", true),
        ("22_09", "23_09", true),
        ("22_12", "23_12", true),
        ("33_01", "34_01", false),
    ];
    for (a, b, meets) in met {
        let (first, second) = (file(a), file(b));
        let together = desk.run(&["clips", &*first, &*second, "--json", "-q", "--offsets"]);
        let json = checked(&together);
        assert_eq!((json["collide"] == meets, together.code), (true, i32::from(meets)), "{a}, {b}");
        assert_eq!(json["collide"], json["offsets"]["collides_now"]);
        let apart = desk.run(&["clips", &*first, &*second, "--json", "-q", "--place-b", "50,0"]);
        assert_eq!((apart.code, &checked(&apart)["collide"]), (0, &false.into()));
    }
}

/// Disks collide where bodies pass each other; only the bodies know whether they touch.
#[test]
fn bodies_are_asked_where_disks_collide() {
    let desk = Desk::new();
    for who in ["man", "woman"] {
        assert_eq!(desk.run(&["make", who, "-o", &format!("{who}.glb")]).code, 0);
    }
    let ask = |place: &str, more: &[&str]| {
        let files = ["clips", "man.glb", "woman.glb", "--clip", "walk"];
        let words = [&files[..], &["--fps", "10", "-q", "--json", place]].concat();
        desk.run(&[&words[..], more].concat())
    };
    // Through each other, face to face, and far apart.
    let (mut touching, mut passing) = (0, 0);
    for place in ["--place-b=0,0.5,180", "--place-b=1,0,180", "--place-b=40,0"] {
        let disks = ask(place, &[]);
        let exact = ask(place, &["--exact"]);
        let coarse = ask(place, &["--exact", "--level", "0"]);
        let (json, coarse_json) = (checked(&exact), checked(&coarse));
        let skins = &json["skins"];
        assert_eq!(skins["contacts"], coarse_json["skins"]["contacts"]);
        assert_eq!(json["collide"], checked(&disks)["collide"]);
        assert_eq!(exact.code == 1, skins["touch"] == true, "{json}");
        let number = |name: &str| skins[name].as_u64().expect("a number");
        assert_eq!(number("disk_pairs"), number("cleared_from_above") + number("compared"));
        touching += u32::from(exact.code == 1);
        passing += u32::from(disks.code == 1 && exact.code == 0);
    }
    assert!(touching >= 1 && passing >= 1, "{touching} {passing}");
}

#[test]
fn a_bare_motion_needs_a_body() {
    let desk = desk();
    let bare = desk.run(&["clips", "a.bvh", "b.bvh", "--units", "m", "--exact"]);
    assert_eq!(bare.code, 2);
    assert!(bare.err.contains("a.bvh") && bare.err.contains("--body make:man"), "{}", bare.err);
    let words = ["clips", "a.bvh", "b.bvh", "--units", "m", "--exact", "--body"];
    let lent = desk.run(&[&words[..], &["make:woman", "--json", "-q"]].concat());
    assert_eq!((lent.code, checked(&lent)["skins"]["touch"].as_bool()), (1, Some(true)));
    for (body, hint) in [("make:dragon", "make:man"), ("nobody.glb", "no such file")] {
        let wrong = desk.run(&[&words[..], &[body]].concat());
        assert!(wrong.code == 2 && wrong.err.contains(hint), "{}", wrong.err);
    }
}
