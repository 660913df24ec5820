//! Queries on packed trees.
//!
//! The packed traversal finds pairs of triangles that cross for certain, and pairs that f32 cannot
//! tell; those are decided exactly, from the meshes themselves. So the answer is that of the
//! binary trees, bit for bit; only the tally differs, and which pair is found first.

use std::ops::ControlFlow;

use super::collector::Collector;
use super::collide::{CollisionRequest, CollisionResult, TrianglePair};
use crate::internal::arch::SimdLevel;
use crate::internal::bvh::Packed;
use crate::internal::exact::{PlacedTriangle, Relation, relate};
use crate::internal::math::pose::Pose;
use crate::internal::model::Model;
use crate::internal::traverse::packed::{Bodies, Hits, Stacks, Wanted, descend_packed};
use crate::internal::traverse::relative::RelativePose;
use crate::internal::traverse::{Path, Tally, Workspace};
use crate::interrupt::checkpoint;

/// Answers on packed trees, if both models have one and the question is not about the binary
/// ones.
pub(super) fn collide(
    a: &Model,
    pose_a: &Pose,
    b: &Model,
    pose_b: &Pose,
    question: &CollisionRequest,
    workspace: &mut Workspace,
) -> Option<CollisionResult> {
    if question.path != Path::default() || question.margin > 0.0 {
        return None;
    }
    let sides = Sides::new(a, pose_a, b, pose_b)?;
    let Workspace { stacks, found, .. } = workspace;
    found.clear();
    let mut tally = Tally::default();
    let mut collector = Collector::new(question.want, found);
    // A traversal that was broken off has found what was asked for.
    let _ = sides.descend(&mut collector, stacks, &mut tally);
    let Collector { mut answer, found, .. } = collector;
    answer.tally = tally;
    put_in_order(found, &mut answer);
    Some(answer)
}

/// Lists what was found.
pub(super) fn put_in_order(found: &mut [u64], answer: &mut CollisionResult) {
    found.sort_unstable();
    answer.pairs.extend(found.iter().map(|&key| unpack(key)));
}

/// Shows pairs as they are found, if both models have a packed tree.
pub(super) fn visit(
    a: &Model,
    pose_a: &Pose,
    b: &Model,
    pose_b: &Pose,
    workspace: &mut Workspace,
    visitor: &mut dyn FnMut(TrianglePair) -> ControlFlow<()>,
) -> Option<ControlFlow<()>> {
    let sides = Sides::new(a, pose_a, b, pose_b)?;
    let mut shown = Shown { visitor };
    Some(sides.descend(&mut shown, &mut workspace.stacks, &mut Tally::default()))
}

/// How a packed tree stands to itself, if the model has one.
pub(super) fn bodies_of_one(model: &Model) -> Option<Bodies<'_>> {
    Sides::new(model, &Pose::IDENTITY, model, &Pose::IDENTITY)?.bodies()
}

/// Takes triangles that meet, with all their copies.
pub(super) trait Take {
    /// What will do.
    fn wanted(&self) -> Wanted;

    fn take(&mut self, a: &[u32], b: &[u32], relation: Relation) -> ControlFlow<()>;
}

#[derive(Clone, Copy)]
struct Sides<'a> {
    pub a: &'a Model,
    pub pose_a: &'a Pose,
    packed_a: &'a Packed,
    pub b: &'a Model,
    pub pose_b: &'a Pose,
    packed_b: &'a Packed,
}

impl<'a> Sides<'a> {
    fn new(a: &'a Model, pose_a: &'a Pose, b: &'a Model, pose_b: &'a Pose) -> Option<Self> {
        let (packed_a, packed_b) = (a.packed()?, b.packed()?);
        Some(Self { a, pose_a, packed_a, b, pose_b, packed_b })
    }

    fn descend(
        &self,
        take: &mut dyn Take,
        stacks: &mut Stacks,
        tally: &mut Tally,
    ) -> ControlFlow<()> {
        match self.bodies() {
            Some(bodies) => {
                let mut decided = Decided { sides: self, take };
                descend_packed(&bodies, SimdLevel::best(), &mut decided, stacks, tally)
            }
            None => ControlFlow::Continue(()),
        }
    }

    /// The relative transform of two trees. `None` if their bounding spheres are disjoint.
    #[inline]
    fn bodies(&self) -> Option<Bodies<'a>> {
        let (pose, reach) = (self.pose_a, self.a.reach());
        let a = Stand { packed: self.packed_a, pose, reach };
        let (pose, reach) = (self.pose_b, self.b.reach());
        standing([a, Stand { packed: self.packed_b, pose, reach }], 0.0)
    }
}

/// A packed tree, where it stands, and a bound for the sum of the magnitudes of its vertices'
/// coordinates.
#[derive(Clone, Copy)]
pub(super) struct Stand<'a> {
    pub(super) packed: &'a Packed,
    pub(super) pose: &'a Pose,
    pub(super) reach: f64,
}

/// The relative transform of two trees. `None` if their bounding spheres are farther apart than a
/// limit.
#[inline]
pub(super) fn standing([first, second]: [Stand<'_>; 2], limit: f64) -> Option<Bodies<'_>> {
    let (a, b) = (first.packed, second.packed);
    let (relative, main) = RelativePose::near(first.pose, a.main(), second.pose, b.main(), limit)?;
    Some(Bodies {
        a,
        b,
        relative,
        main,
        transform: relative.triangle_transform(first.reach + second.reach),
    })
}

/// Decides what the traversal could not, and passes on what meets. Whatever takes it, the traversal
/// is compiled once.
struct Decided<'a> {
    sides: &'a Sides<'a>,
    take: &'a mut dyn Take,
}

impl Hits for Decided<'_> {
    #[inline]
    fn wanted(&self) -> Wanted {
        self.take.wanted()
    }

    #[inline]
    fn hit(&mut self, a: u32, b: u32, is_certain: bool) -> ControlFlow<()> {
        let Sides { packed_a, packed_b, .. } = self.sides;
        let (a, b) = (packed_a.triangles(a), packed_b.triangles(b));
        let relation = if is_certain { Relation::Crossing } else { decide(self.sides, a[0], b[0]) };
        match relation {
            Relation::Apart => ControlFlow::Continue(()),
            relation => self.take.take(a, b, relation),
        }
    }
}

#[cold]
fn decide(sides: &Sides, a: u32, b: u32) -> Relation {
    let placed = |model: &Model, pose, triangle: u32| {
        PlacedTriangle::new(pose, model.mesh().triangle(triangle as usize))
    };
    relate(&placed(sides.a, sides.pose_a, a), &placed(sides.b, sides.pose_b, b))
}

impl Take for Collector<&mut Vec<u64>> {
    fn wanted(&self) -> Wanted {
        self.want.wanted()
    }

    #[inline]
    fn take(&mut self, a: &[u32], b: &[u32], relation: Relation) -> ControlFlow<()> {
        let rows = a.iter().map(|&a| {
            checkpoint();
            b.iter().map(move |&b| pack(a, b, relation))
        });
        self.add(relation, a.len() as u64 * b.len() as u64, rows)
    }
}

struct Shown<'a> {
    visitor: &'a mut dyn FnMut(TrianglePair) -> ControlFlow<()>,
}

impl Take for Shown<'_> {
    fn wanted(&self) -> Wanted {
        Wanted::All
    }

    fn take(&mut self, a: &[u32], b: &[u32], relation: Relation) -> ControlFlow<()> {
        for &a in a {
            checkpoint();
            for &b in b {
                (self.visitor)(TrianglePair { a, b, relation })?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// Sorts as the pair does. A packed tree has fewer than 2²⁸ triangles.
#[inline]
fn pack(a: u32, b: u32, relation: Relation) -> u64 {
    u64::from(a) << 32 | u64::from(b) << 1 | u64::from(relation == Relation::Crossing)
}

fn unpack(key: u64) -> TrianglePair {
    let relation = if key & 1 == 1 { Relation::Crossing } else { Relation::Touching };
    TrianglePair { a: (key >> 32) as u32, b: key as u32 >> 1, relation }
}
