//! The circles of a footprint as a query reads them: one array, children side by side.

use elbowroom::internal::bvh::{Column, Tree};
use elbowroom::internal::volume::Cylinder;

/// A node: half a cache line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Circle {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) radius: f64,
    /// The left child, and the right one follows; 0 for a leaf.
    pub(super) child: u32,
    /// As far as 16 bits count.
    pub(super) level: u16,
    /// How far the part of it reaches, around its centre, that lies in the circles of all nodes
    /// above: in the steps of the [packed](super::packed) circles, rounded down. 0 where that
    /// is unknown or nothing.
    pub(super) core: u16,
}

/// All nodes, the root first.
#[derive(Clone, Debug)]
pub(super) struct Circles {
    pub(super) nodes: Vec<Circle>,
}

impl Circles {
    pub(super) fn new(tree: &Tree, column: &Column<Cylinder>) -> Self {
        let circle = |node| {
            let Cylinder { center, radius, .. } = column[node];
            let child = tree.children(node).map_or(0, |[left, _]| left.0);
            let level = u16::try_from(tree.level(node)).unwrap_or(u16::MAX);
            Circle { x: center.x, y: center.y, radius, child, level, core: 0 }
        };
        Self { nodes: tree.nodes().map(circle).collect() }
    }
}
