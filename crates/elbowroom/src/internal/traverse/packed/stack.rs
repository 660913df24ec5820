//! The stack of a traversal of packed trees: items, and pairs of records.
//!
//! Both are pairs of numbers, in two arrays, so that what a step leaves is pushed by one store to
//! each, however many there are. Beyond the end there is always room for that.

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

use crate::internal::arch::F32xN;
use crate::internal::bvh::packed::ChildRef;

/// Pairs of numbers, in two arrays so that lanes can be stored as they are. Beyond `len` there is
/// room for a batch's worth.
#[derive(Clone, Debug, Default)]
pub(super) struct Stack {
    pub(super) first: Vec<u32>,
    pub(super) second: Vec<u32>,
    pub(super) len: usize,
}

impl Stack {
    /// What a batch can push at most, and a store may touch beyond.
    const ROOM: usize = 48;

    #[inline(always)]
    pub(super) fn make_room(&mut self, more: usize) {
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
    pub(super) fn push_lanes<W: F32xN>(&mut self, mask: u32, first: W, second: W) {
        // No push may be skipped: a pair that is not pushed is a contact missed.
        first.compress(mask, window(&mut self.first, self.len));
        second.compress(mask, window(&mut self.second, self.len));
        self.len += mask.count_ones() as usize;
    }

    /// Of the lanes just pushed, brings that whose distance is least to the end of its item: item
    /// by item, so that it is the same on lanes of any number.
    #[inline(always)]
    pub(super) fn raise_nearest<W: F32xN>(&mut self, mask: u32, distance: W) {
        if mask & mask.wrapping_sub(1) == 0 {
            return;
        }
        let pushed = self.len - mask.count_ones() as usize;
        let mut bits = [0; 16];
        distance.compress(mask, &mut bits);
        let (mut item, mut begin) = (0, 0);
        while item < W::LANES {
            let end = begin + (mask >> item & 15).count_ones() as usize;
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
            item += 4;
        }
    }

    /// Pushes the lanes of a mask, the two that are nearest last; there must be room.
    #[inline(always)]
    pub(super) fn push_nearest_last<W: F32xN>(
        &mut self,
        mask: u32,
        first: W,
        second: W,
        distance: W,
    ) {
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

    /// Pops up to four items; beyond the count they repeat the first one.
    #[inline(always)]
    pub(super) fn pop(&mut self, popped: &mut Popped, most: usize) {
        popped.count = self.len.min(most);
        self.len -= popped.count;
        let at = self.len;
        // Beyond the end there is room, so that four can always be read.
        let (single, node) = (&self.first[at..at + 4], &self.second[at..at + 4]);
        if most < 4 {
            // Number by number, as they were pushed: a wider load would wait until each of them is
            // in the cache.
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
    pub(super) fn shift_down(&mut self, count: usize) {
        let left = self.len - count;
        // More would be lost without a word, and with them contacts.
        assert!(left < 32, "{left} pairs are left of {}", self.len);
        for numbers in [&mut self.first, &mut self.second] {
            // As many as may be left: there is room beyond the end, and no loop whose end has to be
            // guessed.
            let mut few = [0; 32];
            few.copy_from_slice(&numbers[count..count + 32]);
            numbers[..32].copy_from_slice(&few);
        }
        self.len = left;
    }

    #[inline(always)]
    pub(super) fn push(&mut self, first: u32, second: u32) {
        self.first[self.len] = first;
        self.second[self.len] = second;
        self.len += 1;
    }

    /// Pushes every record of one leaf with every record of another.
    ///
    /// One by one: eight at a time, from a table, are fewer instructions, but vast queries took a
    /// tenth longer with it.
    #[inline(always)]
    pub(super) fn push_pairs(&mut self, a: ChildRef, b: ChildRef) {
        const MOST: usize = ChildRef::MOST * ChildRef::MOST;
        const WINDOW: usize = 64;
        const { assert!(MOST <= WINDOW && WINDOW <= MOST + Stack::ROOM) };
        self.make_room(MOST);
        let first = window::<WINDOW>(&mut self.first, self.len);
        let second = window::<WINDOW>(&mut self.second, self.len);
        let mut count = 0;
        for i in a.records() {
            for j in b.records() {
                // The mask changes nothing; with it, no place has to be checked.
                first[count % WINDOW] = i;
                second[count % WINDOW] = j;
                count += 1;
            }
        }
        self.len += count;
    }
}

/// The entries of a stack from its end on, for which there must be room.
#[inline(always)]
fn window<const N: usize>(entries: &mut [u32], at: usize) -> &mut [u32; N] {
    entries[at..].first_chunk_mut().expect("there is room beyond the end")
}

/// Items that were popped, up to four. Beyond the count they repeat the first one, so that always
/// four can be tested.
///
/// It stays where it is: copied as a whole just after it was written, it would have to wait for its
/// parts.
#[derive(Clone, Copy, Default)]
pub(super) struct Popped {
    pub(super) single: [u32; 4],
    pub(super) node: [u32; 4],
    pub(super) count: usize,
}

impl Popped {
    #[inline(always)]
    pub(super) fn fill(&mut self) {
        let (single, node) = if self.count == 0 { (0, 0) } else { (self.single[0], self.node[0]) };
        for u in self.count..4 {
            (self.single[u], self.node[u]) = (single, node);
        }
    }
}
