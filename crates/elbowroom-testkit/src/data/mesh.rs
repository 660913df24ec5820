//! Just enough of PLY, STL, OBJ and GLB to read the benchmarks' own files.
//!
//! These are not the readers of the program, and share nothing with them.

use super::{read, read_text};
use crate::brute::Soup;
use std::path::Path;

/// Little-endian numbers from a byte slice, front to back.
struct Bytes<'a> {
    rest: &'a [u8],
    path: &'a Path,
}

impl<'a> Bytes<'a> {
    fn new(rest: &'a [u8], path: &'a Path) -> Self {
        Self { rest, path }
    }

    fn take<const N: usize>(&mut self) -> [u8; N] {
        let Some((head, rest)) = self.rest.split_first_chunk() else {
            panic!("{}: ends too early", self.path.display());
        };
        self.rest = rest;
        *head
    }

    fn float(&mut self) -> f64 {
        f64::from(f32::from_le_bytes(self.take()))
    }

    fn point(&mut self) -> [f64; 3] {
        std::array::from_fn(|_| self.float())
    }

    fn index(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }
}

/// Points stored as consecutive little-endian f32 triples.
pub(super) fn f32_points(path: &Path) -> Vec<[f64; 3]> {
    let bytes = read(path);
    assert!(bytes.len().is_multiple_of(12), "{}: not whole points", path.display());
    let count = bytes.len() / 12;
    let mut bytes = Bytes::new(&bytes, path);
    (0..count).map(|_| bytes.point()).collect()
}

/// Binary PLY with float x y z vertices and triangles as `uchar int`.
pub(super) fn ply(path: &Path) -> Soup {
    const END: &[u8] = b"end_header\n";
    let content = read(path);
    let end = content.windows(END.len()).position(|w| w == END);
    let body = end.unwrap_or_else(|| panic!("{}: no end_header", path.display())) + END.len();
    let header = String::from_utf8_lossy(&content[..body]);
    assert!(
        header.contains("format binary_little_endian 1.0"),
        "{}: unexpected PLY format",
        path.display()
    );
    let count = |element: &str| -> usize {
        let line = header.lines().find_map(|l| l.strip_prefix(element));
        let number = line.and_then(|rest| rest.trim().parse().ok());
        number.unwrap_or_else(|| panic!("{}: no \"{element}\"", path.display()))
    };
    let mut bytes = Bytes::new(&content[body..], path);
    let vertices = (0..count("element vertex ")).map(|_| bytes.point()).collect();
    let triangle = |_| {
        let corners = bytes.take::<1>()[0];
        assert_eq!(corners, 3, "{}: a face that is no triangle", path.display());
        std::array::from_fn(|_| bytes.index())
    };
    let triangles = (0..count("element face ")).map(triangle).collect();
    Soup { vertices, triangles }
}

/// Binary STL: every triangle has its own three vertices.
pub(super) fn stl(path: &Path) -> Soup {
    let content = read(path);
    let mut bytes = Bytes::new(content.get(80..).unwrap_or_default(), path);
    let count = bytes.index();
    let triangle = |_| {
        let _normal = bytes.point();
        let corners = [bytes.point(), bytes.point(), bytes.point()];
        let _attribute: [u8; 2] = bytes.take();
        corners
    };
    let triangles: Vec<_> = (0..count).map(triangle).collect();
    assert!(bytes.rest.is_empty(), "{}: longer than its count says", path.display());
    Soup::from_triangles(&triangles)
}

/// OBJ with positive indices; polygons become fans from their first corner.
///
/// # Panics
///
/// If the file is missing or malformed.
pub fn obj(path: &Path) -> Soup {
    let mut soup = Soup::default();
    for line in read_text(path).lines() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                let mut number = || words.next().and_then(|w| w.parse().ok());
                let point = std::array::from_fn(|_| {
                    number().unwrap_or_else(|| panic!("{}: bad vertex \"{line}\"", path.display()))
                });
                soup.vertices.push(point);
            }
            Some("f") => {
                let index = |word: &str| -> u32 {
                    let first = word.split('/').next().and_then(|w| w.parse::<u32>().ok());
                    let one_based =
                        first.unwrap_or_else(|| panic!("{}: bad face \"{line}\"", path.display()));
                    one_based - 1
                };
                let corners: Vec<u32> = words.map(index).collect();
                let fan = corners[1..].windows(2).map(|w| [corners[0], w[0], w[1]]);
                soup.triangles.extend(fan);
            }
            _ => {}
        }
    }
    soup
}

/// The triangles of the first primitive of the first mesh of a GLB.
pub(super) fn glb_triangles(path: &Path) -> Vec<[u32; 3]> {
    let content = read(path);
    let mut header = Bytes::new(&content, path);
    let [magic, _version, _length, json_length] = std::array::from_fn(|_| header.index());
    assert_eq!(magic, 0x4654_6c67, "{}: not a GLB", path.display());
    let json_end = 20 + json_length as usize;
    let json: serde_json::Value = serde_json::from_slice(&content[20..json_end])
        .unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    // Eight bytes of the second chunk's head, then the buffer.
    let buffer = &content[json_end + 8..];
    let accessor = &json["accessors"][number(&json["meshes"][0]["primitives"][0]["indices"], path)];
    let view = &json["bufferViews"][number(&accessor["bufferView"], path)];
    let offset = |value: &serde_json::Value| value["byteOffset"].as_u64().unwrap_or(0) as usize;
    let mut bytes = Bytes::new(&buffer[offset(view) + offset(accessor)..], path);
    let mut index = || match accessor["componentType"].as_u64() {
        Some(5125) => bytes.index(),
        Some(5123) => u32::from(u16::from_le_bytes(bytes.take())),
        other => panic!("{}: indices of type {other:?}", path.display()),
    };
    let count = number(&accessor["count"], path) / 3;
    (0..count).map(|_| std::array::from_fn(|_| index())).collect()
}

fn number(value: &serde_json::Value, path: &Path) -> usize {
    let found = value.as_u64();
    found.unwrap_or_else(|| panic!("{}: {value} where an index should be", path.display())) as usize
}
