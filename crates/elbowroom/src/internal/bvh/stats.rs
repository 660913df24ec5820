//! What a tree looks like in numbers.

use super::topology::Tree;

/// A tree's shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stats {
    /// Primitives.
    pub primitives: usize,
    /// All nodes.
    pub nodes: usize,
    /// Nodes without children.
    pub leaves: usize,
    /// The level of the lowest leaf; 0 for a lone root.
    pub depth: u32,
    /// The mean level of the leaves.
    pub mean_depth: f64,
    /// Primitives in the largest leaf.
    pub largest_leaf: usize,
    /// Bytes of topology, order and one column of volumes, for each primitive.
    pub bytes_per_primitive: f64,
}

impl Stats {
    /// Statistics of a tree, given the bytes of each of its volumes.
    pub fn of(tree: &Tree, volume_bytes: usize) -> Self {
        let leaves = || tree.nodes().filter(|&node| tree.is_leaf(node));
        let count = leaves().count();
        let bytes = tree.len() * (size_of::<super::topology::Node>() + volume_bytes)
            + size_of_val(tree.order());
        Self {
            primitives: tree.order().len(),
            nodes: tree.len(),
            leaves: count,
            depth: leaves().map(|leaf| tree.level(leaf)).max().unwrap_or(0),
            mean_depth: leaves().map(|leaf| f64::from(tree.level(leaf))).sum::<f64>()
                / count as f64,
            largest_leaf: leaves().map(|leaf| tree.members(leaf).len()).max().unwrap_or(0),
            bytes_per_primitive: bytes as f64 / tree.order().len() as f64,
        }
    }
}
