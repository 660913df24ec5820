//! The tree that queries run on: four oriented boxes a node, packed for vector instructions.
//!
//! ```text
//!   blocks    0 ─┬─ box ── 1        a block is 256 bytes: four boxes and what is below each
//!                ├─ box ── 2
//!                ├─ box ── leaf: 3 records from 17 on
//!                └─ (empty)
//!   records   one a triangle, in the order of the leaves: first corner in f64, edges in f32
//!   ids       the mesh's triangles in this order; copies of one triangle share a record
//! ```
//!
//! Coordinates are f32 around an origin; what that loses is in the boxes' extents and in the slack
//! of a batch, and is about a millionth of how far boxes reach from it. Where triangles are not
//! much larger than that, as with one bolt of a whole ship or beside a stray vertex far out, boxes
//! could not tell them apart. So the tree consists of [`Island`]s, each with an origin of its own:
//! a box may have another island below it, which is small beside the one that it is of. Most models
//! are one island, around the middle of their bounds. An island has a ball around its triangles as
//! well, which is what a query looks at first.
//!
//! ```text
//!   island 0      blocks 0 … 40, boxes as far as 900 m from its origin
//!      └─ box ──▶ island 1      blocks 41 … 99, boxes as far as 0.1 m from its own
//! ```
//!
//! There is no scale beside the origin: that of an f32 is its exponent. Models whose coordinates,
//! seen from the middle of their bounds, are beyond 2³⁰ have no packed tree: products of three of
//! them would leave the range of f32.
//!
//! Invariants, checked by [`Packed::validate`]: a block's children come after it; the blocks of an
//! island stand side by side, and those of the next one follow; every record is in one
//! leaf, every island below one box; every box contains the triangles below it; empty lanes come
//! last.

use std::fmt;

use glam::{DVec3, Vec3};

use crate::internal::arch::{Block, PackedTriangle};
use crate::internal::exact::pack_triangle;
use crate::internal::geom::mesh::Mesh;
use crate::internal::volume::SmallObb;
use crate::internal::volume::obb_batch::EMPTY;

/// What is below a box: a block, another island, or some records.
///
/// Bit 31 is set for a leaf; then bits 28 to 30 are the number of records less one, and the lower
/// ones the first record. Else bit 30 is set for an island, and the lower ones are its number. Else
/// it is the number of a block. All bits set: nothing.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ChildRef(pub(crate) u32);

impl ChildRef {
    /// Nothing.
    pub const NOTHING: Self = Self(u32::MAX);
    /// How many records a leaf can hold. One less than the bits allow, so that no leaf looks like
    /// nothing.
    pub const MOST: usize = 7;
    /// How many records a tree can hold.
    pub(crate) const RECORDS: usize = 1 << 28;
    /// How many blocks a tree can have: a traversal numbers boxes, four to a block, and has one bit
    /// beside the number.
    pub(crate) const BLOCKS: usize = 1 << 29;
    /// What the number of an island has that of a block has not.
    pub(crate) const ISLAND: u32 = 1 << 30;

    /// A block. A number that does not fit would name another block and hide contacts, so it is
    /// refused in every build; the same holds for islands and leaves.
    pub fn block(index: usize) -> Self {
        assert!(index < Self::BLOCKS, "block {index} cannot be numbered");
        Self(index as u32)
    }

    /// An island.
    pub fn island(index: usize) -> Self {
        assert!(index < 1 << 30, "island {index} cannot be numbered");
        Self(Self::ISLAND | index as u32)
    }

    /// A leaf.
    pub fn leaf(first: usize, count: usize) -> Self {
        assert!(
            (1..=Self::MOST).contains(&count) && first < Self::RECORDS,
            "{count} records from {first} cannot be numbered"
        );
        Self(1 << 31 | (count as u32 - 1) << 28 | first as u32)
    }

    /// The block, or nothing for a leaf or an island.
    pub fn as_block(self) -> Option<usize> {
        (self.0 >> 30 == 0).then_some(self.0 as usize)
    }

    /// The island, or nothing for a leaf or a block.
    pub fn as_island(self) -> Option<usize> {
        (self.0 >> 30 == 1).then_some((self.0 & !Self::ISLAND) as usize)
    }

    /// Whether it is a leaf; not if it is nothing.
    pub fn is_leaf(self) -> bool {
        self.0 >> 31 == 1 && self != Self::NOTHING
    }

    /// The records of a leaf.
    #[inline]
    pub fn records(self) -> std::ops::Range<u32> {
        let first = self.0 & ((1 << 28) - 1);
        first..first + (self.0 >> 28 & 7) + 1
    }
}

impl fmt::Debug for ChildRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.as_block(), self.as_island()) {
            _ if *self == Self::NOTHING => write!(f, "nothing"),
            (Some(block), _) => write!(f, "block {block}"),
            (_, Some(island)) => write!(f, "island {island}"),
            _ => write!(f, "records {:?}", self.records()),
        }
    }
}

/// Blocks whose boxes are kept around one origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Island {
    /// The point that its boxes are kept around.
    pub origin: DVec3,
    /// Bounds what [`SmallObb::reach`] is of every box of it.
    pub reach: f64,
    /// Bounds how far the corners of its triangles are from the origin: the ball that a query
    /// looks at first.
    pub radius: f64,
    /// The first block.
    pub root: u32,
}

impl Island {
    /// A part of a tree so much smaller than the island that it would be in is an island of its
    /// own: then the slack, 2⁻¹⁸ of a reach or so, stays well below every box that has
    /// something below it.
    pub(crate) const SMALLER: f64 = 1.0 / 1024.0;
    /// Subtrees of fewer packed triangles are not worth an island.
    pub(crate) const LEAST: usize = 32;

    /// Around the middle of some bounds. No box is in it yet, but those that will be reach at least
    /// so far.
    pub(crate) fn begin(low: DVec3, high: DVec3, corners: impl Iterator<Item = DVec3>) -> Self {
        let size = (0.5 * high - 0.5 * low).max_element();
        let origin = 0.5 * low + 0.5 * high;
        Self { origin, reach: size, radius: radius(origin, low, high, corners), root: 0 }
    }

    /// Notes how far a box reaches.
    pub(crate) fn hold(&mut self, reach: f64) {
        self.reach = self.reach.max(reach);
    }
}

/// Bounds how far points within some bounds are from one, rounding included. There may be points
/// outside of the bounds, which do not count.
fn radius(origin: DVec3, low: DVec3, high: DVec3, points: impl Iterator<Item = DVec3>) -> f64 {
    /// Squares from here on to the largest are of full precision.
    const SMALLEST: f64 = 1e-280;
    let corner = (high - origin).max(origin - low);
    let square = points.map(|point| (point - origin).length_squared()).fold(0.0, f64::max);
    let square = square.min(corner.length_squared());
    // A difference is off by a rounding, a square by three, a root by one.
    if square >= SMALLEST {
        square.sqrt() * (1.0 + 8.0 * f64::EPSILON)
    } else {
        corner.element_sum() * (1.0 + 8.0 * f64::EPSILON)
    }
}

/// A packed tree over the triangles of a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Packed {
    pub(crate) blocks: Vec<Block>,
    pub(crate) records: Vec<PackedTriangle>,
    pub(crate) ids: Vec<u32>,
    /// Where the ids of each record begin, and where the last end. Empty when every record has
    /// one, as is usual.
    pub(crate) starts: Vec<u32>,
    /// The first holds the root of all.
    pub(crate) islands: Vec<Island>,
}

impl Packed {
    /// How far from its origin a model may reach.
    pub const LARGEST: f64 = (1_u64 << 30) as f64;

    /// How far the middle of a model's bounds may be from the origin of its mesh: so that no sum of
    /// such numbers leaves the range of f64.
    pub const FARTHEST: f64 = 1e100;

    /// The islands; the first holds the root of all.
    pub fn islands(&self) -> &[Island] {
        &self.islands
    }

    /// The first island.
    #[inline]
    pub(crate) fn main(&self) -> &Island {
        &self.islands[0]
    }

    /// How many blocks there are.
    pub fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// How many different triangles there are.
    pub fn records(&self) -> usize {
        self.records.len()
    }

    /// The bytes in memory.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.blocks[..])
            + size_of_val(&self.records[..])
            + size_of_val(&self.ids[..])
            + size_of_val(&self.starts[..])
            + size_of_val(&self.islands[..])
    }

    /// The mesh's triangles that share a record, in ascending order.
    #[inline]
    pub fn triangles(&self, record: u32) -> &[u32] {
        let at = record as usize;
        if self.starts.is_empty() {
            // Without copies, the records are the triangles.
            return std::slice::from_ref(&self.ids[at]);
        }
        &self.ids[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// A box, and what is below it; nothing for an empty lane.
    pub fn volume(&self, block: usize, lane: usize) -> Option<(SmallObb, ChildRef)> {
        let Block(c) = &self.blocks[block];
        let below = ChildRef(c[15][lane].to_bits());
        let vector = |k: usize| Vec3::new(c[k][lane], c[k + 1][lane], c[k + 2][lane]);
        let volume = SmallObb {
            axes: [vector(0), vector(3), vector(6)],
            centre: vector(9),
            half: vector(12),
        };
        (below != ChildRef::NOTHING).then_some((volume, below))
    }

    /// Checks everything that a query relies on.
    ///
    /// # Errors
    /// The first fault.
    pub fn validate(&self, mesh: &Mesh) -> Result<(), PackedFault> {
        self.check_ids(mesh)?;
        let mut met = vec![false; self.records.len()];
        // Nothing is above the first root; every other block or root has one box above it.
        let mut parents = vec![0_u32; self.blocks.len()];
        if !self.leads_on() {
            return Err(PackedFault::Block(0));
        }
        for (index, island) in self.islands.iter().enumerate() {
            self.check_ball(mesh, index, island)?;
        }
        let islands = (0..self.islands.len()).map(|island| (island, self.blocks_of(island)));
        for (owner, block) in islands.flat_map(|(island, blocks)| blocks.map(move |b| (island, b)))
        {
            let lanes: Vec<_> = (0..4).map(|lane| self.volume(block, lane)).collect();
            let filled = lanes.iter().take_while(|lane| lane.is_some()).count();
            if filled == 0 || lanes[filled..].iter().any(Option::is_some) {
                return Err(PackedFault::Block(block));
            }
            for (volume, below) in lanes.into_iter().flatten() {
                match self.block_below(below) {
                    Some(child) => parents[child] += 1,
                    None => Self::check_leaf(below, &mut met).ok_or(PackedFault::Block(block))?,
                }
                self.check_box(mesh, block, &self.islands[owner], &volume, below)?;
            }
        }
        match parents.iter().skip(1).position(|&count| count != 1) {
            Some(orphan) => Err(PackedFault::Block(orphan + 1)),
            None if met.contains(&false) => Err(PackedFault::Ids),
            None => Ok(()),
        }
    }

    /// The block that is below a box, of this island or of another; nothing for a leaf.
    pub(crate) fn block_below(&self, below: ChildRef) -> Option<usize> {
        let root = |island: usize| self.islands[island].root as usize;
        below.as_block().or_else(|| below.as_island().map(root))
    }

    /// The blocks of an island.
    pub(crate) fn blocks_of(&self, island: usize) -> std::ops::Range<usize> {
        let end = self.islands.get(island + 1).map_or(self.blocks.len(), |next| next.root as usize);
        self.islands[island].root as usize..end
    }

    /// Whether blocks lead to later ones of their own island, or to later islands, and islands
    /// follow each other.
    pub(crate) fn leads_on(&self) -> bool {
        let roots = self.islands.iter().map(|island| island.root as usize);
        let are_in_order = self.blocks.len() <= ChildRef::BLOCKS
            && roots.clone().next() == Some(0)
            && roots.is_sorted_by(|a, b| a < b)
            && self.islands.last().is_some_and(|last| (last.root as usize) < self.blocks.len());
        are_in_order
            && (0..self.islands.len()).all(|island| {
                let blocks = self.blocks_of(island);
                blocks.clone().all(|block| {
                    self.blocks[block].0[15].iter().all(|bits| {
                        let below = ChildRef(bits.to_bits());
                        below.as_block().is_none_or(|child| child > block && child < blocks.end)
                            && below
                                .as_island()
                                .is_none_or(|next| next > island && next < self.islands.len())
                    })
                })
            })
    }

    fn check_ids(&self, mesh: &Mesh) -> Result<(), PackedFault> {
        let count = mesh.triangles().len();
        let mut met = vec![false; count];
        let shares = if self.starts.is_empty() {
            self.ids.len() == self.records.len()
        } else {
            self.starts.len() == self.records.len() + 1
                && self.starts[0] == 0
                && self.starts.windows(2).all(|pair| pair[0] < pair[1])
                && self.starts[self.records.len()] as usize == self.ids.len()
        };
        if !shares || self.ids.len() != count {
            return Err(PackedFault::Ids);
        }
        for index in 0..self.records.len() {
            let triangles = self.triangles(index as u32);
            for &triangle in triangles {
                match met.get_mut(triangle as usize) {
                    Some(met) if !*met => *met = true,
                    _ => return Err(PackedFault::Ids),
                }
            }
            if self.records[index] != pack_triangle(mesh.triangle(triangles[0] as usize)) {
                return Err(PackedFault::PackedTriangle(index));
            }
        }
        Ok(())
    }

    fn check_leaf(leaf: ChildRef, met: &mut [bool]) -> Option<()> {
        for record in leaf.records() {
            let met = met.get_mut(record as usize)?;
            if std::mem::replace(met, true) {
                return None;
            }
        }
        Some(())
    }

    /// Every corner below the boxes of an island is in its ball.
    fn check_ball(&self, mesh: &Mesh, index: usize, island: &Island) -> Result<(), PackedFault> {
        for triangle in self.triangles_below(ChildRef::island(index)) {
            let corners = mesh.triangle(triangle as usize);
            // Also NaN is a fault.
            if !corners.iter().all(|corner| (*corner - island.origin).length() <= island.radius) {
                return Err(PackedFault::Ball { island: index, triangle });
            }
        }
        Ok(())
    }

    /// All triangles of the mesh below something.
    fn triangles_below(&self, below: ChildRef) -> impl Iterator<Item = u32> {
        let mut waiting = vec![below];
        let leaves = std::iter::from_fn(move || {
            loop {
                let below = waiting.pop()?;
                let Some(child) = self.block_below(below) else { return Some(below) };
                waiting.extend((0..4).filter_map(|lane| Some(self.volume(child, lane)?.1)));
            }
        });
        leaves.flat_map(ChildRef::records).flat_map(|record| self.triangles(record).iter().copied())
    }

    fn check_box(
        &self,
        mesh: &Mesh,
        block: usize,
        island: &Island,
        volume: &SmallObb,
        below: ChildRef,
    ) -> Result<(), PackedFault> {
        // Also NaN is a fault.
        if !(volume.reach() <= island.reach && volume.half.x >= volume.half.y.max(volume.half.z)) {
            return Err(PackedFault::Block(block));
        }
        for triangle in self.triangles_below(below) {
            let corners = mesh.triangle(triangle as usize);
            if !corners.iter().all(|&corner| volume.contains(corner - island.origin)) {
                return Err(PackedFault::Outside { block, triangle });
            }
        }
        Ok(())
    }
}

/// Sets a lane of a block.
pub(crate) fn set_lane(block: &mut Block, lane: usize, volume: &SmallObb, below: ChildRef) {
    let [x, y, z] = volume.axes.map(|axis| axis.to_array());
    let (centre, half) = (volume.centre.to_array(), volume.half.to_array());
    for (group, values) in [x, y, z, centre, half].into_iter().enumerate() {
        for (k, value) in values.into_iter().enumerate() {
            block.0[3 * group + k][lane] = value;
        }
    }
    block.0[15][lane] = f32::from_bits(below.0);
}

/// A block without boxes.
pub(crate) fn empty_block() -> Block {
    EMPTY
}

/// A promise that a packed tree does not keep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PackedFault {
    /// The ids are not a permutation of the mesh's triangles, or a record is in no leaf.
    Ids,
    /// A record is not of its triangle.
    PackedTriangle(usize),
    /// A block's boxes, or what is below them, make no tree.
    Block(usize),
    /// The ball around an island does not contain a triangle of it.
    Ball {
        /// The island.
        island: usize,
        /// The triangle.
        triangle: u32,
    },
    /// A box does not contain a triangle below it.
    Outside {
        /// The block.
        block: usize,
        /// The triangle.
        triangle: u32,
    },
}

impl fmt::Display for PackedFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ids => write!(f, "the leaves are not a permutation of the mesh's triangles"),
            Self::PackedTriangle(index) => write!(f, "record {index} is not of its triangle"),
            Self::Block(index) => write!(f, "block {index} makes no tree"),
            Self::Ball { island, triangle } => {
                write!(f, "the ball around island {island} does not contain triangle {triangle}")
            }
            Self::Outside { block, triangle } => {
                write!(f, "a box of block {block} does not contain triangle {triangle} below it")
            }
        }
    }
}

impl std::error::Error for PackedFault {}
