//! Two packed trees, sixteen pairs of boxes at a time.
//!
//! What waits is not pairs of nodes but *units*: one box of one tree against the four boxes of a node of the
//! other. Four units fill a burst whatever the shape of the trees, where pairs of nodes would leave
//! lanes empty whenever a large box meets a small tree. The single box may be of either tree, and units of both kinds stand side by side in a burst:
//! a bit of the box's number says which, and each is turned into the frame of its own node.
//!
//! ```text
//!                  pop 4                 of a pair that may meet, the smaller box becomes the single
//!   a box × 4  ┐        ┌  apart         one, against what is below the larger: one pair, one unit
//!   a box × 4  ├─ burst ┤
//!   a box × 4  │        └  may meet ──┬─ two leaves: pairs of records, gathered to sixteens
//!   a box × 4  ┘                      └─ else: a new unit
//! ```
//!
//! So there is one stack, one text and one push for whatever is found, and nothing to be guessed about which tree is to be
//! gone down next: a short query is a chain of bursts, each of which waits for the one before, and there a wrong guess costs as much as half a burst.
//!
//! A unit whose node is the root of another island is set aside, and when nothing else waits the units of two islands are
//! gone on with together, in frames of their own. A pop looks for that in one test of four numbers.
//!
//! Every instruction set takes the same steps in the same order: narrower ones take several to make a
//! burst. So the tally and the first hit do not depend on the machine.
//!
//! Only where any hit will do ([`Wanted::Any`]) is that worth less than the time it takes: such a descent goes straight down, one level of one tree with each step, and on eight lanes
//! a burst of sixteen pairs is twice the work of a step. There it takes as many units as fill a register at a time, the two that are nearest of those just found first.

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

mod within;

use std::ops::ControlFlow;

use super::aside::Aside;
use super::stance::{Frames, Stance};
use super::tally::Tally;
use crate::arch::{Block, Kernel, Level, Record, Wide, prefetch, run};
use crate::exact::{Sight, relate_burst};
use crate::tree::Packed;
use crate::tree::packed::Below;
use crate::volume::Family;
use crate::volume::burst::{EMPTY, Frame, Units, burst};

pub use within::descend_within;

/// How much of what a descent finds is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// All.
    All,
    /// The first hit, the same one on every machine.
    First,
    /// Any hit; which one, and after how many steps, may depend on the machine.
    Any,
}

/// Takes what a descent finds.
pub trait Hits {
    /// What will do; if one hit does, it pays to look where it is likely.
    fn wanted(&self) -> Wanted;

    /// Two records whose triangles cross for certain, or for which f32 could not tell.
    fn hit(&mut self, a: u32, b: u32, is_certain: bool) -> ControlFlow<()>;
}

/// In the number of a unit's single box: it is of the second tree.
const OF_B: u32 = 1 << 31;

/// Memory that descents use while they run.
#[derive(Clone, Debug, Default)]
pub struct Stacks {
    /// Single boxes and the nodes that they are to be compared with.
    units: Stack,
    /// Records of leaves that may meet, pair by pair.
    pairs: Stack,
    /// Units for which other frames are needed.
    aside: Aside,
}

/// Pairs of numbers, in two arrays so that lanes can be stored as they are. Beyond `len` there is room
/// for a burst's worth.
#[derive(Clone, Debug, Default)]
struct Stack {
    first: Vec<u32>,
    second: Vec<u32>,
    len: usize,
}

impl Stack {
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
        self.first.resize(size, 0);
        self.second.resize(size, 0);
    }

    /// Pushes the lanes of a mask; there must be room.
    #[inline(always)]
    fn push_lanes<W: Wide>(&mut self, mask: u32, first: W, second: W) {
        let (at, end) = (self.len, self.len + 16);
        if let (Ok(x), Ok(y)) =
            ((&mut self.first[at..end]).try_into(), (&mut self.second[at..end]).try_into())
        {
            first.compress(mask, x);
            second.compress(mask, y);
        }
        self.len += mask.count_ones() as usize;
    }

    /// Of the lanes just pushed, brings that whose distance is least to the end of its unit: unit by unit, so that
    /// it is the same on lanes of any number.
    #[inline(always)]
    fn raise_nearest<W: Wide>(&mut self, mask: u32, distance: W) {
        if mask & mask.wrapping_sub(1) == 0 {
            return;
        }
        let pushed = self.len - mask.count_ones() as usize;
        let mut bits = [0; 16];
        distance.compress(mask, &mut bits);
        let (mut unit, mut begin) = (0, 0);
        while unit < W::LANES {
            let end = begin + (mask >> unit & 15).count_ones() as usize;
            // Distances are not negative, so that their bits are in their order.
            let mut nearest = begin;
            for i in begin + 1..end {
                if bits[i] <= bits[nearest] {
                    nearest = i;
                }
            }
            if end > begin + 1 {
                self.first.swap(pushed + nearest, pushed + end - 1);
                self.second.swap(pushed + nearest, pushed + end - 1);
            }
            begin = end;
            unit += 4;
        }
    }

    /// Pushes the lanes of a mask, the two that are nearest last; there must be room.
    #[inline(always)]
    fn push_nearest_last<W: Wide>(&mut self, mask: u32, first: W, second: W, distance: W) {
        let [x, y] = distance.two_least(W::mask(mask));
        self.push_lanes(mask & !(1 << x) & !(1 << y), first, second);
        let (mut firsts, mut seconds) = ([0; 16], [0; 16]);
        first.compress(u32::MAX, &mut firsts);
        second.compress(u32::MAX, &mut seconds);
        let (x, y) = (x as usize & 15, y as usize & 15);
        // One is the last whether there are two or not: so nothing has to be guessed.
        let (count, more) = (mask.count_ones(), usize::from(mask.count_ones() > 1));
        let (at, last) = (self.len, self.len + more);
        (self.first[at], self.second[at]) = (firsts[y], seconds[y]);
        (self.first[last], self.second[last]) = (firsts[x], seconds[x]);
        self.len += more + usize::from(count > 0);
    }

    /// Pops up to so many, at most four; beyond the count they are the first one again.
    #[inline(always)]
    fn pop(&mut self, popped: &mut Popped, most: usize) {
        popped.count = self.len.min(most);
        self.len -= popped.count;
        let at = self.len;
        // Beyond the end there is room, so that four can always be read.
        let (single, node) = (&self.first[at..at + 4], &self.second[at..at + 4]);
        if most < 4 {
            // Number by number, as they were pushed: a wider load would wait until each of them is in the cache.
            let is_more = popped.count > 1;
            popped.single[0] = single[0];
            popped.node[0] = node[0];
            popped.single[1] = if is_more { single[1] } else { single[0] };
            popped.node[1] = if is_more { node[1] } else { node[0] };
        } else {
            popped.single.copy_from_slice(single);
            popped.node.copy_from_slice(node);
            if popped.count < 4 {
                popped.fill();
            }
        }
    }

    /// Forgets the first ones; fewer than 32 may be left.
    #[inline(always)]
    fn shift_down(&mut self, count: usize) {
        let left = self.len - count;
        debug_assert!(left < 32);
        for numbers in [&mut self.first, &mut self.second] {
            // As many as may be left: there is room beyond the end, and no loop whose end has to be guessed.
            let mut few = [0; 32];
            few.copy_from_slice(&numbers[count..count + 32]);
            numbers[..32].copy_from_slice(&few);
        }
        self.len = left;
    }

    #[inline(always)]
    fn push(&mut self, first: u32, second: u32) {
        self.first[self.len] = first;
        self.second[self.len] = second;
        self.len += 1;
    }
}

/// Two packed trees and how they stand to each other.
#[derive(Clone, Copy, Debug)]
pub struct Bodies<'a> {
    /// The first.
    pub a: &'a Packed,
    /// The second.
    pub b: &'a Packed,
    /// The two placements.
    pub stance: Stance,
    /// How their first islands see each other.
    pub main: Frames,
    /// The second mesh's triangles, seen from the first.
    pub sight: Sight,
}

/// Finds the pairs of records that cross, or may meet, until one breaks it off.
///
/// # Errors
/// Not an error: `Break` if a hit broke it off.
pub fn descend_packed(
    bodies: &Bodies,
    level: Level,
    hits: &mut impl Hits,
    stacks: &mut Stacks,
    tally: &mut Tally,
) -> ControlFlow<()> {
    run(level, descent(bodies, hits, stacks, tally))
}

/// The same as a kernel, to be run on any lanes. For tests.
#[doc(hidden)]
pub fn descent<'a, H: Hits>(
    bodies: &'a Bodies,
    hits: &'a mut H,
    stacks: &'a mut Stacks,
    tally: &'a mut Tally,
) -> impl Kernel<Output = ControlFlow<()>> {
    Launch::<_, false> { bodies, hits, stacks, tally }
}

/// What a descent needs to begin with; itself it is made where it runs, so that nothing of it is copied.
struct Launch<'a, H, const OWN: bool> {
    bodies: &'a Bodies<'a>,
    hits: &'a mut H,
    stacks: &'a mut Stacks,
    tally: &'a mut Tally,
}

/// Of two trees, or of one with itself.
struct Descent<'a, H, const OWN: bool> {
    bodies: &'a Bodies<'a>,
    /// The blocks of the first tree and of the second.
    trees: [&'a [Block]; 2],
    /// The islands of the first tree and of the second that are looked at, and how their boxes are seen from the other.
    islands: [u32; 2],
    frames: [Frame; 2],
    hits: &'a mut H,
    stacks: &'a mut Stacks,
    tally: &'a mut Tally,
    /// Whether more was met than the nearer caches hold.
    is_vast: bool,
    /// The next block whose boxes are to be compared with each other, and its island; of one tree with itself only.
    block: usize,
    home: u32,
}

/// Units that were popped, up to four. Beyond the count they repeat the first one, so that as many can be looked at as were asked for.
///
/// It stays where it is: copied as a whole just after it was written, it would have to wait for its parts.
#[derive(Clone, Copy, Default)]
struct Popped {
    single: [u32; 4],
    node: [u32; 4],
    count: usize,
}

impl Popped {
    #[inline(always)]
    fn fill(&mut self) {
        let (single, node) = if self.count == 0 { (0, 0) } else { (self.single[0], self.node[0]) };
        for u in self.count..4 {
            (self.single[u], self.node[u]) = (single, node);
        }
    }
}

/// After so many bursts a query for a hit is taken for a long one: as one for all hits does from the beginning, it then pops the next units, where a whole burst
/// of them waits, before it pushes what the last ones left, so that one burst need not wait for the other's end. A short one, which often
/// ends with its first hit, goes straight down.
const LONG: u32 = 32;

/// After so many bursts a query has met more than the nearer caches hold, if the trees have that much: it then has nodes fetched that it has popped ahead, and records that wait to be
/// looked at. Fetching what is there already costs a twentieth of the time.
const VAST: u32 = 2048;

/// Trees with so many blocks, a megabyte, are not held by the nearer caches.
const MANY_BLOCKS: usize = 4096;

/// After so many narrow steps nothing was found straight below, and the descent has to look everywhere: in whole bursts, which are less work for each pair.
const STRAIGHT: u32 = 24;

/// How many pairs of records are looked at together when one hit is enough.
const EAGER_PAIRS: usize = 6;

/// Which waiting pairs of records are looked at.
#[derive(Clone, Copy)]
struct Waiting {
    /// None if there are fewer.
    enough: usize,
    /// So many are left.
    kept: usize,
    /// Whether only whole sixteens are worth while.
    in_sixteens: bool,
}

/// How what a step found is pushed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// As it was found.
    Found,
    /// Of each unit the nearest last: the same on lanes of any number.
    EachUnit,
    /// The two nearest last.
    Two,
}

impl<H: Hits, const OWN: bool> Kernel for Launch<'_, H, OWN> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<W: Wide>(self) -> ControlFlow<()> {
        Descent::new(self).run::<W>()
    }
}

impl<'a, H: Hits, const OWN: bool> Descent<'a, H, OWN> {
    #[inline(always)]
    fn new(launch: Launch<'a, H, OWN>) -> Self {
        let Launch { bodies, hits, stacks, tally } = launch;
        let trees = [bodies.a.blocks.as_slice(), bodies.b.blocks.as_slice()];
        let (islands, frames) = ([0; 2], bodies.main.of_either());
        let is_vast = false;
        Self { bodies, trees, islands, frames, hits, stacks, tally, is_vast, block: 0, home: 0 }
    }

    #[inline(always)]
    fn run<W: Wide>(&mut self) -> ControlFlow<()> {
        self.start();
        let wanted = self.hits.wanted();
        let may_be_narrow = !OWN && wanted == Wanted::Any && W::LANES < 16;
        let mut bursts = 0;
        let ahead = if wanted == Wanted::All { 0 } else { LONG };
        let has_many_blocks = self.trees[0].len() + self.trees[1].len() > MANY_BLOCKS;
        // Those of this burst and of the next, in turns.
        let mut slots = [Popped::default(); 2];
        loop {
            let (now, next) = (bursts as usize & 1, !bursts as usize & 1);
            let is_narrow = may_be_narrow && bursts < STRAIGHT;
            if slots[now].count == 0 {
                self.pop(&mut slots[now], true, if is_narrow { W::LANES / 4 } else { 4 });
                if slots[now].count == 0 {
                    break;
                }
            }
            bursts += 1;
            self.is_vast = has_many_blocks && bursts > VAST;
            slots[next].count = 0;
            if bursts > ahead && self.stacks.units.len >= 4 {
                self.pop(&mut slots[next], false, 4);
                if self.is_vast {
                    self.fetch_nodes(&slots[next]);
                }
            }
            // A hit is worth more than full lanes to whoever wants only one, as long as it may be near.
            let is_eager = wanted != Wanted::All && bursts <= LONG;
            let waiting = match (is_eager, self.is_vast) {
                (true, _) => Waiting { enough: EAGER_PAIRS, kept: 0, in_sixteens: false },
                (false, false) => Waiting { enough: 16, kept: 0, in_sixteens: true },
                // The last ones are still being fetched.
                (false, true) => Waiting { enough: 64, kept: 16, in_sixteens: true },
            };
            let order = match (is_narrow, is_eager) {
                (true, _) => Order::Two,
                (false, true) => Order::EachUnit,
                (false, false) => Order::Found,
            };
            self.burst::<W>(&slots[now], order);
            self.relate::<W>(waiting)?;
        }
        self.relate::<W>(Waiting { enough: 1, kept: 0, in_sixteens: false })
    }

    /// The boxes of the first root against the second root.
    #[inline(always)]
    fn start(&mut self) {
        let Stacks { units, pairs, aside } = &mut *self.stacks;
        aside.clear();
        units.len = 0;
        pairs.len = 0;
        units.make_room(4);
        if OWN {
            return;
        }
        for lane in 0..4 {
            if self.bodies.a.blocks[0].0[15][lane].to_bits() != Below::NOTHING.0 {
                units.push(lane as u32, 0);
            }
        }
    }

    /// Up to so many units. None if nothing waits for the two islands that are looked at and others
    /// are not to be gone over to, or if nothing waits at all.
    #[inline(always)]
    fn pop(&mut self, popped: &mut Popped, may_go_over: bool, most: usize) {
        if OWN {
            self.refill();
        }
        self.stacks.units.pop(popped, most);
        let [p, q, r, s] = popped.node;
        let nodes = if most < 4 { p | q } else { p | q | r | s };
        if nodes & Below::ISLAND != 0 || popped.count == 0 {
            self.sift(popped, may_go_over, most);
        }
    }

    /// Has the nodes of units fetched.
    #[inline(always)]
    fn fetch_nodes(&self, popped: &Popped) {
        for u in 0..4 {
            let other = 1 - (popped.single[u] >> 31) as usize;
            prefetch(self.trees[other], popped.node[u] as usize);
        }
    }

    /// Sets units aside that lead to other islands, until there are some that do not.
    #[cold]
    #[inline(never)]
    fn sift(&mut self, popped: &mut Popped, may_go_over: bool, most: usize) {
        loop {
            let mut kept = 0;
            for u in 0..popped.count {
                let (single, node) = (popped.single[u], popped.node[u]);
                if let Some(island) = Below(node).as_island() {
                    let unit = (single & OF_B != 0, single & !OF_B, island);
                    self.stacks.aside.put(self.bodies, self.islands, unit);
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
            self.stacks.units.pop(popped, most);
        }
    }

    /// Goes over to two islands for which units were set aside, all of them; whether there are any.
    fn go_over(&mut self) -> bool {
        let Stacks { units, aside, .. } = &mut *self.stacks;
        let next = aside.take(self.bodies, 0.0, |from_b, single, node| {
            units.make_room(1);
            units.push(if from_b { single | OF_B } else { single }, node);
        });
        match next {
            Some((islands, frames)) => {
                (self.islands, self.frames) = (islands, frames.of_either());
                true
            }
            None => OWN && self.go_home(),
        }
    }

    /// Tests units and pushes what they leave.
    #[inline(always)]
    fn burst<W: Wide>(&mut self, popped: &Popped, order: Order) {
        self.stacks.units.make_room(16);
        let mut lanes = u32::MAX >> (32 - 4 * popped.count);
        if OWN {
            lanes &= within::once(popped);
        }
        let mut first = 0;
        while first < popped.count {
            self.part::<W>(popped, first, lanes, order);
            lanes >>= W::LANES;
            first += W::LANES / 4;
        }
    }

    /// As many units as fill the lanes, from the first on that is named; in these lanes there are some.
    #[inline(always)]
    fn part<W: Wide>(&mut self, popped: &Popped, first: usize, lanes: u32, order: Order) {
        let Self { trees, frames, .. } = &*self;
        let mut units = Units { singles: [&EMPTY; 4], lanes: [0; 4], nodes: [&EMPTY; 4] };
        let (mut lifted, mut seen) = ([0; 4], [&frames[0]; 4]);
        for u in 0..W::LANES / 4 {
            let (single, node) = (popped.single[first + u], popped.node[first + u]);
            // A place in an array, and no condition, of which the compiler might make a branch.
            let side = (single >> 31) as usize;
            units.singles[u] = &trees[side][(single & !OF_B) as usize / 4];
            units.nodes[u] = &trees[1 - side][node as usize];
            seen[u] = &frames[side];
            // What a box of the node is called when it becomes the single one.
            (units.lanes[u], lifted[u]) = (single, (4 * node) | (!single & OF_B));
        }
        let found = burst::<W>(&units, seen);
        let present = W::bits(found.present) & lanes;
        self.tally.count_volumes(Family::Obb, u64::from(present.count_ones()));
        let meets = present & !W::bits(found.apart);
        let (leaf, other_leaf) = (found.below_single.negative(), found.below_node.negative());
        let leaves = meets & W::bits(W::both(leaf, other_leaf));
        let going_on = meets & !leaves;
        // The larger of the two is gone into, or the one that is no leaf.
        let into_single = W::without(other_leaf | found.single_larger, leaf);
        let single = W::select(into_single, W::count_up(&lifted), W::repeat(&units.lanes));
        let node = W::select(into_single, found.below_single, found.below_node);
        let stack = &mut self.stacks.units;
        if order == Order::Two {
            stack.push_nearest_last(going_on, single, node, found.distance);
        } else {
            stack.push_lanes(going_on, single, node);
            if order == Order::EachUnit {
                stack.raise_nearest(going_on, found.distance);
            }
        }
        if leaves != 0 {
            let of_b = W::repeat(&units.lanes).negative();
            let (mut below_a, mut below_b) = ([0; 16], [0; 16]);
            W::select(of_b, found.below_node, found.below_single).compress(leaves, &mut below_a);
            W::select(of_b, found.below_single, found.below_node).compress(leaves, &mut below_b);
            for i in 0..leaves.count_ones() as usize {
                let [x, y] = [Below(below_a[i]), Below(below_b[i])];
                push_pairs(&mut self.stacks.pairs, x, y);
                if self.is_vast {
                    fetch_records(&self.bodies.a.records, x);
                    fetch_records(&self.bodies.b.records, y);
                }
            }
        }
    }

    /// Relates the triangles of waiting pairs of records, if there are enough of them: the oldest first, and not the last few that are to be kept.
    #[inline(always)]
    fn relate<W: Wide>(
        &mut self,
        Waiting { enough, kept, in_sixteens }: Waiting,
    ) -> ControlFlow<()> {
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
    fn relate_some<W: Wide>(&mut self, at: usize, count: usize) -> ControlFlow<()> {
        let Bodies { a, b, sight, .. } = self.bodies;
        let pairs = &mut self.stacks.pairs;
        // Beyond the end there is room: lanes without a pair look at the first one again.
        let (first, second) = (pairs.first[at], pairs.second[at]);
        for i in count..count.next_multiple_of(W::LANES) {
            (pairs.first[at + i], pairs.second[at + i]) = (first, second);
        }
        let (Ok(ids_a), Ok(ids_b)) = (
            <&[u32; 16]>::try_from(&pairs.first[at..at + 16]),
            <&[u32; 16]>::try_from(&pairs.second[at..at + 16]),
        ) else {
            return ControlFlow::Continue(());
        };
        self.tally.primitives += count as u64;
        let found = relate_burst::<W>(&a.records, ids_a, &b.records, ids_b, count, sight);
        let mut left = (found.crossing | found.unsure) & (u32::MAX >> (32 - count));
        while left != 0 {
            let i = left.trailing_zeros() as usize;
            left &= left - 1;
            self.hits.hit(ids_a[i], ids_b[i], found.crossing >> i & 1 == 1)?;
        }
        ControlFlow::Continue(())
    }
}

/// Has the records of a leaf fetched: the first two, and the last.
#[inline(always)]
fn fetch_records(records: &[Record], leaf: Below) {
    let range = leaf.records();
    prefetch(records, range.start as usize);
    prefetch(records, range.start as usize + 1);
    prefetch(records, range.end as usize - 1);
}

/// Every record of one leaf with every record of another.
#[inline(always)]
fn push_pairs(pairs: &mut Stack, a: Below, b: Below) {
    pairs.make_room(Below::MOST * Below::MOST);
    for i in a.records() {
        for j in b.records() {
            pairs.push(i, j);
        }
    }
}
