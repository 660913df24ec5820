//! Two soft trees in one world, in four steps that are each a loop over a list.
//!
//! ```text
//!   units: one box of a tree against the eight of a block of the other     units.rs
//!     │ two leaves that may meet
//!   leaves: their triangles get boxes, once a question                     packs.rs
//!     │
//!   triangles: each of one leaf against the eight of the other             packs.rs
//!     │ pairs that may meet
//!   bursts: sixteen pairs at a time, as far as f32 can tell                here
//! ```
//!
//! Both trees stand along the world's axes, and so a test of boxes is six comparisons. Each tree
//! has an origin of its own; a [`Steps`] carries the way between them. The boxes of triangles are
//! all measured from the first one's, and live in the workspace, where they stay in the cache.
//!
//! Lists are cut off at a length and gone on with later, a short one where the first hit will do.
//! Boxes are always tested by eights, and triangles by sixteens, whatever the machine has; so every
//! instruction set takes the same steps in the same order.

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

pub(crate) mod alone;
mod packs;
mod units;

use std::ops::ControlFlow;

use glam::{DMat3, DVec3};

use super::tally::Tally;
use crate::internal::arch::{Kernel, SimdLevel, Wide, run, run_four, run_oct};
use crate::internal::bvh::soft::{MOST, SoftBoxes, SoftTree};
use crate::internal::exact::{Plane, Sight, relate_burst};
use crate::internal::volume::Family;
use crate::internal::volume::eight::Steps;
use crate::interrupt;
use packs::{Enclose, Packs, Triangles};
use units::{Descent, Unit};

/// A tree with its boxes, and the vertices that they are around.
#[derive(Clone, Copy, Debug)]
pub struct SoftSide<'a> {
    /// The topology.
    pub tree: &'a SoftTree,
    /// The boxes.
    pub boxes: &'a SoftBoxes,
    /// The vertices.
    pub vertices: &'a [DVec3],
}

/// Takes what a traversal finds.
pub trait SoftHits {
    /// Whether the first hit will do.
    fn is_eager(&self) -> bool;

    /// Two triangles that cross for certain, or for which f32 could not tell: by leaf and place in
    /// it.
    fn hit(&mut self, a: (usize, usize), b: (usize, usize), is_certain: bool) -> ControlFlow<()>;
}

/// Memory that traversals use while they run.
#[derive(Clone, Debug, Default)]
pub struct SoftStacks {
    units: Vec<Unit>,
    /// Pairs of leaves that may meet, by number and then by place in the packs.
    leaves: Vec<[u32; 2]>,
    packs: [Packs; 2],
    /// Pairs of records.
    first: Vec<u32>,
    second: Vec<u32>,
}

/// The number of pairs of leaves that are gathered before their triangles are tested, if one hit is
/// enough. No record compares other values.
const EAGER_LEAVES: usize = 8;
/// The number of pairs of leaves that are gathered if all hits are wanted. No record compares other
/// values.
const LEAVES: usize = 256;

/// Coordinates beyond which f32 cannot be trusted with products of three.
const LARGEST: f32 = (1_u32 << 28) as f32;

/// Finds the pairs of triangles that cross, or may meet, until one breaks it off.
///
/// Returns `Break` if a hit did.
pub fn descend_soft(
    sides: [SoftSide<'_>; 2],
    level: SimdLevel,
    hits: &mut impl SoftHits,
    stacks: &mut SoftStacks,
    tally: &mut Tally,
) -> ControlFlow<()> {
    let [a, b] = sides.map(|side| side.boxes);
    let (origin, step) = (a.origin(), b.origin() - a.origin());
    let extent = a.extent().max(b.extent());
    let steps = [Steps::new(-step, extent), Steps::new(step, extent)];
    // Edges are at most twice as large, and steps between corners three times:
    // docs/notes/burst-bounds.md, with room.
    let is_trusted = extent <= LARGEST && step.abs().max_element() <= f64::from(LARGEST);
    // With no pose in between, the step from corner to corner is rounded once: of its own size,
    // wherever both are.
    let size = 6.0 * f64::from(extent) + step.abs().element_sum();
    let sight = is_trusted.then(|| Sight::new(DMat3::IDENTITY, DVec3::ZERO, size));
    let enough = if hits.is_eager() { EAGER_LEAVES } else { LEAVES };
    stacks.start(sides);
    while !stacks.units.is_empty() {
        interrupt::look();
        stacks.clear();
        let SoftStacks { units, leaves, packs, first, second } = stacks;
        let mut tests = run_oct(level, Descent { sides, steps: &steps, units, leaves, enough });
        if !leaves.is_empty() {
            run_four(level, Enclose { sides, origin, leaves, packs });
            tests += run_oct(level, Triangles { sides, leaves, packs, first, second });
        }
        tally.count_volumes(Family::Aabb, tests);
        tally.primitives += first.len() as u64;
        match &sight {
            Some(sight) => run(level, Relating { stacks, sight, hits })?,
            None => stacks.all_unsure(hits)?,
        }
    }
    ControlFlow::Continue(())
}

impl SoftStacks {
    fn start(&mut self, sides: [SoftSide<'_>; 2]) {
        self.units.clear();
        for (packs, side) in self.packs.iter_mut().zip(sides) {
            packs.start(side.tree.leaves());
        }
        let [a, b] = sides.map(|side| side.tree.links().first());
        if let (Some(links), Some(_)) = (a, b) {
            let lanes = (0..8).filter(|lane| links.present >> lane & 1 == 1);
            self.units.extend(lanes.map(Unit::of_root));
        }
    }

    fn clear(&mut self) {
        self.leaves.clear();
        self.first.clear();
        self.second.clear();
    }

    /// The triangles of a pair of records, each by leaf and place in it.
    #[inline(always)]
    fn named(&self, first: u32, second: u32) -> [(usize, usize); 2] {
        let [a, b] = &self.packs;
        [(a, first as usize), (b, second as usize)]
            .map(|(packs, record)| (packs.leaf(record / MOST), record % MOST))
    }

    #[cold]
    fn all_unsure(&self, hits: &mut impl SoftHits) -> ControlFlow<()> {
        for (&first, &second) in self.first.iter().zip(&self.second) {
            let [a, b] = self.named(first, second);
            hits.hit(a, b, false)?;
        }
        ControlFlow::Continue(())
    }
}

/// Relates the pairs that were gathered.
struct Relating<'a, H> {
    stacks: &'a SoftStacks,
    sight: &'a Sight,
    hits: &'a mut H,
}

impl<H: SoftHits> Kernel for Relating<'_, H> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<W: Wide>(self) -> ControlFlow<()> {
        let SoftStacks { packs: [a, b], first, second, .. } = self.stacks;
        let records = [a.records(), b.records()];
        let mut first_plane = Plane::default();
        for (first, second) in first.chunks(16).zip(second.chunks(16)) {
            let (mut ids_a, mut ids_b) = ([0; 16], [0; 16]);
            let count = first.len();
            ids_a[..count].copy_from_slice(first);
            ids_b[..count].copy_from_slice(second);
            let found =
                relate_burst::<W>(records, [&ids_a, &ids_b], count, self.sight, &mut first_plane);
            let mut left = (found.crossing | found.unsure) & (u32::MAX >> (32 - count));
            while left != 0 {
                let i = left.trailing_zeros() as usize;
                left &= left - 1;
                let [a, b] = self.stacks.named(ids_a[i], ids_b[i]);
                self.hits.hit(a, b, found.crossing >> i & 1 == 1)?;
            }
        }
        ControlFlow::Continue(())
    }
}
