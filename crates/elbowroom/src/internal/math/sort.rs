//! Sorts for which the standard library's are too large or too slow.
//!
//! The sorts are made for speed and are compiled again for every type and every order, some eight
//! kilobytes each: a hundred of them were a sixth of this library's machine code and of its time to
//! compile. Where speed does not matter, [`many_by`] lets one of them sort numbers in the place of
//! things, and only what compares and what exchanges two things is made for their type.
//!
//! Where speed matters, and numbers are known to be small, two sorts are linear. Most boxes overlap
//! only a few others, so [`pairs`] counts the first numbers and sorts the short runs of second
//! ones. [`digits_by_key`] makes as many passes as the largest key has digits.

use std::cmp::Ordering;

/// The most things that [`few_by`] sorts for [`many_by`]: a handful should not allocate.
const FEW: usize = 20;

/// Sorts a few things; those that are alike stay in order.
#[inline]
pub fn few_by<T>(items: &mut [T], mut order: impl FnMut(&T, &T) -> Ordering) {
    for end in 1..items.len() {
        let mut place = end;
        while place > 0 && order(&items[place - 1], &items[place]).is_gt() {
            items.swap(place - 1, place);
            place -= 1;
        }
    }
}

/// Sorts any number of things; those that are alike stay in order. More than a few take some memory
/// and a call for each comparison.
pub fn many_by<T>(items: &mut [T], mut order: impl FnMut(&T, &T) -> Ordering) {
    if items.len() <= FEW {
        few_by(items, order);
        return;
    }
    let mut from = numbers(items.len(), &mut |i, j| order(&items[i], &items[j]));
    for start in 0..items.len() {
        // Each comes to its place along the circle of those that take each other's.
        let mut place = start;
        loop {
            let next = std::mem::replace(&mut from[place], place as u32) as usize;
            if next == start {
                break;
            }
            items.swap(place, next);
            place = next;
        }
    }
}

/// [`many_by`] a key.
pub fn many_by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    many_by(items, |a, b| key(a).cmp(&key(b)));
}

/// The numbers below a count in an order.
#[inline(never)]
fn numbers(count: usize, order: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<u32> {
    let mut numbers: Vec<u32> = (0..count as u32).collect();
    numbers.sort_by(|&i, &j| order(i as usize, j as usize));
    numbers
}

/// Sorts pairs whose first numbers are below `count`: by counting the first ones, then run by run.
pub fn pairs(pairs: &mut [(u32, u32)], count: usize, scratch: &mut PairScratch) {
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

/// Memory for [`pairs`].
#[derive(Clone, Debug, Default)]
pub struct PairScratch {
    starts: Vec<usize>,
    seconds: Vec<u32>,
}

/// Bits of a digit: its counts take 8 kilobytes, which the nearest cache holds.
const DIGIT: u32 = 11;

/// Sorts items by a key of which no digit beyond those of `largest` is set, digit by digit (an LSD
/// radix sort). Items of equal keys stay in order.
pub fn digits_by_key<T: Copy>(
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
    fn as_the_standard_library_sorts() {
        let mut random = Random::new(5);
        for count in (0..70).chain([1000]) {
            for kinds in [1, 3, 10, 100_000] {
                // What cannot be copied, with its number, so that the order of those that are alike
                // shows.
                let item = |number: usize| (random.below(kinds).to_string(), number);
                let items: Vec<(String, usize)> = (0..count).map(item).collect();
                let mut expected = items.clone();
                expected.sort_by(|a, b| a.0.cmp(&b.0));
                let (mut many, mut few, mut by_key) = (items.clone(), items.clone(), items);
                many_by(&mut many, |a, b| a.0.cmp(&b.0));
                assert_eq!(many, expected);
                few_by(&mut few, |a, b| a.0.cmp(&b.0));
                assert_eq!(few, expected);
                many_by_key(&mut by_key, |item| item.0.clone());
                assert_eq!(by_key, expected);
            }
        }
    }

    #[test]
    fn pairs_of_any_density() {
        let mut random = Random::new(1);
        let mut scratch = PairScratch::default();
        let mut met = 0;
        for (count, len) in [(1, 0), (5, 10), (5, 100), (40, 700), (3_000, 400), (100, 9_000)] {
            let mut number = || random.below(count) as u32;
            let mut some: Vec<(u32, u32)> = (0..len).map(|_| (number(), number())).collect();
            let mut expected = some.clone();
            expected.sort_unstable();
            pairs(&mut some, count as usize, &mut scratch);
            assert_eq!(some, expected, "{count} {len}");
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
                digits_by_key(&mut items, &mut scratch, largest, |item| item.0);
                assert_eq!(items, expected, "{largest} {len}");
            }
        }
    }
}
