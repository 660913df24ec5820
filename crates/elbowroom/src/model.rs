//! What a user does with one model, and shortcuts for models at the origin.

use crate::internal::bvh::{Packed, StoreError};
use crate::internal::geom::mesh::Mesh;
use crate::internal::math::pose::Pose;
use crate::internal::model::Model;
use crate::internal::query::{
    self, Contacts, MinimumTranslation, Neighbours, Overlap, Penetration, QueryOptions,
    SolidProfile, TrianglePair,
};
use crate::posed::Posed;
use crate::scratch;

/// Queries about a model at the origin; [`Model::at`] puts it elsewhere.
impl Model {
    /// This model at a pose.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model, Pose};
    /// use glam::DVec3;
    ///
    /// let model = Model::new(Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?);
    /// let far = Pose::from_translation(DVec3::Z * 9.0)?;
    /// assert!(!model.at(far).intersects(&model));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn at(&self, pose: Pose) -> Posed<'_> {
        Posed { model: self, pose }
    }

    /// This model at the origin.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model, Pose};
    /// use glam::DVec3;
    ///
    /// let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
    /// let model = Model::new(mesh);
    /// assert_eq!(model.posed().pose(), &Pose::IDENTITY);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn posed(&self) -> Posed<'_> {
        self.into()
    }

    /// Whether the models have a point in common; see [`Posed::intersects`].
    ///
    /// ```
    /// use elbowroom::{Mesh, Model};
    /// use glam::DVec3;
    ///
    /// let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
    /// let model = Model::new(mesh);
    /// assert!(model.intersects(&model));
    /// # Ok::<(), elbowroom::MeshError>(())
    /// ```
    #[must_use]
    pub fn intersects<'b>(&self, other: impl Into<Posed<'b>>) -> bool {
        self.posed().intersects(other)
    }

    /// Every pair of triangles that meet, and the kind of contact; see [`Posed::contacts`].
    ///
    /// ```
    /// use elbowroom::{Mesh, Model};
    /// use glam::DVec3;
    ///
    /// let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
    /// let model = Model::new(mesh);
    /// assert_eq!(model.contacts(&model).pairs.len(), 1);
    /// # Ok::<(), elbowroom::MeshError>(())
    /// ```
    pub fn contacts<'b>(&self, other: impl Into<Posed<'b>>) -> Contacts {
        self.posed().contacts(other)
    }

    /// Everything that [`QueryOptions`] can ask for; see [`Posed::query`].
    ///
    /// ```
    /// use elbowroom::{ContactKind, Mesh, Model, QueryOptions};
    /// use glam::DVec3;
    ///
    /// let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
    /// let model = Model::new(mesh);
    /// let kind = model.query(&model, &QueryOptions::KIND).kind;
    /// assert_eq!(kind, Some(ContactKind::Duplicate));
    /// # Ok::<(), elbowroom::MeshError>(())
    /// ```
    pub fn query<'b>(&self, other: impl Into<Posed<'b>>, options: &QueryOptions) -> Contacts {
        self.posed().query(other, options)
    }

    /// The distance of the surfaces; see [`Posed::distance`].
    ///
    /// ```
    /// use elbowroom::{Mesh, Model, Pose};
    /// use glam::DVec3;
    ///
    /// let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
    /// let model = Model::new(mesh);
    /// let above = Pose::from_translation(DVec3::Z * 0.5)?;
    /// assert_eq!(model.distance(model.at(above)), 0.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn distance<'b>(&self, other: impl Into<Posed<'b>>) -> f64 {
        self.posed().distance(other)
    }

    /// The penetration depth of two solids; see [`Posed::penetration`].
    ///
    /// ```
    /// use elbowroom::{Mesh, Model, Pose};
    /// use glam::DVec3;
    ///
    /// let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    /// let mesh = Mesh::new(corners, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
    /// let model = Model::new(mesh);
    /// let moved = Pose::from_translation(DVec3::X * 0.5)?;
    /// assert!(model.penetration(model.at(moved)).lower > 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn penetration<'b>(&self, other: impl Into<Posed<'b>>) -> Penetration {
        self.posed().penetration(other)
    }

    /// The volume that two solids have in common; see [`Posed::overlap`].
    ///
    /// ```
    /// use elbowroom::{Mesh, Model, Pose};
    /// use glam::DVec3;
    ///
    /// let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    /// let mesh = Mesh::new(corners, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
    /// let model = Model::new(mesh);
    /// let moved = Pose::from_translation(DVec3::X * 2.0)?;
    /// assert_eq!(model.overlap(model.at(moved)).volume, 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn overlap<'b>(&self, other: impl Into<Posed<'b>>) -> Overlap {
        self.posed().overlap(other)
    }

    /// The smallest translation that frees this solid; see [`Posed::minimum_translation`].
    ///
    /// ```
    /// use elbowroom::{Mesh, Model, Pose};
    /// use glam::DVec3;
    ///
    /// let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    /// let mesh = Mesh::new(corners, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
    /// let model = Model::new(mesh);
    /// let moved = Pose::from_translation(DVec3::X * 0.9)?;
    /// let out = model.minimum_translation(model.at(moved));
    /// assert!(out.is_convex && out.upper < 0.1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn minimum_translation<'b>(&self, other: impl Into<Posed<'b>>) -> MinimumTranslation {
        self.posed().minimum_translation(other)
    }

    /// Self-collision: every pair of the mesh's own triangles that meet other than where they are
    /// joined, the smaller number first, in order.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model, Neighbours};
    /// use glam::DVec3;
    ///
    /// // A square, folded along its diagonal until one half lies on the other.
    /// let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::new(0.1, 0.1, 0.0)];
    /// let folded = Model::new(Mesh::new(corners, vec![[0, 1, 2], [2, 1, 3]])?);
    /// let pairs = folded.self_contacts(Neighbours::Decide);
    /// assert_eq!((pairs[0].a, pairs[0].b), (0, 1));
    /// assert!(folded.self_contacts(Neighbours::Skip).is_empty());
    /// # Ok::<(), elbowroom::MeshError>(())
    /// ```
    #[must_use]
    pub fn self_contacts(&self, neighbours: Neighbours) -> Vec<TrianglePair> {
        scratch::workspace(|workspace| query::self_triangle_pairs(self, neighbours, workspace).0)
    }

    /// Whether the mesh meets itself other than where its triangles are joined.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model};
    /// use glam::DVec3;
    ///
    /// let square = vec![DVec3::ZERO, DVec3::X, DVec3::new(1.0, 1.0, 0.0), DVec3::Y];
    /// assert!(!Model::new(Mesh::new(square, vec![[0, 1, 2], [0, 2, 3]])?).intersects_itself());
    /// # Ok::<(), elbowroom::MeshError>(())
    /// ```
    #[must_use]
    pub fn intersects_itself(&self) -> bool {
        query::intersects_self(self)
    }

    /// The mesh as a solid: closed or open, its components, the triangles that bound it. Computed
    /// at the first call and cached.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model};
    /// use glam::DVec3;
    ///
    /// let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    /// let model = Model::new(Mesh::new(corners, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?);
    /// assert!(model.solid_profile().certainty.is_exact());
    /// # Ok::<(), elbowroom::MeshError>(())
    /// ```
    pub fn solid_profile(&self) -> SolidProfile {
        scratch::workspace(|workspace| query::profile(self, workspace))
    }

    /// The SIMD BVH as bytes, to store beside the mesh. `None` if a coordinate is beyond 2³⁰;
    /// queries then run on another kind of tree.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model};
    /// use glam::DVec3;
    ///
    /// let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
    /// let bytes = Model::new(mesh.clone()).tree_to_bytes().expect("small coordinates");
    /// let again = Model::with_tree_bytes(mesh, &bytes)?;
    /// assert_eq!(again.tree_to_bytes(), Some(bytes));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn tree_to_bytes(&self) -> Option<Vec<u8>> {
        self.packed().map(|packed| packed.to_bytes(self.mesh()))
    }

    /// A model whose tree was stored by [`tree_to_bytes`](Self::tree_to_bytes).
    ///
    /// ```
    /// use elbowroom::{Mesh, Model};
    /// use glam::DVec3;
    ///
    /// let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
    /// let stored = Model::new(mesh.clone()).tree_to_bytes().expect("small coordinates");
    /// let model = Model::with_tree_bytes(mesh, &stored)?;
    /// assert!(model.intersects(&model));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the bytes are not a tree of this mesh, or of another version of this crate.
    pub fn with_tree_bytes(mesh: Mesh, bytes: &[u8]) -> Result<Self, StoreError> {
        let packed = Packed::from_bytes(bytes, &mesh)?;
        Ok(Self::from_packed(mesh, packed))
    }
}
