//! Closest points of segments and triangles, in plain f64.
//!
//! Whether two triangles meet is decided exactly elsewhere; where they do is a matter of rounding,
//! and here it is kept to a few roundings of the size of the two. The least distance between two
//! triangles lies between a corner and the other triangle, between two edges, or is zero where an
//! edge goes through a face; each of these is a *pair* of points, one on each triangle, and all
//! that anybody needs is in the list of them.
//!
//! Where two edges come closest is found from cross products, r×d against d×e, not from the usual
//! ac − b²: for two lines at a small angle θ the latter is θ² and drowns in rounding, while here an
//! error of u/θ along the lines is one of u between them.
//!
//! Everything expects coordinates of ordinary size: see [`Unit`].

use glam::DVec3;

use crate::internal::math::moments::unit_scale;
use crate::internal::math::pose::Pose;

/// Points this close, as a part of the size of a [`Unit`], count as common.
pub const COMMON: f64 = 1e-12;

/// A sine below which two directions count as parallel: some hundreds of roundings.
const PARALLEL: f64 = 1e-13;

/// A frame, moved and scaled by powers of two, in which some points are within 2 of the origin and
/// not all near it. Nothing overflows or vanishes there, whatever the points were.
#[derive(Clone, Copy, Debug)]
pub struct Unit {
    size: f64,
    origin: DVec3,
    extent: f64,
}

impl Unit {
    /// Around at least one point, all finite. The same for any order of the points.
    pub fn around(points: impl Iterator<Item = DVec3> + Clone) -> Self {
        let largest = points.clone().fold(0.0, |most: f64, p| most.max(p.abs().max_element()));
        let size = unit_scale(largest);
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for p in points {
            (low, high) = (low.min(p * size), high.max(p * size));
        }
        let origin = 0.5 * low + 0.5 * high;
        Self { size, origin, extent: unit_scale((high - low).max_element()) }
    }

    /// A point in this frame.
    pub fn enter(&self, point: DVec3) -> DVec3 {
        (point * self.size - self.origin) * self.extent
    }

    /// A point of this frame where it was; kept finite.
    pub(crate) fn leave(&self, point: DVec3) -> DVec3 {
        let point = (point / self.extent + self.origin) / self.size;
        point.clamp(DVec3::splat(f64::MIN), DVec3::splat(f64::MAX))
    }

    /// A length in this frame.
    pub(crate) fn enter_length(&self, length: f64) -> f64 {
        length * self.size * self.extent
    }

    /// A length of this frame as it was; kept finite.
    pub fn leave_length(&self, length: f64) -> f64 {
        (length / self.extent / self.size).min(f64::MAX)
    }
}

/// Placed triangles, rounded; all in miniature, by the factor that is returned, if one of them
/// would be beyond f64.
pub fn placed<const N: usize>(triangles: [(&Pose, [DVec3; 3]); N]) -> ([[DVec3; 3]; N], f64) {
    const SMALL: f64 = 1.0 / 16.0;
    let world = triangles.map(|(pose, t)| t.map(|p| pose.apply(p)));
    if world.iter().flatten().all(|p| p.is_finite()) {
        return (world, 1.0);
    }
    let small = triangles
        .map(|(pose, t)| t.map(|p| pose.rotation() * (p * SMALL) + pose.translation() * SMALL));
    (small, SMALL)
}

/// Whether a point comes before another in an order that has nothing to do with how they are
/// numbered.
pub(crate) fn precedes(p: DVec3, q: DVec3) -> bool {
    if p.x != q.x {
        p.x < q.x
    } else if p.y != q.y {
        p.y < q.y
    } else {
        p.z < q.z
    }
}

/// The corners in an order of their own, without negative zeros.
fn ordered([p, q, r]: [DVec3; 3]) -> [DVec3; 3] {
    let (p, q, r) = (p + DVec3::ZERO, q + DVec3::ZERO, r + DVec3::ZERO);
    let (p, q) = if precedes(q, p) { (q, p) } else { (p, q) };
    let (q, r) = if precedes(r, q) { (r, q) } else { (q, r) };
    let (p, q) = if precedes(q, p) { (q, p) } else { (p, q) };
    [p, q, r]
}

/// Two triangles in an order of their own, their corners too; and whether they have changed places.
pub(crate) fn in_order([a, b]: [[DVec3; 3]; 2]) -> ([[DVec3; 3]; 2], bool) {
    let (a, b) = (ordered(a), ordered(b));
    let unlike = (0..3).find(|&i| a[i] != b[i]);
    let is_swapped = unlike.is_some_and(|i| precedes(b[i], a[i]));
    (if is_swapped { [b, a] } else { [a, b] }, is_swapped)
}

/// The direction of a vector, unless it has none.
pub fn direction(v: DVec3) -> Option<DVec3> {
    (v * unit_scale(v.abs().max_element())).try_normalize()
}

/// The direction across two directions, unless they are parallel.
pub fn across(a: DVec3, b: DVec3) -> Option<DVec3> {
    let cross = a.cross(b);
    let sine = cross.length();
    (sine > PARALLEL).then(|| cross / sine)
}

/// The three edges as vectors, each from a corner to the next.
pub(crate) fn edges([p, q, r]: [DVec3; 3]) -> [DVec3; 3] {
    [q - p, r - q, p - r]
}

/// The unit normal, counter-clockwise, unless the triangle is degenerate up to rounding. It is
/// taken at the corner opposite to the longest edge, where it is surest.
pub fn normal(triangle: [DVec3; 3]) -> Option<DVec3> {
    let e = edges(triangle);
    let longest = (0..3)
        .fold(0, |best, i| if e[i].length_squared() > e[best].length_squared() { i } else { best });
    across(direction(e[(longest + 1) % 3])?, direction(e[(longest + 2) % 3])?)
}

/// The point of a segment at a fraction of its way, and its very ends at 0 and 1.
pub(crate) fn along([p, q]: [DVec3; 2], fraction: f64) -> DVec3 {
    if fraction == 1.0 { q } else { p + (q - p) * fraction }
}

/// The fraction of a segment's way at which it is closest to a point.
pub(crate) fn closest_on_segment(point: DVec3, [p, q]: [DVec3; 2]) -> f64 {
    let way = q - p;
    let fraction = (point - p).dot(way) / way.length_squared();
    // A segment without length gives NaN.
    if fraction > 0.0 { fraction.min(1.0) } else { 0.0 }
}

/// The point of a triangle that is closest to a point.
pub(crate) fn closest_on_triangle(point: DVec3, triangle: [DVec3; 3]) -> DVec3 {
    let e = edges(triangle);
    if let Some(n) = normal(triangle)
        && (0..3).all(|i| n.cross(e[i]).dot(point - triangle[i]) >= 0.0)
    {
        return point - n * n.dot(point - triangle[0]);
    }
    let mut best = (f64::INFINITY, triangle[0]);
    for i in 0..3 {
        let edge = [triangle[i], triangle[(i + 1) % 3]];
        let candidate = along(edge, closest_on_segment(point, edge));
        let distance = candidate.distance_squared(point);
        if distance < best.0 {
            best = (distance, candidate);
        }
    }
    best.1
}

/// The fractions at which the lines of two segments come closest, if that is inside both.
pub(crate) fn crossing([p, q]: [DVec3; 2], [r, s]: [DVec3; 2]) -> Option<[f64; 2]> {
    let (d, e, between) = (q - p, s - r, r - p);
    let n = d.cross(e);
    let square = n.length_squared();
    let at = [between.cross(e).dot(n) / square, between.cross(d).dot(n) / square];
    // Parallel lines give NaN; their closest points are among the ends.
    at.iter().all(|x| (0.0..=1.0).contains(x)).then_some(at)
}

/// The fraction at which a segment goes through the plane of a triangle.
pub(crate) fn pierce([p, q]: [DVec3; 2], triangle: [DVec3; 3]) -> Option<f64> {
    let n = normal(triangle)?;
    let (above, below) = (n.dot(p - triangle[0]), n.dot(q - triangle[0]));
    (above * below < 0.0).then(|| above / (above - below))
}

/// Calls `found` with every pair of points, of the first and of the second triangle, between which
/// the least distance may be; at most 21.
pub(crate) fn pairs(a: [DVec3; 3], b: [DVec3; 3], mut found: impl FnMut(DVec3, DVec3)) {
    let side = |t: [DVec3; 3], i: usize| [t[i], t[(i + 1) % 3]];
    for i in 0..3 {
        found(a[i], closest_on_triangle(a[i], b));
        found(closest_on_triangle(b[i], a), b[i]);
        if let Some(fraction) = pierce(side(a, i), b) {
            let point = along(side(a, i), fraction);
            found(point, closest_on_triangle(point, b));
        }
        if let Some(fraction) = pierce(side(b, i), a) {
            let point = along(side(b, i), fraction);
            found(closest_on_triangle(point, a), point);
        }
        for j in 0..3 {
            if let Some([s, t]) = crossing(side(a, i), side(b, j)) {
                found(along(side(a, i), s), along(side(b, j), t));
            }
        }
    }
}

/// The distance of two triangles, to a few roundings of their size.
pub fn distance(a: [DVec3; 3], b: [DVec3; 3]) -> f64 {
    let mut least = f64::INFINITY;
    pairs(a, b, |p, q| least = least.min(p.distance(q)));
    least
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearly_parallel_edges_meet_to_a_rounding() {
        for angle in [1e-3, 1e-6, 1e-9, 1e-12] {
            let a = [DVec3::new(-1.0, 0.3, 0.1), DVec3::new(1.0, 0.3, 0.1)];
            let turn = DVec3::new(0.0, angle, 0.3 * angle);
            let b = [a[0] - turn, a[1] + turn];
            let [s, t] = crossing(a, b).unwrap();
            assert!(along(a, s).distance(along(b, t)) < 1e-15, "{angle}: {s} {t}");
        }
        let a = [DVec3::ZERO, DVec3::X];
        assert_eq!(crossing(a, a), None);
    }

    #[test]
    fn units_hold_what_f64_holds() {
        for scale in [5e-324, 2_f64.powi(-1000), 1.0, 2_f64.powi(1000)] {
            let points = [DVec3::new(1.0, 0.0, 0.0), DVec3::new(3.0, 0.0, 1.0)].map(|p| p * scale);
            let unit = Unit::around(points.iter().copied());
            for p in points {
                let within = unit.enter(p);
                assert!(within.abs().max_element() <= 2.0, "{within}");
                assert_eq!(unit.leave(within), p);
            }
            let length = unit.enter(points[1]).x - unit.enter(points[0]).x;
            assert!((0.5..=4.0).contains(&length), "{length}");
            assert_eq!(unit.leave_length(length), 2.0 * scale);
        }
    }
}
