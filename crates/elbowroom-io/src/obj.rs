//! Wavefront OBJ: vertices and faces as lines of text.
//!
//! One pass over the bytes. A statement is a line, or several joined by a backslash at the end; its
//! first word says what it is. Of a face corner `v/vt/vn` only `v` matters here: a position from 1
//! in the list of vertices, or counted back from the latest vertex if negative. A position may name
//! a vertex that comes later in the file; only at the end is it known to be there.
//!
//! Source: Wavefront, the Advanced Visualizer manual, appendix on object files. We differ: the
//! fourth number of a vertex is not a weight that divides, since that is for free-form curves only;
//! extra numbers (colours) are checked to be numbers and left out; `l`, `p` and unknown statements
//! are counted, and a comment never continues on the next line.
//!
//! Why not a library: tobj 4.0.5 has no place in its errors, takes `nan` for a coordinate, gathers
//! faces by object, cuts polygons into fans without regard to their shape, and refuses a face that
//! goes on in a second line.
//!
//! Invariant: every corner handed to the mesh is below the number of vertices.

use elbowroom::{Mesh, MeshError, MeshErrorKind};
use glam::DVec3;

use crate::error::{Fault, ParseError, line_at};
use crate::mesh_file::{Format, Ignored, MeshFile, Parts};
use crate::text::{
    Word, Words, byte_order_mark, coordinate, counted, is_line_end, line_length, parse_f64, quote,
};

/// Reads the bytes of an OBJ file.
///
/// # Errors
/// Names the line and what is wrong with it, or says that the file has no faces.
///
/// # Example
/// ```
/// let file = elbowroom_io::obj::parse(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
/// assert_eq!(file.mesh.triangles(), [[0, 1, 2]]);
///
/// let error = elbowroom_io::obj::parse(b"v 0 0 0\nf 0 1 1\n").unwrap_err();
/// assert_eq!(error.line(), Some(2));
/// ```
pub fn parse(bytes: &[u8]) -> Result<MeshFile, ParseError> {
    Reader::new(bytes).read().map_err(|fault| fault.in_text(bytes))
}

struct Reader<'a> {
    text: &'a [u8],
    vertices: Vec<DVec3>,
    /// The corners of all faces one after the other, and where each face ends among them.
    corners: Vec<u32>,
    ends: Vec<usize>,
    /// Corners that named a vertex not there yet, each farther than all before: the first that
    /// stays beyond the last vertex is among them.
    ahead: Vec<Ahead>,
    parts: Parts,
    objects: Parts,
    ignored: Ignored,
}

struct Ahead {
    index: u64,
    offset: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a [u8]) -> Self {
        Self {
            text,
            vertices: Vec::new(),
            corners: Vec::new(),
            ends: Vec::new(),
            ahead: Vec::new(),
            parts: Parts::default(),
            objects: Parts::default(),
            ignored: Ignored::default(),
        }
    }

    fn read(mut self) -> Result<MeshFile, Fault> {
        check_encoding(self.text)?;
        for statement in statements(self.text) {
            self.statement(statement)?;
        }
        self.finish()
    }

    fn statement(&mut self, mut statement: Statement<'a>) -> Result<(), Fault> {
        let Some(keyword) = statement.next() else {
            return Ok(());
        };
        match keyword.bytes {
            b"v" => self.vertex(keyword, statement)?,
            b"f" => self.face(keyword, statement)?,
            // The latest name alone counts: a long object name put before the name of each of its
            // groups would let memory outgrow the file.
            b"o" | b"g" => {
                let name = String::from_utf8_lossy(statement.words.rest_of_line()).into_owned();
                if keyword.bytes == b"o" {
                    self.objects.open(name.clone(), self.ends.len());
                }
                self.parts.open(name, self.ends.len());
            }
            b"l" => self.ignored.lines += 1,
            b"p" => self.ignored.points += 1,
            // What says how faces look, not where they are.
            b"vt" | b"vn" | b"vp" | b"s" | b"mg" | b"usemtl" | b"mtllib" | b"usemap"
            | b"maplib" | b"bevel" | b"lod" | b"c_interp" | b"d_interp" | b"shadow_obj"
            | b"trace_obj" => {}
            _ => self.unknown(keyword),
        }
        Ok(())
    }

    fn vertex(&mut self, keyword: Word<'_>, mut statement: Statement<'a>) -> Result<(), Fault> {
        let mut xyz = [0.0; 3];
        for (axis, value) in xyz.iter_mut().enumerate() {
            let word = statement.next().ok_or_else(|| short_vertex(keyword, axis))?;
            *value = coordinate(word)?;
        }
        // Two vertices run together on one line must not pass for a vertex with a colour.
        if let Some(word) = statement.find(|word| parse_f64(word.bytes).is_none()) {
            let message = format!(
                "{} behind the coordinates of a vertex is not a number; write one vertex a line",
                quote(word.bytes)
            );
            return Err(Fault::at(word.offset, message));
        }
        self.vertices.push(DVec3::from_array(xyz));
        Ok(())
    }

    fn face(&mut self, keyword: Word<'_>, statement: Statement<'a>) -> Result<(), Fault> {
        let first = self.corners.len();
        for word in statement {
            let index = position(word)?;
            let corner = self.resolve(index, word)?;
            self.corners.push(corner);
        }
        if self.corners.len() == first {
            return Err(Fault::at(
                keyword.offset,
                "face without corners; name the vertices that it joins, like f 1 2 3",
            ));
        }
        self.ends.push(self.corners.len());
        Ok(())
    }

    /// The vertex, from 0, that `index` names at this point of the file.
    fn resolve(&mut self, index: i64, word: Word<'_>) -> Result<u32, Fault> {
        let known = self.vertices.len() as u64;
        let vertex = match index {
            0 => {
                return Err(Fault::at(word.offset, "face index 0; OBJ counts vertices from 1"));
            }
            1.. => index.unsigned_abs() - 1,
            _ => known
                .checked_sub(index.unsigned_abs())
                .ok_or_else(|| before_first(word, self.vertices.len()))?,
        };
        if vertex >= known && self.ahead.last().is_none_or(|last| last.index < vertex) {
            self.ahead.push(Ahead { index: vertex, offset: word.offset });
        }
        // Beyond u32 it is beyond the last vertex too, and `finish` refuses it.
        Ok(u32::try_from(vertex).unwrap_or(u32::MAX))
    }

    #[cold]
    fn unknown(&mut self, keyword: Word<'_>) {
        if self.ignored.other == 0 {
            self.ignored.first_other_line = Some(line_at(self.text, keyword.offset));
        }
        self.ignored.other += 1;
    }

    fn finish(self) -> Result<MeshFile, Fault> {
        let known = self.vertices.len();
        if let Some(ahead) = self.ahead.iter().find(|ahead| ahead.index >= known as u64) {
            return Err(beyond_last(self.text, ahead, known));
        }
        let faces = self.ends.len();
        if faces == 0 {
            let vertices = counted(known, "vertex", "vertices");
            let other = self.ignored.lines + self.ignored.points + self.ignored.other;
            let other = counted(other, "other statement", "other statements");
            let message =
                format!("no faces ({vertices}, {other}); export the mesh with faces, as `f` lines");
            return Err(Fault::whole(message));
        }
        let mut start = 0;
        let polygons =
            self.ends.iter().map(|&end| &self.corners[std::mem::replace(&mut start, end)..end]);
        let mesh = Mesh::from_polygons(self.vertices, polygons)
            .map_err(|error| refused(self.text, &error))?;
        let parts = self.parts.finish(faces);
        let objects = self.objects.finish(faces);
        let file = MeshFile::new(mesh, Format::Obj, faces);
        Ok(MeshFile { ignored: self.ignored, parts, objects, ..file })
    }
}

/// One statement: its words up to a comment, without the backslashes that join its lines.
struct Statement<'a> {
    words: Words<'a>,
    text: &'a [u8],
}

impl<'a> Iterator for Statement<'a> {
    type Item = Word<'a>;

    fn next(&mut self) -> Option<Word<'a>> {
        loop {
            let mut word = self.words.next()?;
            if let [b'#', ..] = word.bytes {
                // Nothing behind it counts, whatever is asked next.
                self.words = Words::new(self.text, self.text.len(), self.text.len());
                return None;
            }
            if let [head @ .., b'\\'] = word.bytes
                && self.text.get(self.words.offset()).is_none_or(|&b| is_line_end(b))
            {
                word.bytes = head;
            }
            if !word.bytes.is_empty() {
                return Some(word);
            }
        }
    }
}

/// The statements of a file, comments and empty lines among them.
fn statements(text: &[u8]) -> impl Iterator<Item = Statement<'_>> {
    let mut next = byte_order_mark(text);
    std::iter::from_fn(move || {
        if next >= text.len() {
            return None;
        }
        let start = next;
        let comment = text[start..].iter().find(|b| !b" \t".contains(b)) == Some(&b'#');
        loop {
            let end = next + line_length(&text[next..]);
            next = if text[end..].starts_with(b"\r\n") { end + 2 } else { end + 1 };
            let joined = !comment && text[start..end].ends_with(b"\\") && next < text.len();
            if !joined {
                return Some(Statement { words: Words::new(text, start, end), text });
            }
        }
    })
}

/// Reads `v`, `v/vt`, `v//vn` or `v/vt/vn`, and gives `v`.
fn position(word: Word<'_>) -> Result<i64, Fault> {
    let mut fields = word.bytes.split(|&b| b == b'/');
    let position = fields.next().and_then(integer);
    let rest_is_fine =
        fields.by_ref().take(2).all(|field| field.is_empty() || integer(field).is_some());
    match position {
        Some(position) if rest_is_fine && fields.next().is_none() => Ok(position),
        _ => {
            let message = format!(
                "face corner {} is not an index; write v, v/vt, v//vn or v/vt/vn",
                quote(word.bytes)
            );
            Err(Fault::at(word.offset, message))
        }
    }
}

/// A decimal integer. One that i64 cannot hold counts as the largest, because no file has so large
/// a number of vertices.
fn integer(bytes: &[u8]) -> Option<i64> {
    let negative = bytes.first() == Some(&b'-');
    let signed = negative || bytes.first() == Some(&b'+');
    let digits = &bytes[usize::from(signed)..];
    if digits.is_empty() {
        return None;
    }
    let mut value = 0_i64;
    for &digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        value = value.saturating_mul(10).saturating_add(i64::from(digit - b'0'));
    }
    Some(if negative { -value } else { value })
}

fn check_encoding(text: &[u8]) -> Result<(), Fault> {
    if text.is_empty() {
        return Err(Fault::whole("the file is empty; export the mesh again"));
    }
    if text.starts_with(b"\xff\xfe") || text.starts_with(b"\xfe\xff") {
        return Err(Fault::at(0, "the text is UTF-16; save it as UTF-8"));
    }
    Ok(())
}

#[cold]
fn short_vertex(keyword: Word<'_>, found: usize) -> Fault {
    let found = counted(found, "coordinate", "coordinates");
    Fault::at(keyword.offset, format!("vertex with {found}; a vertex needs three, like v 0 1.5 2"))
}

#[cold]
fn before_first(word: Word<'_>, known: usize) -> Fault {
    let message = format!(
        "face index {} counts back beyond the first vertex; vertices above this line: {known}",
        shown(word)
    );
    Fault::at(word.offset, message)
}

#[cold]
fn beyond_last(text: &[u8], ahead: &Ahead, known: usize) -> Fault {
    let word = Words::new(text, ahead.offset, text.len()).next();
    let index = word.map_or_else(String::new, shown);
    let known = counted(known, "vertex", "vertices");
    Fault::at(
        ahead.offset,
        format!("face index {index} is beyond the last vertex; the file has {known}"),
    )
}

/// The position of a face corner as it is written.
fn shown(word: Word<'_>) -> String {
    let length =
        word.bytes.iter().position(|&b| b == b'/' || b == b'\\').unwrap_or(word.bytes.len());
    quote(&word.bytes[..length]).trim_matches('"').to_owned()
}

/// What the mesh still refuses after the checks here, such as a polygon with too many corners.
#[cold]
fn refused(text: &[u8], error: &MeshError) -> Fault {
    let face = match error.kind() {
        MeshErrorKind::TooManyCorners { face, .. } => Some(*face),
        _ => None,
    };
    let keywords = statements(text).filter_map(|mut statement| statement.next());
    let place = face.and_then(|face| keywords.filter(|word| word.bytes == b"f").nth(face));
    match place {
        Some(word) => Fault::at(word.offset, error.to_string()),
        None => Fault::whole(error.to_string()),
    }
}
