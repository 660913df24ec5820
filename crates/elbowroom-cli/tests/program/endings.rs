//! Files that are not known by their endings: one list, what to export instead, and content where
//! the name says nothing.

use crate::desk::{Desk, obj};
use glam::DVec3;

fn desk() -> Desk {
    let desk = Desk::new();
    desk.put("good.obj", obj(&elbowroom_make::cuboid(DVec3::ONE)));
    desk
}

#[test]
fn every_command_knows_the_same_formats() {
    let desk = desk();
    desk.put("a.xyz", "1 2 3\n");
    let commands: [&[&str]; 5] = [
        &["check", "good.obj", "a.xyz"],
        &["check", "a.xyz"],
        &["info", "a.xyz"],
        &["convert", "a.xyz", "b.glb"],
        &["pose", "a.xyz", "-o", "b.obj"],
    ];
    let mut met = 0;
    for command in commands {
        let run = desk.run(command);
        assert_eq!(run.code, 2, "{run:?}");
        let expected = "a.xyz: the name ends in .xyz; known are .obj .stl .ply .off .3mf, .glb .gltf .vrm .fbx, .bvh, .urdf .mjcf .xml, .npz";
        assert!(run.err.contains(expected), "{command:?}: {}", run.err);
        met += 1;
    }
    assert_eq!(met, 5);
}

#[test]
fn formats_that_people_try_say_what_to_export() {
    let desk = desk();
    let cases = [
        ("a.usd", "export the scene as GLB"),
        ("a.abc", "numbered OBJ files"),
        ("a.dae", "export as GLB"),
        ("a.step", "export it as 3MF, or each part as STL"),
        ("a.blend", "export it as GLB"),
        ("a.npy", "numpy.savez"),
        ("a.c3d", "convert it to BVH"),
        ("a.sdf", "convert it to URDF or MJCF"),
    ];
    let mut met = 0;
    for (name, expected) in cases {
        desk.put(name, "whatever is in it");
        for command in ["check", "info"] {
            let run = desk.run(&[command, name]);
            assert_eq!(run.code, 2, "{run:?}");
            assert!(run.err.contains(&format!("error: {name}: ")), "{}", run.err);
            assert!(run.err.contains(expected), "{}", run.err);
            met += 1;
        }
    }
    // The content says it as well.
    for (bytes, expected) in [
        (&b"PXR-USDC\0"[..], "USD is not read"),
        (b"BLENDER-v300", "a Blender file is not read"),
        (b"ISO-10303-21;", "a CAD model has no triangles"),
        (b"\x93NUMPY", "one array has no faces"),
    ] {
        desk.put("nameless", bytes);
        let run = desk.run(&["check", "good.obj", "nameless"]);
        assert!(run.code == 2 && run.err.contains(expected), "{}", run.err);
        met += 1;
    }
    assert_eq!(met, 20);
}

#[test]
fn content_counts_where_the_ending_is_missing_or_wrong() {
    let desk = desk();
    let shot = |name: &str| desk.run(&["make", "man", "-o", name]);
    assert_eq!(shot("man.glb").code, 0);
    let glb = std::fs::read(desk.path().join("man.glb")).expect("it was made");
    let mesh = obj(&elbowroom_make::cuboid(DVec3::ONE));
    desk.put("man", &glb);
    desk.put("man.vrm", &glb);
    desk.put("man.obj", &glb);
    desk.put("mesh", &mesh);
    desk.put("mesh.data", &mesh);
    let ply = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
               element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    desk.put("mesh.stl", ply);
    for (name, note) in [
        ("man", Some("by its content it is glTF")),
        ("man.vrm", None),
        ("man.obj", Some("the name ends in .obj, but the content is glTF")),
        ("mesh", Some("by its content it is OBJ")),
        ("mesh.data", Some("by its content it is OBJ")),
        ("mesh.stl", Some("the name ends in .stl, but the content is PLY")),
    ] {
        let run = desk.run(&["check", "good.obj", name]);
        assert!([0, 1].contains(&run.code), "{name}: {run:?}");
        match note {
            Some(note) => assert!(
                run.err.contains(&format!("{name}: ")) && run.err.contains(note),
                "{}",
                run.err
            ),
            None => assert!(!run.err.contains("content"), "{}", run.err),
        }
    }
}

#[test]
fn what_is_no_file_is_said_first() {
    let desk = desk();
    for arguments in [&["check", "missing.obj"][..], &["info", "missing.obj"]] {
        let run = desk.run(arguments);
        assert_eq!(run.code, 2);
        assert!(run.err.contains("missing.obj: no such file; check the name"), "{}", run.err);
        assert!(!run.err.contains("takes two"), "{}", run.err);
    }
    for arguments in [&["check", "-", "good.obj"][..], &["check", "-"], &["info", "-"]] {
        let run = desk.run(arguments);
        assert_eq!(run.code, 2);
        assert!(run.err.contains("standard input is not read; save it to a file"), "{}", run.err);
    }
    desk.put(
        "first.gltf",
        "{\"asset\":{\"version\":\"1.0\"},\"meshes\":{\"m\":{\"primitives\":[]}}}",
    );
    let run = desk.run(&["info", "first.gltf"]);
    assert!(run.code == 2 && run.err.contains("glTF version 1.0; only 2.0"), "{}", run.err);
    desk.put("s.toml", "[[model]]\nfile = \"t.toml\"\n");
    desk.put("t.toml", "[[model]]\nfile = \"s.toml\"\n");
    let run = desk.run(&["check", "s.toml"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("is a scene file, which stands alone"), "{}", run.err);
    desk.put("ways.csv", "id,frame,x,y\n1,0,0,0\n");
    let run = desk.run(&["check", "good.obj", "ways.csv"]);
    assert!(run.code == 2 && run.err.contains("`elbowroom crowd`"), "{}", run.err);
}
