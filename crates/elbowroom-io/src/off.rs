//! OFF, the object file format of Geomview: counts, then vertices, then faces, as lines of text.
//!
//! The first word says which numbers stand behind the coordinates of a vertex (`COFF` colours,
//! `NOFF` normals, `STOFF` texture coordinates, or several of them); it may be absent. A vertex is
//! a line that begins with x, y and z; a face is a line with its number of corners, the corners
//! from 0, and perhaps a colour. Empty lines and what follows a `#` do not count.
//!
//! Source: the Geomview manual, OFF files. We differ: rows are lines, as every writer makes them,
//! because the colour behind a face is of unknown length; `4OFF`, `nOFF` and `BINARY` are refused
//! by name; the count of edges may be missing.
//!
//! Why not a library: off-rs 2.0.0 rounds coordinates to f32.
//!
//! Invariant: every corner handed to the mesh is below the number of vertices.

use elbowroom::Mesh;
use glam::DVec3;

use crate::error::{Fault, ParseError};
use crate::mesh_file::{Format, MeshFile};
use crate::text::{Word, Words, byte_order_mark, coordinate, counted, grouped, line_length, quote};

/// Reads the bytes of an OFF file.
///
/// # Errors
/// Names the line and what is wrong with it, or says that the file has no faces.
///
/// # Example
/// ```
/// let file = elbowroom_io::off::parse(b"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n").unwrap();
/// assert_eq!(file.mesh.triangles(), [[0, 1, 2]]);
/// ```
pub fn parse(bytes: &[u8]) -> Result<MeshFile, ParseError> {
    read(bytes).map_err(|fault| fault.in_text(bytes))
}

fn read(text: &[u8]) -> Result<MeshFile, Fault> {
    if text.is_empty() {
        return Err(Fault::whole("the file is empty; export the mesh again"));
    }
    let mut rows = Rows { text, at: byte_order_mark(text) };
    let [vertices, faces] = counts(&mut rows)?;
    // A vertex takes six bytes at least and a face four, so counts beyond the file cannot be true.
    if vertices.saturating_mul(6).saturating_add(faces.saturating_mul(4)) > text.len() as u64 + 2 {
        let message = format!(
            "the header promises {} vertices and {} faces, which {} cannot hold; the file is truncated or a count is wrong",
            grouped(vertices),
            grouped(faces),
            counted(text.len(), "byte", "bytes")
        );
        return Err(Fault::whole(message));
    }
    if faces == 0 {
        return Err(Fault::whole("no faces: the header counts 0; export the mesh with faces"));
    }
    let points = (0..vertices)
        .map(|vertex| point(rows.next_or(text, "vertices", vertex, vertices)?))
        .collect::<Result<Vec<_>, _>>()?;
    let (mut corners, mut ends) = (Vec::new(), Vec::new());
    for number in 0..faces {
        face(rows.next_or(text, "faces", number, faces)?, vertices, &mut corners)?;
        ends.push(corners.len());
    }
    if let Some(mut row) = rows.next()
        && let Some(word) = row.next()
    {
        return Err(Fault::at(
            word.offset,
            "more lines than the header counts; a count in it is wrong",
        ));
    }
    let mut start = 0;
    let polygons = ends.iter().map(|&end| &corners[std::mem::replace(&mut start, end)..end]);
    let mesh = Mesh::from_polygons(points, polygons).map_err(|e| Fault::whole(e.to_string()))?;
    Ok(MeshFile::new(mesh, Format::Off, ends.len()))
}

/// The lines that hold something, each as its words before a comment.
struct Rows<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Iterator for Rows<'a> {
    type Item = Words<'a>;

    fn next(&mut self) -> Option<Words<'a>> {
        while self.at < self.text.len() {
            let start = self.at;
            let end = start + line_length(&self.text[start..]);
            self.at = end + 1;
            let comment = self.text[start..end].iter().position(|&b| b == b'#');
            let row = Words::new(self.text, start, comment.map_or(end, |length| start + length));
            if row.clone().next().is_some() {
                return Some(row);
            }
        }
        None
    }
}

impl<'a> Rows<'a> {
    fn next_or(
        &mut self,
        text: &[u8],
        what: &str,
        found: u64,
        promised: u64,
    ) -> Result<Words<'a>, Fault> {
        self.next().ok_or_else(|| {
            let message = format!(
                "the file ends after {} of {} {what}; it is truncated or the count is wrong",
                grouped(found),
                grouped(promised)
            );
            Fault::at(text.len(), message)
        })
    }
}

/// The numbers of vertices and of faces, from the first lines.
fn counts(rows: &mut Rows<'_>) -> Result<[u64; 2], Fault> {
    let missing = || {
        Fault::whole(
            "the counts are missing; the line behind OFF should be like \"8 6 12\": vertices, faces, edges",
        )
    };
    let mut row = rows.next().ok_or_else(missing)?;
    let mut ahead = row.clone();
    let first = ahead.next().ok_or_else(missing)?;
    if !first.bytes.first().is_some_and(u8::is_ascii_digit) || first.bytes.ends_with(b"OFF") {
        check_keyword(first)?;
        if let Some(word) = ahead.clone().next().filter(|word| word.bytes == b"BINARY") {
            return Err(Fault::at(
                word.offset,
                "binary OFF is not read; save it as text, or as PLY",
            ));
        }
        row =
            if ahead.clone().next().is_some() { ahead } else { rows.next().ok_or_else(missing)? };
    }
    let mut count = || {
        let word = row.next().ok_or_else(missing)?;
        let digits = std::str::from_utf8(word.bytes).ok();
        digits.and_then(|digits| digits.parse().ok()).ok_or_else(|| {
            Fault::at(
                word.offset,
                format!("{} is not a count of vertices or faces", quote(word.bytes)),
            )
        })
    };
    Ok([count()?, count()?])
}

fn check_keyword(word: Word<'_>) -> Result<(), Fault> {
    let Some(prefix) = word.bytes.strip_suffix(b"OFF") else {
        let message = format!("not an OFF file: it begins with {}, not \"OFF\"", quote(word.bytes));
        return Err(Fault::at(word.offset, message));
    };
    let rest = prefix.strip_prefix(b"ST").unwrap_or(prefix);
    let rest = rest.strip_prefix(b"C").unwrap_or(rest);
    let rest = rest.strip_prefix(b"N").unwrap_or(rest);
    if rest.is_empty() {
        return Ok(());
    }
    let message = format!(
        "{} is not read; known are OFF with C (colours), N (normals) and ST (texture) in front: points in three dimensions",
        quote(word.bytes)
    );
    Err(Fault::at(word.offset, message))
}

fn point(mut row: Words<'_>) -> Result<DVec3, Fault> {
    let start = row.offset();
    let mut xyz = [0.0; 3];
    for (axis, value) in xyz.iter_mut().enumerate() {
        let word = row.next().ok_or_else(|| {
            let found = counted(axis, "coordinate", "coordinates");
            Fault::at(start, format!("vertex with {found}; a vertex needs three on its line"))
        })?;
        *value = coordinate(word)?;
    }
    Ok(DVec3::from_array(xyz))
}

fn face(mut row: Words<'_>, vertices: u64, corners: &mut Vec<u32>) -> Result<(), Fault> {
    let start = row.offset();
    let count = row.next().map_or(Ok(0), whole)?;
    if count == 0 {
        return Err(Fault::at(
            start,
            "face without corners; remove it, or name the vertices that it joins",
        ));
    }
    for corner in 0..count {
        let word = row.next().ok_or_else(|| {
            let message = format!(
                "face of {} has {} on its line; the count is wrong or the line is cut",
                counted(count as usize, "corner", "corners"),
                counted(corner as usize, "index", "indices"),
            );
            Fault::at(start, message)
        })?;
        let index = whole(word)?;
        if index >= vertices {
            let known = counted(vertices as usize, "vertex", "vertices");
            let message =
                format!("face index {index} names no vertex; the file has {known}, from 0");
            return Err(Fault::at(word.offset, message));
        }
        let Ok(index) = u32::try_from(index) else {
            return Err(Fault::at(
                word.offset,
                "more vertices than 32 bits can number; split the file",
            ));
        };
        corners.push(index);
    }
    Ok(())
}

fn whole(word: Word<'_>) -> Result<u64, Fault> {
    let digits = std::str::from_utf8(word.bytes).ok();
    digits.and_then(|digits| digits.parse().ok()).ok_or_else(|| {
        let message = format!(
            "{} is not a whole number from 0, as a count or an index must be",
            quote(word.bytes)
        );
        Fault::at(word.offset, message)
    })
}
