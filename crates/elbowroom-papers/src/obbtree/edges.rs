//! Every edge of one box against every face of the other, both ways: 144 tests.
//!
//! The way one would do it without thinking, kept as the yardstick of Gottschalk, Lin and Manocha
//! (1996), section 5. It asks whether the *surfaces* meet, so it misses a box that lies within the
//! other, and is not an overlap test of boxes.

use glam::DVec3;

use elbowroom::internal::convex::BoxShape;

/// The corners that an edge joins, by their bits: four along each axis.
const EDGES: [[usize; 2]; 12] = [
    [0, 1],
    [2, 3],
    [4, 5],
    [6, 7],
    [0, 2],
    [1, 3],
    [4, 6],
    [5, 7],
    [0, 4],
    [1, 5],
    [2, 6],
    [3, 7],
];

/// Whether an edge of one box meets a face of the other, boundaries included. False for nested
/// boxes.
///
/// ```
/// use elbowroom_papers::obbtree::edges::surfaces_meet;
/// use elbowroom::internal::convex::BoxShape;
/// use glam::{DMat3, DVec3};
///
/// let large = BoxShape { center: DVec3::ZERO, axes: DMat3::IDENTITY, half: DVec3::ONE };
/// let small = BoxShape { half: DVec3::splat(0.5), ..large };
/// assert!(!surfaces_meet(&large, &small), "it cannot see that one contains the other");
/// assert!(surfaces_meet(&large, &BoxShape { center: DVec3::X, ..small }));
/// ```
pub fn surfaces_meet(a: &BoxShape, b: &BoxShape) -> bool {
    edges_meet_faces(a, b) || edges_meet_faces(b, a)
}

fn edges_meet_faces(edges: &BoxShape, faces: &BoxShape) -> bool {
    let corners: [DVec3; 8] = std::array::from_fn(|bits| faces.local(edges.corner(bits)));
    EDGES.iter().any(|&[from, to]| meets_face(corners[from], corners[to], faces.half))
}

/// A segment against the six faces of a box around the origin.
fn meets_face(p: DVec3, q: DVec3, half: DVec3) -> bool {
    let along = q - p;
    (0..3).any(|axis| {
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        [-half[axis], half[axis]].into_iter().any(|face| {
            // A segment within the plane of the face is 0/0 or infinite here and meets nothing; its
            // neighbours and the faces beside meet it.
            let t = (face - p[axis]) / along[axis];
            (0.0..=1.0).contains(&t)
                && (p[i] + t * along[i]).abs() <= half[i]
                && (p[j] + t * along[j]).abs() <= half[j]
        })
    })
}
