//! Two models, asked about again and again while they move.
//!
//! Each question starts at the pairs of nodes at which the last one stopped, a [`Front`] that is
//! kept. The answers are those of [`collide`](elbowroom::internal::query::collide); only the tally
//! differs. What is saved are the visits above the front: at most half of those from the roots
//! where one node gives way at a time, and a quarter where both do, when little has moved.
//!
//! A front is of the readable trees. A model with a packed tree is mostly answered sooner by
//! [`collide`](elbowroom::internal::query::collide), from the root: this is for trees with a
//! [`Config`](elbowroom::internal::bvh::Config). Keeping a front makes each visit dearer, so that
//! it pays for small steps only. Of two turned heads in SBBK trees (`elbowroom lab run sbbk-front`,
//! all contacts, optimised) it takes 0.77 of the time from the root for steps of a four-hundredth
//! of a model's width, 0.85 at a hundredth, as much at a fortieth, and 1.6 times as much for jumps.

use std::sync::Arc;

use crate::grammar::Front;
use crate::sbbk::HybridTree;
use crate::sbbk::LayeredPairs;
use crate::sbbk::query::{collide_layered, spaces};
use elbowroom::internal::math::pose::Pose;
use elbowroom::internal::model::Model;
use elbowroom::internal::query::collide::{
    CollisionRequest, CollisionResult, Sides, Want, collide_binary,
};
use elbowroom::internal::traverse::Workspace;

/// Two models, and where the last question about them stopped.
///
/// ```
/// use elbowroom_papers::sbbk::Coherent;
/// use elbowroom::internal::query::CollisionRequest;
/// use elbowroom::internal::bvh::Config;
/// use elbowroom::{Mesh, Pose};
/// use elbowroom::internal::model::Model;
/// use glam::DVec3;
///
/// let square = vec![DVec3::ZERO, DVec3::X, DVec3::X + DVec3::Y, DVec3::Y];
/// let mesh = Mesh::new(square, vec![[0, 1, 2], [0, 2, 3]])?;
/// let model = Model::with_config(mesh, &Config::default());
/// let mut pair = Coherent::new(model.clone(), model);
/// let mut touch = 0;
/// for frame in 0..40 {
///     let falling = Pose::from_translation(DVec3::new(0.5, 0.5, 1.0 - 0.05 * f64::from(frame)))?;
///     touch += u32::from(pair.touches(&Pose::IDENTITY, &falling));
///     let answer = pair.ask(&Pose::IDENTITY, &falling, &CollisionRequest::default());
///     assert!(answer.pairs.len() <= 4);
/// }
/// assert_eq!(touch, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Coherent {
    a: Arc<Model>,
    b: Arc<Model>,
    front: Front,
    workspace: Workspace,
}

impl Coherent {
    /// A pair of models without a front yet.
    pub fn new(a: impl Into<Arc<Model>>, b: impl Into<Arc<Model>>) -> Self {
        Self::with_front(a, b, Front::default())
    }

    /// A pair of models with a given front, such as one with another limit. It begins at the roots.
    pub fn with_front(
        a: impl Into<Arc<Model>>,
        b: impl Into<Arc<Model>>,
        mut front: Front,
    ) -> Self {
        front.reset();
        Self { a: a.into(), b: b.into(), front, workspace: Workspace::default() }
    }

    /// Asks about the two models where they are now. Verdict, counts and pairs are those of
    /// [`collide`](elbowroom::internal::query::collide), but that [`Want::First`] may find another
    /// pair. Nothing is allocated but the pairs, once it is warm.
    ///
    /// A question that is limited to a level goes from the roots and leaves the front alone: what
    /// it says depends on which volumes were looked at, and should not depend on the past.
    pub fn ask(
        &mut self,
        pose_a: &Pose,
        pose_b: &Pose,
        question: &CollisionRequest,
    ) -> CollisionResult {
        let Self { a, b, front, workspace } = self;
        if question.path.level.is_some() {
            return collide_binary(a, pose_a, b, pose_b, question, workspace);
        }
        collide_binary(a, pose_a, b, pose_b, question, front)
    }

    /// Whether the two have a point in common where they are now.
    pub fn touches(&mut self, pose_a: &Pose, pose_b: &Pose) -> bool {
        let question = CollisionRequest { want: Want::Any, ..CollisionRequest::default() };
        self.ask(pose_a, pose_b, &question).is_contact()
    }

    /// The models.
    pub fn models(&self) -> [&Arc<Model>; 2] {
        [&self.a, &self.b]
    }

    /// The front: where the last query stopped.
    pub fn front(&self) -> &Front {
        &self.front
    }

    /// Forgets the past: the next question starts at the roots. Worth it where an object has jumped
    /// far.
    pub fn reset(&mut self) {
        self.front.reset();
    }
}

/// Asks about two layered models again, from where the last question about them stopped, and
/// remembers where this one does. They may have moved or been refitted since. The answer is that of
/// [`collide_layered`], as [`Coherent::ask`] says.
///
/// The front is of these two models, in this order. Give each two models one of their own, and
/// [reset](Front::reset) it when one of them is replaced by another.
///
/// ```
/// use elbowroom_papers::grammar::Front;
/// use elbowroom::internal::traverse::Workspace;
/// use elbowroom_papers::sbbk::HybridTree;
/// use elbowroom_papers::sbbk::collide_layered_again;
/// use elbowroom::internal::query::CollisionRequest;
/// use elbowroom_papers::sbbk::Layers;
/// use elbowroom::internal::bvh::Config;
/// use elbowroom::{Mesh, Pose};
/// use glam::DVec3;
///
/// let square = vec![DVec3::ZERO, DVec3::X, DVec3::X + DVec3::Y, DVec3::Y];
/// let mesh = Mesh::new(square.clone(), vec![[0, 1, 2], [0, 2, 3]])?;
/// let floor = HybridTree::new(mesh, &Layers::sbbk(18, 1, 2)?, &Config::default());
/// let mut sheet = floor.clone();
/// let (here, question) = (Pose::IDENTITY, CollisionRequest::default());
/// let (mut front, mut scratch) = (Front::default(), Workspace::default());
/// let mut counts = Vec::new();
/// for height in [2.0, 1.0, 0.0] {
///     // It comes down, one corner last.
///     let corners = [0.0, 0.0, 0.5, 0.0].map(|more| DVec3::Z * (height + more));
///     let moved: Vec<DVec3> = square.iter().zip(corners).map(|(&p, up)| p + up).collect();
///     sheet.refit(&moved)?;
///     let answer =
///         collide_layered_again(&floor, &here, &sheet, &here, &question, &mut front, &mut scratch);
///     counts.push(answer.count());
/// }
/// assert_eq!(counts, [0, 0, 4]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn collide_layered_again(
    a: &HybridTree,
    pose_a: &Pose,
    b: &HybridTree,
    pose_b: &Pose,
    question: &CollisionRequest,
    front: &mut Front,
    workspace: &mut Workspace,
) -> CollisionResult {
    if question.path.level.is_some() {
        return collide_layered(a, pose_a, b, pose_b, question, workspace);
    }
    let spaces = spaces(a, pose_a, b, pose_b, question.margin);
    let pairs = LayeredPairs { a: a.layered_tree(), b: b.layered_tree(), spaces: &spaces };
    Sides { a, pose_a, b, pose_b }.descend(question, pairs, front)
}
