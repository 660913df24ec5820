//! One packed tree with itself, sixteen pairs of boxes at a time.
//!
//! The traversal is that of two trees; only its beginnings are others. Any two triangles part ways
//! in one block: there they are below different boxes, or in one leaf. So every block begins with
//! its boxes against each other, each pair once, and every leaf with its records against each
//! other:
//!
//! ```text
//!   boxes of a block   0 1 2 3        items            lanes that count
//!                                     0 × 0 1 2 3         1 2 3
//!                                     1 × 0 1 2 3           2 3
//!                                     2 × 0 1 2 3             3
//! ```
//!
//! A box of a block against the block itself is met nowhere else, so that such an item can be told
//! by its numbers. Blocks begin one after the other, whenever there is less waiting than fills a
//! batch.

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

use std::ops::ControlFlow;

use super::{Bodies, Descent, Hits, Launch, OF_B, Popped, Stacks, run};
use crate::internal::arch::SimdLevel;
use crate::internal::bvh::packed::ChildRef;
use crate::internal::traverse::Tally;

/// Finds the pairs of different records of one tree that cross, or may meet, until one breaks it
/// off: each pair once, in either order. Both of the bodies must be that tree, where it is.
///
/// Returns `Break` if a hit did.
pub fn descend_self(
    bodies: &Bodies,
    level: SimdLevel,
    hits: &mut impl Hits,
    stacks: &mut Stacks,
    tally: &mut Tally,
) -> ControlFlow<()> {
    debug_assert!(std::ptr::eq(bodies.a, bodies.b), "one tree with itself");
    run(level, Launch::<_, true> { bodies, hits, stacks, tally })
}

/// The lanes in which a batch of these items compares two boxes that it does not compare elsewhere.
#[inline(always)]
pub(super) fn once(items: &Popped) -> u32 {
    let mut mask = 0;
    for u in 0..4 {
        let (single, node) = (items.single[u] & !OF_B, items.node[u]);
        let lanes = if single / 4 == node { (0b1110 << (single % 4)) & 0b1111 } else { 0b1111 };
        mask |= lanes << (4 * u);
    }
    mask
}

impl<H: Hits, const OWN: bool> Descent<'_, H, OWN> {
    /// Begins with the next blocks while there is less waiting than fills a batch.
    #[inline(always)]
    pub(super) fn refill(&mut self) {
        let blocks = &self.bodies.a.blocks;
        let end = if self.islands == [self.home; 2] { self.end_of_home() } else { self.block };
        while self.block < end && self.stacks.items.len < 4 {
            let below = blocks[self.block].0[15].map(|word| ChildRef(word.to_bits()));
            let filled = below.iter().take_while(|&&below| below != ChildRef::NOTHING).count();
            self.stacks.items.make_room(4);
            for lane in 0..filled.saturating_sub(1) {
                self.stacks.items.push((4 * self.block + lane) as u32, self.block as u32);
            }
            for leaf in below.iter().take(filled).filter(|below| below.is_leaf()) {
                self.begin_leaf(*leaf);
            }
            self.block += 1;
        }
    }

    /// Where the blocks of the island end whose boxes are compared with each other.
    #[inline(always)]
    fn end_of_home(&self) -> usize {
        let tree = self.bodies.a;
        tree.islands
            .get(self.home as usize + 1)
            .map_or(tree.blocks.len(), |next| next.root as usize)
    }

    /// Goes on with the blocks of the next island; whether there is one.
    pub(super) fn go_home(&mut self) -> bool {
        let Bodies { a, relative, .. } = self.bodies;
        let Some(island) = a.islands.get(self.home as usize + 1) else { return false };
        // An island that is skipped is a contact missed.
        let frames =
            relative.frames(island, island, 0.0).expect("an island is at no distance to itself");
        self.home += 1;
        self.set_islands([self.home; 2], frames);
        true
    }

    /// The records of a leaf with each other.
    #[inline(always)]
    fn begin_leaf(&mut self, leaf: ChildRef) {
        let pairs = &mut self.stacks.pairs;
        pairs.make_room(ChildRef::MOST * ChildRef::MOST);
        let records = leaf.records();
        for i in records.clone() {
            for j in i + 1..records.end {
                pairs.push(i, j);
            }
        }
    }
}
