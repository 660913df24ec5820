//! Many pairs at once.

use super::{Posed, asking};
use crate::internal::query::{self, TrianglePair, Want};

/// Whether each of many pairs of posed models intersects; on all cores with the feature `parallel`.
/// The answers are in the order of the pairs and do not depend on the number of threads.
///
/// ```
/// use elbowroom::{Mesh, Model, Pose, intersects_batch};
/// use glam::DVec3;
///
/// let model = Model::new(Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?);
/// let poses = [0.5, 3.0].map(|x| Pose::from_translation(DVec3::X * x));
/// let [near, far] = poses;
/// let (here, near, far) = (model.posed(), model.at(near?), model.at(far?));
/// assert_eq!(intersects_batch(&[(here, near), (here, far)]), [true, false]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn intersects_batch(pairs: &[(Posed<'_>, Posed<'_>)]) -> Vec<bool> {
    batch(pairs, Want::Any, |answer| answer.is_contact())
}

/// The pairs of triangles that meet, for many pairs of posed models, on all cores with the feature
/// `parallel`.
///
/// ```
/// use elbowroom::{Mesh, Model, contacts_batch};
/// use glam::DVec3;
///
/// let model = Model::new(Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?);
/// let lists = contacts_batch(&[(model.posed(), model.posed())]);
/// assert_eq!((lists[0][0].a, lists[0][0].b), (0, 0));
/// # Ok::<(), elbowroom::MeshError>(())
/// ```
pub fn contacts_batch(pairs: &[(Posed<'_>, Posed<'_>)]) -> Vec<Vec<TrianglePair>> {
    batch(pairs, Want::All, |answer| answer.pairs)
}

fn batch<T>(
    pairs: &[(Posed<'_>, Posed<'_>)],
    want: Want,
    of: impl Fn(query::CollisionResult) -> T,
) -> Vec<T> {
    fn placed<'a>(posed: &'a Posed<'_>) -> query::Placed<'a> {
        query::Placed::new(posed.model, &posed.pose)
    }
    let pairs: Vec<_> = pairs.iter().map(|(a, b)| (placed(a), placed(b))).collect();
    query::collide_pairs(&pairs, &asking(want)).into_iter().map(of).collect()
}
