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

use std::collections::HashMap;

use glam::DVec3;

use super::polygon::{self, MOST_CONCAVE_CORNERS};
use super::seams::Seams;

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

    /// The smallest axis-aligned box around the triangles, as its lower and upper corner.
    ///
    /// ```
    /// use elbowroom::Mesh;
    /// use glam::DVec3;
    ///
    /// let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
    /// assert_eq!(mesh.bounds(), (DVec3::ZERO, DVec3::new(1.0, 1.0, 0.0)));
    /// # Ok::<(), elbowroom::MeshError>(())
    /// ```
    pub fn bounds(&self) -> (DVec3, DVec3) {
        let corners = self.triangles.iter().flatten().map(|&i| self.vertices[i as usize]);
        let none = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        corners.fold(none, |(low, high), corner| (low.min(corner), high.max(corner)))
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

/// What vertices and triangles are numbered by.
const NUMBERS: usize = u32::MAX as usize;

/// Whether there are not more of something than there may be.
pub(crate) fn check_count(what: &'static str, count: usize, most: usize) -> Result<(), MeshError> {
    if count <= most { Ok(()) } else { Err(MeshErrorKind::TooMany { what, count, most }.into()) }
}

/// Whether vertices may take the place of as many others.
pub(crate) fn check_moved(vertices: &[DVec3], expected: usize) -> Result<(), MeshError> {
    let given = vertices.len();
    if given != expected {
        return Err(MeshErrorKind::WrongCount { given, expected }.into());
    }
    check_vertices(vertices)
}

fn check_vertices(vertices: &[DVec3]) -> Result<(), MeshError> {
    check_count("vertices", vertices.len(), NUMBERS)?;
    if are_finite(vertices) {
        return Ok(());
    }
    for (vertex, point) in vertices.iter().enumerate() {
        for axis in 0..3 {
            let value = point[axis];
            if !value.is_finite() {
                return Err(MeshErrorKind::NonFinite { vertex, axis, value }.into());
            }
        }
    }
    Ok(())
}

/// Whether all coordinates are finite, with no branch for any of them: zero times what is not is
/// NaN.
fn are_finite(vertices: &[DVec3]) -> bool {
    let (fours, rest) = vertices.as_chunks::<4>();
    // Four sums, none of which has to wait for another.
    let mut sums = [DVec3::ZERO; 4];
    for four in fours {
        for (sum, &point) in sums.iter_mut().zip(four) {
            *sum += point * 0.0;
        }
    }
    let rest: DVec3 = rest.iter().map(|&point| point * 0.0).sum();
    (sums[0] + sums[1] + sums[2] + sums[3] + rest) == DVec3::ZERO
}

fn check_corners(face: usize, corners: &[u32], vertices: usize) -> Result<(), MeshError> {
    match corners.iter().position(|&index| index as usize >= vertices) {
        None => Ok(()),
        Some(corner) => {
            let index = corners[corner];
            Err(MeshErrorKind::IndexOutOfRange { face, corner, index, vertices }.into())
        }
    }
}

crate::declare_error! {
    /// Why a mesh was refused.
    #[derive(Clone, Debug, PartialEq)]
    pub struct MeshError;

    /// What was wrong with a mesh. Vertices, faces and corners count from 0.
    #[derive(Clone, Debug, PartialEq)]
    pub enum MeshErrorKind {
        /// A coordinate is NaN or infinite.
        #[error("{} of vertex {vertex} is {value}, which is not finite", ["x", "y", "z"][*axis])]
        NonFinite {
            /// The vertex.
            vertex: usize,
            /// 0, 1 or 2 for x, y or z.
            axis: usize,
            /// The coordinate.
            value: f64,
        },
        /// A face names a vertex that does not exist.
        #[error(
            "corner {corner} of face {face} names vertex {index}, but there are only {vertices} \
             (counted from 0)"
        )]
        IndexOutOfRange {
            /// The face.
            face: usize,
            /// The corner of the face.
            corner: usize,
            /// The index there.
            index: u32,
            /// How many vertices there are.
            vertices: usize,
        },
        /// A face has no corners at all.
        #[error("face {face} has no corners")]
        NoCorners {
            /// The face.
            face: usize,
        },
        /// A concave face has more corners than the limit.
        #[error(
            "face {face} is concave and has {corners} corners (at most {MOST_CONCAVE_CORNERS} are \
             cut up here): triangulate it where it was made"
        )]
        TooManyCorners {
            /// The face.
            face: usize,
            /// How many corners it has.
            corners: usize,
        },
        /// More than can be numbered.
        #[error("{count} {what} are more than can be numbered ({most})")]
        TooMany {
            /// Of what.
            what: &'static str,
            /// How many.
            count: usize,
            /// How many there may be.
            most: usize,
        },
        /// The number of new vertices is not that of the mesh.
        #[error("{given} vertices were given for a mesh of {expected}; give one for each")]
        WrongCount {
            /// How many were given.
            given: usize,
            /// How many the mesh has.
            expected: usize,
        },
        /// A serialised mesh has not one face number for each triangle.
        #[error("{given} face numbers were given for {expected} triangles; give one for each")]
        WrongFaces {
            /// How many were given.
            given: usize,
            /// How many triangles there are.
            expected: usize,
        },
        /// There is no triangle.
        #[error("the mesh has no triangles")]
        Empty,
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
