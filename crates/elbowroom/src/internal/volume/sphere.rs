//! Balls: the cheapest test, and the same from every side.
//!
//! The fit is the smallest ball around the vertices, its radius rounded up. Two balls are apart if
//! their centres are farther apart than the radii together. Squares are compared instead of lengths
//! where they neither overflow nor vanish.

use glam::{DMat3, DVec3};

use super::round::{TINY, U, distance_up, length, longer};
use super::{Family, Fit, Meet, Obb, Rigid, Spatial, Volume};
use crate::internal::geom::enclosing_sphere::smallest_sphere;

/// A ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    /// The centre.
    pub center: DVec3,
    /// The radius.
    pub radius: f64,
}

impl Sphere {
    /// The smallest ball around points; at least one.
    pub fn of_points(points: &[DVec3]) -> Self {
        let (center, radius) = smallest_sphere(points);
        Self { center, radius }
    }

    /// At least the radius of a ball about this centre that encloses the whole ball.
    fn radius_from(&self, center: DVec3) -> f64 {
        let distance = distance_up(center, self.center);
        if distance == 0.0 { self.radius } else { (distance + self.radius).next_up() }
    }
}

impl Volume for Sphere {
    const FAMILY: Family = Family::Sphere;

    /// The smallest ball around both, to rounding.
    fn merged(&self, other: &Self) -> Self {
        let (small, large) = if self.radius < other.radius { (self, other) } else { (other, self) };
        if small.radius_from(large.center) <= large.radius {
            return *large;
        }
        // Halved, so that it does not overflow.
        let apart = 0.5 * small.center - 0.5 * large.center;
        let distance = length(apart);
        // From the large centre towards the small one by half of what the small ball sticks out.
        let step = (distance + 0.5 * small.radius - 0.5 * large.radius) / distance;
        let step = if step.is_nan() { 0.0 } else { step.clamp(0.0, 1.0) };
        let center = large.center + step * apart;
        Self { center, radius: small.radius_from(center).max(large.radius_from(center)) }
    }

    fn reach(&self) -> f64 {
        self.radius
    }
}

impl Spatial for Sphere {
    fn of_triangles(triangles: &[[DVec3; 3]], _: Fit) -> Self {
        Self::of_points(triangles.as_flattened())
    }

    fn contains(&self, point: DVec3) -> bool {
        let distance = length(point - self.center);
        distance * (1.0 - 16.0 * U) - TINY <= self.radius
    }

    fn area(&self) -> f64 {
        4.0 * std::f64::consts::PI * self.radius * self.radius
    }

    fn axes(&self) -> DMat3 {
        DMat3::IDENTITY
    }

    fn boxed(&self) -> Obb {
        Obb { center: self.center, axes: DMat3::IDENTITY, half: DVec3::splat(self.radius) }
    }

    fn farthest(&self) -> f64 {
        // √3 bounds the sum of the coordinates of a unit vector.
        self.center.abs().element_sum() + 1.7321 * self.radius
    }
}

impl Meet for Sphere {
    type Space = Rigid;

    #[inline]
    fn may_meet(&self, other: &Self, space: &Rigid) -> bool {
        let apart = space.apply(other.center) - self.center;
        !longer(apart, self.radius + other.radius + space.allowance())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merged_is_tight() {
        for scale in [1.0, 1e300, 1e-300] {
            let a = Sphere { center: DVec3::ZERO, radius: scale };
            let b = Sphere { center: DVec3::new(4.0, 0.0, 0.0) * scale, radius: 2.0 * scale };
            for both in [a.merged(&b), b.merged(&a)] {
                assert!((both.radius / scale - 3.5).abs() < 1e-13, "{both:?}");
                assert!((both.center.x / scale - 2.5).abs() < 1e-13, "{both:?}");
            }
            let inside = Sphere { center: DVec3::X * (4.5 * scale), radius: scale };
            assert_eq!(inside.merged(&b), b);
            assert_eq!(a.merged(&a), a);
        }
    }
}
