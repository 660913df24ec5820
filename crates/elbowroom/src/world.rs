//! Many bodies: broad phase and narrow phase in one, with names in and names out.

use std::sync::Arc;

use glam::DVec3;

use crate::internal::math::pose::Pose;
use crate::internal::model::{Model, RefitError};
use crate::internal::query::{self, BodyId, CollisionRequest, NoSuchBody, Ray, RayHit, Want};
use crate::internal::volume::Aabb;
use crate::posed::Posed;
use crate::scratch;

pub use crate::internal::query::BodyContacts;

/// A set of moving bodies, and queries about all of them: broad phase and narrow phase in one.
///
/// A body is a model and its pose; many bodies may share one model. Results of two bodies are kept
/// as long as neither moves, so the cost of a step depends on the number of moving bodies. The
/// answers are equal to those of a query for each pair, ordered by body; they do not depend on the
/// order of insertion, on earlier steps or on threads.
///
/// ```
/// use std::sync::Arc;
/// use elbowroom::{Mesh, Model, Pose, World};
/// use glam::DVec3;
///
/// let triangle = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
/// let model = Arc::new(Model::new(triangle));
/// let at = |x: f64| Pose::from_translation(DVec3::X * x);
///
/// let mut world = World::new();
/// let first = world.insert(Arc::clone(&model), at(0.0)?);
/// let second = world.insert(model, at(5.0)?);
/// assert!(world.intersecting_pairs().is_empty());
///
/// world.set_pose(second, at(0.5)?)?;
/// assert_eq!(world.intersecting_pairs(), [(first, second)]);
/// assert_eq!(world.contacts()[0].pairs().len(), 1);
///
/// world.remove(first)?;
/// assert!(world.pose(first).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct World {
    bodies: query::World,
}

/// The first body that a ray hits.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct BodyRayHit {
    /// The body.
    pub body: BodyId,
    /// The hit on that body.
    pub hit: RayHit,
}

impl World {
    /// A world without bodies.
    ///
    /// ```
    /// assert!(elbowroom::World::new().is_empty());
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of bodies.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model, Pose, World};
    /// use glam::DVec3;
    ///
    /// let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
    /// let mut world = World::new();
    /// let body = world.insert(Model::new(mesh), Pose::IDENTITY);
    /// assert_eq!((world.len(), body.number()), (1, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.bodies.len()
    }

    /// Whether the world has no bodies.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model, Pose, World};
    /// use glam::DVec3;
    ///
    /// let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
    /// let mut world = World::new();
    /// let body = world.insert(Model::new(mesh), Pose::IDENTITY);
    /// assert!(!world.is_empty());
    /// world.remove(body)?;
    /// assert!(world.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// The bodies, in order.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model, Pose, World};
    /// use glam::DVec3;
    ///
    /// let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
    /// let mut world = World::new();
    /// let body = world.insert(Model::new(mesh), Pose::IDENTITY);
    /// assert_eq!(world.bodies().collect::<Vec<_>>(), [body]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bodies(&self) -> impl Iterator<Item = BodyId> {
        self.bodies.bodies()
    }

    /// Adds a body. Bodies can share one model by [`Arc`]; its vertices are then measured once.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model, Pose, World};
    /// use glam::DVec3;
    ///
    /// let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
    /// let mut world = World::new();
    /// let body = world.insert(Model::new(mesh), Pose::IDENTITY);
    /// assert_eq!(world.bodies().collect::<Vec<_>>(), [body]);
    /// # Ok::<(), elbowroom::MeshError>(())
    /// ```
    pub fn insert(&mut self, model: impl Into<Arc<Model>>, pose: Pose) -> BodyId {
        self.bodies.add(model, pose)
    }

    /// Removes a body.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model, Pose, World};
    /// use glam::DVec3;
    ///
    /// let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
    /// let mut world = World::new();
    /// let body = world.insert(Model::new(mesh), Pose::IDENTITY);
    /// world.remove(body)?;
    /// assert!(world.is_empty() && world.remove(body).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the body is not in the world.
    pub fn remove(&mut self, body: BodyId) -> Result<(), NoSuchBody> {
        self.bodies.remove(body)
    }

    /// Moves a body. A pose that it has already costs nothing.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model, Pose, World};
    /// use glam::DVec3;
    ///
    /// let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
    /// let mut world = World::new();
    /// let body = world.insert(Model::new(mesh), Pose::IDENTITY);
    /// world.set_pose(body, Pose::from_translation(DVec3::X)?)?;
    /// assert!((world.bounds(body)?.min.x - 1.0).abs() < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the body is not in the world.
    pub fn set_pose(&mut self, body: BodyId, pose: Pose) -> Result<(), NoSuchBody> {
        self.bodies.set_pose(body, pose)
    }

    /// Moves the vertices of a body whose model is [deformable](Model::deformable). If other bodies
    /// share the model, this one gets a copy of its own.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model, Pose, World};
    /// use glam::DVec3;
    ///
    /// let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y];
    /// let mesh = Mesh::new(corners.clone(), vec![[0, 1, 2]])?;
    /// let mut world = World::new();
    /// world.insert(Model::new(mesh.clone()), Pose::IDENTITY);
    /// let cloth = world.insert(Model::deformable(mesh), Pose::IDENTITY);
    /// assert_eq!(world.intersecting_pairs().len(), 1);
    /// world.refit(cloth, &corners.iter().map(|p| p + DVec3::Z).collect::<Vec<_>>())?;
    /// assert!(world.intersecting_pairs().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the body is not in the world, or its model was not [refitted](Model::refit). Then nothing
    /// has changed.
    pub fn refit(&mut self, body: BodyId, vertices: &[DVec3]) -> Result<(), BodyRefitError> {
        match self.bodies.refit(body, vertices) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(cause)) => Err(BodyRefitErrorKind::Refit { cause }.into()),
            Err(cause) => Err(BodyRefitErrorKind::NoSuchBody { cause }.into()),
        }
    }

    /// The pose of a body.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model, Pose, World};
    /// use glam::DVec3;
    ///
    /// let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
    /// let mut world = World::new();
    /// let body = world.insert(Model::new(mesh), Pose::IDENTITY);
    /// assert_eq!(world.pose(body)?, &Pose::IDENTITY);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the body is not in the world.
    pub fn pose(&self, body: BodyId) -> Result<&Pose, NoSuchBody> {
        self.bodies.pose(body)
    }

    /// The model of a body.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model, Pose, World};
    /// use glam::DVec3;
    ///
    /// let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
    /// let mut world = World::new();
    /// let body = world.insert(Model::new(mesh), Pose::IDENTITY);
    /// assert_eq!(world.model(body)?.mesh().triangles().len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the body is not in the world.
    pub fn model(&self, body: BodyId) -> Result<&Arc<Model>, NoSuchBody> {
        self.bodies.model(body)
    }

    /// A body as a [`Posed`] model, for queries.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model, Pose, World};
    /// use glam::DVec3;
    ///
    /// let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
    /// let mut world = World::new();
    /// let body = world.insert(Model::new(mesh), Pose::IDENTITY);
    /// assert!(world.posed(body)?.winding(DVec3::ZERO).on_surface);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the body is not in the world.
    pub fn posed(&self, body: BodyId) -> Result<Posed<'_>, NoSuchBody> {
        Ok(self.model(body)?.at(*self.pose(body)?))
    }

    /// A box along the world's axes that holds a body.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model, Pose, World};
    /// use glam::DVec3;
    ///
    /// let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
    /// let mut world = World::new();
    /// let body = world.insert(Model::new(mesh), Pose::IDENTITY);
    /// assert!(world.bounds(body)?.max.x >= 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the body is not in the world.
    pub fn bounds(&self, body: BodyId) -> Result<Aabb, NoSuchBody> {
        self.bodies.bounds(body)
    }

    /// Every two bodies that intersect, with all pairs of triangles that meet.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model, Pose, World};
    /// use glam::DVec3;
    ///
    /// let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
    /// let mut world = World::new();
    /// let a = world.insert(Model::new(mesh.clone()), Pose::IDENTITY);
    /// let b = world.insert(Model::new(mesh), Pose::IDENTITY);
    /// let contacts = &world.contacts()[0];
    /// assert_eq!((contacts.a, contacts.b, contacts.pairs().len()), (a, b, 1));
    /// # Ok::<(), elbowroom::MeshError>(())
    /// ```
    pub fn contacts(&mut self) -> &[BodyContacts] {
        self.contacts_where(|_, _| true)
    }

    /// The contacts of those pairs of bodies that a filter accepts; see
    /// [`contacts`](Self::contacts). The filter is called once for each pair of boxes that overlap,
    /// the lower body first.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model, Pose, World};
    /// use glam::DVec3;
    ///
    /// let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
    /// let model = std::sync::Arc::new(Model::new(mesh));
    /// let mut world = World::new();
    /// let ids = [(); 3].map(|()| world.insert(std::sync::Arc::clone(&model), Pose::IDENTITY));
    /// let joined = |a, b| (a, b) == (ids[0], ids[1]);
    /// assert_eq!(world.contacts_where(|a, b| !joined(a, b)).len(), 2);
    /// # Ok::<(), elbowroom::MeshError>(())
    /// ```
    pub fn contacts_where(
        &mut self,
        filter: impl FnMut(BodyId, BodyId) -> bool,
    ) -> &[BodyContacts] {
        &self.bodies.step_where(&CollisionRequest::default(), filter).touching
    }

    /// Every two bodies that intersect, without their triangles: the fastest query.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model, Pose, World};
    /// use glam::DVec3;
    ///
    /// let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
    /// let mut world = World::new();
    /// let a = world.insert(Model::new(mesh.clone()), Pose::IDENTITY);
    /// let b = world.insert(Model::new(mesh), Pose::IDENTITY);
    /// assert_eq!(world.intersecting_pairs(), [(a, b)]);
    /// # Ok::<(), elbowroom::MeshError>(())
    /// ```
    #[must_use]
    pub fn intersecting_pairs(&mut self) -> Vec<(BodyId, BodyId)> {
        let question = CollisionRequest { want: Want::Any, ..CollisionRequest::default() };
        self.bodies.step(&question).touching.iter().map(|pair| (pair.a, pair.b)).collect()
    }

    /// Every two bodies whose boxes overlap: the broad phase alone.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model, Pose, World};
    /// use glam::DVec3;
    ///
    /// let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
    /// let mut world = World::new();
    /// world.insert(Model::new(mesh.clone()), Pose::IDENTITY);
    /// // The box of its neighbour overlaps its own; the triangles do not meet.
    /// world.insert(Model::new(mesh), Pose::from_translation(DVec3::new(0.6, 0.6, 0.0))?);
    /// assert_eq!((world.candidate_pairs().count(), world.intersecting_pairs().len()), (1, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn candidate_pairs(&mut self) -> impl Iterator<Item = (BodyId, BodyId)> {
        self.bodies.pairs()
    }

    /// Every two bodies whose distance is at most a clearance.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model, Pose, World};
    /// use glam::DVec3;
    ///
    /// let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
    /// let mut world = World::new();
    /// let low = world.insert(Model::new(mesh.clone()), Pose::IDENTITY);
    /// let high = world.insert(Model::new(mesh), Pose::from_translation(DVec3::Z * 0.5)?);
    /// assert!(world.pairs_within(0.4).is_empty());
    /// assert_eq!(world.pairs_within(0.5), [(low, high)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn pairs_within(&mut self, clearance: f64) -> Vec<(BodyId, BodyId)> {
        let (mut found, mut near) = (Vec::new(), Vec::new());
        if clearance.is_nan() || clearance < 0.0 {
            return found;
        }
        self.bodies.refresh();
        for a in self.bodies.bodies() {
            let Ok(bounds) = self.bounds(a) else { continue };
            self.bodies.near_from(a.slot() + 1, &bounds.grown(clearance), &mut near);
            found.extend(near.iter().filter_map(|&b| {
                let is_near = self.posed(a).ok()?.is_within(self.posed(b).ok()?, clearance);
                is_near.then_some((a, b))
            }));
        }
        found
    }

    /// The bodies whose boxes overlap a box, in order.
    ///
    /// ```
    /// use elbowroom::{Aabb, Mesh, Model, Pose, World};
    /// use glam::DVec3;
    ///
    /// let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
    /// let mut world = World::new();
    /// let body = world.insert(Model::new(mesh), Pose::IDENTITY);
    /// assert_eq!(world.bodies_in(&Aabb::of_points(&[DVec3::ZERO])), [body]);
    /// # Ok::<(), elbowroom::MeshError>(())
    /// ```
    #[must_use]
    pub fn bodies_in(&self, bounds: &Aabb) -> Vec<BodyId> {
        self.bodies.near(bounds)
    }

    /// The first triangle of any body that a ray hits; of several at one point, that of the lowest
    /// body.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model, Pose, Ray, World};
    /// use glam::DVec3;
    ///
    /// let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
    /// let mut world = World::new();
    /// world.insert(Model::new(mesh.clone()), Pose::IDENTITY);
    /// let upper = world.insert(Model::new(mesh), Pose::from_translation(DVec3::Z)?);
    /// let down = Ray::new(DVec3::new(0.2, 0.2, 3.0), DVec3::new(0.2, 0.2, -1.0))?;
    /// assert_eq!(world.ray_cast(&down).map(|first| (first.body, first.hit.fraction)), Some((upper, 0.5)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn ray_cast(&self, ray: &Ray) -> Option<BodyRayHit> {
        let bounds = Aabb { min: ray.from().min(ray.to()), max: ray.from().max(ray.to()) };
        let mut best: Option<BodyRayHit> = None;
        for body in self.bodies.near(&bounds) {
            let Ok(posed) = self.posed(body) else { continue };
            let hit = scratch::workspace(|workspace| {
                query::cast_nearest(posed.model, &posed.pose, ray, workspace).0
            });
            if let Some(hit) = hit
                && best.is_none_or(|best| hit.fraction < best.hit.fraction)
            {
                best = Some(BodyRayHit { body, hit });
            }
        }
        best
    }
}

crate::declare_error! {
    /// Why the vertices of a body were not moved.
    #[derive(Clone, Debug, PartialEq)]
    pub struct BodyRefitError;

    /// What was wrong with the refit of a body.
    #[derive(Clone, Debug, PartialEq)]
    pub enum BodyRefitErrorKind {
        /// The body is not in the world.
        #[error("{cause}")]
        NoSuchBody {
            /// Which body.
            cause: NoSuchBody,
        },
        /// The model was not refitted.
        #[error("{cause}")]
        Refit {
            /// Why not.
            cause: RefitError,
        },
    }
}
