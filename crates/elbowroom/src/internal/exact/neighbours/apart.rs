//! Neighbours that are certainly apart beyond what they share, in f64.
//!
//! Edges come as differences from the shared corner, each coordinate rounded once, so that it is
//! off by u = 2⁻⁵³ of itself. A product of three such numbers is off by 3u, and six of them, summed
//! up as a determinant, by 8u more of the sum of their magnitudes, which is at most 6·|a|·|b|·|c|
//! in the largest coordinates: 66u of that product, and [`DETERMINANT`] is more. A product of two
//! is off by 3u of itself, as in [`turn`](super::super::turn).
//!
//! Three ways, each of which shows by itself that two cones from one corner have no ray in common:
//!
//! 1. *In space*: of the four signs that must not differ, two do.
//! 2. *Seen along an axis*, when both are nearly in one plane: the line of an edge has the other
//!    edge of its own cone on one side and both edges of the other cone strictly on the other. A
//!    ray of the other cone is then strictly on that side, too, and no ray of the first.
//! 3. *By a plane between them*: a vector with which the edges of one cone make acute angles, those
//!    of the other obtuse ones. It is the difference of their middles, and any will do: its
//!    products are what is certain.

use glam::DVec3;

use crate::internal::exact::chain::{LARGEST, SMALLEST, U};

/// Above 66u.
const DETERMINANT: f64 = 96.0 * U;

/// Above what two products, and a sum of three, of numbers that are off by u can be off, of the sum
/// of their magnitudes: 3u and 6u.
const PRODUCTS: f64 = 8.0 * U;

/// Whether two triangles have certainly nothing in common: by their boxes, or because the line of
/// an edge of one is between them, seen along an axis. For pairs of which f32 was not sure: near
/// each other, most in one plane.
pub(super) fn by_nothing(first: [DVec3; 3], second: [DVec3; 3]) -> bool {
    let low = |[p, q, r]: [DVec3; 3]| p.min(q).min(r);
    let high = |[p, q, r]: [DVec3; 3]| p.max(q).max(r);
    if high(first).cmplt(low(second)).any() || high(second).cmplt(low(first)).any() {
        return true;
    }
    let axis = widest((first[1] - first[0]).cross(first[2] - first[0]));
    let has_edge_between = |own: [DVec3; 3], other: [DVec3; 3]| {
        (0..3).any(|i| {
            let (from, edge) = (own[i], own[(i + 1) % 3] - own[i]);
            let side = turn(axis, edge, own[(i + 2) % 3] - from);
            side != 0 && other.iter().all(|&corner| turn(axis, edge, corner - from) == -side)
        })
    };
    has_edge_between(first, second) || has_edge_between(second, first)
}

/// Whether two triangles that share a corner have certainly no more in common; from the corner to
/// the other two of each. They may be degenerate.
#[inline]
pub(super) fn by_corner([a, b, c, d]: [DVec3; 4]) -> bool {
    let [la, lb, lc, ld] = [a, b, c, d].map(|v| v.abs().max_element());
    if !are_ordinary(&[la, lb, lc, ld]) {
        return false;
    }
    let (n, m) = (a.cross(b), c.cross(d));
    let signs = [
        sign(b.dot(m), DETERMINANT * lb * lc * ld),
        -sign(a.dot(m), DETERMINANT * la * lc * ld),
        -sign(d.dot(n), DETERMINANT * la * lb * ld),
        sign(c.dot(n), DETERMINANT * la * lb * lc),
    ];
    (signs.contains(&1) && signs.contains(&-1))
        || has_line_between(widest(n), [a, b, c, d])
        || has_plane_between([a, b, c, d])
}

/// Whether two triangles that share an edge have certainly no more in common; from one end to the
/// other, and to the third corner of each. They may be degenerate.
#[inline]
pub(super) fn by_edge([e, a, b]: [DVec3; 3]) -> bool {
    let [le, la, lb] = [e, a, b].map(|v| v.abs().max_element());
    if !are_ordinary(&[le, la, lb]) {
        return false;
    }
    let n = e.cross(a);
    if sign(b.dot(n), DETERMINANT * le * la * lb) != 0 {
        return true;
    }
    // Seen along an axis, the third corners are strictly on different sides of the edge.
    let axis = widest(n);
    turn(axis, e, a) * turn(axis, e, b) == -1
}

/// Whether products of three of them are far from the ends of f64's range.
#[inline]
fn are_ordinary(sizes: &[f64]) -> bool {
    sizes.iter().all(|size| (SMALLEST..=LARGEST).contains(size))
}

/// The sign of a number beyond its bound, zero within.
#[inline]
fn sign(value: f64, bound: f64) -> i8 {
    i8::from(value > bound) - i8::from(value < -bound)
}

/// The axis along which a vector is longest.
#[inline]
fn widest(v: DVec3) -> usize {
    let [x, y, z] = v.abs().to_array();
    if x >= y && x >= z {
        0
    } else if y >= z {
        1
    } else {
        2
    }
}

/// Which way one turns from a vector to another, seen along an axis; zero if it is not certain.
#[inline]
fn turn(axis: usize, u: DVec3, v: DVec3) -> i8 {
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    let (left, right) = (u[i] * v[j], u[j] * v[i]);
    let sum = left.abs() + right.abs();
    if sum < SMALLEST { 0 } else { sign(left - right, PRODUCTS * sum) }
}

/// The second way.
fn has_line_between(axis: usize, [a, b, c, d]: [DVec3; 4]) -> bool {
    let (ab, cd) = (turn(axis, a, b), turn(axis, c, d));
    let (ac, ad) = (turn(axis, a, c), turn(axis, a, d));
    let (bc, bd) = (turn(axis, b, c), turn(axis, b, d));
    (ab != 0 && ((ac == -ab && ad == -ab) || (bc == ab && bd == ab)))
        || (cd != 0 && ((ac == cd && bc == cd) || (ad == -cd && bd == -cd)))
}

/// The third way.
fn has_plane_between(edges: [DVec3; 4]) -> bool {
    let [a, b, c, d] = edges.map(DVec3::normalize_or_zero);
    let between = (a + b) - (c + d);
    let side = |v: DVec3| {
        let products = between * v;
        let sum = products.abs().element_sum();
        if sum < SMALLEST { 0 } else { sign(products.element_sum(), PRODUCTS * sum) }
    };
    edges.map(side) == [1, 1, -1, -1]
}
