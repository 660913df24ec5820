//! What is refused of a mesh, and how it is said.

use glam::DVec3;

use crate::internal::geom::polygon::MOST_CONCAVE_CORNERS;

/// What vertices and triangles are numbered by.
pub(super) const NUMBERS: usize = u32::MAX as usize;

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

pub(super) fn check_vertices(vertices: &[DVec3]) -> Result<(), MeshError> {
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

pub(super) fn check_corners(
    face: usize,
    corners: &[u32],
    vertices: usize,
) -> Result<(), MeshError> {
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
