//! Growing a tree, or a part of it, from the top.
//!
//! Middles fall into bins along the axis on which they are spread the farthest, and the boxes are
//! cut between two bins where the sizes of both sides, times their boxes, are the least (Wald, *On
//! fast Construction of SAH-based Bounding Volume Hierarchies*, 2007, with another size). Where
//! that cuts off little again and again, or not at all, the boxes are halved by number: so the
//! depth is bounded whatever the boxes are.

use super::{NONE, Node, Tree, size};
use crate::internal::volume::{Aabb, Volume};

/// Bins along an axis. No record compares other values.
const BINS: usize = 12;

/// Up to this number, boxes are halved at once: bins cost more than they gain. No record compares
/// other values.
const SMALL: usize = 6;

/// So often may a cut leave more than three quarters on one side, above a leaf.
/// No record compares other values.
pub(super) const LOPSIDED: u32 = 8;

/// A leaf, with its box.
type Item = (Aabb, u32);

/// A stretch of the items that becomes a subtree.
struct Task {
    start: usize,
    end: usize,
    parent: u32,
    side: usize,
    lopsided: u32,
}

impl Tree {
    /// Rebuilds the tree over the boxes with these numbers; all others are removed.
    pub(in crate::internal::broad_phase) fn build(&mut self, boxes: &[Aabb], ids: &[u32]) {
        self.nodes.clear();
        self.free.clear();
        self.leaves.clear();
        self.leaves.resize(boxes.len(), NONE);
        self.root = NONE;
        self.changes = 0;
        let mut items = Vec::with_capacity(ids.len());
        for &id in ids {
            let leaf = self.take();
            let bounds = self.fat(&boxes[id as usize]);
            self.leaves[id as usize] = leaf;
            *self.node_mut(leaf) = Node { bounds, parent: NONE, children: [id, NONE], count: 1 };
            items.push((bounds, leaf));
        }
        if !items.is_empty() {
            self.root = self.grow(&mut items, 0);
        }
    }

    /// Rebuilds a subtree, as flat as it can be.
    pub(super) fn regrow(&mut self, top: u32) {
        let above = self.node(top).parent;
        let mut items = Vec::with_capacity(self.node(top).count as usize);
        let mut stack = vec![top];
        while let Some(at) = stack.pop() {
            let node = *self.node(at);
            if node.is_leaf() {
                items.push((node.bounds, at));
            } else {
                self.release(at);
                stack.extend(node.children);
            }
        }
        let new = self.grow(&mut items, LOPSIDED);
        self.replace(above, top, new);
    }

    /// Builds the top of a subtree over some leaves; `lopsided` cuts above it count as lopsided
    /// already. The caller sets its parent.
    fn grow(&mut self, items: &mut [Item], lopsided: u32) -> u32 {
        let mut top = NONE;
        let mut tasks = vec![Task { start: 0, end: items.len(), parent: NONE, side: 0, lopsided }];
        // Every node comes after its parent, so that pulling them in reverse finishes children
        // first.
        let mut inner = Vec::with_capacity(items.len());
        while let Some(Task { start, end, parent, side, lopsided }) = tasks.pop() {
            let items = &mut items[start..end];
            let node = if let [(_, leaf)] = items {
                *leaf
            } else {
                let node = self.take();
                inner.push(node);
                let half = cut(items, lopsided < LOPSIDED);
                let is_lopsided = 4 * half.max(items.len() - half) > 3 * items.len();
                let lopsided = lopsided + u32::from(is_lopsided);
                let middle = start + half;
                let below = |start, end, side| Task { start, end, parent: node, side, lopsided };
                tasks.push(below(middle, end, 1));
                tasks.push(below(start, middle, 0));
                node
            };
            self.node_mut(node).parent = parent;
            if parent == NONE {
                top = node;
            } else {
                self.node_mut(parent).children[side] = node;
            }
        }
        for &node in inner.iter().rev() {
            self.pull(node);
        }
        top
    }
}

/// Orders two or more items so that those before the returned place are one side of a cut; neither
/// side is empty.
#[expect(clippy::cast_sign_loss, reason = "no middle is below the lowest")]
fn cut(items: &mut [Item], may_be_lopsided: bool) -> usize {
    let (mut low, mut high) = (items[0].0.center(), items[0].0.center());
    for (bounds, _) in &*items {
        low = low.min(bounds.center());
        high = high.max(bounds.center());
    }
    let spread = 0.5 * high - 0.5 * low;
    let axis = spread.max_position();
    let scale = 0.5 * BINS as f64 / spread[axis];
    if items.len() > SMALL && may_be_lopsided && scale.is_finite() {
        let bin = |bounds: &Aabb| {
            let place = (bounds.center()[axis] - low[axis]) * scale;
            (place as usize).min(BINS - 1)
        };
        if let Some(best) = best_cut(items, bin) {
            return partition(items, |(bounds, _)| bin(bounds) < best);
        }
    }
    let half = items.len() / 2;
    items.select_nth_unstable_by(half, |(a, i), (b, j)| {
        a.center()[axis].total_cmp(&b.center()[axis]).then(i.cmp(j))
    });
    half
}

/// The bin before which to cut, if there is a cut that is worth anything.
fn best_cut(items: &[Item], bin: impl Fn(&Aabb) -> usize) -> Option<usize> {
    let empty = (Aabb::of_points(&[]), 0_u32);
    let join =
        |(bounds, count): (Aabb, u32), (more, n): (Aabb, u32)| (bounds.merged(&more), count + n);
    let cost = |(bounds, count): &(Aabb, u32)| size(bounds) * f64::from(*count);
    let mut bins = [empty; BINS];
    for (bounds, _) in items {
        let bin = &mut bins[bin(bounds)];
        *bin = join(*bin, (*bounds, 1));
    }
    let mut after = [empty; BINS + 1];
    for i in (0..BINS).rev() {
        after[i] = join(bins[i], after[i + 1]);
    }
    let (mut before, mut best) = (empty, None);
    let mut least = f64::INFINITY;
    for i in 1..BINS {
        before = join(before, bins[i - 1]);
        if before.1 > 0 && after[i].1 > 0 {
            let both = cost(&before) + cost(&after[i]);
            if both < least {
                (least, best) = (both, Some(i));
            }
        }
    }
    best
}

/// Brings those of one kind to the front, and says how many they are.
fn partition<T>(items: &mut [T], is_first: impl Fn(&T) -> bool) -> usize {
    let mut count = 0;
    for i in 0..items.len() {
        if is_first(&items[i]) {
            items.swap(i, count);
            count += 1;
        }
    }
    count
}
