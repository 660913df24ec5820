//! The convex hull of points, exactly convex.
//!
//! Quickhull (Barber, Dobkin and Huhdanpaa, *The quickhull algorithm for convex hulls*, 1996):
//! start with a tetrahedron; every point outside waits at one face that it sees; take a face where
//! points wait, and the farthest of them; remove all faces that this point sees, close the hole by
//! a fan from the point to its rim, and hand the points that waited at the removed faces to the new
//! ones.
//!
//! ```text
//!            p                     p
//!                               .·/ \·.
//!      ____           →        / /   \ \        the seen faces go, the rim stays
//!     /    \                  /_/     \_\
//!    /      \                 /         \
//! ```
//!
//! The paper works in rounded arithmetic and merges faces that come out concave. Here every
//! sign is exact, so nothing needs to be merged: *sees* means strictly above the face. Why that is
//! enough even when points are coplanar: pull p a little towards the inside and it sees the same
//! faces, now from a general position; so they form one patch with a simple rim. Where p lies in
//! the plane of a face beyond its edge, the face stays, and the new triangle continues it in the
//! same plane. And a point q that saw a removed face and is still outside sees a new one: on its
//! way across the rim it sees both neighbours of some edge, and the new face there is a supporting
//! plane between the two. So no point is ever lost, and only "farthest" is a guess, which costs
//! time but never truth.
//!
//! About n log n steps for ordinary points, as the paper has it; no proof bounds the worst case
//! below n².
//!
//! Invariants of the answer: the surface is closed, every edge joins two triangles, no triangle is
//! degenerate, and no input point is above any of them. Several triangles may share one plane, and
//! then a corner may lie within a side of the hull; the corners of a polygon are strict.

mod grow;

use glam::DVec3;

use crate::internal::exact::{Sign, side_near, turn_near};
use crate::internal::math::moments::unit_scale;
use crate::internal::math::sort::many_by;

/// A convex hull, by its true dimension.
#[derive(Clone, Debug, PartialEq)]
pub enum Hull {
    /// All points are one.
    Point(DVec3),
    /// All points lie in one line; these are the ends.
    Segment([DVec3; 2]),
    /// All points lie in one plane; the corners in order, at least three, no three in a line.
    Polygon(Vec<DVec3>),
    /// The surface, as triangles whose corners are counter-clockwise when seen from outside.
    Solid(Vec<[DVec3; 3]>),
}

impl Hull {
    fn map(self, to: impl Fn(DVec3) -> DVec3) -> Self {
        match self {
            Self::Point(point) => Self::Point(to(point)),
            Self::Segment(ends) => Self::Segment(ends.map(to)),
            Self::Polygon(corners) => Self::Polygon(corners.into_iter().map(to).collect()),
            Self::Solid(triangles) => {
                Self::Solid(triangles.into_iter().map(|triangle| triangle.map(&to)).collect())
            }
        }
    }

    /// The corners, each once: all of them are input points.
    pub fn corners(&self) -> Vec<DVec3> {
        match self {
            Self::Point(point) => vec![*point],
            Self::Segment(ends) => ends.to_vec(),
            Self::Polygon(corners) => corners.clone(),
            Self::Solid(triangles) => {
                let mut corners = triangles.concat();
                corners.sort_by(compare);
                corners.dedup();
                corners
            }
        }
    }
}

/// The convex hull of one or more finite points, which may be anything else: equal, collinear,
/// coplanar, 1e300 beside 1e-300.
///
/// ```
/// use elbowroom::internal::geom::hull::{Hull, hull};
/// use glam::DVec3;
///
/// let square = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::X + DVec3::Y, DVec3::X / 2.0];
/// assert!(matches!(hull(&square), Hull::Polygon(corners) if corners.len() == 4));
/// ```
///
/// # Panics
/// If there are no points.
pub fn hull(points: &[DVec3]) -> Hull {
    assert!(!points.is_empty(), "no points have no hull");
    debug_assert!(points.iter().all(|p| p.is_finite()), "a point is not finite");
    // Triangles name each corner some six times, and equal points end in the slowest, exact stage.
    let mut distinct = points.to_vec();
    distinct.sort_by(compare);
    distinct.dedup();
    // A power of two changes no sign, but at 1e-300 every sign would have to come from that stage.
    let scale = unit_scale(distinct.iter().fold(0.0, |size, p| p.abs().max_element().max(size)));
    let scaled: Vec<DVec3> = distinct.iter().map(|&p| p * scale).collect();
    if scaled.iter().zip(&distinct).all(|(&scaled, &p)| scaled / scale == p) {
        hull_of_distinct(&scaled).map(|p| p / scale)
    } else {
        hull_of_distinct(&distinct)
    }
}

fn hull_of_distinct(points: &[DVec3]) -> Hull {
    let rough = Rough::new(points);
    let [a, b] = rough.ends;
    if points[a] == points[b] {
        return Hull::Point(points[a]);
    }
    let Some((c, axis)) = off_the_line(points, &rough) else {
        return Hull::Segment([points[a], points[b]]);
    };
    let plane = [points[a], points[b], points[c]];
    match off_the_plane(points, &rough, [a, b, c]) {
        None => Hull::Polygon(polygon(points, axis)),
        Some(d) if side_near([plane[0], plane[1], plane[2], points[d]]) == Sign::Positive => {
            Hull::Solid(grow::solid(points, &rough.points, [b, a, c, d]))
        }
        Some(d) => Hull::Solid(grow::solid(points, &rough.points, [a, b, c, d])),
    }
}

/// Points brought to about unit size, for guesses that do not overflow.
struct Rough {
    points: Vec<DVec3>,
    /// Two points that differ if any do, and are the ends if all are collinear.
    ends: [usize; 2],
}

impl Rough {
    fn new(points: &[DVec3]) -> Self {
        let low = points.iter().fold(points[0], |low, &p| low.min(p));
        let high = points.iter().fold(points[0], |high, &p| high.max(p));
        // Half of each, or the extent of the largest numbers would overflow.
        let extent = 0.5 * high - 0.5 * low;
        let longest =
            (0..3).fold(0, |best, axis| if extent[axis] > extent[best] { axis } else { best });
        let along = |&i: &usize, &j: &usize| points[i][longest].total_cmp(&points[j][longest]);
        let first = (0..points.len()).min_by(along).unwrap_or(0);
        let last = (0..points.len()).max_by(along).unwrap_or(0);
        let scale = unit_scale(low.abs().max(high.abs()).max_element());
        let mut ends = [first, last];
        if points[first][longest] == points[last][longest] {
            // Either all points are one, or halving lost what sets them apart.
            ends = lexical_ends(points);
        }
        Self { points: points.iter().map(|&p| p * scale).collect(), ends }
    }
}

fn lexical_ends(points: &[DVec3]) -> [usize; 2] {
    let order = |&i: &usize, &j: &usize| compare(&points[i], &points[j]);
    let first = (0..points.len()).min_by(order).unwrap_or(0);
    let last = (0..points.len()).max_by(order).unwrap_or(0);
    [first, last]
}

/// Lexical order of finite points, in which the two zeros are one number.
fn compare(p: &DVec3, q: &DVec3) -> std::cmp::Ordering {
    let axis = (0..2).find(|&axis| p[axis] != q[axis]).unwrap_or(2);
    p[axis].partial_cmp(&q[axis]).unwrap_or(std::cmp::Ordering::Equal)
}

/// A point that is not in line with the two ends, and an axis along which the three can be told
/// apart.
fn off_the_line(points: &[DVec3], rough: &Rough) -> Option<(usize, usize)> {
    let [a, b] = rough.ends;
    let axis_of = |&c: &usize| {
        (0..3)
            .find(|&axis| turn_near(axis, [points[a], points[b], points[c]]) != Sign::Zero)
            .map(|axis| (c, axis))
    };
    let [p, q] = [rough.points[a], rough.points[b]];
    let guess = largest(rough, |r| (q - p).cross(r - p).length_squared());
    axis_of(&guess).or_else(|| (0..points.len()).find_map(|c| axis_of(&c)))
}

/// A point that is not in the plane of three.
fn off_the_plane(points: &[DVec3], rough: &Rough, [a, b, c]: [usize; 3]) -> Option<usize> {
    let is_off = |&d: &usize| side_near([points[a], points[b], points[c], points[d]]) != Sign::Zero;
    let [p, q, r] = [a, b, c].map(|i| rough.points[i]);
    let normal = (q - p).cross(r - p);
    let guess = largest(rough, |s| normal.dot(s - p).abs());
    if is_off(&guess) { Some(guess) } else { (0..points.len()).find(is_off) }
}

fn largest(rough: &Rough, size: impl Fn(DVec3) -> f64) -> usize {
    let mut best = (0, f64::NEG_INFINITY);
    for (i, &point) in rough.points.iter().enumerate() {
        let size = size(point);
        if size > best.1 {
            best = (i, size);
        }
    }
    best.0
}

/// The corners of points in one plane that does not collapse along the axis: the lower chain, then
/// the upper one (Andrew, *Another efficient algorithm for convex hulls in two dimensions*, 1979).
fn polygon(points: &[DVec3], axis: usize) -> Vec<DVec3> {
    let mut sorted = points.to_vec();
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    let key = |p: &DVec3| (p[i] + 0.0, p[j] + 0.0);
    many_by(&mut sorted, |p, q| {
        let (p, q) = (key(p), key(q));
        p.0.total_cmp(&q.0).then(p.1.total_cmp(&q.1))
    });
    // What looks equal along the axis is equal.
    sorted.dedup_by(|p, q| key(p) == key(q));
    let mut corners = chain(axis, sorted.iter().copied());
    corners.pop();
    corners.extend(chain(axis, sorted.iter().rev().copied()));
    corners.pop();
    corners
}

fn chain(axis: usize, points: impl Iterator<Item = DVec3>) -> Vec<DVec3> {
    let mut chain: Vec<DVec3> = Vec::new();
    for point in points {
        while let [.., p, q] = chain[..]
            && turn_near(axis, [p, q, point]) != Sign::Positive
        {
            chain.pop();
        }
        chain.push(point);
    }
    chain
}

#[cfg(test)]
mod tests;
