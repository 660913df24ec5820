//! Where is a model nearest to a point?
//!
//! A point is a triangle of three equal corners, and so this is the [`distance`](super::distance())
//! of a model that has only that one: in the same sense, as exact, and on the same trees.

use glam::DVec3;

use super::distance::Least;
use super::near::{Shape, Side, seek};
use crate::internal::bvh::Packed;
use crate::internal::math::pose::Pose;
use crate::internal::model::Model;
use crate::internal::traverse::Workspace;

/// The point of a model that is nearest to a given point.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct ClosestPoint {
    /// The distance of the point from the surface, to within 2⁻³⁰ of itself; zero exactly if it is
    /// on the surface.
    pub distance: f64,
    /// The triangle; of several that are equally near, the first.
    pub triangle: u32,
    /// The nearest point of it, in the world: to rounding.
    pub point: DVec3,
}

/// The point of a model that is nearest to a point of the world. `None` if it is farther than a
/// limit, which may be infinite, or if the point is not finite.
///
/// ```
/// use elbowroom::internal::traverse::Workspace;
/// use elbowroom::{Mesh, Pose};
/// use elbowroom::internal::query;
/// use elbowroom::internal::model::Model;
/// use glam::DVec3;
///
/// let model = Model::new(Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?);
/// let (here, point) = (Pose::IDENTITY, DVec3::new(0.25, 0.25, 2.0));
/// let nearest = query::nearest(&model, &here, point, f64::INFINITY, &mut Workspace::default());
/// assert_eq!(nearest.map(|nearest| nearest.point), Some(DVec3::new(0.25, 0.25, 0.0)));
/// # Ok::<(), elbowroom::MeshError>(())
/// ```
pub fn nearest(
    model: &Model,
    pose: &Pose,
    point: DVec3,
    limit: f64,
    workspace: &mut Workspace,
) -> Option<ClosestPoint> {
    let mut seeker = Least::within(limit).filter(|_| point.is_finite())?.meeting_at(point);
    let mut tree = workspace.point.take().unwrap_or_else(|| Packed::of_point(point));
    tree.move_to(point);
    let own = Side { pose: &Pose::IDENTITY, shape: Shape::Point(point, &tree) };
    seek([own, Side::new(model, pose)], &mut seeker, workspace);
    workspace.point = Some(tree);
    let found = seeker.best?;
    Some(ClosestPoint { distance: found.distance, triangle: found.b, point: found.point_b })
}

/// The nearest point of a model for each of many points.
pub fn nearest_all(
    model: &Model,
    pose: &Pose,
    points: &[DVec3],
    limit: f64,
    workspace: &mut Workspace,
) -> Vec<Option<ClosestPoint>> {
    points.iter().map(|&point| nearest(model, pose, point, limit, workspace)).collect()
}
