//! What a reader hands back: the mesh, and what else the file said that a report can use.

use elbowroom::Mesh;

use crate::odd::LEFT_OUT;
use crate::text::counted;

/// A mesh as it was read from a file.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct MeshFile {
    /// The triangles, in the order of the faces in the file.
    pub mesh: Mesh,
    /// The format of the file.
    pub format: Format,
    /// The number of faces in the file; fewer than the triangles of the mesh if faces have more
    /// than three corners.
    pub faces: usize,
    /// The contents of the file besides faces.
    pub ignored: Ignored,
    /// The named ranges of faces, in file order and disjoint. Faces that stand under no name are
    /// in none.
    pub parts: Vec<Part>,
    /// The named objects (`o`) of an OBJ, in file order and disjoint. Faces above the first are in
    /// none.
    pub objects: Vec<Part>,
    /// Notes on what was unusual about the file and how it was read, a sentence each.
    pub notes: Vec<String>,
}

impl MeshFile {
    /// A file of nothing but faces.
    pub(crate) fn new(mesh: Mesh, format: Format, faces: usize) -> Self {
        Self {
            mesh,
            format,
            faces,
            ignored: Ignored::default(),
            parts: Vec::new(),
            objects: Vec::new(),
            notes: Vec::new(),
        }
    }
}

/// The kinds of files that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Wavefront OBJ.
    Obj,
    /// STL as text.
    StlAscii,
    /// STL as 50-byte records.
    StlBinary,
    /// PLY as text.
    PlyAscii,
    /// PLY as bytes, of either order.
    PlyBinary,
    /// OFF, with or without colours and normals.
    Off,
    /// 3MF: a zip of XML.
    ThreeMf,
}

/// Counts of what a file holds that is not in the mesh.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ignored {
    /// Line elements (`l` of an OBJ).
    pub lines: usize,
    /// Point elements (`p` of an OBJ).
    pub points: usize,
    /// Statements that the reader does not know: free-form curves and surfaces, or a slip of the
    /// pen.
    pub other: usize,
    /// The line of the first of the `other` statements, from 1.
    pub first_other_line: Option<usize>,
}

impl MeshFile {
    /// A sentence on what the file holds and the mesh does not. Free-form surfaces of an OBJ could
    /// touch; lines, points and what scanners add have no surface.
    pub fn ignored_note(&self) -> Option<String> {
        let Ignored { lines, points, other, first_other_line } = self.ignored;
        let mut all = Vec::new();
        if lines > 0 {
            all.push(counted(lines, "line element", "line elements"));
        }
        if points > 0 {
            all.push(counted(points, "point element", "point elements"));
        }
        if other > 0 {
            let first = first_other_line.unwrap_or_default();
            let unknown = counted(other, "unknown statement", "unknown statements");
            all.push(format!("{unknown} (the first in line {first})"));
        }
        let all = all.join(", ");
        match (all.is_empty(), other > 0 && self.format == Format::Obj) {
            (true, _) => None,
            (false, false) => Some(format!("not checked, for they are no faces: {all}")),
            (false, true) => Some(format!("no faces, and {LEFT_OUT}: {all}")),
        }
    }
}

/// A run of faces under one name: an object or group of an OBJ, a solid of a text STL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The name as the file gives it; in an OBJ, that of the latest `o` or `g`. May be empty.
    pub name: String,
    /// The first face, from 0 in file order.
    pub first_face: usize,
    /// The number of faces, at least one.
    pub faces: usize,
}

/// Collects parts while faces are counted, and leaves out those that stay empty.
///
/// Empty ones must go because a two-byte statement can open one: memory stays bounded by the faces.
#[derive(Default)]
pub(crate) struct Parts {
    done: Vec<Part>,
    open: Option<(String, usize)>,
}

impl Parts {
    /// Opens the part that begins with face `face`, and closes the one before.
    pub(crate) fn open(&mut self, name: String, face: usize) {
        self.close(face);
        self.open = Some((name, face));
    }

    /// Closes the open part before face `face`.
    pub(crate) fn close(&mut self, face: usize) {
        let Some((name, first_face)) = self.open.take() else {
            return;
        };
        let faces = face - first_face;
        match self.done.last_mut() {
            _ if faces == 0 => {}
            // Exporters repeat the name at each change of material.
            Some(last) if last.name == name && last.first_face + last.faces == first_face => {
                last.faces += faces;
            }
            _ => self.done.push(Part { name, first_face, faces }),
        }
    }

    /// All parts of a file with `faces` faces.
    pub(crate) fn finish(mut self, faces: usize) -> Vec<Part> {
        self.close(faces);
        self.done
    }
}
