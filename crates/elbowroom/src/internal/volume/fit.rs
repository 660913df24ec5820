//! Which way an oriented box should stand.
//!
//! Three of the ways take the eigenvectors of a covariance, so that the box stands along the
//! directions in which the shape spreads most and least; they differ in what is spread: the
//! vertices, the surface, or the surface of the convex hull. The surface does not care how finely
//! it is cut into triangles, and the hull does not care about what is inside. The fourth way
//! compares candidates (see `dito.rs`).
//!
//! Source: Gottschalk, Lin and Manocha, *OBBTree: a hierarchical structure for rapid interference
//! detection*, 1996, section 4. We differ where the paper leaves a gap: a hull that is a polygon or
//! a segment is integrated over as such (the paper calls this the more complete solution and skips
//! the hull); a surface without area falls back to its vertices; points that all coincide get the
//! axes of the frame. Points are moved to their middle and scaled by a power of two, so that
//! squares neither overflow nor vanish.
//!
//! Ties: eigenvalues fall, equal ones keep the order in which Jacobi's method leaves them, and the
//! third axis is the cross product of the first two.

use glam::{DMat3, DVec3};

use super::{Aabb, dito};
use crate::internal::geom::hull::{Hull, hull};
use crate::internal::math::eigen::symmetric_eigen;
use crate::internal::math::moments::{Moments, unit_scale};

/// How an oriented box finds its axes. Other volumes pay no heed to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fit {
    /// Covariance of the triangles' corners, each triangle's counted: fast, but sensitive to where
    /// triangles are small.
    Vertices,
    /// Covariance of the surface.
    #[default]
    Triangles,
    /// Covariance of the convex hull's surface: O(n log n), blind to what is inside.
    Hull,
    /// The smallest surface among candidates that extremal points suggest.
    Dito14,
}

impl Fit {
    /// Every way.
    pub const ALL: [Self; 4] = [Self::Vertices, Self::Triangles, Self::Hull, Self::Dito14];

    /// The name in tables and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Vertices => "vertices",
            Self::Triangles => "triangles",
            Self::Hull => "hull",
            Self::Dito14 => "dito-14",
        }
    }
}

/// The axes for a box around triangles, as columns: right-handed, and orthonormal to rounding.
pub(super) fn axes(triangles: &[[DVec3; 3]], fit: Fit) -> DMat3 {
    let points = triangles.as_flattened();
    let Some(unit) = Unit::around(points) else {
        return DMat3::IDENTITY;
    };
    match fit {
        Fit::Vertices => vertex_axes(&unit, points),
        Fit::Triangles => {
            let surface = triangles.iter().copied();
            surface_axes(&unit, surface).unwrap_or_else(|| vertex_axes(&unit, points))
        }
        Fit::Hull => hull_axes(&unit, points),
        Fit::Dito14 => {
            let points: Vec<_> = points.iter().map(|&p| unit.map(p)).collect();
            dito::axes(&points)
        }
    }
}

/// The axes for a box around points alone.
pub fn point_axes(points: &[DVec3]) -> DMat3 {
    Unit::around(points).map_or(DMat3::IDENTITY, |unit| vertex_axes(&unit, points))
}

fn hull_axes(unit: &Unit, points: &[DVec3]) -> DMat3 {
    match hull(points) {
        Hull::Point(_) => DMat3::IDENTITY,
        // The ends spread as it does, but for a factor.
        Hull::Segment(ends) => vertex_axes(unit, &ends),
        Hull::Polygon(corners) => {
            let fan = corners.windows(2).map(|edge| [corners[0], edge[0], edge[1]]);
            surface_axes(unit, fan).unwrap_or_else(|| vertex_axes(unit, &corners))
        }
        Hull::Solid(facets) => surface_axes(unit, facets.iter().copied())
            .unwrap_or_else(|| vertex_axes(unit, facets.as_flattened())),
    }
}

fn vertex_axes(unit: &Unit, points: &[DVec3]) -> DMat3 {
    let spread: Moments = points.iter().map(|&p| Moments::of_point(unit.map(p), 1.0)).sum();
    symmetric_eigen(spread.covariance()).1
}

/// None if there is no area.
fn surface_axes(unit: &Unit, surface: impl Iterator<Item = [DVec3; 3]>) -> Option<DMat3> {
    let spread: Moments = surface.map(|t| Moments::of_triangle(t.map(|p| unit.map(p)))).sum();
    (spread.weight() > 0.0).then(|| symmetric_eigen(spread.covariance()).1)
}

/// Moves points to about the unit cube.
struct Unit {
    scale: f64,
    origin: DVec3,
}

impl Unit {
    /// None if all points are one.
    fn around(points: &[DVec3]) -> Option<Self> {
        let bounds = Aabb::of_points(points);
        let size = bounds.half().max_element();
        // Halving takes the last bit of the smallest numbers, so equality is asked for itself.
        if bounds.min == bounds.max {
            return None;
        }
        let scale = unit_scale(size);
        Some(Self { scale, origin: bounds.center() * scale })
    }

    fn map(&self, point: DVec3) -> DVec3 {
        point * self.scale - self.origin
    }
}

/// Orthonormal axes, the first along `first`, the second as near to `second` as can be; both are
/// not zero, and of a size that can be squared.
pub(super) fn frame(first: DVec3, second: DVec3) -> DMat3 {
    let e0 = first / first.length();
    let mut e1 = reject(second / second.length(), e0);
    // Nearly parallel vectors leave little but rounding errors, which may point anywhere.
    if e1.length_squared() < 1e-20 {
        e1 = e0.any_orthonormal_vector();
    }
    let e1 = reject(e1 / e1.length(), e0);
    let e1 = e1 / e1.length();
    let e2 = e0.cross(e1);
    DMat3::from_cols(e0, e1, e2 / e2.length())
}

/// What is perpendicular to a unit vector.
fn reject(v: DVec3, unit: DVec3) -> DVec3 {
    v - unit.dot(v) * unit
}
