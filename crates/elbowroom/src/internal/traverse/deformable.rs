//! Two deformable trees in one world, in four steps that are each a loop over a list.
//!
//! ```text
//!   items: one box of a tree against the eight of a block of the other     items.rs
//!     │ two leaves that may meet
//!   leaves: their triangles get boxes, once a question                     leaves.rs
//!     │
//!   triangles: each of one leaf against the eight of the other             leaves.rs
//!     │ pairs that may meet
//!   batches: sixteen pairs at a time, as far as f32 can tell                here
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

mod items;
mod leaves;
pub(crate) mod single;

use std::ops::ControlFlow;

use glam::{DMat3, DVec3};

use super::tally::Tally;
use crate::internal::arch::{F32xN, Kernel, SimdLevel, run, run_f32x8, run_f64x4};
use crate::internal::bvh::deformable::{DeformableBoxes, DeformableTree, MOST};
use crate::internal::exact::{Plane, TriangleTransform, relate_batch};
use crate::internal::volume::Family;
use crate::internal::volume::aabb8::Steps;
use crate::interrupt;
use items::{Descent, WorkItem};
use leaves::{Enclose, Packs, Triangles};

/// A tree with its boxes, and the vertices that they are around.
#[derive(Clone, Copy, Debug)]
pub struct DeformableSide<'a> {
    /// The topology.
    pub tree: &'a DeformableTree,
    /// The boxes.
    pub boxes: &'a DeformableBoxes,
    /// The vertices.
    pub vertices: &'a [DVec3],
}

/// Takes what a traversal finds.
pub trait DeformableHits {
    /// Whether the first hit will do.
    fn is_eager(&self) -> bool;

    /// Two triangles that cross for certain, or for which f32 could not tell: by leaf and place in
    /// it.
    fn hit(&mut self, a: (usize, usize), b: (usize, usize), is_certain: bool) -> ControlFlow<()>;
}

/// Memory that traversals use while they run.
#[derive(Clone, Debug, Default)]
pub struct DeformableStacks {
    items: Vec<WorkItem>,
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
pub fn descend_deformable(
    sides: [DeformableSide<'_>; 2],
    level: SimdLevel,
    hits: &mut impl DeformableHits,
    stacks: &mut DeformableStacks,
    tally: &mut Tally,
) -> ControlFlow<()> {
    let [a, b] = sides.map(|side| side.boxes);
    let (origin, step) = (a.origin(), b.origin() - a.origin());
    let extent = a.extent().max(b.extent());
    let steps = [Steps::new(-step, extent), Steps::new(step, extent)];
    // Edges are at most twice as large, and steps between corners three times:
    // docs/notes/triangle-batches.md, with room.
    let is_trusted = extent <= LARGEST && step.abs().max_element() <= f64::from(LARGEST);
    // With no pose in between, the step from corner to corner is rounded once: of its own size,
    // wherever both are.
    let size = 6.0 * f64::from(extent) + step.abs().element_sum();
    let transform = is_trusted.then(|| TriangleTransform::new(DMat3::IDENTITY, DVec3::ZERO, size));
    let enough = if hits.is_eager() { EAGER_LEAVES } else { LEAVES };
    stacks.start(sides);
    while !stacks.items.is_empty() {
        interrupt::look();
        stacks.clear();
        let DeformableStacks { items, leaves, packs, first, second } = stacks;
        let mut tests = run_f32x8(level, Descent { sides, steps: &steps, items, leaves, enough });
        if !leaves.is_empty() {
            run_f64x4(level, Enclose { sides, origin, leaves, packs });
            tests += run_f32x8(level, Triangles { sides, leaves, packs, first, second });
        }
        tally.count_volumes(Family::Aabb, tests);
        tally.primitives += first.len() as u64;
        match &transform {
            Some(transform) => run(level, Relating { stacks, transform, hits })?,
            None => stacks.all_unsure(hits)?,
        }
    }
    ControlFlow::Continue(())
}

impl DeformableStacks {
    fn start(&mut self, sides: [DeformableSide<'_>; 2]) {
        self.items.clear();
        for (packs, side) in self.packs.iter_mut().zip(sides) {
            packs.start(side.tree.leaves());
        }
        let [a, b] = sides.map(|side| side.tree.links().first());
        if let (Some(links), Some(_)) = (a, b) {
            let lanes = (0..8).filter(|lane| links.present >> lane & 1 == 1);
            self.items.extend(lanes.map(WorkItem::of_root));
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
    fn all_unsure(&self, hits: &mut impl DeformableHits) -> ControlFlow<()> {
        for (&first, &second) in self.first.iter().zip(&self.second) {
            let [a, b] = self.named(first, second);
            hits.hit(a, b, false)?;
        }
        ControlFlow::Continue(())
    }
}

/// Relates the pairs that were gathered.
struct Relating<'a, H> {
    stacks: &'a DeformableStacks,
    transform: &'a TriangleTransform,
    hits: &'a mut H,
}

impl<H: DeformableHits> Kernel for Relating<'_, H> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<W: F32xN>(self) -> ControlFlow<()> {
        let DeformableStacks { packs: [a, b], first, second, .. } = self.stacks;
        let records = [a.records(), b.records()];
        let mut first_plane = Plane::default();
        for (first, second) in first.chunks(16).zip(second.chunks(16)) {
            let (mut ids_a, mut ids_b) = ([0; 16], [0; 16]);
            let count = first.len();
            ids_a[..count].copy_from_slice(first);
            ids_b[..count].copy_from_slice(second);
            let found = relate_batch::<W>(
                records,
                [&ids_a, &ids_b],
                count,
                self.transform,
                &mut first_plane,
            );
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
