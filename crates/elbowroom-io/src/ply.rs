//! PLY, the polygon format of Stanford: a text header that describes its own tables, then the
//! tables as text or binary.
//!
//! The header lists elements (`vertex`, `face`, …), how many there are of each, and their
//! properties: numbers, or lists with a count in front. Vertices give `x`, `y` and `z`, faces the
//! list `vertex_indices` (or `vertex_index`), and `tristrips` the strips that scanners save, cut
//! where an index is −1. Every other property and element is passed over. Text is read word by
//! word, so that it does not matter how a writer broke its lines.
//!
//! Source: Greg Turk, The PLY polygon file format, 1994. We differ: `int8` … `float64` are known
//! beside `char` … `double`, as all writers of today use them; values that the header does not
//! announce, behind the last table, are refused: a count is wrong then.
//!
//! Why not a library: ply-rs-bw 4.0.1 rounds text coordinates of the type `float` to f32, takes
//! `nan` for a coordinate, names the place in a binary file by a count of lines, and asks for each
//! property of each vertex by name.
//!
//! Invariants: a list of corners is checked against the number of vertices in the header, and that
//! one against the size of the file, before anything is set aside for it.

mod header;
mod values;

use elbowroom::Mesh;
use glam::DVec3;

use crate::error::{Fault, ParseError};
use crate::mesh_file::{Format, Ignored, MeshFile};
use crate::text::counted;
use header::{Element, Encoding, Header, Kind, Property};
use values::Values;

/// Reads the bytes of a PLY file.
///
/// # Errors
/// Names the line (in the header and in text) or the byte and what is wrong with it, or says that
/// the file has no faces.
///
/// # Example
/// ```
/// let text = b"ply
/// format ascii 1.0
/// element vertex 3
/// property float x
/// property float y
/// property float z
/// element face 1
/// property list uchar int vertex_indices
/// end_header
/// 0 0 0  1 0 0  0 1 0
/// 3 0 1 2
/// ";
/// let file = elbowroom_io::ply::parse(text).unwrap();
/// assert_eq!(file.mesh.triangles(), [[0, 1, 2]]);
/// ```
pub fn parse(bytes: &[u8]) -> Result<MeshFile, ParseError> {
    let header = header::read(bytes).map_err(|fault| fault.in_text(bytes))?;
    let reader = Reader {
        values: Values::new(bytes, header.body, header.encoding),
        vertices: Vec::new(),
        announced: 0,
        corners: Vec::new(),
        ends: Vec::new(),
        ignored: Ignored::default(),
    };
    reader.read(&header).map_err(|fault| match header.encoding {
        Encoding::Text => fault.in_text(bytes),
        Encoding::Little | Encoding::Big => fault.in_bytes(),
    })
}

struct Reader<'a> {
    values: Values<'a>,
    vertices: Vec<DVec3>,
    /// How many vertices the header promises; they may come behind the faces.
    announced: u64,
    /// The corners of all faces one after the other, and where each face ends among them.
    corners: Vec<u32>,
    ends: Vec<usize>,
    ignored: Ignored,
}

impl Reader<'_> {
    fn read(mut self, header: &Header) -> Result<MeshFile, Fault> {
        self.announced =
            header.elements.iter().find(|e| e.name == b"vertex").map_or(0, |e| e.count);
        for element in &header.elements {
            self.values.check_room(element)?;
            match &*element.name {
                b"vertex" => self.vertices(element)?,
                b"face" => self.faces(element)?,
                b"tristrips" => self.strips(element)?,
                other => {
                    let count = usize::try_from(element.count).unwrap_or(usize::MAX);
                    match other {
                        b"edge" => self.ignored.lines += count,
                        _ => self.ignored.other = self.ignored.other.saturating_add(count),
                    }
                    self.pass_over(element)?;
                }
            }
        }
        self.values.check_end()?;
        self.finish(header.encoding)
    }

    fn vertices(&mut self, element: &Element) -> Result<(), Fault> {
        let number = |&at: &usize| element.properties[at].list.is_none();
        let axes = [b"x", b"y", b"z"].map(|axis| element.find(&[axis]).filter(number));
        let [Some(x), Some(y), Some(z)] = axes else {
            return Err(Fault::at(
                element.offset,
                "vertices without properties x, y and z; export the mesh with positions",
            ));
        };
        self.vertices.reserve(element.count as usize);
        for vertex in 0..element.count {
            let mut point = DVec3::ZERO;
            for (slot, property) in element.properties.iter().enumerate() {
                let axis = [x, y, z].iter().position(|&at| at == slot);
                match (axis, property.list) {
                    (Some(axis), None) => {
                        point[axis] = self.values.coordinate(property.kind, axis, vertex)?;
                    }
                    _ => self.skip(property)?,
                }
            }
            self.vertices.push(point);
        }
        Ok(())
    }

    fn faces(&mut self, element: &Element) -> Result<(), Fault> {
        let (slot, count_kind) = corner_list(element)?;
        for _ in 0..element.count {
            for (at, property) in element.properties.iter().enumerate() {
                if at != slot {
                    self.skip(property)?;
                    continue;
                }
                let place = self.values.place();
                let corners = self.values.count(count_kind)?;
                if corners == 0 {
                    return Err(Fault::at(
                        place,
                        "face without corners; remove it, or name the vertices that it joins",
                    ));
                }
                for _ in 0..corners {
                    let corner = self.values.index(property.kind, self.announced)?;
                    self.corners.push(corner);
                }
                self.ends.push(self.corners.len());
            }
        }
        Ok(())
    }

    /// Strips: each index after the first two makes a triangle with the two before it, every other
    /// one turned about.
    fn strips(&mut self, element: &Element) -> Result<(), Fault> {
        let (slot, count_kind) = corner_list(element)?;
        for _ in 0..element.count {
            for (at, property) in element.properties.iter().enumerate() {
                if at != slot {
                    self.skip(property)?;
                    continue;
                }
                let length = self.values.count(count_kind)?;
                let mut run: (u32, [u32; 2]) = (0, [0; 2]);
                for _ in 0..length {
                    let Some(c) = self.values.index_or_cut(property.kind, self.announced)? else {
                        run.0 = 0;
                        continue;
                    };
                    let (seen, [a, b]) = run;
                    if seen >= 2 {
                        let triangle = if seen % 2 == 0 { [a, b, c] } else { [b, a, c] };
                        self.corners.extend(triangle);
                        self.ends.push(self.corners.len());
                    }
                    run = (seen + 1, [b, c]);
                }
            }
        }
        Ok(())
    }

    fn pass_over(&mut self, element: &Element) -> Result<(), Fault> {
        if element.properties.is_empty() {
            return Ok(());
        }
        for _ in 0..element.count {
            for property in &element.properties {
                self.skip(property)?;
            }
        }
        Ok(())
    }

    fn skip(&mut self, property: &Property) -> Result<(), Fault> {
        let count = property.list.map_or(Ok(1), |kind| self.values.count(kind))?;
        self.values.skip(property.kind, count)
    }

    fn finish(self, encoding: Encoding) -> Result<MeshFile, Fault> {
        let faces = self.ends.len();
        if faces == 0 {
            let vertices = counted(self.vertices.len(), "vertex", "vertices");
            return Err(Fault::whole(format!(
                "no faces ({vertices}); a cloud of points must be made a surface first"
            )));
        }
        let mut start = 0;
        let polygons =
            self.ends.iter().map(|&end| &self.corners[std::mem::replace(&mut start, end)..end]);
        let mesh = Mesh::from_polygons(self.vertices, polygons)
            .map_err(|error| Fault::whole(error.to_string()))?;
        let format = match encoding {
            Encoding::Text => Format::PlyAscii,
            Encoding::Little | Encoding::Big => Format::PlyBinary,
        };
        Ok(MeshFile { ignored: self.ignored, ..MeshFile::new(mesh, format, faces) })
    }
}

/// Where among the properties the list of corners stands, and the type of its count.
fn corner_list(element: &Element) -> Result<(usize, Kind), Fault> {
    let slot = element.find(&[b"vertex_indices", b"vertex_index"]);
    let list = slot.and_then(|slot| Some((slot, element.properties[slot].list?)));
    list.ok_or_else(|| {
        let name = String::from_utf8_lossy(&element.name);
        let message =
            format!("element {name} has no list vertex_indices; export the mesh with faces");
        Fault::at(element.offset, message)
    })
}
