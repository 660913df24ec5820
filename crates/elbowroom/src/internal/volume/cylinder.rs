//! Vertical cylinders: what people on a floor fit into.
//!
//! The axis is parallel to z of the cylinder's own frame, and the cylinder may be infinitely high.
//! As long as objects only turn about z and shift, a cylinder stays one, and the test is that of
//! two circles and two intervals. Any other rotation tilts it; then the box around it is tested
//! instead, which errs on the safe side.
//!
//! Source: Stüvel, Magnenat-Thalmann, Thalmann, Egges and van der Stappen, *Hierarchical structures
//! for collision checking between virtual characters*, 2014, whose cylinders are infinite.

use glam::{DMat3, DVec2, DVec3};

use super::round::{U, descending, length, longer};
use super::{Family, Fit, Meet, Obb, ObbPair, Rigid, Spatial, Sphere, Volume};
use crate::internal::geom::circle::smallest_circle;

/// A vertical cylinder.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cylinder {
    /// Where its axis stands in the xy plane.
    pub center: DVec2,
    /// The radius.
    pub radius: f64,
    /// The lowest z; may be −∞.
    pub low: f64,
    /// The highest z; may be ∞.
    pub high: f64,
}

impl Cylinder {
    /// Without a floor and a ceiling.
    pub fn infinite(center: DVec2, radius: f64) -> Self {
        Self { center, radius, low: f64::NEG_INFINITY, high: f64::INFINITY }
    }

    /// The smallest circle around points seen from above, at least one, and their heights.
    pub fn of_points(points: &[DVec3]) -> Self {
        let flat: Vec<_> = points.iter().map(|p| p.truncate()).collect();
        let (center, radius) = smallest_circle(&flat);
        let heights = points.iter().map(|p| p.z);
        Self {
            center,
            radius,
            low: heights.clone().fold(f64::INFINITY, f64::min),
            high: heights.fold(f64::NEG_INFINITY, f64::max),
        }
    }

    /// The cross section as a ball at height 0.
    fn disk(&self) -> Sphere {
        Sphere { center: self.center.extend(0.0), radius: self.radius }
    }

    /// Centre and half extents of the box around it; an end at infinity makes it infinite both
    /// ways.
    fn bounds(&self) -> (DVec3, DVec3) {
        let half = 0.5 * self.high - 0.5 * self.low;
        let middle = if half.is_finite() { 0.5 * self.high + 0.5 * self.low } else { 0.0 };
        (self.center.extend(middle), DVec3::new(self.radius, self.radius, half))
    }

    /// How far a point is outside of it: sideways, and up or down.
    pub(super) fn gap(&self, point: DVec3) -> DVec3 {
        let beside = length((point.truncate() - self.center).extend(0.0)) - self.radius;
        let above = (point.z - self.high).max(self.low - point.z);
        DVec3::new(beside.max(0.0), 0.0, above.max(0.0))
    }
}

impl Volume for Cylinder {
    const FAMILY: Family = Family::Cylinder;

    fn merged(&self, other: &Self) -> Self {
        let disk = self.disk().merged(&other.disk());
        Self {
            center: disk.center.truncate(),
            radius: disk.radius,
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }

    fn reach(&self) -> f64 {
        let half = self.bounds().1.z;
        // An infinite cylinder is a circle for a traversal.
        if half.is_finite() { self.radius.max(half) } else { self.radius }
    }
}

impl Spatial for Cylinder {
    fn of_triangles(triangles: &[[DVec3; 3]], _: Fit) -> Self {
        Self::of_points(triangles.as_flattened())
    }

    fn contains(&self, point: DVec3) -> bool {
        let level = DVec3::new(point.x, point.y, 0.0);
        self.disk().contains(level) && self.low <= point.z && point.z <= self.high
    }

    fn area(&self) -> f64 {
        let height = self.high - self.low;
        if height.is_finite() {
            2.0 * std::f64::consts::PI * self.radius * (self.radius + height)
        } else {
            f64::INFINITY
        }
    }

    /// The vertical axis is last if the cylinder is infinite: nothing is split by height then.
    fn axes(&self) -> DMat3 {
        let half = self.bounds().1.z;
        let upright = if half.is_finite() { half } else { -1.0 };
        let [i, j, k] = descending(DVec3::new(self.radius, self.radius, upright));
        DMat3::from_cols(DVec3::AXES[i], DVec3::AXES[j], DVec3::AXES[k])
    }

    fn boxed(&self) -> Obb {
        let (center, mut half) = self.bounds();
        // The middle may be rounded.
        half.z = half.z.max((self.high - center.z).next_up()).max((center.z - self.low).next_up());
        Obb { center, axes: DMat3::IDENTITY, half }
    }

    /// Of the part of an infinite cylinder at height 0, for in a plane nothing else is asked of it.
    fn farthest(&self) -> f64 {
        let flat = self.disk().farthest();
        let high = self.low.abs().max(self.high.abs());
        if high.is_finite() { flat + high } else { flat }
    }
}

/// What a query prepares for cylinders.
#[derive(Clone, Copy, Debug)]
pub struct CylinderSpace {
    rigid: Rigid,
    upright: bool,
}

impl From<&Rigid> for CylinderSpace {
    fn from(rigid: &Rigid) -> Self {
        // A pose about z has exact zeros, and products with them stay exact; its one may come out
        // rounded, which is as good as one.
        let r = rigid.rotation;
        let upright = r.z_axis.x == 0.0
            && r.z_axis.y == 0.0
            && r.x_axis.z == 0.0
            && r.y_axis.z == 0.0
            && (r.z_axis.z - 1.0).abs() <= 8.0 * U;
        Self { rigid: *rigid, upright }
    }
}

impl Meet for Cylinder {
    type Space = CylinderSpace;

    #[inline]
    fn may_meet(&self, other: &Self, CylinderSpace { rigid, upright }: &CylinderSpace) -> bool {
        if !upright {
            let ((a, half_a), (b, half_b)) = (self.bounds(), other.bounds());
            let t = rigid.apply(b) - a;
            return !ObbPair::new(rigid.rotation, t, half_a, half_b).apart(rigid.allowance());
        }
        let limit = rigid.allowance();
        let center = rigid.rotation * other.center.extend(0.0) + rigid.translation;
        let apart = (center.truncate() - self.center).extend(0.0);
        // Infinite ends never are apart; NaN cannot arise, as a shift is finite.
        let (low, high) = (other.low + rigid.translation.z, other.high + rigid.translation.z);
        !(low - self.high > limit
            || self.low - high > limit
            || longer(apart, self.radius + other.radius + limit))
    }
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::*;
    use crate::Pose;

    #[test]
    fn circles_and_heights() {
        let a = Cylinder { center: DVec2::ZERO, radius: 1.0, low: 0.0, high: 2.0 };
        let above = Cylinder { low: 3.0, high: 4.0, ..a };
        let space = |p: &Pose| CylinderSpace::from(&Rigid::new(&Pose::IDENTITY, 5.0, p, 5.0, 0.0));
        let same = space(&Pose::IDENTITY);
        assert!(!a.may_meet(&above, &same) && a.may_meet(&a, &same));
        let well = Cylinder::infinite(DVec2::ZERO, 1.0);
        assert!(well.may_meet(&above, &same) && above.may_meet(&well, &same));
        let turned = DQuat::from_rotation_z(1.0);
        let beside = Pose::from_quat(turned, DVec3::new(1.6, 1.6, 0.0)).expect("a turn about z");
        let beside = space(&beside);
        assert!(beside.upright);
        // The boxes around them overlap.
        assert!(!a.may_meet(&a, &beside) && !well.may_meet(&a, &beside));
        let tilted = DQuat::from_rotation_x(0.1);
        let tilted = space(&Pose::from_quat(tilted, DVec3::X).expect("a tilt"));
        assert!(!tilted.upright && well.may_meet(&above, &tilted));
        let far = Pose::from_quat(DQuat::from_rotation_x(0.1), DVec3::X * 3.0);
        let far = space(&far.expect("a tilt"));
        assert!(!a.may_meet(&above, &far) && !well.may_meet(&a, &far));
    }
}
