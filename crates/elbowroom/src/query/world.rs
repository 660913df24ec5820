//! Many bodies: who touches whom, step after step.
//!
//! A body is a model and where it stands; many bodies may share one model. Each has a box, nearly the smallest,
//! from the model's [`Support`]; a [`Broad`] finds the boxes that overlap, and those pairs are asked about one by
//! one. What was found about two bodies is kept while neither moves.
//!
//! Invariants: the contacts of a step are those of asking about every two bodies, ordered by the bodies. They
//! follow from the bodies, their numbers and where they stand: neither the order in which bodies came and went
//! nor earlier steps show in them, only in how much was asked. A [`BodyId`] never names another body than the
//! one it was given for.
//!
//! A step costs the broad phase (see [`Method`]), a few nanoseconds for each pair of boxes, and a query for each
//! of those pairs in which something moved.

mod layered;
mod step;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Weak};

use crate::broad::{Broad, Method, Support};
use crate::math::placement::Placement;
use crate::model::Model;
use crate::volume::Aabb;

pub use layered::{LayeredWorld, RefitError};
pub use step::{Step, Touching};

/// The name of a body in its [`World`]. Ordered by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId {
    slot: u32,
    generation: u32,
}

impl BodyId {
    /// The body's number, for arrays beside the world: a new body gets that of one that has gone, or else the
    /// next.
    pub fn number(self) -> usize {
        self.slot as usize
    }
}

/// Placed models, and which of them touch.
///
/// ```
/// use std::sync::Arc;
/// use elbowroom::query::{Ask, Question, World};
/// use elbowroom::{Mesh, Model, Placement};
/// use glam::DVec3;
///
/// let triangle = vec![DVec3::ZERO, DVec3::X, DVec3::Y];
/// let model = Arc::new(Model::new(Mesh::new(triangle, vec![[0, 1, 2]])?));
/// let at = |x: f64| Placement::from_translation(DVec3::new(x, 0.0, 0.0));
///
/// let mut world = World::new();
/// let first = world.add(Arc::clone(&model), at(0.0)?);
/// let second = world.add(model, at(5.0)?);
/// let whether = Question { ask: Ask::Whether, ..Question::default() };
/// assert!(world.step(&whether).touching.is_empty());
///
/// world.set_placement(second, at(0.5)?)?;
/// let step = world.step(&whether);
/// assert_eq!((step.touching[0].a, step.touching[0].b), (first, second));
///
/// world.remove(first)?;
/// assert!(world.placement(first).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct World {
    slots: Vec<Slot>,
    /// Slots without a body, to be used again.
    free: Vec<u32>,
    broad: Broad,
    /// By the address of the model. A body holds its model and its support, so that as long as there is a support,
    /// the address is still that model's.
    supports: HashMap<usize, Weak<Support>>,
    /// By slot: a body came, went or moved since the last step.
    changed: Vec<bool>,
    last: step::Last,
}

#[derive(Clone, Debug)]
struct Slot {
    /// How many bodies have gone from here.
    generation: u32,
    body: Option<Body>,
}

#[derive(Clone, Debug)]
struct Body {
    model: Arc<Model>,
    support: Arc<Support>,
    placement: Placement,
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
        let there = self.slots.iter().enumerate().filter(|(_, slot)| slot.body.is_some());
        there.map(|(place, slot)| BodyId { slot: place as u32, generation: slot.generation })
    }

    /// The body that has a number.
    pub fn numbered(&self, number: usize) -> Option<BodyId> {
        let slot = self.slots.get(number).filter(|slot| slot.body.is_some())?;
        Some(BodyId { slot: number as u32, generation: slot.generation })
    }

    /// Adds a body. The first of each model looks at all its vertices once; share the model by [`Arc`].
    pub fn add(&mut self, model: impl Into<Arc<Model>>, placement: Placement) -> BodyId {
        let model = model.into();
        let body = Body { support: self.support(&model), model, placement };
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot { generation: 0, body: None });
            self.changed.push(false);
            self.slots.len() as u32 - 1
        });
        let place = &mut self.slots[slot as usize];
        place.body = Some(body);
        let generation = place.generation;
        self.settle(slot);
        BodyId { slot, generation }
    }

    /// Removes a body.
    ///
    /// # Errors
    /// If it has gone already.
    pub fn remove(&mut self, id: BodyId) -> Result<(), NoSuchBody> {
        self.body(id)?;
        let slot = &mut self.slots[id.number()];
        slot.body = None;
        slot.generation += 1;
        // A slot whose names are used up is never used again.
        if slot.generation < u32::MAX {
            self.free.push(id.slot);
        }
        self.broad.remove(id.slot);
        self.changed[id.number()] = true;
        Ok(())
    }

    /// Moves a body. To where it stands already costs nothing.
    ///
    /// # Errors
    /// If the body has gone.
    pub fn set_placement(&mut self, id: BodyId, placement: Placement) -> Result<(), NoSuchBody> {
        self.body(id)?;
        if let Some(body) = &mut self.slots[id.number()].body
            && body.placement != placement
        {
            body.placement = placement;
            self.settle(id.slot);
        }
        Ok(())
    }

    /// Where a body stands.
    ///
    /// # Errors
    /// If it has gone.
    pub fn placement(&self, id: BodyId) -> Result<&Placement, NoSuchBody> {
        self.body(id).map(|body| &body.placement)
    }

    /// The model of a body.
    ///
    /// # Errors
    /// If it has gone.
    pub fn model(&self, id: BodyId) -> Result<&Arc<Model>, NoSuchBody> {
        self.body(id).map(|body| &body.model)
    }

    /// A box that holds a body.
    ///
    /// # Errors
    /// If it has gone.
    pub fn bounds(&self, id: BodyId) -> Result<Aabb, NoSuchBody> {
        self.body(id).map(|body| body.support.placed(&body.placement))
    }

    /// The bodies that may meet: pairs whose boxes overlap, the lower number first, in order. Of bodies in
    /// one place, this is all pairs.
    pub fn pairs(&mut self) -> impl Iterator<Item = (BodyId, BodyId)> {
        let Self { broad, slots, .. } = self;
        broad.pairs().iter().map(|&(a, b)| (id_at(slots, a), id_at(slots, b)))
    }

    /// The bodies whose boxes overlap a box, in order. Every body is looked at, unless [`Method::Tree`] found the
    /// last pairs and nothing has moved since.
    pub fn near(&self, bounds: &Aabb) -> Vec<BodyId> {
        let mut found = Vec::new();
        self.broad.near(bounds, &mut found);
        found.into_iter().map(|slot| id_at(&self.slots, slot)).collect()
    }

    /// The broad phase: its boxes are known by the numbers of the bodies.
    pub fn broad(&self) -> &Broad {
        &self.broad
    }

    fn body(&self, id: BodyId) -> Result<&Body, NoSuchBody> {
        self.slots
            .get(id.number())
            .filter(|slot| slot.generation == id.generation)
            .and_then(|slot| slot.body.as_ref())
            .ok_or(NoSuchBody { id })
    }

    /// The body in a slot has come or moved.
    fn settle(&mut self, slot: u32) {
        if let Some(body) = &self.slots[slot as usize].body {
            let bounds = body.support.placed(&body.placement);
            self.broad.set(slot, bounds).expect("the box of a support is finite");
            self.changed[slot as usize] = true;
        }
    }

    fn support(&mut self, model: &Arc<Model>) -> Arc<Support> {
        let address = Arc::as_ptr(model).addr();
        if let Some(known) = self.supports.get(&address).and_then(Weak::upgrade) {
            return known;
        }
        // Those of models that have gone would pile up.
        if self.supports.len() > 2 * self.len() + 64 {
            self.supports.retain(|_, support| support.strong_count() > 0);
        }
        let support = Arc::new(Support::of_mesh(model.mesh()));
        self.supports.insert(address, Arc::downgrade(&support));
        support
    }
}

/// The name of the body in a slot.
fn id_at(slots: &[Slot], slot: u32) -> BodyId {
    BodyId { slot, generation: slots[slot as usize].generation }
}

/// A body was named that is not in the world, or no longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSuchBody {
    id: BodyId,
}

impl NoSuchBody {
    /// The name.
    pub fn id(&self) -> BodyId {
        self.id
    }
}

impl fmt::Display for NoSuchBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BodyId { slot, generation } = self.id;
        write!(
            f,
            "body {slot} (the {} with this number) is not in the world: it was removed, or it belongs to \
             another world",
            ordinal(u64::from(generation) + 1)
        )
    }
}

fn ordinal(n: u64) -> String {
    let ending = match (n % 10, n % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{n}{ending}")
}

impl std::error::Error for NoSuchBody {}

#[cfg(test)]
mod tests {
    use super::ordinal;

    #[test]
    fn ordinals() {
        assert_eq!(
            [1, 2, 3, 4, 11, 12, 13, 21, 112].map(ordinal).join(" "),
            "1st 2nd 3rd 4th 11th 12th 13th 21st 112th"
        );
    }
}
