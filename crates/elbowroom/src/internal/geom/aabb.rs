//! Boxes along the coordinate axes of the object they belong to.
//!
//! Smallest and largest coordinates need no arithmetic, so the box is exact.

use glam::DVec3;

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
        Self::of(points.iter().copied())
    }

    pub(crate) fn of(points: impl IntoIterator<Item = DVec3>) -> Self {
        let empty = Self { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };
        points
            .into_iter()
            .fold(empty, |bounds, p| Self { min: bounds.min.min(p), max: bounds.max.max(p) })
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
}
