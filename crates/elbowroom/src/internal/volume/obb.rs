//! Boxes that stand as the shape does.
//!
//! A box is the set of points p with |aᵢ·(p − c)| ≤ hᵢ for its three axes aᵢ, centre c and half
//! extents hᵢ, in exact arithmetic on these numbers. The axes are orthonormal to rounding only (the
//! Frobenius norm of `AᵀA − 1` is below 16 roundings), which does not matter to the definition; the
//! tests treat them as orthonormal and have room for it in their slack.
//!
//! Source: Gottschalk, Lin and Manocha, *OBBTree: a hierarchical structure for rapid interference
//! detection*, 1996. The axes come from [`Fit`], in the order of the eigenvalues; the extents from
//! the vertices. We differ in rounding: the half extents bound the exact offsets of all vertices.
//! Along an axis of the frame that is the rounded offset itself or the next number; along any other
//! it is the computed offset, plus 6 roundings of Σ|aᵢ|·|p − c| (one for the difference, one for a
//! product, two for the sums, one for the bound's own, one to spare). So what is flat and lies in a
//! plane of the frame has no thickness at all.

use glam::{DMat3, DVec3};

use super::aabb::area;
use super::round::{TINY, U, descending, two_sum};
use super::{Family, Fit, Meet, ObbPair, Rigid, Spatial, Volume, fit};
use crate::internal::math::moments::unit_scale;

/// An oriented box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obb {
    /// The centre.
    pub center: DVec3,
    /// The axes as columns: right-handed and orthonormal to rounding.
    pub axes: DMat3,
    /// Half its extents along the axes: zero for what is flat, infinite for a line or a plane.
    pub half: DVec3,
}

impl Obb {
    /// All of space.
    pub const EVERYTHING: Self =
        Self { center: DVec3::ZERO, axes: DMat3::IDENTITY, half: DVec3::INFINITY };

    /// Encloses points, at least one, along given axes.
    pub fn of_points(points: &[DVec3], axes: DMat3) -> Self {
        let turn = axes.transpose();
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for &p in points {
            let at = turn * p;
            low = low.min(at);
            high = high.max(at);
        }
        let center = axes * (0.5 * low + 0.5 * high);
        if !center.is_finite() {
            return Self::EVERYTHING;
        }
        Self::around(center, axes, |axis| {
            largest(points.iter().map(|&p| offset_up(axis, p, center)))
        })
    }

    /// A fat ray: a line through its origin with a square cross section of this radius. The line
    /// runs both ways, and is meant within the reach of the scene: at infinity the rounding of its
    /// direction knows no bounds. Without a direction it is a cube.
    pub fn ray(origin: DVec3, direction: DVec3, radius: f64) -> Self {
        let (axes, infinite) = axes_along(direction);
        let long = if infinite { f64::INFINITY } else { radius };
        Self { center: origin, axes, half: DVec3::new(long, radius, radius) }
    }

    /// The points at most this far from a plane, within the reach of the scene. Without a normal it
    /// is everything.
    pub fn plane(point: DVec3, normal: DVec3, thickness: f64) -> Self {
        let (axes, has_normal) = axes_along(normal);
        let thin = if has_normal { thickness } else { f64::INFINITY };
        Self { center: point, axes, half: DVec3::new(thin, f64::INFINITY, f64::INFINITY) }
    }

    /// The corners, rounded.
    pub fn corners(&self) -> [DVec3; 8] {
        std::array::from_fn(|i| {
            let sign = |bit: usize| if i >> bit & 1 == 0 { -1.0 } else { 1.0 };
            self.center + self.axes * (self.half * DVec3::new(sign(0), sign(1), sign(2)))
        })
    }

    /// Encloses boxes, at least one, along given axes: the boxes themselves, not only what is in
    /// them.
    pub fn of_boxes(boxes: &[Self], axes: DMat3) -> Self {
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for b in boxes {
            let at = axes.transpose() * b.center;
            let radius = DVec3::from_array(std::array::from_fn(|i| b.radius_up(axes.col(i))));
            low = low.min(at - radius);
            high = high.max(at + radius);
        }
        let center = axes * (0.5 * low + 0.5 * high);
        if !center.is_finite() {
            return Self::EVERYTHING;
        }
        Self::around(center, axes, |axis| {
            let offsets = boxes
                .iter()
                .map(|b| (offset_up(axis, b.center, center) + b.radius_up(axis)).next_up());
            largest(offsets)
        })
    }

    /// With half extents that are known along each axis, or else everything.
    fn around(center: DVec3, axes: DMat3, half: impl Fn(DVec3) -> f64) -> Self {
        let half = DVec3::new(half(axes.x_axis), half(axes.y_axis), half(axes.z_axis));
        if half.is_nan() { Self::EVERYTHING } else { Self { center, axes, half } }
    }

    /// At least how far the box reaches from its centre along a unit vector, in exact arithmetic.
    ///
    /// A point of the box is c + A⁻ᵀx with |xᵢ| ≤ hᵢ. A⁻ᵀ differs from A by at most 16 roundings,
    /// as A is orthonormal up to that; a computed dot product differs by 3.
    fn radius_up(&self, axis: DVec3) -> f64 {
        let shares = (self.axes.transpose() * axis).abs() + 24.0 * U;
        shares.dot(self.half) * (1.0 + 8.0 * U) + TINY
    }
}

/// Axes of which the first points along a vector, and whether it points anywhere.
fn axes_along(direction: DVec3) -> (DMat3, bool) {
    let size = direction.abs().max_element();
    if size == 0.0 || !direction.is_finite() {
        return (DMat3::IDENTITY, false);
    }
    let first = direction * unit_scale(size);
    (fit::frame(first, first.any_orthogonal_vector()), true)
}

/// The largest of numbers that are not negative; NaN if one of them is.
fn largest(numbers: impl Iterator<Item = f64>) -> f64 {
    // `max` alone would pass over NaN.
    numbers.fold(0.0, |most, number| if most.is_nan() || number <= most { most } else { number })
}

/// At least |axis · (point − center)| in exact arithmetic (see the module's head).
fn offset_up(axis: DVec3, point: DVec3, center: DVec3) -> f64 {
    let offset = point - center;
    if let Some(i) = only_axis(axis) {
        let lost = two_sum(point[i], -center[i]).1;
        return if lost == 0.0 { offset[i].abs() } else { offset[i].abs().next_up() };
    }
    if offset == DVec3::ZERO {
        return 0.0;
    }
    axis.dot(offset).abs() + (6.0 * U * axis.abs().dot(offset.abs()) + TINY)
}

/// The index of the only component, if that is 1 or −1 and the others are zero.
fn only_axis(axis: DVec3) -> Option<usize> {
    let sizes = axis.abs();
    (0..3).find(|&i| sizes == DVec3::AXES[i])
}

impl Volume for Obb {
    const FAMILY: Family = Family::Obb;

    /// Along the axes of the covariance of the sixteen corners. If an extent is infinite,
    /// everything.
    fn merged(&self, other: &Self) -> Self {
        if !(self.half.is_finite() && other.half.is_finite()) {
            return Self::EVERYTHING;
        }
        let corners = [self.corners(), other.corners()];
        Self::of_boxes(&[*self, *other], fit::point_axes(corners.as_flattened()))
    }

    fn reach(&self) -> f64 {
        self.half.max_element()
    }
}

impl Spatial for Obb {
    fn of_triangles(triangles: &[[DVec3; 3]], fit: Fit) -> Self {
        Self::of_points(triangles.as_flattened(), fit::axes(triangles, fit))
    }

    fn contains(&self, point: DVec3) -> bool {
        let offset = point - self.center;
        (0..3).all(|i| {
            let axis = self.axes.col(i);
            let rounding = 6.0 * U * axis.abs().dot(offset.abs()) + TINY;
            // Infinity minus infinity is NaN, which is no reason to be outside.
            let least = axis.dot(offset).abs() - rounding;
            least <= self.half[i] || least.is_nan()
        })
    }

    fn area(&self) -> f64 {
        area(self.half)
    }

    fn axes(&self) -> DMat3 {
        let [i, j, k] = descending(self.half);
        DMat3::from_cols(self.axes.col(i), self.axes.col(j), self.axes.col(k))
    }

    /// The first axis, as the fit found it.
    fn principal(&self) -> DVec3 {
        self.axes.x_axis
    }

    fn boxed(&self) -> Obb {
        *self
    }

    fn farthest(&self) -> f64 {
        if !self.half.is_finite() {
            return f64::INFINITY;
        }
        let sizes: f64 = (0..3).map(|i| self.half[i] * self.axes.col(i).abs().element_sum()).sum();
        self.center.abs().element_sum() + sizes
    }
}

impl Meet for Obb {
    type Space = Rigid;

    #[inline]
    fn may_meet(&self, other: &Self, space: &Rigid) -> bool {
        let turn = self.axes.transpose();
        let r = turn * (space.rotation * other.axes);
        let t = turn * (space.apply(other.center) - self.center);
        !ObbPair::new(r, t, self.half, other.half).apart(space.allowance())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flat_in_the_frame_has_no_thickness() {
        let triangle = [DVec3::ZERO, DVec3::new(0.1, 0.0, 0.0), DVec3::new(0.0, 0.3, 0.0)];
        for fit in Fit::ALL {
            let flat = Obb::of_triangles(&[triangle.map(|p| p + DVec3::Z * 0.7)], fit);
            let thin = (0..3).filter(|&i| flat.half[i] == 0.0).count();
            assert_eq!(thin, 1, "{fit:?} gives {flat:?}");
        }
        let point = Obb::of_triangles(&[[DVec3::splat(0.1); 3]], Fit::Hull);
        assert_eq!((point.center, point.half), (DVec3::splat(0.1), DVec3::ZERO));
    }

    #[test]
    fn lines_and_planes_without_direction() {
        assert_eq!(Obb::ray(DVec3::ONE, DVec3::ZERO, 2.0).half, DVec3::splat(2.0));
        assert_eq!(Obb::plane(DVec3::ONE, DVec3::ZERO, 2.0).half, DVec3::INFINITY);
        let far = Obb::ray(DVec3::ONE, DVec3::new(0.0, 1e-310, 0.0), 0.0);
        assert!(far.axes.x_axis.abs_diff_eq(DVec3::Y, 1e-15));
        assert_eq!(far.area(), f64::INFINITY);
    }
}
