//! A queue by a lower bound of the distance: the nearest comes first, within a fifth.
//!
//! A heap would compare and move; a traversal that takes four at a time and drops most of the queue
//! needs no such order. Bounds fall into ranks, two to a doubling of the square, and each rank is a
//! stack: of one rank the last to come goes first, so that what may touch is followed down before
//! the next is begun. One word of bits says which ranks hold anything.
//!
//! ```text
//!   ranks     0     1     2     3   …   63
//!             ●     ·     ●     ●        ·       pop: the lowest rank that holds anything
//!             ●           ●     ●                beyond the rank of the limit: dropped, all at once
//!             ●
//! ```
//!
//! Invariant: what is popped is of the lowest rank there was.

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

use crate::internal::arch::F32xN;

/// How many ranks there are: as many as a word has bits.
const RANKS: usize = 64;
/// What of a number's bits tells two ranks to a doubling.
const SHIFT: u32 = 22;
/// No rank.
pub(super) const NONE: u32 = u32::MAX;

/// Which rank a bound is of.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Scale {
    /// Nothing is nearer than this, squared.
    nearest: f32,
    /// The bits of what is still of rank 0 beyond it.
    least: u32,
}

impl Scale {
    /// For squares of distances of things of some size altogether, whose middles are so far apart.
    pub(super) fn new(between: f32, size: f32) -> Self {
        let square = |x: f32| x * x;
        let nearest = square((between - size).max(0.0));
        let span = square(between + size) - nearest;
        Self { nearest, least: (span.to_bits() >> SHIFT).saturating_sub(RANKS as u32 - 1) }
    }

    /// Never less for a larger bound. Bounds are given by their bits, which are in their order, as
    /// they are not negative.
    #[inline(always)]
    pub(super) fn rank(self, bound: u32) -> u32 {
        let beyond = (f32::from_bits(bound) - self.nearest).max(0.0);
        (beyond.to_bits() >> SHIFT).saturating_sub(self.least).min(RANKS as u32 - 1)
    }

    /// What is below this is of rank 0.
    #[inline(always)]
    fn first(self) -> f32 {
        self.nearest + f32::from_bits((self.least + 1) << SHIFT)
    }
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    first: u32,
    second: u32,
    bound: u32,
}

/// Pairs of numbers with the bits of a bound.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    scale: Scale,
    /// Which ranks hold anything.
    filled: u64,
    ranks: [Vec<Entry>; RANKS],
}

impl Default for Queue {
    fn default() -> Self {
        Self { scale: Scale::default(), filled: 0, ranks: [const { Vec::new() }; RANKS] }
    }
}

impl Queue {
    /// Resets the queue.
    pub(super) fn start(&mut self, scale: Scale) {
        self.scale = scale;
        self.clear();
    }

    #[inline(always)]
    fn clear(&mut self) {
        while self.filled != 0 {
            self.ranks[self.filled.trailing_zeros() as usize % RANKS].clear();
            self.filled &= self.filled - 1;
        }
    }

    #[inline(always)]
    pub(super) fn push(&mut self, first: u32, second: u32, bound: u32) {
        let rank = self.scale.rank(bound) as usize % RANKS;
        self.filled |= 1 << rank;
        self.ranks[rank].push(Entry { first, second, bound });
    }

    /// Pushes the lanes of a mask, item by item. Of an item with several lanes of rank 0, the lane
    /// with the least key is pushed last, so that it is popped first.
    #[inline(always)]
    pub(super) fn push_lanes<W: F32xN>(
        &mut self,
        mask: u32,
        first: W,
        second: W,
        bound: W,
        key: W,
    ) {
        if mask == 0 {
            return;
        }
        let mut columns = [[0; 16]; 3];
        first.compress(mask, &mut columns[0]);
        second.compress(mask, &mut columns[1]);
        bound.compress(mask, &mut columns[2]);
        let near = mask & W::bits(W::splat(self.scale.first()).greater(bound));
        if near & near.wrapping_sub(1) != 0 {
            raise_nearest(mask, near, key, &mut columns);
        }
        let [first, second, bound] = &columns;
        for i in 0..mask.count_ones() as usize {
            self.push(first[i & 15], second[i & 15], bound[i & 15]);
        }
    }

    /// The rank of the nearest, if it is not beyond a rank; if it is, all is dropped.
    #[inline(always)]
    pub(super) fn top(&mut self, most: u32) -> u32 {
        let rank = self.filled.trailing_zeros();
        if rank <= most {
            return rank;
        }
        self.clear();
        NONE
    }

    /// Pops up to `N` pairs that are within a bound.
    #[inline(always)]
    pub(super) fn pop<const N: usize>(&mut self, limit: u32) -> ([u32; N], [u32; N], usize) {
        let (mut first, mut second, mut count) = ([0; N], [0; N], 0);
        while self.filled != 0 {
            let stack = &mut self.ranks[self.filled.trailing_zeros() as usize % RANKS];
            while let Some(entry) = stack.pop() {
                (first[count], second[count]) = (entry.first, entry.second);
                count += usize::from(entry.bound <= limit);
                if count == N {
                    break;
                }
            }
            if stack.is_empty() {
                self.filled &= self.filled - 1;
            }
            if count == N {
                break;
            }
        }
        (first, second, count)
    }
}

/// Moves the lane with the least key to the end of its item, in every item with more than one near
/// lane. Lanes are given as `compress` left them.
///
/// Each item is decided by its own lanes alone. What its neighbours in the register hold must not
/// matter: sixteen lanes hold four items and eight lanes hold two, and all instruction sets push in
/// the same order.
#[inline(always)]
fn raise_nearest<W: F32xN>(mask: u32, near: u32, key: W, columns: &mut [[u32; 16]; 3]) {
    let mut keys = [0; 16];
    key.compress(mask, &mut keys);
    let (mut item, mut begin) = (0, 0);
    while item < W::LANES {
        let end = begin + (mask >> item & 15).count_ones() as usize;
        // Keys are not negative, so that their bits are in their order.
        let mut nearest = begin;
        for i in begin + 1..end {
            if keys[i] <= keys[nearest] {
                nearest = i;
            }
        }
        if (near >> item & 15).count_ones() > 1 {
            for column in &mut *columns {
                column.swap(nearest, end - 1);
            }
        }
        begin = end;
        item += 4;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_rank_comes_first_and_the_far_is_dropped() {
        let mut queue = Queue::default();
        for (between, size) in [(0.0, 1.0), (3.0, 1.0), (1e6, 2.0), (0.0, 0.0)] {
            let scale = Scale::new(between, size);
            queue.start(scale);
            let bounds: Vec<f32> =
                (0..1000).map(|i| between * between + (i * 7919 % 1000) as f32 * 0.01).collect();
            for (i, bound) in bounds.iter().enumerate() {
                queue.push(i as u32, 2 * i as u32, bound.to_bits());
            }
            let limit = bounds[500].to_bits();
            let (mut last, mut met) = (0, 0);
            loop {
                let top = queue.top(scale.rank(limit));
                if top == NONE {
                    break;
                }
                assert!(top >= last);
                last = top;
                let (first, second, count) = queue.pop::<4>(limit);
                for i in 0..count {
                    assert_eq!(second[i], 2 * first[i]);
                    assert!(bounds[first[i] as usize].to_bits() <= limit);
                    met += 1;
                }
            }
            assert_eq!(met, bounds.iter().filter(|bound| bound.to_bits() <= limit).count());
            assert!(met > 100, "{met}");
        }
    }
}
