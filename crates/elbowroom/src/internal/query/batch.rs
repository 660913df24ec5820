//! Many queries at once.
//!
//! Each query is on its own, so a batch is the better place for threads than the inside of a query.
//! With the feature `parallel` they are shared out among rayon's threads. The answers are those of
//! asking one after the other, in the order of the questions, whatever the number of threads.

use super::collide::{CollisionRequest, CollisionResult, collide};
use crate::internal::math::pose::Pose;
use crate::internal::model::Model;
use crate::internal::traverse::Workspace;

/// A model and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Placed<'a> {
    /// The model.
    pub model: &'a Model,
    /// Where it stands.
    pub pose: &'a Pose,
}

impl<'a> Placed<'a> {
    /// A model at a place.
    pub fn new(model: &'a Model, pose: &'a Pose) -> Self {
        Self { model, pose }
    }
}

/// Tests many pairs of placed models with one request.
///
/// ```
/// use elbowroom::internal::query::{Want, Placed, CollisionRequest, collide_pairs};
/// use elbowroom::{Mesh, Pose};
/// use elbowroom::internal::model::Model;
/// use glam::DVec3;
///
/// let model = Model::new(Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?);
/// let places = [0.0, 0.5, 3.0].map(|x| Pose::from_translation(DVec3::new(x, 0.0, 0.0)));
/// let [here, near, far] = places;
/// let (here, near, far) = (here?, near?, far?);
/// let first = Placed::new(&model, &here);
/// let pairs = [(first, Placed::new(&model, &near)), (first, Placed::new(&model, &far))];
/// let whether = CollisionRequest { want: Want::Any, ..CollisionRequest::default() };
/// let touch: Vec<bool> =
///     collide_pairs(&pairs, &whether).iter().map(|answer| answer.is_contact()).collect();
/// assert_eq!(touch, [true, false]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn collide_pairs(
    pairs: &[(Placed, Placed)],
    question: &CollisionRequest,
) -> Vec<CollisionResult> {
    run(pairs.len(), |index, workspace| {
        let (a, b) = pairs[index];
        collide(a.model, a.pose, b.model, b.pose, question, workspace)
    })
}

/// One workspace a thread. Small batches are not worth a thread.
#[cfg(feature = "parallel")]
fn run(
    count: usize,
    one: impl Fn(usize, &mut Workspace) -> CollisionResult + Sync,
) -> Vec<CollisionResult> {
    use rayon::prelude::*;

    (0..count)
        .into_par_iter()
        .with_min_len(16)
        .map_init(Workspace::default, |workspace, index| one(index, workspace))
        .collect()
}

#[cfg(not(feature = "parallel"))]
fn run(
    count: usize,
    one: impl Fn(usize, &mut Workspace) -> CollisionResult,
) -> Vec<CollisionResult> {
    let mut workspace = Workspace::default();
    (0..count).map(|index| one(index, &mut workspace)).collect()
}
