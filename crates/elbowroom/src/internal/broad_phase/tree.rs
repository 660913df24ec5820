//! A dynamic tree of boxes.
//!
//! A binary tree with one box a leaf. A new leaf goes down from the root to where it makes the
//! boxes around it grow the least, and joins the leaf or subtree there (after Catto,
//! *Dynamic Bounding Volume Hierarchies*, 2019); a leaf that is taken out leaves its place to its
//! sibling. A leaf that moves is taken out and put in again, unless it stays within its margin, or
//! its parent's box: then only the boxes above it change.
//!
//! Others rotate subtrees to keep the tree good. Here it is rebuilt, from the top, where that pays:
//! as a whole once as much has changed as there are leaves ([`build`]), and below a node that has
//! grown too deep for its number of leaves (as scapegoat trees are: Galperin and Rivest, 1993). So
//! nested, equal or sorted boxes, which make the heuristic string leaves on a thread, cost no more
//! than others.
//!
//! With n boxes: a change is about log n steps; looking up what overlaps a box, log n and what is
//! found; all pairs, n log n and the pairs. Hostile boxes, each of which overlaps the box of most
//! subtrees and few boxes, can make it n a look-up.
//!
//! Invariants, checked by [`Tree::validate`]: a node's box is the smallest around its children's, a
//! leaf's contains its box; counts add up; every box has one leaf.

mod build;
mod pairs;
mod validate;

use super::overlap;
use crate::internal::volume::{Aabb, Volume};

pub use validate::BroadFault;

/// No node, or no leaf.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Node {
    bounds: Aabb,
    parent: u32,
    /// Both children; of a leaf, the number of its box and nothing.
    children: [u32; 2],
    /// How many leaves are below; 1 for a leaf.
    count: u32,
}

impl Node {
    fn is_leaf(&self) -> bool {
        self.count == 1
    }
}

/// The tree. Boxes are known by number; the boxes themselves are the caller's.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    free: Vec<u32>,
    root: u32,
    /// The leaf of each box.
    leaves: Vec<u32>,
    margin: f64,
    /// Leaves put in or moved since the tree was last grown.
    changes: usize,
}

impl Tree {
    /// Leaves are larger than their boxes by a margin on all sides.
    pub(super) fn new(margin: f64) -> Self {
        Self {
            nodes: Vec::new(),
            free: Vec::new(),
            root: NONE,
            leaves: Vec::new(),
            margin,
            changes: 0,
        }
    }

    pub(super) fn len(&self) -> usize {
        if self.root == NONE { 0 } else { self.node(self.root).count as usize }
    }

    /// Whether enough has changed that rebuilding the tree pays.
    pub(super) fn is_worn(&self) -> bool {
        self.changes > self.len() + 16
    }

    #[inline]
    fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    #[inline]
    fn node_mut(&mut self, node: u32) -> &mut Node {
        &mut self.nodes[node as usize]
    }

    fn fat(&self, bounds: &Aabb) -> Aabb {
        if self.margin == 0.0 {
            return *bounds;
        }
        let largest = glam::DVec3::splat(f64::MAX);
        // A margin is a matter of speed: it need not be exact, but finite.
        Aabb {
            min: (bounds.min - self.margin).max(-largest),
            max: (bounds.max + self.margin).min(largest),
        }
    }

    /// Puts in a box, or moves it.
    pub(super) fn set(&mut self, id: u32, bounds: &Aabb) {
        if self.leaves.len() <= id as usize {
            self.leaves.resize(id as usize + 1, NONE);
        }
        let known = self.leaves[id as usize];
        if known == NONE {
            let leaf = self.take();
            self.leaves[id as usize] = leaf;
            let bounds = self.fat(bounds);
            *self.node_mut(leaf) = Node { bounds, parent: NONE, children: [id, NONE], count: 1 };
            self.insert(leaf);
            return;
        }
        let old = self.node(known);
        if self.margin > 0.0 && encloses(&old.bounds, bounds) {
            return;
        }
        let parent = old.parent;
        let stays = parent != NONE && encloses(&self.node(parent).bounds, bounds);
        let bounds = self.fat(bounds);
        if stays || parent == NONE {
            self.changes += 1;
            self.node_mut(known).bounds = bounds;
            self.refit(parent);
        } else {
            self.detach(known);
            self.node_mut(known).bounds = bounds;
            self.insert(known);
        }
    }

    /// Takes out a box, if it is in.
    pub(super) fn remove(&mut self, id: u32) {
        let Some(leaf) = self.leaves.get_mut(id as usize) else { return };
        let leaf = std::mem::replace(leaf, NONE);
        if leaf != NONE {
            self.detach(leaf);
            self.release(leaf);
        }
    }

    fn release(&mut self, node: u32) {
        self.node_mut(node).count = 0;
        self.free.push(node);
    }

    fn take(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            let bounds = Aabb::of_points(&[]);
            self.nodes.push(Node { bounds, parent: NONE, children: [NONE; 2], count: 0 });
            self.nodes.len() as u32 - 1
        })
    }

    /// Takes a leaf out of the tree, and with it its parent, in whose place the sibling comes.
    fn detach(&mut self, leaf: u32) {
        let parent = self.node(leaf).parent;
        if parent == NONE {
            self.root = NONE;
            return;
        }
        let Node { children, parent: above, .. } = *self.node(parent);
        let sibling = if children[0] == leaf { children[1] } else { children[0] };
        self.release(parent);
        self.node_mut(leaf).parent = NONE;
        self.replace(above, parent, sibling);
        self.refit_counted(above);
    }

    /// Makes a node the child of `above` that another was, or the root.
    fn replace(&mut self, above: u32, old: u32, new: u32) {
        self.node_mut(new).parent = above;
        if above == NONE {
            self.root = new;
            return;
        }
        let children = &mut self.node_mut(above).children;
        let side = usize::from(children[0] != old);
        children[side] = new;
    }

    fn insert(&mut self, leaf: u32) {
        self.changes += 1;
        if self.root == NONE {
            self.root = leaf;
            return;
        }
        let bounds = self.node(leaf).bounds;
        let (sibling, level) = self.best_sibling(&bounds);
        let above = self.node(sibling).parent;
        let parent = self.take();
        let node = self.node(sibling);
        *self.node_mut(parent) = Node {
            bounds: node.bounds.merged(&bounds),
            parent: above,
            children: [sibling, leaf],
            count: node.count + 1,
        };
        self.replace(above, sibling, parent);
        self.node_mut(sibling).parent = parent;
        self.node_mut(leaf).parent = parent;
        self.refit_counted(above);
        if level + 1 > most_levels(self.len()) {
            self.flatten(leaf);
        }
    }

    /// The node that a new leaf should stand beside, and its level.
    fn best_sibling(&self, bounds: &Aabb) -> (u32, u32) {
        let (mut at, mut level) = (self.root, 0);
        loop {
            let node = self.node(at);
            if node.is_leaf() {
                return (at, level);
            }
            // Standing beside this node costs a new node around both. Going down costs what this
            // node grows by, and then at least what the child grows by.
            let whole = size(&node.bounds.merged(bounds));
            let grown = whole - size(&node.bounds);
            let [left, right] = node.children.map(|child| {
                let child = self.node(child);
                let merged = size(&child.bounds.merged(bounds));
                let cost = if child.is_leaf() { merged } else { merged - size(&child.bounds) };
                (cost, child.count)
            });
            if whole < grown + left.0.min(right.0) {
                return (at, level);
            }
            // Where it makes no difference (boxes in one place), the smaller subtree keeps the
            // balance.
            let goes_right = right.0 < left.0 || (right.0 == left.0 && right.1 < left.1);
            at = node.children[usize::from(goes_right)];
            level += 1;
        }
    }

    /// The box and the count of a node from its children's.
    fn pull(&mut self, node: u32) {
        let [left, right] = self.node(node).children.map(|child| *self.node(child));
        let node = self.node_mut(node);
        node.bounds = left.bounds.merged(&right.bounds);
        node.count = left.count + right.count;
    }

    fn refit_counted(&mut self, mut node: u32) {
        while node != NONE {
            self.pull(node);
            node = self.node(node).parent;
        }
    }

    /// As far up as boxes change.
    fn refit(&mut self, mut node: u32) {
        while node != NONE {
            let old = self.node(node).bounds;
            self.pull(node);
            if self.node(node).bounds == old {
                return;
            }
            node = self.node(node).parent;
        }
    }

    /// Rebuilds the lowest subtree around a leaf that is far out of balance.
    fn flatten(&mut self, leaf: u32) {
        let mut at = leaf;
        loop {
            let parent = self.node(at).parent;
            if parent == NONE {
                return;
            }
            // A leaf that is deeper than log₄⸝₃ n has such an ancestor.
            let is_heavy =
                4 * u64::from(self.node(at).count) > 3 * u64::from(self.node(parent).count);
            at = parent;
            if is_heavy && self.node(at).count > 2 {
                self.regrow(at);
                return;
            }
        }
    }

    /// The numbers of the leaves whose boxes overlap a box.
    pub(super) fn near(&self, bounds: &Aabb, stack: &mut Vec<u32>, mut found: impl FnMut(u32)) {
        stack.clear();
        if self.root != NONE {
            stack.push(self.root);
        }
        while let Some(node) = stack.pop() {
            let node = self.node(node);
            if !overlap(&node.bounds, bounds) {
                continue;
            }
            if node.is_leaf() {
                found(node.children[0]);
            } else {
                stack.extend(node.children);
            }
        }
    }
}

/// Deeper than this a leaf sets off a flattening: log₄⸝₃ n, and more than what a tree that was just
/// grown may have beyond that.
fn most_levels(count: usize) -> u32 {
    // log₂ ¾ is −0.415, and 41 / 17 is more than one over that.
    8 + build::LOPSIDED + 41 * (count.max(1).ilog2() + 1) / 17
}

fn encloses(outer: &Aabb, inner: &Aabb) -> bool {
    outer.min.cmple(inner.min).all() && inner.max.cmple(outer.max).all()
}

/// How large a box is: half the sum of its sides. What a small box overlaps grows with this rather
/// than with the surface; it serves as well in measurements, and it tells flat and thin boxes
/// apart, which have none.
#[inline]
fn size(bounds: &Aabb) -> f64 {
    bounds.half().element_sum()
}
