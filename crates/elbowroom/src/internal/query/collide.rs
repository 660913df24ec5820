//! Do two models meet, where, and in how many pairs of triangles?
//!
//! The traversal finds pairs of leaves whose volumes may meet; their triangles are decided exactly.
//! So the answer is the same for every family, fit, split and rule of traversal; only the [`Tally`]
//! differs.

use std::ops::ControlFlow;

use super::collector::Collector;
use super::deformable::collide_deformable;
use super::packed;
use crate::internal::bvh::{Column, NodeId, Tree};
use crate::internal::exact::{PlacedTriangle, Relation, relate};
use crate::internal::geom::mesh::Mesh;
use crate::internal::math::pose::Pose;
use crate::internal::model::{Columns, DeformableBvh, Model, Runs};
use crate::internal::traverse::Walk;
use crate::internal::traverse::packed::Wanted;
use crate::internal::traverse::{Judge, Path, Tally, Workspace};
use crate::internal::volume::{Family, Meet, Obb, Rigid, Spatial};
use crate::interrupt::checkpoint;

/// Two triangles that have a point in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TrianglePair {
    /// The triangle of the first mesh.
    pub a: u32,
    /// The triangle of the second mesh.
    pub b: u32,
    /// Whether the triangles touch or cross; never [`Relation::Apart`].
    pub relation: Relation,
}

/// The amount of detail of an answer; less is faster.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Want {
    /// Boolean only. `touching` and `crossing` stay 0, because the pair that is found first depends
    /// on the SIMD width; so may the tally.
    Any,
    /// The boolean, and the first pair that is found.
    First,
    /// The number of pairs.
    Count,
    /// All pairs.
    #[default]
    All,
}

impl Want {
    /// What a traversal of packed trees has to find.
    pub(super) fn wanted(self) -> Wanted {
        match self {
            Self::Any => Wanted::Any,
            Self::First => Wanted::First,
            Self::Count | Self::All => Wanted::All,
        }
    }
}

/// Options of a query: its detail and its traversal. The default asks for everything, down to the
/// triangles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CollisionRequest {
    /// The detail of the answer.
    pub want: Want,
    /// The order and the level limit of the traversal.
    pub path: Path,
    /// An extra distance that two volumes must have to be culled. It changes the work, never the
    /// answer: triangles are always decided exactly. Below zero, or NaN, it counts as zero.
    pub margin: f64,
}

impl From<Path> for CollisionRequest {
    /// Everything, by a rule of traversal and down to a level.
    fn from(path: Path) -> Self {
        Self { path, ..Self::default() }
    }
}

/// The verdict of a query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The models have no point in common. Certain, also with a level limit.
    #[default]
    Clear,
    /// The traversal had a level limit, and at that level the models could not be separated.
    MayTouch,
    /// The models meet. Certain.
    Contact,
}

/// All pairs of triangles of two models that meet, if the caller knows them already.
pub type Known<'a> = Option<&'a [TrianglePair]>;

/// The answer of a query. What was not asked for is empty or zero.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CollisionResult {
    /// Whether the models meet.
    pub verdict: Verdict,
    /// The number of pairs of triangles that touch, of those that were tested.
    pub touching: u64,
    /// The number of pairs that cross, of those that were tested.
    pub crossing: u64,
    /// The pairs, ordered by the first mesh's triangle and then by the second's.
    pub pairs: Vec<TrianglePair>,
    /// The counts of tests.
    pub tally: Tally,
}

impl CollisionResult {
    /// Whether the models meet, for certain.
    pub fn is_contact(&self) -> bool {
        self.verdict == Verdict::Contact
    }

    /// The number of pairs of triangles that meet, of those that were tested.
    pub fn count(&self) -> u64 {
        self.touching + self.crossing
    }
}

/// Every pair of triangles of two models that meet, touching included, ordered by the first mesh's
/// triangle and then by the second's.
pub fn triangle_pairs(a: &Model, pose_a: &Pose, b: &Model, pose_b: &Pose) -> Vec<TrianglePair> {
    collide(a, pose_a, b, pose_b, &CollisionRequest::default(), &mut Workspace::default()).pairs
}

/// Whether two models have a point in common.
pub fn intersects(a: &Model, pose_a: &Pose, b: &Model, pose_b: &Pose) -> bool {
    let question = CollisionRequest { want: Want::Any, ..CollisionRequest::default() };
    collide(a, pose_a, b, pose_b, &question, &mut Workspace::default()).is_contact()
}

/// Calls a visitor with each pair of triangles that meets, as it is found, until the visitor
/// breaks. The order is not sorted, but deterministic.
///
/// Returns `Break` if the visitor did.
pub fn visit(
    a: &Model,
    pose_a: &Pose,
    b: &Model,
    pose_b: &Pose,
    workspace: &mut Workspace,
    mut visitor: impl FnMut(TrianglePair) -> ControlFlow<()>,
) -> ControlFlow<()> {
    if deformables(a, pose_a, b, pose_b).is_none()
        && let Some(flow) = packed::visit(a, pose_a, b, pose_b, workspace, &mut visitor)
    {
        return flow;
    }
    let answer = collide(a, pose_a, b, pose_b, &CollisionRequest::default(), workspace);
    answer.pairs.into_iter().try_for_each(visitor)
}

/// Queries two models. With a workspace that is reused, only the list of pairs is allocated.
pub fn collide(
    a: &Model,
    pose_a: &Pose,
    b: &Model,
    pose_b: &Pose,
    question: &CollisionRequest,
    workspace: &mut Workspace,
) -> CollisionResult {
    if let Some((soft_a, soft_b)) = deformables(a, pose_a, b, pose_b)
        && question.path == Path::default()
    {
        return collide_deformable(soft_a, soft_b, question.want, workspace);
    }
    if let Some(answer) = packed::collide(a, pose_a, b, pose_b, question, workspace) {
        return answer;
    }
    collide_binary(a, pose_a, b, pose_b, question, workspace)
}

/// Axis-aligned boxes of two models at the origin, if one of them deforms: a tree that is refitted
/// costs less there than one that is built again.
fn deformables<'a>(
    a: &'a Model,
    pose_a: &Pose,
    b: &'a Model,
    pose_b: &Pose,
) -> Option<(&'a DeformableBvh, &'a DeformableBvh)> {
    let is_here = |pose: &Pose| *pose == Pose::IDENTITY;
    if !(a.is_shaped() || b.is_shaped()) || !is_here(pose_a) || !is_here(pose_b) {
        return None;
    }
    a.deformable_bvh().zip(b.deformable_bvh())
}

/// Queries the binary trees of two models, from the roots or from a front.
pub fn collide_binary(
    a: &Model,
    pose_a: &Pose,
    b: &Model,
    pose_b: &Pose,
    question: &CollisionRequest,
    walk: &mut impl Walk,
) -> CollisionResult {
    // The larger of NaN and zero is zero.
    let margin = question.margin.max(0.0);
    let space = Rigid::new(pose_a, a.reach(), pose_b, b.reach(), margin);
    let sides = Sides { a, pose_a, b, pose_b };
    macro_rules! by_family {
        ($($family:ident),*) => {
            match (a.columns(), b.columns()) {
                $((Columns::$family(x), Columns::$family(y)) => {
                    sides.descend(question, Alike::new(x, y, &space), walk)
                })*
                (x, y) => sides.descend(question, AsBoxes::new(x, y, &space), walk),
            }
        };
    }
    by_family!(Sphere, Aabb, Obb, Kdop14, Kdop18, Kdop24, Kdop26, Cylinder)
}

/// Separates pairs of nodes by their volumes.
pub trait Cull {
    /// Of the first one's volume.
    fn family(&self, a: NodeId) -> Family;
    fn may_meet(&self, a: NodeId, b: NodeId) -> bool;
    fn is_first_larger(&self, a: NodeId, b: NodeId) -> bool;
}

/// Two columns of one family.
pub(super) struct Alike<'a, V: Meet> {
    a: &'a Column<V>,
    b: &'a Column<V>,
    space: V::Space,
}

impl<'a, V: Meet> Alike<'a, V> {
    pub(super) fn new(a: &'a Column<V>, b: &'a Column<V>, space: &Rigid) -> Self {
        Self { a, b, space: space.into() }
    }
}

impl<V: Meet> Cull for Alike<'_, V> {
    #[inline]
    fn family(&self, _: NodeId) -> Family {
        V::FAMILY
    }

    #[inline]
    fn may_meet(&self, a: NodeId, b: NodeId) -> bool {
        self.a[a].may_meet(&self.b[b], &self.space)
    }

    #[inline]
    fn is_first_larger(&self, a: NodeId, b: NodeId) -> bool {
        self.a[a].reach() >= self.b[b].reach()
    }
}

/// Two columns of different families, compared as oriented boxes.
pub(super) struct AsBoxes<'a> {
    a: &'a dyn Boxed,
    b: &'a dyn Boxed,
    space: <Obb as Meet>::Space,
}

impl<'a> AsBoxes<'a> {
    pub(super) fn new(a: &'a Columns, b: &'a Columns, space: &Rigid) -> Self {
        Self { a: boxed(a), b: boxed(b), space: space.into() }
    }
}

trait Boxed {
    fn boxed(&self, node: NodeId) -> Obb;
    fn reach(&self, node: NodeId) -> f64;
}

impl<V: Spatial> Boxed for Column<V> {
    fn boxed(&self, node: NodeId) -> Obb {
        self[node].boxed()
    }

    fn reach(&self, node: NodeId) -> f64 {
        self[node].reach()
    }
}

fn boxed(columns: &Columns) -> &dyn Boxed {
    crate::internal::model::with_column!(columns, column => column)
}

impl Cull for AsBoxes<'_> {
    fn family(&self, _: NodeId) -> Family {
        Family::Obb
    }

    fn may_meet(&self, a: NodeId, b: NodeId) -> bool {
        self.a.boxed(a).may_meet(&self.b.boxed(b), &self.space)
    }

    fn is_first_larger(&self, a: NodeId, b: NodeId) -> bool {
        self.a.reach(a) >= self.b.reach(b)
    }
}

/// A mesh under a binary tree, whatever its volumes are.
pub trait Surface {
    fn mesh(&self) -> &Mesh;
    fn tree(&self) -> &Tree;
    fn runs(&self) -> &Runs;
}

macro_rules! surface {
    ($($model:ty),*) => {$(
        impl Surface for $model {
            fn mesh(&self) -> &Mesh {
                self.mesh()
            }

            fn tree(&self) -> &Tree {
                self.tree()
            }

            fn runs(&self) -> &Runs {
                self.runs()
            }
        }
    )*};
}

surface!(Model);

/// Two models and their poses.
pub struct Sides<'a, M> {
    pub a: &'a M,
    pub pose_a: &'a Pose,
    pub b: &'a M,
    pub pose_b: &'a Pose,
}

impl<M> Clone for Sides<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for Sides<'_, M> {}

impl<M: Surface> Sides<'_, M> {
    /// Traverses the two trees, from the roots or from a front.
    pub fn descend(
        self,
        question: &CollisionRequest,
        cull: impl Cull,
        walk: &mut impl Walk,
    ) -> CollisionResult {
        let mut contacts = LeafContacts::new(self, question.want, cull);
        // A traversal that was broken off has found what was asked for.
        let _ = walk.walk(self.a.tree(), self.b.tree(), question.path, &mut contacts);
        contacts.finish()
    }
}

/// Collects contacts between the leaves of two trees.
pub struct LeafContacts<'a, M, C> {
    pub(super) sides: Sides<'a, M>,
    collector: Collector<Vec<TrianglePair>>,
    pub(super) cull: C,
}

impl<'a, M: Surface, C> LeafContacts<'a, M, C> {
    pub fn new(sides: Sides<'a, M>, want: Want, cull: C) -> Self {
        Self { sides, collector: Collector::new(want, Vec::new()), cull }
    }

    /// The answer, in order.
    pub fn finish(self) -> CollisionResult {
        let Collector { mut answer, found, .. } = self.collector;
        answer.pairs = found;
        answer.pairs.sort_unstable();
        answer
    }

    /// The triangles at the places of two orders meet, and so do all their copies.
    fn found(&mut self, at_a: usize, at_b: usize, relation: Relation) -> ControlFlow<()> {
        let Sides { a, b, .. } = self.sides;
        let (copies_a, copies_b) = (a.runs().length(at_a), b.runs().length(at_b));
        let (order_a, order_b) = (a.tree().order(), b.tree().order());
        let rows = order_a[at_a..at_a + copies_a].iter().map(|&a| {
            checkpoint();
            let others = &order_b[at_b..at_b + copies_b];
            others.iter().map(move |&b| TrianglePair { a, b, relation })
        });
        self.collector.add(relation, copies_a as u64 * copies_b as u64, rows)
    }

    /// Decides the triangles of two leaves.
    pub fn decide(&mut self, leaf_a: NodeId, leaf_b: NodeId) -> ControlFlow<()> {
        let Sides { a, pose_a, b, pose_b } = self.sides;
        let placed = |model: &M, pose, place: usize| {
            let triangle = model.tree().order()[place] as usize;
            PlacedTriangle::new(pose, model.mesh().triangle(triangle))
        };
        let (run_a, run_b) = (a.tree().run(leaf_a), b.tree().run(leaf_b));
        let mut i = run_a.start;
        while i < run_a.end {
            let first = placed(a, pose_a, i);
            let mut j = run_b.start;
            while j < run_b.end {
                self.collector.answer.tally.primitives += 1;
                let relation = relate(&first, &placed(b, pose_b, j));
                if relation != Relation::Apart {
                    self.found(i, j, relation)?;
                }
                j += b.runs().length(j);
            }
            i += a.runs().length(i);
        }
        ControlFlow::Continue(())
    }

    /// Records that two nodes may meet, because the level limit ends the traversal there.
    pub fn undecided(&mut self) -> ControlFlow<()> {
        // Looking on may still find a certain contact, in leaves above the limit.
        let answer = &mut self.collector.answer;
        if answer.verdict == Verdict::Clear {
            answer.verdict = Verdict::MayTouch;
        }
        ControlFlow::Continue(())
    }
}

impl<M: Surface, C: Cull> Judge for LeafContacts<'_, M, C> {
    #[inline]
    fn may_meet(&mut self, a: NodeId, b: NodeId) -> bool {
        self.collector.answer.tally.count_volume(self.cull.family(a));
        self.cull.may_meet(a, b)
    }

    #[inline]
    fn is_first_larger(&self, a: NodeId, b: NodeId) -> bool {
        self.cull.is_first_larger(a, b)
    }

    fn leaves(&mut self, a: NodeId, b: NodeId) -> ControlFlow<()> {
        self.decide(a, b)
    }

    fn limit(&mut self, _: NodeId, _: NodeId) -> ControlFlow<()> {
        self.undecided()
    }
}
