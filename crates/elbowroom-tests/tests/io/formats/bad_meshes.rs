//! Every way a PLY, OFF or 3MF file can be bad: the message names the file, the place and what is
//! wrong.

use elbowroom_io::read_mesh;
use elbowroom_testkit::folder::Folder;

use super::common::{package, zip};

fn message(folder: &Folder, name: &str, bytes: &[u8]) -> String {
    let path = folder.file(name, bytes);
    let error = read_mesh(&path).expect_err("a bad file");
    assert_eq!(error.path(), path);
    folder.plain(&error.to_string())
}

fn assert_all(folder: &str, name: &str, cases: &[(Vec<u8>, &str)]) {
    let folder = Folder::new(folder);
    for (bytes, expected) in cases {
        assert_eq!(message(&folder, name, bytes), *expected);
    }
}

const PLY: &str = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn bad_text_ply() {
    let swap = |from: &str, to: &str| PLY.replacen(from, to, 1).into_bytes();
    let cases = [
        (Vec::new(), "a.ply: the file is empty; export the mesh again"),
        (b"solid s".to_vec(), "a.ply:1: not a PLY file: the first line must be \"ply\""),
        (
            swap("format ascii 1.0\n", ""),
            "a.ply:8: the header has no format line; write \"format ascii 1.0\", or binary_little_endian",
        ),
        (
            swap("ascii", "base64"),
            "a.ply:2: format \"base64\" is not known; it should be ascii, binary_little_endian or binary_big_endian",
        ),
        (
            swap("vertex 3", "vertex three"),
            "a.ply:3: an element needs a name and a count, like \"element vertex 8\"",
        ),
        (
            swap("vertex 3", "vertex -3"),
            "a.ply:3: an element needs a name and a count, like \"element vertex 8\"",
        ),
        (
            swap("property float x", "property half x"),
            "a.ply:4: type \"half\" is not known; it should be one of char, uchar, short, ushort, int, uint, float, double",
        ),
        (
            swap("property float x", "property x"),
            "a.ply:4: property of 1 word; it should be \"property TYPE NAME\" or \"property list TYPE TYPE NAME\"",
        ),
        (
            swap("list uchar int", "list float int"),
            "a.ply:8: the count of a list must be a whole number type",
        ),
        (
            swap("element vertex 3\n", ""),
            "a.ply:3: property before any element; name the element first",
        ),
        (
            swap("property float z", "material steel"),
            "a.ply:6: \"material\" in the header is not known; it should be element, property, comment or end_header",
        ),
        (
            swap("property float z", "property list uchar float z"),
            "a.ply:3: vertices without properties x, y and z; export the mesh with positions",
        ),
        (
            swap("property float z\n", ""),
            "a.ply:3: vertices without properties x, y and z; export the mesh with positions",
        ),
        (
            swap("vertex_indices", "corners"),
            "a.ply:7: element face has no list vertex_indices; export the mesh with faces",
        ),
        (
            swap("end_header\n0 0 0", "0 0 0"),
            "a.ply:9: \"0\" in the header is not known; it should be element, property, comment or end_header",
        ),
        (
            PLY.as_bytes()[..72].to_vec(),
            "a.ply:6: the file ends before \"end_header\"; it is truncated",
        ),
        (
            swap("1 0 0", "1 nan 0"),
            "a.ply:11: vertex coordinate \"nan\" is not finite; give the vertex a place, or remove it and its faces",
        ),
        (
            swap("1 0 0", "1 x 0"),
            "a.ply:11: vertex coordinate \"x\" is not a number; write it in decimals, like -1.5 or 2e-3",
        ),
        (
            swap("3 0 1 2", "3 0 1 3"),
            "a.ply:13: face index 3 names no vertex; the file has 3 vertices, from 0",
        ),
        (
            swap("3 0 1 2", "3 0 1 -1"),
            "a.ply:13: face index -1 names no vertex; the file has 3 vertices, from 0",
        ),
        (
            swap("3 0 1 2", "3 0 1 1.5"),
            "a.ply:13: \"1.5\" is not a whole number, as a count or an index must be",
        ),
        (swap("3 0 1 2", "-3 0 1 2"), "a.ply:13: a list of -3 values; the count is wrong"),
        (
            swap("3 0 1 2", "0"),
            "a.ply:13: face without corners; remove it, or name the vertices that it joins",
        ),
        (
            swap("3 0 1 2\n", "3 0 1"),
            "a.ply:13: the file ends in the middle of a table; it is truncated or a count in its header is wrong",
        ),
        (
            swap("3 0 1 2\n", "3 0 1 2 9\n"),
            "a.ply:13: more values than the header announces; a count or a list of properties in it is wrong",
        ),
        (
            swap("face 1", "face 0").strip_suffix(b"3 0 1 2\n").unwrap().to_vec(),
            "a.ply: no faces (3 vertices); a cloud of points must be made a surface first",
        ),
        (
            swap("vertex 3", "vertex 1000000000"),
            "a.ply:10: the header promises 1,000,000,000 of the element \"vertex\", 6 bytes at least a piece, but 27 bytes are left; the file is truncated or its count is wrong",
        ),
        (
            swap("face 1", "face 18446744073709551615"),
            "a.ply:13: the header promises 18,446,744,073,709,551,615 of the element \"face\", 2 bytes at least a piece, but 10 bytes are left; the file is truncated or its count is wrong",
        ),
    ];
    assert_all("bad-text-ply", "a.ply", &cases);
}

#[test]
fn bad_binary_ply() {
    let header = PLY.split("0 0 0").next().unwrap().replace("ascii", "binary_big_endian");
    let start = header.len();
    let mut good = header.clone().into_bytes();
    for x in [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0] {
        good.extend(x.to_be_bytes());
    }
    good.push(3);
    good.extend([0_i32, 1, 2].iter().flat_map(|corner| corner.to_be_bytes()));
    let change = |at: usize, raw: &[u8]| {
        let mut bytes = good.clone();
        bytes[start + at..start + at + raw.len()].copy_from_slice(raw);
        bytes
    };
    let folder = Folder::new("bad-binary-ply");
    assert!(read_mesh(&folder.file("good.ply", &good)).is_ok());
    let cases = [
        (
            change(16, &f32::NAN.to_be_bytes()),
            format!(
                "byte {}: y of vertex 1 is NaN; give the vertex a place, or remove it and its faces",
                start + 16
            ),
        ),
        (
            change(45, &7_i32.to_be_bytes()),
            format!(
                "byte {}: face index 7 names no vertex; the file has 3 vertices, from 0",
                start + 45
            ),
        ),
        (
            change(36, &[255]),
            format!(
                "byte {}: the file ends in the middle of a table; it is truncated or a count in its header is wrong",
                good.len()
            ),
        ),
        (
            good[..good.len() - 1].to_vec(),
            format!(
                "byte {}: the file ends in the middle of a table; it is truncated or a count in its header is wrong",
                good.len() - 1
            ),
        ),
        (
            [&good[..], b"more"].concat(),
            format!(
                "byte {}: more values than the header announces; a count or a list of properties in it is wrong",
                good.len()
            ),
        ),
        (
            [header.replace("vertex 3", "vertex 4000000000").as_bytes(), &good[start..]].concat(),
            format!(
                "byte {}: the header promises 4,000,000,000 of the element \"vertex\", 12 bytes at least a piece, but 49 bytes are left; the file is truncated or its count is wrong",
                start + 9
            ),
        ),
    ];
    for (bytes, expected) in cases {
        assert_eq!(message(&folder, "a.ply", &bytes), format!("a.ply: {expected}"));
    }
}

#[test]
fn bad_off() {
    let cases = [
        ("", "a.off: the file is empty; export the mesh again"),
        (
            "# nothing\n",
            "a.off: the counts are missing; the line behind OFF should be like \"8 6 12\": vertices, faces, edges",
        ),
        (
            "OFF\n3\n",
            "a.off: the counts are missing; the line behind OFF should be like \"8 6 12\": vertices, faces, edges",
        ),
        ("OFF BINARY\n\0\0", "a.off:1: binary OFF is not read; save it as text, or as PLY"),
        ("mesh\n", "a.off:1: not an OFF file: it begins with \"mesh\", not \"OFF\""),
        // By its content it is a PLY.
        ("ply\n", "a.off:2: the file ends before \"end_header\"; it is truncated"),
        (
            "4OFF\n1 1 0\n",
            "a.off:1: \"4OFF\" is not read; known are OFF with C (colours), N (normals) and ST (texture) in front: points in three dimensions",
        ),
        ("OFF\n3 x 0\n", "a.off:2: \"x\" is not a count of vertices or faces"),
        (
            "OFF\n3 0 0\n0 0 0\n0 0 0\n0 0 0\n",
            "a.off: no faces: the header counts 0; export the mesh with faces",
        ),
        (
            "OFF\n1000000000 1 0\n0 0 0\n",
            "a.off: the header promises 1,000,000,000 vertices and 1 faces, which 25 bytes cannot hold; the file is truncated or a count is wrong",
        ),
        (
            "OFF\n3 1 0\n0 0 0\n1 0\n0 1 0\n3 0 1 2\n",
            "a.off:4: vertex with 2 coordinates; a vertex needs three on its line",
        ),
        (
            "OFF\n3 1 0\n0 0 0\n1 0 inf\n0 1 0\n3 0 1 2\n",
            "a.off:4: vertex coordinate \"inf\" is not finite; give the vertex a place, or remove it and its faces",
        ),
        (
            "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n",
            "a.off:6: face index 3 names no vertex; the file has 3 vertices, from 0",
        ),
        (
            "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 -1 2\n",
            "a.off:6: \"-1\" is not a whole number from 0, as a count or an index must be",
        ),
        (
            "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n4 0 1 2\n",
            "a.off:6: face of 4 corners has 3 indices on its line; the count is wrong or the line is cut",
        ),
        (
            "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1 2\n",
            "a.off:6: face without corners; remove it, or name the vertices that it joins",
        ),
        (
            "OFF\n3 2 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
            "a.off:7: the file ends after 1 of 2 faces; it is truncated or the count is wrong",
        ),
        (
            "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n3 0 1 2\n",
            "a.off:7: more lines than the header counts; a count in it is wrong",
        ),
    ];
    let cases: Vec<(Vec<u8>, &str)> =
        cases.iter().map(|(text, message)| (text.as_bytes().to_vec(), *message)).collect();
    assert_all("bad-off", "a.off", &cases);
}

fn three(resources: &str, build: &str) -> Vec<u8> {
    package(&format!(
        "<model>\n<resources>\n{resources}\n</resources>\n<build>\n{build}\n</build></model>"
    ))
}

const MESH: &str = r#"<mesh><vertices><vertex x="0" y="0" z="0"/></vertices><triangles><triangle v1="0" v2="0" v3="0"/></triangles></mesh>"#;

#[test]
fn bad_3mf() {
    let object = format!("<object id=\"1\">{MESH}</object>");
    let swap = |from: &str, to: &str| three(&object.replace(from, to), "<item objectid=\"1\"/>");
    let cases = [
        (b"PK".to_vec(), "a.3mf: cannot be opened as a zip ("),
        (
            zip(&[("readme", b"")], false),
            "a.3mf: the package has no readable part \"3D/3dmodel.model\" (specified file not found in archive)",
        ),
        (package("<model"), "a.3mf: 3D/3dmodel.model:1: not well-formed XML"),
        (package("<html/>"), "a.3mf: 3D/3dmodel.model:1: <model> should stand here, not <html>"),
        (
            package("<model unit=\"parsec\"/>"),
            "a.3mf: 3D/3dmodel.model:1: unit \"parsec\" is not known; it should be micron, millimeter, centimeter, inch, foot or meter",
        ),
        (
            package(
                "<model xmlns:b=\"http://schemas.microsoft.com/3dmanufacturing/beamlattice/2017/02\" requiredextensions=\"b\"/>",
            ),
            "a.3mf: 3D/3dmodel.model:1: the model requires the extension \"b\" (\"http://schemas.microsoft.com/3dmanufactu…\"), which is not read",
        ),
        (
            package(
                "<!DOCTYPE lolz [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;\">]>\n<model>&b;</model>",
            ),
            "a.3mf: 3D/3dmodel.model:1: a <!DOCTYPE …> is refused, since entities in it can grow without end; remove it",
        ),
        (
            swap("x=\"0\"", "x=\"nan\""),
            "a.3mf: 3D/3dmodel.model:3: \"nan\" in \"x\" of <vertex> is not a finite number",
        ),
        (swap("z=\"0\"", ""), "a.3mf: 3D/3dmodel.model:3: <vertex> without the attribute \"z\""),
        (
            swap("v3=\"0\"", "v3=\"1\""),
            "a.3mf: 3D/3dmodel.model:3: corner 1 names no vertex; the mesh has 1, from 0",
        ),
        (
            swap("v3=\"0\"", "v3=\"-1\""),
            "a.3mf: 3D/3dmodel.model:3: \"-1\" in \"v3\" of <triangle> is not a whole number from 0",
        ),
        (
            three(&object, "<item objectid=\"2\"/>"),
            "a.3mf: \"3D/3dmodel.model\" names object 2, which is not among its resources",
        ),
        (
            three(&object, "<item objectid=\"1\" transform=\"1 0 0\"/>"),
            "a.3mf: 3D/3dmodel.model:6: \"transform\" of <item> has 3 numbers; it needs 12",
        ),
        (
            three(&format!("{object}{object}"), ""),
            "a.3mf: 3D/3dmodel.model:3: a second object with the id 1",
        ),
        (
            three("<object id=\"1\"><mesh/></object>", ""),
            "a.3mf: the build places no triangles; export the model with meshes",
        ),
        (
            three(
                "<object id=\"1\"><components><component objectid=\"1\"/></components></object>",
                "",
            ),
            "a.3mf: object 1 of \"3D/3dmodel.model\" is assembled of itself, or assemblies nest deeper than 64",
        ),
    ];
    let folder = Folder::new("bad-3mf");
    for (bytes, expected) in cases {
        let shown = message(&folder, "a.3mf", &bytes);
        assert!(shown.starts_with(expected), "{shown}\n{expected}");
    }
}

#[test]
fn bombs_of_3mf() {
    use std::fmt::Write as _;
    // Each object is two of the one before: 2^40 of the first.
    let mut doubling = format!("<object id=\"0\">{MESH}</object>");
    for id in 1..=40 {
        let below = id - 1;
        write!(doubling, "<object id=\"{id}\"><components><component objectid=\"{below}\"/><component objectid=\"{below}\"/></components></object>").unwrap();
    }
    let folder = Folder::new("bombs-3mf");
    let shown = message(&folder, "a.3mf", &three(&doubling, "<item objectid=\"40\"/>"));
    assert!(shown.contains("the build places more than 65536 objects"), "{shown}");
    // Each item of the build counts on from the one before.
    let twice = doubling.replace(MESH, "<mesh/>");
    let items = "<item objectid=\"14\"/>".repeat(4);
    let shown = message(&folder, "a.3mf", &three(&twice, &items));
    assert!(shown.contains("the build places more than 65536 objects"), "{shown}");
    // 300 MiB of blanks in 300 kB.
    let blanks = package(&" ".repeat(300 << 20));
    assert!(blanks.len() < 1 << 20);
    let shown = message(&folder, "a.3mf", &blanks);
    assert_eq!(
        shown,
        "a.3mf: decompresses to more than 64 MiB and to more than 100 times its compressed size; allow it with --max-size if it is meant to be that large"
    );
}
