//! Spheres, capsules, cylinders, ellipsoids, boxes and planes of robot files: exact, or marked.

use elbowroom_testkit::data::{shared_dir, skip_note};
use serde_json::Value;

use crate::desk::Desk;

/// Two free bodies, each with one shape, and what is fixed to the world.
fn model(world: &str, bodies: &[(&str, &str)]) -> String {
    let body = |(number, (pos, geom)): (usize, &(&str, &str))| {
        format!(r#"<body name="b{number}" pos="{pos}"><freejoint/><geom {geom}/></body>"#)
    };
    let bodies: String = bodies.iter().enumerate().map(body).collect();
    format!("<mujoco><worldbody>{world}{bodies}</worldbody></mujoco>")
}

/// What the program says of a model: its exit code and its JSON.
fn check(text: &str, options: &[&str]) -> (i32, Value) {
    let desk = Desk::new();
    desk.put("model.xml", text);
    let ran = desk.run(&[&["check", "model.xml", "--json", "-q"], options].concat());
    (ran.code, ran.checked("check"))
}

const SPHERE: &str = r#"size="0.1""#;

#[test]
fn spheres_half_a_millimetre_from_contact() {
    let spheres = |x: &str| model("", &[("0 0 0", SPHERE), (x, SPHERE)]);
    let (code, report) = check(&spheres("0.1995 0 0"), &["--depth", "--where"]);
    assert_eq!(code, 1);
    let contact = &report["contacts"][0];
    assert_eq!(contact["certainty"], "exact", "{contact}");
    assert_eq!(contact["depth_certainty"], "exact", "{contact}");
    assert!((contact["depth"].as_f64().unwrap() - 5e-4).abs() < 1e-12, "{contact}");
    assert!(contact.get("bound").is_none(), "{contact}");
    let (code, report) = check(&spheres("0.2005 0 0"), &[]);
    assert_eq!((code, &report["contacts"]), (0, &Value::Array(Vec::new())));
    let (code, report) = check(&spheres("0.2005 0 0"), &["--clearance", "1mm"]);
    let contact = &report["contacts"][0];
    assert_eq!((code, contact["kind"].as_str()), (1, Some("clearance")), "{report}");
    assert!((contact["distance"].as_f64().unwrap() - 5e-4).abs() < 1e-12, "{contact}");
}

#[test]
fn a_plane_has_no_end_and_no_other_side() {
    let floor = r#"<geom name="floor" type="plane" size="1 1 1"/>"#;
    // Beyond the drawn square, and far below it.
    for (pos, meets) in
        [("0 0 0.0999", true), ("50 0 0.0999", true), ("0 0 -90", true), ("50 0 0.1001", false)]
    {
        let (code, report) = check(&model(floor, &[(pos, SPHERE)]), &[]);
        assert_eq!(code, i32::from(meets), "{pos}: {report}");
    }
    let can = r#"type="cylinder" size="0.05 0.1""#;
    let (code, report) = check(&model(floor, &[("3 0 0.0999", can)]), &["--depth"]);
    let contact = &report["contacts"][0];
    assert_eq!((code, contact["certainty"].as_str()), (1, Some("exact")), "{report}");
    assert!((contact["depth"].as_f64().unwrap() - 1e-4).abs() < 1e-12, "{contact}");
}

#[test]
fn a_contact_within_the_bound_is_marked() {
    let egg = r#"type="ellipsoid" size="0.05 0.06 0.1""#;
    let eggs = |x: f64| model("", &[("0 0 0", egg), (&format!("{x} 0 0"), egg)]);
    let (code, report) = check(&eggs(0.10002), &[]);
    let contact = &report["contacts"][0];
    assert_eq!(code, 1, "{report}");
    let bound = contact["bound"].as_f64().expect("a bound");
    assert!(bound > 2e-5 && bound < 1e-3, "{contact}");
    let words = contact["certainty"].as_str().unwrap_or_default();
    assert!(words.starts_with("estimate: ±"), "{contact}");
    assert_eq!(report["incidents"][0]["certainty"], "estimate");
    let (code, report) = check(&eggs(0.099), &[]);
    let contact = &report["contacts"][0];
    assert_eq!((code, contact.get("bound")), (1, None), "{report}");
    assert_eq!(check(&eggs(0.101), &[]).0, 0);

    let desk = Desk::new();
    desk.put("eggs.xml", eggs(0.10002));
    let ran = desk.run(&["check", "eggs.xml"]);
    assert!(ran.out.contains("(estimate ±0.583 mm)"), "{}", ran.out);
}

#[test]
fn what_is_inside_a_primitive_meets_it() {
    let crate_ = r#"type="box" size="1 1 1""#;
    let text = model("", &[("0 0 0", crate_), ("0.2 0 0", SPHERE)]);
    for options in [&[][..], &["--solid"], &["--depth"], &["--clearance", "1cm"]] {
        let (code, report) = check(&text, options);
        let contact = &report["contacts"][0];
        assert_eq!((code, contact["inside"].as_str()), (1, Some("b")), "{options:?} {report}");
    }
}

/// Boxes whose sides are in line overlap, though their triangles only touch.
#[test]
fn boxes_in_line_are_in_contact() {
    let cube = r#"type="box" size="0.1 0.1 0.1""#;
    let boxes = |x: &str| model("", &[("0 0 0", cube), (x, cube)]);
    for options in [&[][..], &["--touching", "ignore"], &["--touching", "ignore", "--where"]] {
        let (code, report) = check(&boxes("0.1 0 0"), options);
        let kind = report["contacts"][0]["kind"].as_str();
        assert_eq!((code, kind), (1, Some("crossing")), "{options:?} {report}");
    }
    let (code, report) = check(&boxes("0.2 0 0"), &["--touching", "ignore"]);
    assert_eq!(code, 0, "{report}");
    assert_eq!(check(&boxes("0.2 0 0"), &[]).1["contacts"][0]["kind"], "touching");
}

/// The surfaces of a sphere and of the box around it, not the centre and the box.
#[test]
fn a_distance_within_is_that_of_the_surfaces() {
    let crate_ = r#"type="box" size="1 1 1""#;
    let text = model("", &[("0 0 0", crate_), ("0.2 0 0", SPHERE)]);
    let (_, report) = check(&text, &["--clearance", "1cm"]);
    let distance = report["contacts"][0]["distance"].as_f64().expect("a distance");
    assert!((distance + 0.7).abs() < 1e-12, "{report}");
}

/// A plane has no end, and what is in it has a volume wherever it is.
#[test]
fn what_is_in_a_plane_has_its_volume() {
    let cube = r#"type="box" size="0.1 0.1 0.1""#;
    let tilted = r#"<geom type="plane" size="1 1 1" euler="0 90 0"/>"#;
    let floor = r#"<geom type="plane" size="1 1 1"/>"#;
    for (plane, pos, volume) in [
        (floor, "0 0 0", 0.004),
        (floor, "50 0 0.05", 0.002),
        (floor, "50 -300 -90", 0.008),
        (tilted, "0.05 70 0", 0.002),
    ] {
        let (code, report) = check(&model(plane, &[(pos, cube)]), &["--depth"]);
        let contact = &report["contacts"][0];
        let number = |field: &str| contact[field].as_f64().unwrap_or(f64::NAN);
        let off = (number("volume") - volume).abs();
        assert!(code == 1 && off <= number("volume_error") + 1e-15, "{pos}: {report}");
        assert!(number("volume_error") < 1e-9, "{pos}: {contact}");
    }
}

/// Two planes are not compared, and not counted.
#[test]
fn planes_are_not_compared_with_planes() {
    let desk = Desk::new();
    desk.put("floor.xml", model(r#"<geom type="plane" size="1 1 1"/>"#, &[]));
    desk.put("wall.xml", model(r#"<geom type="plane" size="1 1 1" euler="0 90 0"/>"#, &[]));
    let ran = desk.run(&["check", "floor.xml", "wall.xml"]);
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(ran.err.contains("planes are not compared with planes"), "{}", ran.err);
    desk.put("ball.xml", model("", &[("0 0 9", SPHERE)]));
    let report = desk.run(&["check", "floor.xml", "wall.xml", "ball.xml", "--json"]).json();
    assert_eq!(report["pairs_examined"], 2, "{report}");
}

#[test]
fn links_of_one_robot() {
    let arm = |angle: &str| {
        format!(
            r#"<mujoco><compiler angle="degree"/><worldbody><body name="base"><joint axis="0 0 1"/><geom type="capsule" size="0.05" fromto="0 0 0 0 0 1"/>
            <body name="upper" pos="0 0 1"><joint axis="0 1 0"/><geom type="capsule" size="0.05" fromto="0 0 0 0.5 0 0"/>
            <body name="lower" pos="0.5 0 0" euler="0 {angle} 0"><joint axis="0 1 0"/><geom type="capsule" size="0.05" fromto="0 0 0 0.6 0 0"/></body>
            </body></body></worldbody><contact><exclude body1="base" body2="upper"/></contact></mujoco>"#
        )
    };
    let (code, report) = check(&arm("180"), &["--self"]);
    assert_eq!(code, 1, "{report}");
    let parts = &report["contacts"][0]["parts"];
    assert_eq!(parts.as_array().map(Vec::len), Some(1), "{report}");
    assert_eq!(check(&arm("90"), &["--self"]).0, 0);
}

#[test]
fn height_fields_are_read_or_named() {
    let field = |how: &str| {
        format!(
            r#"<mujoco><asset><hfield name="f" size="1 1 0.5 0.1" {how}/></asset><worldbody><geom type="hfield" hfield="f"/>
            <body name="ball" pos="0 0 0.4"><freejoint/><geom size="0.1"/></body></worldbody></mujoco>"#
        )
    };
    let peak = r#"nrow="3" ncol="3" elevation="0 0 0 0 1 0 0 0 0""#;
    assert_eq!(check(&field(peak), &[]).0, 1);
    // What is missing is a warning in the result, also where stderr is not read.
    let image = field(r#"file="f.png""#)
        .replace("</worldbody>", r#"<geom type="box" pos="0 9 0" size="1 1 1"/></worldbody>"#);
    let (code, report) = check(&image, &[]);
    let warning = &report["warnings"][0];
    assert_eq!((code, warning["kind"].as_str()), (3, Some("left-out")), "{report}");
    assert!(warning["text"].as_str().unwrap_or_default().contains("height field"), "{report}");
    let desk = Desk::new();
    desk.put("short.xml", field(r#"nrow="3" ncol="3" elevation="0 0 1""#));
    let ran = desk.run(&["check", "short.xml"]);
    assert!(ran.code == 2 && ran.err.contains("3 elevations for 3 × 3"), "{}", ran.err);
}

/// The keyframes of a humanoid of spheres and capsules, with the contacts that `MuJoCo` 4.0 has and
/// how deep they are.
#[test]
fn a_humanoid_meets_the_floor_as_in_the_simulator() {
    let Some(folder) = shared_dir() else {
        skip_note("a_humanoid_meets_the_floor_as_in_the_simulator");
        return;
    };
    let path = folder.join("characters/mujoco_humanoid.xml");
    let path = path.to_str().expect("a name");
    let keys = [
        ("squat", 3.47e-4, &["foot_left", "foot_right"][..]),
        ("stand_on_left_leg", 4.14e-4, &["foot_left"]),
        ("prone", 0.00254, &["hand_left", "hand_right", "head"]),
        ("supine", 2.59e-4, &["head", "pelvis"]),
    ];
    for (clip, depth, parts) in keys {
        let options = ["check", path, "--self", "--depth", "--clip", clip, "--json", "-q"];
        let report = Desk::new().run(&options).json();
        let contacts = report["contacts"].as_array().expect("a list");
        assert_eq!(contacts.len(), 1, "{clip} {report}");
        let contact = &contacts[0];
        assert!((contact["depth"].as_f64().unwrap_or_default() - depth).abs() < 1e-6, "{contact}");
        assert_eq!(contact["certainty"], "exact");
        let named = contact["parts"].as_array().expect("parts").iter();
        let mut named: Vec<&str> = named.filter_map(|pair| pair["b"].as_str()).collect();
        named.sort_unstable();
        assert_eq!(named, parts, "{clip}");
    }
}
