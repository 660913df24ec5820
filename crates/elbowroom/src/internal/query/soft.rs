//! Queries about deforming meshes, at the origin.
//!
//! Boxes cull, bursts of triangles decide what f32 can, and [`relate`] the rest. So the answers are
//! those of [`ask_layered`](super::ask_layered) and of all pairs of triangles, bit for
//! bit; only the tally differs, and which pair is found first.

use std::ops::ControlFlow;

use super::collector::Collector;
use super::collide::{Answer, TrianglePair, Want};
use super::packed::{Take, put_in_order};
use crate::internal::arch::SimdLevel;
use crate::internal::exact::{PlacedTriangle, Relation, relate};
use crate::internal::math::pose::Pose;
use crate::internal::model::DeformableBvh;
use crate::internal::traverse::burst::Wanted;
use crate::internal::traverse::soft::{SoftHits, descend_soft};
use crate::internal::traverse::{Tally, Workspace};

/// Every pair of triangles of two soft meshes that meet, touching included, ordered by the first
/// mesh's triangle and then by the second's.
pub fn collide_soft(a: &DeformableBvh, b: &DeformableBvh) -> Vec<TrianglePair> {
    ask_soft(a, b, Want::All, &mut Workspace::default()).pairs
}

/// Whether two soft meshes have a point in common.
pub fn touches_soft(a: &DeformableBvh, b: &DeformableBvh) -> bool {
    ask_soft(a, b, Want::Any, &mut Workspace::default()).is_contact()
}

/// Asks about two soft meshes. With a workspace that is kept, nothing is allocated but the pairs.
///
/// ```
/// use elbowroom::Mesh;
/// use elbowroom::internal::traverse::Workspace;
/// use elbowroom::internal::model::DeformableBvh;
/// use elbowroom::internal::query::{Want, ask_soft};
/// use glam::DVec3;
///
/// let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z], vec![[0, 1, 2], [0, 1, 3]])?;
/// let model = DeformableBvh::new(&mesh)?;
/// let mut far = model.clone();
/// let vertices: Vec<DVec3> = mesh.vertices().iter().map(|&p| p + 9.0 * DVec3::X).collect();
/// far.refit(&vertices)?;
/// let mut workspace = Workspace::default();
/// assert!(!ask_soft(&model, &far, Want::Any, &mut workspace).is_contact());
/// assert_eq!(ask_soft(&model, &model, Want::Count, &mut workspace).count(), 4);
/// # Ok::<(), elbowroom::MeshError>(())
/// ```
pub fn ask_soft(
    a: &DeformableBvh,
    b: &DeformableBvh,
    ask: Want,
    workspace: &mut Workspace,
) -> Answer {
    ask_soft_on(a, b, ask, workspace, SimdLevel::best())
}

/// Queries two deforming meshes, as [`ask_soft`], on an instruction set up to a level. All levels
/// give the same answer and tally.
pub fn ask_soft_on(
    a: &DeformableBvh,
    b: &DeformableBvh,
    ask: Want,
    workspace: &mut Workspace,
    level: SimdLevel,
) -> Answer {
    let (Some(side_a), Some(side_b)) = (a.side(), b.side()) else { return Answer::default() };
    let ((low_a, high_a), (low_b, high_b)) = (a.bounds(), b.bounds());
    if low_a.cmpgt(high_b).any() || low_b.cmpgt(high_a).any() {
        return Answer::default();
    }
    let Workspace { soft, found, .. } = workspace;
    found.clear();
    let mut tally = Tally::default();
    let mut decided = Decided { a, b, contacts: Collector::new(ask, found) };
    // A traversal that was broken off has found what was asked for.
    let _ = descend_soft([side_a, side_b], level, &mut decided, soft, &mut tally);
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

impl SoftHits for Decided<'_> {
    #[inline]
    fn is_eager(&self) -> bool {
        self.contacts.ask.wanted() != Wanted::All
    }

    #[inline]
    fn hit(&mut self, a: (usize, usize), b: (usize, usize), is_certain: bool) -> ControlFlow<()> {
        let number = |soft: &DeformableBvh, (leaf, place): (usize, usize)| {
            soft.tree().numbers_of(leaf)[place]
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
    let placed = |soft: &DeformableBvh, index: u32| {
        PlacedTriangle::new(&here, soft.triangle(index as usize))
    };
    relate(&placed(a, i), &placed(b, j))
}
