//! One tree alone, against something that is not a tree: a ray, a view frustum.

use std::ops::ControlFlow;

use super::pair::Workspace;
use crate::internal::bvh::{NodeId, Tree};
use crate::interrupt::checkpoint;

/// What is known of everything below a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// None of it matters.
    Nothing,
    /// All of it matters, so nothing below needs a look.
    Everything,
    /// Perhaps some of it does.
    Perhaps,
}

/// Decides about nodes.
pub trait Look {
    /// What is known of a node.
    fn look(&mut self, node: NodeId) -> Seen;

    /// A node of which everything matters.
    fn everything(&mut self, node: NodeId) -> ControlFlow<()>;

    /// A leaf of which perhaps something matters.
    fn leaf(&mut self, leaf: NodeId) -> ControlFlow<()>;
}

/// Looks at nodes from the root down, left before right, until the judge breaks or nothing is left.
///
/// Returns `Break` if the judge did.
pub fn single(tree: &Tree, judge: &mut impl Look, workspace: &mut Workspace) -> ControlFlow<()> {
    let stack = &mut workspace.nodes;
    stack.clear();
    stack.push(NodeId::ROOT);
    while let Some(node) = stack.pop() {
        checkpoint();
        match (judge.look(node), tree.children(node)) {
            (Seen::Nothing, _) => {}
            (Seen::Everything, _) => judge.everything(node)?,
            (Seen::Perhaps, Some([left, right])) => stack.extend([right, left]),
            (Seen::Perhaps, None) => judge.leaf(node)?,
        }
    }
    ControlFlow::Continue(())
}
