//! What two solids have in common, and what each has for itself.
//!
//! A closed mesh encloses the points around which it is wound at least once. Of two solids A and B
//! there are three parts: what is in both, what is only in A, what is only in B. Which of them are
//! more than a surface says it all:
//!
//! ```text
//!   both  only A  only B
//!    no     ·       ·     they touch or are apart
//!    yes    no      no    the same solid, whatever its triangles
//!    yes    no      yes   A is within B
//!    yes    yes     no    B is within A
//!    yes    yes     yes   they cross
//! ```
//!
//! Where the surfaces are clear of each other, all that hangs together is inside the other or
//! outside, and one winding number tells. Where two triangles cross that bound their solids for
//! certain, all three parts meet, and that is the end of it. What is left are surfaces that touch,
//! lie in one plane, or meet themselves: there, edges and intersections are cut along each other
//! without rounding, and what is around each part of them is examined ([`fan`]). So degenerate
//! input is the normal case. The argument is in `docs/notes/solids.md`.
//!
//! A mesh that is not closed encloses nothing for certain: the same three answers are then
//! [estimates](Certainty), by generalised winding numbers at samples of both surfaces.
//!
//! Winding number above one half: so a mesh that is wound inside out encloses nothing, a ball
//! within a ball that is wound the same way is solid all through, and one that is wound the other
//! way is a hollow.

mod beside;
mod body;
mod clear;
mod estimate;
mod fan;
mod line;
mod meeting;
mod own;
mod probe;
mod profile;

use glam::DVec3;

pub(super) use beside::side_of_point;
pub(super) use body::Body;
pub(super) use clear::Clear;
pub(super) use meeting::Meeting;
pub(super) use own::Own;
pub(super) use probe::Probe;
pub use profile::{ClosedProfile, SolidProfile, profile};

use super::collide::Known;
use super::duplicate::is_same_surface;
use super::winding::is_likely_inside;
use crate::internal::exact::{Point, Vector};
use crate::internal::math::pose::Pose;
use crate::internal::model::Model;
use crate::internal::traverse::Workspace;

/// Whether an answer about what a mesh encloses is certain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Certainty {
    /// The answer is exact.
    #[default]
    Exact,
    /// The answer is an estimate: a mesh is not closed, or stands for a curved solid.
    Estimate(Doubt),
}

impl Certainty {
    /// Whether the answer is exact.
    pub fn is_exact(&self) -> bool {
        *self == Self::Exact
    }

    /// The less certain of two.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        if self.is_exact() { other } else { self }
    }

    /// Of what a model encloses.
    pub(super) fn of(model: &Model) -> Self {
        let seams = model.shell().seams();
        if seams.is_closed() {
            Self::Exact
        } else if seams.boundary > 0 {
            Self::Estimate(Doubt::Boundary(seams.boundary))
        } else if seams.inconsistent > 0 {
            Self::Estimate(Doubt::Inconsistent(seams.inconsistent))
        } else if seams.unbalanced > 0 {
            Self::Estimate(Doubt::Unbalanced(seams.unbalanced))
        } else {
            Self::Estimate(Doubt::NoSurface)
        }
    }
}

/// Why a mesh does not enclose anything for certain; counted after equal vertices were merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Doubt {
    /// Holes: the number of edges that belong to one triangle only.
    Boundary(usize),
    /// Inconsistent orientation: the number of edges whose two triangles disagree on which side is
    /// out.
    Inconsistent(usize),
    /// The number of edges of three and more triangles that do not run along them equally often in
    /// both directions.
    Unbalanced(usize),
    /// All triangles are segments or points.
    NoSurface,
    /// The mesh is closed, but meets itself where it matters, and this query does not resolve that.
    MeetsItself,
    /// A mesh encloses a curved primitive, and the answer holds for the mesh but not for certain
    /// for the primitive.
    Enclosure,
}

/// Which parts two solids have: whether each is more than a surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Solids {
    /// Something is in both.
    pub both: bool,
    /// Something is in the first and not in the second.
    pub only_a: bool,
    /// Something is in the second and not in the first.
    pub only_b: bool,
    /// Whether this is exact.
    pub certainty: Certainty,
}

impl Solids {
    /// Everything that can be seen has been.
    const ALL: Self = Self { both: true, only_a: true, only_b: true, certainty: Certainty::Exact };

    /// Whether interiors meet and neither contains the other.
    pub fn is_crossing(&self) -> bool {
        self.both && self.only_a && self.only_b
    }

    /// Whether the first is a subset of the second and smaller.
    pub fn is_a_within_b(&self) -> bool {
        self.both && !self.only_a && self.only_b
    }

    /// Whether the second is a subset of the first and smaller.
    pub fn is_b_within_a(&self) -> bool {
        self.both && self.only_a && !self.only_b
    }

    /// Whether both are the same solid.
    pub fn is_same(&self) -> bool {
        self.both && !self.only_a && !self.only_b
    }

    fn is_all(&self) -> bool {
        self.both && self.only_a && self.only_b
    }

    fn note(&mut self, in_a: bool, in_b: bool) {
        self.both |= in_a && in_b;
        self.only_a |= in_a && !in_b;
        self.only_b |= in_b && !in_a;
    }
}

/// Which parts two placed solids have. Exact if both meshes are closed, and the same with the
/// arguments swapped, but for the names.
///
/// Where a surface meets itself is worked out near the triangles that matter, some µs each, and
/// kept. So solids that cross or are apart are told about as soon as their surfaces are; those that
/// touch take some 20 µs for each pair of triangles that do.
///
/// ```
/// use elbowroom::internal::traverse::Workspace;
/// use elbowroom::{Mesh, Pose};
/// use elbowroom::internal::query;
/// use elbowroom::internal::model::Model;
/// use glam::DVec3;
///
/// let (p, q, r, s) = (DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z);
/// let faces = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
/// let large = Model::new(Mesh::new(vec![p, q, r, s], faces.clone())?);
/// // In its corner: three faces lie in the faces of the large one.
/// let small = Model::new(Mesh::new([p, q, r, s].map(|p| p * 0.5).to_vec(), faces)?);
/// let here = Pose::IDENTITY;
/// let solids = query::solids(&small, &here, &large, &here, &mut Workspace::default());
/// assert!(solids.is_a_within_b() && solids.certainty.is_exact());
///
/// let moved = Pose::from_translation(DVec3::new(0.25, 0.0, 0.0))?;
/// assert!(query::solids(&large, &moved, &large, &here, &mut Workspace::default()).is_crossing());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solids(
    a: &Model,
    pose_a: &Pose,
    b: &Model,
    pose_b: &Pose,
    workspace: &mut Workspace,
) -> Solids {
    solids_known((a, pose_a), (b, pose_b), None, workspace)
}

/// Which parts two placed solids have, with the pairs of triangles that meet if they are known
/// already; see [`solids`].
pub(super) fn solids_known(
    (a, pose_a): (&Model, &Pose),
    (b, pose_b): (&Model, &Pose),
    known: Known,
    workspace: &mut Workspace,
) -> Solids {
    let certainty = Certainty::of(a).and(Certainty::of(b));
    // Two copies in one place touch everywhere, and would be looked at everywhere.
    if pose_a == pose_b && is_same_surface(a, b, pose_a, known, workspace) {
        let own = Own::new(&Body::new(a, pose_a));
        let mut faces = a.shell().faces();
        let both = !certainty.is_exact() || faces.any(|triangle| own.seen(triangle).inside);
        return Solids { both, certainty, ..Solids::default() };
    }
    let bodies = [Body::new(a, pose_a), Body::new(b, pose_b)];
    if !certainty.is_exact() {
        return Solids { certainty, ..estimate::solids(bodies, known, workspace) };
    }
    // Around two triangles that cross and bound their solids, all parts are to be seen.
    let owns = bodies.each_ref().map(Own::new);
    let are_boundary = |a, b| owns[0].is_boundary(a) && owns[1].is_boundary(b);
    let found = Meeting::find(bodies, known, are_boundary, workspace);
    found.map_or(Solids::ALL, |meeting| meeting.regions(owns, workspace))
}

/// Whether two placed solids have nothing in common, for certain, given that their surfaces are
/// clear of each other: no part of either is within the other.
pub(super) fn are_clear(
    (a, pose_a): (&Model, &Pose),
    (b, pose_b): (&Model, &Pose),
    workspace: &mut Workspace,
) -> bool {
    let bodies = [Body::new(a, pose_a), Body::new(b, pose_b)];
    bodies.iter().all(|body| body.shell.is_closed())
        && [[0, 1], [1, 0]].into_iter().all(|[own, other]| {
            let heads = &bodies[own].shell.heads;
            let number = |&head| winding_of_vertex(&bodies[other], &bodies[own], head, workspace);
            heads.iter().map(number).all(|number| number <= 0)
        })
}

/// The winding number of a body's surface around a vertex of another one that is not on it. Of a
/// surface that is not closed: 1 if the vertex is likely within, else 0.
pub(super) fn winding_of_vertex(
    body: &Body,
    of: &Body,
    vertex: u32,
    workspace: &mut Workspace,
) -> i32 {
    if !body.shell.is_closed() {
        let point = of.pose.apply(of.vertex(vertex));
        return i32::from(is_likely_inside(body.model, body.pose, point, workspace));
    }
    let axes = [DVec3::X, DVec3::Y, DVec3::Z].map(Vector::of);
    let point = Point::from_vector(of.corner(vertex));
    fan::winding_towards(body, &point, axes.each_ref(), workspace)
}
