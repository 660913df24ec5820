//! Does the tree keep what it promises? Tests ask after every operation.

use std::fmt;

use super::{NONE, Tree, encloses};
use crate::internal::volume::{Aabb, Volume};

/// A promise that a tree of boxes does not keep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BroadFault {
    /// A node is not its children's parent, is reached twice or is marked as free.
    Link(u32),
    /// A node's count is not that of its leaves.
    Count(u32),
    /// A node's box is not the smallest around its children's.
    Bounds(u32),
    /// A box has no leaf of its own, or the leaf does not contain it, or there is a leaf but no
    /// box.
    Leaf(u32),
}

impl fmt::Display for BroadFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Link(node) => write!(f, "node {node} is not linked as it should be"),
            Self::Count(node) => write!(f, "node {node} miscounts its leaves"),
            Self::Bounds(node) => write!(f, "node {node} has not the box of its children"),
            Self::Leaf(id) => write!(f, "box {id} and the leaves do not agree"),
        }
    }
}

impl std::error::Error for BroadFault {}

impl Tree {
    /// Checks every node, and that there are leaves for these boxes and no others.
    pub(in crate::internal::broad_phase) fn validate(
        &self,
        boxes: &[Aabb],
        ids: &[u32],
    ) -> Result<(), BroadFault> {
        let mut is_seen = vec![false; self.nodes.len()];
        for &free in &self.free {
            is_seen[free as usize] = true;
        }
        let mut stack = Vec::new();
        if self.root != NONE {
            stack.push((self.root, NONE));
        }
        let mut leaves = 0;
        while let Some((at, parent)) = stack.pop() {
            let node = self.node(at);
            let was_seen = std::mem::replace(&mut is_seen[at as usize], true);
            if was_seen || node.parent != parent {
                return Err(BroadFault::Link(at));
            }
            if node.is_leaf() {
                leaves += 1;
                if self.leaves.get(node.children[0] as usize) != Some(&at) {
                    return Err(BroadFault::Leaf(node.children[0]));
                }
                continue;
            }
            let [left, right] = node.children.map(|child| self.node(child));
            if node.count != left.count + right.count {
                return Err(BroadFault::Count(at));
            }
            if node.bounds != left.bounds.merged(&right.bounds) {
                return Err(BroadFault::Bounds(at));
            }
            stack.extend(node.children.map(|child| (child, at)));
        }
        if let Some(lost) = is_seen.iter().position(|&seen| !seen) {
            return Err(BroadFault::Link(lost as u32));
        }
        for &id in ids {
            let leaf = self.leaves.get(id as usize).copied().unwrap_or(NONE);
            if leaf == NONE || !encloses(&self.node(leaf).bounds, &boxes[id as usize]) {
                return Err(BroadFault::Leaf(id));
            }
        }
        // As many leaves as boxes, and one for each: so none that has no box.
        if leaves == ids.len() { Ok(()) } else { Err(BroadFault::Count(self.root)) }
    }
}
