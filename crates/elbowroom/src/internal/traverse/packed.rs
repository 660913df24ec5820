//! Simultaneous traversal of two packed BVHs: sixteen pairs of boxes to a SIMD batch.
//!
//! The stack holds *work items*, not pairs of nodes: one box of one tree against the four boxes of
//! a node of the other. Four items fill a batch whatever the shape of the trees, where pairs of
//! nodes would leave lanes empty whenever a large box meets a small tree. The single box may be of
//! either tree, and items of both kinds stand side by side in a batch: a bit of the box's number
//! says which, and each is transformed into the frame of its own node.
//!
//! ```text
//!                  pop 4                 of a pair that may meet, the smaller box becomes the single
//!   a box × 4  ┐        ┌  disjoint      one, against the children of the larger: a pair, an item
//!   a box × 4  ├─ batch ┤
//!   a box × 4  │        └  may meet ──┬─ two leaves: pairs of triangles, gathered to sixteens
//!   a box × 4  ┘                      └─ else: a new item
//! ```
//!
//! So there is one stack, one loop and one push for every result, and no guess about which tree to
//! descend next: a short query is a chain of batches, each of which waits for the one before, and
//! there a wrong guess costs as much as half a batch.
//!
//! An item whose node is the root of another island is deferred (`deferred.rs`). If no other items
//! are queued, the deferred items of two islands continue together, with transforms of their own. A
//! pop checks for that in one test of four numbers.
//!
//! Every instruction set takes the same steps in the same order: narrower ones take several to make
//! a batch. So the tally and the first hit do not depend on the machine.
//!
//! Only where any hit will do ([`Wanted::Any`]) is that worth less than the time it takes: such a
//! traversal is depth-first, one level of one tree with each step, and on eight lanes a batch of
//! sixteen pairs is twice the work of a step. There it takes as many items as fill a register at a
//! time, the two that are nearest of those just found first.

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

mod policy;
mod self_pairs;
mod stack;

use std::ops::ControlFlow;

use super::deferred::Deferred;
use super::relative::{BoxTransforms, RelativePose};
use super::tally::Tally;
use crate::internal::arch::{Block, F32xN, Kernel, PackedTriangle, SimdLevel, prefetch, run};
use crate::internal::bvh::Packed;
use crate::internal::bvh::packed::ChildRef;
use crate::internal::exact::{Plane, TriangleTransform, relate_batch};
use crate::internal::volume::Family;
use crate::internal::volume::obb_batch::{BoxTransform, EMPTY, WorkItems, separate_batch};
use crate::interrupt;

use policy::{Flush, MANY_BLOCKS, Policy, PushOrder};
use stack::{Popped, Stack};

pub use self_pairs::descend_self;

/// How many of the hits of a traversal are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// All.
    All,
    /// The first hit, the same one on every machine.
    First,
    /// Any hit; which one, and after how many steps, may depend on the machine.
    Any,
}

/// Receives the hits of a traversal.
pub trait Hits {
    /// How many hits are wanted; if one is enough, likely places come first.
    fn wanted(&self) -> Wanted;

    /// Two records whose triangles cross for certain, or for which f32 could not tell.
    fn hit(&mut self, a: u32, b: u32, is_certain: bool) -> ControlFlow<()>;
}

/// In the number of an item's single box: it is of the second tree.
const OF_B: u32 = 1 << 31;

/// Memory that traversals use while they run.
#[derive(Clone, Debug, Default)]
pub struct Stacks {
    /// Single boxes and the nodes that they are to be compared with.
    items: Stack,
    /// Records of leaves that may meet, pair by pair.
    pairs: Stack,
    /// Items for which other frames are needed.
    deferred: Deferred,
}

/// Two packed trees and their relative transforms.
#[derive(Clone, Copy, Debug)]
pub struct Bodies<'a> {
    /// The first.
    pub a: &'a Packed,
    /// The second.
    pub b: &'a Packed,
    /// The two poses.
    pub relative: RelativePose,
    /// The transforms between their first islands.
    pub main: BoxTransforms,
    /// The transform of the second mesh's triangles into the first's frame.
    pub transform: TriangleTransform,
}

/// Finds the pairs of records that cross, or may meet, until one breaks it off.
///
/// Returns `Break` if a hit did.
pub fn descend_packed(
    bodies: &Bodies,
    level: SimdLevel,
    hits: &mut impl Hits,
    stacks: &mut Stacks,
    tally: &mut Tally,
) -> ControlFlow<()> {
    run(level, descent(bodies, hits, stacks, tally))
}

/// The batch test as a kernel that runs on any lanes. For tests.
#[doc(hidden)]
pub fn descent<'a, H: Hits>(
    bodies: &'a Bodies,
    hits: &'a mut H,
    stacks: &'a mut Stacks,
    tally: &'a mut Tally,
) -> impl Kernel<Output = ControlFlow<()>> {
    Launch::<_, false> { bodies, hits, stacks, tally }
}

/// What a traversal starts from. The traversal itself is made where it runs, so that nothing of it
/// is copied.
struct Launch<'a, H, const OWN: bool> {
    bodies: &'a Bodies<'a>,
    hits: &'a mut H,
    stacks: &'a mut Stacks,
    tally: &'a mut Tally,
}

/// A tree, and the frame in which the boxes of its current island are seen from the other tree. Its
/// size is a power of two, so that a side is found by its bit.
#[repr(align(128))]
struct Side<'a> {
    blocks: &'a [Block],
    frame: BoxTransform,
}

/// The state of a traversal of two trees, or of one with itself.
struct Descent<'a, H, const OWN: bool> {
    bodies: &'a Bodies<'a>,
    /// The first tree and the second.
    sides: [Side<'a>; 2],
    /// The current islands of the first and of the second tree.
    islands: [u32; 2],
    hits: &'a mut H,
    stacks: &'a mut Stacks,
    tally: &'a mut Tally,
    /// Whether more was met than the nearer caches hold.
    is_vast: bool,
    /// The side whose triangles' planes separate most of the tested pairs.
    first_plane: Plane,
    /// The next block whose boxes are to be compared with each other, and its island; of one tree
    /// with itself only.
    block: usize,
    home: u32,
}

impl<H: Hits, const OWN: bool> Kernel for Launch<'_, H, OWN> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<W: F32xN>(self) -> ControlFlow<()> {
        Descent::new(self).run::<W>()
    }
}

impl<'a, H: Hits, const OWN: bool> Descent<'a, H, OWN> {
    #[inline(always)]
    fn new(launch: Launch<'a, H, OWN>) -> Self {
        let Launch { bodies, hits, stacks, tally } = launch;
        let [frame_a, frame_b] = bodies.main.of_either();
        let sides = [
            Side { blocks: bodies.a.blocks.as_slice(), frame: frame_a },
            Side { blocks: bodies.b.blocks.as_slice(), frame: frame_b },
        ];
        let islands = [0; 2];
        let (is_vast, first_plane) = (false, Plane::default());
        Self {
            bodies,
            sides,
            islands,
            hits,
            stacks,
            tally,
            is_vast,
            first_plane,
            block: 0,
            home: 0,
        }
    }

    #[inline(always)]
    fn run<W: F32xN>(&mut self) -> ControlFlow<()> {
        self.start();
        let wanted = self.hits.wanted();
        let has_many_blocks = self.sides[0].blocks.len() + self.sides[1].blocks.len() > MANY_BLOCKS;
        let may_be_narrow = !OWN && W::LANES < 16;
        let mut policy = Policy::after(0, wanted, may_be_narrow, has_many_blocks);
        let mut batches = 0;
        // Those of this batch and of the next, in turns.
        let mut slots = [Popped::default(); 2];
        loop {
            if batches == policy.until {
                interrupt::look();
                policy = Policy::after(batches, wanted, may_be_narrow, has_many_blocks);
                self.is_vast = policy.is_vast;
            }
            let (now, next) = (batches as usize & 1, !batches as usize & 1);
            if slots[now].count == 0 {
                self.pop(&mut slots[now], true, if policy.is_narrow() { W::LANES / 4 } else { 4 });
                if slots[now].count == 0 {
                    break;
                }
            }
            batches = batches.wrapping_add(1);
            slots[next].count = 0;
            if policy.is_ahead && self.stacks.items.len >= 4 {
                self.pop(&mut slots[next], false, 4);
                if policy.is_vast {
                    self.fetch_nodes(&slots[next]);
                }
            }
            self.test_items::<W>(&slots[now], policy.order);
            self.relate::<W>(policy.flush)?;
        }
        self.relate::<W>(Flush { enough: 1, kept: 0, in_sixteens: false })
    }

    /// The boxes of the first root against the second root.
    #[inline(always)]
    fn start(&mut self) {
        let Stacks { items, pairs, deferred } = &mut *self.stacks;
        deferred.clear();
        items.len = 0;
        pairs.len = 0;
        items.make_room(4);
        if OWN {
            return;
        }
        for lane in 0..4 {
            if self.bodies.a.blocks[0].0[15][lane].to_bits() != ChildRef::NOTHING.0 {
                items.push(lane as u32, 0);
            }
        }
    }

    /// Pops up to four items. None if no item is queued for the two current islands and others must
    /// not be entered, or if no item is queued at all.
    #[inline(always)]
    fn pop(&mut self, popped: &mut Popped, may_go_over: bool, most: usize) {
        if OWN {
            self.refill();
        }
        self.stacks.items.pop(popped, most);
        let [p, q, r, s] = popped.node;
        let nodes = if most < 4 { p | q } else { p | q | r | s };
        if nodes & ChildRef::ISLAND != 0 || popped.count == 0 {
            self.sift(popped, may_go_over, most);
        }
    }

    /// Prefetches the nodes of items.
    #[inline(always)]
    fn fetch_nodes(&self, popped: &Popped) {
        for u in 0..4 {
            let other = 1 - (popped.single[u] >> 31) as usize;
            prefetch(self.sides[other].blocks, popped.node[u] as usize);
        }
    }

    /// Defers items that lead to other islands, until there are some that do not.
    #[cold]
    #[inline(never)]
    fn sift(&mut self, popped: &mut Popped, may_go_over: bool, most: usize) {
        loop {
            let mut kept = 0;
            for u in 0..popped.count {
                let (single, node) = (popped.single[u], popped.node[u]);
                if let Some(island) = ChildRef(node).as_island() {
                    let item = (single & OF_B != 0, single & !OF_B, island);
                    self.stacks.deferred.put(self.bodies, self.islands, item);
                } else {
                    (popped.single[kept], popped.node[kept]) = (single, node);
                    kept += 1;
                }
            }
            let is_end = popped.count == 0 && !(may_go_over && self.go_over());
            popped.count = kept;
            popped.fill();
            if kept > 0 || is_end {
                return;
            }
            if OWN {
                self.refill();
            }
            self.stacks.items.pop(popped, most);
        }
    }

    /// Continues with two islands for which items were deferred, all of them; whether there are
    /// any.
    fn go_over(&mut self) -> bool {
        let Stacks { items, deferred, .. } = &mut *self.stacks;
        let next = deferred.take(self.bodies, 0.0, |from_b, single, node| {
            items.make_room(1);
            items.push(if from_b { single | OF_B } else { single }, node);
        });
        match next {
            Some((islands, frames)) => {
                self.set_islands(islands, frames);
                true
            }
            None => OWN && self.go_home(),
        }
    }

    /// Sets the current islands.
    fn set_islands(&mut self, islands: [u32; 2], frames: BoxTransforms) {
        self.islands = islands;
        [self.sides[0].frame, self.sides[1].frame] = frames.of_either();
    }

    /// Tests items and pushes what they leave.
    #[inline(always)]
    fn test_items<W: F32xN>(&mut self, popped: &Popped, order: PushOrder) {
        self.stacks.items.make_room(16);
        let mut lanes = u32::MAX >> (32 - 4 * popped.count);
        if OWN {
            lanes &= self_pairs::once(popped);
        }
        let mut first = 0;
        while first < popped.count {
            self.test_lanes::<W>(popped, first, lanes, order);
            lanes >>= W::LANES;
            first += W::LANES / 4;
        }
    }

    /// Tests as many items as fill the lanes, from `first` on; `lanes` are those in use.
    #[inline(always)]
    fn test_lanes<W: F32xN>(
        &mut self,
        popped: &Popped,
        first: usize,
        lanes: u32,
        order: PushOrder,
    ) {
        let sides = &self.sides;
        let mut items = WorkItems { singles: [&EMPTY; 4], lanes: [0; 4], nodes: [&EMPTY; 4] };
        let (mut lifted, mut seen) = ([0; 4], [&sides[0].frame; 4]);
        for u in 0..W::LANES / 4 {
            let (single, node) = (popped.single[first + u], popped.node[first + u]);
            // A place in an array, and no condition, of which the compiler might make a branch.
            let side = (single >> 31) as usize;
            let (own, other) = (&sides[side], &sides[1 - side]);
            items.singles[u] = &own.blocks[(single & !OF_B) as usize / 4];
            items.nodes[u] = &other.blocks[node as usize];
            seen[u] = &own.frame;
            // What a box of the node is called when it becomes the single one.
            (items.lanes[u], lifted[u]) = (single, (4 * node) | (!single & OF_B));
        }
        let found = separate_batch::<W>(&items, seen, !self.is_vast);
        let present = W::bits(found.present) & lanes;
        self.tally.count_volumes(Family::Obb, u64::from(present.count_ones()));
        let meets = present & !W::bits(found.apart);
        let (leaf, other_leaf) = (found.below_single.negative(), found.below_node.negative());
        let leaves = meets & W::bits(W::both(leaf, other_leaf));
        let going_on = meets & !leaves;
        // The larger of the two is gone into, or the one that is no leaf.
        let into_single = W::without(other_leaf | found.single_larger, leaf);
        let single = W::select(into_single, W::count_up(&lifted), W::repeat(&items.lanes));
        let node = W::select(into_single, found.below_single, found.below_node);
        let stack = &mut self.stacks.items;
        if order == PushOrder::Two {
            stack.push_nearest_last(going_on, single, node, found.distance());
        } else {
            stack.push_lanes(going_on, single, node);
            if order == PushOrder::EachItem {
                stack.raise_nearest(going_on, found.distance());
            }
        }
        if leaves != 0 {
            let of_b = W::repeat(&items.lanes).negative();
            let (mut below_a, mut below_b) = ([0; 16], [0; 16]);
            W::select(of_b, found.below_node, found.below_single).compress(leaves, &mut below_a);
            W::select(of_b, found.below_single, found.below_node).compress(leaves, &mut below_b);
            for i in 0..leaves.count_ones() as usize {
                let [x, y] = [ChildRef(below_a[i]), ChildRef(below_b[i])];
                self.stacks.pairs.push_pairs(x, y);
                if self.is_vast {
                    fetch_records(&self.bodies.a.records, x);
                    fetch_records(&self.bodies.b.records, y);
                }
            }
        }
    }

    /// Relates the triangles of waiting pairs of records, if there are enough of them: the oldest
    /// first, and not the last few that are to be kept.
    #[inline(always)]
    fn relate<W: F32xN>(&mut self, Flush { enough, kept, in_sixteens }: Flush) -> ControlFlow<()> {
        let len = self.stacks.pairs.len;
        if len < enough {
            return ControlFlow::Continue(());
        }
        let end = if in_sixteens { (len - kept) / 16 * 16 } else { len };
        let mut at = 0;
        while at < end {
            self.relate_some::<W>(at, (end - at).min(16))?;
            at += 16;
        }
        if in_sixteens {
            self.stacks.pairs.shift_down(end);
        } else {
            self.stacks.pairs.len = 0;
        }
        ControlFlow::Continue(())
    }

    /// Relates the triangles of some pairs of records, at most sixteen, from a place on.
    #[inline(always)]
    fn relate_some<W: F32xN>(&mut self, at: usize, count: usize) -> ControlFlow<()> {
        let Bodies { a, b, transform, .. } = self.bodies;
        let pairs = &mut self.stacks.pairs;
        // Beyond the end there is room: lanes without a pair look at the first one again.
        let (first, second) = (pairs.first[at], pairs.second[at]);
        for i in count..count.next_multiple_of(W::LANES) {
            (pairs.first[at + i], pairs.second[at + i]) = (first, second);
        }
        let [ids_a, ids_b] = [&pairs.first, &pairs.second]
            .map(|ids| ids[at..].first_chunk::<16>().expect("there is room for sixteen"));
        self.tally.primitives += count as u64;
        let (records, plane) = ([&*a.records, &*b.records], &mut self.first_plane);
        let found = relate_batch::<W>(records, [ids_a, ids_b], count, transform, plane);
        let mut left = (found.crossing | found.unsure) & (u32::MAX >> (32 - count));
        while left != 0 {
            let i = left.trailing_zeros() as usize;
            left &= left - 1;
            self.hits.hit(ids_a[i], ids_b[i], found.crossing >> i & 1 == 1)?;
        }
        ControlFlow::Continue(())
    }
}

/// Prefetches the triangles of a leaf: the first two, and the last.
#[inline(always)]
fn fetch_records(records: &[PackedTriangle], leaf: ChildRef) {
    let range = leaf.records();
    prefetch(records, range.start as usize);
    prefetch(records, range.start as usize + 1);
    prefetch(records, range.end as usize - 1);
}
