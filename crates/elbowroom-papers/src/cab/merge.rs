//! One box around two, along given axes; and the axes of their covariance.
//!
//! Seen from the first box's middle, along axis i of the new box, the first box reaches from −r₁ to
//! r₁ and the second from q − r₂ to q + r₂, where q is how far the second middle is along the axis
//! and r = Σ hⱼ·|aⱼ·Aᵢ|. The new box holds both intervals, hence both boxes: not only what is in
//! them.
//!
//! Rounding. With u = 2⁻⁵³ and axes that are orthonormal up to 16u: a radius is off by 24u·|h|₁ for
//! the axes and 4u for its sum, q by 4u·|d|₁ (d the step between the middles), the ends and their
//! middle m by 4u of both, the new middle by 22u·|m| for A·m and by u·|c| for its last addition. So
//! 64u·(|h₁|₁ + |h₂|₁ + |d|₁) + 2u·|c|₁ is added to every half extent.

use glam::{DMat3, DVec3, Vec3Swizzles};

use crate::cab::leaf::{LARGEST_PAD, TINY, U};
use elbowroom::internal::math::eigen::symmetric_eigen;
use elbowroom::internal::math::moments::unit_scale;
use elbowroom::internal::volume::Obb;

/// Encloses two boxes along given axes; everything, if one of them is or numbers overflow.
#[inline]
pub(super) fn enclose(a: &Obb, b: &Obb, axes: DMat3) -> Obb {
    let turn = axes.transpose();
    let step = b.center - a.center;
    let along = turn * step;
    let (radius_a, radius_b) = (radius(a, turn), radius(b, turn));
    let low = (-radius_a).min(along - radius_b);
    let high = radius_a.max(along + radius_b);
    let center = a.center + axes * (0.5 * low + 0.5 * high);
    let sizes = (a.half + b.half + step.abs()).element_sum();
    let pad = 64.0 * U * sizes + (2.0 * U * center.abs().element_sum() + TINY);
    let half = (0.5 * high - 0.5 * low) + pad;
    // Written so that NaN is everything, too.
    if pad < LARGEST_PAD { Obb { center, axes, half } } else { Obb::EVERYTHING }
}

/// How far a box reaches from its middle along three axes, given as rows.
#[inline]
fn radius(b: &Obb, turn: DMat3) -> DVec3 {
    let share = |axis: DVec3, half: f64| (turn * axis).abs() * half;
    share(b.axes.x_axis, b.half.x) + share(b.axes.y_axis, b.half.y) + share(b.axes.z_axis, b.half.z)
}

/// The axes of the covariance of the sixteen corners of two boxes.
///
/// The corners of one box spread by Σ hⱼ²·aⱼ·aⱼᵀ around its middle, and the two middles by d·dᵀ/4
/// around theirs, so that no corner has to be made (Gottschalk, Lin and Manocha's covariance, in
/// closed form).
pub(super) fn covariance_axes(a: &Obb, b: &Obb) -> DMat3 {
    let step = 0.5 * (b.center - a.center);
    // Squares neither overflow nor vanish.
    let size = step.abs().max(a.half).max(b.half).max_element();
    let scale = unit_scale(size);
    let mut squares = DVec3::ZERO;
    let mut products = DVec3::ZERO;
    let mut spread = |v: DVec3, share: f64| {
        let scaled = v * share;
        squares += scaled * v;
        products += scaled * v.yzx();
    };
    spread(step * scale, 1.0);
    for each in [a, b] {
        let half = each.half * scale;
        spread(each.axes.x_axis * half.x, 0.5);
        spread(each.axes.y_axis * half.y, 0.5);
        spread(each.axes.z_axis * half.z, 0.5);
    }
    // The products are xy, yz and zx.
    let covariance = DMat3::from_cols(
        DVec3::new(squares.x, products.x, products.z),
        DVec3::new(products.x, squares.y, products.y),
        DVec3::new(products.z, products.y, squares.z),
    );
    symmetric_eigen(covariance).1
}
