//! The smallest translation that frees two solids of each other, between bounds.
//!
//! For convex solids it is known how to find it ([`penetration`]). For others no method is known
//! that is fast and certain, so it is bounded, and the answer says how well:
//!
//! * from below: a ball of radius r around a point x in A and one of radius s around x in B have to
//!   be separated, which takes r + s. So the depth of any point in both, added up, is a lower
//!   bound, and so is the deepest point of either boundary;
//! * from above: every direction along which the solids were separated ([`separation`]), and the
//!   hulls' own translation.
//!
//! Directions tried are that of the hulls, the shortest ways out of the deepest points, and the
//! axes; then those around the best, ever nearer.

use glam::DVec3;

use super::super::solid::{Body, Certainty};
use super::field::Field;
use super::slide::separation;
use super::{DeepestPoint, penetration};
use crate::internal::convex;
use crate::internal::convex::shape::Placed;
use crate::internal::math::pose::Pose;
use crate::internal::model::Model;
use crate::internal::traverse::Workspace;

/// The smallest translation that separates two solids (minimum translational distance), between
/// bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct MinimumTranslation {
    /// Lower bound: no shorter translation separates them.
    pub lower: f64,
    /// Upper bound: moving the first solid by this along the direction separates them.
    pub upper: f64,
    /// The direction of the move, a unit vector; zero if the solids do not overlap.
    pub direction: DVec3,
    /// Whether both solids are convex; the bounds then differ by rounding only.
    pub is_convex: bool,
    /// Whether both meshes are closed.
    pub certainty: Certainty,
}

/// Around the best direction, by tangents of these angles.
const TURNS: [f64; 4] = [0.5, 0.25, 0.1, 0.04];

/// The smallest translation of the first solid that frees it of the second, between bounds: zero
/// exactly if their interiors have nothing in common.
///
/// ```
/// use elbowroom::internal::traverse::Workspace;
/// use elbowroom::Pose;
/// use elbowroom::internal::query;
/// use elbowroom::internal::model::Model;
/// use glam::DVec3;
///
/// let cube = Model::new(elbowroom_make::cuboid(DVec3::ONE));
/// let here = Pose::IDENTITY;
/// let there = Pose::from_translation(DVec3::new(1.5, 0.1, 0.2))?;
/// let way = query::minimum_translation(&cube, &here, &cube, &there, &mut Workspace::default());
/// assert!(way.is_convex && (way.upper - 0.5).abs() < 1e-9 && way.upper - way.lower < 1e-9);
/// assert!(way.direction.abs_diff_eq(DVec3::NEG_X, 1e-9));
/// # Ok::<(), elbowroom::PoseError>(())
/// ```
pub fn minimum_translation(
    a: &Model,
    pose_a: &Pose,
    b: &Model,
    pose_b: &Pose,
    workspace: &mut Workspace,
) -> MinimumTranslation {
    let depth = penetration(a, pose_a, b, pose_b, None, workspace);
    let mut found =
        MinimumTranslation { certainty: depth.certainty, ..MinimumTranslation::default() };
    if !depth.is_overlap {
        return found;
    }
    (found.lower, found.upper) = (depth.lower, f64::MAX);
    let mut tried = vec![DVec3::X, DVec3::Y, DVec3::Z, -DVec3::X, -DVec3::Y, -DVec3::Z];
    if let (Some(hull_a), Some(hull_b)) = (a.hulled(), b.hulled()) {
        let first = Placed { shape: hull_a.corners(), pose: pose_a };
        let second = Placed { shape: hull_b.corners(), pose: pose_b };
        let hulls = convex::penetration(&first, &second);
        (found.upper, found.direction) = (hulls.upper, -hulls.direction);
        if hull_a.is_convex() && hull_b.is_convex() {
            return MinimumTranslation {
                lower: hulls.lower.max(found.lower.min(hulls.upper)),
                is_convex: true,
                ..found
            };
        }
        tried.insert(0, -hulls.direction);
    }
    // Out of B for a point of A; for a point of B out of A, the other way round.
    let out = |deepest: &DeepestPoint, sign: f64| {
        deepest.site.map(|site| (site.foot - site.point) * sign)
    };
    tried.extend([out(&depth.a_in_b, 1.0), out(&depth.b_in_a, -1.0)].into_iter().flatten());
    let attempt = |direction: DVec3, found: &mut MinimumTranslation, workspace: &mut Workspace| {
        let way = separation(a, pose_a, b, pose_b, direction, workspace);
        if let Some(way) = way.filter(|way| way.upper < found.upper) {
            (found.upper, found.direction) = (way.upper, way.direction);
        }
    };
    for direction in tried {
        attempt(direction, &mut found, workspace);
    }
    for turn in TURNS {
        let best = found.direction;
        let across = best.any_orthonormal_vector();
        for side in [across, -across, best.cross(across), -best.cross(across)] {
            attempt(best + side * turn, &mut found, workspace);
        }
    }
    let bodies = [Body::new(a, pose_a), Body::new(b, pose_b)];
    let fields = bodies.map(Field::new);
    let starts = [depth.a_in_b.site, depth.b_in_a.site].into_iter().flatten();
    for start in starts {
        let most = climb(&fields, start.point, found.upper, workspace);
        // Each depth is right to 2⁻³⁰.
        found.lower = found.lower.max(most * (1.0 - 1e-8));
    }
    found.lower = found.lower.min(found.upper);
    found
}

/// The largest sum of depths in both solids that is met on a way uphill.
fn climb(fields: &[Field; 2], start: DVec3, size: f64, workspace: &mut Workspace) -> f64 {
    let height = |point: DVec3, workspace: &mut Workspace| {
        let [a, b] = fields.each_ref().map(|field| {
            let near = field.nearest(point, f64::INFINITY, workspace)?;
            field.holds(point, &near, workspace).then_some(near.distance)
        });
        Some(a? + b?)
    };
    let (mut at, mut step) = (start, 0.5 * size);
    let mut best = height(at, workspace).unwrap_or(0.0);
    for _ in 0..24 {
        let ways = [DVec3::X, DVec3::Y, DVec3::Z, -DVec3::X, -DVec3::Y, -DVec3::Z];
        let mut next = None;
        for way in ways {
            let point = at + way * step;
            if let Some(found) = height(point, workspace).filter(|&found| found > best) {
                (best, next) = (found, Some(point));
            }
        }
        match next {
            Some(point) => at = point,
            None => step *= 0.5,
        }
    }
    best
}
