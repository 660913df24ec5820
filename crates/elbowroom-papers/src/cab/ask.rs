//! The questions about bodies of links: which links touch, and in which triangles.
//!
//! Each question has two steps: candidates, whose boxes do not tell them apart, and an exact query
//! for each. What touches is therefore the same for every way of keeping boxes; [`Work`] says what
//! the ways cost.

use std::ops::Range;

use crate::cab::allowed::Allowed;
use crate::cab::candidates::{candidates_against, candidates_between, candidates_within};
use crate::cab::depth::{LinkDepth, depth_of_models};
use crate::cab::hierarchy::CabHierarchy;
use crate::cab::work::Work;
use elbowroom::internal::math::pose::Pose;
use elbowroom::internal::model::Model;
use elbowroom::internal::query::{
    CollisionRequest, CollisionResult, TrianglePair, Want, World, collide,
};
use elbowroom::internal::traverse as descend;

/// Options of a query about links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkQuestion {
    /// The amount of detail about two links. By default, only whether they touch.
    pub ask: Want,
    /// Whether the first two links that touch are enough.
    pub first_only: bool,
    /// Whether it is asked how deep links that touch are in each other.
    pub depth: bool,
}

impl Default for LinkQuestion {
    fn default() -> Self {
        Self { ask: Want::Any, first_only: false, depth: false }
    }
}

/// Two links that touch.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkContact {
    /// The first body's link.
    pub a: u32,
    /// The second body's link, or the number of a body of the world.
    pub b: u32,
    /// The number of pairs of triangles that touch, of those that were tested.
    pub touching: u64,
    /// The number of pairs that cross, of those that were tested.
    pub crossing: u64,
    /// The range of their triangles in [`Found::triangles`]; empty, unless they were asked for.
    pub triangles: Range<usize>,
    /// The penetration depth; `None`, unless it was asked for, or beyond 10¹⁴⁰.
    pub depth: Option<LinkDepth>,
}

/// The result of a query.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// The links that touch, ordered by the first and then by the second.
    pub contacts: Vec<LinkContact>,
    /// The triangles of all contacts, one contact after the other.
    pub triangles: Vec<TrianglePair>,
    /// The work that this question took. What was refitted meanwhile is in [`CabHierarchy::work`].
    pub work: Work,
}

impl Found {
    /// Whether nothing touches.
    pub fn is_clear(&self) -> bool {
        self.contacts.is_empty()
    }

    /// The triangles of a contact.
    ///
    /// # Panics
    /// If the contact is of another answer with more of them.
    pub fn triangles_of(&self, contact: &LinkContact) -> &[TrianglePair] {
        &self.triangles[contact.triangles.clone()]
    }
}

/// Memory that questions use. One that is kept makes them free of allocation once it is warm, but
/// for listed triangles.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    pub(super) descent: descend::Workspace,
    pub(super) candidates: Vec<(u32, u32)>,
    pub(super) bodies: Vec<u32>,
    pub(super) margin: f64,
    found: Found,
}

impl Workspace {
    /// Empty.
    pub fn new() -> Self {
        Self::default()
    }

    /// A question in which links whose boxes are no farther apart than a margin are candidates,
    /// too. A margin that is not a number above 0 counts as 0.
    #[must_use]
    pub fn with_margin(self, margin: f64) -> Self {
        Self { margin: margin.max(0.0), ..self }
    }
}

/// The links of two bodies that touch.
///
/// ```
/// use std::sync::Arc;
/// use elbowroom_papers::cab::{LinkQuestion, Workspace, between};
/// use elbowroom_papers::cab::{ArticulatedBody, CabHierarchy, RefitMethod, Link};
/// use elbowroom_motion::body::{Joint, JointId, Local, Skeleton};
/// use elbowroom::{Mesh, Pose};
/// use elbowroom::internal::model::Model;
/// use glam::{DAffine3, DVec3};
///
/// let joint = Joint { name: "post".into(), parent: None, rest: Local::IDENTITY };
/// let skeleton = Skeleton::new(vec![joint])?;
/// let model = Arc::new(Model::new(Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?));
/// let link = Link { joint: JointId(0), model, joint_from_link: Pose::IDENTITY, name: "plate".into() };
/// let plate = Arc::new(ArticulatedBody::new(&skeleton, vec![link])?);
///
/// let keep = RefitMethod::default();
/// let (mut a, mut b) = (CabHierarchy::new(Arc::clone(&plate), keep), CabHierarchy::new(plate, keep));
/// let mut workspace = Workspace::new();
/// assert!(!between(&mut a, &mut b, &LinkQuestion::default(), &mut workspace).is_clear());
/// b.update(&[DAffine3::from_translation(DVec3::Z)])?;
/// let found = between(&mut a, &mut b, &LinkQuestion::default(), &mut workspace);
/// assert!(found.is_clear() && found.work.calls == 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn between<'w>(
    a: &mut CabHierarchy,
    b: &mut CabHierarchy,
    question: &LinkQuestion,
    workspace: &'w mut Workspace,
) -> &'w Found {
    let (_, work) = candidates_between(a, b, workspace);
    decide_between(a, b, question, workspace);
    workspace.found.work += work;
    &workspace.found
}

/// The links of one body that touch without being allowed to.
///
/// # Panics
/// If what is allowed is of a body with fewer links.
pub fn within<'w>(
    a: &mut CabHierarchy,
    allowed: &Allowed,
    question: &LinkQuestion,
    workspace: &'w mut Workspace,
) -> &'w Found {
    let (_, work) = candidates_within(a, allowed, workspace);
    decide_within(a, question, workspace);
    workspace.found.work += work;
    &workspace.found
}

/// The links of a body that touch bodies of a world; the latter by their
/// [numbers](elbowroom::internal::query::BodyId::number).
pub fn against<'w>(
    a: &mut CabHierarchy,
    world: &World,
    question: &LinkQuestion,
    workspace: &'w mut Workspace,
) -> &'w Found {
    let (_, work) = candidates_against(a, world, workspace);
    decide_against(a, world, question, workspace);
    workspace.found.work += work;
    &workspace.found
}

/// The second step of [`between`] alone: decides the candidates that the workspace was left with by
/// [`candidates_between`] of the same bodies. The work is that of this step.
///
/// # Panics
/// If the candidates are of bodies with more links.
pub fn decide_between<'w>(
    a: &CabHierarchy,
    b: &CabHierarchy,
    question: &LinkQuestion,
    workspace: &'w mut Workspace,
) -> &'w Found {
    decide(workspace, *question, |(i, j)| Some([a.link_placed(i), b.link_placed(j)]))
}

/// The second step of [`within`] alone: decides the candidates that the workspace was left with by
/// [`candidates_within`] of the same body.
///
/// # Panics
/// If the candidates are of a body with more links.
pub fn decide_within<'w>(
    a: &CabHierarchy,
    question: &LinkQuestion,
    workspace: &'w mut Workspace,
) -> &'w Found {
    decide_between(a, a, question, workspace)
}

/// The second step of [`against`] alone: decides the candidates that the workspace was left with by
/// [`candidates_against`] of the same body and world.
///
/// # Panics
/// If the candidates are of a body with more links.
pub fn decide_against<'w>(
    a: &CabHierarchy,
    world: &World,
    question: &LinkQuestion,
    workspace: &'w mut Workspace,
) -> &'w Found {
    decide(workspace, *question, |(i, number)| {
        let body = world.numbered(number as usize)?;
        let (model, placement) = (world.model(body).ok()?, world.pose(body).ok()?);
        let link = &a.articulation().links()[i as usize];
        Some([(&*link.model, &a.placements()[i as usize]), (&**model, placement)])
    })
}

/// Two links, or a link and a body of the world, each with where it stands.
type Both<'a> = [(&'a Model, &'a Pose); 2];

/// Asks about every candidate, in order.
fn decide<'a>(
    workspace: &mut Workspace,
    question: LinkQuestion,
    both: impl Fn((u32, u32)) -> Option<Both<'a>>,
) -> &Found {
    let Workspace { descent, candidates, found, .. } = workspace;
    let Found { contacts, triangles, work } = found;
    contacts.clear();
    triangles.clear();
    *work = Work::default();
    let asked = CollisionRequest { want: question.ask, ..CollisionRequest::default() };
    for &(a, b) in candidates.iter() {
        let Some([(first, at), (second, bt)]) = both((a, b)) else { continue };
        let answer = collide(first, at, second, bt, &asked, descent);
        work.calls += 1;
        work.exact += answer.tally;
        if !answer.is_contact() {
            work.false_alarms += 1;
            continue;
        }
        work.hits += 1;
        let start = triangles.len();
        triangles.extend_from_slice(&answer.pairs);
        let listed = start..triangles.len();
        let depth = if question.depth { depth_of_models(first, at, second, bt) } else { None };
        let CollisionResult { touching, crossing, .. } = answer;
        contacts.push(LinkContact { a, b, touching, crossing, triangles: listed, depth });
        if question.first_only {
            break;
        }
    }
    found
}
