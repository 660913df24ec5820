//! Every way a file can be bad: the message names the file, the place and what is wrong.

use std::fmt::Write as _;
use std::io::Write as _;

use super::common::binary_stl;
use elbowroom_io::{ReadError, read_mesh};
use elbowroom_testkit::folder::Folder;

/// Reads `bytes` as the file `name`, and compares the message without the folder.
fn assert_message(folder: &Folder, name: &str, bytes: &[u8], expected: &str) -> ReadError {
    let path = folder.file(name, bytes);
    let error = read_mesh(&path).expect_err(expected);
    let shown = error.to_string();
    let start = format!("{}/", folder.path().display());
    assert_eq!(shown.strip_prefix(&start), Some(expected), "{shown}");
    assert_eq!(error.path(), path);
    error
}

const BAD_OBJ: [(&[u8], &str); 25] = [
    (b"", "a.obj: the file is empty; export the mesh again"),
    (
        b"v 0 0 0\n\n# c\nv 1 abc 0\n",
        "a.obj:4: vertex coordinate \"abc\" is not a number; write it in decimals, like -1.5 or 2e-3",
    ),
    (
        b"v 1,5 0 0\n",
        "a.obj:1: vertex coordinate \"1,5\" is not a number; write a decimal point, and blanks between numbers",
    ),
    (
        b"v 0x10 0 0\n",
        "a.obj:1: vertex coordinate \"0x10\" is not a number; write it in decimals, like -1.5 or 2e-3",
    ),
    (
        b"v \xff 0 0\n",
        "a.obj:1: vertex coordinate \"\u{fffd}\" is not a number; write it in decimals, like -1.5 or 2e-3",
    ),
    (
        b"\r\nv 0 nan 0\r\n",
        "a.obj:2: vertex coordinate \"nan\" is not finite; give the vertex a place, or remove it and its faces",
    ),
    (
        b"v 0 0 -Infinity",
        "a.obj:1: vertex coordinate \"-Infinity\" is not finite; give the vertex a place, or remove it and its faces",
    ),
    (
        b"v 0 0 0\rv 1e999 0 0\r",
        "a.obj:2: vertex coordinate \"1e999\" is too large for a 64-bit number, which ends near 1.8e308; scale the mesh down",
    ),
    (b"v 1 2\n", "a.obj:1: vertex with 2 coordinates; a vertex needs three, like v 0 1.5 2"),
    (b"v 1 # 2 3\n", "a.obj:1: vertex with 1 coordinate; a vertex needs three, like v 0 1.5 2"),
    (
        b"v 0 0 0 v 1 1 1\n",
        "a.obj:1: \"v\" behind the coordinates of a vertex is not a number; write one vertex a line",
    ),
    (b"v 0 0 0\nf 0 1 1\n", "a.obj:2: face index 0; OBJ counts vertices from 1"),
    (
        b"v 0 0 0\nf 1 1 1\nf 1 2/1/1 3\n",
        "a.obj:3: face index 2 is beyond the last vertex; the file has 1 vertex",
    ),
    (
        b"f 9 1 2\nf 8 8 8\nv 0 0 0\nv 0 0 0\n",
        "a.obj:1: face index 9 is beyond the last vertex; the file has 2 vertices",
    ),
    (
        b"v 0 0 0\nf 1 1 \\\n  99999999999999999999999\n",
        "a.obj:3: face index 99999999999999999999999 is beyond the last vertex; the file has 1 vertex",
    ),
    (
        b"v 0 0 0\nf -1 -2 1\n",
        "a.obj:2: face index -2 counts back beyond the first vertex; vertices above this line: 1",
    ),
    (
        b"f -1 -1 -1\nv 0 0 0\n",
        "a.obj:1: face index -1 counts back beyond the first vertex; vertices above this line: 0",
    ),
    (
        b"v 0 0 0\nf 1 1.0 1\n",
        "a.obj:2: face corner \"1.0\" is not an index; write v, v/vt, v//vn or v/vt/vn",
    ),
    (
        b"v 0 0 0\nf 1 /1/1 1\n",
        "a.obj:2: face corner \"/1/1\" is not an index; write v, v/vt, v//vn or v/vt/vn",
    ),
    (
        b"v 0 0 0\nf 1/1/1/1 1 1\n",
        "a.obj:2: face corner \"1/1/1/1\" is not an index; write v, v/vt, v//vn or v/vt/vn",
    ),
    (
        b"v 0 0 0\nf 1/x 1 1\n",
        "a.obj:2: face corner \"1/x\" is not an index; write v, v/vt, v//vn or v/vt/vn",
    ),
    (
        b"v 0 0 0\nf # 1 1 1\n",
        "a.obj:2: face without corners; name the vertices that it joins, like f 1 2 3",
    ),
    (
        b"v 0 0 0\nl 1 1\n",
        "a.obj: no faces (1 vertex, 1 other statement); export the mesh with faces, as `f` lines",
    ),
    (
        b"Dear all,\nplease find the mesh attached.\n",
        "a.obj: no faces (0 vertices, 2 other statements); export the mesh with faces, as `f` lines",
    ),
    (b"\xff\xfev\0 \0", "a.obj:1: the text is UTF-16; save it as UTF-8"),
];

#[test]
fn bad_obj_files() {
    let folder = Folder::new("bad-obj");
    for (bytes, message) in BAD_OBJ {
        assert_message(&folder, "a.obj", bytes, message);
    }
}

#[test]
fn a_very_long_line_has_a_short_message() {
    let folder = Folder::new("long-line");
    let mut bytes = b"v 0 0 0\nf 1".to_vec();
    bytes.extend(b" 1".repeat(100_000));
    bytes.extend(b" ");
    bytes.extend(b"x".repeat(100_000));
    let shown = "x".repeat(40);
    let message = format!(
        "a.obj:2: face corner \"{shown}…\" is not an index; write v, v/vt, v//vn or v/vt/vn"
    );
    let error = assert_message(&folder, "a.obj", &bytes, &message);
    assert_eq!(error.line(), Some(2));
    assert_eq!((error.triangle(), error.byte()), (None, None));
}

#[test]
fn a_face_that_the_mesh_refuses_has_a_line() {
    let folder = Folder::new("refused-face");
    // A comb: teeth above, a straight back below.
    let (mut vertices, mut corners) = (String::new(), String::new());
    for i in 1..=40_000 {
        writeln!(vertices, "v {i} {} 0", 1 + i % 2).unwrap();
        write!(corners, " {i}").unwrap();
    }
    let text = format!("{vertices}v 40000 0 0\nv 1 0 0\nf 1 2 3\n\nf{corners} 40001 40002\n");
    let path = folder.file("a.obj", text.as_bytes());
    let error = read_mesh(&path).unwrap_err();
    assert_eq!(error.line(), Some(40_005), "{error}");
    assert!(error.message().contains("40002 corners"), "{error}");
}

const FACET: &str =
    "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n";

#[test]
fn bad_text_stl_files() {
    let folder = Folder::new("bad-text-stl");
    let cut = |keyword: &str| format!("solid s\n{FACET}{}", &FACET[..FACET.find(keyword).unwrap()]);
    let swap =
        |old: &str, new: &str| format!("solid s\n{FACET}{}endsolid s\n", FACET.replace(old, new));
    let cases = [
        (
            cut("facet"),
            "a.stl:9: the file ends where endsolid should follow, after 1 triangle; it is truncated",
        ),
        (
            cut("endfacet"),
            "a.stl:15: the file ends where endfacet should follow, after 2 triangles; it is truncated",
        ),
        (
            cut("vertex 0 1"),
            "a.stl:13: the file ends where endloop should follow, after 1 triangle; it is truncated",
        ),
        (
            cut("1 0 0"),
            "a.stl:12: the file ends where a coordinate should follow, after 1 triangle; it is truncated",
        ),
        (
            cut("0 0 1"),
            "a.stl:9: the file ends where a normal should follow, after 1 triangle; it is truncated",
        ),
        (
            swap("endfacet\n", ""),
            "a.stl:15: \"endfacet\" should stand here, not \"endsolid\"; the file is damaged or not an STL",
        ),
        (
            swap("vertex 0 1 0\n", ""),
            "a.stl:13: loop of 2 vertices; an STL facet has three, so cut polygons into triangles",
        ),
        (
            swap("endloop", "vertex 1 1 0\nendloop"),
            "a.stl:15: loop of 4 vertices; an STL facet has three, so cut polygons into triangles",
        ),
        (
            swap("vertex 1 0 0", "vertex 1 0"),
            "a.stl:13: the vertex before \"vertex\" has 2 coordinates; it needs three",
        ),
        (
            swap("vertex 1 0 0", "vertex 1 zero 0"),
            "a.stl:12: vertex coordinate \"zero\" is not a number; write it in decimals, like -1.5 or 2e-3",
        ),
        (
            swap("vertex 1 0 0", "vertex 1 NaN 0"),
            "a.stl:12: vertex coordinate \"NaN\" is not finite; give the vertex a place, or remove it and its faces",
        ),
        (
            swap("vertex 1 0 0", "vertex 1 0 -1e999"),
            "a.stl:12: vertex coordinate \"-1e999\" is too large for a 64-bit number, which ends near 1.8e308; scale the mesh down",
        ),
        (
            swap("normal 0 0 1", "normal 0 0"),
            "a.stl:10: the normal of this facet has fewer than three numbers; write 0 0 0 if it is not known",
        ),
        (
            swap("facet normal", "facet"),
            "a.stl:9: \"normal\" should stand here, not \"0\"; the file is damaged or not an STL",
        ),
        (
            swap("facet normal", "face normal"),
            "a.stl:9: \"facet\" or \"endsolid\" should stand here, not \"face\"; the file is damaged or not an STL",
        ),
        (
            swap("vertex 1 0 0", "1 0 0"),
            "a.stl:12: \"vertex\" or \"endloop\" should stand here, not \"1\"; the file is damaged or not an STL",
        ),
        (
            format!("solid s\n{FACET}endsolid\nmore\n"),
            "a.stl:10: \"solid\" should stand here, not \"more\"; the file is damaged or not an STL",
        ),
        (
            "solid s\nendsolid s\n".to_owned(),
            "a.stl: no triangles between \"solid\" and \"endsolid\"; export the mesh again",
        ),
    ];
    for (text, message) in cases {
        let error = assert_message(&folder, "a.stl", text.as_bytes(), message);
        assert_eq!(
            error.line().is_some(),
            message.starts_with("a.stl:") && !message.starts_with("a.stl: "),
            "{message}"
        );
    }
}

#[test]
fn bad_binary_stl_files() {
    let folder = Folder::new("bad-binary-stl");
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let twelve = [corners; 12];
    let mut hole = twelve;
    hole[3][1][2] = f32::NAN;
    let mut endless = twelve;
    endless[0][0][0] = f32::NEG_INFINITY;
    let mut cut = binary_stl(12, &twelve);
    cut.truncate(683);
    let cases: [(Vec<u8>, &str); 9] = [
        (Vec::new(), "a.stl: the file is empty; export the mesh again"),
        (
            b"PK".to_vec(),
            "a.stl: not an STL file: 2 bytes are too few for a binary one (84 at least), and a text one begins with \"solid\"",
        ),
        (
            binary_stl(4_000_000_000, &twelve),
            "a.stl: the header promises 4,000,000,000 triangles but the file holds 12 (684 bytes); the file is truncated or its count is wrong",
        ),
        (
            cut,
            "a.stl: the header promises 12 triangles but the file holds 11 (683 bytes); the file is truncated or its count is wrong",
        ),
        (
            binary_stl(u32::MAX, &twelve),
            "a.stl: the header promises 4,294,967,295 triangles but the file holds 12 (684 bytes); the file is truncated or its count is wrong",
        ),
        (
            binary_stl(1, &twelve),
            "a.stl: the header promises 1 triangle but leaves 550 bytes over (684 bytes in all); the count is wrong or something else was appended",
        ),
        (
            binary_stl(0, &[]),
            "a.stl: no triangles: the count in the header is 0; export the mesh again",
        ),
        (
            binary_stl(12, &hole),
            "a.stl: triangle 3 (byte 266): z of corner 1 is NaN; give the corner a place, or remove the triangle",
        ),
        (
            binary_stl(12, &endless),
            "a.stl: triangle 0 (byte 96): x of corner 0 is -inf; give the corner a place, or remove the triangle",
        ),
    ];
    for (bytes, message) in cases {
        let error = assert_message(&folder, "a.stl", &bytes, message);
        assert_eq!(error.line(), None);
        if let Some(byte) = error.byte() {
            let number = f32::from_le_bytes(*bytes[byte..].first_chunk().unwrap());
            assert!(!number.is_finite(), "{number} at byte {byte}");
            assert_eq!(error.triangle(), Some((byte - 84) / 50));
        }
    }
}

#[test]
fn files_that_cannot_be_opened() {
    let folder = Folder::new("cannot-open");
    let message = |name: &str| {
        let error = read_mesh(&folder.path().join(name)).unwrap_err().to_string();
        error.replace(&format!("{}/", folder.path().display()), "")
    };
    assert_eq!(message("gone.obj"), "gone.obj: no such file; check the name");
    std::fs::create_dir(folder.path().join("dir.obj")).unwrap();
    assert_eq!(message("dir.obj"), "dir.obj: is a directory; name a file in it");
    folder.file("shot.fbx", b"Kaydara");
    assert_eq!(
        message("shot.fbx"),
        "shot.fbx: is FBX, where a plain mesh is needed; export it as an OBJ, STL, PLY, OFF or 3MF"
    );
}

#[test]
fn bad_packed_files() {
    let folder = Folder::new("bad-packed");
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(b"v 0 0 0\nf 1 2 3\n").unwrap();
    let packed = encoder.finish().unwrap();
    let error = assert_message(
        &folder,
        "a.obj.gz",
        &packed,
        "a.obj.gz:2: face index 2 is beyond the last vertex; the file has 1 vertex",
    );
    assert_eq!(error.line(), Some(2));
    for bytes in [&packed[..packed.len() - 9], b"v 0 0 0\n"] {
        let path = folder.file("b.obj.gz", bytes);
        let shown = read_mesh(&path).unwrap_err().to_string();
        assert!(shown.contains("b.obj.gz: cannot be decompressed ("), "{shown}");
        assert!(
            shown.ends_with("); it is truncated, damaged or not compressed with gzip"),
            "{shown}"
        );
    }
}
