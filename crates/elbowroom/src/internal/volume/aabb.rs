//! The axis-aligned box as a bounding volume.
//!
//! Placed, it is a box like any other: two of them are tested along the fifteen directions of
//! [`ObbPair`], as the OBBTree paper does when it compares box trees. Only in a common frame three
//! comparisons of intervals do ([`overlap_aabb_aabb`]).

use glam::{DMat3, DVec3};

use super::round::descending;
use super::{Family, Fit, Meet, Obb, ObbPair, Rigid, Spatial, Volume};

pub use crate::internal::geom::aabb::{Aabb, overlap_aabb_aabb};

impl Volume for Aabb {
    const FAMILY: Family = Family::Aabb;

    fn merged(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    fn reach(&self) -> f64 {
        self.half().max_element()
    }
}

impl Spatial for Aabb {
    fn of_triangles(triangles: &[[DVec3; 3]], _: Fit) -> Self {
        Self::of_points(triangles.as_flattened())
    }

    fn contains(&self, point: DVec3) -> bool {
        self.min.cmple(point).all() && point.cmple(self.max).all()
    }

    fn area(&self) -> f64 {
        area(self.half())
    }

    fn axes(&self) -> DMat3 {
        let [i, j, k] = descending(self.half());
        DMat3::from_cols(DVec3::AXES[i], DVec3::AXES[j], DVec3::AXES[k])
    }

    fn boxed(&self) -> Obb {
        Obb::of_points(&[self.min, self.max], DMat3::IDENTITY)
    }

    fn farthest(&self) -> f64 {
        self.min.abs().max(self.max.abs()).element_sum()
    }
}

/// The surface of a box with these half extents; infinite if one of them is.
pub(super) fn area(half: DVec3) -> f64 {
    if half.max_element() == f64::INFINITY {
        return f64::INFINITY;
    }
    8.0 * (half.x * half.y + half.y * half.z + half.z * half.x)
}

impl Meet for Aabb {
    type Space = Rigid;

    #[inline]
    fn may_meet(&self, other: &Self, space: &Rigid) -> bool {
        let t = space.apply(other.center()) - self.center();
        !ObbPair::new(space.rotation, t, self.half(), other.half()).apart(space.allowance())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longest_first() {
        let flat = Aabb { min: DVec3::ZERO, max: DVec3::new(1.0, 3.0, 3.0) };
        assert_eq!(flat.axes(), DMat3::from_cols(DVec3::Y, DVec3::Z, DVec3::X));
        assert_eq!(flat.area(), 30.0);
        assert_eq!(flat.reach(), 1.5);
    }
}
