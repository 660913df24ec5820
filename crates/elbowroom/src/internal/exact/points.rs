//! Signs for points where they are, without poses: what hulls and polygons ask.

use glam::DVec3;

use super::Sign;
use super::chain::{Chain, LARGEST, PlacedTriangle, SMALLEST, U, sign_within_bound};
use super::number;
use crate::internal::math::pose::Pose;

/// On which side of the plane abc the point d lies: the sign of det [b − a, c − a, d − a]. Exact.
#[inline]
pub fn side([a, b, c, d]: [DVec3; 4]) -> Sign {
    let rows = [b - a, c - a, d - a];
    let det = rows[2].dot(rows[0].cross(rows[1]));
    sign_within_bound(rows, DVec3::ZERO, det).unwrap_or_else(|| {
        let plane = PlacedTriangle::new(&Pose::IDENTITY, [a, b, c]);
        let point = PlacedTriangle::new(&Pose::IDENTITY, [d; 3]);
        Chain::new(&plane, &point).orient3([0, 1, 2, 3])
    })
}

/// Which way three points turn, seen along an axis so that the next two axes point right and up:
/// positive for counter-clockwise. Exact.
#[inline]
pub fn turn(axis: usize, points: [DVec3; 3]) -> Sign {
    let [a, b, c] = points;
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    let (u, v) = (b - a, c - a);
    let (left, right) = (u[i] * v[j], u[j] * v[i]);
    let (det, sum) = (left - right, left.abs() + right.abs());
    // Each product is off by three roundings, their difference by one more; half of what is trusted
    // for products of three is far from under- and overflow for products of two.
    if det.abs() > 6.0 * U * sum && (SMALLEST..=LARGEST).contains(&sum) {
        return Sign::of(det);
    }
    let triangle = PlacedTriangle::new(&Pose::IDENTITY, points);
    Chain::new(&triangle, &triangle).orient2(axis, [0, 1, 2])
}

/// Which way a closed polygon turns as a whole, seen along an axis: the sign of the area that it
/// encloses, positive for counter-clockwise. Exact.
pub(crate) fn outline(axis: usize, points: &[DVec3]) -> Sign {
    number::area(points, axis)
}
