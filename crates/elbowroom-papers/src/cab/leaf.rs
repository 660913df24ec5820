//! The box of a link, before and after it is placed.
//!
//! A link's own box is fitted once, in its own frame; every frame it is carried along. What is in
//! it must stay in it in exact arithmetic, so the carried box is a little larger. With R the matrix
//! of the pose, δ how far it is from a rotation, c, A and h the box, s = t − o the pose seen from
//! the origin o of the body, and u = 2⁻⁵³:
//!
//! * The carried axes A′ are R·A, made orthonormal by one step A′·(3 − A′ᵀA′)/2 (Björck and Bowie,
//!   *An iterative algorithm for computing the best estimate of an orthogonal matrix*, 1971), which
//!   squares the error: ‖A′ᵀA′ − 1‖ is below 11u even if δ is the 10⁻⁹ that a pose may have. They
//!   differ from R·A by at most δ + 29u.
//! * The carried middle c′ = R·c + s is off by at most 6.2u·|c| + 2u·|s|.
//! * For a vertex v, A′ᵢ·(R·v + s − c′) = aᵢ·(v − c) + aᵢᵀ(RᵀR − 1)(v − c) + …, so that what is
//!   added to each half extent must be (3δ + 49u)·|h| + 6.2u·|c| + 2u·|s| at least; the pad is (4δ
//!   + 64u)·|h|₁ + 20u·(|c|₁ + |s|₁).
//!
//! Boxes along the world's axes around the same box take the same pad. Those around vertices are
//! off by 5u·(|v|₁ + |s|₁) and take 6u; that is little enough for them to lie in the boxes around
//! corners, always.

use glam::{DMat3, DVec3};

use elbowroom::internal::geom::mesh::Mesh;
use elbowroom::internal::math::pose::Pose;
use elbowroom::internal::volume::{Aabb, Fit, Obb, Spatial};

/// The largest relative error of one operation.
pub(super) const U: f64 = f64::EPSILON / 2.0;

/// More than what a few operations lose where numbers are too small to be normal.
pub(super) const TINY: f64 = f64::MIN_POSITIVE;

/// Sums of larger coordinates might overflow on the way, and of what is no number `min` and `max`
/// say nothing.
const HUGE: f64 = 1e300;

/// Only numbers beyond 10²⁹⁸ have a pad of this size: below it no sum of them overflows, and a box
/// is finite.
pub(super) const LARGEST_PAD: f64 = 1e285;

/// All of space.
const EVERYWHERE: Aabb = Aabb { min: DVec3::NEG_INFINITY, max: DVec3::INFINITY };

/// What is known of a link before it moves, in its own frame.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    own: Obb,
    /// The sums |h|₁ and |c|₁.
    size: f64,
    away: f64,
    corners: [DVec3; 8],
    /// The vertices that triangles use, where that is not all of them.
    used: Option<Box<[DVec3]>>,
    /// Bounds |v|₁ of all of them.
    reach: f64,
}

impl Leaf {
    pub(super) fn new(mesh: &Mesh) -> Self {
        let triangles: Vec<[DVec3; 3]> =
            (0..mesh.triangles().len()).map(|i| mesh.triangle(i)).collect();
        let own = Obb::of_triangles(&triangles, Fit::Dito14);
        let reach = triangles.as_flattened().iter().map(|v| v.abs().element_sum());
        Self {
            own,
            size: own.half.element_sum(),
            away: own.center.abs().element_sum(),
            corners: own.corners(),
            used: used(mesh),
            reach: reach.fold(0.0, f64::max),
        }
    }

    /// The vertices that the link's surface uses.
    pub(super) fn vertices<'a>(&'a self, mesh: &'a Mesh) -> &'a [DVec3] {
        self.used.as_deref().unwrap_or(mesh.vertices())
    }

    /// The link's own box, carried along.
    pub(super) fn oriented(&self, placement: &Pose, origin: DVec3) -> Obb {
        let shift = placement.translation() - origin;
        let axes = orthonormal(placement.rotation() * self.own.axes);
        let center = placement.rotation() * self.own.center + shift;
        let pad = self.pad(placement, shift);
        let half = self.own.half + pad;
        // Written so that NaN is everything, too.
        if pad < LARGEST_PAD { Obb { center, axes, half } } else { Obb::EVERYTHING }
    }

    /// Along the world's axes, from the middle and the turned axes.
    pub(super) fn around_centre(&self, placement: &Pose, origin: DVec3) -> Aabb {
        let shift = placement.translation() - origin;
        let axes = placement.rotation() * self.own.axes;
        let center = placement.rotation() * self.own.center + shift;
        let magnitudes = DMat3::from_cols(axes.x_axis.abs(), axes.y_axis.abs(), axes.z_axis.abs());
        let radius = magnitudes * self.own.half + self.pad(placement, shift);
        or_everywhere(Aabb { min: center - radius, max: center + radius })
    }

    /// Along the world's axes, around eight placed corners.
    pub(super) fn around_corners(&self, placement: &Pose, origin: DVec3) -> Aabb {
        let shift = placement.translation() - origin;
        if self.size + self.away > HUGE {
            return EVERYWHERE;
        }
        around(&self.corners, placement.rotation(), shift, self.pad(placement, shift))
    }

    /// Along the world's axes, around all placed vertices.
    pub(super) fn around_vertices(&self, mesh: &Mesh, placement: &Pose, origin: DVec3) -> Aabb {
        let shift = placement.translation() - origin;
        let pad = 6.0 * U * (self.reach + shift.abs().element_sum()) + TINY;
        if self.reach > HUGE {
            return EVERYWHERE;
        }
        around(self.vertices(mesh), placement.rotation(), shift, pad)
    }

    fn pad(&self, placement: &Pose, shift: DVec3) -> f64 {
        (4.0 * placement.deviation() + 64.0 * U) * self.size
            + (20.0 * U * (self.away + shift.abs().element_sum()) + TINY)
    }
}

fn around(points: &[DVec3], rotation: DMat3, shift: DVec3, pad: f64) -> Aabb {
    let (mut min, mut max) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for &point in points {
        let turned = rotation * point;
        min = min.min(turned);
        max = max.max(turned);
    }
    or_everywhere(Aabb { min: min + shift - pad, max: max + shift + pad })
}

/// A box that overflows is everywhere.
fn or_everywhere(bounds: Aabb) -> Aabb {
    if bounds.min.is_finite() && bounds.max.is_finite() { bounds } else { EVERYWHERE }
}

/// Axes that are orthonormal up to an error e, up to e² and a few roundings.
fn orthonormal(axes: DMat3) -> DMat3 {
    let DMat3 { x_axis: x, y_axis: y, z_axis: z } = axes;
    let [xx, yy, zz] = [x, y, z].map(|axis| 0.5 - 0.5 * axis.dot(axis));
    let (xy, yz, zx) = (-0.5 * x.dot(y), -0.5 * y.dot(z), -0.5 * z.dot(x));
    DMat3::from_cols(
        x + (x * xx + y * xy + z * zx),
        y + (x * xy + y * yy + z * yz),
        z + (x * zx + y * yz + z * zz),
    )
}

/// The vertices that triangles use. `None` if they use all.
fn used(mesh: &Mesh) -> Option<Box<[DVec3]>> {
    let mut is_used = vec![false; mesh.vertices().len()];
    for &vertex in mesh.triangles().as_flattened() {
        is_used[vertex as usize] = true;
    }
    let pick = || mesh.vertices().iter().zip(&is_used).filter(|(_, used)| **used);
    is_used.contains(&false).then(|| pick().map(|(&vertex, _)| vertex).collect())
}
