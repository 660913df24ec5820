//! Which objects may meet: a tree of boxes over whole objects.
//!
//! A thousand parts of a machine are half a million pairs, and most of them are far apart. Each object gets
//! a box with its sides along the axes of the world, and a binary tree of such boxes tells which
//! others a box meets. Nodes are stored in the order in which they are visited, each with the place to go
//! on at if nothing below it is of interest, so that looking needs no stack.
//!
//! Invariants: a box holds all of its object, exactly placed; so objects whose boxes are apart are
//! certainly apart. Memory grows with the objects, never with the pairs.

use elbowroom::Placement;
use glam::DVec3;

/// A leaf holds at most so many objects: that many boxes are compared as fast as a node is visited.
const LEAF: usize = 4;

/// A box with its sides along the axes, closed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    low: DVec3,
    high: DVec3,
}

impl Bounds {
    const EVERYTHING: Self = Self { low: DVec3::NEG_INFINITY, high: DVec3::INFINITY };
    const NOTHING: Self = Self { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };

    /// Around all that lies between two corners in an object, where a placement puts it.
    ///
    /// The placed corners of a box hold all that is placed from inside it, whatever the matrix. Placing a
    /// point rounds each axis by less than 1e-15 of the sum of four magnitudes, which the slack covers
    /// a thousandfold; its second summand covers what is lost below the normal numbers.
    pub(crate) fn placed((low, high): (DVec3, DVec3), placement: &Placement) -> Self {
        let size = low.abs().max(high.abs()).max_element();
        let shift = placement.translation().abs().max_element();
        let slack = DVec3::splat(1e-12 * (4.0 * size + shift) + f64::MIN_POSITIVE);
        let mut bounds = Self::NOTHING;
        for corner in 0..8 {
            let pick = |axis: usize| if corner >> axis & 1 == 0 { low[axis] } else { high[axis] };
            let point = placement.apply(DVec3::new(pick(0), pick(1), pick(2)));
            let (low, high) = (point - slack, point + slack);
            // Numbers near the largest overflow, and then nothing is known.
            if !(low.is_finite() && high.is_finite()) {
                return Self::EVERYTHING;
            }
            bounds = bounds.joined(&Self { low, high });
        }
        bounds
    }

    fn joined(&self, other: &Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    fn meets(&self, other: &Self) -> bool {
        self.low.cmple(other.high).all() && other.low.cmple(self.high).all()
    }

    /// Twice the middle; not a number where the box has no end.
    fn middle(&self) -> DVec3 {
        self.low + self.high
    }
}

/// Objects by their number, with their boxes.
#[derive(Debug)]
pub(crate) struct Near {
    items: Vec<(usize, Bounds)>,
    nodes: Vec<Node>,
}

#[derive(Debug)]
struct Node {
    bounds: Bounds,
    /// The highest number of an object below.
    highest: usize,
    /// Where the items of a leaf are; no place in particular for others.
    start: usize,
    /// How many they are; zero for others.
    len: usize,
    /// The node that comes after all below this one.
    next: usize,
}

impl Near {
    pub(crate) fn new(mut items: Vec<(usize, Bounds)>) -> Self {
        let mut nodes = Vec::new();
        if !items.is_empty() {
            grow(&mut items, 0, &mut nodes);
        }
        Self { items, nodes }
    }

    /// The objects from number `first` on whose boxes meet a box, in order, instead of what `found` holds.
    pub(crate) fn find(&self, bounds: &Bounds, first: usize, found: &mut Vec<usize>) {
        found.clear();
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            if node.highest < first || !node.bounds.meets(bounds) {
                at = node.next;
                continue;
            }
            let items = &self.items[node.start..node.start + node.len];
            let near = items.iter().filter(|(id, item)| *id >= first && item.meets(bounds));
            found.extend(near.map(|(id, _)| id));
            at += 1;
        }
        found.sort_unstable();
    }
}

/// Adds the node over some items, the first of which has place `start` among all, and what is below.
fn grow(items: &mut [(usize, Bounds)], start: usize, nodes: &mut Vec<Node>) {
    let bounds = items.iter().fold(Bounds::NOTHING, |all, (_, item)| all.joined(item));
    let highest = items.iter().map(|(id, _)| *id).max().unwrap_or(0);
    let is_leaf = items.len() <= LEAF;
    let len = if is_leaf { items.len() } else { 0 };
    let place = nodes.len();
    nodes.push(Node { bounds, highest, start, len, next: 0 });
    if !is_leaf {
        // Halves by count: the depth is the logarithm of the count, whatever the boxes are.
        let half = items.len() / 2;
        let axis = widest_axis(items);
        items.select_nth_unstable_by(half, |(i, a), (j, b)| {
            a.middle()[axis].total_cmp(&b.middle()[axis]).then(i.cmp(j))
        });
        let (left, right) = items.split_at_mut(half);
        grow(left, start, nodes);
        grow(right, start + half, nodes);
    }
    nodes[place].next = nodes.len();
}

/// The axis along which the middles are spread the farthest.
fn widest_axis(items: &[(usize, Bounds)]) -> usize {
    let middles = || items.iter().map(|(_, item)| item.middle()).filter(|m| m.is_finite());
    let low = middles().fold(DVec3::INFINITY, DVec3::min);
    let high = middles().fold(DVec3::NEG_INFINITY, DVec3::max);
    (high - low).max_position()
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;

    /// Numbers in 0..1 that are the same in every run.
    fn numbers() -> impl FnMut() -> f64 {
        let mut state = 1_u64;
        move || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        }
    }

    #[test]
    fn finds_what_comparing_all_finds() {
        let mut number = numbers();
        let mut vector = || DVec3::new(number(), number(), number());
        let mut boxes: Vec<Bounds> = (0..300)
            .map(|_| {
                let low = 10.0 * vector();
                Bounds { low, high: low + 2.0 * vector() }
            })
            .collect();
        boxes.extend([boxes[7]; 20]);
        boxes[40] = Bounds::EVERYTHING;
        boxes[41] = Bounds { high: DVec3::INFINITY, ..boxes[41] };
        let near = Near::new(boxes.iter().copied().enumerate().collect());
        let (mut found, mut met) = (Vec::new(), 0);
        for (a, bounds) in boxes.iter().enumerate() {
            for first in [0, a + 1] {
                near.find(bounds, first, &mut found);
                let expected: Vec<usize> =
                    (first..boxes.len()).filter(|&b| boxes[b].meets(bounds)).collect();
                assert_eq!(found, expected, "{a} from {first}");
                met += found.len();
            }
        }
        assert!((2_000..100_000).contains(&met), "{met}");
        Near::new(Vec::new()).find(&Bounds::EVERYTHING, 0, &mut found);
        assert!(found.is_empty());
    }

    #[test]
    fn boxes_hold_what_is_placed() {
        let mut number = numbers();
        let mut met = 0;
        for scale in [1e-310, 1e-3, 1.0, 1e9, 1e300] {
            let turn = DQuat::from_xyzw(number(), number(), -number(), 0.5).normalize();
            let shift = DVec3::new(number(), -number(), 100.0 * number()) * scale;
            let placement = Placement::from_quat(turn, shift).expect("a rotation");
            let bounds = Bounds::placed((DVec3::splat(-scale), DVec3::splat(scale)), &placement);
            assert!(bounds.low.is_finite() && bounds.high.is_finite());
            for _ in 0..100 {
                let inside = DVec3::new(number(), number(), number()) * scale;
                let point = placement.apply(inside);
                assert!(bounds.low.cmple(point).all() && point.cmple(bounds.high).all());
                met += 1;
            }
        }
        assert_eq!(met, 500);
    }

    #[test]
    fn what_overflows_may_meet_everything() {
        let largest = DVec3::splat(f64::MAX);
        let bounds = Bounds::placed((-largest, largest), &Placement::IDENTITY);
        assert_eq!(bounds, Bounds::EVERYTHING);
    }
}
