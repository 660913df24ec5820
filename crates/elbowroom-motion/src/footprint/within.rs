//! One body within the ring of another, where their contours are clear of each other.
//!
//! Then each ring lies wholly inside or outside of the other's area, and one point of it tells.
//! Seldom must that point be looked for among all edges of the other contour: a set with smallest
//! circle (c, r) has in every direction a point at least as far as √(d² + r²) from a point at
//! distance d from c. So what is within a circle of radius R has d² + r² ≤ R².

use glam::DVec2;

use super::Footprint;
use elbowroom::internal::geom::Contour;
use elbowroom::internal::geom::circle::smallest_circle;

/// A ring or a stray: a point of it and its smallest circle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    point: DVec2,
    center: DVec2,
    radius: f64,
}

pub(super) fn marks(contour: &Contour) -> Vec<Mark> {
    let mark = |points: &[DVec2]| {
        let (center, radius) = smallest_circle(points);
        Mark { point: points[0], center, radius }
    };
    let rings = contour.rings().iter().map(|ring| mark(ring));
    rings.chain(contour.strays().iter().map(|stray| mark(stray))).collect()
}

/// Whether a ring of the inner body lies in the outer one's area.
pub(super) fn surrounds(
    inner: &Footprint,
    outer: &Footprint,
    there: impl Fn(DVec2) -> DVec2,
    slack: f64,
) -> bool {
    let Some(contour) = &outer.contour else { return false };
    let (center, radius) = (outer.packed.center, outer.packed.radius);
    inner.marks.iter().any(|mark| {
        let apart = there(mark.center).distance_squared(center);
        // A billionth is far more than smallest circles are off.
        let fits = (apart + mark.radius * mark.radius) * (1.0 - 1e-9) <= (radius + slack).powi(2);
        fits && contour.contains(there(mark.point))
    })
}
