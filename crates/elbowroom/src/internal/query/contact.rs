//! Where two triangles meet and which way they would part.
//!
//! The *point* is the middle of what the two have in common: of a segment, as a rule; the centroid
//! of a polygon where both lie in one plane. The *normal* and *depth* are the least translation
//! that parts them, found among the directions that can separate two triangles (Gottschalk,
//! *Separating axis theorem*, 1996): both face normals, nine cross products of edges, and the
//! normals of edges within each face for pairs in one plane.
//!
//! Penetration here is local: it is that of two triangles, as if nothing else were there. Where one
//! solid goes deep into another, the triangles at the rim know nothing of it; the depth of solids
//! is another question.
//!
//! Invariants: nothing is ever NaN or infinite. Both triangles are brought into an order of their
//! own before anything is computed, so swapping them, or their corners, changes no bit but the
//! normal's sign.

use glam::DVec3;

use super::collide::TrianglePair;
pub use crate::internal::exact::closest::{
    COMMON, Unit, across, direction, distance, normal, placed,
};
use crate::internal::exact::closest::{edges, in_order, pairs};
use crate::internal::exact::{PlacedTriangle, Relation, relate};
use crate::internal::math::pose::Pose;
use crate::internal::math::sort::few_by;
use crate::internal::model::Model;

/// Translations that differ by less, as a part of the pair's extent, are equally short.
const TIE: f64 = 1e-14;

/// The contact of two triangles: point, normal and depth.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ContactPoint {
    /// The middle of what the triangles have in common, in the world: within 10⁻¹² of the extent
    /// of both, apart from the rounding of world coordinates.
    pub point: DVec3,
    /// A unit vector from the first towards the second. Moving the second by
    /// [`depth`](Self::depth) along it separates them.
    pub normal: DVec3,
    /// The length of the move of the second after which the two only touch; zero if they already
    /// do. It is of these two triangles alone, not of the solids they may be part of.
    pub depth: f64,
}

/// The contact of two triangles of placed models that meet, as `collide` found them.
///
/// Swapping the models gives the same point and depth and the opposite normal. (Two triangles that
/// are the same point for point have no order: then the normal is the same, too.)
///
/// # Panics
/// If there are no such triangles.
///
/// ```
/// use elbowroom::{Mesh, Pose};
/// use elbowroom::internal::query;
/// use elbowroom::internal::model::Model;
/// use glam::DVec3;
///
/// let floor = Mesh::new(vec![DVec3::ZERO, DVec3::X * 4.0, DVec3::Y * 4.0], vec![[0, 1, 2]])?;
/// let pin = vec![DVec3::new(1.0, 1.0, -0.25), DVec3::new(0.5, 1.0, 1.0), DVec3::new(1.5, 1.0, 1.0)];
/// let (floor, pin) = (Model::new(floor), Model::new(Mesh::new(pin, vec![[0, 1, 2]])?));
/// let here = Pose::IDENTITY;
/// let pairs = query::triangle_pairs(&floor, &here, &pin, &here);
/// let contact = query::contact(&floor, &here, &pin, &here, pairs[0]);
/// assert!(contact.point.abs_diff_eq(DVec3::new(1.0, 1.0, 0.0), 1e-12));
/// assert!(contact.normal.abs_diff_eq(DVec3::Z, 1e-12));
/// assert!((contact.depth - 0.25).abs() < 1e-12);
/// # Ok::<(), elbowroom::MeshError>(())
/// ```
pub fn contact(
    a: &Model,
    pose_a: &Pose,
    b: &Model,
    pose_b: &Pose,
    pair: TrianglePair,
) -> ContactPoint {
    let a = (pose_a, a.mesh().triangle(pair.a as usize));
    let b = (pose_b, b.mesh().triangle(pair.b as usize));
    let ([a, b], scale) = placed([a, b]);
    let contact = between(a, b, pair.relation);
    let limit = DVec3::splat(f64::MAX);
    ContactPoint {
        point: (contact.point / scale).clamp(-limit, limit),
        depth: (contact.depth / scale).min(f64::MAX),
        ..contact
    }
}

/// The contact of two triangles in the world, which may be degenerate. Where they are apart: the
/// middle between their closest points, the direction that keeps them apart best, and no depth.
///
/// ```
/// use elbowroom::internal::query::contact_of_triangles;
/// use glam::DVec3;
///
/// let square_corner = [DVec3::ZERO, DVec3::X * 3.0, DVec3::Y * 3.0];
/// let contact = contact_of_triangles(square_corner, square_corner);
/// assert!(contact.point.abs_diff_eq(DVec3::new(1.0, 1.0, 0.0), 1e-12));
/// assert_eq!((contact.normal.abs(), contact.depth), (DVec3::Z, 0.0));
/// ```
pub fn contact_of_triangles(a: [DVec3; 3], b: [DVec3; 3]) -> ContactPoint {
    let placed = |triangle| PlacedTriangle::new(&Pose::IDENTITY, triangle);
    between(a, b, relate(&placed(a), &placed(b)))
}

/// The point of [`contact_of_triangles`] alone, which takes a fraction of the time.
pub fn point_of_triangles(a: [DVec3; 3], b: [DVec3; 3]) -> DVec3 {
    let ([first, second], unit, _) = entered(a, b);
    unit.leave(common_point(first, second))
}

/// Both triangles in an order of their own, of about unit size; and whether they were swapped.
fn entered(a: [DVec3; 3], b: [DVec3; 3]) -> ([[DVec3; 3]; 2], Unit, bool) {
    let (both, swapped) = in_order([a, b]);
    let unit = Unit::around(both.into_iter().flatten());
    (both.map(|triangle| triangle.map(|p| unit.enter(p))), unit, swapped)
}

fn between(a: [DVec3; 3], b: [DVec3; 3], relation: Relation) -> ContactPoint {
    let ([first, second], unit, swapped) = entered(a, b);
    let (normal, depth) = least_translation(first, second);
    ContactPoint {
        point: unit.leave(common_point(first, second)),
        // Adding zero leaves no negative zeros.
        normal: if swapped { -normal } else { normal } + DVec3::ZERO,
        depth: if relation == Relation::Crossing { unit.leave_length(depth.max(0.0)) } else { 0.0 },
    }
}

/// One way to part two triangles.
#[derive(Clone, Copy)]
struct Way {
    direction: DVec3,
    depth: f64,
    /// How far both triangles reach along the direction.
    reach: f64,
}

impl Way {
    fn along(axis: DVec3, a: [DVec3; 3], b: [DVec3; 3]) -> Self {
        let span = |triangle: [DVec3; 3]| {
            let [p, q, r] = triangle.map(|p| p.dot(axis));
            [p.min(q).min(r), p.max(q).max(r)]
        };
        let ([low_a, high_a], [low_b, high_b]) = (span(a), span(b));
        let reach = (high_a - low_a).min(high_b - low_b);
        let (forth, back) = (high_a - low_b, high_b - low_a);
        if forth <= back {
            Self { direction: axis, depth: forth, reach }
        } else {
            Self { direction: -axis, depth: back, reach }
        }
    }
}

/// The direction and length of the least translation of the second triangle that parts it from the
/// first; negative if they are apart.
///
/// Among equals, the direction along which both reach farthest is the clearest: two triangles side
/// by side in one plane part within the plane. Then the order counts: faces before edges.
fn least_translation(a: [DVec3; 3], b: [DVec3; 3]) -> (DVec3, f64) {
    let axes = Axes::of(a, b);
    let ways = || axes.list[..axes.count].iter().map(|&axis| Way::along(axis, a, b));
    let least = ways().fold(f64::INFINITY, |least, way| least.min(way.depth));
    let mut best: Option<Way> = None;
    for way in ways().filter(|way| way.depth <= least + TIE) {
        if best.is_none_or(|best| way.reach > best.reach + TIE) {
            best = Some(way);
        }
    }
    best.map_or((DVec3::X, 0.0), |way| (way.direction, way.depth))
}

/// The directions that can separate two triangles.
struct Axes {
    /// Two faces, two times three edges in their faces, nine pairs of edges, the direction of
    /// least distance, and two for what lies in one line.
    list: [DVec3; 2 + 6 + 9 + 1 + 2],
    count: usize,
}

impl Axes {
    fn of(a: [DVec3; 3], b: [DVec3; 3]) -> Self {
        let mut axes = Self { list: Default::default(), count: 0 };
        let (edges_a, edges_b) = (edges(a).map(direction), edges(b).map(direction));
        let normals = [normal(a), normal(b)];
        for n in normals {
            axes.push(n);
        }
        for (n, edges) in normals.into_iter().zip([edges_a, edges_b]) {
            for edge in edges {
                axes.push(n.zip(edge).and_then(|(n, edge)| across(edge, n)));
            }
        }
        for edge_a in edges_a.into_iter().flatten() {
            for edge_b in edges_b.into_iter().flatten() {
                axes.push(across(edge_a, edge_b));
            }
        }
        // What is apart parts best along the least distance, if it is more than rounding.
        let (p, q) = closest_points(a, b);
        axes.push(Some(q - p).filter(|way| way.length() > COMMON).and_then(direction));
        if axes.count == 0 {
            // All in one line, or in one point.
            let line = edges_a.into_iter().chain(edges_b).flatten().next();
            axes.push(line);
            axes.push(Some(line.unwrap_or(DVec3::Z).any_orthonormal_vector()));
        }
        axes
    }

    fn push(&mut self, axis: Option<DVec3>) {
        if let Some(axis) = axis {
            self.list[self.count] = axis;
            self.count += 1;
        }
    }
}

fn closest_points(a: [DVec3; 3], b: [DVec3; 3]) -> (DVec3, DVec3) {
    let mut best = (a[0], b[0]);
    pairs(a, b, |p, q| {
        if p.distance_squared(q) < best.0.distance_squared(best.1) {
            best = (p, q);
        }
    });
    best
}

/// The middle of what two triangles have in common, else of their closest points.
fn common_point(a: [DVec3; 3], b: [DVec3; 3]) -> DVec3 {
    let mut points = [DVec3::ZERO; 21];
    let mut count = 0;
    pairs(a, b, |p, q| {
        if p.distance(q) <= COMMON {
            points[count] = 0.5 * (p + q);
            count += 1;
        }
    });
    if count == 0 {
        let (p, q) = closest_points(a, b);
        return 0.5 * (p + q);
    }
    middle(&points[..count])
}

/// The centroid of the hull of points that lie in a plane: of its area, of its length if it is a
/// segment. All that is added up is within the hull, and so is the result.
fn middle(points: &[DVec3]) -> DVec3 {
    let (mut p, mut q) = (points[0], points[0]);
    for (i, &one) in points.iter().enumerate() {
        for &other in &points[i + 1..] {
            if one.distance_squared(other) > p.distance_squared(q) {
                (p, q) = (one, other);
            }
        }
    }
    let segment = 0.5 * (p + q);
    let Some(right) = direction(q - p) else { return segment };
    let off = |r: DVec3| (r - p) - right * right.dot(r - p);
    let widest = points.iter().fold(DVec3::ZERO, |widest, &r| {
        if off(r).length_squared() > widest.length_squared() { off(r) } else { widest }
    });
    if widest.length() <= 16.0 * COMMON {
        return segment;
    }
    let Some(up) = direction(widest) else { return segment };
    let mut flat = [[0.0; 2]; 21];
    for (flat, &r) in flat.iter_mut().zip(points) {
        *flat = [right.dot(r - p), up.dot(r - p)];
    }
    let [x, y] = hull_centroid(&mut flat[..points.len()]);
    p + right * x + up * y
}

/// The centroid of the convex hull of points in a plane, not all in one line; by Andrew's monotone
/// chain (1979).
fn hull_centroid(points: &mut [[f64; 2]]) -> [f64; 2] {
    let turn = |o: [f64; 2], a: [f64; 2], b: [f64; 2]| {
        (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])
    };
    few_by(points, |a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    let mut hull = [[0.0; 2]; 43];
    let mut count = 0;
    let mut floor = 2;
    let backwards = points.iter().rev().skip(1);
    for (place, &point) in points.iter().chain(backwards).enumerate() {
        if place == points.len() {
            floor = count + 1;
        }
        while count >= floor && turn(hull[count - 2], hull[count - 1], point) <= 0.0 {
            count -= 1;
        }
        hull[count] = point;
        count += 1;
    }
    let (mut sum, mut total) = ([0.0; 2], 0.0);
    for side in hull[1..count].windows(2) {
        let area = turn(hull[0], side[0], side[1]).max(0.0);
        total += area;
        for axis in 0..2 {
            sum[axis] += area * (hull[0][axis] + side[0][axis] + side[1][axis]) / 3.0;
        }
    }
    if total > 0.0 { sum.map(|s| s / total) } else { hull[0] }
}
