//! Two closed triangles: apart, touching or crossing.
//!
//! When neither lies in the other's plane, both meet the line in which the planes cross, each in an
//! interval, and two more signs say whether the intervals overlap (Guigue and Devillers, *Fast and
//! robust triangle-triangle overlap test using orientation predicates*, 2003). Here the corner that
//! stands alone may itself lie in the other's plane, so that touching at corners and edges takes
//! the same path.
//!
//! ```text
//!            p0                       the line of both planes
//!           /  \                 ---i=====j--------------
//!   -------i----j-------             l=======k
//!         /      \              i ≤ k  and  l ≤ j
//!       p1 ------ p2
//! ```
//!
//! What is left lies in one plane or is degenerate: a triangle of rank 1 is the segment between its
//! extreme corners, one of rank 0 a point. In a plane, two convex sets are apart exactly if an edge
//! of one of them has the other strictly on its outer side (unless both are in one line, where
//! intervals decide). The plane is projected along an axis along which something of it does not
//! collapse, so no coordinate is ever computed: all is signs.

use super::Sign;
use super::Sign::{Negative, Positive, Zero};
use super::chain::{Chain, PlacedTriangle, Stages};
use crate::interrupt::checkpoint;

/// The relation of two closed triangles, which may be degenerate.
///
/// The interior of a triangle is its inside without the edges, that of a segment is the segment
/// without its ends, that of a point is the point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Relation {
    /// The triangles have no point in common.
    Apart,
    /// The triangles have a point in common, but no interior goes through the other: their
    /// interiors do not meet, or both lie in one plane.
    Touching,
    /// The interiors meet, and the triangles do not lie in one plane: one goes through the other.
    Crossing,
}

/// Whether two placed triangles are apart, touch or cross. Exact, and independent of the order of
/// the arguments and of the corners.
///
/// ```
/// use elbowroom::internal::exact::{PlacedTriangle, Relation, relate};
/// use elbowroom::Pose;
/// use glam::DVec3;
///
/// let here = Pose::IDENTITY;
/// let floor = PlacedTriangle::new(&here, [DVec3::ZERO, DVec3::X, DVec3::Y]);
/// let pin = PlacedTriangle::new(
///     &here,
///     [DVec3::new(0.2, 0.2, 0.0), DVec3::new(0.2, 0.2, 1.0), DVec3::new(0.2, 0.3, 1.0)],
/// );
/// assert_eq!(relate(&floor, &pin), Relation::Touching);
/// ```
#[inline]
pub fn relate(first: &PlacedTriangle, second: &PlacedTriangle) -> Relation {
    checkpoint();
    let mut chain = Chain::new(first, second);
    relation(&mut chain)
}

/// The relation, as by [`relate`]; also counts in `stages` how the signs were decided.
pub fn relate_counted(
    first: &PlacedTriangle,
    second: &PlacedTriangle,
    stages: &mut Stages,
) -> Relation {
    let mut chain = Chain::new(first, second);
    let relation = relation(&mut chain);
    *stages += chain.stages;
    relation
}

/// The sign of det [b − a, c − a, d − a] for four of the six corners of two placed triangles: 0, 1,
/// 2 name those of the first, 3, 4, 5 those of the second.
///
/// # Panics
/// If a corner is not below 6.
pub fn orient3d(first: &PlacedTriangle, second: &PlacedTriangle, corners: [usize; 4]) -> Sign {
    Chain::new(first, second).orient3(corners)
}

const P: [usize; 3] = [0, 1, 2];
const Q: [usize; 3] = [3, 4, 5];

#[inline]
fn relation(chain: &mut Chain) -> Relation {
    let p_to_q = chain.sides(Q, P);
    if all_on_one_side(p_to_q) {
        return Relation::Apart;
    }
    let q_to_p = chain.sides(P, Q);
    if all_on_one_side(q_to_p) {
        return Relation::Apart;
    }
    // A sign that is not zero also shows that the other triangle spans a plane.
    if p_to_q == [Zero; 3] || q_to_p == [Zero; 3] {
        return flat_relation(chain);
    }
    let (p0, flip_q) = lone_corner(p_to_q);
    let (q0, flip_p) = lone_corner(q_to_p);
    let others = |apex: usize, flip: bool| {
        let (next, last) = ((apex + 1) % 3, (apex + 2) % 3);
        if flip { (last, next) } else { (next, last) }
    };
    let (p1, p2) = others(p0, flip_p);
    let (q1, q2) = others(q0, flip_q);
    let [q0, q1, q2] = [q0, q1, q2].map(|corner| Q[corner]);
    let i_to_k = chain.orient3([p0, p1, q0, q1]);
    if i_to_k == Positive {
        return Relation::Apart;
    }
    let l_to_j = chain.orient3([p0, p2, q0, q2]);
    if l_to_j == Negative {
        return Relation::Apart;
    }
    let open = i_to_k != Zero && l_to_j != Zero && straddles(p_to_q) && straddles(q_to_p);
    if open { Relation::Crossing } else { Relation::Touching }
}

#[inline]
fn all_on_one_side(signs: [Sign; 3]) -> bool {
    signs == [Positive; 3] || signs == [Negative; 3]
}

#[inline]
fn straddles(signs: [Sign; 3]) -> bool {
    signs.contains(&Positive) && signs.contains(&Negative)
}

/// The corner from which both edges reach the other's plane, and whether the other triangle must be
/// turned over so that this corner is not below it. The signs are neither all zero nor all of one
/// side.
#[inline]
fn lone_corner(signs: [Sign; 3]) -> (usize, bool) {
    let count = |sign| signs.iter().filter(|&&s| s == sign).count();
    let first = |sign| signs.iter().position(|&s| s == sign).expect("one of the signs");
    match (count(Positive), count(Negative)) {
        (1, _) => (first(Positive), false),
        (_, 1) => (first(Negative), true),
        (2, _) => (first(Zero), true),
        _ => (first(Zero), false),
    }
}

/// What a triangle really is, by exact rank.
#[derive(Clone, Copy)]
enum Shape {
    /// The corners do not collapse when seen along the axis.
    Triangle {
        axis: usize,
        corners: [usize; 3],
    },
    /// The end corners, in order along the axis.
    Segment {
        axis: usize,
        ends: [usize; 2],
    },
    Point(usize),
}

impl Shape {
    fn corners(&self) -> &[usize] {
        match self {
            Self::Triangle { corners, .. } => corners,
            Self::Segment { ends, .. } => ends,
            Self::Point(corner) => std::slice::from_ref(corner),
        }
    }
}

/// An axis along which a triangle with area shows some of it.
pub(super) fn shown_along(chain: &mut Chain, corners: [usize; 3]) -> usize {
    (0..3).find(|&axis| chain.orient2(axis, corners) != Zero).unwrap_or(0)
}

fn shape_of(chain: &mut Chain, corners: [usize; 3]) -> Shape {
    for axis in 0..3 {
        if chain.orient2(axis, corners) != Zero {
            return Shape::Triangle { axis, corners };
        }
    }
    for axis in 0..3 {
        let mut ends = [corners[0]; 2];
        for corner in [corners[1], corners[2]] {
            if chain.compare(axis, [corner, ends[0]]) == Negative {
                ends[0] = corner;
            }
            if chain.compare(axis, [corner, ends[1]]) == Positive {
                ends[1] = corner;
            }
        }
        if ends[0] != ends[1] {
            return Shape::Segment { axis, ends };
        }
    }
    Shape::Point(corners[0])
}

/// The relation when both lie in one plane or one of them is degenerate.
#[cold]
fn flat_relation(chain: &mut Chain) -> Relation {
    let first = shape_of(chain, P);
    let second = shape_of(chain, Q);
    let meet = match (first, second) {
        (Shape::Triangle { corners, axis }, Shape::Segment { ends, .. })
        | (Shape::Segment { ends, .. }, Shape::Triangle { corners, axis }) => {
            return triangle_segment(chain, corners, |_, _| axis, ends);
        }
        (Shape::Triangle { corners, axis }, other) | (other, Shape::Triangle { corners, axis }) => {
            // Two triangles come here only when they are in one plane; a point may be off it.
            let [a, b, c] = corners;
            chain.orient3([a, b, c, other.corners()[0]]) == Zero
                && meet_in_plane(chain, axis, &corners, other.corners())
        }
        (Shape::Segment { ends, .. }, Shape::Segment { ends: others, .. }) => {
            segments_meet(chain, ends, others, first, second)
        }
        _ => all_in_one_line(chain, first, second) && meet_in_line(chain, first, second),
    };
    if meet { Relation::Touching } else { Relation::Apart }
}

/// The axis along which to look is asked for if both lie in one plane.
pub(super) fn triangle_segment(
    chain: &mut Chain,
    [a, b, c]: [usize; 3],
    axis: impl FnOnce(&mut Chain, [usize; 3]) -> usize,
    [p, q]: [usize; 2],
) -> Relation {
    let sides = [p, q].map(|end| chain.orient3([a, b, c, end]));
    if sides == [Zero; 2] {
        let axis = axis(chain, [a, b, c]);
        let meet = meet_in_plane(chain, axis, &[a, b, c], &[p, q]);
        return if meet { Relation::Touching } else { Relation::Apart };
    }
    if sides[0] == sides[1] {
        return Relation::Apart;
    }
    // The segment's line passes the edges on these sides; all alike means through the triangle.
    let turns = [[a, b], [b, c], [c, a]].map(|[u, v]| chain.orient3([p, q, u, v]));
    if straddles(turns) {
        Relation::Apart
    } else if turns.contains(&Zero) || sides.contains(&Zero) {
        Relation::Touching
    } else {
        Relation::Crossing
    }
}

fn segments_meet(
    chain: &mut Chain,
    [a, b]: [usize; 2],
    [c, d]: [usize; 2],
    first: Shape,
    second: Shape,
) -> bool {
    if chain.orient3([a, b, c, d]) != Zero {
        return false;
    }
    for axis in 0..3 {
        let spans = |chain: &mut Chain, corner| chain.orient2(axis, [a, b, corner]) != Zero;
        if spans(chain, c) || spans(chain, d) {
            return meet_in_plane(chain, axis, &[a, b], &[c, d]);
        }
    }
    meet_in_line(chain, first, second)
}

/// Whether two convex sets in one plane meet; the plane must not collapse along the axis, and the
/// two must not lie in one line.
fn meet_in_plane(chain: &mut Chain, axis: usize, first: &[usize], second: &[usize]) -> bool {
    !has_separating_edge(chain, axis, first, second)
        && !has_separating_edge(chain, axis, second, first)
}

/// Whether some edge of `own` has all of `other` strictly on one side and nothing of `own` there.
fn has_separating_edge(chain: &mut Chain, axis: usize, own: &[usize], other: &[usize]) -> bool {
    (0..own.len()).any(|i| {
        let (u, v) = (own[i], own[(i + 1) % own.len()]);
        let side = chain.orient2(axis, [u, v, other[0]]);
        side != Zero
            && other[1..].iter().all(|&corner| chain.orient2(axis, [u, v, corner]) == side)
            && own.iter().all(|&corner| {
                corner == u || corner == v || chain.orient2(axis, [u, v, corner]) != side
            })
    })
}

/// Whether a segment or point and another point or segment are collinear, seen along all axes.
fn all_in_one_line(chain: &mut Chain, first: Shape, second: Shape) -> bool {
    let ((Shape::Segment { ends, .. }, Shape::Point(point))
    | (Shape::Point(point), Shape::Segment { ends, .. })) = (first, second)
    else {
        return true;
    };
    (0..3).all(|axis| chain.orient2(axis, [ends[0], ends[1], point]) == Zero)
}

/// Whether two sets in one line meet: as intervals along an axis along which the line runs, and for
/// two points on every axis.
fn meet_in_line(chain: &mut Chain, first: Shape, second: Shape) -> bool {
    let ((Shape::Segment { axis, ends: [low, high] }, other)
    | (other, Shape::Segment { axis, ends: [low, high] })) = (first, second)
    else {
        let (p, q) = (first.corners()[0], second.corners()[0]);
        return (0..3).all(|axis| chain.compare(axis, [p, q]) == Zero);
    };
    let [mut lower, mut upper] =
        [other.corners()[0], *other.corners().last().expect("a shape has corners")];
    if chain.compare(axis, [lower, upper]) == Positive {
        (lower, upper) = (upper, lower);
    }
    chain.compare(axis, [lower, high]) != Positive && chain.compare(axis, [upper, low]) != Negative
}
