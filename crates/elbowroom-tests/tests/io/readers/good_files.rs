//! Files as people write them: what comes out is what stands in them.

use std::fmt::Write as _;
use std::io::Write as _;

use super::common::binary_stl;
use elbowroom_io::{Format, Part, obj, read_mesh, stl};
use elbowroom_testkit::folder::Folder;
use glam::DVec3;

/// Numbers that a detour through f32, or a parser that does not round to nearest, would change.
const AWKWARD: [f64; 9] = [
    0.1,
    -0.0,
    1e-300,
    5e-324,
    f64::MAX,
    f64::MIN_POSITIVE,
    9_007_199_254_740_993.0,
    1.0 / 3.0,
    -123.456,
];

fn part(name: &str, first_face: usize, faces: usize) -> Part {
    Part { name: name.to_owned(), first_face, faces }
}

fn bits(points: &[DVec3]) -> Vec<u64> {
    points.iter().flat_map(DVec3::to_array).map(f64::to_bits).collect()
}

fn awkward_points() -> Vec<DVec3> {
    AWKWARD.chunks(3).map(DVec3::from_slice).collect()
}

#[test]
fn obj_keeps_every_bit() {
    let mut text = String::new();
    for p in awkward_points() {
        writeln!(text, "v {} {:e} {}", p.x, p.y, p.z).unwrap();
    }
    text.push_str("f 1 2 3");
    let file = obj::parse(text.as_bytes()).unwrap();
    assert_eq!(bits(file.mesh.vertices()), bits(&awkward_points()));
    assert_eq!(file.mesh.triangles(), [[0, 1, 2]]);
    assert_eq!((file.format, file.faces), (Format::Obj, 1));
}

#[test]
fn text_stl_keeps_every_bit() {
    let mut text = "SOLID a b\n  FACET NORMAL nan -1.#IND x\n OUTER LOOP\n".to_owned();
    for p in awkward_points() {
        writeln!(text, "  VERTEX\t{} {:e} {}\r", p.x, p.y, p.z).unwrap();
    }
    text.push_str("ENDLOOP ENDFACET\r\nENDSOLID");
    let file = stl::parse(text.as_bytes()).unwrap();
    assert_eq!(bits(file.mesh.vertices()), bits(&awkward_points()));
    assert_eq!((file.format, file.faces), (Format::StlAscii, 1));
    assert_eq!(file.parts, [part("a b", 0, 1)]);
}

#[test]
fn obj_with_everything() {
    let text = b"\xef\xbb\xbfv 0 0 0 # the corner\r
\t# a comment that ends in a backslash does not go on \\\r
v 1 0 0 1.0 0.5 0.25\r
v 1 1 0 1\r
v 0 1 0\r
vt 0 0\r
vn 0 0 1\r
mtllib scene.mtl\r
f 1/1/1 2/1/1 3/1/1\r
g\tdefault\r
o Arm\r
usemtl skin\r
s off\r
f 1//1 3//1 \\\r
  4//1\r
g hand left\r
f -4 -3 -2 -1\r
usemtl nails\r
g hand left\r
f 1/1 2/1 5/1 # comes later\r
o\r
p 1 2\r
l 1 2 3\r
l 3 4\r
v 2 0 0\r
f 5\r
f 5 1\\\r
\r
curv 0 1 1 2\r
6540 2180\r
o \xe4rger\r
o empty\r
f 1 2 3 # \xff\xfe";
    let file = obj::parse(text).unwrap();
    assert_eq!(file.mesh.vertices().len(), 5);
    assert_eq!(file.mesh.vertices()[1], DVec3::X);
    assert_eq!(file.faces, 7);
    let triangles = file.mesh.triangles();
    assert_eq!(triangles.len(), 8);
    assert_eq!(triangles[..2], [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(triangles[4], [0, 1, 4]);
    assert!(triangles[5].iter().all(|&v| v == 4));
    assert!(triangles[6].iter().all(|&v| v == 4 || v == 0));
    assert_eq!(triangles[7], [0, 1, 2]);
    let ignored = file.ignored;
    assert_eq!((ignored.lines, ignored.points, ignored.other), (2, 1, 2));
    assert_eq!(ignored.first_other_line, Some(29));
    let parts = [part("Arm", 1, 1), part("hand left", 2, 2), part("", 4, 2), part("empty", 6, 1)];
    assert_eq!(file.parts, parts);
}

#[test]
fn obj_with_every_line_end() {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 \\\n3\nf 3 2 1\n";
    for end in ["\n", "\r\n", "\r"] {
        let file = obj::parse(text.replace('\n', end).as_bytes()).unwrap();
        assert_eq!(file.mesh.triangles(), [[0, 1, 2], [2, 1, 0]], "{end:?}");
    }
}

#[test]
fn obj_faces_may_come_first() {
    let file = obj::parse(b"f 3 2 1\nf 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0").unwrap();
    assert_eq!(file.mesh.triangles(), [[2, 1, 0], [0, 1, 2]]);
}

#[test]
fn binary_stl_that_begins_with_solid() {
    let triangles =
        [[[0.1_f32, -0.0, 1e-45], [f32::MAX, 2.0, 3.0], [4.0, 5.0, 6.0]], [[1.0; 3]; 3]];
    let bytes = binary_stl(2, &triangles);
    assert!(bytes.starts_with(b"solid  "));
    let file = stl::parse(&bytes).unwrap();
    let expected: Vec<DVec3> =
        triangles.iter().flatten().map(|p| DVec3::from_array(p.map(f64::from))).collect();
    assert_eq!(bits(file.mesh.vertices()), bits(&expected));
    assert_eq!(file.mesh.triangles(), [[0, 1, 2], [3, 4, 5]]);
    assert_eq!((file.format, file.faces), (Format::StlBinary, 2));
}

#[test]
fn text_stl_with_several_solids() {
    let facet =
        "facet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet\n";
    let text = format!(
        "\u{feff}  solid a\n{facet}{facet}endsolid a\nsolid\nendsolid\nsolid facet\n{facet}endsolid facet"
    );
    let file = stl::parse(text.as_bytes()).unwrap();
    assert_eq!(file.faces, 3);
    assert_eq!(file.mesh.triangles()[2], [6, 7, 8]);
    assert_eq!(file.parts, [part("a", 0, 2), part("facet", 2, 1)]);
}

#[test]
fn packed_files_read_like_plain_ones() {
    let folder = Folder::new("packed");
    let text = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    let stl = binary_stl(1, &[[[1.0; 3]; 3]]);
    for (name, bytes) in [("a.obj", &text[..]), ("a.STL", &stl)] {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        let plain = read_mesh(&folder.file(name, bytes)).unwrap();
        let packed =
            read_mesh(&folder.file(&format!("{name}.gz"), encoder.finish().unwrap())).unwrap();
        assert_eq!(bits(plain.mesh.vertices()), bits(packed.mesh.vertices()));
        assert_eq!((plain.format, plain.faces), (packed.format, packed.faces));
    }
}
