//! Sorting numbers that are known to be small, or few, or both.
//!
//! Pairs are sorted by a counting sort on the first number and then run by run: most boxes overlap only a
//! few others, so the runs are short. Keys are sorted digit by digit (LSD radix sort), as many digits as the
//! largest key has. Both are linear, and both keep equal keys in order.

use super::BoxPair;

/// Sorts pairs whose numbers are below `count`.
pub(super) fn sort_pairs(pairs: &mut [BoxPair], count: usize, scratch: &mut PairScratch) {
    if pairs.len() < 64 || pairs.len() < count / 8 {
        pairs.sort_unstable();
        return;
    }
    let PairScratch { starts, seconds } = scratch;
    starts.clear();
    starts.resize(count + 1, 0);
    for &(first, _) in &*pairs {
        starts[first as usize + 1] += 1;
    }
    for i in 1..starts.len() {
        starts[i] += starts[i - 1];
    }
    seconds.clear();
    seconds.resize(pairs.len(), 0);
    for &(first, second) in &*pairs {
        let place = &mut starts[first as usize];
        seconds[*place] = second;
        *place += 1;
    }
    // Each start has become the end of its run.
    let mut start = 0;
    for (first, &end) in starts[..count].iter().enumerate() {
        seconds[start..end].sort_unstable();
        for (pair, &second) in pairs[start..end].iter_mut().zip(&seconds[start..end]) {
            *pair = (first as u32, second);
        }
        start = end;
    }
}

/// Memory for [`sort_pairs`].
#[derive(Clone, Debug, Default)]
pub(super) struct PairScratch {
    starts: Vec<usize>,
    seconds: Vec<u32>,
}

const DIGIT: u32 = 11;

/// Sorts items by a key of which no digit beyond those of `largest` is set.
pub fn sort_by_key<T: Copy>(
    items: &mut Vec<T>,
    scratch: &mut Vec<T>,
    largest: u64,
    key: impl Fn(&T) -> u64,
) {
    if items.len() < 128 {
        items.sort_by_key(key);
        return;
    }
    let mut shift = 0;
    while shift < u64::BITS && largest >> shift > 0 {
        let digit = |item: &T| (key(item) >> shift) as usize & ((1 << DIGIT) - 1);
        let mut starts = [0_u32; 1 << DIGIT];
        for item in &*items {
            starts[digit(item)] += 1;
        }
        // Digits that are all alike need no pass: common for keys of a small part of a large range.
        if starts[digit(&items[0])] as usize != items.len() {
            let mut start = 0;
            for count in &mut starts {
                start += std::mem::replace(count, start);
            }
            scratch.clear();
            scratch.extend_from_slice(items);
            for item in &*scratch {
                let place = &mut starts[digit(item)];
                items[*place as usize] = *item;
                *place += 1;
            }
        }
        shift += DIGIT;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elbowroom_testkit::random::Random;

    #[test]
    fn pairs_of_any_density() {
        let mut random = Random::new(1);
        let mut scratch = PairScratch::default();
        let mut met = 0;
        for (count, len) in [(1, 0), (5, 10), (5, 100), (40, 700), (3_000, 400), (100, 9_000)] {
            let mut number = || random.below(count) as u32;
            let mut pairs: Vec<BoxPair> = (0..len).map(|_| (number(), number())).collect();
            let mut expected = pairs.clone();
            expected.sort_unstable();
            sort_pairs(&mut pairs, count as usize, &mut scratch);
            assert_eq!(pairs, expected, "{count} {len}");
            met += len;
        }
        assert_eq!(met, 10_210);
    }

    #[test]
    fn keys_of_any_size_keep_their_order() {
        let mut random = Random::new(2);
        let mut scratch = Vec::new();
        for largest in [0, 1, 2_047, 2_048, 1 << 40, u64::MAX] {
            for len in [1, 100, 3_000] {
                let mut items: Vec<(u64, usize)> = (0..len)
                    .map(|place| (random.bits() & largest.max(1) & largest, place))
                    .collect();
                let mut expected = items.clone();
                expected.sort_by_key(|item| item.0);
                sort_by_key(&mut items, &mut scratch, largest, |item| item.0);
                assert_eq!(items, expected, "{largest} {len}");
            }
        }
    }
}
