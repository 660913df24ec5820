//! The topology that all models of the same triangles share, wherever their corners are.
//!
//! A character is new in every frame, but its triangles are not. Which of them lie together, and
//! how the seams are sewn up, mostly stays as it was: a model that is made [from a
//! pattern](MeshTopology::model) takes both from there, puts boxes around its own vertices from the
//! leaves upward, and computes the rest at its first use. A packed tree is built only for questions
//! that need one.
//!
//! ```text
//!   the pattern's, once            the model's, when asked
//!   trees                    ──▶   boxes around their nodes, what they look like from afar
//!   the surface sewn up      ──▶   a look at every vertex: are the same ones equal, the same triangles flat?
//! ```
//!
//! Trees cull, and a surface is taken over only where it is the same. So all that is exact is what
//! it is of a model that was built by itself. What a surface with holes encloses is an estimate by
//! far nodes seen as one, and depends on the tree a little: here it decides only where it is far
//! from one half, and else the model's own tree is grown.
//!
//! Invariant: a model says the same whichever vertices its pattern was made with.

use std::sync::{Arc, OnceLock};

use glam::DVec3;

use super::{Columns, DeformableBvh, Dipoles, Grown, Model};
use crate::internal::bvh::{Column, Config, DeformableTree, NodeId, Tree};
use crate::internal::geom::Shell;
use crate::internal::geom::mesh::{Mesh, MeshError};
use crate::internal::volume::{Aabb, Family};

/// A view that is farther than this from one half is above or below it by any tree: of each, it is
/// within 0.05 of the true one on real meshes.
pub(super) const SURE: f64 = 0.1;

/// Triangles whose corners move, and what does not change with them.
///
/// ```
/// use std::sync::Arc;
/// use elbowroom::internal::traverse::Workspace;
/// use elbowroom::internal::model::MeshTopology;
/// use elbowroom::{Mesh, Pose};
/// use elbowroom::internal::query;
/// use glam::DVec3;
///
/// let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
/// let mesh = Mesh::new(corners.clone(), vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
/// let pattern = Arc::new(MeshTopology::new(mesh));
/// let (here, mut workspace) = (Pose::IDENTITY, Workspace::default());
/// for frame in 1..4 {
///     let grown = corners.iter().map(|&corner| corner * f64::from(frame)).collect();
///     let model = pattern.model(grown)?;
///     let is_inside = query::is_inside(&model, &here, DVec3::splat(0.5), &mut workspace);
///     assert_eq!(is_inside, frame > 1);
/// }
/// # Ok::<(), elbowroom::MeshError>(())
/// ```
#[derive(Debug)]
pub struct MeshTopology {
    mesh: Mesh,
    tree: OnceLock<Tree>,
    deformable: OnceLock<Option<Arc<DeformableTree>>>,
    shell: OnceLock<Arc<Shell>>,
}

impl MeshTopology {
    /// The topology of a mesh. The tree and the shell are computed at their first use.
    pub fn new(mesh: Mesh) -> Self {
        let (tree, deformable, shell) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Self { mesh, tree, deformable, shell }
    }

    /// A model of the same triangles with other vertices.
    ///
    /// # Errors
    /// If there are fewer vertices than the triangles name, or one is not finite.
    pub fn model(self: &Arc<Self>, vertices: Vec<DVec3>) -> Result<Model, MeshError> {
        let mesh = Mesh::new(vertices, self.mesh.triangles().to_vec())?;
        let mut model = Model::assemble(mesh, Config::default(), OnceLock::new(), OnceLock::new());
        model.shaped = Some(Shaped::new(Arc::clone(self)));
        Ok(model)
    }

    /// `None` if there are more triangles than it holds.
    fn deformable(&self) -> Option<&Arc<DeformableTree>> {
        let grown = || DeformableTree::new(&self.mesh).ok().map(Arc::new);
        self.deformable.get_or_init(grown).as_ref()
    }

    fn tree(&self) -> &Tree {
        self.tree.get_or_init(|| {
            let config = Config { family: Family::Aabb, ..Config::default() };
            Grown::new(&self.mesh, &config).tree
        })
    }
}

/// What a model has from its pattern, and has made of it.
#[derive(Clone, Debug)]
pub(super) struct Shaped {
    pattern: Arc<MeshTopology>,
    boxes: OnceLock<Columns>,
    dipoles: OnceLock<Dipoles>,
}

impl Shaped {
    pub(super) fn new(pattern: Arc<MeshTopology>) -> Self {
        Self { pattern, boxes: OnceLock::new(), dipoles: OnceLock::new() }
    }

    /// The topology for other vertices, with nothing computed from them yet.
    pub(super) fn renewed(&self) -> Self {
        Self::new(Arc::clone(&self.pattern))
    }

    /// The surface sewn up: the pattern's, if it is that.
    pub(super) fn shell(&self, mesh: &Mesh) -> Arc<Shell> {
        let known = self.pattern.shell.get_or_init(|| Arc::new(Shell::new(mesh)));
        if known.is_of(mesh) { Arc::clone(known) } else { Arc::new(Shell::new(mesh)) }
    }

    /// Boxes along the axes around the vertices of this model, on the pattern's tree.
    pub(super) fn deformable(&self, mesh: &Mesh) -> Option<DeformableBvh> {
        let tree = self.pattern.deformable()?;
        // Vertices that no triangle names may be missing.
        let is_alike = tree.vertices() == mesh.vertices().len();
        if is_alike {
            Some(DeformableBvh::on(Arc::clone(tree), mesh))
        } else {
            DeformableBvh::new(mesh).ok()
        }
    }

    /// The pattern's tree with boxes around the vertices of this model.
    pub(super) fn tree(&self, mesh: &Mesh) -> (&Tree, &Columns) {
        let tree = self.pattern.tree();
        (tree, self.boxes.get_or_init(|| Columns::Aabb(boxes_around(mesh, tree))))
    }

    /// About how often the surface is wound around a point; see [`SURE`].
    pub(super) fn winding(&self, mesh: &Mesh, point: DVec3, stack: &mut Vec<NodeId>) -> f64 {
        let tree = self.pattern.tree();
        let dipoles = self.dipoles.get_or_init(|| match self.tree(mesh).1 {
            Columns::Aabb(boxes) => Dipoles::merged(mesh, tree, boxes),
            _ => Dipoles::new(mesh, tree),
        });
        dipoles.winding(mesh, tree, point, stack)
    }
}

fn boxes_around(mesh: &Mesh, tree: &Tree) -> Column<Aabb> {
    let nowhere = Aabb { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };
    let around =
        |aabb: Aabb, point: DVec3| Aabb { min: aabb.min.min(point), max: aabb.max.max(point) };
    let mut boxes = Column::by_node(tree, |_| nowhere);
    boxes.refit_by(
        tree,
        |members| {
            let corners = members.iter().flat_map(|&triangle| mesh.triangle(triangle as usize));
            corners.fold(nowhere, around)
        },
        |_, left, right| Aabb { min: left.min.min(right.min), max: left.max.max(right.max) },
    );
    boxes
}
