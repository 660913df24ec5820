//! Two packed trees, sixteen pairs of boxes at a time.
//!
//! What waits is not pairs of nodes but *units*: one box of one tree against the four boxes of a node of the
//! other. Four units fill a burst whatever the shape of the trees, where pairs of nodes would leave
//! lanes empty whenever a large box meets a small tree. There are two stacks, by the tree that the single
//! box is from:
//!
//! ```text
//!                      pop 4                 the smaller box of a pair that may meet becomes
//!   a box × 4 of b  ┐        ┌  apart        the single one, against what is below the larger:
//!   a box × 4 of b  ├─ burst ┤               the pair goes to the same stack or to the other
//!   a box × 4 of b  │        └  may meet ──┬─ two leaves: pairs of records, gathered to sixteens
//!   a box × 4 of b  ┘                      └─ else: a new unit
//! ```
//!
//! A unit whose node is the root of another island is set aside, and when nothing else waits the units of two islands are
//! gone on with together, in frames of their own. A pop looks for that in one test of four numbers.
//!
//! Every instruction set takes the same steps in the same order: narrower ones take several to make a
//! burst. So the tally and the first hit do not depend on the machine.
//!
//! Only where any hit will do ([`Wanted::Any`]) is that worth less than the time it takes: such a descent goes straight down, one level of one tree with each step, and on eight lanes
//! a burst of sixteen pairs is twice the work of a step. There it takes two units at a time, the two that are nearest of those just found.

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]
#![expect(clippy::needless_range_loop, reason = "lanes are numbered together")]

mod within;

use std::ops::ControlFlow;

use super::aside::Aside;
use super::stance::{Frames, Stance};
use super::tally::Tally;
use crate::arch::{Block, Kernel, Level, Wide, run};
use crate::exact::{Sight, relate_burst};
use crate::tree::Packed;
use crate::tree::packed::Below;
use crate::volume::Family;
use crate::volume::burst::{EMPTY, Units, burst};

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

/// Memory that descents use while they run.
#[derive(Clone, Debug, Default)]
pub struct Stacks {
    /// By the tree that the single boxes are from.
    units: [Stack; 2],
    /// Records of leaves that may meet, pair by pair.
    pairs: Stack,
    /// Units for which other frames are needed.
    aside: Aside,
    /// How near the pairs of the units just pushed are, as bits, by stack; in narrow steps only.
    near: [Near; 2],
}

impl Stacks {
    /// Whether a whole burst is waiting.
    #[inline(always)]
    fn has_burst(&self) -> bool {
        self.units[0].len >= 4 || self.units[1].len >= 4
    }

    /// Up to so many units, at most four, of the longer stack or of the one that is preferred.
    #[inline(always)]
    fn pop(&mut self, popped: &mut Popped, most: usize, preferred: Option<bool>) {
        let [from_a, from_b] = &mut self.units;
        popped.from_b = preferred.unwrap_or(from_b.len > from_a.len);
        let stack = if popped.from_b { from_b } else { from_a };
        popped.count = stack.len.min(most);
        stack.len -= popped.count;
        // Beyond the end there is room, so that four can always be read.
        popped.single.copy_from_slice(&stack.first[stack.len..stack.len + 4]);
        popped.node.copy_from_slice(&stack.second[stack.len..stack.len + 4]);
        if popped.count < 4 {
            popped.fill();
        }
    }
}

/// Distances of what a narrow step pushes, and room for a whole register beyond.
type Near = [u32; Stack::FEW + 16];

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

    /// What a narrow step can push at most.
    const FEW: usize = 4 * NARROW;

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

    /// Of the few units pushed from `begin` on, brings the two nearest to the end, the nearest last. How near that is.
    #[inline(always)]
    fn raise_two(&mut self, begin: usize, near: &Near) -> u32 {
        let (mut first, mut second) = (u32::MAX, u32::MAX);
        for i in 0..(self.len - begin).min(Self::FEW) {
            // Distances are not negative, so that their bits are in their order; the last ones make room for the place.
            let key = near[i] & !15 | i as u32;
            second = second.min(first.max(key));
            first = first.min(key);
        }
        if second != u32::MAX {
            let last = self.len - 1;
            let [x, y] = [first, second].map(|key| begin + (key & 15) as usize);
            let y = if y == last { x } else { y };
            for (from, to) in [(x, last), (y, last - 1)] {
                self.first.swap(from, to);
                self.second.swap(from, to);
            }
        }
        first
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
    /// The islands of the first tree and of the second that are looked at, and their frames.
    islands: [u32; 2],
    frames: Frames,
    hits: &'a mut H,
    stacks: &'a mut Stacks,
    tally: &'a mut Tally,
    /// From which tree the single box of the nearest unit is that the last step pushed; in narrow steps only.
    preferred: Option<bool>,
    /// The next block whose boxes are to be compared with each other, and its island; of one tree with itself only.
    block: usize,
    home: u32,
}

/// Units that were popped, up to four, and the tree that their single boxes are from. Beyond the count they repeat the
/// first one, so that four can be looked at.
///
/// It stays where it is: copied as a whole just after it was written, it would have to wait for its parts.
#[derive(Clone, Copy, Default)]
struct Popped {
    single: [u32; 4],
    node: [u32; 4],
    count: usize,
    from_b: bool,
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

/// After so many bursts a query is taken for a long one: it then pops the next units, where a whole burst of them waits,
/// before it pushes what the last ones left, so that one burst need not wait for the other's end. A short one, which often
/// ends with its first hit, goes straight down.
const LONG: u32 = 32;

/// How many units a narrow step takes.
const NARROW: usize = 2;

/// After so many narrow steps nothing was found straight below, and the descent has to look everywhere: in whole bursts, which are less work for each pair.
const STRAIGHT: u32 = 24;

/// How many pairs of records are looked at together when one hit is enough.
const EAGER_PAIRS: usize = 6;

/// How what a step found is pushed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// As it was found.
    Found,
    /// Of each unit the nearest last: the same on lanes of any number.
    EachUnit,
    /// The two nearest last, of all.
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
        let (islands, frames) = ([0; 2], bodies.main);
        Self { bodies, islands, frames, hits, stacks, tally, preferred: None, block: 0, home: 0 }
    }

    #[inline(always)]
    fn run<W: Wide>(&mut self) -> ControlFlow<()> {
        self.start();
        let wanted = self.hits.wanted();
        let may_be_narrow = !OWN && wanted == Wanted::Any && W::LANES < 16;
        let mut bursts = 0;
        let mut slots = [Popped::default(); 2];
        loop {
            let [even, odd] = &mut slots;
            let (units, next) = if bursts % 2 == 0 { (even, odd) } else { (odd, even) };
            let is_narrow = may_be_narrow && bursts < STRAIGHT;
            if units.count == 0 {
                self.pop(units, true, if is_narrow { NARROW } else { 4 });
                if units.count == 0 {
                    break;
                }
            }
            bursts += 1;
            next.count = 0;
            if bursts > LONG && self.stacks.has_burst() {
                self.pop(next, false, 4);
            }
            // A hit is worth more than full lanes to whoever wants only one, as long as it may be near.
            let is_eager = wanted != Wanted::All && bursts <= LONG;
            let enough = if is_eager { EAGER_PAIRS } else { 16 };
            let order = match (is_narrow, is_eager) {
                (true, _) => Order::Two,
                (false, true) => Order::EachUnit,
                (false, false) => Order::Found,
            };
            if units.from_b {
                self.burst::<W, true>(units, order);
            } else {
                self.burst::<W, false>(units, order);
            }
            while self.stacks.pairs.len >= enough {
                self.relate::<W>(self.stacks.pairs.len.min(16))?;
            }
        }
        while self.stacks.pairs.len > 0 {
            self.relate::<W>(self.stacks.pairs.len.min(16))?;
        }
        ControlFlow::Continue(())
    }

    /// The boxes of the first root against the second root.
    #[inline(always)]
    fn start(&mut self) {
        let Stacks { units, pairs, aside, .. } = &mut *self.stacks;
        aside.clear();
        units[0].len = 0;
        units[1].len = 0;
        pairs.len = 0;
        units[0].make_room(4);
        units[1].make_room(4);
        if OWN {
            return;
        }
        for lane in 0..4 {
            if self.bodies.a.blocks[0].0[15][lane].to_bits() != Below::NOTHING.0 {
                units[0].push(lane as u32, 0);
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
        self.stacks.pop(popped, most, self.preferred.take());
        let [p, q, r, s] = popped.node;
        if (p | q | r | s) & Below::ISLAND != 0 || popped.count == 0 {
            self.sift(popped, may_go_over, most);
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
                    let unit = (popped.from_b, single, island);
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
            self.stacks.pop(popped, most, None);
        }
    }

    /// Goes over to two islands for which units were set aside, all of them; whether there are any.
    fn go_over(&mut self) -> bool {
        let Stacks { units, aside, .. } = &mut *self.stacks;
        let next = aside.take(self.bodies, 0.0, |from_b, single, node| {
            let stack = &mut units[usize::from(from_b)];
            stack.make_room(1);
            stack.push(single, node);
        });
        match next {
            Some((islands, frames)) => {
                (self.islands, self.frames) = (islands, frames);
                true
            }
            None => OWN && self.go_home(),
        }
    }

    /// Tests units and pushes what they leave.
    #[inline(always)]
    fn burst<W: Wide, const FROM_B: bool>(&mut self, popped: &Popped, order: Order) {
        let Bodies { a, b, .. } = self.bodies;
        let (owner, other) = if FROM_B { (b, a) } else { (a, b) };
        let (singles, nodes) = (owner.blocks.as_slice(), other.blocks.as_slice());
        let [from_a, from_b] = &mut self.stacks.units;
        from_a.make_room(16);
        from_b.make_room(16);
        let begin = [from_a.len, from_b.len];
        let mut first = 0;
        while first < popped.count {
            self.part::<W, FROM_B>(singles, nodes, popped, first, begin, order);
            first += W::LANES / 4;
        }
        if order == Order::Two {
            let Stacks { units: [from_a, from_b], near, .. } = &mut *self.stacks;
            let [a, b] =
                [from_a.raise_two(begin[0], &near[0]), from_b.raise_two(begin[1], &near[1])];
            self.preferred = (a & b != u32::MAX).then_some(b < a);
        }
    }

    /// As many units as fill the lanes, from the first on that is named.
    #[inline(always)]
    fn part<W: Wide, const FROM_B: bool>(
        &mut self,
        singles: &[Block],
        nodes: &[Block],
        popped: &Popped,
        first: usize,
        begin: [usize; 2],
        order: Order,
    ) {
        let mut units = Units { singles: [&EMPTY; 4], lanes: [0; 4], nodes: [&EMPTY; 4] };
        let mut lifted = [0; 4];
        for u in 0..W::LANES / 4 {
            let (single, node) = (popped.single[first + u], popped.node[first + u]);
            units.singles[u] = &singles[single as usize / 4];
            units.nodes[u] = &nodes[node as usize];
            (units.lanes[u], lifted[u]) = (single, 4 * node);
        }
        let Frames { a_in_b, b_in_a } = &self.frames;
        let mut found = burst::<W>(&units, if FROM_B { b_in_a } else { a_in_b });
        let mut mask = u32::MAX >> (32 - 4 * popped.count);
        if OWN {
            mask &= within::once(popped);
        }
        mask >>= 4 * first;
        found.present &= mask;
        found.meets &= mask;
        self.tally.count_volumes(Family::Obb, u64::from(found.present.count_ones()));
        let (leaf, other_leaf) = (found.below_single.signs(), found.below_node.signs());
        let into_single = found.meets & !leaf & (other_leaf | found.single_larger);
        let into_node = found.meets & !other_leaf & !into_single;
        let both_leaves = found.meets & leaf & other_leaf;
        let Stacks { units: [from_a, from_b], near, .. } = &mut *self.stacks;
        let (own, turned) = if FROM_B { (from_b, from_a) } else { (from_a, from_b) };
        if order == Order::Two {
            let (own_side, other_side) = (usize::from(FROM_B), usize::from(!FROM_B));
            note(&mut near[own_side], own.len - begin[own_side], into_node, found.distance);
            note(
                &mut near[other_side],
                turned.len - begin[other_side],
                into_single,
                found.distance,
            );
        }
        own.push_lanes(into_node, W::repeat(&units.lanes), found.below_node);
        turned.push_lanes(into_single, W::count_up(&lifted), found.below_single);
        if order == Order::EachUnit {
            own.raise_nearest(into_node, found.distance);
            turned.raise_nearest(into_single, found.distance);
        }
        if both_leaves != 0 {
            let (mut below_single, mut below_node) = ([0; 16], [0; 16]);
            found.below_single.compress(both_leaves, &mut below_single);
            found.below_node.compress(both_leaves, &mut below_node);
            for i in 0..both_leaves.count_ones() as usize {
                let (x, y) = (Below(below_single[i]), Below(below_node[i]));
                let (x, y) = if FROM_B { (y, x) } else { (x, y) };
                push_pairs(&mut self.stacks.pairs, x, y);
            }
        }
    }

    /// Pops some pairs of records, at most sixteen, and relates their triangles.
    #[inline(always)]
    fn relate<W: Wide>(&mut self, count: usize) -> ControlFlow<()> {
        let Bodies { a, b, sight, .. } = self.bodies;
        let pairs = &mut self.stacks.pairs;
        pairs.len -= count;
        // Beyond the end there is room, so that sixteen can always be read.
        let ids_a = first_of(&pairs.first[pairs.len..pairs.len + 16], count);
        let ids_b = first_of(&pairs.second[pairs.len..pairs.len + 16], count);
        self.tally.primitives += count as u64;
        let found = relate_burst::<W>(&a.records, &ids_a, &b.records, &ids_b, count, sight);
        let mut left = (found.crossing | found.unsure) & (u32::MAX >> (32 - count));
        while left != 0 {
            let i = left.trailing_zeros() as usize;
            left &= left - 1;
            self.hits.hit(ids_a[i], ids_b[i], found.crossing >> i & 1 == 1)?;
        }
        ControlFlow::Continue(())
    }
}

/// Notes the distances of the lanes of a mask, from a place on.
#[inline(always)]
fn note<W: Wide>(near: &mut Near, at: usize, mask: u32, distance: W) {
    if let Ok(out) = (&mut near[at..at + 16]).try_into() {
        distance.compress(mask, out);
    }
}

/// So many of sixteen numbers, and zeros.
#[inline(always)]
fn first_of(numbers: &[u32], count: usize) -> [u32; 16] {
    let mut first = [0; 16];
    for i in 0..16 {
        first[i] = if i < count { numbers[i] } else { 0 };
    }
    first
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
