//! Boxes along the coordinate axes of the object they belong to.
//!
//! Smallest and largest coordinates need no arithmetic, so the box is exact. Placed, it is a box
//! like any other: two of them are tested along the fifteen directions of [`ObbPair`], as the OBBTree
//! paper does when it compares box trees. Only in a common frame three comparisons of intervals do.

use glam::{DMat3, DVec3};

use super::round::descending;
use super::{Family, Fit, Meet, Obb, ObbPair, Rigid, Spatial, Volume};

/// An axis-aligned bounding box.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Aabb {
    /// Smallest coordinates.
    pub min: DVec3,
    /// Largest coordinates.
    pub max: DVec3,
}

impl Aabb {
    /// The smallest box around points; empty without points, and merging an empty box changes
    /// nothing.
    ///
    /// ```
    /// use elbowroom::Aabb;
    /// use glam::DVec3;
    ///
    /// let bounds = Aabb::of_points(&[DVec3::X, DVec3::Y]);
    /// assert_eq!((bounds.min, bounds.max), (DVec3::ZERO, DVec3::new(1.0, 1.0, 0.0)));
    /// ```
    pub fn of_points(points: &[DVec3]) -> Self {
        let empty = Self { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };
        points
            .iter()
            .fold(empty, |bounds, &p| Self { min: bounds.min.min(p), max: bounds.max.max(p) })
    }

    /// The middle, rounded.
    pub fn center(&self) -> DVec3 {
        0.5 * self.min + 0.5 * self.max
    }

    /// Half of the extents, rounded; halved first, so they do not overflow.
    pub fn half(&self) -> DVec3 {
        0.5 * self.max - 0.5 * self.min
    }

    /// A box that is larger by a margin on all sides, rounded outward; finite if it was, however
    /// large the margin.
    ///
    /// ```
    /// use elbowroom::Aabb;
    /// use glam::DVec3;
    ///
    /// let grown = Aabb::of_points(&[DVec3::ZERO]).grown(2.0);
    /// assert!(grown.max.cmpge(DVec3::splat(2.0)).all());
    /// ```
    #[must_use]
    pub fn grown(&self, margin: f64) -> Self {
        let outward = |bound: DVec3| bound.clamp(DVec3::MIN, DVec3::MAX);
        let min = (self.min - margin).to_array().map(f64::next_down);
        let max = (self.max + margin).to_array().map(f64::next_up);
        Self { min: outward(min.into()), max: outward(max.into()) }
    }
}

/// Whether two boxes of one frame are at most a margin apart on every axis.
#[inline]
pub fn overlap_aabb_aabb(a: &Aabb, b: &Aabb, margin: f64) -> bool {
    let gap = (b.min - a.max).max(a.min - b.max);
    // NaN counts as overlap.
    !gap.cmpgt(DVec3::splat(margin)).any()
}

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
    fn margin_is_closed() {
        let a = Aabb { min: DVec3::ZERO, max: DVec3::ONE };
        let b = Aabb { min: DVec3::new(1.5, 0.0, 0.0), max: DVec3::splat(2.0) };
        assert!(!overlap_aabb_aabb(&a, &b, 0.0));
        assert!(!overlap_aabb_aabb(&b, &a, 0.4999));
        assert!(overlap_aabb_aabb(&a, &b, 0.5));
    }

    #[test]
    fn longest_first() {
        let flat = Aabb { min: DVec3::ZERO, max: DVec3::new(1.0, 3.0, 3.0) };
        assert_eq!(flat.axes(), DMat3::from_cols(DVec3::Y, DVec3::Z, DVec3::X));
        assert_eq!(flat.area(), 30.0);
        assert_eq!(flat.reach(), 1.5);
    }
}
