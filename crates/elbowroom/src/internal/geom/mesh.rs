//! A polygon soup: points, and triangles that name them.
//!
//! Nothing is asked of it but that its numbers are finite and its indices are in range: no
//! connectivity, no orientation, no closedness, and triangles may be degenerate (two corners alike
//! make a segment, three a point). Such a soup is what CAD systems, scanners and modellers really
//! export, and the OBB tree's authors built for it. What more can be known of a mesh can be asked:
//! [`Mesh::welded`], [`Mesh::seams`].
//!
//! Invariants, checked once by [`Mesh::new`] and relied on everywhere: at least one triangle; every
//! coordinate finite; every index below the number of vertices; vertices and triangles can be
//! numbered by u32.

mod check;

use std::collections::HashMap;

use glam::DVec3;

use super::aabb::Aabb;
use super::polygon::{self, MOST_CONCAVE_CORNERS};
use super::seams::Seams;

pub use check::{MeshError, MeshErrorKind};
use check::{NUMBERS, check_corners, check_vertices};
pub(crate) use check::{check_count, check_moved};

/// A checked polygon soup of f64 coordinates.
///
/// ```
/// use elbowroom::Mesh;
/// use glam::DVec3;
///
/// let corners = vec![DVec3::ZERO, DVec3::X, DVec3::new(1.0, 1.0, 0.0), DVec3::Y];
/// let square = Mesh::from_polygons(corners, [[0, 1, 2, 3].as_slice()])?;
/// assert_eq!(square.triangles(), [[0, 1, 2], [0, 2, 3]]);
///
/// let error = Mesh::new(vec![DVec3::ZERO], vec![[0, 0, 7]]).unwrap_err();
/// assert!(error.to_string().contains("corner 2 of face 0"));
/// # Ok::<(), elbowroom::MeshError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Unchecked"))]
pub struct Mesh {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    /// The polygon that each triangle came from; `None` when every face was a triangle.
    faces: Option<Vec<u32>>,
}

impl Mesh {
    /// The greatest number of corners of a concave face; the time to triangulate it grows with the
    /// square.
    pub const MOST_CONCAVE_CORNERS: usize = MOST_CONCAVE_CORNERS;

    /// Checks a soup of triangles.
    ///
    /// ```
    /// use elbowroom::Mesh;
    /// use glam::DVec3;
    ///
    /// let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
    /// assert_eq!(mesh.triangle(0)[1], DVec3::X);
    /// # Ok::<(), elbowroom::MeshError>(())
    /// ```
    ///
    /// # Errors
    /// If a vertex is not finite, an index is out of range, there is no triangle, or there is more
    /// than can be numbered. The error names the place.
    pub fn new(vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Result<Self, MeshError> {
        check_vertices(&vertices)?;
        check_count("triangles", triangles.len(), NUMBERS)?;
        for (face, triangle) in triangles.iter().enumerate() {
            check_corners(face, triangle, vertices.len())?;
        }
        if triangles.is_empty() {
            return Err(MeshErrorKind::Empty.into());
        }
        Ok(Self { vertices, triangles, faces: None })
    }

    /// Checks a soup of triangles with f32 coordinates, each of which is exactly an f64.
    ///
    /// ```
    /// use elbowroom::Mesh;
    ///
    /// let vertices = [[0.0_f32, 0.0, 0.0], [0.1, 0.0, 0.0], [0.0, 0.1, 0.0]];
    /// let mesh = Mesh::from_f32(&vertices, vec![[0, 1, 2]])?;
    /// assert_eq!(mesh.vertices()[1].x, f64::from(0.1_f32));
    /// # Ok::<(), elbowroom::MeshError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Mesh::new`].
    pub fn from_f32(vertices: &[[f32; 3]], triangles: Vec<[u32; 3]>) -> Result<Self, MeshError> {
        let widened = vertices.iter().map(|&point| DVec3::from_array(point.map(f64::from)));
        Self::new(widened.collect(), triangles)
    }

    /// Checks a soup of polygons and cuts those of more than three corners into triangles.
    ///
    /// A polygon of `n` corners becomes `n − 2` triangles with its own orientation: a convex one
    /// the fan from its first corner, a concave one as many ears. It need not be flat; it is
    /// cut as it looks along the axis that shows most of it. One that crosses itself has no
    /// right cut: ears are cut off while there are any, and the rest is a fan. Faces of one or
    /// two corners become degenerate triangles.
    ///
    /// ```
    /// use elbowroom::Mesh;
    /// use glam::DVec3;
    ///
    /// let corners = vec![DVec3::ZERO, DVec3::X, DVec3::new(1.0, 1.0, 0.0), DVec3::Y];
    /// let square = Mesh::from_polygons(corners, [[0, 1, 2, 3].as_slice()])?;
    /// assert_eq!((square.triangles().len(), square.face_of(1)), (2, 0));
    /// # Ok::<(), elbowroom::MeshError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Mesh::new`]; and if a face has no corners, or is concave with more than
    /// 32,768.
    pub fn from_polygons<'a>(
        vertices: Vec<DVec3>,
        polygons: impl IntoIterator<Item = &'a [u32]>,
    ) -> Result<Self, MeshError> {
        check_vertices(&vertices)?;
        let mut triangles = Vec::new();
        let mut faces = Vec::new();
        for (face, polygon) in polygons.into_iter().enumerate() {
            check_corners(face, polygon, vertices.len())?;
            match *polygon {
                [] => return Err(MeshErrorKind::NoCorners { face }.into()),
                [a] => triangles.push([a, a, a]),
                [a, b] => triangles.push([a, b, b]),
                [a, b, c] => triangles.push([a, b, c]),
                _ => polygon::triangulate(&vertices, polygon, &mut triangles)
                    .map_err(|_| MeshErrorKind::TooManyCorners { face, corners: polygon.len() })?,
            }
            check_count("triangles", triangles.len(), NUMBERS)?;
            faces.resize(triangles.len(), face as u32);
        }
        let (Some(&last), false) = (faces.last(), triangles.is_empty()) else {
            return Err(MeshErrorKind::Empty.into());
        };
        let all_triangles = last as usize + 1 == triangles.len();
        Ok(Self { vertices, triangles, faces: (!all_triangles).then_some(faces) })
    }

    /// The vertices, as given.
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// The corners of each triangle, in the order in which the faces were given.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The corner points of a triangle.
    ///
    /// # Panics
    /// If there is no such triangle.
    #[inline]
    pub fn triangle(&self, index: usize) -> [DVec3; 3] {
        self.triangles[index].map(|corner| self.vertices[corner as usize])
    }

    /// The face, as given, that a triangle is part of.
    ///
    /// # Panics
    /// If there is no such triangle.
    pub fn face_of(&self, triangle: usize) -> usize {
        assert!(triangle < self.triangles.len(), "no triangle {triangle}");
        self.faces.as_ref().map_or(triangle, |faces| faces[triangle] as usize)
    }

    /// The smallest axis-aligned box around the triangles; without triangles, an empty one.
    ///
    /// ```
    /// use elbowroom::Mesh;
    /// use glam::DVec3;
    ///
    /// let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
    /// assert_eq!(mesh.bounds().max, DVec3::new(1.0, 1.0, 0.0));
    /// # Ok::<(), elbowroom::MeshError>(())
    /// ```
    pub fn bounds(&self) -> Aabb {
        Aabb::of(self.triangles.iter().flatten().map(|&corner| self.vertices[corner as usize]))
    }

    /// A mesh of the same triangles on as few vertices as possible: vertices that are equal (bit
    /// for bit except for the sign of zero) become one. Exporters split vertices along seams of
    /// texture and normals; this undoes it.
    ///
    /// ```
    /// use elbowroom::Mesh;
    /// use glam::DVec3;
    ///
    /// let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::ZERO, DVec3::X, DVec3::Z];
    /// let split = Mesh::new(corners, vec![[0, 1, 2], [3, 4, 5]])?;
    /// assert_eq!(split.welded().vertices().len(), 4);
    /// # Ok::<(), elbowroom::MeshError>(())
    /// ```
    #[must_use]
    pub fn welded(&self) -> Self {
        let mut index_of = HashMap::with_capacity(self.vertices.len());
        let mut vertices = Vec::new();
        let new_index: Vec<u32> = self
            .vertices
            .iter()
            .map(|vertex| {
                // Adding zero turns -0 into 0, and nothing else into anything else.
                let key = vertex.to_array().map(|x| (x + 0.0).to_bits());
                *index_of.entry(key).or_insert_with(|| {
                    vertices.push(*vertex);
                    vertices.len() as u32 - 1
                })
            })
            .collect();
        let triangles =
            self.triangles.iter().map(|t| t.map(|corner| new_index[corner as usize])).collect();
        Self { vertices, triangles, faces: self.faces.clone() }
    }

    /// A mesh of the same faces on other vertices, cut into triangles as before.
    ///
    /// ```
    /// use elbowroom::Mesh;
    /// use glam::DVec3;
    ///
    /// let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
    /// let moved = mesh.vertices().iter().map(|p| p + DVec3::Z).collect();
    /// assert_eq!(mesh.with_vertices(moved)?.triangles(), mesh.triangles());
    /// # Ok::<(), elbowroom::MeshError>(())
    /// ```
    ///
    /// # Panics
    /// If there are not as many vertices.
    ///
    /// # Errors
    /// Names the vertex that is not finite.
    pub fn with_vertices(&self, vertices: Vec<DVec3>) -> Result<Self, MeshError> {
        assert_eq!(vertices.len(), self.vertices.len(), "one for each vertex of the mesh");
        check_vertices(&vertices)?;
        Ok(Self { vertices, triangles: self.triangles.clone(), faces: self.faces.clone() })
    }

    /// Replaces the vertices, in place.
    ///
    /// # Errors
    /// If their number differs, or one is not finite; then nothing has changed.
    pub fn move_vertices(&mut self, vertices: &[DVec3]) -> Result<(), MeshError> {
        check_moved(vertices, self.vertices.len())?;
        self.vertices.copy_from_slice(vertices);
        Ok(())
    }

    /// A mesh with all triangles reversed: what was outside is inside.
    ///
    /// ```
    /// use elbowroom::Mesh;
    /// use glam::DVec3;
    ///
    /// let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
    /// assert_eq!(mesh.turned_about().triangles(), [[0, 2, 1]]);
    /// # Ok::<(), elbowroom::MeshError>(())
    /// ```
    #[must_use]
    pub fn turned_about(mut self) -> Self {
        for triangle in &mut self.triangles {
            triangle.swap(1, 2);
        }
        self
    }

    /// How the triangles are connected by shared indices: whether the mesh is closed and oriented.
    /// Ask the [`welded`](Self::welded) mesh if seams should not count.
    ///
    /// ```
    /// use elbowroom::Mesh;
    /// use glam::DVec3;
    ///
    /// let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    /// let mesh = Mesh::new(corners, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
    /// assert!(mesh.seams().is_closed());
    /// # Ok::<(), elbowroom::MeshError>(())
    /// ```
    pub fn seams(&self) -> Seams {
        Seams::of(&self.triangles)
    }
}

/// A mesh as it was serialised, before it is checked.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct Unchecked {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    faces: Option<Vec<u32>>,
}

#[cfg(feature = "serde")]
impl TryFrom<Unchecked> for Mesh {
    type Error = MeshError;

    fn try_from(unchecked: Unchecked) -> Result<Self, MeshError> {
        let Unchecked { vertices, triangles, faces } = unchecked;
        let mesh = Self::new(vertices, triangles)?;
        if let Some(faces) = faces.as_ref().filter(|faces| faces.len() != mesh.triangles.len()) {
            let (given, expected) = (faces.len(), mesh.triangles.len());
            return Err(MeshErrorKind::WrongFaces { given, expected }.into());
        }
        Ok(Self { faces, ..mesh })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(result: Result<Mesh, MeshError>) -> MeshErrorKind {
        result.unwrap_err().kind().clone()
    }

    #[test]
    fn the_door_names_what_is_wrong() {
        let good = vec![DVec3::ZERO, DVec3::X, DVec3::Y];
        let mut bad = good.clone();
        bad[1].z = f64::NEG_INFINITY;
        assert_eq!(
            kind(Mesh::new(bad, vec![[0, 1, 2]])),
            MeshErrorKind::NonFinite { vertex: 1, axis: 2, value: f64::NEG_INFINITY }
        );
        assert_eq!(
            kind(Mesh::new(good.clone(), vec![[0, 1, 2], [0, 3, 1]])),
            MeshErrorKind::IndexOutOfRange { face: 1, corner: 1, index: 3, vertices: 3 }
        );
        assert_eq!(kind(Mesh::new(good.clone(), vec![])), MeshErrorKind::Empty);
        assert_eq!(kind(Mesh::new(vec![], vec![])), MeshErrorKind::Empty);
        let none: [&[u32]; 0] = [];
        assert_eq!(kind(Mesh::from_polygons(good.clone(), none)), MeshErrorKind::Empty);
        let faces: [&[u32]; 2] = [&[0, 1, 2], &[]];
        assert_eq!(kind(Mesh::from_polygons(good, faces)), MeshErrorKind::NoCorners { face: 1 });
        let too_many = u32::MAX as usize + 1;
        assert!(
            check_count("vertices", too_many, NUMBERS)
                .unwrap_err()
                .to_string()
                .contains("4294967296")
        );
        assert!(check_count("vertices", too_many - 1, NUMBERS).is_ok());
    }

    #[test]
    fn degenerate_faces_are_kept() {
        let vertices = vec![DVec3::ZERO, DVec3::X];
        let faces: [&[u32]; 3] = [&[1], &[0, 1], &[0, 1, 0]];
        let mesh = Mesh::from_polygons(vertices, faces).unwrap();
        assert_eq!(mesh.triangles(), [[1, 1, 1], [0, 1, 1], [0, 1, 0]]);
        assert_eq!((0..3).map(|t| mesh.face_of(t)).collect::<Vec<_>>(), [0, 1, 2]);
    }

    #[test]
    fn triangles_know_their_face() {
        let vertices =
            [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(|[x, y]| DVec3::new(x, y, 0.0));
        let faces: [&[u32]; 3] = [&[0, 1, 2], &[0, 1, 2, 3], &[2, 3, 0]];
        let mesh = Mesh::from_polygons(vertices.to_vec(), faces).unwrap();
        assert_eq!((0..4).map(|t| mesh.face_of(t)).collect::<Vec<_>>(), [0, 1, 1, 2]);
    }

    #[test]
    fn welding_joins_equal_vertices_only() {
        let vertices = vec![
            DVec3::ZERO,
            DVec3::X,
            DVec3::Y,
            DVec3::new(-0.0, 0.0, -0.0),
            DVec3::Y,
            DVec3::new(1.0, f64::MIN_POSITIVE, 0.0),
        ];
        let mesh = Mesh::new(vertices, vec![[0, 1, 2], [3, 4, 5]]).unwrap().welded();
        assert_eq!(mesh.vertices().len(), 4);
        assert_eq!(mesh.triangles(), [[0, 1, 2], [0, 2, 3]]);
    }

    #[test]
    fn faces_stay_on_other_vertices_and_the_other_way_round() {
        let corners = vec![DVec3::ZERO, DVec3::X, DVec3::new(1.0, 1.0, 0.0), DVec3::Y];
        let faces = [[0, 1, 2, 3].as_slice(), &[0, 1, 3]];
        let mesh = Mesh::from_polygons(corners.clone(), faces).unwrap();
        let twice: Vec<DVec3> = corners.iter().map(|corner| *corner * 2.0).collect();
        let larger = mesh.with_vertices(twice.clone()).unwrap();
        assert_eq!((larger.triangles(), larger.vertices()), (mesh.triangles(), &*twice));
        assert_eq!([0, 1, 2].map(|triangle| larger.face_of(triangle)), [0, 0, 1]);
        let about = mesh.clone().turned_about();
        assert_eq!(about.triangles(), [[0, 2, 1], [0, 3, 2], [0, 3, 1]]);
        assert_eq!(about.turned_about(), mesh);
        let mut bad = corners;
        bad[2].y = f64::NAN;
        assert!(matches!(kind(mesh.with_vertices(bad)), MeshErrorKind::NonFinite { .. }));
    }
}
