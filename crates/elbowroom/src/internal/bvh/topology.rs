//! Which primitives belong together.
//!
//! ```text
//!   nodes   0 ──┬── 1 ──┬── 3      children stand side by side, after their parent,
//!               │       └── 4      so that walking the array backwards is bottom-up
//!               └── 2
//!   order   [ 7 2 | 5 | 0 1 3 ]    every node owns a run of it; its children cut that run in two
//!             3     4   2
//! ```

/// A node's place in its tree. The root is node 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The root of every tree.
    pub const ROOT: Self = Self(0);

    /// As a place in a column.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Node {
    /// Where its run of the order begins, and how long it is.
    pub(super) first: u32,
    pub(super) count: u32,
    /// The left child; the right one follows. 0, the root, is no node's child and means a leaf.
    pub(super) child: u32,
    pub(super) level: u32,
}

/// A binary tree over primitives 0, 1, …, n − 1: topology only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    pub(super) nodes: Vec<Node>,
    pub(super) order: Vec<u32>,
}

impl Tree {
    /// The bytes that a node takes, its volume not counted.
    pub const NODE_BYTES: usize = size_of::<Node>();

    /// How many nodes there are.
    #[allow(clippy::len_without_is_empty, reason = "a tree is never empty")]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the node has no children.
    #[inline]
    pub fn is_leaf(&self, node: NodeId) -> bool {
        self.nodes[node.index()].child == 0
    }

    /// The two children, or nothing for a leaf.
    #[inline]
    pub fn children(&self, node: NodeId) -> Option<[NodeId; 2]> {
        match self.nodes[node.index()].child {
            0 => None,
            left => Some([NodeId(left), NodeId(left + 1)]),
        }
    }

    /// The primitives below a node.
    #[inline]
    pub fn members(&self, node: NodeId) -> &[u32] {
        &self.order[self.run(node)]
    }

    /// The node's run of the [`order`](Self::order).
    #[inline]
    pub fn run(&self, node: NodeId) -> std::ops::Range<usize> {
        let Node { first, count, .. } = self.nodes[node.index()];
        first as usize..(first + count) as usize
    }

    /// The primitives below a node, to be brought into another order.
    pub(crate) fn members_mut(&mut self, node: NodeId) -> &mut [u32] {
        let run = self.run(node);
        &mut self.order[run]
    }

    /// All primitives, those of a node side by side.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// How far the node is from the root.
    #[inline]
    pub fn level(&self, node: NodeId) -> u32 {
        self.nodes[node.index()].level
    }

    /// All nodes, parents before children.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// A complete tree with a number of levels and one primitive in each leaf, for which counts can
    /// be derived.
    ///
    /// # Panics
    /// If it would have no level or more than 30.
    pub fn complete(levels: u32) -> Self {
        assert!((1..=30).contains(&levels), "a complete tree of {levels} levels");
        let leaves = 1_u32 << (levels - 1);
        let mut nodes = Vec::with_capacity(2 * leaves as usize - 1);
        for level in 0..levels {
            let count = leaves >> level;
            for place in 0..1 << level {
                let node = nodes.len() as u32;
                let child = if level + 1 < levels { 2 * node + 1 } else { 0 };
                nodes.push(Node { first: place * count, count, child, level });
            }
        }
        Self { nodes, order: (0..leaves).collect() }
    }
}
