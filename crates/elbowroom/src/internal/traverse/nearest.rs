//! Two packed trees, down to the pairs of triangles that may be nearer than a limit that shrinks.
//!
//! As in [`packed`](super::packed), one box of a tree against the four of a node of the other make
//! a work item, and four items a batch. Each item has a bound of its own: no two points below it
//! are nearer. The nearest are gone on with first (`queue.rs`), so that nothing is opened which the
//! answer does not need but what is as near as that; distances of triangles lower the limit, and
//! whatever waits with a larger bound is dropped.
//!
//! ```text
//!   items, nearest first ── pop 4 ── batch ─┬─ farther than the limit: gone
//!          ▲                                 ├─ two leaves: wait as well; pairs of records ── near? ── spans ── limit
//!          └─────────────────────────────────┴─ else: new items
//! ```
//!
//! Branch and bound on two trees of boxes is Quinlan's (*Efficient distance computation between
//! non-convex objects*, 1994). He and those after him go by one pair at a time and recurse; here
//! distances of triangles stay spans in f32 until the end, and the caller that takes them decides
//! which are worth more.
//!
//! Every instruction set takes the same steps: the limit is read once a batch.

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

use std::ops::ControlFlow;

use super::deferred::Deferred;
use super::packed::Bodies;
use super::queue::{NONE, Queue, Scale};
use super::relative::BoxTransforms;
use super::tally::Tally;
use crate::internal::arch::{Block, F32xN, Kernel, SimdLevel, run};
use crate::internal::bvh::packed::ChildRef;
use crate::internal::exact::{gap_batch, near_batch};
use crate::internal::volume::Family;
use crate::internal::volume::gap::bounds;
use crate::internal::volume::obb_batch::{EMPTY, WorkItems};
use crate::interrupt::checkpoint;

/// Takes pairs of records that may be near, and says what is near enough.
pub trait Near {
    /// Nothing farther than this matters any more. It never grows.
    fn limit(&self) -> f32;

    /// Two records whose triangles are at least and at most so far apart.
    fn pair(&mut self, a: u32, b: u32, low: f32, high: f32) -> ControlFlow<()>;
}

/// Memory that traversals use while they run.
#[derive(Clone, Debug, Default)]
pub struct Queues {
    /// By the tree that the single boxes are from.
    items: [Queue; 2],
    /// Two leaves each, of the first tree and of the second.
    leaves: Queue,
    /// Records of leaves.
    pairs: Vec<[u32; 2]>,
    /// Those of them whose triangles may be within the limit.
    close: Vec<[u32; 2]>,
    /// Items for which other frames are needed.
    deferred: Deferred,
}

/// Pops up to sixteen pairs.
#[inline(always)]
fn pop_pairs(pairs: &mut Vec<[u32; 2]>) -> ([u32; 16], [u32; 16], usize) {
    let (mut first, mut second) = ([0; 16], [0; 16]);
    let rest = pairs.len().saturating_sub(16);
    let count = pairs.len() - rest;
    for (i, pair) in pairs[rest..].iter().enumerate() {
        (first[i & 15], second[i & 15]) = (pair[0], pair[1]);
    }
    pairs.truncate(rest);
    (first, second, count)
}

/// Shows the pairs of records that may be within the limit of who takes them, until it breaks it
/// off.
///
/// Returns `Break` if the visitor did.
pub fn descend_near(
    bodies: &Bodies,
    level: SimdLevel,
    near: &mut impl Near,
    queues: &mut Queues,
    tally: &mut Tally,
) -> ControlFlow<()> {
    let (islands, frames) = ([0; 2], bodies.main);
    run(
        level,
        Descent {
            bodies,
            islands,
            frames,
            near,
            queues,
            tally,
            scale: Scale::default(),
            is_measured: false,
        },
    )
}

struct Descent<'a, N> {
    bodies: &'a Bodies<'a>,
    /// The current islands of the first and of the second tree, and their frames.
    islands: [u32; 2],
    frames: BoxTransforms,
    near: &'a mut N,
    queues: &'a mut Queues,
    tally: &'a mut Tally,
    /// What is nearer than what.
    scale: Scale,
    /// Whether any triangles have been measured yet.
    is_measured: bool,
}

/// The number of pairs of records that are tested together.
const PAIRS: usize = 16;

/// The square of a limit, not below what squares of f32 can tell from nothing.
#[inline(always)]
fn squared(limit: f32) -> f32 {
    const LEAST: f32 = f32::from_bits((127 - 120) << 23);
    (limit * limit * (1.0 + 4.0 * f32::EPSILON)).max(LEAST)
}

impl<N: Near> Kernel for Descent<'_, N> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<W: F32xN>(mut self) -> ControlFlow<()> {
        self.start();
        loop {
            checkpoint();
            let limit = squared(self.near.limit());
            let bits = limit.to_bits();
            let Queues { items: [from_a, from_b], leaves, .. } = &mut *self.queues;
            let most = self.scale.rank(bits);
            let (a, b, both) = (from_a.top(most), from_b.top(most), leaves.top(most));
            let nearest = a.min(b);
            if nearest == NONE && both == NONE {
                if !self.go_over() {
                    break;
                }
            } else if both <= nearest {
                self.open::<W>(bits)?;
            } else if b < a {
                self.test_items::<W, true>(limit);
            } else {
                self.test_items::<W, false>(limit);
            }
        }
        while !self.queues.pairs.is_empty() {
            self.keep_close::<W>();
        }
        while !self.queues.close.is_empty() {
            self.measure::<W>()?;
        }
        ControlFlow::Continue(())
    }
}

impl<N: Near> Descent<'_, N> {
    /// The boxes of the first root against the second root.
    #[inline(always)]
    fn start(&mut self) {
        let Bodies { a, b, .. } = self.bodies;
        let size = (a.main().reach + b.main().reach) as f32;
        let scale = Scale::new(self.frames.b_in_a.step(), size);
        self.scale = scale;
        let Queues { items, leaves, pairs, close, deferred } = &mut *self.queues;
        deferred.clear();
        pairs.clear();
        close.clear();
        leaves.start(scale);
        for queue in &mut *items {
            queue.start(scale);
        }
        for lane in 0..4 {
            if a.blocks[0].0[15][lane].to_bits() != ChildRef::NOTHING.0 {
                items[0].push(lane as u32, 0, 0);
            }
        }
    }

    /// How many pairs are worth looking at together.
    #[inline(always)]
    fn enough(&self) -> usize {
        if self.is_measured { PAIRS } else { 1 }
    }

    /// Looks into some of the nearest pairs of leaves. The first are measured at once: they lower
    /// the limit, or are enough.
    #[inline(always)]
    fn open<W: F32xN>(&mut self, limit: u32) -> ControlFlow<()> {
        let Queues { leaves, pairs, .. } = &mut *self.queues;
        while pairs.len() < PAIRS {
            let ([a], [b], count) = leaves.pop::<1>(limit);
            if count == 0 {
                break;
            }
            push_pairs(pairs, ChildRef(a), ChildRef(b));
        }
        while self.queues.pairs.len() >= self.enough() {
            self.keep_close::<W>();
            if self.queues.close.len() >= self.enough() {
                self.measure::<W>()?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Pops items, bounds them and pushes what they leave.
    #[inline(always)]
    fn test_items<W: F32xN, const FROM_B: bool>(&mut self, limit: f32) {
        let Bodies { a, b, .. } = self.bodies;
        let (owner, other) = if FROM_B { (b, a) } else { (a, b) };
        let (singles, nodes) = (owner.blocks.as_slice(), other.blocks.as_slice());
        let (mut single, mut node, mut count) =
            self.queues.items[usize::from(FROM_B)].pop::<4>(limit.to_bits());
        if (node[0] | node[1] | node[2] | node[3]) & ChildRef::ISLAND != 0 {
            count = self.sift(FROM_B, &mut single, &mut node, count);
        }
        let mut first = 0;
        while first < count {
            let end = (first + W::LANES / 4).min(count);
            self.test_lanes::<W, FROM_B>(
                [singles, nodes],
                [&single[first..end], &node[first..end]],
                limit,
            );
            first = end;
        }
    }

    /// Defers items that lead to other islands; returns how many do not.
    #[cold]
    #[inline(never)]
    fn sift(
        &mut self,
        from_b: bool,
        single: &mut [u32; 4],
        node: &mut [u32; 4],
        count: usize,
    ) -> usize {
        let mut kept = 0;
        for u in 0..count {
            if let Some(island) = ChildRef(node[u]).as_island() {
                let item = (from_b, single[u], island);
                self.queues.deferred.put(self.bodies, self.islands, item);
            } else {
                (single[kept], node[kept]) = (single[u], node[u]);
                kept += 1;
            }
        }
        kept
    }

    /// Continues with two islands for which items were deferred; whether there are any.
    fn go_over(&mut self) -> bool {
        let limit = f64::from(self.near.limit());
        let Queues { items, deferred, .. } = &mut *self.queues;
        let next = deferred.take(self.bodies, limit, |from_b, single, node| {
            items[usize::from(from_b)].push(single, node, 0);
        });
        let Some((islands, frames)) = next else { return false };
        (self.islands, self.frames) = (islands, frames);
        true
    }

    /// Tests as many items as fill the lanes.
    #[inline(always)]
    fn test_lanes<W: F32xN, const FROM_B: bool>(
        &mut self,
        [singles, nodes]: [&[Block]; 2],
        [single, node]: [&[u32]; 2],
        limit: f32,
    ) {
        let mut items = WorkItems { singles: [&EMPTY; 4], lanes: [0; 4], nodes: [&EMPTY; 4] };
        let mut lifted = [0; 4];
        for u in 0..single.len().min(W::LANES / 4) {
            items.singles[u] = &singles[single[u] as usize / 4];
            items.nodes[u] = &nodes[node[u] as usize];
            (items.lanes[u], lifted[u]) = (single[u], 4 * node[u]);
        }
        let BoxTransforms { a_in_b, b_in_a } = &self.frames;
        let found = bounds::<W>(&items, if FROM_B { b_in_a } else { a_in_b });
        self.tally.count_volumes(Family::Obb, u64::from(found.present.count_ones()));
        let far = W::bits(found.square.greater(W::splat(limit)));
        let kept = found.present & !far;
        let (leaf, other_leaf) = (found.below_single.signs(), found.below_node.signs());
        let into_single = kept & !leaf & (other_leaf | found.single_larger);
        let into_node = kept & !other_leaf & !into_single;
        let both_leaves = kept & leaf & other_leaf;
        let key = found.centres.times_plus(W::splat(CENTRES), found.square);
        let bound = found.square;
        let Queues { items: [from_a, from_b], leaves, .. } = &mut *self.queues;
        let (own, turned) = if FROM_B { (from_b, from_a) } else { (from_a, from_b) };
        own.push_lanes(into_node, W::repeat(&items.lanes), found.below_node, bound, key);
        turned.push_lanes(into_single, W::count_up(&lifted), found.below_single, bound, key);
        let (of_a, of_b) = if FROM_B {
            (found.below_node, found.below_single)
        } else {
            (found.below_single, found.below_node)
        };
        leaves.push_lanes(both_leaves, of_a, of_b, bound, key);
    }

    /// Pops some pairs of records, at most sixteen, and keeps those whose triangles may be within
    /// the limit.
    #[inline(always)]
    fn keep_close<W: F32xN>(&mut self) {
        let Bodies { a, b, transform, .. } = self.bodies;
        let limit = self.near.limit();
        let (ids_a, ids_b, count) = pop_pairs(&mut self.queues.pairs);
        self.tally.primitives += count as u64;
        let mut left =
            near_batch::<W>(&a.records, &ids_a, &b.records, &ids_b, count, transform, limit);
        let close = &mut self.queues.close;
        while left != 0 {
            let i = left.trailing_zeros() as usize & 15;
            left &= left - 1;
            close.push([ids_a[i], ids_b[i]]);
        }
    }

    /// Measures the triangles of some pairs, at most sixteen, that may be within the limit.
    #[inline(always)]
    fn measure<W: F32xN>(&mut self) -> ControlFlow<()> {
        let Bodies { a, b, transform, .. } = self.bodies;
        self.is_measured = true;
        let (ids_a, ids_b, count) = pop_pairs(&mut self.queues.close);
        let span = gap_batch::<W>(&a.records, &ids_a, &b.records, &ids_b, count, transform);
        for i in 0..count {
            self.near.pair(ids_a[i], ids_b[i], span.low[i], span.high[i])?;
        }
        ControlFlow::Continue(())
    }
}

/// How much the distance of centres counts beside the bound: it ranks boxes whose bounds are both
/// zero. No record compares other values.
const CENTRES: f32 = 1.0 / 16.0;

/// Every record of one leaf with every record of another.
#[inline(always)]
fn push_pairs(pairs: &mut Vec<[u32; 2]>, a: ChildRef, b: ChildRef) {
    for a in a.records() {
        pairs.extend(b.records().map(|b| [a, b]));
    }
}
