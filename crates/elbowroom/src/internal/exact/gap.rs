//! How far two triangles are apart, and between which points: never wrong by more than 2⁻³⁰ of
//! itself.
//!
//! The least distance of two triangles that do not meet lies between a corner and a face or between
//! two edges. The two closest points in f64, p and q, bound the distance from above: they are on
//! the triangles. From below it is bounded by any plane between the two, and the best one is across
//! q − p:
//!
//! ```text
//!        a             b           all of a is below the first dotted line, all of b above the second:
//!       ╱ ╲ ┆       ┆ ╱            what is between them is at most the distance, |q − p| at least
//!      ╱   p┆───────┆q
//!     ╱_____┆       ┆ ╲
//! ```
//!
//! Where the two bounds, with all their roundings, agree to 2⁻³⁰, that is the proof, and nothing
//! needs to be believed of how p and q were found. So the nearest corners are tried first, then the
//! corner that is nearest to the plane of the other triangle, and only then all fifteen pairs of
//! parts. For a narrow gap the direction of q − p is rough; so it is also made square to the edges
//! that p and q lie on, and taken as their cross product. Where no direction proves it, corners are
//! placed again with twice the digits (a pose far from the origin takes them), and where that is
//! not enough, everything is worked out in integers and rounded once.
//!
//! Invariants: corners and triangles are brought into an order of their own before anything is
//! computed, so that swapping them changes no bit, but that the points are swapped. The distance is
//! zero never, as triangles that meet have none; it is finite always. Derivations:
//! `docs/notes/distance-bounds.md`.

mod rational;

use glam::DVec3;

use super::chain::{LARGEST, PlacedTriangle, SMALLEST, U};
use super::closest::{along, closest_on_segment, edges, in_order, precedes};
use super::double::{Double, FINE};
use super::relate::{Relation, relate};
use crate::interrupt::checkpoint;

/// The space between two triangles that do not meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    /// The least distance, to within [`Gap::RELATIVE`] of itself. Above zero and finite.
    pub distance: f64,
    /// The closest points, of the first and of the second triangle, in the world: to rounding.
    pub points: [DVec3; 2],
}

impl Gap {
    /// How far the distance may be off, as a part of itself: 2⁻³⁰.
    pub const RELATIVE: f64 = 1.0 / (1_u64 << 30) as f64;

    fn swapped(self, is_swapped: bool) -> Self {
        let [p, q] = self.points;
        if is_swapped { Self { points: [q, p], ..self } } else { self }
    }
}

/// The gap between two placed triangles, which may be degenerate. `None` if they have a point in
/// common, which is decided exactly, as by [`relate`].
///
/// ```
/// use elbowroom::Pose;
/// use elbowroom::internal::exact::{PlacedTriangle, gap};
/// use glam::DVec3;
///
/// let triangle = [DVec3::ZERO, DVec3::X, DVec3::Y];
/// let far = Pose::from_translation(DVec3::new(0.0, 0.0, 1e9))?;
/// let farther = Pose::from_translation(DVec3::new(0.25, 0.25, 1e9 + 0.125))?;
/// let (a, b) = (PlacedTriangle::new(&far, triangle), PlacedTriangle::new(&farther, triangle));
/// assert_eq!(gap(&a, &b).map(|gap| gap.distance), Some(0.125));
/// assert_eq!(gap(&a, &a), None);
/// # Ok::<(), elbowroom::PoseError>(())
/// ```
pub fn gap(a: &PlacedTriangle, b: &PlacedTriangle) -> Option<Gap> {
    checkpoint();
    let ([first, second], is_swapped) = in_order([a.points(), b.points()]);
    // The first of all corners, which does not depend on their order.
    let origin = if precedes(second[0], first[0]) { second[0] } else { first[0] };
    let from = |[p, q, r]: [DVec3; 3]| [p - origin, q - origin, r - origin];
    let error = a.rounding().length() + b.rounding().length();
    let quick = certified([from(first), from(second)], origin, error);
    quick.map(|gap| gap.swapped(is_swapped)).or_else(|| slow(a, b, origin))
}

#[cold]
fn slow(a: &PlacedTriangle, b: &PlacedTriangle, origin: DVec3) -> Option<Gap> {
    if relate(a, b) != Relation::Apart {
        return None;
    }
    let (relative, error) = placed_finely([a, b], origin);
    let (relative, is_swapped) = in_order(relative);
    let fine = certified(relative, origin, error).map(|gap| gap.swapped(is_swapped));
    Some(fine.unwrap_or_else(|| rational::gap([a.source(), b.source()])))
}

/// Corners from an origin, placed with twice the digits of f64, rounded at the end; and how far
/// they may be off before that.
fn placed_finely(triangles: [&PlacedTriangle; 2], origin: DVec3) -> ([[DVec3; 3]; 2], f64) {
    let mut size = 0.0_f64;
    let placed = triangles.map(|triangle| {
        let (pose, corners) = triangle.source();
        corners.map(|corner| {
            DVec3::from_array([0, 1, 2].map(|axis| {
                let (row, shift) = (pose.rotation().row(axis), pose.translation()[axis]);
                size = size.max(row.abs().dot(corner.abs()) + shift.abs());
                let product = |i: usize| Double::product(row[i], corner[i]);
                let step = Double::difference(shift, origin[axis]);
                (product(0) + product(1) + product(2) + step).high
            }))
        })
    });
    // Four sums and three products of two triangles on three axes: 2·3·30·2⁻¹⁰⁶ of the largest.
    (placed, 4.0 * FINE * size)
}

/// Two points, one of each triangle, and two vectors that lie in what they are nearest to: a face,
/// or two edges.
#[derive(Clone, Copy)]
struct Closest {
    square: f64,
    points: [DVec3; 2],
    within: [DVec3; 2],
}

/// The gap between two triangles in order, given from an origin to within some error, if f64 can
/// prove it.
///
/// Most triangles that are worth measuring are nearest at two corners, or at a corner and a face.
/// These are tried first, because a proof is a proof, wherever the points are from.
fn certified([a, b]: [[DVec3; 3]; 2], origin: DVec3, error: f64) -> Option<Gap> {
    let square = |t: &[DVec3; 3]| {
        t[0].length_squared().max(t[1].length_squared()).max(t[2].length_squared())
    };
    let size = square(&a).max(square(&b)).sqrt();
    if !(SMALLEST..=LARGEST).contains(&size) || !origin.is_finite() {
        return None;
    }
    let pair =
        Apart { a, b, lost_above: 28.0 * U * size + error, lost_below: 18.0 * U * size + error };
    let corners = pair.nearest_corners();
    let found = if pair.is_proved_along(corners, corners[1] - corners[0]) {
        corners
    } else if let Some(points) = pair.proved_above_faces() {
        points
    } else {
        let Closest { points, within, .. } = closest(a, b);
        pair.is_proved(points, within).then_some(points)?
    };
    let [p, q] = found;
    Some(Gap { distance: p.distance(q), points: [origin + p, origin + q] })
}

/// Two triangles, and what roundings may have taken from the bounds of their distance.
struct Apart {
    a: [DVec3; 3],
    b: [DVec3; 3],
    lost_above: f64,
    lost_below: f64,
}

impl Apart {
    /// Whether a plane across a direction proves that nothing is nearer than two points.
    #[inline]
    fn is_proved_along(&self, [p, q]: [DVec3; 2], direction: DVec3) -> bool {
        let way = q - p;
        let direction = if direction.dot(way) < 0.0 { -direction } else { direction };
        let on = |point: DVec3| point.dot(direction);
        let low = on(self.b[0]).min(on(self.b[1])).min(on(self.b[2]));
        let high = on(self.a[0]).max(on(self.a[1])).max(on(self.a[2]));
        let above = way.length() + self.lost_above;
        let below = (low - high) / direction.length() - self.lost_below;
        // False where something is not a number.
        below > 0.0 && above <= below * (1.0 + Gap::RELATIVE)
    }

    fn is_proved(&self, points: [DVec3; 2], [u, v]: [DVec3; 2]) -> bool {
        let way = points[1] - points[0];
        let square_to = |edge: DVec3| way - edge * (way.dot(edge) / edge.length_squared());
        self.is_proved_along(points, way)
            || self.is_proved_along(points, u.cross(v))
            || self.is_proved_along(points, square_to(u))
            || self.is_proved_along(points, square_to(v))
    }

    /// The first of the nearest two corners.
    fn nearest_corners(&self) -> [DVec3; 2] {
        let (mut least, mut nearest) = (f64::INFINITY, [self.a[0], self.b[0]]);
        for p in self.a {
            for q in self.b {
                let square = p.distance_squared(q);
                if square < least {
                    (least, nearest) = (square, [p, q]);
                }
            }
        }
        nearest
    }

    /// A corner of one triangle and the point of the other below it, if nothing is nearer.
    fn proved_above_faces(&self) -> Option<[DVec3; 2]> {
        if let Some((corner, foot)) = lowest(&self.a, &Face::new(self.b))
            && self.is_proved_along([corner, foot], foot - corner)
        {
            return Some([corner, foot]);
        }
        let (corner, foot) = lowest(&self.b, &Face::new(self.a))?;
        self.is_proved_along([foot, corner], corner - foot).then_some([foot, corner])
    }
}

/// The corner that is nearest to the plane of a face, if the foot of it is in the face.
fn lowest(corners: &[DVec3; 3], face: &Face) -> Option<(DVec3, DVec3)> {
    let height = |p: DVec3| (p - face.corner).dot(face.normal).abs();
    let heights = [height(corners[0]), height(corners[1]), height(corners[2])];
    let lower = |i: usize, j: usize| if heights[j] < heights[i] { j } else { i };
    let corner = corners[lower(lower(0, 1), 2)];
    Some((corner, face.foot(corner)?))
}

/// The closest of fifteen pairs of points, one on each triangle to rounding. The first of equals.
fn closest(a: [DVec3; 3], b: [DVec3; 3]) -> Closest {
    let mut best =
        Closest { square: f64::INFINITY, points: [a[0], b[0]], within: [DVec3::ZERO; 2] };
    let mut offer = |points: [DVec3; 2], within: [DVec3; 2]| {
        let square = points[0].distance_squared(points[1]);
        if square < best.square {
            best = Closest { square, points, within };
        }
    };
    let (faces, sides) = ([Face::new(a), Face::new(b)], [edges(a), edges(b)]);
    for i in 0..3 {
        if let Some(foot) = faces[1].foot(a[i]) {
            offer([a[i], foot], faces[1].edges);
        }
        if let Some(foot) = faces[0].foot(b[i]) {
            offer([foot, b[i]], faces[0].edges);
        }
        for j in 0..3 {
            let points = between([a[i], a[(i + 1) % 3]], [b[j], b[(j + 1) % 3]]);
            offer(points, [sides[0][i], sides[1][j]]);
        }
    }
    best
}

struct Face {
    corner: DVec3,
    edges: [DVec3; 2],
    normal: DVec3,
    square: f64,
}

impl Face {
    fn new([p, q, r]: [DVec3; 3]) -> Self {
        let normal = (q - p).cross(r - p);
        Self { corner: p, edges: [q - p, r - p], normal, square: normal.length_squared() }
    }

    /// Where a point is above or below the face. A degenerate one has NaN here, and nothing is
    /// above it.
    fn foot(&self, point: DVec3) -> Option<DVec3> {
        let ([u, v], from) = (self.edges, point - self.corner);
        let along_u = from.cross(v).dot(self.normal) / self.square;
        let along_v = u.cross(from).dot(self.normal) / self.square;
        let is_inside = along_u >= 0.0 && along_v >= 0.0 && along_u + along_v <= 1.0;
        is_inside.then(|| self.corner + u * along_u + v * along_v)
    }
}

/// The closest points of two segments. Lines at a small angle are met by cross products, as
/// [`closest`](super::closest) explains.
fn between(first: [DVec3; 2], second: [DVec3; 2]) -> [DVec3; 2] {
    let (d, e, step) = (first[1] - first[0], second[1] - second[0], second[0] - first[0]);
    let n = d.cross(e);
    let fraction = step.cross(e).dot(n) / n.length_squared();
    // Parallel lines give NaN, and begin anywhere.
    let fraction = if fraction > 0.0 { fraction.min(1.0) } else { 0.0 };
    let q = along(second, closest_on_segment(along(first, fraction), second));
    let p = along(first, closest_on_segment(q, first));
    [p, along(second, closest_on_segment(p, second))]
}

#[cfg(test)]
mod tests;
