//! All pairs of leaves that overlap: the tree descended against itself.

use super::Tree;
use crate::internal::broad_phase::{BoxPair, PAIR, overlap, pair_of};
use crate::internal::volume::Aabb;
use crate::interrupt::{checkpoint, hold};

impl Tree {
    /// Adds the overlapping pairs of all boxes, in any order.
    pub(in crate::internal::broad_phase) fn pairs(
        &self,
        boxes: &[Aabb],
        stack: &mut Vec<BoxPair>,
        pairs: &mut Vec<BoxPair>,
    ) {
        // The pairs within a node are those within either child and those between the two; and the
        // children are nodes themselves. Nodes that are free have no leaves.
        for node in self.nodes.iter().filter(|node| node.count > 1) {
            stack.push((node.children[0], node.children[1]));
            self.between(boxes, stack, pairs);
        }
    }

    fn between(&self, boxes: &[Aabb], stack: &mut Vec<BoxPair>, pairs: &mut Vec<BoxPair>) {
        while let Some((first, second)) = stack.pop() {
            checkpoint();
            let (a, b) = (self.node(first), self.node(second));
            if !overlap(&a.bounds, &b.bounds) {
                continue;
            }
            if a.is_leaf() && b.is_leaf() {
                let (i, j) = (a.children[0], b.children[0]);
                // Leaves may be larger than their boxes.
                if self.margin == 0.0 || overlap(&boxes[i as usize], &boxes[j as usize]) {
                    pairs.push(pair_of(i, j));
                    hold(pairs.len(), PAIR);
                }
            } else if a.count >= b.count {
                stack.extend(a.children.map(|child| (child, second)));
            } else {
                stack.extend(b.children.map(|child| (first, child)));
            }
        }
    }
}
