//! Which sides of a closed mesh's triangles are within it.
//!
//! Where a surface does not meet itself, all triangles that hang together have the same winding number on the side
//! of their normals, and one more behind. Where it does, parts of one triangle may differ.

use std::collections::HashMap;

/// What is known of a closed mesh's own triangles, each on its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sides {
    /// The winding number in front of a triangle, on the side of its normal. `None` if the surface
    /// meets itself there.
    pub(crate) before: Vec<Option<i32>>,
    /// What lies next to a triangle.
    pub(crate) seen: Vec<Seen>,
    /// The triangles that each triangle meets, other than in a corner or edge that they share.
    pub(crate) partners: HashMap<u32, Vec<u32>>,
    /// Pairs of triangles that cross, the smaller first.
    pub(crate) crossing: Vec<[u32; 2]>,
    /// A vertex of each part of the surface, and what lies next to that part.
    pub(crate) components: Vec<(u32, Seen)>,
}

/// Whether something next to a surface is within the solid, and whether something is without.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) inside: bool,
    pub(crate) outside: bool,
}

impl Seen {
    pub(crate) fn add(&mut self, other: Self) {
        self.inside |= other.inside;
        self.outside |= other.outside;
    }

    /// Both sides of a triangle with this winding number before it.
    pub(crate) fn around(before: i32) -> Self {
        Self { inside: before >= 0, outside: before <= 0 }
    }
}

impl Sides {
    /// Whether a triangle certainly bounds the solid: it is within behind, and not before.
    pub(crate) fn is_boundary(&self, triangle: u32) -> bool {
        self.before[triangle as usize] == Some(0)
    }

    pub(crate) fn partners(&self, triangle: u32) -> &[u32] {
        self.partners.get(&triangle).map_or(&[], Vec::as_slice)
    }
}
