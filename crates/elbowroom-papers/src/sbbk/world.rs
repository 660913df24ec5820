//! Many layered bodies, rigid or deforming: who touches whom, step after step.
//!
//! As [`World`](elbowroom::internal::query::world::World), but the bodies are [`HybridTree`]
//! models, which may be refitted. If asked to, the world keeps a [`Front`] for each two of them for
//! as long as their boxes overlap, and a step goes on where the last one stopped. A front is
//! dropped when the boxes part or one of the bodies is another than before; its memory goes to the
//! next two that need one.
//!
//! Fronts spare visits, not always time. Of two thousand heads that fall together, all contacts
//! asked for, they spare 23 to 32 % of the visits, but steps take 1.3 to 1.6 times as long: a visit
//! from a front looks up families and neighbours where one from the root runs through a stack. They
//! are off unless asked for, and may pay for bodies that are turned against each other and move by
//! less than a hundredth of their width a step (see `docs/notes/hybrid-hierarchies.md`).
//!
//! The box of a body is that of its vertices, nearly, as in a
//! [`World`](elbowroom::internal::query::world::World), until it is refitted; from then on it is
//! that of its box, turned.
//!
//! Invariants: what touches is what touches for [`collide_layered`](crate::sbbk::collide_layered)
//! of every two bodies, ordered by the bodies, with fronts or without. Only the work depends on the
//! past.

mod meeting;

use std::sync::Arc;

use glam::DVec3;

use crate::grammar::Front;
use crate::sbbk::HybridTree;
use crate::sbbk::world::meeting::Meetings;
use elbowroom::internal::broad_phase::{Broad, Method, Support};
use elbowroom::internal::geom::mesh::MeshError;
use elbowroom::internal::math::pose::Pose;
use elbowroom::internal::query::world::slots::Slots;
use elbowroom::internal::query::world::supports::Supports;
use elbowroom::internal::query::world::{BodyContacts, BodyId, NoSuchBody, Step};
use elbowroom::internal::query::{CollisionRequest, Verdict};
use elbowroom::internal::volume::Aabb;

/// The greatest number of pairs in the front of two bodies: a quarter of a megabyte. Bodies that
/// need more have much in common, and a traversal that starts below as many pairs saves little
/// more.
const LIMIT: usize = 1 << 13;

/// Placed layered models, and which of them touch.
///
/// ```
/// use std::sync::Arc;
/// use elbowroom_papers::sbbk::HybridTree;
/// use elbowroom_papers::sbbk::HybridWorld;
/// use elbowroom::internal::query::CollisionRequest;
/// use elbowroom_papers::sbbk::Layers;
/// use elbowroom::internal::bvh::Config;
/// use elbowroom::{Mesh, Pose};
/// use glam::DVec3;
///
/// let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y];
/// let mesh = Mesh::new(corners.clone(), vec![[0, 1, 2]])?;
/// let model = Arc::new(HybridTree::new(mesh, &Layers::sbbk(18, 1, 2)?, &Config::default()));
///
/// let mut world = HybridWorld::new();
/// let first = world.add(Arc::clone(&model), Pose::IDENTITY);
/// let second = world.add(model, Pose::from_translation(DVec3::Z)?);
/// assert!(world.step(&CollisionRequest::default()).touching.is_empty());
///
/// // One corner of the upper one comes down to the lower one.
/// world.refit(second, &[corners[0], corners[1], corners[2] - DVec3::Z])?;
/// let step = world.step(&CollisionRequest::default());
/// assert_eq!((step.touching[0].a, step.touching[0].b), (first, second));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct HybridWorld {
    slots: Slots<Body>,
    broad: Broad,
    supports: Supports,
    meetings: Meetings,
    /// How many models have come so far: a name for each.
    models: u64,
    steps: u64,
    step: Step,
}

#[derive(Clone, Debug)]
struct Body {
    model: Arc<HybridTree>,
    /// How far the model reaches, until the body is refitted: to look at all vertices in all
    /// directions for every refit would cost as much as the refit.
    support: Option<Arc<Support>>,
    placement: Pose,
    /// Which of all models that came into the world this is; a refitted one is the same.
    name: u64,
    /// The step before which it last changed.
    changed: u64,
}

impl HybridWorld {
    /// A world without bodies and without fronts: every step starts at the roots.
    pub fn new() -> Self {
        Self::default()
    }

    /// A world with a front for each two bodies whose boxes overlap.
    pub fn with_fronts() -> Self {
        Self { meetings: Meetings::new(Some(LIMIT)), ..Self::default() }
    }

    /// With a broad phase other than what is chosen step by step.
    #[must_use]
    pub fn with_method(self, method: Method) -> Self {
        let mut world = Self { broad: Broad::new(method), ..self };
        let ids: Vec<BodyId> = world.slots.ids().collect();
        for id in ids {
            world.settle(id.slot());
        }
        world
    }

    /// How many bodies there are.
    pub fn len(&self) -> usize {
        self.broad.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.broad.is_empty()
    }

    /// Adds a body. The first of each model looks at all its vertices once; rigid bodies of one
    /// shape should share the model.
    pub fn add(&mut self, model: impl Into<Arc<HybridTree>>, placement: Pose) -> BodyId {
        let (model, name) = (model.into(), self.next_name());
        let support = Some(self.support(&model));
        let id = self.slots.add(Body { model, support, placement, name, changed: 0 });
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
        Ok(())
    }

    /// Moves a body. To where it stands already costs nothing.
    ///
    /// # Errors
    /// If the body has gone.
    pub fn set_pose(&mut self, id: BodyId, placement: Pose) -> Result<(), NoSuchBody> {
        let body = self.slots.get_mut(id)?;
        if body.placement != placement {
            body.placement = placement;
            self.settle(id.slot());
        }
        Ok(())
    }

    /// Gives a body another model: with another topology, say.
    ///
    /// # Errors
    /// If the body has gone.
    pub fn set_model(
        &mut self,
        id: BodyId,
        model: impl Into<Arc<HybridTree>>,
    ) -> Result<(), NoSuchBody> {
        self.slots.get(id)?;
        let (model, name) = (model.into(), self.next_name());
        let support = Some(self.support(&model));
        let body = self.slots.get_mut(id)?;
        (body.model, body.support, body.name) = (model, support, name);
        self.settle(id.slot());
        Ok(())
    }

    /// Moves the vertices of a body. If it shares its model, it gets a copy of its own first.
    ///
    /// # Errors
    /// If the body has gone, or the vertices are not as many as before or not finite; then nothing
    /// has changed.
    pub fn refit(&mut self, id: BodyId, vertices: &[DVec3]) -> Result<(), RefitError> {
        let body = self.slots.get_mut(id).map_err(RefitError::Body)?;
        if let Some(own) = Arc::get_mut(&mut body.model) {
            own.refit(vertices).map_err(RefitError::Vertices)?;
        } else {
            // The support belongs to the model that it leaves.
            let mut own = HybridTree::clone(&body.model);
            own.refit(vertices).map_err(RefitError::Vertices)?;
            body.model = Arc::new(own);
        }
        body.support = None;
        self.settle(id.slot());
        Ok(())
    }

    /// Where a body stands.
    ///
    /// # Errors
    /// If it has gone.
    pub fn pose(&self, id: BodyId) -> Result<&Pose, NoSuchBody> {
        self.slots.get(id).map(|body| &body.placement)
    }

    /// The model of a body.
    ///
    /// # Errors
    /// If it has gone.
    pub fn model(&self, id: BodyId) -> Result<&Arc<HybridTree>, NoSuchBody> {
        self.slots.get(id).map(|body| &body.model)
    }

    /// The broad phase: its boxes are known by the numbers of the bodies.
    pub fn broad(&self) -> &Broad {
        &self.broad
    }

    /// The fronts that are alive: of how many pairs of bodies, and how many pairs of nodes all of
    /// them have.
    pub fn fronts(&self) -> (usize, usize) {
        let sizes = self.meetings.fronts().map(Front::len);
        sizes.fold((0, 0), |(count, sum), len| (count + 1, sum + len))
    }

    /// Finds all bodies that touch. Nothing is allocated but the listed pairs, once it is warm and
    /// bodies meet as they did before.
    pub fn step(&mut self, question: &CollisionRequest) -> &Step {
        self.steps += 1;
        let Self { slots, broad, meetings, step, .. } = self;
        let body = |slot: u32| slots.at(slot);
        meetings.keep(broad.pairs(), |slot| body(slot).map_or(0, |body| body.name));
        meetings.ask(question, self.steps, body);
        step.touching.clear();
        (step.examined, step.asked) = (0, 0);
        step.tally = elbowroom::internal::traverse::Tally::default();
        for meeting in meetings.iter() {
            step.examined += 1;
            if meeting.asked == self.steps {
                step.asked += 1;
                step.tally += meeting.answer.tally;
            }
            if meeting.answer.verdict != Verdict::Clear {
                let (a, b) = (slots.id(meeting.pair.0), slots.id(meeting.pair.1));
                step.touching.push(BodyContacts::new(a, b, meeting.answer.clone()));
            }
        }
        step
    }

    fn support(&mut self, model: &Arc<HybridTree>) -> Arc<Support> {
        self.supports.of(model, self.broad.len(), |model| Support::of_mesh(model.mesh()))
    }

    fn next_name(&mut self) -> u64 {
        self.models += 1;
        self.models
    }

    /// The body in a slot has come, moved or changed.
    fn settle(&mut self, slot: u32) {
        if let Some(body) = self.slots.at_mut(slot) {
            body.changed = self.steps + 1;
            let bounds = match &body.support {
                Some(support) => support.placed(&body.placement),
                None => placed(body.model.bounds(), &body.placement),
            };
            self.broad.set(slot, bounds).expect("a placed box is finite");
        }
    }
}

/// A box that holds a placed box.
fn placed(Aabb { min: low, max: high }: Aabb, placement: &Pose) -> Aabb {
    // In units of the last place of the sizes: 2 for the middle, 5 for each of two sums of three
    // products, 2 for the rest. What is beyond is room, and the last summand covers what is
    // lost below the normal numbers.
    const SLACK: f64 = 32.0 / (1_u64 << 53) as f64;
    let (middle, half) = (0.5 * low + 0.5 * high, 0.5 * high - 0.5 * low);
    let size = low.abs().max(high.abs()).element_sum();
    let mut bounds = Aabb { min: DVec3::ZERO, max: DVec3::ZERO };
    for axis in 0..3 {
        let (row, shift) = (placement.rotation().row(axis), placement.translation()[axis]);
        let radius = row.abs().dot(half) + SLACK * (size + shift.abs()) + f64::MIN_POSITIVE;
        let at = row.dot(middle) + shift;
        bounds.max[axis] = finite(at + radius, f64::MAX);
        bounds.min[axis] = finite(at - radius, -f64::MAX);
    }
    bounds
}

/// Cut off at the largest number; what is not a number was too large on its way.
fn finite(x: f64, otherwise: f64) -> f64 {
    if x.is_nan() { otherwise } else { x.clamp(-f64::MAX, f64::MAX) }
}

/// Why a body could not be refitted.
#[derive(Clone, Debug, PartialEq)]
pub enum RefitError {
    /// The body is gone.
    Body(NoSuchBody),
    /// The vertices are wrong.
    Vertices(MeshError),
}

impl std::fmt::Display for RefitError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Body(error) => error.fmt(f),
            Self::Vertices(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RefitError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Body(error) => Some(error),
            Self::Vertices(error) => Some(error),
        }
    }
}
