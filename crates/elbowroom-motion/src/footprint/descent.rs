//! Two packed footprints, from the roots down: what [`ask`](super::ask()) runs.

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

use glam::DVec2;

use super::ask::{Stance, which_open};
use super::circles::Circle;
use super::packed::{Block, LANES, NODE, Packed, Turned, frontier};
use elbowroom::internal::arch::{F32x8, F32x8Kernel};

/// One of two footprints in a traversal.
#[derive(Clone, Copy)]
pub(super) struct Side<'a> {
    pub(super) nodes: &'a [Circle],
    pub(super) packed: &'a Packed,
}

impl Side<'_> {
    /// Whether a traversal ends with what a packed circle stands for, because nothing is below or a
    /// level forbids to look into its block.
    #[inline(always)]
    fn ends(&self, below: u16, limit: u32) -> bool {
        below & NODE != 0 || (limit != u32::MAX && self.is_too_deep(below, limit))
    }

    fn is_too_deep(&self, block: u16, limit: u32) -> bool {
        u32::from(self.packed.owners[usize::from(block)].lowest) > limit
    }

    /// The nodes at which the binary loop ends there.
    fn finals(&self, below: u16, limit: u32) -> ([u32; LANES], usize) {
        if below & NODE != 0 {
            return ([u32::from(below & !NODE); LANES], 1);
        }
        let node = self.packed.owners[usize::from(below)].node;
        frontier(self.nodes, node, u16::try_from(limit).unwrap_or(u16::MAX))
    }
}

/// A pair of blocks, and which of their circles count.
#[derive(Clone, Copy)]
struct Pair {
    a: u16,
    b: u16,
    lanes_a: u8,
    lanes_b: u8,
}

/// What is still to be looked into of a pair of blocks: four bits for each circle of the second.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    a: u16,
    b: u16,
    bits: u32,
}

/// All circles of a block.
const ALL: u8 = 0xf;

/// A descent: whether the binary loop would find two nodes at which it ends, and how many pairs of
/// blocks were compared.
///
/// Of the circles of two blocks, the pair that overlaps most is looked into at once, the others if
/// that leads nowhere.
pub(super) struct Descent<'a> {
    pub(super) a: Side<'a>,
    pub(super) b: Side<'a>,
    pub(super) stance: &'a Stance,
    pub(super) turned: Turned,
    pub(super) limit: u32,
    pub(super) waiting: &'a mut Vec<Waiting>,
}

impl F32x8Kernel for Descent<'_> {
    type Output = (bool, u64);

    #[inline(always)]
    fn run<O: F32x8>(self) -> (bool, u64) {
        let Self { a, b, limit, turned, waiting, .. } = self;
        let (nodes_a, nodes_b) = (a.nodes, b.nodes);
        let steps = turned.steps;
        let replay = Replay { a: nodes_a, b: nodes_b, stance: self.stance, steps, limit };
        if limit != u32::MAX && (a.is_too_deep(0, limit) || b.is_too_deep(0, limit)) {
            return (any(&replay, a, 0, b, 0, limit), 0);
        }
        waiting.clear();
        let mut pair = Pair { a: 0, b: 0, lanes_a: ALL, lanes_b: ALL };
        let mut batches = 0;
        loop {
            let (p, q) =
                (&a.packed.blocks[usize::from(pair.a)], &b.packed.blocks[usize::from(pair.b)]);
            let (bits, mut lane) = compare::<O>(&turned, p, q, &pair);
            batches += 1;
            let mut rest = Waiting { a: pair.a, b: pair.b, bits };
            pair = loop {
                while rest.bits == 0 {
                    let Some(next) = waiting.pop() else { return (false, batches) };
                    rest = next;
                    lane = rest.bits.trailing_zeros() as usize;
                }
                rest.bits &= !(1 << lane);
                let (i, j) = (lane % LANES, lane / LANES);
                lane = rest.bits.trailing_zeros() as usize;
                let below_a = a.packed.blocks[usize::from(rest.a)].below[i];
                let below_b = b.packed.blocks[usize::from(rest.b)].below[j];
                if below_a == 0 || below_b == 0 {
                    continue;
                }
                let (ends_a, ends_b) = (a.ends(below_a, limit), b.ends(below_b, limit));
                if ends_a && ends_b {
                    if any(&replay, a, below_a, b, below_b, limit) {
                        return (true, batches);
                    }
                    continue;
                }
                if rest.bits != 0 {
                    waiting.push(rest);
                }
                // What ends waits for the other side, alone.
                let (next_a, lanes_a) = if ends_a { (rest.a, 1 << i) } else { (below_a, ALL) };
                let (next_b, lanes_b) = if ends_b { (rest.b, 1 << j) } else { (below_b, ALL) };
                break Pair { a: next_a, b: next_b, lanes_a, lanes_b };
            };
        }
    }
}

/// Which pairs of circles may meet, and which of them overlaps most: by the square of the sum of
/// the radii less that of the distance.
#[inline(always)]
fn compare<O: F32x8>(turned: &Turned, a: &Block, b: &Block, pair: &Pair) -> (u32, usize) {
    let (cos, sin) = (O::splat(turned.cos), O::splat(turned.sin));
    let (x, y) = (O::count_twice(&b.x), O::count_twice(&b.y));
    let there_x = (cos * x - sin * y + O::splat(turned.x)).spread();
    let there_y = (sin * x + cos * y + O::splat(turned.y)).spread();
    let radius = O::count_twice(&b.radius) * O::splat(turned.step) + O::splat(turned.slack);
    let radius = radius.spread();
    let a_radius = O::count_twice(&a.radius);
    let (a_x, a_y) = (O::count_twice(&a.x), O::count_twice(&a.y));
    // Without closures, which would not have the instruction set switched on.
    let low = overlap(a_x - there_x[0], a_y - there_y[0], a_radius + radius[0]);
    let high = overlap(a_x - there_x[1], a_y - there_y[1], a_radius + radius[1]);
    let none = O::splat(0.0);
    let bits = O::bits(low.greater(none)) | O::bits(high.greater(none)) << 8;
    if pair.lanes_a & pair.lanes_b == ALL {
        return (bits, low.most(high));
    }
    let of_a = u32::from(pair.lanes_a) * 0x1111;
    let of_b = (0..LANES).map(|j| u32::from(pair.lanes_b >> j & 1) * (0xf << (LANES * j)));
    let bits = bits & of_a & of_b.sum::<u32>();
    (bits, bits.trailing_zeros() as usize)
}

#[inline(always)]
fn overlap<O: F32x8>(dx: O, dy: O, reach: O) -> O {
    reach * reach - (dx * dx + dy * dy)
}

/// Whether the binary loop comes to a pair of nodes at which it ends, below two packed circles, and
/// finds them not apart.
#[inline]
fn any(replay: &Replay<'_>, a: Side<'_>, i: u16, b: Side<'_>, j: u16, limit: u32) -> bool {
    if i & j & NODE != 0 {
        return replay.meets(u32::from(i & !NODE), u32::from(j & !NODE));
    }
    let ((ends_a, m), (ends_b, n)) = (a.finals(i, limit), b.finals(j, limit));
    ends_a[..m].iter().any(|&p| ends_b[..n].iter().any(|&q| replay.meets(p, q)))
}

/// What the binary loop does on the way to two nodes at which it ends.
struct Replay<'a> {
    a: &'a [Circle],
    b: &'a [Circle],
    stance: &'a Stance,
    steps: [f64; 2],
    limit: u32,
}

impl Replay<'_> {
    /// Whether they are not apart, and no two nodes above them that the loop compares are.
    #[inline]
    fn meets(&self, p: u32, q: u32) -> bool {
        let (a, b) = (&self.a[p as usize], &self.b[q as usize]);
        if !self.stance.may_meet(a, b) {
            return false;
        }
        let apart = self.stance.apply(DVec2::new(b.x, b.y)) - DVec2::new(a.x, a.y);
        let cores = f64::from(a.core) * self.steps[0] + f64::from(b.core) * self.steps[1];
        // What rounding adds to the distance is less than what the loop allows.
        let have_some_in_common = a.core.min(b.core) > 0 && apart.length_squared() <= cores * cores;
        have_some_in_common || self.meets_from_the_roots(p, q)
    }

    #[cold]
    fn meets_from_the_roots(&self, p: u32, q: u32) -> bool {
        let (mut i, mut j) = (0, 0);
        loop {
            let (a, b) = (&self.a[i as usize], &self.b[j as usize]);
            if !self.stance.may_meet(a, b) {
                return false;
            }
            let (opens_a, opens_b) = which_open(a, b, self.limit);
            if !opens_a && !opens_b {
                return true;
            }
            i = if opens_a { toward(self.a, a.child, p) } else { i };
            j = if opens_b { toward(self.b, b.child, q) } else { j };
        }
    }
}

/// Which of two children holds a node: the nodes below the left one stand before those below the
/// right one.
fn toward(nodes: &[Circle], left: u32, node: u32) -> u32 {
    let after = nodes[left as usize + 1].child;
    let is_left = node == left || (node > left + 1 && (after == 0 || node < after));
    left + u32::from(!is_left)
}
