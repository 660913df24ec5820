//! Where along a ray it meets a triangle.
//!
//! That it does, and where its ends stand, is known exactly; with the ends on different sides the
//! common point is where the ray goes through the plane. What is left lies in the plane or meets a
//! degenerate triangle: then the first common point is an end of the ray, the point closest to a
//! corner, or where the ray crosses an edge, and all these are tried.

use glam::DVec3;

use crate::exact::Sign;
use crate::math::placement::Placement;
use crate::query::contact::{
    COMMON, Unit, along, closest_on_segment, closest_on_triangle, crossing, normal, pierce, placed,
};

/// The fraction of a segment at which it first has a point in common with a placed triangle that it is
/// known to meet; `sides` says exactly where its ends are.
pub(super) fn first_fraction(
    [from, to]: [DVec3; 2],
    triangle: (&Placement, [DVec3; 3]),
    sides: [Sign; 2],
) -> f64 {
    match sides {
        // In the triangle's plane, or the triangle has none.
        [Sign::Zero, Sign::Zero] => {}
        // In the plane at one end only, so that end it is.
        [Sign::Zero, _] => return 0.0,
        [_, Sign::Zero] => return 1.0,
        _ => {}
    }
    let ([triangle, [from, to, _]], _) = placed([triangle, (&Placement::IDENTITY, [from, to, to])]);
    let unit = Unit::around(triangle.into_iter().chain([from, to]));
    let triangle = triangle.map(|p| unit.enter(p));
    let segment = [from, to].map(|p| unit.enter(p));
    let gap = |fraction: f64| {
        let point = along(segment, fraction);
        point.distance(closest_on_triangle(point, triangle))
    };
    if sides != [Sign::Zero; 2]
        && let Some(fraction) = through(segment, triangle)
        && gap(fraction) <= COMMON
    {
        return fraction;
    }
    let mut first = None::<f64>;
    let mut nearest = (f64::INFINITY, 0.0);
    for_each_candidate(segment, triangle, |fraction| {
        let gap = gap(fraction);
        if gap <= COMMON {
            first = Some(first.map_or(fraction, |first| first.min(fraction)));
        }
        if gap < nearest.0 {
            nearest = (gap, fraction);
        }
    });
    first.unwrap_or(nearest.1)
}

/// The fraction at which a segment, known to have its ends on different sides, goes through a plane.
fn through([p, q]: [DVec3; 2], triangle: [DVec3; 3]) -> Option<f64> {
    let n = normal(triangle)?;
    let (above, below) = (n.dot(p - triangle[0]), n.dot(q - triangle[0]));
    let fraction = above / (above - below);
    // Where rounding has put both on one side, it says nothing.
    (0.0..=1.0).contains(&fraction).then_some(fraction)
}

/// Every fraction at which the segment may begin to be in the triangle, or may be closest to it.
fn for_each_candidate(segment: [DVec3; 2], triangle: [DVec3; 3], mut found: impl FnMut(f64)) {
    found(0.0);
    for i in 0..3 {
        found(closest_on_segment(triangle[i], segment));
        if let Some([fraction, _]) = crossing(segment, [triangle[i], triangle[(i + 1) % 3]]) {
            found(fraction);
        }
    }
    if let Some(fraction) = pierce(segment, triangle) {
        found(fraction);
    }
    found(1.0);
}
