//! What one file is: its shells, its named groups, or one object.

use std::fmt::Write as _;

use crate::desk::{Desk, Run};
use elbowroom::Mesh;
use glam::DVec3;

/// Cubes of side 1 in a row, so far apart from middle to middle.
fn row(count: u32, distance: f64) -> Vec<Mesh> {
    let cube = elbowroom_make::cuboid(DVec3::splat(0.5));
    let moved = |index: u32| {
        // In no plane of the one before, so that neighbours that overlap cross.
        let shift = f64::from(index) * DVec3::new(distance, 0.0625, 0.125);
        let vertices = cube.vertices().iter().map(|&vertex| vertex + shift).collect();
        Mesh::new(vertices, cube.triangles().to_vec()).expect("a cube")
    };
    (0..count).map(moved).collect()
}

/// All meshes in one OBJ, each behind a statement like `o cube3`; none behind an empty one.
fn obj_of(meshes: &[Mesh], statement: &str) -> String {
    let (mut text, mut base) = (String::new(), 1);
    for (index, mesh) in meshes.iter().enumerate() {
        if !statement.is_empty() {
            writeln!(text, "{statement}{index}").expect("strings take what is written");
        }
        for v in mesh.vertices() {
            writeln!(text, "v {} {} {}", v.x, v.y, v.z).expect("strings take what is written");
        }
        for t in mesh.triangles() {
            let [a, b, c] = t.map(|corner| corner + base);
            writeln!(text, "f {a} {b} {c}").expect("strings take what is written");
        }
        base += mesh.vertices().len() as u32;
    }
    text
}

/// All meshes in one binary STL.
fn stl_of(meshes: &[Mesh]) -> Vec<u8> {
    let count: usize = meshes.iter().map(|mesh| mesh.triangles().len()).sum();
    let mut bytes = vec![b' '; 80];
    bytes.extend(u32::try_from(count).expect("a few").to_le_bytes());
    for mesh in meshes {
        for triangle in mesh.triangles() {
            bytes.extend([0; 12]);
            let corners = triangle.map(|corner| mesh.vertices()[corner as usize]);
            bytes.extend(
                corners.iter().flat_map(|c| c.as_vec3().to_array()).flat_map(f32::to_le_bytes),
            );
            bytes.extend([0; 2]);
        }
    }
    bytes
}

/// Who meets whom, as names.
fn pairs(run: &Run) -> Vec<[String; 2]> {
    let json = run.json();
    let name = |value: &serde_json::Value| match value.as_u64() {
        Some(index) => json["objects"][usize::try_from(index).expect("a few")]["name"].clone(),
        None => value.clone(),
    };
    let contacts = json["contacts"].as_array().expect("contacts").iter();
    let text = |value: serde_json::Value| value.as_str().expect("a name").to_owned();
    contacts.map(|contact| [text(name(&contact["a"])), text(name(&contact["b"]))]).collect()
}

/// The ends of names, behind the file.
fn ends(pairs: &[[String; 2]]) -> Vec<[&str; 2]> {
    pairs
        .iter()
        .map(|pair| [&pair[0], &pair[1]].map(|name| &name[name.find(['/', '#']).unwrap_or(0)..]))
        .collect()
}

#[test]
fn the_objects_of_an_obj_are_checked_against_each_other() {
    let desk = Desk::new();
    // Each overlaps the next.
    desk.put("row.obj", obj_of(&row(4, 0.875), "o cube"));
    let run = desk.run(&["check", "row.obj", "--json"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(
        run.err.contains("row.obj: its 4 objects are checked against each other"),
        "{}",
        run.err
    );
    assert!(run.err.contains("--split none"), "{}", run.err);
    let found = pairs(&run);
    assert_eq!(ends(&found), [["/cube0", "/cube1"], ["/cube1", "/cube2"], ["/cube2", "/cube3"]]);
    // The same as by shells, by groups, and as files of their own.
    for how in ["shells", "groups"] {
        let run = desk.run(&["check", "row.obj", "--json", "--split", how]);
        assert_eq!((run.code, pairs(&run).len()), (1, 3), "{how}: {run:?}");
        assert_eq!(run.err, "");
    }
    let names: Vec<String> = (0..4).map(|index| format!("{index}.obj")).collect();
    for (name, mesh) in names.iter().zip(row(4, 0.875)) {
        desk.put_obj(name, &mesh);
    }
    let mut arguments = vec!["check", "--json"];
    arguments.extend(names.iter().map(String::as_str));
    let apart = desk.run(&arguments).json();
    let counts = |json: &serde_json::Value| -> Vec<u64> {
        let contacts = json["contacts"].as_array().expect("contacts").iter();
        contacts.map(|contact| contact["triangle_pairs"].as_u64().expect("a count")).collect()
    };
    assert_eq!(counts(&run.json()), counts(&apart));
}

#[test]
fn groups_without_objects_and_stl_are_one_object_until_asked() {
    let desk = Desk::new();
    desk.put("row.stl", stl_of(&row(3, 0.875)));
    desk.put("groups.obj", obj_of(&row(3, 0.875), "g cube"));
    let far = elbowroom_make::cuboid(DVec3::ONE).vertices().iter().map(|&v| v + 50.0).collect();
    let triangles = elbowroom_make::cuboid(DVec3::ONE).triangles().to_vec();
    desk.put_obj("far.obj", &Mesh::new(far, triangles).expect("a cube"));
    for (file, hows) in [("row.stl", &["shells"][..]), ("groups.obj", &["shells", "groups"])] {
        // Alone, it says how to go on.
        let run = desk.run(&["check", file]);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{run:?}");
        assert!(
            run.err.contains("takes two to touch") && run.err.contains("--self"),
            "{}",
            run.err
        );
        let hint = format!("`elbowroom check {file} --split shells` checks its 3 shells");
        assert!(run.err.contains(&hint), "{}", run.err);
        // Beside another, what is not compared is said.
        let run = desk.run(&["check", file, "far.obj"]);
        assert_eq!(run.code, 0, "{run:?}");
        let note = format!("{file}: has 3 shells and is one object; --split shells");
        assert!(run.err.contains(&note), "{}", run.err);
        // One who says it knows it.
        let run = desk.run(&["check", file, "far.obj", "--split", "none"]);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{run:?}");
        for how in hows {
            let run = desk.run(&["check", file, "far.obj", "--json", "--split", how]);
            assert_eq!((run.code, pairs(&run).len()), (1, 2), "{file} {how}: {run:?}");
            assert_eq!(run.json()["objects"].as_array().map(Vec::len), Some(4));
        }
    }
    let run = desk.run(&["check", "row.stl", "--json", "--split", "shells"]);
    assert_eq!(ends(&pairs(&run)), [["#1", "#2"], ["#2", "#3"]]);
}

#[test]
fn forty_rings_of_one_object_come_apart() {
    let desk = Desk::new();
    let mut text = String::new();
    let mesh = obj_of(&row(40, 1.5), "");
    text.push_str("<vertices>");
    for line in mesh.lines().filter_map(|line| line.strip_prefix("v ")) {
        let words: Vec<&str> = line.split(' ').collect();
        write!(text, "<vertex x=\"{}\" y=\"{}\" z=\"{}\"/>", words[0], words[1], words[2])
            .expect("strings take what is written");
    }
    text.push_str("</vertices><triangles>");
    for line in mesh.lines().filter_map(|line| line.strip_prefix("f ")) {
        let corner = |word: &str| word.parse::<u32>().expect("a corner") - 1;
        let words: Vec<u32> = line.split(' ').map(corner).collect();
        write!(text, "<triangle v1=\"{}\" v2=\"{}\" v3=\"{}\"/>", words[0], words[1], words[2])
            .expect("strings take what is written");
    }
    let model = format!(
        "<model><resources><object id=\"1\" name=\"chain\"><mesh>{text}</triangles></mesh></object></resources>\
         <build><item objectid=\"1\"/></build></model>"
    );
    let bytes = elbowroom_testkit::nesting::zip(&[("3D/3dmodel.model", model.as_bytes())]);
    desk.put("chain.3mf", bytes);
    let run = desk.run(&["check", "chain.3mf"]);
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.err.contains("--split shells` checks its 40 shells"), "{}", run.err);
    let run = desk.run(&["check", "chain.3mf", "--split", "shells", "--json"]);
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(run.json()["objects"].as_array().map(Vec::len), Some(40));
    let run = desk.run(&["info", "chain.3mf", "--split", "shells", "--json"]);
    let parts = &run.json()["files"][0]["rigs"][0]["parts"];
    assert_eq!(parts.as_array().map(Vec::len), Some(40));
    assert_eq!(parts[39]["name"], "chain#40");
}

#[test]
fn scene_files_split_what_they_name() {
    let desk = Desk::new();
    desk.put("row.stl", stl_of(&row(3, 0.875)));
    desk.put("row.obj", obj_of(&row(3, 0.875), "o cube"));
    let scene = |file: &str, split: &str| {
        desk.put("s.toml", format!("[[model]]\nname = \"m\"\nfile = \"{file}\"\n{split}\n"));
        desk.run(&["check", "s.toml", "--json"])
    };
    let run = scene("row.stl", "split = \"shells\"");
    assert_eq!(run.code, 1, "{run:?}");
    assert_eq!(pairs(&run), [["m#1", "m#2"], ["m#2", "m#3"]]);
    let run = scene("row.obj", "split = \"groups\"");
    assert_eq!(pairs(&run), [["m/cube0", "m/cube1"], ["m/cube1", "m/cube2"]]);
    // An entry is one object unless it says otherwise.
    for split in ["", "split = \"none\""] {
        assert_eq!(scene("row.obj", split).code, 2);
    }
    let run = scene("row.obj", "split = \"halves\"");
    assert_eq!(run.code, 2);
    assert!(
        run.err.contains("s.toml:4:9: `split` is \"shells\", \"groups\" or \"none\""),
        "{}",
        run.err
    );
    scene("row.obj", "split = \"groups\"");
    let run = desk.run(&["check", "s.toml", "--split", "shells"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("change `split` in s.toml"), "{}", run.err);
}

#[test]
fn what_cannot_be_split_is_refused_or_said() {
    let desk = Desk::new();
    desk.put("row.stl", stl_of(&row(3, 0.875)));
    desk.put("a.obj", obj_of(&row(2, 3.0), "o cube"));
    desk.put("p.json", format!("[{}]", crate::desk::shift(0.0, 0.0, 0.0)));
    let run = desk.run(&["check", "row.stl", "a.obj", "--poses", "p.json", "--split", "shells"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("--split cannot be used with --poses"), "{}", run.err);
    // By default, what moves is one object.
    let run = desk.run(&["check", "row.stl", "a.obj", "--poses", "p.json", "--json"]);
    assert_eq!(run.json()["objects"].as_array().map(Vec::len), Some(2), "{run:?}");
    desk.put("f.1.obj", obj_of(&row(2, 3.0), "o cube"));
    let run = desk.run(&["check", "f.#.obj", "row.stl", "--split", "shells"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("--split cannot be used with vertices over time"), "{}", run.err);
    let robot = "<robot name=\"r\"><link name=\"l\"><collision><geometry><box size=\"1 1 1\"/>\
                 </geometry></collision></link><link name=\"k\"><collision><geometry><box size=\"1 1 1\"/>\
                 </geometry></collision></link><joint name=\"j\" type=\"continuous\"><parent link=\"l\"/>\
                 <child link=\"k\"/></joint></robot>";
    desk.put("r.urdf", robot);
    let run = desk.run(&["check", "r.urdf", "row.stl", "--split", "shells", "--json"]);
    assert!(run.err.contains("a robot is one object, which --split leaves whole"), "{}", run.err);
    assert_eq!(run.json()["objects"].as_array().map(Vec::len), Some(4));
    // Loose triangles by the hundred thousand are no assembly.
    let triangle = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]]).expect("one");
    let loose = |index: u32| {
        let vertices =
            triangle.vertices().iter().map(|&v| v + f64::from(index) * DVec3::Z).collect();
        Mesh::new(vertices, triangle.triangles().to_vec()).expect("a triangle")
    };
    desk.put("loose.stl", stl_of(&(0..70_000).map(loose).collect::<Vec<_>>()));
    let run = desk.run(&["check", "loose.stl", "row.stl", "--split", "shells"]);
    // The others are examined.
    assert_eq!(run.code, 3, "{run:?}");
    assert!(
        run.err.contains("loose.stl: splits into 70,000 pieces, more than the 65,536"),
        "{}",
        run.err
    );
}
