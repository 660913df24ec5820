//! Sorting where the order is asked for seldom, or of a few.
//!
//! The sorts of the standard library are made for speed and are compiled anew for every type and every order, some eight kilobytes each: a hundred of them were a sixth of this library's
//! machine code and of its time to compile. Where nobody waits for a sort, [`many_by`] lets one of them sort numbers in the place of things, and only what compares and what exchanges two
//! things is made for their type.

use std::cmp::Ordering;

/// Up to so many things are sorted by [`few_by`]; what allocates nothing should not begin to for a handful.
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

/// Sorts any number of things; those that are alike stay in order. More than a few take some memory and a call for each comparison.
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

#[cfg(test)]
mod tests {
    use super::*;
    use elbowroom_testkit::random::Random;

    #[test]
    fn as_the_standard_library_sorts() {
        let mut random = Random::new(5);
        for count in (0..70).chain([1000]) {
            for kinds in [1, 3, 10, 100_000] {
                // What cannot be copied, with its number, so that the order of those that are alike shows.
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
}
