//! Which parts of two bodies touch.
//!
//! A triangle belongs to the joint that moves it most, so a contact of two bodies is one of regions of joints: his left forearm, her right hand.

use std::collections::BTreeMap;

use glam::DVec3;

use super::Skinned;
use crate::body::JointId;
use crate::descend::Workspace;
use crate::geom::mesh::MeshError;
use crate::math::placement::Placement;
use crate::query::{Question, TrianglePair, ask_layered, contact_of_triangles};

/// Two regions that touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartContact {
    /// Whose regions: a joint of each, by its place in its skeleton.
    pub joints: [JointId; 2],
    /// In how many pairs of triangles.
    pub triangles: u64,
    /// A point that both have in common, in the world: of those of all pairs of triangles, the one in the middle of the list from small to large.
    pub point: DVec3,
}

/// Where two posed characters touch, by the regions of their joints, in order. They are skinned only if boxes around their clusters meet.
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
    let here = Placement::IDENTITY;
    let answer = ask_layered(model_a, &here, model_b, &here, &Question::default(), workspace);
    let point = |pair: TrianglePair| {
        let of_a = model_a.mesh().triangle(pair.a as usize);
        contact_of_triangles(of_a, model_b.mesh().triangle(pair.b as usize)).point
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
    let mut regions: BTreeMap<[JointId; 2], Vec<DVec3>> = BTreeMap::new();
    for &pair in pairs {
        let joints = [joints_a[pair.a as usize], joints_b[pair.b as usize]];
        regions.entry(joints).or_default().push(point(pair));
    }
    let contact = |(joints, mut points): (_, Vec<DVec3>)| {
        // The same whoever is named first.
        let order = |p: &DVec3, q: &DVec3| {
            p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)).then(p.z.total_cmp(&q.z))
        };
        points.sort_unstable_by(order);
        let point = points[points.len() / 2];
        PartContact { joints, triangles: points.len() as u64, point }
    };
    regions.into_iter().map(contact).collect()
}
