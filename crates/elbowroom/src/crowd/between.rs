//! Which parts of two bodies touch.
//!
//! A triangle belongs to the joint that moves it most, so a contact of two bodies is one of regions of joints: his left forearm, her right hand.

use std::collections::BTreeMap;

use glam::DVec3;

use super::Skinned;
use crate::body::JointId;
use crate::descend::Workspace;
use crate::geom::mesh::MeshError;
use crate::query::{Ask, TrianglePair, ask_soft, contact_of_triangles};

/// Two regions that touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartContact {
    /// Whose regions: a joint of each, by its place in its skeleton.
    pub joints: [JointId; 2],
    /// In how many pairs of triangles.
    pub triangles: u64,
    /// A point that both have in common, in the world: that of one of the pairs of triangles, the same whoever is named first.
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
    let answer = ask_soft(model_a, model_b, Ask::All, workspace);
    let point = |pair: TrianglePair| {
        let of_a = model_a.triangle(pair.a as usize);
        contact_of_triangles(of_a, model_b.triangle(pair.b as usize)).point
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
    let mut regions: BTreeMap<[JointId; 2], Vec<TrianglePair>> = BTreeMap::new();
    for &pair in pairs {
        let joints = [joints_a[pair.a as usize], joints_b[pair.b as usize]];
        regions.entry(joints).or_default().push(pair);
    }
    let contact = |(joints, mut pairs): (_, Vec<TrianglePair>)| {
        let triangles = pairs.len() as u64;
        PartContact { joints, triangles, point: middle(&mut pairs, &point) }
    };
    regions.into_iter().map(contact).collect()
}

/// A point of one of the pairs, the same whoever is named first: by the sum of the numbers, the pair in the middle; of those with the same sum, the smallest point.
fn middle(pairs: &mut [TrianglePair], point: impl Fn(TrianglePair) -> DVec3) -> DVec3 {
    let sum = |pair: &TrianglePair| u64::from(pair.a) + u64::from(pair.b);
    pairs.sort_unstable_by_key(sum);
    let middle = sum(&pairs[pairs.len() / 2]);
    let order = |p: &DVec3, q: &DVec3| {
        p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)).then(p.z.total_cmp(&q.z))
    };
    let points = pairs.iter().filter(|pair| sum(pair) == middle).map(|&pair| point(pair));
    points.min_by(order).unwrap_or_default()
}
