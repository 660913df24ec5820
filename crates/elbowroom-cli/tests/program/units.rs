//! Units: of files, of lengths on the command line, of results; and sizes that look wrong.

use std::fmt::Write;

use glam::DVec3;
use serde_json::{Value, json};

use crate::desk::{Desk, Run};

/// A box as a text STL; the numbers are those of the file.
fn stl(half: DVec3, at: DVec3) -> String {
    let mesh = elbowroom_make::cuboid(half);
    let mut text = "solid box\n".to_owned();
    for triangle in mesh.triangles() {
        text.push_str("facet normal 0 0 0\nouter loop\n");
        for corner in triangle {
            let [x, y, z] = (mesh.vertices()[*corner as usize] + at).to_array();
            writeln!(text, "vertex {x} {y} {z}").expect("strings take what is written");
        }
        text.push_str("endloop\nendfacet\n");
    }
    text + "endsolid box\n"
}

/// A robot of 20 cm and an arm of 60 cm, in metres as URDF is.
const ARM: &str = r#"<robot name="arm">
  <link name="base"><collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
  <link name="upper"><collision><geometry><box size="0.05 0.05 0.6"/></geometry></collision></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/>
    <origin xyz="0 0 0.5"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
</robot>"#;

/// A robot in metres, a fixture in millimetres that reaches into its base, and parts of which two
/// are 0.3125 mm apart.
fn desk() -> Desk {
    let desk = Desk::new();
    desk.put("arm.urdf", ARM);
    desk.put("fixture.stl", stl(DVec3::splat(50.0), DVec3::new(120.0, 13.0, 17.0)));
    desk.put("pin.stl", stl(DVec3::splat(5.0), DVec3::ZERO));
    desk.put("washer.stl", stl(DVec3::splat(5.0), DVec3::new(10.3125, 0.0, 0.0)));
    desk.put("far.stl", stl(DVec3::splat(5.0), DVec3::new(400.0, 0.0, 0.0)));
    desk
}

fn refused(run: &Run, words: &[&str]) {
    assert_eq!((run.code, run.out.as_str()), (2, ""), "{run:?}");
    for word in words {
        assert!(run.err.contains(word), "{word}: {}", run.err);
    }
}

#[test]
fn a_flag_never_overrules_a_file_that_states_its_unit() {
    let desk = desk();
    let run = desk.run(&["check", "arm.urdf", "fixture.stl", "--units", "mm", "--json"]);
    assert_eq!(run.code, 1, "{run:?}");
    let report = run.json();
    assert_eq!(report["contacts"][0]["kind"], "crossing");
    assert_eq!((&report["unit"], &report["metres_per_unit"]), (&json!("mm"), &json!(0.001)));
    let note = "note: --units mm applies to fixture.stl; arm.urdf states its own (m)";
    assert!(run.err.contains(note), "{}", run.err);
    // The same by the name of the file, and by a scene file.
    let behind = desk.run(&["check", "arm.urdf", "fixture.stl@mm", "--json"]).json();
    desk.put("scene.toml", "[[model]]\nname = 'arm.urdf'\nfile = 'arm.urdf'\n[[model]]\nname = 'fixture.stl'\nfile = 'fixture.stl'\nunits = 'mm'\n");
    let scene = desk.run(&["check", "scene.toml", "--json", "--report-unit", "mm"]).json();
    for other in [&behind, &scene] {
        assert_eq!(other["unit"], "mm");
        assert_eq!(other["contacts"][0]["triangle_pairs"], report["contacts"][0]["triangle_pairs"]);
    }
    refused(
        &desk.run(&["check", "arm.urdf", "--self", "--units", "mm"]),
        &["arm.urdf: states its own (m), which --units mm does not overrule", "--report-unit mm"],
    );
    refused(&desk.run(&["check", "arm.urdf", "--self", "--up", "y"]), &["states its own (Z up)"]);
    refused(
        &desk.run(&["check", "arm.urdf@mm", "fixture.stl@mm"]),
        &["arm.urdf: states its unit, m, and is not read in mm"],
    );
    desk.put(
        "bad.toml",
        "[[model]]\nfile = 'fixture.stl'\n[[character]]\nfile = 'arm.urdf'\nunits = 'mm'\n",
    );
    let bad = desk.run(&["check", "bad.toml"]);
    assert!(
        bad.code >= 2 && bad.err.contains("bad.toml:4:8: arm.urdf: states its unit, m"),
        "{bad:?}"
    );
    refused(&desk.run(&["check", "--units", "mm"]), &["--units needs files"]);
    // What a file states may be said again.
    assert_eq!(desk.run(&["check", "arm.urdf@m,z", "fixture.stl@mm"]).code, 1);
    // The two links are neighbours, so there is nothing to examine; but the unit is accepted.
    assert_eq!(desk.run(&["check", "arm.urdf", "--self", "--units", "m", "--exit-zero"]).code, 3);
}

#[test]
fn other_commands_heed_what_files_state() {
    let desk = desk();
    let made = desk.run(&["convert", "pin.stl@mm", "pin.glb"]);
    assert_eq!(made.code, 0, "{made:?}");
    let info = desk.run(&["info", "pin.glb", "pin.stl@mm", "--json"]).json();
    let sizes =
        [0, 1].map(|file| info["files"][file]["bounds"]["high"][0].as_f64().expect("a size"));
    assert!(sizes.iter().all(|size| (size - 0.005).abs() < 1e-9), "{sizes:?}");
    assert_eq!(info["files"][1]["units"], json!({"value": 0.001, "source": "given"}));
    let over = desk.run(&["info", "pin.glb", "--units", "mm"]);
    assert_eq!(over.code, 2, "{over:?}");
    assert!(over.err.contains("pin.glb: states its own (m)"), "{}", over.err);
    assert!(
        over.out.contains("in metres (as the file says)") || over.out.contains("metres"),
        "{}",
        over.out
    );
    refused(
        &desk.run(&["convert", "pin.glb", "out.obj", "--units", "mm"]),
        &["states its own (m)"],
    );
    refused(&desk.run(&["pose", "arm.urdf@mm", "-o", "out.obj"]), &["states its unit, m"]);
    assert!(!desk.path().join("out.obj").exists());
    // Metres of a mesh in inches, given behind its name.
    assert_eq!(desk.run(&["convert", "pin.stl@in", "inch.obj", "--metres"]).code, 0);
    let text = std::fs::read_to_string(desk.path().join("inch.obj")).expect("a file");
    assert!(
        text.lines().any(|line| line.starts_with("v 0.127 ") || line.starts_with("v -0.127 ")),
        "{text}"
    );
    desk.put("ways.csv", "# x/m y/m\nid,frame,x,y\n1,0,0,0\n1,10,1,0\n");
    let ways = desk.run(&["info", "ways.csv@cm", "--json"]);
    assert_eq!(ways.code, 0, "{ways:?}");
}

#[test]
fn a_length_with_a_unit_needs_files_with_one() {
    let desk = desk();
    let parts = ["check", "pin.stl", "washer.stl", "far.stl"];
    let with = |more: &[&str]| desk.run(&[&parts[..], more].concat());
    refused(
        &with(&["--clearance", "0.5mm"]),
        &["--clearance 0.5mm: pin.stl does not state its unit", "--units mm", "pin.stl@mm"],
    );
    refused(
        &desk.run(&["check", "arm.urdf", "fixture.stl", "--clearance", "5mm"]),
        &["fixture.stl does not state its unit"],
    );
    refused(&with(&["--report-unit", "mm"]), &["the files do not state their unit", "--units mm"]);
    let mut met = 0;
    for clearance in ["0.5mm", "0.5", "0.05cm"] {
        let run = with(&["--units", "mm", "--json", "--clearance", clearance]);
        let report = run.json();
        assert_eq!(
            (run.code, &report["unit"], &report["clearance"]),
            (1, &json!("mm"), &json!(0.5))
        );
        let contacts = report["contacts"].as_array().expect("a list");
        assert_eq!(contacts.len(), 1, "{contacts:?}");
        assert_eq!(contacts[0]["distance"], 0.3125);
        met += 1;
    }
    assert_eq!(met, 3);
    // Bare numbers beside bare files are numbers of the files, and say so.
    let bare = with(&["--clearance", "0.5", "--json"]);
    let report = bare.json();
    assert_eq!(
        (bare.code, &report["unit"], &report["metres_per_unit"]),
        (1, &Value::Null, &Value::Null)
    );
    assert!(report["unit_note"].as_str().is_some_and(|note| note.contains("do not state")));
    assert_eq!(report["contacts"][0]["distance"], 0.3125);
    let table = with(&["--clearance", "0.5"]);
    assert!(table.out.contains("within 0.5\n"), "{}", table.out);
    assert!(table.out.contains("the files do not state their unit"), "{}", table.out);
    // A bare number is in the unit of the results, whatever the files are in.
    let inches = with(&["--units", "mm", "--report-unit", "in", "--clearance", "0.02", "--json"]);
    let report = inches.json();
    assert_eq!(
        (inches.code, &report["unit"], &report["clearance"]),
        (1, &json!("in"), &json!(0.02))
    );
    let distance = report["contacts"][0]["distance"].as_f64().expect("a distance");
    assert!((distance * 25.4 - 0.3125).abs() < 1e-12, "{distance}");
}

#[test]
fn files_of_different_units_are_brought_together() {
    let desk = desk();
    desk.put("inch.stl", stl(DVec3::splat(0.25), DVec3::new(0.5, 0.0, 0.0)));
    // 12.7 mm from the origin, 6.35 mm to each side: 1.35 mm from the pin.
    let run = desk.run(&["check", "pin.stl@mm", "inch.stl@in", "--clearance", "2mm", "--json"]);
    let report = run.json();
    assert_eq!((run.code, &report["unit"]), (1, &json!("m")), "{run:?}");
    let distance = report["contacts"][0]["distance"].as_f64().expect("a distance");
    assert!((distance - 0.00135).abs() < 1e-12, "{distance}");
    // The axis counts as well: Z up turns the long side of a rod down.
    desk.put("rod.stl", stl(DVec3::new(1.0, 1.0, 40.0), DVec3::new(0.0, 0.0, 50.0)));
    let turned =
        desk.run(&["check", "pin.stl@mm,y", "rod.stl@mm,z", "--clearance", "6mm", "--json"]);
    let point = &turned.json()["contacts"][0]["point"];
    let [y, z] = [1, 2].map(|axis| point[axis].as_f64().expect("a number"));
    assert!((y - 7.5).abs() < 1e-9 && z.abs() < 1.1, "{turned:?}");
    refused(
        &desk.run(&["check", "pin.stl@mm", "pin.stl@in"]),
        &["given twice, and with different units"],
    );
    refused(
        &desk.run(&["check", "pin.stl@yard", "washer.stl"]),
        &["pin.stl: \"yard\" after the @", "part.stl@mm,z"],
    );
    let missing = desk.run(&["check", "none.stl@mm", "pin.stl@mm"]);
    refused(&missing, &["none.stl: no such file"]);
    // A file that is really called so is that file.
    std::fs::copy(desk.path().join("pin.stl"), desk.path().join("a@mm.stl")).expect("a copy");
    std::fs::create_dir(desk.path().join("b@mm")).expect("a folder");
    std::fs::copy(desk.path().join("washer.stl"), desk.path().join("b@mm/w.stl")).expect("a copy");
    let named = desk.run(&["check", "a@mm.stl", "b@mm/w.stl", "--clearance", "0.5", "--json"]);
    assert_eq!((named.code, &named.json()["unit"]), (1, &Value::Null), "{named:?}");
}

/// How many powers of the unit a field is.
fn power(name: &str) -> i32 {
    match name {
        "distance" | "point" | "length" | "depth" | "depth_upper" | "depth_point" => 1,
        "area_a" | "area_b" => 2,
        "volume" | "volume_error" => 3,
        _ => 0,
    }
}

/// Compares fields of two findings, of which one is in another unit.
fn compare(name: &str, metres: &Value, other: &Value, per_metre: f64, met: &mut usize) {
    match (metres, other) {
        (Value::Array(a), Value::Array(b)) if power(name) > 0 => {
            a.iter().zip(b).for_each(|(a, b)| compare(name, a, b, per_metre, met));
        }
        (Value::Number(a), Value::Number(b)) if power(name) > 0 => {
            let (a, b) = (a.as_f64().expect("a number"), b.as_f64().expect("a number"));
            let expected = a * per_metre.powi(power(name));
            assert!((b - expected).abs() <= 1e-12 * expected.abs(), "{name}: {a} {b}");
            *met += 1;
        }
        _ if name == "series" => {}
        _ => assert_eq!(metres, other, "{name}"),
    }
}

#[test]
fn every_output_is_in_the_unit_of_the_report() {
    let desk = desk();
    let command = |unit: &str, name: &str| {
        let files =
            ["check", "arm.urdf", "fixture.stl@mm", "--depth", "--where", "--clearance", "30cm"];
        let outputs = ["json", "ndjson", "csv", "html"].map(|ending| format!("{name}.{ending}"));
        let mut all: Vec<&str> = [&files[..], &["--report-unit", unit, "-q"]].concat();
        for output in &outputs {
            all.extend(["-o", output]);
        }
        let run = desk.run(&all);
        assert_eq!(run.code, 1, "{run:?}");
    };
    command("m", "m");
    command("mm", "mm");
    let text = |name: &str| std::fs::read_to_string(desk.path().join(name)).expect("a file");
    let [metres, millimetres] = ["m.json", "mm.json"]
        .map(|name| -> Value { serde_json::from_str(&text(name)).expect("JSON") });
    assert_eq!((&metres["unit"], &millimetres["unit"]), (&json!("m"), &json!("mm")));
    assert_eq!((&metres["clearance"], &millimetres["clearance"]), (&json!(0.3), &json!(300.0)));
    let mut met = 0;
    for list in ["contacts", "incidents"] {
        let [a, b] = [&metres, &millimetres].map(|report| &report[list][0]);
        for (name, value) in a.as_object().expect("a finding") {
            compare(name, value, &b[name], 1000.0, &mut met);
        }
    }
    assert!(met > 20, "{met}");
    let depth = &millimetres["contacts"][0]["depth"];
    assert!(depth.as_f64().is_some_and(|depth| depth > 1.0 && depth < 100.0), "{depth}");
    // Lines and tables hold the same numbers, and name the unit.
    let lines = text("mm.ndjson");
    let mut lines =
        lines.lines().map(|line| -> Value { serde_json::from_str(line).expect("JSON") });
    assert_eq!(lines.next().expect("a header")["unit"], "mm");
    assert_eq!(&lines.next().expect("a contact")["depth"], depth);
    for name in ["mm.csv", "mm.incidents.csv"] {
        let table = text(name);
        let mut rows = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let (head, row) = (rows.next().expect("a head"), rows.next().expect("a row"));
        let cell = |column: &str| row[head.iter().position(|name| *name == column).expect(column)];
        assert_eq!((cell("unit"), cell("depth")), ("mm", depth.to_string().as_str()), "{name}");
    }
    // A page draws the scene in metres, and knows which unit was asked for.
    let page = text("mm.html");
    assert!(page.contains(r#""unit":"m","metres_per_unit":1.0,"report_unit":"mm""#));
    let [a, b] = ["m.html", "mm.html"].map(|name| {
        let page = text(name);
        let at = page.find(r#""incidents":[{"#).expect("incidents");
        page[at..at + 60].to_owned()
    });
    assert_eq!(a, b);
}

#[test]
fn lengths_are_shown_as_people_read_them() {
    let desk = desk();
    for part in ["pin", "washer"] {
        let made = desk.run(&["convert", &format!("{part}.stl@mm"), &format!("{part}.glb")]);
        assert_eq!(made.code, 0, "{made:?}");
    }
    let run = desk.run(&["check", "pin.glb", "washer.glb", "--clearance", "0.5mm"]);
    assert!(run.out.contains("distance (mm)") && run.out.contains("0.31"), "{}", run.out);
    assert!(run.out.contains("within 0.5 mm"), "{}", run.out);
    let asked = ["check", "pin.glb", "washer.glb", "--clearance", "0.5mm", "--report-unit", "in"];
    let run = desk.run(&asked);
    assert!(run.out.contains("distance (in)") && run.out.contains("0.0123"), "{}", run.out);
}

#[test]
fn sizes_that_look_wrong_are_a_warning_that_stays() {
    let desk = desk();
    let files = ["check", "arm.urdf", "fixture.stl"];
    let loud = desk.run(&files);
    let warning = "warning: arm";
    assert!(
        loud.err.contains(warning) && loud.err.contains("are their units right?"),
        "{}",
        loud.err
    );
    let outputs = ["-q", "--json", "-o", "x.html", "-o", "x.ndjson"];
    let quiet = desk.run(&[&files[..], &outputs].concat());
    assert_eq!(quiet.err, "");
    let warnings = quiet.json()["warnings"].clone();
    assert_eq!(warnings[0]["kind"], "units");
    let words = warnings[0]["text"].as_str().expect("text");
    assert!(words.contains("fixture") && words.contains("100 m long"), "{words}");
    for name in ["x.html", "x.ndjson"] {
        let text = std::fs::read_to_string(desk.path().join(name)).expect("a file");
        assert!(text.contains("are their units right?"), "{name}");
    }
    // With its unit there is nothing to warn of.
    let right = desk.run(&["check", "arm.urdf", "fixture.stl@mm", "--json"]);
    assert_eq!(right.json()["warnings"], json!([]));
}

#[test]
fn people_and_crowds_of_other_sizes_are_warned_of() {
    let desk = Desk::new();
    let warnings = |scene: &str| {
        desk.put("scene.toml", format!("frames = 2\n[[model]]\nfile = 'make:cube'\n{scene}"));
        let run = desk.run(&["check", "scene.toml", "--json", "-q"]);
        assert!(run.code < 2, "{run:?}");
        let warnings = run.json()["warnings"].clone();
        let texts = warnings.as_array().expect("a list").iter().map(|w| w["text"].to_string());
        texts.collect::<Vec<String>>().join("\n")
    };
    let man =
        |scale: f64| format!("[[character]]\nfile = 'make:man'\nclip = 'walk'\nscale = {scale}\n");
    assert_eq!(warnings(&man(1.0)), "");
    assert!(
        warnings(&man(0.001)).contains("has the joints of a person, and is 2 mm long"),
        "{}",
        warnings(&man(0.001))
    );
    assert!(
        warnings(&man(100.0)).contains("has the joints of a person, and is 19"),
        "{}",
        warnings(&man(100.0))
    );
    let mut ways = "id,frame,x,y\n".to_owned();
    for frame in 0..20 {
        writeln!(ways, "1,{frame},{},0", 13 * frame).expect("strings take what is written");
    }
    desk.put("ways.csv", ways);
    let crowd = |units: &str| {
        format!(
            "[[crowd]]\ntrajectories = 'ways.csv'\ncharacters = ['make:man']\nfps = 10\nunits = '{units}'\n"
        )
    };
    assert_eq!(warnings(&crowd("cm")), "");
    assert!(
        warnings(&crowd("m")).contains("walk at 130 m/s on average"),
        "{}",
        warnings(&crowd("m"))
    );
}

/// Parts for robots are modelled with Z up, as robots are: taken for Y up, this one would be beside
/// it.
#[test]
fn a_mesh_beside_a_robot_is_taken_for_z_up() {
    let desk = desk();
    desk.put("above.stl", stl(DVec3::splat(50.0), DVec3::new(0.0, 0.0, 500.0)));
    let run = desk.run(&["check", "arm.urdf", "above.stl@mm"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(
        run.err.contains(
            "above.stl: the file does not state its up axis; Z is assumed, as in arm.urdf"
        ),
        "{}",
        run.err
    );
    assert_eq!(desk.run(&["check", "arm.urdf", "above.stl@mm,y"]).code, 0);
    assert_eq!(desk.run(&["check", "arm.urdf", "above.stl@mm", "--up", "y"]).code, 0);
}

/// What touches in numbers that both files have exactly still touches in metres and with another
/// axis up.
#[test]
fn faces_that_meet_meet_in_every_unit_and_axis() {
    let desk = desk();
    for metres in [0.1, 0.3, 0.7, 0.009, 0.57, 1.001, 2.3] {
        let (half, middle) = (DVec3::splat(0.25), DVec3::new(metres - 0.25, 0.0, 0.0));
        let ours = elbowroom_make::cuboid(half);
        let place = |at: DVec3, x: f64, side: f64, factor: f64| {
            let corner = |v: &DVec3| {
                let own = if v.x * side > 0.0 { x } else { (v.x + at.x) * factor };
                format!("v {own} {} {}\n", (v.y + at.y) * factor, (v.z + at.z) * factor)
            };
            let vertices: String = ours.vertices().iter().map(corner).collect();
            let faces = ours.triangles().iter();
            let faces = faces.map(|t| format!("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1));
            vertices + &faces.collect::<String>()
        };
        desk.put("a.obj", place(middle, metres, 1.0, 1.0));
        let thousand = (metres * 1000.0).round();
        desk.put("b.obj", place(middle + 0.5 * DVec3::X, thousand, -1.0, 1000.0));
        let run = desk.run(&["check", "a.obj@m", "b.obj@mm", "--json"]);
        assert_eq!(
            (run.code, &run.json()["contacts"][0]["kind"]),
            (1, &json!("touching")),
            "{metres}"
        );
    }
    let cube = |half: f64, at: DVec3| stl(DVec3::splat(half), at);
    desk.put("upright.stl", cube(0.5, DVec3::ZERO));
    for at in [DVec3::X, -DVec3::X, DVec3::Y, -DVec3::Y, DVec3::Z, -DVec3::Z] {
        desk.put("lying.stl", cube(0.25, 0.75 * at));
        let files = ["check", "upright.stl@m,y", "lying.stl@m,z", "--solid"];
        let run = desk.run(&[&files[..], &["--json"]].concat());
        assert_eq!((run.code, &run.json()["contacts"][0]["kind"]), (1, &json!("touching")), "{at}");
        assert_eq!(desk.run(&[&files[..], &["--touching", "ignore"]].concat()).code, 0, "{at}");
    }
}

/// A solid that is wound inside out encloses nothing, so that a clear answer is none.
#[test]
fn solids_that_are_inside_out_are_warned_of() {
    let desk = desk();
    let text = |half: f64| stl(DVec3::splat(half), DVec3::ZERO);
    desk.put("room.stl", text(1.0));
    desk.put("cup.stl", text(0.1));
    let corners: Vec<String> = text(1.0).lines().map(str::to_owned).collect();
    let mut turned = corners.clone();
    for first in 0..corners.len().saturating_sub(1) {
        let are_corners = [first, first + 1].map(|line| corners[line].starts_with("vertex"));
        if are_corners == [true, true] && corners[first - 1].starts_with("outer") {
            turned.swap(first, first + 1);
        }
    }
    desk.put("inward.stl", turned.join("\n"));
    for (room, kinds) in [("room.stl", vec![]), ("inward.stl", vec!["winding"])] {
        let run = desk.run(&["check", room, "cup.stl", "--solid", "--units", "m", "--json", "-q"]);
        let report = run.json();
        let warnings = report["warnings"].as_array().expect("a list");
        let met: Vec<_> = warnings.iter().map(|w| w["kind"].as_str().unwrap()).collect();
        assert_eq!(met, kinds, "{report}");
        // Nothing was found inside, which says nothing.
        let is_sound = kinds.is_empty();
        assert_eq!(
            (run.code, &report["complete"]),
            (if is_sound { 1 } else { 3 }, &json!(is_sound))
        );
    }
}
