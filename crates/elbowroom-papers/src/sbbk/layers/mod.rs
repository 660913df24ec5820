//! Layers: one topology, and on each level the family that pays there.
//!
//! A tree has as many columns as a [`Layers`] has layers, and a column holds the nodes of its layer
//! only, in the order of the tree. So it costs no more memory than one column, whatever the
//! sequence of families, and a refit rewrites each node once.
//!
//! ```text
//!   nodes   0 1 2 3 4 5 6 …          places   layer, slot
//!           ● □ □ □ ⬡ ⬡ ⬡                     0,0  1,0  1,1  1,2  2,0 …
//! ```
//!
//! Invariants: the layer of a child is never above its parent's; siblings of one layer stand side
//! by side in its column; what is below a node in a layer stands together in its column.

mod column;
mod layering;
mod refit;

use elbowroom::internal::arch::SimdLevel;
use elbowroom::internal::bvh::topology::{NodeId, Tree};
use elbowroom::internal::geom::mesh::Mesh;
use elbowroom::internal::volume::{Fit, Spatial};

pub use column::LayerColumn;
pub(crate) use column::{by_column, by_columns};
pub use layering::{Layers, LayersError, LayersErrorKind, MOST_LAYERS};
use refit::Plan;
pub use refit::Refitted;

/// The place of a node's volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayerPlace {
    /// The layer, counted from the root.
    pub layer: u32,
    /// The place in the layer's column.
    pub slot: u32,
}

/// The volumes of a tree, layer by layer.
#[derive(Clone, Debug)]
pub struct LayerColumns {
    layering: Layers,
    places: Vec<LayerPlace>,
    columns: Vec<LayerColumn>,
    plans: Vec<Plan>,
}

impl LayerColumns {
    /// Encloses the triangles of a mesh, over which the tree was grown. Balls and oriented boxes
    /// are fitted to all that is below them; boxes and k-DOPs come out the same as by a refit.
    pub(crate) fn new(layering: &Layers, tree: &Tree, mesh: &Mesh, fit: Fit, reach: f64) -> Self {
        let places = places(layering, tree);
        let plans = refit::plans(layering, tree, mesh, &places);
        let columns = layering.runs().iter().zip(&plans).enumerate();
        let columns = columns.map(|(layer, (&(family, _), plan))| {
            let mut column = LayerColumn::empty(family);
            let nodes = || tree.nodes().filter(|node| places[node.index()].layer == layer as u32);
            column.fit(plan, mesh, nodes().map(|node| tree.members(node)), fit, reach);
            column
        });
        let columns = columns.collect();
        Self { layering: layering.clone(), places, columns, plans }
    }

    /// Refits the volumes around the mesh's triangles, after its vertices have moved.
    pub(crate) fn refit(&mut self, mesh: &Mesh, reach: f64, level: SimdLevel) {
        for (column, plan) in self.columns.iter_mut().zip(&self.plans) {
            column.refit(plan, mesh.vertices(), reach, level);
        }
    }

    /// The layering.
    pub fn layering(&self) -> &Layers {
        &self.layering
    }

    /// The place of a node's volume.
    #[inline]
    pub fn place(&self, node: NodeId) -> LayerPlace {
        self.places[node.index()]
    }

    /// The volumes, by layer.
    pub fn columns(&self) -> &[LayerColumn] {
        &self.columns
    }

    /// Half the largest extent of a node's volume.
    pub fn reach_of(&self, node: NodeId) -> f64 {
        let LayerPlace { layer, slot } = self.place(node);
        self.columns[layer as usize].reach(slot)
    }

    /// Bounds the sum of the coordinates' magnitudes of all volumes that may reach beyond the
    /// vertices.
    pub(crate) fn farthest(&self) -> f64 {
        self.columns.iter().map(LayerColumn::farthest).fold(0.0, f64::max)
    }

    /// The bytes that all volumes take.
    pub fn bytes(&self) -> usize {
        self.columns
            .iter()
            .map(|column| by_column!(column, volumes => size_of_val(volumes.as_slice())))
            .sum()
    }

    /// Whether a node's volume encloses a triangle of the mesh.
    pub(crate) fn contains(&self, node: NodeId, corners: &[glam::DVec3; 3]) -> bool {
        let LayerPlace { layer, slot } = self.place(node);
        by_column!(&self.columns[layer as usize], volumes => {
            volumes
                .get(slot as usize)
                .is_some_and(|volume| corners.iter().all(|&corner| volume.contains(corner)))
        })
    }
}

/// Every node's layer, and its number among the nodes of that layer.
fn places(layering: &Layers, tree: &Tree) -> Vec<LayerPlace> {
    let mut counts = [0; MOST_LAYERS];
    tree.nodes()
        .map(|node| {
            let is_leaf = tree.is_leaf(node);
            let layer = if is_leaf { layering.last() } else { layering.layer_at(tree.level(node)) };
            let slot = counts[layer];
            counts[layer] += 1;
            LayerPlace { layer: layer as u32, slot }
        })
        .collect()
}
