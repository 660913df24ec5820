//! A deforming mesh, under boxes that are quick to refit.
//!
//! Clones share their triangles and which of them belong together; each has vertices and boxes of
//! its own, some 60 kB for a character of 2,850 triangles. So a thousand characters of one rig are
//! a thousand clones. Boxes stand along the world's axes: vertices are given where they are in the
//! world, and two such meshes are asked about as they stand
//! ([`collide_deformable`](crate::internal::query::collide_deformable)).
//!
//! Beside [`Layered`](super::Layered), which can have any family on any level and be placed: this
//! has boxes alone, in f32, and is refitted and asked several times faster. The answers are the
//! same.
//!
//! Copies of one triangle are tested one by one here; what consists of them is better off with the
//! other.

use std::sync::Arc;

use glam::DVec3;

use crate::internal::arch::SimdLevel;
use crate::internal::bvh::{DeformableBoxes, DeformableFault, DeformableTree};
use crate::internal::geom::Aabb;
use crate::internal::geom::mesh::{Mesh, MeshError, check_moved};
use crate::internal::traverse::deformable::DeformableSide;

/// A mesh that can be refitted to moved vertices.
///
/// ```
/// use elbowroom::Mesh;
/// use elbowroom::internal::model::DeformableBvh;
/// use elbowroom::internal::query::intersects_deformable;
/// use glam::DVec3;
///
/// let sheet = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::new(1.0, 1.0, 0.0)];
/// let mesh = Mesh::new(sheet.clone(), vec![[0, 1, 2], [1, 3, 2]])?;
/// let still = DeformableBvh::new(&mesh)?;
/// let mut cloth = still.clone();
///
/// // One corner is lifted, and then all are.
/// cloth.refit(&[sheet[0], sheet[1], sheet[2], DVec3::ONE])?;
/// assert!(intersects_deformable(&still, &cloth));
/// let lifted: Vec<DVec3> = sheet.iter().map(|&p| p + DVec3::Z).collect();
/// cloth.refit(&lifted)?;
/// assert!(!intersects_deformable(&still, &cloth));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct DeformableBvh {
    tree: Arc<DeformableTree>,
    vertices: Vec<DVec3>,
    boxes: DeformableBoxes,
    is_sound: bool,
}

impl DeformableBvh {
    /// Grows a tree over the mesh as it stands.
    ///
    /// # Errors
    /// If there are more than [`DeformableTree::MOST_TRIANGLES`].
    pub fn new(mesh: &Mesh) -> Result<Self, MeshError> {
        Ok(Self::on(Arc::new(DeformableTree::new(mesh)?), mesh))
    }

    /// On a tree over the same triangles, wherever their corners were when it was grown.
    pub(super) fn on(tree: Arc<DeformableTree>, mesh: &Mesh) -> Self {
        let (boxes, vertices) = (DeformableBoxes::new(&tree), mesh.vertices().to_vec());
        let mut deformable = Self { tree, vertices, boxes, is_sound: true };
        deformable.boxes.refit(&deformable.tree, &deformable.vertices, SimdLevel::best());
        deformable
    }

    /// Moves the vertices and refits the boxes. Nothing is allocated.
    ///
    /// # Errors
    /// If there are not as many vertices as the mesh has, or one is not finite; then nothing has
    /// changed.
    pub fn refit(&mut self, vertices: &[DVec3]) -> Result<(), MeshError> {
        self.refit_on(vertices, SimdLevel::best())
    }

    /// Moves the vertices and refits the boxes on an instruction set up to a level. All levels give
    /// the same bits.
    ///
    /// # Errors
    /// See [`refit`](Self::refit).
    pub fn refit_on(&mut self, vertices: &[DVec3], level: SimdLevel) -> Result<(), MeshError> {
        check_moved(vertices, self.vertices.len())?;
        self.vertices.copy_from_slice(vertices);
        self.is_sound = true;
        self.boxes.refit(&self.tree, &self.vertices, level);
        Ok(())
    }

    /// Refits the boxes to vertices that a function writes in place.
    ///
    /// # Errors
    /// If one is not finite. Then the mesh meets nothing until it is refitted with better ones.
    pub fn refit_with(&mut self, write: impl FnOnce(&mut [DVec3])) -> Result<(), MeshError> {
        self.is_sound = false;
        write(&mut self.vertices);
        check_moved(&self.vertices, self.tree.vertices())?;
        self.is_sound = true;
        self.boxes.refit(&self.tree, &self.vertices, SimdLevel::best());
        Ok(())
    }

    /// The vertices where they are now.
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// The triangles, as the mesh had them.
    pub fn triangles(&self) -> &[[u32; 3]] {
        self.tree.triangles()
    }

    /// The corner points of a triangle.
    ///
    /// # Panics
    /// If there is no such triangle.
    #[inline]
    pub fn triangle(&self, index: usize) -> [DVec3; 3] {
        self.tree.triangles()[index].map(|corner| self.vertices[corner as usize])
    }

    /// The smallest box along the axes around the triangles where they are now; upside down where
    /// there are none.
    pub fn bounds(&self) -> Aabb {
        self.boxes.bounds()
    }

    /// Which triangles belong together.
    pub fn tree(&self) -> &DeformableTree {
        &self.tree
    }

    /// The boxes around them.
    pub fn boxes(&self) -> &DeformableBoxes {
        &self.boxes
    }

    /// Checks that every box encloses what is below it, and that the topology is sound.
    ///
    /// # Errors
    /// The first fault.
    pub fn validate(&self) -> Result<(), DeformableFault> {
        self.tree.validate()?;
        self.boxes.validate(&self.tree, &self.vertices)
    }

    /// The tree for a traversal; `None` if there is nothing to meet.
    pub(crate) fn side(&self) -> Option<DeformableSide<'_>> {
        let side =
            DeformableSide { tree: &self.tree, boxes: &self.boxes, vertices: &self.vertices };
        (self.is_sound && !self.tree.links().is_empty()).then_some(side)
    }
}
