//! Two packed trees, down to the pairs of triangles that may be nearer than a limit that shrinks.
//!
//! As in [`burst`](super::burst), one box of a tree against the four of a node of the other make a unit, and four units a
//! burst. Each unit waits with a bound of its own: no two points below it are nearer. What a burst leaves is pushed so that the nearest
//! of a node is on top; distances of triangles lower the limit, and whatever waits with a larger bound is dropped when it is popped.
//!
//! ```text
//!   units, nearest on top ── pop 4, drop the far ── burst ─┬─ farther than the limit: gone
//!          ▲                                                ├─ two leaves: pairs of records ── near? ── spans ── limit
//!          └────────────────────────────────────────────────┴─ else: new units
//! ```
//!
//! Whoever wants the nearest lets it *dive* first: a walk down on which only the four nearest units of either kind are kept. It ends at
//! triangles that are nearly the nearest, and then the limit is low before the real search begins.
//!
//! Branch and bound on two trees of boxes is Quinlan's (*Efficient distance computation between non-convex objects*, 1994). He
//! and those after him go by one pair at a time and recurse; here distances of triangles stay spans in f32 until the end, and whoever
//! takes them decides which are worth more.
//!
//! Every instruction set takes the same steps: the limit is read once a burst.

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

use std::ops::ControlFlow;

use super::aside::Aside;
use super::burst::Bodies;
use super::stance::Frames;
use super::tally::Tally;
use crate::arch::{Block, Kernel, Level, Wide, run};
use crate::exact::{gap_burst, near_burst};
use crate::tree::packed::Below;
use crate::volume::Family;
use crate::volume::burst::{EMPTY, Units};
use crate::volume::gap::bounds;

/// Takes pairs of records that may be near, and says what is near enough.
pub trait Near {
    /// Nothing farther than this matters any more. It never grows.
    fn limit(&self) -> f32;

    /// Whether it pays to look first where the nearest is likely, because that lowers the limit.
    fn is_eager(&self) -> bool;

    /// Two records whose triangles are at least and at most so far apart.
    fn pair(&mut self, a: u32, b: u32, low: f32, high: f32) -> ControlFlow<()>;
}

/// Memory that descents use while they run.
#[derive(Clone, Debug, Default)]
pub struct Queues {
    /// By the tree that the single boxes are from.
    units: [Queue; 2],
    /// Records of leaves.
    pairs: Vec<Pair>,
    /// Those of them whose triangles may be within the limit.
    close: Vec<Pair>,
    /// Units for which other frames are needed.
    aside: Aside,
}

/// Two records, and the bits of a bound.
#[derive(Clone, Copy, Debug)]
struct Pair {
    a: u32,
    b: u32,
    bound: u32,
}

/// Pops up to sixteen pairs that are within a bound.
#[inline(always)]
fn pop_pairs(pairs: &mut Vec<Pair>, limit: u32) -> ([u32; 16], [u32; 16], usize) {
    let (mut first, mut second, mut count) = ([0; 16], [0; 16], 0);
    while count < 16
        && let Some(pair) = pairs.pop()
    {
        (first[count], second[count]) = (pair.a, pair.b);
        count += usize::from(pair.bound <= limit);
    }
    (first, second, count)
}

/// Pairs of numbers with the bits of a bound, in arrays so that lanes can be stored as they are. Beyond `len` there is room for
/// a burst's worth.
#[derive(Clone, Debug, Default)]
struct Queue {
    first: Vec<u32>,
    second: Vec<u32>,
    bound: Vec<u32>,
    len: usize,
}

impl Queue {
    /// What a burst can push at most, and a store may touch beyond.
    const ROOM: usize = 48;

    #[inline(always)]
    fn make_room(&mut self, more: usize) {
        if self.len + more + Self::ROOM > self.first.len() {
            self.grow(more);
        }
    }

    #[cold]
    fn grow(&mut self, more: usize) {
        let size = (self.len + more + Self::ROOM).max(2 * self.first.len()).max(256);
        for column in [&mut self.first, &mut self.second, &mut self.bound] {
            column.resize(size, 0);
        }
    }

    /// Pushes the lanes of a mask, of each unit that with the least key last; there must be room.
    #[inline(always)]
    fn push_lanes<W: Wide>(&mut self, mask: u32, first: W, second: W, bound: W, key: W) {
        let (at, end) = (self.len, self.len + 16);
        if let (Ok(x), Ok(y), Ok(z)) = (
            (&mut self.first[at..end]).try_into(),
            (&mut self.second[at..end]).try_into(),
            (&mut self.bound[at..end]).try_into(),
        ) {
            first.compress(mask, x);
            second.compress(mask, y);
            bound.compress(mask, z);
        }
        self.len += mask.count_ones() as usize;
        if mask & mask.wrapping_sub(1) != 0 {
            self.raise_nearest(mask, key, at);
        }
    }

    #[inline(always)]
    fn raise_nearest<W: Wide>(&mut self, mask: u32, key: W, pushed: usize) {
        let mut keys = [0; 16];
        key.compress(mask, &mut keys);
        let (mut unit, mut begin) = (0, 0);
        while unit < W::LANES {
            let end = begin + (mask >> unit & 15).count_ones() as usize;
            // Keys are not negative, so that their bits are in their order.
            let mut nearest = begin;
            for i in begin + 1..end {
                if keys[i] <= keys[nearest] {
                    nearest = i;
                }
            }
            if end > begin + 1 {
                self.swap(pushed + nearest, pushed + end - 1);
            }
            begin = end;
            unit += 4;
        }
    }

    #[inline(always)]
    fn push(&mut self, first: u32, second: u32, bound: u32) {
        self.first[self.len] = first;
        self.second[self.len] = second;
        self.bound[self.len] = bound;
        self.len += 1;
    }

    /// Keeps the pairs with the least bounds, so many at most, the least on top.
    #[inline(always)]
    fn keep_nearest(&mut self, most: usize) {
        for kept in 0..most.min(self.len) {
            let mut least = kept;
            for i in kept + 1..self.len {
                if self.bound[i] < self.bound[least] {
                    least = i;
                }
            }
            self.swap(kept, least);
        }
        self.len = self.len.min(most);
        for i in 0..self.len / 2 {
            self.swap(i, self.len - 1 - i);
        }
    }

    #[inline(always)]
    fn swap(&mut self, i: usize, j: usize) {
        self.first.swap(i, j);
        self.second.swap(i, j);
        self.bound.swap(i, j);
    }

    /// Drops what is beyond a bound from the top, and says the bound of what is there then.
    #[inline(always)]
    fn top(&mut self, limit: u32) -> Option<u32> {
        while self.len > 0 {
            let bound = self.bound[self.len - 1];
            if bound <= limit {
                return Some(bound);
            }
            self.len -= 1;
        }
        None
    }

    /// Pops up to `N` pairs that are within a bound.
    #[inline(always)]
    fn pop<const N: usize>(&mut self, limit: u32) -> ([u32; N], [u32; N], usize) {
        let (mut first, mut second, mut count) = ([0; N], [0; N], 0);
        while count < N && self.len > 0 {
            self.len -= 1;
            (first[count], second[count]) = (self.first[self.len], self.second[self.len]);
            count += usize::from(self.bound[self.len] <= limit);
        }
        (first, second, count)
    }
}

/// Shows the pairs of records that may be within the limit of who takes them, until it breaks it off.
///
/// # Errors
/// Not an error: `Break` if it was broken off.
pub fn descend_near(
    bodies: &Bodies,
    level: Level,
    near: &mut impl Near,
    queues: &mut Queues,
    tally: &mut Tally,
) -> ControlFlow<()> {
    run(level, Descent { bodies, islands: [0; 2], frames: bodies.main, near, queues, tally })
}

struct Descent<'a, N> {
    bodies: &'a Bodies<'a>,
    /// The islands of the first tree and of the second that are looked at, and their frames.
    islands: [u32; 2],
    frames: Frames,
    near: &'a mut N,
    queues: &'a mut Queues,
    tally: &'a mut Tally,
}

/// How many pairs of records are looked at together.
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
    fn run<W: Wide>(mut self) -> ControlFlow<()> {
        if self.near.is_eager() {
            self.start();
            while self.step::<W, true>() {
                let Queues { units, pairs, .. } = &mut *self.queues;
                units[0].keep_nearest(4);
                units[1].keep_nearest(4);
                if pairs.len() > PAIRS {
                    pairs.select_nth_unstable_by_key(PAIRS, |pair| pair.bound);
                    pairs.truncate(PAIRS);
                }
                if !pairs.is_empty() {
                    self.sight::<W>();
                    self.measure::<W>()?;
                }
            }
        }
        self.start();
        while self.step::<W, false>() {
            while self.queues.pairs.len() >= PAIRS {
                self.sight::<W>();
                if self.queues.close.len() >= PAIRS {
                    self.measure::<W>()?;
                }
            }
        }
        while !self.queues.pairs.is_empty() {
            self.sight::<W>();
            if self.queues.close.len() >= PAIRS {
                self.measure::<W>()?;
            }
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
        (self.islands, self.frames) = ([0; 2], self.bodies.main);
        let Queues { units, pairs, close, aside } = &mut *self.queues;
        aside.clear();
        pairs.clear();
        close.clear();
        for queue in &mut *units {
            queue.len = 0;
            queue.make_room(4);
        }
        for lane in 0..4 {
            if self.bodies.a.blocks[0].0[15][lane].to_bits() != Below::NOTHING.0 {
                units[0].push(lane as u32, 0, 0);
            }
        }
    }

    /// A burst of the nearer of the two tops; false if nothing waits.
    #[inline(always)]
    fn step<W: Wide, const DIVE: bool>(&mut self) -> bool {
        let limit = squared(self.near.limit());
        let [from_a, from_b] = &mut self.queues.units;
        // Bounds are not negative, so that their bits are in their order.
        let is_b = match (from_a.top(limit.to_bits()), from_b.top(limit.to_bits())) {
            (None, None) => return self.go_over(),
            (None, Some(_)) => true,
            (Some(_), None) => false,
            (Some(a), Some(b)) => b < a,
        };
        if is_b {
            self.burst::<W, true, DIVE>(limit);
        } else {
            self.burst::<W, false, DIVE>(limit);
        }
        true
    }

    /// Pops units, bounds them and pushes what they leave.
    #[inline(always)]
    fn burst<W: Wide, const FROM_B: bool, const DIVE: bool>(&mut self, limit: f32) {
        let Bodies { a, b, .. } = self.bodies;
        let (owner, other) = if FROM_B { (b, a) } else { (a, b) };
        let (singles, nodes) = (owner.blocks.as_slice(), other.blocks.as_slice());
        let units = &mut self.queues.units;
        let (mut single, mut node, mut count) =
            units[usize::from(FROM_B)].pop::<4>(limit.to_bits());
        units[0].make_room(16);
        units[1].make_room(16);
        if (node[0] | node[1] | node[2] | node[3]) & Below::ISLAND != 0 {
            count = self.sift(FROM_B, &mut single, &mut node, count);
        }
        let mut first = 0;
        while first < count {
            let end = (first + W::LANES / 4).min(count);
            self.part::<W, FROM_B, DIVE>(
                [singles, nodes],
                [&single[first..end], &node[first..end]],
                limit,
            );
            first = end;
        }
    }

    /// Sets units aside that lead to other islands; how many do not.
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
            if let Some(island) = Below(node[u]).as_island() {
                let unit = (from_b, single[u], island);
                self.queues.aside.put(self.bodies, self.islands, unit);
            } else {
                (single[kept], node[kept]) = (single[u], node[u]);
                kept += 1;
            }
        }
        kept
    }

    /// Goes over to two islands for which units were set aside; whether there are any.
    fn go_over(&mut self) -> bool {
        let limit = f64::from(self.near.limit());
        let Queues { units, aside, .. } = &mut *self.queues;
        let next = aside.take(self.bodies, limit, |from_b, single, node| {
            let queue = &mut units[usize::from(from_b)];
            queue.make_room(1);
            queue.push(single, node, 0);
        });
        let Some((islands, frames)) = next else { return false };
        (self.islands, self.frames) = (islands, frames);
        true
    }

    /// As many units as fill the lanes.
    #[inline(always)]
    fn part<W: Wide, const FROM_B: bool, const DIVE: bool>(
        &mut self,
        [singles, nodes]: [&[Block]; 2],
        [single, node]: [&[u32]; 2],
        limit: f32,
    ) {
        let mut units = Units { singles: [&EMPTY; 4], lanes: [0; 4], nodes: [&EMPTY; 4] };
        let mut lifted = [0; 4];
        for u in 0..single.len().min(W::LANES / 4) {
            units.singles[u] = &singles[single[u] as usize / 4];
            units.nodes[u] = &nodes[node[u] as usize];
            (units.lanes[u], lifted[u]) = (single[u], 4 * node[u]);
        }
        let Frames { a_in_b, b_in_a } = &self.frames;
        let found = bounds::<W>(&units, if FROM_B { b_in_a } else { a_in_b });
        self.tally.count_volumes(Family::Obb, u64::from(found.present.count_ones()));
        let far = W::bits(found.square.greater(W::splat(limit)));
        let kept = found.present & !far;
        let (leaf, other_leaf) = (found.below_single.signs(), found.below_node.signs());
        let into_single = kept & !leaf & (other_leaf | found.single_larger);
        let into_node = kept & !other_leaf & !into_single;
        let both_leaves = kept & leaf & other_leaf;
        let key = found.centres.times_plus(W::splat(CENTRES), found.square);
        // On a dive, what is likely counts for what is certain.
        let bound = if DIVE { key } else { found.square };
        let Queues { units: [from_a, from_b], pairs, .. } = &mut *self.queues;
        let (own, turned) = if FROM_B { (from_b, from_a) } else { (from_a, from_b) };
        let lanes = W::repeat(&units.lanes);
        own.push_lanes(into_node, lanes, found.below_node, bound, key);
        let lifted = W::count_up(&lifted);
        turned.push_lanes(into_single, lifted, found.below_single, bound, key);
        if both_leaves != 0 {
            let (mut below_single, mut below_node, mut bounds) = ([0; 16], [0; 16], [0; 16]);
            found.below_single.compress(both_leaves, &mut below_single);
            found.below_node.compress(both_leaves, &mut below_node);
            bound.compress(both_leaves, &mut bounds);
            for i in 0..both_leaves.count_ones() as usize {
                let (x, y) = (Below(below_single[i]), Below(below_node[i]));
                let (x, y) = if FROM_B { (y, x) } else { (x, y) };
                push_pairs(pairs, x, y, bounds[i]);
            }
        }
    }

    /// Pops some pairs of records, at most sixteen, and keeps those whose triangles may be within the limit.
    #[inline(always)]
    fn sight<W: Wide>(&mut self) {
        let Bodies { a, b, sight, .. } = self.bodies;
        let limit = self.near.limit();
        let (ids_a, ids_b, count) = pop_pairs(&mut self.queues.pairs, squared(limit).to_bits());
        self.tally.primitives += count as u64;
        let mut left = near_burst::<W>(&a.records, &ids_a, &b.records, &ids_b, count, sight, limit);
        let close = &mut self.queues.close;
        while left != 0 {
            let i = left.trailing_zeros() as usize;
            left &= left - 1;
            close.push(Pair { a: ids_a[i], b: ids_b[i], bound: 0 });
        }
    }

    /// Measures the triangles of some pairs, at most sixteen, that may be within the limit.
    #[inline(always)]
    fn measure<W: Wide>(&mut self) -> ControlFlow<()> {
        let Bodies { a, b, sight, .. } = self.bodies;
        let (ids_a, ids_b, count) = pop_pairs(&mut self.queues.close, 0);
        let span = gap_burst::<W>(&a.records, &ids_a, &b.records, &ids_b, count, sight);
        for i in 0..count {
            self.near.pair(ids_a[i], ids_b[i], span.low[i], span.high[i])?;
        }
        ControlFlow::Continue(())
    }
}

/// How much the distance of centres counts beside the bound: boxes whose bounds are both nothing are told apart by it.
const CENTRES: f32 = 1.0 / 16.0;

/// Every record of one leaf with every record of another.
#[inline(always)]
fn push_pairs(pairs: &mut Vec<Pair>, a: Below, b: Below, bound: u32) {
    let others = b.records();
    pairs.reserve(Below::MOST * Below::MOST);
    for a in a.records() {
        pairs.extend(others.clone().map(|b| Pair { a, b, bound }));
    }
}
