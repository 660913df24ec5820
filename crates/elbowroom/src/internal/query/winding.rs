//! How often a surface is wound around a point, and so whether the point is inside.
//!
//! For a closed mesh that is a whole number, found by what a ray from the point runs into, each
//! time with an exact sign; a ray that runs into an edge is given up for another. For a mesh with
//! holes, or of triangles that disagree on what is out, it is how much of the view the surface
//! takes up as seen from inside, a fraction (Jacobson, Kavan and Sorkine-Hornung, *Robust
//! inside-outside segmentation using generalized winding numbers*, 2013), and an estimate: far
//! parts of the surface are seen as one.

use glam::DVec3;

use super::solid::{Body, Certainty, Probe};
use crate::internal::exact::Vector;
use crate::internal::geom::Aabb;
use crate::internal::math::pose::Pose;
use crate::internal::model::Model;
use crate::internal::traverse::Workspace;
use crate::interrupt::checkpoint;

/// The winding number of a surface around a point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Winding {
    /// The winding number: whole if the mesh is closed and the point is not on it. For a point on
    /// the surface, and for open meshes, the fraction of the sphere of directions that the surface
    /// covers; one half within a face of a convex solid.
    pub number: f64,
    /// Whether the point is on the surface. Exact, also for open meshes.
    pub on_surface: bool,
    /// Whether the number is exact.
    pub certainty: Certainty,
}

impl Winding {
    /// Whether the point is within the solid, and not on the surface.
    pub fn is_inside(&self) -> bool {
        self.number > 0.5 && !self.on_surface
    }
}

/// The winding number of a placed model around a point of the world. A point that is not finite
/// counts as far away.
///
/// ```
/// use elbowroom::internal::traverse::Workspace;
/// use elbowroom::{Mesh, Pose};
/// use elbowroom::internal::query;
/// use elbowroom::internal::model::Model;
/// use glam::DVec3;
///
/// let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
/// let faces = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
/// let model = Model::new(Mesh::new(corners.clone(), faces.clone())?);
/// let (here, mut workspace) = (Pose::IDENTITY, Workspace::default());
/// let within = query::winding(&model, &here, DVec3::splat(0.25), &mut workspace);
/// assert_eq!((within.number, within.on_surface), (1.0, false));
/// assert!(query::winding(&model, &here, DVec3::new(0.5, 0.5, 0.0), &mut workspace).on_surface);
///
/// let open = Model::new(Mesh::new(corners, faces[1..].to_vec())?);
/// let within = query::winding(&open, &here, DVec3::splat(0.2), &mut workspace);
/// assert!(within.is_inside() && !within.certainty.is_exact());
/// # Ok::<(), elbowroom::MeshError>(())
/// ```
pub fn winding(model: &Model, pose: &Pose, point: DVec3, workspace: &mut Workspace) -> Winding {
    let certainty = Certainty::of(model);
    if !point.is_finite() {
        return Winding { certainty, ..Winding::default() };
    }
    let body = Body::new(model, pose);
    let axes = nearest_exit(model, pose, point);
    let mut step = 1;
    let found = loop {
        checkpoint();
        let way = axes[0] * 64.0 + axes[1] * f64::from(step) + axes[2] * f64::from(step * step);
        let found = Probe::at(point, &Vector::of(way)).follow(&body, workspace);
        // Whether it begins on the surface is known in any case, and open meshes are not asked for
        // more.
        if !found.grazes || found.begins_on {
            break found;
        }
        step += 1;
    };
    let number = if certainty.is_exact() && !found.begins_on {
        f64::from(found.number)
    } else {
        share_of_view(model, pose, point, workspace)
    };
    Winding { number, on_surface: found.begins_on, certainty }
}

/// Whether a point of the world is within a placed model's solid, and not on its surface. See
/// [`winding`].
pub fn is_inside(model: &Model, pose: &Pose, point: DVec3, workspace: &mut Workspace) -> bool {
    winding(model, pose, point, workspace).is_inside()
}

/// The winding numbers of a placed model around many points.
pub fn windings(
    model: &Model,
    pose: &Pose,
    points: &[DVec3],
    workspace: &mut Workspace,
) -> Vec<Winding> {
    points.iter().map(|&point| winding(model, pose, point, workspace)).collect()
}

/// The model's axis that leaves its box soonest, and two that are across; rounded.
fn nearest_exit(model: &Model, pose: &Pose, point: DVec3) -> [DVec3; 3] {
    let rotation = pose.rotation();
    let own = rotation.transpose() * (point - pose.translation());
    let Aabb { min: low, max: high } = model.bounds();
    let ways = (0..3).flat_map(|axis| {
        [(own[axis] - low[axis], axis, -1.0), (high[axis] - own[axis], axis, 1.0)]
    });
    let nearest = ways.min_by(|a, b| a.0.total_cmp(&b.0));
    let (axis, sign) = nearest.map_or((0, 1.0), |(_, axis, sign)| (axis, sign));
    [rotation.col(axis) * sign, rotation.col((axis + 1) % 3), rotation.col((axis + 2) % 3)]
}

/// How much of the view from a point of the world a placed model takes up, as seen from inside.
fn share_of_view(model: &Model, pose: &Pose, point: DVec3, workspace: &mut Workspace) -> f64 {
    let share = model.view(own_point(pose, point), &mut workspace.nodes);
    if share.is_finite() { share } else { 0.0 }
}

/// Whether a placed model that is not closed likely has a point of the world within: it takes up
/// more than half of the view from there.
pub(super) fn is_likely_inside(
    model: &Model,
    pose: &Pose,
    point: DVec3,
    workspace: &mut Workspace,
) -> bool {
    let sure = model.is_surely_around(own_point(pose, point), &mut workspace.nodes);
    sure.unwrap_or_else(|| share_of_view(model, pose, point, workspace) > 0.5)
}

/// A point of the world in the frame of what is placed.
fn own_point(pose: &Pose, point: DVec3) -> DVec3 {
    // Halved first, so that the difference of two far places cannot overflow.
    let step = 2.0 * (point * 0.5 - pose.translation() * 0.5);
    pose.rotation().transpose() * step
}
