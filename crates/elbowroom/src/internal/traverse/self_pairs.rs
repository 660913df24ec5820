//! One tree with itself: every pair of leaves, and every leaf, once.
//!
//! A node meets itself for certain, so it needs no test: its children with themselves and with each
//! other are what is left to find out.

use std::ops::ControlFlow;

use super::pair::{Judge, Path, Rule, Workspace, below};
use crate::internal::bvh::{NodeId, Tree};

/// Decides about pairs of nodes, and single leaves, of one tree.
pub trait SelfJudge: Judge {
    /// The primitives of one leaf, among themselves.
    fn leaf(&mut self, leaf: NodeId) -> ControlFlow<()>;
}

/// Judges a tree against itself, until the judge breaks or nothing is left.
///
/// Returns `Break` if the judge did.
pub fn within(
    tree: &Tree,
    rule: Rule,
    judge: &mut impl SelfJudge,
    workspace: &mut Workspace,
) -> ControlFlow<()> {
    let Workspace { pairs, nodes, .. } = workspace;
    pairs.clear();
    nodes.clear();
    nodes.push(NodeId::ROOT);
    while let Some(node) = nodes.pop() {
        let Some([left, right]) = tree.children(node) else {
            judge.leaf(node)?;
            continue;
        };
        nodes.extend([right, left]);
        pairs.push((left, right));
        below(tree, tree, Path { rule, level: None }, judge, pairs)?;
    }
    ControlFlow::Continue(())
}
