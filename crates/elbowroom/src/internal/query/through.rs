//! Whether one model goes right through another.
//!
//! ```text
//!     |#|            |#|            A finger that goes through a board comes out behind it: on the finger's
//!  ===|#|===>     ===|#=>           surface, tip and hand are both outside the board, and every path from
//!     |#|            |#|            one to the other has to pass the board.
//!    through       not through
//! ```
//!
//! So A goes through B if two vertices of A outside B, on one part of A's surface, are not joined
//! by edges of A that are clear of B's surface. A rod through a plate: the rod goes through the
//! plate. The plate does not go through the rod, because what of it is outside the rod hangs
//! together around the hole. Two bars that cross, of the same thickness: each goes through the
//! other.
//!
//! Edges decide, so a coarse mesh is used as it is: a corner all of whose edges go through
//! something is behind it.

use std::collections::HashMap;

use super::collide::Known;
use super::solid::{Body, Certainty, Clear, Meeting};
use crate::internal::exact::{Relation, relate};
use crate::internal::math::pose::Pose;
use crate::internal::model::Model;
use crate::internal::traverse::Workspace;

/// Which of two models goes right through the other, if any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Through {
    /// The first model comes out of the second again.
    pub a_through_b: bool,
    /// The second model comes out of the first again.
    pub b_through_a: bool,
    /// Whether this is exact.
    pub certainty: Certainty,
}

/// Which of two placed models goes right through the other. Both may.
///
/// Meant for models that cross. Edges that touch are not clear either, so a peg that fills a hole
/// exactly goes through the plate as well, though the two only touch.
///
/// ```
/// use elbowroom::internal::traverse::Workspace;
/// use elbowroom::{Mesh, Pose};
/// use elbowroom::internal::query;
/// use elbowroom::internal::model::Model;
/// use glam::DVec3;
///
/// let faces = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
/// let needle = [[0.3, 0.3, -9.0], [0.4, 0.3, -9.0], [0.3, 0.4, -9.0], [0.3, 0.3, 9.0]];
/// let needle = Model::new(Mesh::new(needle.map(DVec3::from_array).to_vec(), faces.clone())?);
/// let wedge = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
/// let wedge = Model::new(Mesh::new(wedge, faces)?);
/// let here = Pose::IDENTITY;
/// let through = query::through(&needle, &here, &wedge, &here, &mut Workspace::default());
/// assert!(through.a_through_b && !through.b_through_a);
/// # Ok::<(), elbowroom::MeshError>(())
/// ```
pub fn through(
    a: &Model,
    pose_a: &Pose,
    b: &Model,
    pose_b: &Pose,
    workspace: &mut Workspace,
) -> Through {
    through_known((a, pose_a), (b, pose_b), None, workspace)
}

/// Which of two placed models goes right through the other, with the pairs of triangles that meet
/// if they are known already.
pub fn through_known(
    (a, pose_a): (&Model, &Pose),
    (b, pose_b): (&Model, &Pose),
    known: Known,
    workspace: &mut Workspace,
) -> Through {
    let certainty = Certainty::of(a).and(Certainty::of(b));
    let bodies = [Body::new(a, pose_a), Body::new(b, pose_b)];
    let Some(meeting) = Meeting::find(bodies, known, |_, _| false, workspace) else {
        return Through { certainty, ..Through::default() };
    };
    let [a_through_b, b_through_a] = [0, 1].map(|own| goes_through(&meeting, own, workspace));
    Through { a_through_b, b_through_a, certainty }
}

fn goes_through(meeting: &Meeting, own: usize, workspace: &mut Workspace) -> bool {
    if meeting.met_by[own].is_empty() {
        return false;
    }
    let [body, other] = [meeting.bodies[own], meeting.bodies[1 - own]];
    let mut clear = Clear::new(body, other, &meeting.met_by[own]);
    let mut surface = body.shell.joined(body.model.mesh().vertices().len());
    // For each part of the surface, the first group of vertices that was found outside.
    let mut outside: HashMap<u32, u32> = HashMap::new();
    for (edge, ends) in (0..).zip(&body.shell.edges) {
        let met = clear.met.get(&edge).cloned().unwrap_or_default();
        for &vertex in ends {
            let root = clear.root(vertex);
            let part = surface.root(vertex);
            let known = outside.get(&part).copied();
            if known == Some(root)
                || is_on(&body, vertex, &other, &met)
                || clear.number(vertex, workspace) > 0
            {
                continue;
            }
            if known.is_some() {
                return true;
            }
            outside.insert(part, root);
        }
    }
    false
}

/// Whether a vertex is on one of the other's triangles.
fn is_on(body: &Body, vertex: u32, other: &Body, triangles: &[u32]) -> bool {
    let point = body.placed_segment([vertex; 2]);
    triangles.iter().any(|&triangle| relate(&other.placed(triangle), &point) != Relation::Apart)
}
