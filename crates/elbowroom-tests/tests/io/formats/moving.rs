//! Meshes that move: numbered files and NPZ archives.

use elbowroom_io::{ReadOptions, VertexFrames, npz, sequence};
use elbowroom_testkit::folder::Folder;
use glam::DVec3;

use super::common::{data, npy, zip};

fn obj(lift: f64, faces: &str) -> Vec<u8> {
    format!("v 0 0 {lift}\nv 1 0 0\nv 1 1 0\nv 0 1 0\n{faces}\n").into_bytes()
}

#[test]
fn numbered_files_are_frames() {
    let folder = Folder::new("sequence");
    for (number, lift) in [(8, 0.0), (9, 1.0), (10, 2.0), (12, 3.0)] {
        folder.file(&format!("cloth.{number:04}.obj"), obj(lift, "f 1 2 3 4"));
    }
    folder.file("cloth.obj", b"no frame");
    folder.file("cloth.00013.obj", b"too many zeros");
    folder.file("other.0001.obj", b"another name");
    for pattern in ["cloth.####.obj", "cloth.%04d.obj"] {
        let path = folder.path().join(pattern);
        assert!(sequence::is_pattern(&path));
        let mut frames = VertexFrames::open(&path).unwrap();
        assert_eq!((frames.len(), frames.number(3), frames.number(4)), (4, Some(12), None));
        assert_eq!(frames.notes().len(), 1, "{:?}", frames.notes());
        assert_eq!(frames.mesh().triangles().len(), 2);
        let mut points = Vec::new();
        for (frame, lift) in [(0, 0.0), (3, 3.0), (1, 1.0), (2, 2.0)] {
            frames.read(frame, &mut points).unwrap();
            assert_eq!((points.len(), points[0]), (4, DVec3::new(0.0, 0.0, lift)));
        }
    }
}

#[test]
fn a_face_that_bends_keeps_its_first_cut() {
    let folder = Folder::new("bends");
    let dart = |x: f64| format!("v 0 0 0\nv 2 0 0\nv {x} {x} 0\nv 0 2 0\nf 1 2 3 4\n");
    // Convex, then concave at the third corner, which is cut another way.
    folder.file("a.1.obj", dart(2.0).as_bytes());
    folder.file("a.2.obj", dart(0.5).as_bytes());
    let mut frames = VertexFrames::open(&folder.path().join("a.#.obj")).unwrap();
    let mut points = Vec::new();
    frames.read(1, &mut points).unwrap();
    assert_eq!(points[2], DVec3::new(0.5, 0.5, 0.0));
    assert_eq!(frames.mesh().triangles(), [[0, 1, 2], [0, 2, 3]]);
}

#[test]
fn frames_with_other_faces_are_named() {
    let folder = Folder::new("other-faces");
    folder.file("a.1.obj", obj(0.0, "f 1 2 3\nf 1 3 4"));
    folder.file("a.2.obj", obj(0.0, "f 1 2 3\nf 1 2 4"));
    folder.file("a.3.obj", obj(0.0, "f 1 2 3"));
    folder.file("a.4.obj", b"v 0 0 0\nf 1\nf 1\n");
    folder.file("a.5.obj", b"v 0 0 x\n");
    let mut frames = VertexFrames::open(&folder.path().join("a.#.obj")).unwrap();
    let mut points = Vec::new();
    let mut message =
        |frame: usize| folder.plain(&frames.read(frame, &mut points).unwrap_err().to_string());
    assert_eq!(
        message(1),
        "a.2.obj: face 1 of this frame joins other vertices; all frames need the faces of a.1.obj"
    );
    assert_eq!(
        message(2),
        "a.3.obj: this frame has 1 face, not 2 faces; all frames need the faces of a.1.obj"
    );
    assert_eq!(
        message(3),
        "a.4.obj: this frame has 1 vertex, not 4 vertices; all frames need the faces of a.1.obj"
    );
    assert!(message(4).starts_with("a.5.obj:1: vertex coordinate \"x\""));
    let open = |pattern: &str| {
        folder.plain(&VertexFrames::open(&folder.path().join(pattern)).unwrap_err().to_string())
    };
    assert_eq!(
        open("b.#.obj"),
        "b.#.obj: no file fits this pattern; check the folder and the number of # signs"
    );
    assert!(open("b.obj").starts_with("b.obj: is no pattern for numbered files"));
    assert!(open("a.npz.gz").ends_with("run gunzip on it first"));
    folder.file("a.05.obj", b"");
    assert!(open("a.#.obj").contains("a.05.obj and a.5.obj have the same number"));
}

#[test]
fn two_frames_of_a_simulation() {
    let Some(data) = data("two_frames_of_a_simulation") else { return };
    let folder = data.join("benchmarks/scalable_ccd/cloth-funnel/frames");
    let mut frames =
        VertexFrames::open(&folder.join("###.ply.gz")).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(
        (frames.len(), frames.number(0), frames.mesh().triangles().len()),
        (2, Some(227), 18484)
    );
    let mut points = Vec::new();
    frames.read(1, &mut points).unwrap();
    assert_eq!(points.len(), 9450);
    assert!(points.iter().zip(frames.mesh().vertices()).any(|(a, b)| a != b));
}

/// Three frames of four vertices, in C order.
fn values() -> Vec<f64> {
    (0..36).map(|i| f64::from(i) * 0.25 - 3.0).collect()
}

/// Numbers in the order of Fortran.
fn fortran(values: &[f64]) -> Vec<f64> {
    let mut out = Vec::new();
    for axis in 0..3 {
        for vertex in 0..4 {
            out.extend((0..3).map(|frame| values[(frame * 4 + vertex) * 3 + axis]));
        }
    }
    out
}

fn bytes<const N: usize>(values: &[f64], to: impl Fn(f64) -> [u8; N]) -> Vec<u8> {
    values.iter().flat_map(|&value| to(value)).collect()
}

#[test]
fn archives_in_every_order_and_type() {
    let (plain, turned) = (values(), fortran(&values()));
    let vertices = [
        npy("<f8", false, &[3, 4, 3], &bytes(&plain, f64::to_le_bytes)),
        npy(">f8", false, &[3, 4, 3], &bytes(&plain, f64::to_be_bytes)),
        npy("<f4", false, &[3, 4, 3], &bytes(&plain, |x| (x as f32).to_le_bytes())),
        npy("<f8", true, &[3, 4, 3], &bytes(&turned, f64::to_le_bytes)),
        npy(">f4", true, &[3, 4, 3], &bytes(&turned, |x| (x as f32).to_be_bytes())),
    ];
    let corners = [0_i64, 1, 2, 0, 2, 3];
    let as_i32: Vec<u8> = corners.iter().flat_map(|&c| (c as i32).to_le_bytes()).collect();
    let as_i64: Vec<u8> = corners.iter().flat_map(|c| c.to_be_bytes()).collect();
    let as_u8: Vec<u8> = [0_u8, 0, 1, 2, 2, 3].to_vec();
    let faces = [
        npy("<i4", false, &[2, 3], &as_i32),
        npy(">i8", false, &[2, 3], &as_i64),
        npy("|u1", true, &[2, 3], &as_u8),
        npy("|u1", false, &[1, 4], &[0, 1, 2, 3]),
    ];
    let fps = npy("<f8", false, &[], &30_f64.to_le_bytes());
    let folder = Folder::new("npz");
    let mut opened = 0;
    for (v, vertices) in vertices.iter().enumerate() {
        for (f, faces) in faces.iter().enumerate() {
            for packed in [false, true] {
                let names = [
                    ["vertices.npy", "faces.npy"],
                    ["verts.npy", "f.npy"],
                    ["v.npy", "triangles.npy"],
                ][(v + f) % 3];
                let archive = zip(
                    &[
                        ("other.npy", b"x"),
                        (names[0], vertices),
                        (names[1], faces),
                        ("fps.npy", &fps),
                    ],
                    packed,
                );
                let mut frames = VertexFrames::open(&folder.file("a.npz", &archive))
                    .unwrap_or_else(|error| panic!("{v} {f}: {error}"));
                assert_eq!((frames.len(), frames.fps()), (3, Some(30.0)));
                assert!(frames.notes()[0].contains("not read: other;"), "{:?}", frames.notes());
                assert_eq!(frames.mesh().triangles(), [[0, 1, 2], [0, 2, 3]]);
                let mut points = Vec::new();
                // Forwards, over a gap, the same again, and back.
                for frame in [0, 2, 2, 1, 0, 1, 2] {
                    frames.read(frame, &mut points).unwrap();
                    let expected: Vec<DVec3> =
                        plain[frame * 12..][..12].chunks(3).map(DVec3::from_slice).collect();
                    assert_eq!(points, expected, "{v} {f} {packed} {frame}");
                }
                opened += 1;
            }
        }
    }
    assert_eq!(opened, 40);
    let still = zip(
        &[
            ("v.npy", &npy("<f8", false, &[4, 3], &bytes(&plain[..12], f64::to_le_bytes))),
            ("f.npy", &faces[0]),
        ],
        true,
    );
    assert_eq!(npz::check(&still).unwrap(), (1, 4));
}

#[test]
fn bad_archives() {
    let good = bytes(&values(), f64::to_le_bytes);
    let vertices = npy("<f8", false, &[3, 4, 3], &good);
    let faces = npy("|u1", false, &[2, 3], &[0, 1, 2, 0, 2, 3]);
    let both = |vertices: &[u8], faces: &[u8]| {
        zip(&[("vertices.npy", vertices), ("faces.npy", faces)], true)
    };
    let with_vertices =
        |descr: &str, shape: &[usize]| both(&npy(descr, false, shape, &good), &faces);
    let with = |name: &str, array: &[u8]| {
        zip(&[("vertices.npy", &vertices), ("faces.npy", &faces), (name, array)], true)
    };
    let mut nan = values();
    nan[17] = f64::NAN;
    let mut long = vertices.clone();
    (long[6], long[8], long[9]) = (2, 0xff, 0xff);
    let cases: Vec<(Vec<u8>, &str)> = vec![
        (b"PK\x05\x06".to_vec(), "cannot be opened as a zip"),
        (vertices.clone(), "cannot be opened as a zip"),
        (
            zip(&[("faces.npy", &faces)], true),
            "no array called vertices or verts or v; the archive holds faces",
        ),
        (
            zip(&[("vertices.npy", &vertices)], true),
            "no array called faces or triangles or f; the archive holds vertices",
        ),
        (both(b"text", &faces), "array vertices ends in its header; the file is truncated"),
        (both(b"text that is long", &faces), "array vertices does not begin as an NPY file"),
        (
            both(&[&vertices[..6], &[9], &vertices[7..]].concat(), &faces),
            "array vertices is of NPY version 9; 1, 2 and 3 are known",
        ),
        (both(&long, &faces), "bytes, which no array needs"),
        (
            with_vertices("|O", &[3, 4, 3]),
            "the header of array vertices has no type of plain numbers; save plain numbers, not objects or records",
        ),
        (
            with_vertices("<i8", &[3, 4, 3]),
            "array vertices is not of 16-, 32- or 64-bit floats; save it so",
        ),
        (
            with_vertices("<f8", &[3, 3, 4]),
            "array vertices has the shape (3, 3, 4); it should be (T, N, 3) or (N, 3)",
        ),
        (
            with_vertices("<f8", &[3, 5, 3]),
            "array vertices of the shape (3, 5, 3) takes 488 bytes, but the archive holds 416; the file is truncated or its header is wrong",
        ),
        (
            with_vertices("<f8", &[1 << 30, 1 << 30, 3]),
            "the shape of an array is larger than any memory",
        ),
        (
            with_vertices("<f8", &[1_000_000_000, 4, 3]),
            "takes 96,000,000,128 bytes, but the archive holds 416",
        ),
        (
            both(&npy("<f8", false, &[0, 4, 3], &[]), &faces),
            "it should be at least one frame and one vertex",
        ),
        (
            both(&npy("<f8", false, &[3, 4, 3], &bytes(&nan, f64::to_le_bytes)), &faces),
            "z of vertex 1 in frame 1 is NaN; every vertex needs a place",
        ),
        (
            both(&vertices, &npy("|u1", false, &[2, 3], &[0, 1, 2, 0, 2, 4])),
            "corner 2 of face 1 is 4, but there are 4 vertices, from 0",
        ),
        (
            both(&vertices, &npy("|i1", false, &[2, 3], &[0, 1, 2, 0, 2, 255])),
            "corner 2 of face 1 is -1, but there are 4 vertices, from 0",
        ),
        (
            both(&vertices, &npy("<f8", false, &[1, 3], &[0; 24])),
            "array faces is not of whole numbers; save it so",
        ),
        (
            both(&vertices, &npy("|u1", false, &[6], &[0; 6])),
            "array faces has the shape (6); it should be (M, 3) or (M, 4)",
        ),
        (both(&vertices, &npy("|u1", false, &[0, 3], &[])), "no triangles"),
        (
            both(&vertices, &npy("|u1", false, &[2, 4], &[3, 0, 1, 2, 3, 0, 2, 3])),
            "every row of the array faces begins with 3, as PyVista counts",
        ),
        (
            with("fps.npy", &npy("<f8", false, &[2], &bytes(&[30.0, 25.0], f64::to_le_bytes))),
            "array fps should be one number above 0",
        ),
        (
            with("first_frame.npy", &npy("<f8", false, &[], &1.5_f64.to_le_bytes())),
            "array first_frame should be one whole number",
        ),
    ];
    are_refused(cases);
}

fn are_refused(cases: Vec<(Vec<u8>, &str)>) {
    let folder = Folder::new("bad-npz");
    for (archive, expected) in cases {
        let error = npz::check(&archive).expect_err(expected);
        assert!(error.message().contains(expected), "{error}\n{expected}");
        let path = folder.file("a.npz", &archive);
        let mut points = Vec::new();
        let through = VertexFrames::open(&path).and_then(|mut frames| frames.read(1, &mut points));
        assert_eq!(through.unwrap_err().message(), error.message());
    }
}

/// 200 MB of zeros in 200 kB: one frame at a time, they are no more than they are.
#[test]
fn a_packed_archive_is_read_in_the_memory_of_a_frame() {
    let (frames, vertices) = (2000, 4200);
    let zeros = vec![0; frames * vertices * 24];
    let archive = zip(
        &[
            ("v.npy", &npy("<f8", false, &[frames, vertices, 3], &zeros)),
            ("f.npy", &npy("|u1", false, &[1, 3], &[0, 1, 2])),
        ],
        true,
    );
    drop(zeros);
    assert!(archive.len() < 1 << 20, "{}", archive.len());
    let folder = Folder::new("zeros-npz");
    let path = folder.file("a.npz", &archive);
    let refused = VertexFrames::open(&path).unwrap_err();
    assert!(refused.message().contains("allow it with --max-size"), "{refused}");
    let options = ReadOptions { max_decompressed_bytes: Some(1 << 20), ..ReadOptions::default() };
    let mut opened = VertexFrames::open_with(&path, &options).unwrap();
    let mut points = Vec::new();
    opened.read(frames - 1, &mut points).unwrap();
    assert_eq!((opened.len(), points.len()), (frames, vertices));
}
