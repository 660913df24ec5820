//! Many bodies: who touches whom, step after step.
//!
//! A body is a model and where it stands; many bodies may share one model. Each has a box, nearly
//! the smallest, from the model's [`Support`]; a [`Broad`] finds the boxes that overlap, and those
//! pairs are asked about one by one. What was found about two bodies is kept while neither moves.
//!
//! Invariants: the contacts of a step are those of asking about every two bodies, ordered by the
//! bodies. They follow from the bodies, their numbers and where they stand: neither the order in
//! which bodies came and went nor earlier steps show in them, only in how much was asked. A
//! [`BodyId`] never names another body than the one it was given for.
//!
//! A step costs the broad phase (see [`Method`]), a few nanoseconds for each pair of boxes, and a
//! query for each of those pairs in which something moved.

pub mod slots;
mod step;
pub mod supports;

use std::sync::Arc;

use glam::DVec3;

use self::slots::Slots;
use self::supports::Supports;
use crate::internal::broad_phase::{Broad, Method, Support};
use crate::internal::math::pose::Pose;
use crate::internal::model::{Model, RefitError, RefitErrorKind};
use crate::internal::volume::Aabb;

pub use slots::{BodyId, NoSuchBody};
pub use step::{BodyContacts, Step};

/// Placed models, and which of them touch.
///
/// ```
/// use std::sync::Arc;
/// use elbowroom::internal::query::{Want, CollisionRequest, World};
/// use elbowroom::{Mesh, Pose};
/// use elbowroom::internal::model::Model;
/// use glam::DVec3;
///
/// let triangle = vec![DVec3::ZERO, DVec3::X, DVec3::Y];
/// let model = Arc::new(Model::new(Mesh::new(triangle, vec![[0, 1, 2]])?));
/// let at = |x: f64| Pose::from_translation(DVec3::new(x, 0.0, 0.0));
///
/// let mut world = World::new();
/// let first = world.add(Arc::clone(&model), at(0.0)?);
/// let second = world.add(model, at(5.0)?);
/// let whether = CollisionRequest { want: Want::Any, ..CollisionRequest::default() };
/// assert!(world.step(&whether).touching.is_empty());
///
/// world.set_pose(second, at(0.5)?)?;
/// let step = world.step(&whether);
/// assert_eq!((step.touching[0].a, step.touching[0].b), (first, second));
///
/// world.remove(first)?;
/// assert!(world.pose(first).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct World {
    slots: Slots<Body>,
    broad: Broad,
    supports: Supports,
    /// By slot: a body came, went or moved since the last step.
    changed: Vec<bool>,
    last: step::Last,
}

#[derive(Clone, Debug)]
struct Body {
    model: Arc<Model>,
    support: Arc<Support>,
    pose: Pose,
}

impl World {
    /// Without bodies.
    pub fn new() -> Self {
        Self::default()
    }

    /// With a broad phase other than what is chosen step by step.
    pub fn with_method(method: Method) -> Self {
        Self { broad: Broad::new(method), ..Self::default() }
    }

    /// How many bodies there are.
    pub fn len(&self) -> usize {
        self.broad.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.broad.is_empty()
    }

    /// The bodies, in order.
    pub fn bodies(&self) -> impl Iterator<Item = BodyId> {
        self.slots.ids()
    }

    /// The body that has a number.
    pub fn numbered(&self, number: usize) -> Option<BodyId> {
        self.slots.numbered(number)
    }

    /// Adds a body. The first of each model looks at all its vertices once; share the model by
    /// [`Arc`].
    pub fn add(&mut self, model: impl Into<Arc<Model>>, pose: Pose) -> BodyId {
        let model = model.into();
        let support = self.supports.of(&model, self.len(), |model| Support::of_mesh(model.mesh()));
        let id = self.slots.add(Body { model, support, pose });
        if self.changed.len() <= id.number() {
            self.changed.push(false);
        }
        self.settle(id.slot());
        id
    }

    /// Removes a body.
    ///
    /// # Errors
    /// If it has gone already.
    pub fn remove(&mut self, id: BodyId) -> Result<(), NoSuchBody> {
        self.slots.remove(id)?;
        self.broad.remove(id.slot());
        self.changed[id.number()] = true;
        Ok(())
    }

    /// Moves a body. To where it stands already costs nothing.
    ///
    /// # Errors
    /// If the body has gone.
    pub fn set_pose(&mut self, id: BodyId, pose: Pose) -> Result<(), NoSuchBody> {
        let body = self.slots.get_mut(id)?;
        if body.pose != pose {
            body.pose = pose;
            self.settle(id.slot());
        }
        Ok(())
    }

    /// Moves the vertices of a body's model, which must be deformable. A shared model is copied.
    ///
    /// # Errors
    /// If the body has gone.
    pub fn refit(
        &mut self,
        id: BodyId,
        vertices: &[DVec3],
    ) -> Result<Result<(), RefitError>, NoSuchBody> {
        let body = self.slots.get_mut(id)?;
        if !body.model.is_deformable() {
            return Ok(Err(RefitErrorKind::Rigid.into()));
        }
        if let Err(error) = Arc::make_mut(&mut body.model).refit(vertices) {
            return Ok(Err(error));
        }
        // Not known by the model's address: the model has changed there.
        let Aabb { min: low, max: high } = body.model.bounds();
        let corner = |i: usize| {
            let of = |axis: usize| if (i >> axis) & 1 == 0 { low[axis] } else { high[axis] };
            DVec3::new(of(0), of(1), of(2))
        };
        body.support = Arc::new(Support::of_points((0..8).map(corner)));
        self.settle(id.slot());
        Ok(Ok(()))
    }

    /// Where a body stands.
    ///
    /// # Errors
    /// If it has gone.
    pub fn pose(&self, id: BodyId) -> Result<&Pose, NoSuchBody> {
        self.slots.get(id).map(|body| &body.pose)
    }

    /// The model of a body.
    ///
    /// # Errors
    /// If it has gone.
    pub fn model(&self, id: BodyId) -> Result<&Arc<Model>, NoSuchBody> {
        self.slots.get(id).map(|body| &body.model)
    }

    /// A box that holds a body.
    ///
    /// # Errors
    /// If it has gone.
    pub fn bounds(&self, id: BodyId) -> Result<Aabb, NoSuchBody> {
        self.slots.get(id).map(|body| body.support.placed(&body.pose))
    }

    /// The bodies that may meet: pairs whose boxes overlap, the lower number first, in order. Of
    /// bodies in one place, this is all pairs.
    pub fn pairs(&mut self) -> impl Iterator<Item = (BodyId, BodyId)> {
        let Self { broad, slots, .. } = self;
        broad.pairs().iter().map(|&(a, b)| (slots.id(a), slots.id(b)))
    }

    /// The bodies whose boxes overlap a box, in order. Every body is tested, unless
    /// [`Method::Tree`] found the last pairs and nothing has moved since.
    pub fn near(&self, bounds: &Aabb) -> Vec<BodyId> {
        let mut found = Vec::new();
        self.broad.near(bounds, &mut found);
        found.into_iter().map(|slot| self.slots.id(slot)).collect()
    }

    /// Makes [`near_from`](Self::near_from) fast, however bodies moved since the last step.
    pub(crate) fn refresh(&mut self) {
        self.broad.refresh();
    }

    /// The bodies from a slot on whose boxes overlap a box, in order, instead of what `found`
    /// holds.
    pub(crate) fn near_from(&self, slot: u32, bounds: &Aabb, found: &mut Vec<BodyId>) {
        let mut slots = Vec::new();
        self.broad.near_from(slot, bounds, &mut slots);
        found.clear();
        found.extend(slots.into_iter().map(|slot| self.slots.id(slot)));
    }

    /// The broad phase: its boxes are known by the numbers of the bodies.
    pub fn broad(&self) -> &Broad {
        &self.broad
    }

    /// The body in a slot has come or moved.
    fn settle(&mut self, slot: u32) {
        if let Some(body) = self.slots.at(slot) {
            let bounds = body.support.placed(&body.pose);
            self.broad.set(slot, bounds).expect("the box of a support is finite");
            self.changed[slot as usize] = true;
        }
    }
}
