//! A tree for meshes that deform: one topology for all who share their triangles, and eight boxes a
//! block for each of them.
//!
//! Characters of one rig have the same triangles, so which of them belong together is found once,
//! at rest, and shared. What each has of its own is a column of boxes along the world's axes, in
//! f32 around an origin of its own, which is refitted whenever the vertices have moved:
//!
//! ```text
//!   DeformableTree (shared)                        DeformableBoxes (one for each character)
//!   block 0: ▪ ▪ ▪ ▪ ▪ ▪ ▪ ▪   what is      8 boxes
//!            │   └─ leaf 17: 8 triangles,   below each
//!            │      their 9 vertices
//!   block 1: ▪ ▪ ▪ ▪ ▪ ▪                     8 boxes, two of them empty
//! ```
//!
//! A leaf holds up to eight triangles, a block's worth. Their own boxes are not kept: a traversal
//! that reaches a leaf makes them, because most leaves are never visited. So a character
//! of 2,850 triangles has some 110 blocks, 22 kB.
//!
//! Invariants: blocks stand before those below them, so that walking them backwards is bottom-up.
//! Every triangle is in one leaf. After [`DeformableBoxes::refit`] every box contains the vertices
//! below it, in exact arithmetic.

mod grow;
mod refit;
mod validate;

use std::sync::Arc;

use glam::DVec3;

use crate::internal::geom::Aabb;
use crate::internal::geom::mesh::{Mesh, MeshError, check_count};
use crate::internal::volume::aabb8::{Aabb8, Faces};

pub use validate::DeformableFault;

/// The most triangles of a leaf: as many as a block has boxes.
pub const MOST: usize = 8;

/// What is below a box: nothing, a leaf or a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeformableChild(pub u32);

impl DeformableChild {
    /// Nothing.
    pub const NOTHING: Self = Self(u32::MAX);
    const LEAF: u32 = 1 << 31;

    fn leaf(index: usize) -> Self {
        Self(index as u32 | Self::LEAF)
    }

    fn block(index: usize) -> Self {
        Self(index as u32)
    }

    /// Which leaf it is, if it is one.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "part of a kernel")]
    pub fn as_leaf(self) -> Option<usize> {
        (self.0 & Self::LEAF != 0).then_some((self.0 & !Self::LEAF) as usize)
    }
}

/// A block without its boxes.
#[derive(Clone, Copy, Debug)]
pub struct Links {
    /// What is below each box.
    pub under: [DeformableChild; 8],
    /// A bit for each box that is there.
    pub present: u32,
    /// A bit for each box that is of a leaf.
    pub leaves: u32,
}

/// Some triangles, and their vertices, each once.
#[derive(Clone, Copy, Debug)]
struct Leaf {
    first: u32,
    count: u32,
    first_corner: u32,
    corners: u32,
}

/// Which triangles of a mesh belong together, in blocks of eight.
#[derive(Clone, Debug)]
pub struct DeformableTree {
    links: Vec<Links>,
    leaves: Vec<Leaf>,
    /// The triangles, leaf by leaf, by their vertices and by their numbers in the mesh.
    triangles: Vec<[u32; 3]>,
    order: Vec<u32>,
    /// Which leaf each triangle of the mesh is in.
    leaf_of: Vec<u32>,
    /// The vertices of the leaves.
    corners: Vec<u32>,
    /// A vertex in the middle, from which the boxes are measured.
    middle: u32,
    vertices: usize,
    /// As the mesh has them.
    of_mesh: Arc<[[u32; 3]]>,
}

impl DeformableTree {
    /// The most triangles that a tree can have.
    pub const MOST_TRIANGLES: usize = 1 << 28;

    /// Grows a tree over a mesh as it stands.
    ///
    /// # Errors
    /// If it has more than [`MOST_TRIANGLES`](Self::MOST_TRIANGLES).
    pub fn new(mesh: &Mesh) -> Result<Self, MeshError> {
        check_count(
            "triangles of a deformable tree",
            mesh.triangles().len(),
            Self::MOST_TRIANGLES,
        )?;
        Ok(grow::grow(mesh))
    }

    /// The blocks, without their boxes.
    pub fn links(&self) -> &[Links] {
        &self.links
    }

    /// How many leaves there are.
    pub fn leaves(&self) -> usize {
        self.leaves.len()
    }

    /// How many vertices the mesh has.
    pub fn vertices(&self) -> usize {
        self.vertices
    }

    /// The triangles of a leaf, by their vertices.
    ///
    /// # Panics
    /// If there is no such leaf.
    #[inline]
    pub fn triangles_of(&self, leaf: usize) -> &[[u32; 3]] {
        let Leaf { first, count, .. } = self.leaves[leaf];
        &self.triangles[first as usize..(first + count) as usize]
    }

    /// The triangles of the leaf, by their numbers in the mesh.
    ///
    /// # Panics
    /// If there is no such leaf.
    #[inline]
    pub fn numbers_of(&self, leaf: usize) -> &[u32] {
        let Leaf { first, count, .. } = self.leaves[leaf];
        &self.order[first as usize..(first + count) as usize]
    }

    /// Which leaf a triangle of the mesh is in.
    #[inline]
    pub(crate) fn leaf_of(&self, triangle: u32) -> usize {
        self.leaf_of[triangle as usize] as usize
    }

    /// All triangles, as the mesh has them.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.of_mesh
    }

    fn corners_of(&self, leaf: usize) -> &[u32] {
        let Leaf { first_corner, corners, .. } = self.leaves[leaf];
        &self.corners[first_corner as usize..(first_corner + corners) as usize]
    }
}

/// The boxes over a [`DeformableTree`], around vertices as they were when they were refitted last.
#[derive(Clone, Debug)]
pub struct DeformableBoxes {
    blocks: Vec<Aabb8>,
    /// Around the eight of each block.
    wholes: Vec<Faces>,
    origin: DVec3,
    low: DVec3,
    high: DVec3,
    /// Bounds the numbers of all boxes; infinite where they are too large to be told apart.
    extent: f32,
}

impl DeformableBoxes {
    /// Boxes with nothing in them.
    pub fn new(tree: &DeformableTree) -> Self {
        Self {
            blocks: vec![Aabb8::EMPTY; tree.links.len()],
            wholes: vec![[f32::NEG_INFINITY; 6]; tree.links.len()],
            origin: DVec3::ZERO,
            low: DVec3::INFINITY,
            high: DVec3::NEG_INFINITY,
            extent: 0.0,
        }
    }

    /// Block by block.
    pub fn blocks(&self) -> &[Aabb8] {
        &self.blocks
    }

    /// Where the boxes are measured from.
    pub fn origin(&self) -> DVec3 {
        self.origin
    }

    /// The smallest box around the triangles; empty if there are none.
    pub fn bounds(&self) -> Aabb {
        Aabb { min: self.low, max: self.high }
    }

    /// Bounds the numbers of all boxes, and how far the vertices are from the origin; infinite
    /// where that is more than boxes can tell apart.
    pub fn extent(&self) -> f32 {
        self.extent
    }
}
