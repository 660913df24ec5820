//! Where a model meets itself.
//!
//! Every pair of different triangles of one mesh that have a point in common other than what they
//! share: neighbours always meet, in the corner or edge that they have in common, and only what is
//! beyond it counts. That is decided exactly ([`relate_neighbours`]), so that a surface folded onto
//! itself is found at the fold, and flat neighbours are not.
//!
//! Corners are shared if they are at the same place, bit for bit but for the sign of zero:
//! exporters cut meshes along seams into copies of one vertex, and some formats have no indices at
//! all.
//!
//! The traversal is that of the packed tree with itself; of the binary tree where there is no
//! packed one, as a reference with the same answers. Copies of one triangle, which have all corners
//! in common, are decided as one: what holds for one of them holds for all.

mod binary;
mod packed;

use std::ops::ControlFlow;

use super::collector::Collector;
use super::collide::{CollisionResult, TrianglePair, Want};
use crate::internal::exact::{
    PlacedTriangle, Relation, has_three_corners, relate, relate_neighbours, share_a_corner,
};
use crate::internal::math::pose::Pose;
use crate::internal::model::Model;
use crate::internal::traverse::packed::Wanted;
use crate::internal::traverse::{Tally, Workspace};
use crate::interrupt::checkpoint;

/// The rule for neighbours in self-collision. Neighbours are triangles of one mesh with a corner at
/// the same place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Neighbours {
    /// Neighbours count if they meet beyond the hull of the corners that they share, or share three
    /// different ones: folded onto each other, crossing, or copies.
    #[default]
    Decide,
    /// Neighbours are left out.
    Skip,
    /// Neighbours count like any other pair, so all of them do.
    Count,
}

/// All pairs of different triangles of a model that meet, the smaller number first, in order; and
/// the work that was done.
///
/// ```
/// use elbowroom::internal::traverse::Workspace;
/// use elbowroom::internal::query::{Neighbours, self_triangle_pairs};
/// use elbowroom::Mesh;
/// use elbowroom::internal::model::Model;
/// use glam::DVec3;
///
/// // A square, folded along its diagonal until both halves lie on each other.
/// let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::new(0.1, 0.1, 0.0)];
/// let folded = Model::new(Mesh::new(corners, vec![[0, 1, 2], [2, 1, 3]])?);
/// let mut workspace = Workspace::default();
/// let (pairs, _) = self_triangle_pairs(&folded, Neighbours::Decide, &mut workspace);
/// assert_eq!((pairs[0].a, pairs[0].b), (0, 1));
/// assert!(self_triangle_pairs(&folded, Neighbours::Skip, &mut workspace).0.is_empty());
/// # Ok::<(), elbowroom::MeshError>(())
/// ```
pub fn self_triangle_pairs(
    model: &Model,
    neighbours: Neighbours,
    workspace: &mut Workspace,
) -> (Vec<TrianglePair>, Tally) {
    let answer = collide_self(model, Want::All, neighbours, workspace);
    (answer.pairs, answer.tally)
}

/// Whether a model meets itself other than where its triangles are joined.
pub fn intersects_self(model: &Model) -> bool {
    let mut workspace = Workspace::default();
    collide_self(model, Want::Any, Neighbours::default(), &mut workspace).is_contact()
}

/// Queries the self-collision of a model. What was not asked for is empty or zero, as in
/// [`collide`](super::collide()).
pub fn collide_self(
    model: &Model,
    want: Want,
    neighbours: Neighbours,
    workspace: &mut Workspace,
) -> CollisionResult {
    let mut collector = Collector::new(want, Vec::new());
    // A traversal that was broken off has found what was asked for.
    let (_, tally) = descend(model, neighbours, &mut collector, workspace);
    let Collector { mut answer, found, .. } = collector;
    answer.pairs = found;
    answer.pairs.sort_unstable();
    answer.tally = tally;
    answer
}

/// Calls a visitor with each pair of a model's triangles that meets, as it is found, until the
/// visitor breaks. The order is not sorted, but deterministic; the smaller number is first in each
/// pair.
///
/// Returns `Break` if the visitor did.
pub fn visit_self(
    model: &Model,
    neighbours: Neighbours,
    workspace: &mut Workspace,
    mut visitor: impl FnMut(TrianglePair) -> ControlFlow<()>,
) -> ControlFlow<()> {
    descend(model, neighbours, &mut Shown { visitor: &mut visitor }, workspace).0
}

fn descend(
    model: &Model,
    neighbours: Neighbours,
    take: &mut dyn Take,
    workspace: &mut Workspace,
) -> (ControlFlow<()>, Tally) {
    let own = Own { model, neighbours };
    packed::descend(own, take, workspace).unwrap_or_else(|| binary::descend(own, take, workspace))
}

/// A model, and what counts.
#[derive(Clone, Copy)]
struct Own<'a> {
    model: &'a Model,
    neighbours: Neighbours,
}

impl Own<'_> {
    /// What two different triangles, and all their copies, do to each other, as far as it counts.
    fn relate(&self, i: u32, j: u32) -> Relation {
        let [first, second] = [i, j].map(|i| self.model.mesh().triangle(i as usize));
        match self.neighbours {
            Neighbours::Skip if share_a_corner(first, second) => Relation::Apart,
            Neighbours::Decide | Neighbours::Skip => relate_neighbours(first, second),
            Neighbours::Count => {
                let here = |corners| PlacedTriangle::new(&Pose::IDENTITY, corners);
                relate(&here(first), &here(second))
            }
        }
    }

    /// What copies of one triangle do to each other: at most they touch, as they are in one plane.
    fn relate_copies(&self, copy: u32) -> Relation {
        let counts = match self.neighbours {
            Neighbours::Decide => has_three_corners(self.model.mesh().triangle(copy as usize)),
            Neighbours::Skip => false,
            Neighbours::Count => true,
        };
        if counts { Relation::Touching } else { Relation::Apart }
    }
}

/// Pairs of triangles that all do the same to each other.
#[derive(Clone, Copy)]
enum Group<'a> {
    /// Every copy of one triangle with every copy of another.
    Across(&'a [u32], &'a [u32]),
    /// The copies of one triangle among themselves.
    Copies(&'a [u32]),
}

impl<'a> Group<'a> {
    fn len(self) -> u64 {
        match self {
            Self::Across(first, second) => first.len() as u64 * second.len() as u64,
            Self::Copies(copies) => copies.len() as u64 * (copies.len() as u64 - 1) / 2,
        }
    }

    /// The pairs of each triangle of the first list.
    fn rows(
        self,
        relation: Relation,
    ) -> impl Iterator<Item = impl Iterator<Item = TrianglePair> + use<'a>> + use<'a> {
        let (first, second) = match self {
            Self::Across(first, second) => (first, Some(second)),
            Self::Copies(copies) => (copies, None),
        };
        first.iter().enumerate().map(move |(place, &i)| {
            // Of single triangles the traversal looks at interrupts.
            if first.len() > 1 {
                checkpoint();
            }
            let others = second.unwrap_or_else(|| &first[place + 1..]);
            others.iter().map(move |&j| TrianglePair { a: i.min(j), b: i.max(j), relation })
        })
    }
}

/// Takes triangles that meet.
trait Take {
    /// What will do.
    fn wanted(&self) -> Wanted;

    fn take(&mut self, group: Group, relation: Relation) -> ControlFlow<()>;
}

impl Take for Collector<Vec<TrianglePair>> {
    fn wanted(&self) -> Wanted {
        self.want.wanted()
    }

    fn take(&mut self, group: Group, relation: Relation) -> ControlFlow<()> {
        self.add(relation, group.len(), group.rows(relation))
    }
}

struct Shown<'a> {
    visitor: &'a mut dyn FnMut(TrianglePair) -> ControlFlow<()>,
}

impl Take for Shown<'_> {
    fn wanted(&self) -> Wanted {
        Wanted::All
    }

    fn take(&mut self, group: Group, relation: Relation) -> ControlFlow<()> {
        group.rows(relation).flatten().try_for_each(&mut *self.visitor)
    }
}
