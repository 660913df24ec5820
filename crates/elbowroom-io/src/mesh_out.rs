//! A mesh on its way out: vertices, triangles, and runs of triangles under one name.
//!
//! Mesh formats number the vertices of a file, not of a part; so parts are put behind each other
//! here, and each becomes a [`Group`]. The writers ([`crate::obj_out`], [`crate::stl_out`],
//! [`crate::ply_out`], [`crate::off_out`]) take it from there, and read back by our own readers
//! every one of them gives the same vertices and triangles in the same order, bit for bit, unless
//! its format has no room for f64.
//!
//! Invariants: every coordinate is finite, every index is below the number of vertices, groups are
//! in order, disjoint and not empty.

use std::fmt::Write;
use std::ops::Range;

use elbowroom::{Mesh, MeshError};
use glam::DVec3;

use crate::document::ChangeError;
use crate::mesh_file::MeshFile;

/// Why something cannot be written in a format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriteError(pub(crate) String);

impl std::fmt::Display for WriteError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for WriteError {}

impl From<ChangeError> for WriteError {
    fn from(error: ChangeError) -> Self {
        Self(error.to_string())
    }
}

impl From<MeshError> for WriteError {
    fn from(error: MeshError) -> Self {
        Self(error.to_string())
    }
}

/// Triangles under one name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The name.
    pub name: String,
    /// The triangles, at least one.
    pub triangles: Range<usize>,
}

/// A mesh in the form that mesh formats can hold.
///
/// ```
/// use elbowroom_io::{MeshOut, obj, obj_out};
/// use glam::DVec3;
///
/// let mut mesh = MeshOut::default();
/// mesh.add("left", &[DVec3::ZERO, DVec3::X, DVec3::Y], &[[0, 1, 2]])?;
/// mesh.add("right", &[DVec3::ZERO, DVec3::X, DVec3::Z], &[[0, 1, 2]])?;
/// let file = obj::parse(&obj_out::to_bytes(&mesh))?;
/// assert_eq!(file.mesh.triangles(), [[0, 1, 2], [3, 4, 5]]);
/// assert_eq!(file.parts[1].name, "right");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MeshOut {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    groups: Vec<Group>,
}

impl MeshOut {
    /// A file's mesh with its named parts.
    pub fn from_file(file: &MeshFile) -> Self {
        let mesh = &file.mesh;
        let triangles = mesh.triangles().to_vec();
        let face_of: Vec<usize> = (0..triangles.len()).map(|t| mesh.face_of(t)).collect();
        let first_of = |face: usize| face_of.partition_point(|&of| of < face);
        let groups = file.parts.iter().map(|part| Group {
            name: part.name.clone(),
            triangles: first_of(part.first_face)..first_of(part.first_face + part.faces),
        });
        Self { groups: groups.collect(), vertices: mesh.vertices().to_vec(), triangles }
    }

    /// Puts a part behind what is there.
    ///
    /// # Errors
    /// If a coordinate is not finite, an index is out of range, there is no triangle, or there are
    /// more vertices than u32 can number.
    pub fn add(
        &mut self,
        name: &str,
        vertices: &[DVec3],
        triangles: &[[u32; 3]],
    ) -> Result<(), WriteError> {
        let named = |error: MeshError| WriteError(format!("part {name:?}: {error}"));
        let mesh = Mesh::new(vertices.to_vec(), triangles.to_vec()).map_err(named)?;
        let first = self.vertices.len();
        if u32::try_from(first + vertices.len()).is_err() {
            let message = "all parts together have more vertices than 32 bits can number";
            return Err(WriteError(message.to_owned()));
        }
        let start = self.triangles.len();
        self.vertices.extend_from_slice(mesh.vertices());
        let shifted = |t: &[u32; 3]| t.map(|corner| corner + first as u32);
        self.triangles.extend(mesh.triangles().iter().map(shifted));
        let triangles = start..self.triangles.len();
        self.groups.push(Group { name: name.to_owned(), triangles });
        Ok(())
    }

    /// The output with the same triangles and groups on other vertices.
    ///
    /// # Errors
    /// If there are more or fewer of them, or one is not finite.
    pub fn with_vertices(self, vertices: Vec<DVec3>) -> Result<Self, WriteError> {
        let (found, expected) = (vertices.len(), self.vertices.len());
        if found != expected {
            return Err(WriteError(format!("{found} vertices cannot stand for {expected}")));
        }
        match vertices.iter().position(|vertex| !vertex.is_finite()) {
            Some(vertex) => Err(WriteError(format!("vertex {vertex} is not finite"))),
            None => Ok(Self { vertices, ..self }),
        }
    }

    /// The vertices of all parts.
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// The corners of each triangle.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The named runs of triangles; those that are in none have no name.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The corner points of a triangle.
    pub(crate) fn corners(&self, triangle: usize) -> [DVec3; 3] {
        self.triangles[triangle].map(|corner| self.vertices[corner as usize])
    }
}

/// A number with as few digits as give it back, bit for bit.
pub(crate) fn push_number(text: &mut String, value: f64) {
    let size = value.abs();
    // Strings take whatever is written.
    let _ = if value == 0.0 || (1e-5..1e16).contains(&size) {
        write!(text, "{value}")
    } else {
        write!(text, "{value:e}")
    };
}

/// Three numbers, a blank before each.
pub(crate) fn push_point(text: &mut String, point: DVec3) {
    for value in point.to_array() {
        text.push(' ');
        push_number(text, value);
    }
}

/// A name that cannot break its line.
pub(crate) fn one_line(name: &str) -> String {
    let spaced = |c: char| if c.is_control() { ' ' } else { c };
    name.chars().map(spaced).collect::<String>().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let values =
            [0.0, -0.0, 0.1, -1.5, 1e-300, 5e-324, f64::MAX, 123_456_789.125, 1e16, 0.000_01, 1e-6];
        for value in values {
            let mut text = String::new();
            push_number(&mut text, value);
            assert_eq!(text.parse::<f64>().unwrap().to_bits(), value.to_bits(), "{text}");
            assert!(text.len() < 26, "{text}");
        }
        assert_eq!(one_line("a\nb\t"), "a b");
    }

    #[test]
    fn what_no_mesh_holds_is_refused() {
        let mut mesh = MeshOut::default();
        let bad = mesh.add("arm", &[DVec3::NAN; 3], &[[0, 1, 2]]).unwrap_err().to_string();
        assert!(bad.contains("\"arm\"") && bad.contains("NaN"), "{bad}");
        assert!(mesh.add("arm", &[DVec3::ZERO], &[[0, 0, 1]]).is_err());
        assert_eq!(mesh, MeshOut::default());
    }
}
