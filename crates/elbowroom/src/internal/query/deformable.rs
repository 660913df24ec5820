//! Queries about deforming meshes, at the origin.
//!
//! Boxes cull, batches of triangles decide what f32 can, and [`relate`] the rest. So the answers
//! are those of rigid models and of all pairs of triangles, bit for bit; only the tally differs,
//! and which pair is found first.

use std::ops::ControlFlow;

use super::collector::Collector;
use super::collide::{CollisionResult, Want};
use super::packed::{Take, put_in_order};
use crate::internal::arch::SimdLevel;
use crate::internal::exact::{PlacedTriangle, Relation, relate};
use crate::internal::geom::aabb::overlap_aabb_aabb;
use crate::internal::math::pose::Pose;
use crate::internal::model::DeformableBvh;
use crate::internal::traverse::deformable::{DeformableHits, descend_deformable};
use crate::internal::traverse::packed::Wanted;
use crate::internal::traverse::{Tally, Workspace};

/// Whether two deforming meshes have a point in common.
pub fn intersects_deformable(a: &DeformableBvh, b: &DeformableBvh) -> bool {
    collide_deformable(a, b, Want::Any, &mut Workspace::default()).is_contact()
}

/// Collides two deforming meshes. With a workspace that is kept, nothing is allocated but the
/// pairs.
///
/// ```
/// use elbowroom::Mesh;
/// use elbowroom::internal::traverse::Workspace;
/// use elbowroom::internal::model::DeformableBvh;
/// use elbowroom::internal::query::{Want, collide_deformable};
/// use glam::DVec3;
///
/// let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z], vec![[0, 1, 2], [0, 1, 3]])?;
/// let model = DeformableBvh::new(&mesh)?;
/// let mut far = model.clone();
/// let vertices: Vec<DVec3> = mesh.vertices().iter().map(|&p| p + 9.0 * DVec3::X).collect();
/// far.refit(&vertices)?;
/// let mut workspace = Workspace::default();
/// assert!(!collide_deformable(&model, &far, Want::Any, &mut workspace).is_contact());
/// assert_eq!(collide_deformable(&model, &model, Want::Count, &mut workspace).count(), 4);
/// # Ok::<(), elbowroom::MeshError>(())
/// ```
pub fn collide_deformable(
    a: &DeformableBvh,
    b: &DeformableBvh,
    want: Want,
    workspace: &mut Workspace,
) -> CollisionResult {
    collide_deformable_on(a, b, want, workspace, SimdLevel::best())
}

/// Queries two deforming meshes, as [`collide_deformable`], on an instruction set up to a level.
/// All levels give the same answer and tally.
pub fn collide_deformable_on(
    a: &DeformableBvh,
    b: &DeformableBvh,
    want: Want,
    workspace: &mut Workspace,
    level: SimdLevel,
) -> CollisionResult {
    let (Some(side_a), Some(side_b)) = (a.side(), b.side()) else {
        return CollisionResult::default();
    };
    if !overlap_aabb_aabb(&a.bounds(), &b.bounds(), 0.0) {
        return CollisionResult::default();
    }
    let Workspace { deformable, found, .. } = workspace;
    found.clear();
    let mut tally = Tally::default();
    let mut decided = Decided { a, b, contacts: Collector::new(want, found) };
    // A traversal that was broken off has found what was asked for.
    let _ = descend_deformable([side_a, side_b], level, &mut decided, deformable, &mut tally);
    let Collector { mut answer, found, .. } = decided.contacts;
    answer.tally = tally;
    put_in_order(found, &mut answer);
    answer
}

/// Decides what the traversal could not, and passes on what meets.
struct Decided<'a> {
    a: &'a DeformableBvh,
    b: &'a DeformableBvh,
    contacts: Collector<&'a mut Vec<u64>>,
}

impl DeformableHits for Decided<'_> {
    #[inline]
    fn is_eager(&self) -> bool {
        self.contacts.want.wanted() != Wanted::All
    }

    #[inline]
    fn hit(&mut self, a: (usize, usize), b: (usize, usize), is_certain: bool) -> ControlFlow<()> {
        let number = |deformable: &DeformableBvh, (leaf, place): (usize, usize)| {
            deformable.tree().numbers_of(leaf)[place]
        };
        let (i, j) = (number(self.a, a), number(self.b, b));
        let relation = if is_certain { Relation::Crossing } else { decide(self.a, i, self.b, j) };
        match relation {
            Relation::Apart => ControlFlow::Continue(()),
            relation => self.contacts.take(&[i], &[j], relation),
        }
    }
}

#[cold]
fn decide(a: &DeformableBvh, i: u32, b: &DeformableBvh, j: u32) -> Relation {
    let here = Pose::IDENTITY;
    let placed = |deformable: &DeformableBvh, index: u32| {
        PlacedTriangle::new(&here, deformable.triangle(index as usize))
    };
    relate(&placed(a, i), &placed(b, j))
}
