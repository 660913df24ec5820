//! How triangles hang together: which edges are shared, by how many, and which way round.
//!
//! A mesh is closed if every edge is run through as often in one direction as in the other: then,
//! and only then, the winding number of a point off the surface is a whole number, and "inside"
//! means something. The usual manifold without boundary has each edge exactly once in each
//! direction.

use std::collections::HashMap;

/// Counts of a mesh's edges, by index. Degenerate triangles enclose nothing and are left out; their
/// number is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Seams {
    /// Distinct edges, without regard to direction.
    pub edges: usize,
    /// Edges of one triangle only.
    pub boundary: usize,
    /// Edges of two triangles that run through it in the same direction.
    pub inconsistent: usize,
    /// Edges of more than two triangles.
    pub branching: usize,
    /// Edges along which triangles do not run equally often in both directions.
    pub unbalanced: usize,
    /// Triangles that name a vertex twice.
    pub degenerate: usize,
}

impl Seams {
    pub(crate) fn of(triangles: &[[u32; 3]]) -> Self {
        let mut seams = Self::default();
        // Uses of each edge, from its smaller vertex to its larger one and back.
        let mut uses: HashMap<[u32; 2], [u32; 2]> = HashMap::with_capacity(triangles.len() * 3 / 2);
        for &[a, b, c] in triangles {
            if a == b || b == c || c == a {
                seams.degenerate += 1;
                continue;
            }
            for (from, to) in [(a, b), (b, c), (c, a)] {
                let back = usize::from(from > to);
                uses.entry([from.min(to), from.max(to)]).or_default()[back] += 1;
            }
        }
        seams.edges = uses.len();
        for [there, back] in uses.into_values() {
            match there + back {
                1 => seams.boundary += 1,
                2 if there != back => seams.inconsistent += 1,
                2 => {}
                _ => seams.branching += 1,
            }
            seams.unbalanced += usize::from(there != back);
        }
        seams
    }

    /// Whether the surface is closed and consistently oriented: triangles run along every edge
    /// equally often in both directions.
    pub fn is_closed(&self) -> bool {
        self.unbalanced == 0 && self.edges > 0
    }

    /// Whether no two triangles that share an edge by themselves disagree on which side is out.
    pub fn is_oriented(&self) -> bool {
        self.inconsistent == 0
    }

    /// Whether every edge belongs to exactly two triangles.
    pub fn is_manifold(&self) -> bool {
        self.boundary == 0 && self.branching == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TETRAHEDRON: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];

    #[test]
    fn a_tetrahedron_is_closed() {
        let seams = Seams::of(&TETRAHEDRON);
        assert_eq!(seams, Seams { edges: 6, ..Seams::default() });
        assert!(seams.is_closed() && seams.is_oriented() && seams.is_manifold());
    }

    #[test]
    fn holes_flips_and_fins_are_counted() {
        let open = Seams::of(&TETRAHEDRON[1..]);
        assert_eq!((open.boundary, open.unbalanced, open.is_closed()), (3, 3, false));
        assert!(open.is_oriented());

        let mut flipped = TETRAHEDRON;
        flipped[0].swap(0, 1);
        let flipped = Seams::of(&flipped);
        assert_eq!((flipped.inconsistent, flipped.unbalanced), (3, 3));
        assert!(!flipped.is_closed() && !flipped.is_oriented() && flipped.is_manifold());

        let fin: Vec<_> = TETRAHEDRON.into_iter().chain([[0, 1, 4]]).collect();
        let fin = Seams::of(&fin);
        assert_eq!((fin.branching, fin.boundary, fin.is_closed()), (1, 2, false));

        // Two tetrahedra on one edge branch there, but are closed all the same.
        let second = TETRAHEDRON.map(|t| t.map(|v| if v < 2 { v } else { v + 2 }));
        let pair = Seams::of(&[TETRAHEDRON, second].concat());
        assert_eq!((pair.branching, pair.is_closed(), pair.is_manifold()), (1, true, false));
    }

    #[test]
    fn degenerate_triangles_do_not_open_a_mesh() {
        let with_segment: Vec<_> = TETRAHEDRON.into_iter().chain([[0, 1, 1], [2, 2, 2]]).collect();
        let seams = Seams::of(&with_segment);
        assert!(seams.is_closed());
        assert_eq!(seams.degenerate, 2);
        assert!(!Seams::of(&[[0, 0, 0]]).is_closed());
    }
}
