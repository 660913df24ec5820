//! Clearance with everything else that can be asked: every combination works and means the same,
//! and rows name the parts and the nearest points.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::desk::Desk;

fn cuboid(low: [f64; 3], high: [f64; 3]) -> String {
    let mut text = String::new();
    for corner in 0..8 {
        let pick = |axis: usize| if corner >> axis & 1 == 0 { low[axis] } else { high[axis] };
        writeln!(text, "v {} {} {}", pick(0), pick(1), pick(2))
            .expect("strings take what is written");
    }
    text + "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n"
}

/// A block, one that mates with its side, one that is near, and one that is stuck in it.
fn blocks() -> Desk {
    let desk = Desk::new();
    desk.put("block.obj", cuboid([0.0; 3], [1.0; 3]));
    desk.put("mate.obj", cuboid([1.0, 0.0, 0.0], [2.0, 1.0, 1.0]));
    desk.put("near.obj", cuboid([-1.05, 0.1, 0.2], [-0.05, 0.9, 0.7]));
    desk.put("stuck.obj", cuboid([0.3, 0.3, 0.8], [0.7, 0.7, 1.2]));
    desk
}

/// All combinations of switches, with whether each is there.
fn combinations<'a, const N: usize>(
    switches: [&'a [&'a str]; N],
) -> impl Iterator<Item = (Vec<&'a str>, [bool; N])> {
    (0..1_u32 << N).map(move |bits| {
        let is_there: [bool; N] = std::array::from_fn(|i| bits >> i & 1 == 1);
        let chosen = switches.iter().zip(is_there).filter(|(_, is_there)| *is_there);
        (chosen.flat_map(|(words, _)| words.iter().copied()).collect(), is_there)
    })
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

#[test]
fn clearance_goes_with_every_other_switch() {
    let desk = blocks();
    let files = ["check", "--json", "block.obj", "mate.obj", "near.obj", "stuck.obj"];
    let switches: [&[&str]; 6] = [
        &["--clearance", "0.1"],
        &["--touching", "ignore"],
        &["--solid"],
        &["--where"],
        &["--depth"],
        &["--self"],
    ];
    let mut met = 0;
    for (options, [near, ignores, _, places, depth, _]) in combinations(switches) {
        let run = desk.run(&[&files[..], &options].concat());
        assert_eq!(run.code, 1, "{options:?}: {run:?}");
        let found = run.json();
        let contacts = found["contacts"].as_array().expect("a list");
        let kinds: Vec<&str> =
            contacts.iter().map(|contact| contact["kind"].as_str().expect("a word")).collect();
        let mut expected = vec!["crossing"];
        expected.extend((!ignores).then_some("touching"));
        expected.extend(near.then_some("clearance"));
        let mut sorted = kinds.clone();
        sorted.sort_unstable();
        expected.sort_unstable();
        assert_eq!(sorted, expected, "{options:?}");
        for contact in contacts {
            let is_near = contact["kind"] == "clearance";
            assert_eq!(contact["point"].is_array(), is_near || places, "{options:?}: {contact}");
            let is_deep = depth && contact["kind"] == "crossing";
            if is_deep {
                assert!((number(&contact["depth"]) - 0.2).abs() < 2e-4, "{contact}");
            }
            if is_near {
                assert!((number(&contact["distance"]) - 0.05).abs() < 1e-9, "{contact}");
                assert!((number(&contact["point"][0]) + 0.025).abs() < 1e-9, "{contact}");
                assert!((number(&contact["normal"][0]) + 1.0).abs() < 1e-9, "{contact}");
                met += 1;
            }
        }
    }
    assert_eq!(met, 32);
}

/// Four links in a row; neighbours may touch.
const ROBOT: &str = r#"<robot name="row">
  <link name="base"><collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
  <link name="arm"><collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
  <link name="wrist"><collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
  <link name="hand"><collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
  <joint name="one" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="0.15 0 0"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="two" type="revolute"><parent link="arm"/><child link="wrist"/><origin xyz="0.16 0 0"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="three" type="revolute"><parent link="wrist"/><child link="hand"/><origin xyz="0.17 0 0"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
</robot>"#;

#[test]
fn links_that_are_near_are_named_with_the_nearest_points() {
    let desk = Desk::new();
    desk.put("row.urdf", ROBOT);
    let switches: [&[&str]; 4] =
        [&["--touching", "ignore"], &["--solid"], &["--where"], &["--depth"]];
    let mut met = 0;
    for (options, _) in combinations(switches) {
        // base and wrist are 0.21 apart, arm and hand 0.23, base and hand 0.38.
        for (clearance, expected) in [("0.1", &[][..]), ("0.22", &[("base", "wrist", 0.21)])] {
            let arguments = ["check", "row.urdf", "--self", "--json", "--clearance", clearance];
            let run = desk.run(&[&arguments[..], &options].concat());
            let found = run.json();
            let contacts = found["contacts"].as_array().expect("a list");
            assert_eq!(contacts.len(), expected.len(), "{options:?}: {run:?}");
            for (contact, (a, b, distance)) in contacts.iter().zip(expected) {
                assert_eq!(contact["kind"], "clearance", "{contact}");
                let part = &contact["parts"][0];
                assert_eq!((&part["a"], &part["b"]), (&json!(a), &json!(b)), "{contact}");
                assert!((number(&contact["distance"]) - distance).abs() < 1e-9, "{contact}");
                assert!((number(&contact["point"][0]) - 0.155).abs() < 1e-9, "{contact}");
                met += 1;
            }
        }
    }
    assert_eq!(met, 16);
    let run =
        desk.run(&["check", "-q", "row.urdf", "--self", "--clearance", "0.22", "-o", "x.csv"]);
    assert_eq!(run.code, 1, "{run:?}");
    let text = std::fs::read_to_string(desk.path().join("x.csv")).expect("a file");
    let row = text.lines().nth(1).expect("a row");
    assert!(row.contains(",base,wrist,"), "{text}");
}
