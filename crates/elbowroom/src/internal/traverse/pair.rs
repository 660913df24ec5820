//! Two trees, down to the pairs of leaves that may meet.
//!
//! ```text
//!   larger               both
//!   (A,b)                (A,B)        the pair on top of the stack is judged; if it may meet,
//!    ├─ (a1,b)            ├─ (a1,b1)  pairs with children replace it, else it is gone
//!    └─ (a2,b)            ├─ (a1,b2)
//!                         ├─ (a2,b1)
//!                         └─ (a2,b2)
//! ```
//!
//! Descending both at once is the simultaneous descent of Liu, Wang and Yang (2017): on complete
//! trees in which everything overlaps it makes (4ⁿ − 1)/3 tests where descending one at a time
//! makes 2²ⁿ⁻¹ − 1, a third less; but where both children of one box miss the other box it makes
//! four tests where two would do.

use std::ops::ControlFlow;

use super::deformable::DeformableStacks;
use super::deformable::single::NearBlock;
use super::nearest::Queues;
use super::packed::Stacks;
use super::type_map::TypeMap;
use crate::internal::bvh::{NodeId, Packed, Tree};
use crate::interrupt::checkpoint;

/// Which node of a pair gives way to its children.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rule {
    /// The larger one, as the judge sees it.
    #[default]
    Larger,
    /// The first tree's, as long as it has children.
    First,
    /// Both at once.
    Both,
}

/// How a traversal goes and how far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Path {
    /// Which node of a pair gives way.
    pub rule: Rule,
    /// The lowest level that is visited, in either tree; the root is level 0.
    pub level: Option<u32>,
}

/// Decides about pairs of nodes.
pub trait Judge {
    /// Whether what is below two nodes may meet.
    fn may_meet(&mut self, a: NodeId, b: NodeId) -> bool;

    /// Whether the first node is the larger one.
    fn is_first_larger(&self, a: NodeId, b: NodeId) -> bool;

    /// Two leaves that may meet.
    fn leaves(&mut self, a: NodeId, b: NodeId) -> ControlFlow<()>;

    /// Two nodes that may meet, not both leaves, below which the path's level limit forbids to
    /// look.
    fn limit(&mut self, a: NodeId, b: NodeId) -> ControlFlow<()>;
}

/// Memory that queries use while they run. One that is kept from query to query makes them free of
/// allocation once it is warm.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    pub(super) pairs: Vec<(NodeId, NodeId)>,
    pub(crate) nodes: Vec<NodeId>,
    pub(crate) stacks: Stacks,
    pub(crate) deformable: DeformableStacks,
    /// What a packed query found, before it is put in order.
    pub(crate) found: Vec<u64>,
    pub(crate) queues: Queues,
    /// Pairs of records that may be nearest, each with the least that it can be.
    pub(crate) nearby: Vec<(f32, u32, u32)>,
    /// Blocks of a tree alone.
    pub(crate) blocks: Vec<u32>,
    pub(crate) near_blocks: Vec<NearBlock>,
    /// The tree of a point.
    pub(crate) point: Option<Packed>,
    /// Memory of questions of higher floors.
    pub kept: TypeMap,
}

/// Judges pairs of nodes of two trees from the roots down, until the judge breaks or nothing is
/// left.
///
/// Returns `Break` if the judge did.
pub fn pair(
    a: &Tree,
    b: &Tree,
    path: Path,
    judge: &mut impl Judge,
    workspace: &mut Workspace,
) -> ControlFlow<()> {
    workspace.pairs.clear();
    workspace.pairs.push((NodeId::ROOT, NodeId::ROOT));
    below(a, b, path, judge, &mut workspace.pairs)
}

/// The loop, from whatever is on the stack.
pub fn below(
    a: &Tree,
    b: &Tree,
    path: Path,
    judge: &mut impl Judge,
    stack: &mut Vec<(NodeId, NodeId)>,
) -> ControlFlow<()> {
    while let Some((node_a, node_b)) = stack.pop() {
        checkpoint();
        if !judge.may_meet(node_a, node_b) {
            continue;
        }
        // The last pushed is popped first: left children before right ones.
        match path.fork(a, node_a, b, node_b, judge) {
            Fork::Two([first, second]) => stack.extend([second, first]),
            Fork::Four([first, second, third, last]) => {
                stack.extend([last, third, second, first]);
            }
            Fork::Leaves => judge.leaves(node_a, node_b)?,
            Fork::Limit => judge.limit(node_a, node_b)?,
        }
    }
    ControlFlow::Continue(())
}

/// What comes after a pair of nodes that may meet.
pub enum Fork {
    /// One node gives way to its children.
    Two([(NodeId, NodeId); 2]),
    /// Both do.
    Four([(NodeId, NodeId); 4]),
    /// Nothing: both are leaves.
    Leaves,
    /// The level limit ends the traversal here.
    Limit,
}

impl Path {
    #[inline]
    pub fn fork(
        self,
        a: &Tree,
        node_a: NodeId,
        b: &Tree,
        node_b: NodeId,
        judge: &impl Judge,
    ) -> Fork {
        let within = |tree: &Tree, node| self.level.is_none_or(|limit| tree.level(node) < limit);
        let children_a = a.children(node_a).filter(|_| within(a, node_a));
        let children_b = b.children(node_b).filter(|_| within(b, node_b));
        match (children_a, children_b) {
            (Some([a1, a2]), Some([b1, b2])) if self.rule == Rule::Both => {
                Fork::Four([(a1, b1), (a1, b2), (a2, b1), (a2, b2)])
            }
            (Some([a1, a2]), other)
                if other.is_none() || self.first_gives_way(judge, node_a, node_b) =>
            {
                Fork::Two([(a1, node_b), (a2, node_b)])
            }
            (_, Some([b1, b2])) => Fork::Two([(node_a, b1), (node_a, b2)]),
            _ if a.is_leaf(node_a) && b.is_leaf(node_b) => Fork::Leaves,
            _ => Fork::Limit,
        }
    }

    fn first_gives_way(self, judge: &impl Judge, a: NodeId, b: NodeId) -> bool {
        self.rule == Rule::First || judge.is_first_larger(a, b)
    }
}

/// How two trees are descended: from the roots, or from a front.
pub trait Walk {
    /// Judges pairs of nodes until the judge breaks or nothing is left.
    fn walk(&mut self, a: &Tree, b: &Tree, path: Path, judge: &mut impl Judge) -> ControlFlow<()>;
}

impl Walk for Workspace {
    #[inline]
    fn walk(&mut self, a: &Tree, b: &Tree, path: Path, judge: &mut impl Judge) -> ControlFlow<()> {
        pair(a, b, path, judge, self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Says that everything meets, and counts.
    #[derive(Default)]
    struct Everything {
        inner: u64,
        leaves: u64,
        limits: u64,
        tests: u64,
    }

    impl Judge for Everything {
        fn may_meet(&mut self, _: NodeId, _: NodeId) -> bool {
            self.tests += 1;
            true
        }

        fn is_first_larger(&self, a: NodeId, b: NodeId) -> bool {
            a.0 <= b.0
        }

        fn leaves(&mut self, _: NodeId, _: NodeId) -> ControlFlow<()> {
            self.leaves += 1;
            ControlFlow::Continue(())
        }

        fn limit(&mut self, _: NodeId, _: NodeId) -> ControlFlow<()> {
            self.limits += 1;
            ControlFlow::Continue(())
        }
    }

    fn run(levels: u32, path: Path) -> Everything {
        let tree = Tree::complete(levels);
        let mut judge = Everything::default();
        let mut workspace = Workspace::default();
        assert!(pair(&tree, &tree, path, &mut judge, &mut workspace).is_continue());
        judge.inner = judge.tests - judge.leaves - judge.limits;
        judge
    }

    /// The counts that the SBBK paper's argument leads to, with its slips mended: on complete trees
    /// of n levels, all overlapping, 2²ⁿ⁻¹ − 1 tests one at a time and (4ⁿ − 1)/3 both at once.
    #[test]
    fn complete_trees_are_counted_as_derived() {
        for n in 1..=7 {
            let one = run(n, Path { rule: Rule::First, level: None });
            let larger = run(n, Path { rule: Rule::Larger, level: None });
            let both = run(n, Path { rule: Rule::Both, level: None });
            assert_eq!(one.tests, (1 << (2 * n - 1)) - 1);
            assert_eq!(one.inner, (1 << (n - 1)) - 1 + ((1 << (n - 1)) - 1) * (1 << (n - 1)));
            assert_eq!(larger.tests, one.tests);
            assert_eq!(both.tests, ((1 << (2 * n)) - 1) / 3);
            assert_eq!(both.inner, ((1 << (2 * (n - 1))) - 1) / 3);
            for judge in [one, larger, both] {
                assert_eq!(judge.leaves, 1 << (2 * (n - 1)));
            }
        }
    }

    #[test]
    fn a_level_limit_ends_the_descent_there() {
        for rule in [Rule::Larger, Rule::First, Rule::Both] {
            let roots = run(5, Path { rule, level: Some(0) });
            assert_eq!((roots.tests, roots.limits, roots.leaves), (1, 1, 0));
            let second = run(5, Path { rule, level: Some(2) });
            assert_eq!((second.limits, second.leaves), (16, 0));
            let all = run(5, Path { rule, level: Some(4) });
            assert_eq!((all.limits, all.leaves), (0, 256));
        }
    }
}
