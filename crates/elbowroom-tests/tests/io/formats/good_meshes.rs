//! PLY, OFF and 3MF as people write them: what comes out is what stands in them.

use elbowroom_io::{Format, ReadOptions, Source, off, ply, read_document, read_mesh, threemf};
use elbowroom_testkit::folder::Folder;
use glam::DVec3;

use super::common::{package, zip};

const SQUARE: [[f64; 3]; 4] =
    [[0.0, 0.0, 0.0], [1.0, 0.0, 0.1], [1.0, 1.0, -0.0], [0.0, 1.0, 1e-30]];

/// A square and a triangle in every encoding, with columns and tables that a mesh does not need.
fn ply_file(format: &str) -> Vec<u8> {
    let header = format!(
        "ply\nformat {format} 1.0\ncomment end_header is not here\nobj_info none\nelement camera 2\nproperty list uchar float views\n\
         element vertex 4\nproperty uchar red\nproperty double x\nproperty double y\nproperty list short short extra\nproperty double z\n\
         element face 2\nproperty float area\nproperty list uint8 int32 vertex_index\nproperty ushort flag\nelement edge 1\nproperty int a\nproperty int b\nend_header\n"
    );
    let mut bytes = header.into_bytes();
    if format == "ascii" {
        bytes.extend(b"0\n2 1.5 2.5\r\n");
        for [x, y, z] in SQUARE {
            bytes.extend(format!("255 {x} {y:e}\t2 -7 -8 {z}\n").bytes());
        }
        bytes.extend(b"0.5 4 0 1 2 3 9\n.5 3 2 1 0 9\n3 4\n");
        return bytes;
    }
    let big = format.contains("big");
    let mut put = |raw: &[u8]| if big { bytes.extend(raw.iter().rev()) } else { bytes.extend(raw) };
    put(&[0]);
    put(&[2]);
    put(&1.5_f32.to_le_bytes());
    put(&2.5_f32.to_le_bytes());
    for [x, y, z] in SQUARE {
        put(&[255]);
        put(&x.to_le_bytes());
        put(&y.to_le_bytes());
        put(&2_i16.to_le_bytes());
        put(&(-7_i16).to_le_bytes());
        put(&(-8_i16).to_le_bytes());
        put(&z.to_le_bytes());
    }
    for face in [&[0_i32, 1, 2, 3][..], &[2, 1, 0]] {
        put(&0.5_f32.to_le_bytes());
        put(&[face.len() as u8]);
        for corner in face {
            put(&corner.to_le_bytes());
        }
        put(&9_u16.to_le_bytes());
    }
    put(&3_i32.to_le_bytes());
    put(&4_i32.to_le_bytes());
    bytes
}

#[test]
fn ply_in_every_encoding() {
    for (format, kind) in [
        ("ascii", Format::PlyAscii),
        ("binary_little_endian", Format::PlyBinary),
        ("binary_big_endian", Format::PlyBinary),
    ] {
        let file =
            ply::parse(&ply_file(format)).unwrap_or_else(|error| panic!("{format}: {error}"));
        assert_eq!((file.format, file.faces), (kind, 2));
        let bits = |p: &DVec3| p.to_array().map(f64::to_bits);
        let found: Vec<_> = file.mesh.vertices().iter().map(bits).collect();
        assert_eq!(found, SQUARE.map(|p| p.map(f64::to_bits)), "{format}");
        assert_eq!(file.mesh.triangles(), [[0, 1, 2], [0, 2, 3], [2, 1, 0]]);
        assert_eq!((file.ignored.lines, file.ignored.other), (1, 2));
    }
}

#[test]
fn ply_text_is_not_rounded_to_its_type() {
    let text = "ply\r\nformat ascii 1.0\r\nelement vertex 3\r\nproperty float x\r\nproperty float y\r\nproperty float z\r\nelement face 1\r\nproperty list uchar uint vertex_indices\r\nend_header\r\n0.1 0 0\r\n1 0 0\r\n0 1 0\r\n3 0 1 2\r\n";
    assert_eq!(ply::parse(text.as_bytes()).unwrap().mesh.vertices()[0].x, 0.1);
    // A header with the line ends of Windows before bytes.
    let mut bytes =
        text.split("0.1").next().unwrap().replace("ascii", "binary_little_endian").into_bytes();
    for x in [0.5_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0] {
        bytes.extend(x.to_le_bytes());
    }
    bytes.push(3);
    bytes.extend([0_u32, 1, 2].iter().flat_map(|corner| corner.to_le_bytes()));
    assert_eq!(ply::parse(&bytes).unwrap().mesh.vertices()[0].x, 0.5);
}

#[test]
fn ply_strips() {
    let text = "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\nproperty float z\nelement tristrips 1\nproperty list int int vertex_indices\nend_header\n0 0 0 1 0 0 0 1 0 1 1 0 0 2 0\n9 0 1 2 3 -1 2 3 4 -1";
    let file = ply::parse(text.as_bytes()).unwrap();
    assert_eq!(file.mesh.triangles(), [[0, 1, 2], [2, 1, 3], [2, 3, 4]]);
    assert_eq!(file.faces, 3);
}

#[test]
fn off_with_every_header() {
    let body = "# counts\n4 2 0\n\n0 0 0 {more}\n1 0 0 {more} # a corner\n1 1 0 {more}\n0 1 0 {more}\n4 0 1 2 3 255 0 0\n3 2 1 0\n";
    for (header, more) in [
        ("OFF\n", ""),
        ("", ""),
        ("OFF ", ""),
        ("COFF\n", "255 0 0 255"),
        ("NOFF\r\n", "0 0 1"),
        ("STCNOFF\n", "0 0 1 0.5 0.5 0.5 1 0 0"),
        ("\u{feff}OFF # text\n", ""),
    ] {
        let text = format!("{header}{}", body.replace("{more}", more));
        let text = if header == "OFF " { text.replace("# counts\n", "") } else { text };
        let file =
            off::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{header:?}: {error}"));
        assert_eq!(file.mesh.triangles(), [[0, 1, 2], [0, 2, 3], [2, 1, 0]], "{header:?}");
        assert_eq!((file.format, file.faces), (Format::Off, 2));
    }
}

const TETRAHEDRON: &str = r#"<mesh><vertices><vertex x="0" y="0" z="0"/><vertex x="1" y="0" z="0"/><vertex x="0" y="1" z="0"/><vertex x="0" y="0" z="1"/></vertices>
  <triangles><triangle v1="0" v2="2" v3="1"/><triangle v1="0" v2="1" v3="3" pid="1"/><triangle v1="1" v2="2" v3="3"/><triangle v1="2" v2="0" v3="3"/></triangles></mesh>"#;

fn model(unit: &str, resources: &str, build: &str) -> String {
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?><model unit="{unit}" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02" xmlns:p="http://schemas.microsoft.com/3dmanufacturing/production/2015/06" requiredextensions="p"><resources>{resources}</resources><build>{build}</build></model>"#
    )
}

fn volume(mesh: &elbowroom::Mesh) -> f64 {
    let corners = (0..mesh.triangles().len()).map(|i| mesh.triangle(i));
    corners.map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum()
}

#[test]
fn assemblies_of_3mf_are_placed() {
    let resources = format!(
        r#"<object id="1" name="tip">{TETRAHEDRON}</object>
           <object id="2"><components><component objectid="1" transform="1 0 0 0 1 0 0 0 1 10 0 0"/><component objectid="1" transform="-2 0 0 0 1 0 0 0 1 0 0 0"/></components></object>"#
    );
    let build = r#"<item objectid="2" transform="0 1 0 -1 0 0 0 0 1 0 0 5"/><item objectid="1"/>"#;
    let bytes = package(&model("inch", &resources, build));
    let read = threemf::read(&bytes).unwrap();
    assert_eq!(read.metres_per_unit, 0.0254);
    let names: Vec<_> = read.pieces.iter().map(|piece| piece.name.as_str()).collect();
    assert_eq!(names, ["tip", "tip", "tip"]);
    // Moved by 10 along x, then turned a quarter about z and lifted by 5.
    assert_eq!(read.pieces[0].mesh.vertices()[1], DVec3::new(0.0, 11.0, 5.0));
    // Mirrored and stretched, and its outside is still outside.
    let volumes: Vec<f64> = read.pieces.iter().map(|piece| 6.0 * volume(&piece.mesh)).collect();
    assert!(volumes.iter().zip([1.0, 2.0, 1.0]).all(|(a, b)| (a - b).abs() < 1e-12), "{volumes:?}");
    assert_eq!(read.pieces[2].mesh.vertices()[1], DVec3::X);

    let file = threemf::parse(&bytes).unwrap();
    assert_eq!((file.faces, file.parts.len(), file.parts[2].first_face), (12, 3, 8));
    let folder = Folder::new("3mf");
    let document = read_document(&folder.file("a.3mf", &bytes), &ReadOptions::default()).unwrap();
    assert_eq!(document.rigs[0].parts.len(), 3);
    assert_eq!((document.units.metres_per_unit, document.units.source), (0.0254, Source::File));
    assert_eq!(read_mesh(&folder.file("b.3MF", &bytes)).unwrap().format, Format::ThreeMf);
}

#[test]
fn objects_of_3mf_in_other_parts() {
    let other =
        model("millimeter", &format!(r#"<object id="7" name="far">{TETRAHEDRON}</object>"#), "");
    let root = model(
        "millimeter",
        r#"<object id="1"><components><component objectid="7" p:path="/3D/Objects/far.model"/></components></object>"#,
        r#"<item objectid="1"/>"#,
    );
    let rels = r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Target="/3D/main.model" Id="r" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>"#;
    let bytes = zip(
        &[
            ("_rels/.rels", rels.as_bytes()),
            ("3D/main.model", root.as_bytes()),
            ("3D/Objects/far.model", other.as_bytes()),
        ],
        true,
    );
    assert_eq!(threemf::read(&bytes).unwrap().pieces[0].name, "far");
    // Without a build, all objects.
    assert_eq!(threemf::parse(&package(&other)).unwrap().faces, 4);
}
