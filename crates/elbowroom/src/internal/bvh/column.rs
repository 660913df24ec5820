//! One volume for each node of a tree.

use std::ops::Index;

use super::source::Source;
use super::topology::{NodeId, Tree};
use crate::internal::volume::Volume;

/// The volumes of a tree's nodes.
#[derive(Clone, Debug)]
pub struct Column<V> {
    pub(super) volumes: Vec<V>,
}

impl<V: Volume> Column<V> {
    /// Fits every node to its own primitives: tight, n log n.
    pub fn fitted(tree: &Tree, source: &impl Source<V>) -> Self {
        Self { volumes: tree.nodes().map(|node| source.fit(tree.members(node))).collect() }
    }

    /// Fits the leaves and merges upward: looser, but each primitive is visited once.
    pub fn merged(tree: &Tree, source: &impl Source<V>) -> Self {
        // Inner nodes hold their first leaf's volume until their children are known.
        let mut column = Self {
            volumes: tree.nodes().map(|node| source.fit(&tree.members(node)[..1])).collect(),
        };
        column.refit(tree, source);
        column
    }

    /// Refits the leaves, after the primitives have moved, and merges upward.
    ///
    /// # Panics
    /// If the column is not of this tree.
    pub fn refit(&mut self, tree: &Tree, source: &impl Source<V>) {
        self.refit_by(tree, |leaf| source.fit(leaf), |_, left, right| left.merged(right));
    }

    /// Refits the volumes with given functions that fit a leaf's primitives and merge two children
    /// into the volume of their parent: for example, if the parent is the joint of two limbs.
    ///
    /// # Panics
    /// If the column is not of this tree.
    pub fn refit_by(
        &mut self,
        tree: &Tree,
        fit: impl Fn(&[u32]) -> V,
        merge: impl Fn(NodeId, &V, &V) -> V,
    ) {
        assert_eq!(self.volumes.len(), tree.len(), "the column of another tree");
        for node in tree.nodes().rev() {
            self.volumes[node.index()] = match tree.children(node) {
                None => fit(tree.members(node)),
                Some([left, right]) => merge(node, &self[left], &self[right]),
            };
        }
    }

    /// Volumes that are known otherwise.
    pub fn by_node(tree: &Tree, volume: impl Fn(NodeId) -> V) -> Self {
        Self { volumes: tree.nodes().map(volume).collect() }
    }

    /// The volumes, by node.
    pub fn volumes(&self) -> &[V] {
        &self.volumes
    }
}

impl<V> Index<NodeId> for Column<V> {
    type Output = V;

    #[inline]
    fn index(&self, node: NodeId) -> &V {
        &self.volumes[node.index()]
    }
}
