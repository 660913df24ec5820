//! A packed tree straight from a mesh, in about the time that others take for boxes along the
//! coordinate axes.
//!
//! ```text
//!   mesh ──▶ working copy in f32 ──▶ chunks of some hundred triangles ──▶ blocks
//!            corners.rs              top.rs: a binary tree,              chunk.rs: a binary tree down to
//!                                    cut by samples                      leaves, collapsed into fours
//! ```
//!
//! With the feature `parallel`, chunks are built on rayon's threads (`parallel.rs`).
//!
//! Boxes stand along the eigenvectors of their surface's covariance, small ones perhaps along an
//! edge and a normal. Sets are cut across an axis of their own box (`divide.rs`), and which nodes
//! become the four boxes of a block or a leaf is a matter of expected cost (`collapse.rs`).
//! Everything is in f32, with what that loses added to the boxes in the end (`faces.rs`). Where f32
//! would lose too much, a set far smaller than the whole is left out and built by
//! itself afterwards, around an origin of its own: an island.
//!
//! Invariants: the same bits on every instruction set and with any number of threads; no recursion;
//! time near n·log n whatever the input; copies of one triangle share a record.

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]
#![allow(
    clippy::cast_sign_loss,
    clippy::needless_range_loop,
    reason = "places in bins are not negative, and lanes are numbered together"
)]

mod chunk;
mod collapse;
mod copies;
mod corners;
mod divide;
mod faces;
mod frame;
#[cfg(feature = "parallel")]
mod parallel;
mod small;
mod top;

use std::collections::VecDeque;

use glam::DVec3;

use self::chunk::{Chunk, Root, Workspace};
use self::collapse::lanes;
use self::corners::{Around, Corners};
use self::faces::F64x4;
use self::top::{Node, Place, Top, Under};
use super::packed::{ChildRef, Island, Packed};
use crate::internal::arch::{F32x8, F32x8Kernel, SimdLevel, run_f32x8};
use crate::internal::geom::Aabb;
use crate::internal::geom::mesh::Mesh;
use crate::internal::volume::obb_batch::EMPTY;
use crate::interrupt;

/// How a packed tree is built. No choice changes an answer; each changes time and memory.
///
/// `docs/notes/engine-limits.md`, *Build*, compares other values of `chunk` with the default. No
/// record compares other values of `join`, `test`, `price` and `preference`; `bench/instructions`
/// and `elbowroom-bench run --engines ours` show what one changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BuildConfig {
    /// The greatest number of triangles in a leaf, from 1 to 7; copies count as one.
    pub leaf: usize,
    /// Up to `leaf` triangles become one leaf if their number times the area of their box is at
    /// most this factor times the sum of the areas of their own boxes.
    pub join: f32,
    /// What testing a triangle costs, where visiting a block is 1.
    pub test: f32,
    /// What the memory of a block costs, where visiting one with the surface of four triangles of
    /// its neighbourhood is 1: the higher, the fewer blocks.
    pub price: f32,
    /// A cut other than at the mean has to cost less than this share of it.
    pub preference: f32,
    /// Up to this number of triangles, boxes are also fitted along edges and normals; those of
    /// pairs only along these.
    pub few: usize,
    /// The number of triangles that are built in one piece: the unit of work for a thread.
    pub chunk: usize,
}

impl Default for BuildConfig {
    fn default() -> Self {
        Self { leaf: 4, join: 1.9, test: 1.0, price: 3.3, preference: 0.9, few: 2, chunk: 1536 }
    }
}

impl Packed {
    /// Builds a tree over a mesh. `None` if the mesh is too large for f32 (see
    /// [`Packed::LARGEST`]).
    ///
    /// ```
    /// use elbowroom::internal::bvh::Packed;
    ///
    /// let ball = elbowroom_make::icosphere(20);
    /// let packed = Packed::build(&ball).expect("a ball of 1 m is not too large");
    /// assert_eq!(packed.records(), ball.triangles().len());
    /// ```
    pub fn build(mesh: &Mesh) -> Option<Self> {
        Self::build_with(mesh, &BuildConfig::default(), SimdLevel::best())
    }

    /// Builds it in another way, or with other instructions.
    pub fn build_with(mesh: &Mesh, config: &BuildConfig, level: SimdLevel) -> Option<Self> {
        Self::build_between(mesh, mesh.bounds(), config, level)
    }

    /// Builds it over a mesh whose bounds are known.
    pub(crate) fn build_between(
        mesh: &Mesh,
        bounds: Aabb,
        config: &BuildConfig,
        level: SimdLevel,
    ) -> Option<Self> {
        let config = BuildConfig {
            leaf: config.leaf.clamp(1, ChildRef::MOST),
            chunk: config.chunk.max(16),
            ..*config
        };
        let mut packed = Self::begin(mesh, bounds)?;
        Builder { mesh, config, level }.run(&mut packed);
        Some(packed.finished())
    }
}

struct Builder<'a> {
    mesh: &'a Mesh,
    config: BuildConfig,
    level: SimdLevel,
}

/// All chunks of a mesh, and where their triangles are.
struct Chunks<'a> {
    places: &'a [Place],
    corners: &'a [Corners],
    spare: &'a [Corners],
    around: Around,
}

impl Chunks<'_> {
    fn corners(&self, place: &Place) -> &[Corners] {
        let all = if place.is_spare { self.spare } else { self.corners };
        &all[place.range.clone()]
    }
}

impl Builder<'_> {
    /// Island by island; the triangles of an island are known when the one that it is below is
    /// built.
    fn run(&self, packed: &mut Packed) {
        let mut waiting = VecDeque::new();
        let (corners, around) = corners::corners(self.mesh, packed.main());
        self.build_island(0, corners, around, packed, &mut waiting);
        while let Some((island, ids)) = waiting.pop_front() {
            let (corners, around) = corners::corners_of(self.mesh, &ids, &packed.islands[island]);
            self.build_island(island, corners, around, packed, &mut waiting);
        }
    }

    fn build_island(
        &self,
        island: usize,
        mut corners: Vec<Corners>,
        around: Around,
        packed: &mut Packed,
        waiting: &mut VecDeque<(usize, Vec<u32>)>,
    ) {
        // A point cannot be smaller.
        let fine = corners.iter().filter(|corners| corners.is_fine()).count();
        let has_islands = fine >= Island::LEAST && packed.islands[island].reach > 0.0;
        let mut spare = Vec::new();
        if corners.len() > self.config.chunk || has_islands {
            spare.resize(corners.len(), Corners::default());
        }
        let (mesh, config) = (self.mesh, &self.config);
        let top = Top { mesh, config, has_islands, corners: &mut corners, spare: &mut spare };
        let (nodes, places) = run_f32x8(self.level, top);
        let chunks = Chunks { places: &places, corners: &corners, spare: &spare, around };
        let above = blocks_above(&nodes);
        let first = packed.blocks.len();
        packed.islands[island].root = first as u32;
        packed.blocks.reserve(corners.len() / 7);
        packed.blocks.resize(first + above.len(), EMPTY);
        let roots = self.build_chunks(&chunks, &nodes, packed, waiting);
        let unit = around.unit();
        let (nodes, blocks, roots) = (&nodes[..], &above[..], &roots[..]);
        let reach = run_f32x8(
            self.level,
            Above { packed: &mut *packed, first, nodes, blocks, roots, unit },
        );
        let below = roots.iter().map(|root| root.reach).fold(reach, f64::max);
        packed.islands[island].hold(below);
    }

    /// Appends the chunks in their order, whichever thread built them.
    fn build_chunks(
        &self,
        chunks: &Chunks,
        nodes: &[Node],
        packed: &mut Packed,
        waiting: &mut VecDeque<(usize, Vec<u32>)>,
    ) -> Vec<Root> {
        let mut island = |node: usize, place: &Place, packed: &mut Packed| {
            let (axes, row) = (nodes[node].axes, nodes[node].row);
            let below = ChildRef::island(packed.islands.len());
            let ids: Vec<u32> = chunks.corners(place).iter().map(Corners::id).collect();
            let island = island_of(self.mesh, &ids);
            waiting.push_back((packed.islands.len(), ids));
            packed.islands.push(island);
            Root { axes, row, below, reach: 0.0 }
        };
        #[cfg(feature = "parallel")]
        if parallel::is_worthwhile(chunks.places.len()) {
            return parallel::build(self, chunks, packed, &mut island);
        }
        let mut workspace = Workspace::default();
        let build = |place: &Place| {
            interrupt::look();
            match place.island {
                Some(node) => island(node, place, packed),
                None => self.build_chunk(chunks, place, &mut workspace, packed),
            }
        };
        chunks.places.iter().map(build).collect()
    }

    fn build_chunk(
        &self,
        chunks: &Chunks,
        place: &Place,
        workspace: &mut Workspace,
        packed: &mut Packed,
    ) -> Root {
        let chunk = Chunk {
            mesh: self.mesh,
            config: &self.config,
            corners: chunks.corners(place),
            unit: chunks.around.unit(),
            workspace,
            recorded: packed.ids.len(),
            packed,
            reach: 0.0,
        };
        run_f32x8(self.level, chunk)
    }
}

/// An island around some triangles of a mesh.
fn island_of(mesh: &Mesh, ids: &[u32]) -> Island {
    let corners = || ids.iter().flat_map(|&id| mesh.triangle(id as usize));
    let none = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let (low, high) = corners().fold(none, |(low, high), p| (low.min(p), high.max(p)));
    Island::begin(low, high, corners())
}

/// What is in a lane of a block above the chunks.
#[derive(Clone, Copy)]
enum In {
    /// A node, and its block.
    Block(u32, usize),
    Chunk(u32),
}

/// The lanes of the blocks above the chunks, the first block first; there are none above a single
/// chunk.
fn blocks_above(nodes: &[Node]) -> Vec<Vec<In>> {
    let children = |node: u32| match nodes[node as usize].below {
        Under::Nodes(child) => [child, child + 1],
        Under::Chunk(_) => [node; 2],
    };
    let mut blocks = Vec::new();
    let mut waiting = VecDeque::new();
    if let Under::Nodes(_) = nodes[0].below {
        waiting.push_back(0);
    }
    while let Some(node) = waiting.pop_front() {
        let (found, count) = lanes(node, |node| nodes[node as usize].choice, children);
        let place = |&node: &u32| match nodes[node as usize].below {
            Under::Chunk(chunk) => In::Chunk(chunk),
            Under::Nodes(_) => {
                waiting.push_back(node);
                In::Block(node, blocks.len() + waiting.len())
            }
        };
        let lanes = found[..count].iter().map(place).collect();
        blocks.push(lanes);
    }
    blocks
}

/// Fills the blocks above the chunks, which come first; a single chunk that is no more than a leaf
/// gets one. How far their boxes reach.
struct Above<'a> {
    packed: &'a mut Packed,
    first: usize,
    nodes: &'a [Node],
    blocks: &'a [Vec<In>],
    roots: &'a [Root],
    unit: f64,
}

impl F32x8Kernel for Above<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<O: F32x8>(self) -> f64 {
        let Self { packed, first, nodes, blocks, roots, unit } = self;
        let mut reach: f64 = 0.0;
        for (index, lanes) in blocks.iter().enumerate() {
            let mut four = F64x4::default();
            for &lane in lanes {
                match lane {
                    In::Block(node, block) => {
                        let node = &nodes[node as usize];
                        four.push(&node.axes, &node.row, ChildRef::block(first + block));
                    }
                    In::Chunk(chunk) => {
                        let root = &roots[chunk as usize];
                        four.push(&root.axes, &root.row, root.below);
                    }
                }
            }
            reach = reach.max(four.store::<O>(unit, &mut packed.blocks[first + index]));
        }
        if packed.blocks.len() == first {
            packed.blocks.push(EMPTY);
            let mut four = F64x4::default();
            four.push(&roots[0].axes, &roots[0].row, roots[0].below);
            reach = four.store::<O>(unit, &mut packed.blocks[first]);
        }
        reach
    }
}
