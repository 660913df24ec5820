//! A mesh whose vertices move in straight lines during a step, with a tree of boxes that move
//! along.

use glam::DVec3;

use super::boxes::MovingBox;
use crate::internal::bvh::{Config, NodeId, Tree};
use crate::internal::exact::Moving;
use crate::internal::geom::Aabb;
use crate::internal::geom::mesh::{Mesh, MeshError};
use crate::internal::model::Model;
use crate::internal::volume::Family;

/// A mesh whose vertices move in straight lines during a step. The topology of its tree is built
/// once; each step refits the boxes.
///
/// ```
/// use elbowroom::Mesh;
/// use elbowroom::internal::query::SweptMesh;
/// use glam::DVec3;
///
/// let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y];
/// let mut swept = SweptMesh::new(Mesh::new(corners.clone(), vec![[0, 1, 2]])?);
/// let lifted: Vec<DVec3> = corners.iter().map(|&p| p + DVec3::Z).collect();
/// swept.advance(&lifted)?;
/// assert_eq!((swept.start()[0], swept.end()[0]), (DVec3::ZERO, DVec3::Z));
/// # Ok::<(), elbowroom::MeshError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SweptMesh {
    /// Where the vertices end.
    mesh: Mesh,
    /// Where they begin.
    start: Vec<DVec3>,
    tree: Tree,
    boxes: Vec<MovingBox>,
    /// Vertices of a body that moves as one piece, as they were given; and room for them where
    /// they begin and end.
    pub(super) rest: Vec<DVec3>,
    pub(super) room: [Vec<DVec3>; 2],
}

impl SweptMesh {
    /// A swept mesh at rest: it begins and ends at the vertices of the mesh.
    pub fn new(mesh: Mesh) -> Self {
        let config = Config::default().with_family(Family::Aabb);
        let tree = Model::with_config(mesh.clone(), &config).tree().clone();
        let (start, rest) = (mesh.vertices().to_vec(), mesh.vertices().to_vec());
        let boxes = vec![MovingBox::EMPTY; tree.len()];
        let mut swept = Self { mesh, start, tree, boxes, rest, room: [Vec::new(), Vec::new()] };
        swept.refit();
        swept
    }

    /// Sets the positions of the vertices at the beginning and at the end of the step.
    ///
    /// # Errors
    /// If their number is not that of the vertices, or one is not finite; then nothing has changed.
    pub fn set(&mut self, start: &[DVec3], end: &[DVec3]) -> Result<(), MeshError> {
        // The door of the mesh looks at both.
        let Self { mesh, start: kept, room: [room, _], .. } = self;
        room.clear();
        room.extend_from_slice(mesh.vertices());
        mesh.move_vertices(start)?;
        if let Err(error) = mesh.move_vertices(end) {
            let _ = mesh.move_vertices(room);
            return Err(error);
        }
        kept.copy_from_slice(start);
        self.refit();
        Ok(())
    }

    /// Sets the positions at both ends of the step. `None` if one of them is not finite.
    pub(super) fn set_from(&mut self, [start, end]: &[Vec<DVec3>; 2]) -> Option<()> {
        if !start.iter().all(|p| p.is_finite()) {
            return None;
        }
        self.mesh.move_vertices(end).ok()?;
        self.start.copy_from_slice(start);
        self.refit();
        Some(())
    }

    /// Begins the next step of a clip: from the last end to new positions.
    ///
    /// # Errors
    /// As [`set`](Self::set).
    pub fn advance(&mut self, end: &[DVec3]) -> Result<(), MeshError> {
        let Self { mesh, start, room: [room, _], .. } = self;
        room.clear();
        room.extend_from_slice(mesh.vertices());
        mesh.move_vertices(end)?;
        start.copy_from_slice(room);
        self.refit();
        Ok(())
    }

    /// The mesh at the end of the step.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// The vertices at the beginning of the step.
    pub fn start(&self) -> &[DVec3] {
        &self.start
    }

    /// The vertices at the end of the step.
    pub fn end(&self) -> &[DVec3] {
        self.mesh.vertices()
    }

    /// A box that encloses the mesh during the whole step.
    pub fn bounds(&self) -> Aabb {
        self.boxes[0].hull()
    }

    /// The largest extent of the space that the mesh sweeps.
    pub fn size(&self) -> f64 {
        let Aabb { min: low, max: high } = self.bounds();
        // Differences may be beyond f64.
        (0.5 * high - 0.5 * low).max_element().min(0.25 * f64::MAX) * 2.0
    }

    /// The largest coordinate.
    pub(super) fn reach(&self) -> f64 {
        let Aabb { min: low, max: high } = self.bounds();
        low.abs().max(high.abs()).max_element()
    }

    #[inline]
    pub(super) fn corners(&self, triangle: u32) -> [Moving; 3] {
        let (start, end) = (&self.start, self.mesh.vertices());
        self.mesh.triangles()[triangle as usize]
            .map(|i| Moving { start: start[i as usize], end: end[i as usize] })
    }

    pub(super) fn tree(&self) -> &Tree {
        &self.tree
    }

    #[inline]
    pub(super) fn at(&self, node: NodeId) -> &MovingBox {
        &self.boxes[node.index()]
    }

    fn refit(&mut self) {
        for node in self.tree.nodes().rev() {
            let fitted = if let Some([left, right]) = self.tree.children(node) {
                self.boxes[left.index()].merged(&self.boxes[right.index()])
            } else {
                let members = self.tree.members(node).iter();
                members.fold(MovingBox::EMPTY, |all, &triangle| {
                    all.merged(&MovingBox::of(&self.corners(triangle)))
                })
            };
            self.boxes[node.index()] = fitted;
        }
    }
}
