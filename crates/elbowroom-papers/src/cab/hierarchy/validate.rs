//! Do the boxes of a body keep what they promise? Tests ask after every update.

use crate::cab::hierarchy::CabHierarchy;
use elbowroom::internal::bvh::{Fault, NodeId};
use elbowroom::internal::volume::{Obb, Spatial};

impl CabHierarchy {
    /// Checks that every box holds what is below it: a leaf's the placed vertices, an inner one the
    /// corners of both boxes below it, to the rounding of this very check. Boxes that were not
    /// needed since a lazy update are passed over.
    ///
    /// # Errors
    /// Names the node and a link that it does not hold.
    pub fn validate(&self) -> Result<(), Fault> {
        let tree = self.articulation.tree();
        for node in tree.nodes() {
            let stray = match (self.oriented(node), tree.children(node)) {
                (None, _) => None,
                (Some(bounds), None) => {
                    let link = tree.members(node)[0];
                    (!self.holds_link(&bounds, link)).then_some(link)
                }
                (Some(_), Some(children)) => {
                    let stray = children.into_iter().find(|&child| !self.holds_box(node, child));
                    stray.map(|child| tree.members(child)[0])
                }
            };
            if let Some(primitive) = stray {
                return Err(Fault::Outside { node, primitive });
            }
        }
        Ok(())
    }

    /// Whether a node's box holds that of a child; one that was not needed is held.
    fn holds_box(&self, node: NodeId, child: NodeId) -> bool {
        if let (Some(outer), Some(inner)) = (self.aligned(node), self.aligned(child)) {
            return outer.contains(inner.min) && outer.contains(inner.max);
        }
        match (self.oriented(node), self.oriented(child)) {
            (Some(outer), Some(inner)) => {
                inner.corners().iter().all(|&p| outer.contains(p) || !p.is_finite())
            }
            _ => true,
        }
    }

    fn holds_link(&self, bounds: &Obb, link: u32) -> bool {
        let place = &self.placements[link as usize];
        let shift = place.translation() - self.origin;
        let mesh = self.articulation.links()[link as usize].model.mesh();
        let leaf = &self.articulation.leaves()[link as usize];
        leaf.vertices(mesh).iter().all(|&v| {
            let at = place.rotation() * v + shift;
            bounds.contains(at) || !at.is_finite()
        })
    }
}
