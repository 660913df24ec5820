//! `elbowroom tree`: the papers' hierarchies from files.
#![cfg(feature = "papers")]

use elbowroom::Mesh;
use glam::DVec3;
use serde_json::Value;

use crate::desk::{self, Desk, Run, shift};

fn checked(run: &Run) -> Value {
    assert_eq!(run.code, 0, "{}", run.err);
    run.checked("tree")
}

fn list<'a>(json: &'a Value, field: &str) -> &'a Vec<Value> {
    json[field].as_array().unwrap_or_else(|| panic!("{field} in {json}"))
}

fn whole(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is a count"))
}

fn desk() -> Desk {
    let desk = Desk::new();
    desk.put_obj("ball.obj", &elbowroom_make::icosphere(4));
    desk.put_obj("head.obj", &elbowroom_make::bumpy_sphere(6, 0.2, 3));
    desk
}

fn walk(frames: usize) -> String {
    desk::walk(frames, "0 0.2 0.3")
}

/// An arm of two boxes and a hinge, one after the other along x.
const ARM: &str = r#"<robot name="arm">
<link name="upper"><collision><origin xyz="0.5 0 0"/><geometry><box size="1 0.2 0.2"/></geometry></collision></link>
<link name="lower"><collision><origin xyz="0.5 0 0"/><geometry><box size="1 0.2 0.2"/></geometry></collision></link>
<joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="1.1 0 0"/>
<axis xyz="0 0 1"/><limit lower="-2" upper="2" effort="1" velocity="1"/></joint></robot>"#;

#[test]
fn a_tree_is_told_level_by_level() {
    let desk = desk();
    let run = desk.run(&["tree", "head.obj"]);
    assert_eq!(run.code, 0, "{}", run.err);
    for words in
        ["head.obj: 720 triangles", "obbtree: 1,439 nodes, 720 leaves", "tightness", "CPU time"]
    {
        assert!(run.out.contains(words), "{words} in {}", run.out);
    }
    let json = checked(&desk.run(&["tree", "head.obj", "--json"]));
    let [tree] = list(&json, "trees").as_slice() else { panic!("{json}") };
    let levels = list(tree, "levels");
    let sum = |field: &str| levels.iter().map(|level| whole(&level[field])).sum::<u64>();
    assert_eq!((sum("nodes"), sum("leaves")), (1439, 720));
    assert_eq!(sum("bytes"), whole(&tree["bytes"]));
    assert_eq!(levels.len() as u64, whole(&tree["depth"]) + 1);
    let tightness = |level: usize| levels[level]["tightness"].as_f64().expect("boxes are thick");
    assert!(tightness(6) < 0.5 * tightness(0), "{json}");
    assert_eq!(levels[3]["volumes"], serde_json::json!({ "obb": 8 }));
}

#[test]
fn every_kind_that_fits_a_mesh_is_built() {
    let desk = desk();
    let json = checked(&desk.run(&["tree", "ball.obj", "--kind", "all", "--json", "-q"]));
    let trees = list(&json, "trees");
    let kinds: Vec<&str> = trees.iter().filter_map(|tree| tree["kind"].as_str()).collect();
    assert_eq!(
        kinds,
        [
            "obbtree",
            "rapid",
            "aabb",
            "sphere",
            "14-dop",
            "18-dop",
            "24-dop",
            "26-dop",
            "sbbk",
            "hbbcd",
            "s-aabb",
            "s-obb",
            "aabb-kdop",
            "auto",
            "bch",
            "bch-union",
            "bch-center",
            "bch-area",
            "bch-covariance",
            "bch-triangles",
            "bch-single"
        ]
    );
    for tree in trees {
        let (nodes, leaves) = (whole(&tree["nodes"]), whole(&tree["leaves"]));
        assert_eq!(nodes, 2 * leaves - 1, "{tree}");
        let is_single = tree["kind"] == "bch-single";
        assert_eq!(nodes == 1, is_single, "{tree}");
        for level in list(tree, "levels") {
            let volumes = level["volumes"].as_object().expect("families");
            assert_eq!(volumes.values().map(whole).sum::<u64>(), whole(&level["nodes"]), "{tree}");
            assert!(level["tightness"].as_f64().is_some_and(f64::is_finite), "{tree}");
        }
    }
    let sbbk = &list(&trees[8], "levels");
    assert_eq!(sbbk[0]["volumes"], serde_json::json!({ "sphere": 1 }));
    assert_eq!(sbbk[2]["volumes"], serde_json::json!({ "aabb": 4 }));
    assert_eq!(sbbk[6]["volumes"].as_object().unwrap().keys().collect::<Vec<_>>(), ["18-dop"]);
}

#[test]
fn two_meshes_are_asked_with_every_kind_and_all_answer_as_the_engine() {
    let desk = desk();
    let steps = [2.5, 2.2, 2.0, 1.9, 1.5, 0.3];
    let poses: Vec<String> = steps.iter().map(|&x| shift(x, 0.1, 0.05)).collect();
    desk.put("poses.json", format!("[{}]", poses.join(",")));
    let run = desk.run(&["tree", "head.obj", "ball.obj", "--poses", "poses.json", "--json", "-q"]);
    let json = checked(&run);
    let [found] = list(&json, "comparisons").as_slice() else { panic!("{json}") };
    assert_eq!((&found["of"], whole(&found["questions"])), (&"meshes".into(), 6));
    let contacts = whole(&found["contacts"]);
    assert!((2..=5).contains(&contacts) && whole(&found["pairs"]) > 50, "{found}");
    assert!(list(found, "differences").is_empty(), "{found}");
    let rows = list(found, "rows");
    assert_eq!(
        (rows.len(), &rows[0]["kind"], &rows[0]["visited"]),
        (24, &"engine".into(), &Value::Null)
    );
    let row = |kind: &str| rows.iter().find(|row| row["kind"] == kind).expect("a row");
    for row in &rows[1..] {
        let kind = row["kind"].as_str().unwrap();
        let (visited, not_clear) = (whole(&row["visited"]), whole(&row["not_clear"]));
        let tests = row["volume_tests"].as_object().unwrap().values().map(whole).sum::<u64>();
        assert!(visited >= 6 && tests == visited, "{row}");
        if kind.starts_with("bch") {
            assert!(not_clear >= contacts && row["primitive_tests"] == 0, "{row}");
        } else {
            assert!(not_clear == contacts && whole(&row["primitive_tests"]) > 0, "{row}");
        }
    }
    // Of one topology, the tighter volumes are tested less; a front saves the way from the root.
    assert!(whole(&row("26-dop")["visited"]) < whole(&row("sphere")["visited"]));
    assert_ne!(row("sbbk")["visited"], row("sbbk-front")["visited"]);
    let families = |kind: &str| row(kind)["volume_tests"].as_object().unwrap().len();
    assert_eq!([families("obbtree"), families("sbbk")], [1, 3]);
    // Without a pose there is one question, and no front to go on from.
    let json = checked(&desk.run(&["tree", "head.obj", "ball.obj", "--json", "-q"]));
    assert_eq!(list(&list(&json, "comparisons")[0], "rows").len(), 22);
}

#[test]
fn people_get_a_table_and_a_chart() {
    let desk = desk();
    let run = desk.run(&[
        "tree",
        "head.obj",
        "ball.obj",
        "--kind",
        "obbtree,sbbk,bch",
        "-o",
        "chart.svg",
    ]);
    assert_eq!(run.code, 0, "{}", run.err);
    for words in
        ["1 question, 1 with contact", "engine", "visited", "every kind answers as the engine does"]
    {
        assert!(run.out.contains(words), "{words} in {}", run.out);
    }
    let chart = std::fs::read_to_string(desk.path().join("chart.svg")).expect("it was written");
    assert!(chart.starts_with("<svg") && chart.contains("pairs of nodes visited"), "{chart}");
    let refused = desk.run(&["tree", "head.obj", "ball.obj", "-o", "chart.glb"]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("cannot hold a chart"), "{}", refused.err);
}

#[test]
fn levels_are_drawn() {
    let desk = desk();
    let kinds = ["tree", "ball.obj", "--kind", "obbtree,sphere,26-dop,bch", "-q", "-o"];
    for (name, words) in [("levels.svg", "<svg"), ("levels.html", "type=\"range\"")] {
        let run = desk.run(&[&kinds[..], &[name]].concat());
        assert_eq!((run.code, run.out.as_str()), (0, ""), "{}", run.err);
        let text = std::fs::read_to_string(desk.path().join(name)).expect("it was written");
        assert!(text.contains(words), "{name}");
        for class in ["\"obb\"", "\"sphere\"", "\"kdop\"", "\"cylinder\"", "\"mesh\""] {
            assert!(text.contains(&format!("class={class}")), "{class} in {name}");
        }
    }
    let run = desk.run(&[&kinds[..], &["levels.glb"]].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    let info = desk.run(&["info", "levels.glb", "--all"]);
    assert!(
        info.out.contains("obbtree level 3") && info.out.contains("bch level 0"),
        "{}",
        info.out
    );
    // One level is a part of its own beside the mesh.
    let run = desk.run(&["tree", "ball.obj", "--level", "2", "-o", "one.glb"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let info = desk.run(&["info", "one.glb", "--json"]).json();
    let parts = info["files"][0]["rigs"][0]["parts"].as_array().expect("parts").len();
    assert_eq!(parts, 2, "{info}");
    let again = desk.run(&["tree", "ball.obj", "-o", "one.glb"]);
    assert_eq!(again.code, 2);
    assert!(again.err.contains("--force"), "{}", again.err);
}

#[test]
fn robots_have_boxes_over_their_links() {
    let desk = Desk::new();
    desk.put("arm.urdf", ARM);
    let json = checked(&desk.run(&["tree", "arm.urdf", "--json", "-q"]));
    let [tree] = list(&json, "trees").as_slice() else { panic!("{json}") };
    assert_eq!((&tree["kind"], whole(&tree["nodes"])), (&"cab".into(), 3));
    let json = checked(&desk.run(&["tree", "arm.urdf", "arm.urdf", "--json", "-q"]));
    let [found] = list(&json, "comparisons").as_slice() else { panic!("{json}") };
    assert_eq!((&found["of"], whole(&found["contacts"])), (&"links".into(), 1));
    // Each link is where the other arm's is, and the boxes of the two are 10 cm apart.
    assert_eq!((whole(&found["pairs"]), list(found, "rows").len()), (2, 7));
    assert!(list(found, "differences").is_empty(), "{found}");
}

#[test]
fn characters_and_clips_have_all_sorts() {
    let desk = Desk::new();
    let json = checked(&desk.run(&["tree", "make:man", "--kind", "all", "--json", "-q"]));
    let of = |structure: &str| {
        list(&json, "trees").iter().filter(|tree| tree["structure"] == structure).count()
    };
    let counts = ["obbtree", "sbbk", "bch", "cab", "mobb"].map(of);
    assert_eq!(counts, [8, 6, 7, 6, 6], "{json}");
    let run = desk.run(&[
        "tree",
        "make:man",
        "make:woman",
        "--kind",
        "cab,aabb-centre",
        "--frames",
        "0-20x5",
        "--json",
        "-q",
    ]);
    let json = checked(&run);
    let [found] = list(&json, "comparisons").as_slice() else { panic!("{json}") };
    assert_eq!(whole(&found["questions"]), 5);
    assert!(whole(&found["contacts"]) > 0 && list(found, "differences").is_empty(), "{found}");
}

#[test]
fn motions_are_boxed_in_space_and_time() {
    let desk = Desk::new();
    desk.put("a.bvh", walk(90));
    desk.put("one.bvh", walk(1));
    let json = checked(&desk.run(&["tree", "a.bvh", "--units", "m", "--json", "-q"]));
    let [tree] = list(&json, "trees").as_slice() else { panic!("{json}") };
    assert_eq!((&tree["kind"], &tree["structure"]), (&"mobb".into(), &"mobb".into()));
    assert_eq!(list(&json, "files")[0]["samples"], 90);
    // 90 samples, ten a leaf: four halvings.
    assert_eq!((whole(&tree["leaves"]), whole(&tree["depth"])), (16, 4));
    let json = checked(&desk.run(&[
        "tree", "a.bvh", "a.bvh", "--units", "m", "--radius", "0.4", "--n-min", "5", "--json", "-q",
    ]));
    let [found] = list(&json, "comparisons").as_slice() else { panic!("{json}") };
    assert_eq!(
        (&found["of"], whole(&found["contacts"]), list(found, "rows").len()),
        (&"motions".into(), 1, 7)
    );
    assert!(whole(&found["pairs"]) >= 90 && list(found, "differences").is_empty(), "{found}");
    // A clip of one sample is a tree of one node.
    let json = checked(&desk.run(&["tree", "one.bvh", "--units", "m", "--json", "-q"]));
    assert_eq!(list(&json, "trees")[0]["nodes"], 1);
}

#[test]
fn degenerate_meshes_have_trees_too() {
    let desk = Desk::new();
    let put = |name: &str, points: &[DVec3], triangles: usize| {
        let all = (0..triangles as u32).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
        desk.put_obj(name, &Mesh::new(points.to_vec(), all).expect("finite points"));
    };
    put("one.obj", &[DVec3::ZERO, DVec3::X, DVec3::Y], 1);
    put("point.obj", &[DVec3::ONE; 12], 4);
    let line: Vec<DVec3> = (0..12).map(|k| DVec3::X * f64::from(k)).collect();
    put("line.obj", &line, 4);
    let mut met = 0;
    for (name, nodes, has_area) in
        [("one.obj", 1, true), ("point.obj", 1, false), ("line.obj", 7, false)]
    {
        let run = desk.run(&["tree", name]);
        assert_eq!(run.code, 0, "{name}: {}", run.err);
        assert_eq!(run.out.contains("which have no area"), !has_area, "{}", run.out);
        let json = checked(&desk.run(&["tree", name, "--kind", "all", "--json", "-q"]));
        assert_eq!(whole(&list(&json, "trees")[0]["nodes"]), nodes, "{json}");
        let json = checked(&desk.run(&["tree", name, name, "--json", "-q"]));
        let found = &list(&json, "comparisons")[0];
        assert_eq!(whole(&found["contacts"]), 1, "{found}");
        assert!(list(found, "differences").is_empty(), "{found}");
        met += 1;
    }
    assert_eq!(met, 3);
}

#[test]
fn what_cannot_be_built_is_refused() {
    let desk = desk();
    desk.put("arm.urdf", ARM);
    desk.put("bare.urdf", "<robot name=\"bare\"><link name=\"base\"/></robot>");
    desk.put("a.bvh", walk(30));
    desk.put(
        "tilted.json",
        "[[[1,0,0,0],[0,0,-1,0],[0,1,0,0],[0,0,0,1]],[[0,-1,0,0],[1,0,0,0],[0,0,1,0],[0,0,0,1]]]",
    );
    let mut met = 0;
    for (words, problem) in [
        (
            &["ball.obj", "--kind", "20-dop"][..],
            "there is no 20-dop; k is one of 14, 18, 24 and 26",
        ),
        (&["ball.obj", "--kind", "octree"], "there is no kind \"octree\""),
        (&["ball.obj", "--kind", "sbbk", "--k", "20"], "there is no 20-DOP"),
        (&["ball.obj", "--level", "40"], "there is no level 40: the tree has levels 0 to "),
        (&["ball.obj", "--kind", "mobb"], "holds no motion, which mobb is over"),
        (&["a.bvh", "--units", "m", "--kind", "obbtree"], "has no mesh, which obbtree is over"),
        (&["a.bvh", "--units", "m", "--kind", "cab"], "has no links, which cab is over"),
        (&["bare.urdf"], "bare.urdf"),
        (&["ball.obj", "a.bvh", "--units", "m"], "no kind of hierarchy fits both files"),
        (&["ball.obj", "--poses", "tilted.json"], "--poses and --frames ask about two files"),
        (&["arm.urdf", "arm.urdf", "--poses", "tilted.json"], "--poses moves meshes and motions"),
        (&["ball.obj", "head.obj", "--kind", "bch", "--poses", "tilted.json"], "pose 0 tilts"),
        (&["ball.obj", "--kind", "bch", "--threshold", "1e-9"], "too fine"),
        (&["ball.obj", "-o", "x.png"], "is neither an .svg nor an .html nor a .glb"),
        (&["none.obj"], "none.obj"),
    ] {
        let run = desk.run(&[&["tree"], words].concat());
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{words:?}: {}", run.err);
        assert!(run.err.contains(problem), "{words:?}: {}", run.err);
        met += 1;
    }
    assert_eq!(met, 15);
    // Where it was not asked for by name, what does not fit is left out, and said.
    let run = desk.run(&["tree", "ball.obj", "head.obj", "--poses", "tilted.json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("bch is left out: pose 0 tilts"), "{}", run.out);
}
