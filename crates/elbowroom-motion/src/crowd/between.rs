//! Which parts of two bodies touch.
//!
//! A triangle belongs to the joint that moves it most, so a contact of two bodies is one of regions
//! of joints: his left forearm, her right hand.

use glam::DVec3;

use super::Skinned;
use crate::body::JointId;
use elbowroom::internal::geom::mesh::MeshError;
use elbowroom::internal::math::sort::many_by_key;
use elbowroom::internal::query::{TrianglePair, Want, collide_deformable, point_of_triangles};
use elbowroom::internal::traverse::Workspace;

/// Two regions that touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartContact {
    /// The joints whose regions touch, one of each, by their places in their skeletons.
    pub joints: [JointId; 2],
    /// The number of pairs of triangles.
    pub triangles: u64,
    /// A point that both have in common, in the world: that of one of the pairs of triangles,
    /// whichever body is named first.
    pub point: DVec3,
}

/// The contacts of two posed characters, by the regions of their joints, in order. Characters are
/// skinned only if boxes around their clusters meet.
///
/// # Errors
/// If a vertex is not finite.
pub fn between(
    a: &mut Skinned<'_>,
    b: &mut Skinned<'_>,
    workspace: &mut Workspace,
) -> Result<Vec<PartContact>, MeshError> {
    if !a.bounds().may_meet(b.bounds()) {
        return Ok(Vec::new());
    }
    a.skin()?;
    b.skin()?;
    let (model_a, model_b) = (a.model(), b.model());
    let answer = collide_deformable(model_a, model_b, Want::All, workspace);
    let point = |pair: TrianglePair| {
        let of_a = model_a.triangle(pair.a as usize);
        point_of_triangles(of_a, model_b.triangle(pair.b as usize))
    };
    Ok(by_parts(&answer.pairs, a.joints(), b.joints(), point))
}

/// Pairs of triangles as contacts of regions.
pub(super) fn by_parts(
    pairs: &[TrianglePair],
    joints_a: &[JointId],
    joints_b: &[JointId],
    point: impl Fn(TrianglePair) -> DVec3,
) -> Vec<PartContact> {
    let mut sorted: Vec<Keyed> = pairs
        .iter()
        .map(|&pair| {
            let joints = [joints_a[pair.a as usize], joints_b[pair.b as usize]];
            Keyed { joints, sum: u64::from(pair.a) + u64::from(pair.b), pair }
        })
        .collect();
    many_by_key(&mut sorted, |keyed| (keyed.joints, keyed.sum));
    let regions = sorted.chunk_by(|a, b| a.joints == b.joints);
    let contact = |region: &[Keyed]| PartContact {
        joints: region[0].joints,
        triangles: region.len() as u64,
        point: middle(region, &point),
    };
    regions.map(contact).collect()
}

/// A pair of triangles, by what it is sorted.
struct Keyed {
    joints: [JointId; 2],
    /// The sum of the numbers of its triangles, whichever body is named first.
    sum: u64,
    pair: TrianglePair,
}

/// A point of one of the pairs of a region, whichever body is named first: of the pairs with the
/// median sum, the smallest point.
fn middle(region: &[Keyed], point: impl Fn(TrianglePair) -> DVec3) -> DVec3 {
    let sum = region[region.len() / 2].sum;
    let order = |p: &DVec3, q: &DVec3| {
        p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)).then(p.z.total_cmp(&q.z))
    };
    let points = region.iter().filter(|keyed| keyed.sum == sum).map(|keyed| point(keyed.pair));
    points.min_by(order).unwrap_or_default()
}
