//! From the roots to pairs of leaves: one box of a tree against the eight of a block of the other.
//!
//! Of two boxes that may meet, the larger gives way to what is below it; the other one becomes, or
//! stays, the single one.

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

use super::DeformableSide;
use crate::internal::arch::{F32x8, F32x8Kernel};
use crate::internal::volume::aabb8::{Probe, Steps};

/// A box of one tree against the boxes of a block of the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WorkItem {
    /// Eight times its block, and its lane.
    single: u32,
    node: u32,
    /// Whose box: 0 or 1.
    from: u32,
}

impl WorkItem {
    /// A box of the first root against the second root.
    pub(super) fn of_root(lane: u32) -> Self {
        Self { single: lane, node: 0, from: 0 }
    }
}

/// The number of items after which the traversal pauses, so that an interrupt can end it: well
/// below a millisecond.
const MOST_UNITS: usize = 1 << 14;

/// Goes down until nothing waits, enough pairs of leaves are there or it is time for a pause; gives
/// the number of box tests.
pub(super) struct Descent<'a> {
    pub(super) sides: [DeformableSide<'a>; 2],
    /// From each tree to the other.
    pub(super) steps: &'a [Steps; 2],
    pub(super) items: &'a mut Vec<WorkItem>,
    pub(super) leaves: &'a mut Vec<[u32; 2]>,
    pub(super) enough: usize,
}

impl F32x8Kernel for Descent<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<O: F32x8>(mut self) -> u64 {
        let mut tests = 0;
        // Cut off now and then, so that an interrupt need not wait.
        for _ in 0..MOST_UNITS {
            if self.leaves.len() >= self.enough {
                break;
            }
            let Some(item) = self.items.pop() else { break };
            tests += self.item::<O>(item);
        }
        tests
    }
}

impl Descent<'_> {
    #[inline(always)]
    fn item<O: F32x8>(&mut self, WorkItem { single, node, from }: WorkItem) -> u64 {
        let whose = from as usize & 1;
        let (own, other) = (&self.sides[whose], &self.sides[1 - whose]);
        let (own_block, own_lane) = (single as usize / 8, single as usize % 8);
        let faces = own.boxes.blocks()[own_block].faces(own_lane);
        let probe = Probe::new(&faces, &self.steps[whose]);
        let block = &other.boxes.blocks()[node as usize];
        let links = &other.tree.links()[node as usize];
        let meets = block.may_meet::<O>(&probe) & links.present;
        let tests = u64::from(links.present.count_ones());
        if meets == 0 {
            return tests;
        }
        let under = own.tree.links()[own_block].under[own_lane];
        let leaf = under.as_leaf();
        // The single one is gone into where it is larger than a box, or that is a leaf.
        let into_single = match leaf {
            Some(_) => 0,
            None => links.leaves | block.smaller::<O>(&probe),
        };
        let mut left = meets;
        while left != 0 {
            let lane = left.trailing_zeros();
            left &= left - 1;
            let below = links.under[lane as usize & 7];
            match (leaf, below.as_leaf()) {
                (Some(leaf), Some(other)) => {
                    let (leaf, other) = (leaf as u32, other as u32);
                    self.leaves.push(if from == 0 { [leaf, other] } else { [other, leaf] });
                }
                _ if into_single >> lane & 1 == 1 => {
                    let single = 8 * node + lane;
                    self.items.push(WorkItem { single, node: under.0, from: 1 - from });
                }
                _ => self.items.push(WorkItem { single, node: below.0, from }),
            }
        }
        tests
    }
}
