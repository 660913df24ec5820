//! The boolean query for two models that are tested again and again while they move.
//!
//! Two bodies that met a moment ago mostly still do, and mostly in the same two triangles: the last
//! answer's pair is tested first, and when it still meets, that is the whole query. When it does
//! not, or the bodies were apart, the trees are descended as usual.
//!
//! A front of the pairs that last separated the bodies is not kept here: with batches of sixteen, most
//! of a query is below its front, and starting there saves little.

use super::collide::{CollisionRequest, Want, collide};
use crate::internal::exact::{PlacedTriangle, Relation, relate};
use crate::internal::math::pose::Pose;
use crate::internal::model::Model;
use crate::internal::traverse::Workspace;

/// The two triangles that met in the last answer of a pair of models: tested first the next time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Witness {
    pair: Option<(u32, u32)>,
    /// How often these two triangles decided a later query.
    pub reused: u64,
}

impl Witness {
    /// The two triangles that met in the last answer. `None` if the models were apart.
    pub fn triangles(&self) -> Option<(u32, u32)> {
        self.pair
    }
}

/// Whether two models have a point in common, as [`intersects`](super::intersects); the witness is
/// from the last query of the same two models.
///
/// A witness of another pair is harmless: it is tested again and dropped.
pub fn intersects_again(
    a: &Model,
    pose_a: &Pose,
    b: &Model,
    pose_b: &Pose,
    witness: &mut Witness,
    workspace: &mut Workspace,
) -> bool {
    let corners = |model: &Model, triangle: u32| {
        let known = (triangle as usize) < model.mesh().triangles().len();
        known.then(|| model.mesh().triangle(triangle as usize))
    };
    let still = witness.pair.is_some_and(|(i, j)| match (corners(a, i), corners(b, j)) {
        (Some(first), Some(second)) => {
            let first = PlacedTriangle::new(pose_a, first);
            relate(&first, &PlacedTriangle::new(pose_b, second)) != Relation::Apart
        }
        _ => false,
    });
    if still {
        witness.reused += 1;
        return true;
    }
    let question = CollisionRequest { want: Want::First, ..CollisionRequest::default() };
    let answer = collide(a, pose_a, b, pose_b, &question, workspace);
    witness.pair = answer.pairs.first().map(|pair| (pair.a, pair.b));
    answer.is_contact()
}
