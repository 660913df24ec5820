//! STL: triangles without shared vertices, as text or as records of 50 bytes.
//!
//! Which of the two a file is, its first word does not tell: many binary files begin with `solid`.
//! A file whose size is what the count in a binary header asks for is binary (as text, those four
//! bytes would promise more than 7 GB); else it is text if it begins with `solid` and its first
//! bytes are those of a text.
//!
//! ```text
//! binary   80 bytes of anything | count: u32 | count × (normal, 3 corners: 12 × f32 | 2 bytes of anything), little-endian
//! text     solid NAME  facet normal X Y Z  outer loop  3 × vertex X Y Z  endloop  endfacet … endsolid NAME, perhaps again
//! ```
//!
//! Source: 3D Systems' Stereolithography Interface Specification (1989). We differ: negative
//! coordinates are fine, normals are not looked at (writers put NaN there, and the corners say it
//! already), key words may be in capitals, several solids may follow.
//!
//! Why not a library: `stl_io` 0.11.0 rounds text to f32, stops at the first `endsolid`, may take a
//! binary file that begins with `solid ` for text, lets NaN and bytes behind the last triangle pass
//! in binary files, and has no place in its errors.
//!
//! Invariant: triangle i has the vertices 3i, 3i + 1, 3i + 2.

use elbowroom::{Mesh, MeshError};
use glam::DVec3;

use crate::error::{Fault, ParseError};
use crate::mesh_file::{Format, MeshFile, Parts};
use crate::text::{Word, Words, byte_order_mark, coordinate, counted, grouped, quote};

/// Reads the bytes of an STL file, text or binary.
///
/// # Errors
/// Names the line (text) or the triangle and byte (binary) and what is wrong there, or what is
/// wrong with the file as a whole.
///
/// # Example
/// ```
/// let text = b"solid s
///   facet normal 0 0 1
///     outer loop
///       vertex 0 0 0
///       vertex 1 0 0
///       vertex 0 0.1 0
///     endloop
///   endfacet
/// endsolid s";
/// let file = elbowroom_io::stl::parse(text).unwrap();
/// assert_eq!(file.mesh.vertices()[2].y, 0.1);
/// ```
pub fn parse(bytes: &[u8]) -> Result<MeshFile, ParseError> {
    if is_text(bytes) {
        Text::new(bytes).read().map_err(|fault| fault.in_text(bytes))
    } else {
        binary(bytes)
    }
}

const HEADER: usize = 84;
const RECORD: usize = 50;

/// The count in a binary header, if there is one.
fn header_count(bytes: &[u8]) -> Option<u32> {
    let count = bytes.get(80..)?.first_chunk()?;
    Some(u32::from_le_bytes(*count))
}

/// The size of a binary file with `count` triangles.
fn binary_size(count: u32) -> u64 {
    HEADER as u64 + RECORD as u64 * u64::from(count)
}

fn is_text(bytes: &[u8]) -> bool {
    const LOOKED_AT: usize = 1024;
    if header_count(bytes).is_some_and(|count| binary_size(count) == bytes.len() as u64) {
        return false;
    }
    let start = bytes[byte_order_mark(bytes)..].trim_ascii_start();
    let solid = start.first_chunk::<5>().is_some_and(|word| word.eq_ignore_ascii_case(b"solid"));
    let control = |b: &u8| b.is_ascii_control() && !b.is_ascii_whitespace() && *b != 0x0b;
    solid && !bytes[..bytes.len().min(LOOKED_AT)].iter().any(control)
}

fn binary(bytes: &[u8]) -> Result<MeshFile, ParseError> {
    let whole = |message: String| Fault::whole(message).in_text(bytes);
    let count = header_count(bytes).ok_or_else(|| whole(too_short(bytes)))?;
    if binary_size(count) != bytes.len() as u64 {
        return Err(whole(wrong_count(count, bytes.len())));
    }
    if count == 0 {
        return Err(whole(
            "no triangles: the count in the header is 0; export the mesh again".to_owned(),
        ));
    }
    let (records, _) = bytes[HEADER..].as_chunks::<RECORD>();
    let mut vertices = Vec::with_capacity(3 * records.len());
    for (triangle, record) in records.iter().enumerate() {
        let at = HEADER + triangle * RECORD;
        let corners = corners(record, at).map_err(|fault| fault.in_triangle(triangle))?;
        vertices.extend(corners);
    }
    let faces = records.len();
    let mesh = soup(vertices).map_err(|fault| fault.in_text(bytes))?;
    Ok(MeshFile::new(mesh, Format::StlBinary, faces))
}

/// The three corners of a record that begins at byte `at` of the file.
fn corners(record: &[u8; RECORD], at: usize) -> Result<[DVec3; 3], Fault> {
    let (words, _) = record.as_chunks::<4>();
    let mut xyz = [0.0; 9];
    for (i, value) in xyz.iter_mut().enumerate() {
        // The first three are the normal.
        let number = f32::from_le_bytes(words[3 + i]);
        if !number.is_finite() {
            let message = format!(
                "{} of corner {} is {number}; give the corner a place, or remove the triangle",
                ["x", "y", "z"][i % 3],
                i / 3
            );
            return Err(Fault::at(at + 4 * (3 + i), message));
        }
        *value = f64::from(number);
    }
    let [ax, ay, az, bx, by, bz, cx, cy, cz] = xyz;
    Ok([DVec3::new(ax, ay, az), DVec3::new(bx, by, bz), DVec3::new(cx, cy, cz)])
}

#[cold]
fn too_short(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return "the file is empty; export the mesh again".to_owned();
    }
    let size = counted(bytes.len(), "byte", "bytes");
    format!(
        "not an STL file: {size} are too few for a binary one (84 at least), and a text one begins with \"solid\""
    )
}

#[cold]
fn wrong_count(count: u32, size: usize) -> String {
    let promised = counted(count as usize, "triangle", "triangles");
    let body = size - HEADER;
    let (held, bytes) = (grouped((body / RECORD) as u64), counted(size, "byte", "bytes"));
    if binary_size(count) > size as u64 {
        format!(
            "the header promises {promised} but the file holds {held} ({bytes}); the file is truncated or its count is wrong"
        )
    } else {
        let extra = counted(size - binary_size(count) as usize, "byte", "bytes");
        format!(
            "the header promises {promised} but leaves {extra} over ({bytes} in all); the count is wrong or something else was appended"
        )
    }
}

/// A mesh in which every three vertices are a triangle.
fn soup(vertices: Vec<DVec3>) -> Result<Mesh, Fault> {
    let refused = |error: MeshError| Fault::whole(error.to_string());
    let Ok(count) = u32::try_from(vertices.len()) else {
        let count = counted(vertices.len() / 3, "triangle", "triangles");
        return Err(Fault::whole(format!(
            "{count} have more corners than 32 bits can number; split the file"
        )));
    };
    let triangles = (0..count / 3).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    Mesh::new(vertices, triangles).map_err(refused)
}

/// Reads a text file word by word; line ends matter only behind `solid` and `endsolid`, where names
/// stand.
struct Text<'a> {
    words: Words<'a>,
    size: usize,
    vertices: Vec<DVec3>,
    parts: Parts,
}

impl<'a> Text<'a> {
    fn new(text: &'a [u8]) -> Self {
        let words = Words::new(text, byte_order_mark(text), text.len());
        Self { words, size: text.len(), vertices: Vec::new(), parts: Parts::default() }
    }

    fn read(mut self) -> Result<MeshFile, Fault> {
        while let Some(word) = self.words.next() {
            if !is(word, "solid") {
                return Err(expected("solid", word));
            }
            self.solid()?;
        }
        let faces = self.vertices.len() / 3;
        if faces == 0 {
            return Err(Fault::whole(
                "no triangles between \"solid\" and \"endsolid\"; export the mesh again",
            ));
        }
        let parts = self.parts.finish(faces);
        let mesh = soup(self.vertices)?;
        Ok(MeshFile { parts, ..MeshFile::new(mesh, Format::StlAscii, faces) })
    }

    fn solid(&mut self) -> Result<(), Fault> {
        let name = String::from_utf8_lossy(self.words.rest_of_line()).into_owned();
        self.parts.open(name, self.vertices.len() / 3);
        loop {
            let word = self.word("endsolid")?;
            if is(word, "facet") {
                self.facet()?;
            } else if is(word, "endsolid") {
                self.words.rest_of_line();
                self.parts.close(self.vertices.len() / 3);
                return Ok(());
            } else {
                return Err(expected("facet\" or \"endsolid", word));
            }
        }
    }

    fn facet(&mut self) -> Result<(), Fault> {
        self.expect("normal")?;
        for _ in 0..3 {
            let word = self.word("a normal")?;
            if is(word, "outer") {
                return Err(Fault::at(
                    word.offset,
                    "the normal of this facet has fewer than three numbers; write 0 0 0 if it is not known",
                ));
            }
        }
        self.expect("outer")?;
        self.expect("loop")?;
        let first = self.vertices.len();
        loop {
            let word = self.word("endloop")?;
            if is(word, "vertex") {
                self.vertex()?;
            } else if is(word, "endloop") {
                let corners = self.vertices.len() - first;
                if corners != 3 {
                    let corners = counted(corners, "vertex", "vertices");
                    return Err(Fault::at(
                        word.offset,
                        format!(
                            "loop of {corners}; an STL facet has three, so cut polygons into triangles"
                        ),
                    ));
                }
                return self.expect("endfacet");
            } else {
                return Err(expected("vertex\" or \"endloop", word));
            }
        }
    }

    fn vertex(&mut self) -> Result<(), Fault> {
        let mut xyz = [0.0; 3];
        for (axis, value) in xyz.iter_mut().enumerate() {
            let word = self.word("a coordinate")?;
            if is(word, "vertex") || is(word, "endloop") {
                let found = counted(axis, "coordinate", "coordinates");
                return Err(Fault::at(
                    word.offset,
                    format!("the vertex before {} has {found}; it needs three", quote(word.bytes)),
                ));
            }
            *value = coordinate(word)?;
        }
        self.vertices.push(DVec3::from_array(xyz));
        Ok(())
    }

    fn word(&mut self, awaited: &str) -> Result<Word<'a>, Fault> {
        let (triangles, size) = (self.vertices.len() / 3, self.size);
        self.words.next().ok_or_else(|| {
            let triangles = counted(triangles, "triangle", "triangles");
            Fault::at(size, format!("the file ends where {awaited} should follow, after {triangles}; it is truncated"))
        })
    }

    fn expect(&mut self, keyword: &str) -> Result<(), Fault> {
        let word = self.word(keyword)?;
        if is(word, keyword) { Ok(()) } else { Err(expected(keyword, word)) }
    }
}

fn is(word: Word<'_>, keyword: &str) -> bool {
    word.bytes.eq_ignore_ascii_case(keyword.as_bytes())
}

#[cold]
fn expected(keyword: &str, found: Word<'_>) -> Fault {
    let message = format!(
        "\"{keyword}\" should stand here, not {}; the file is damaged or not an STL",
        quote(found.bytes)
    );
    Fault::at(found.offset, message)
}
