//! When a vertex meets a face, or an edge an edge, whose corners move in straight lines: in
//! integers, with no rounding at all.
//!
//! Whether they meet at a time is told by the signs of some polynomials in time: coordinates, cross
//! products, a determinant. Between the roots of these nothing changes, and what is closed begins
//! at a root or at time 0. So the signs are computed there, and nowhere else. The library moves a
//! separating direction forward instead.

mod polynomial;

use dashu_int::IBig;
use polynomial::{Polynomial, Root, Time};

use crate::placed::dyadic;

/// A corner at time 0 and at time 1.
pub type Moving = [[f64; 3]; 2];

/// Two times that have the first contact between them, 2^-60 apart at most and each rounded to f64;
/// `None` if there is none from time 0 to time 1.
pub type First = Option<[f64; 2]>;

/// When a vertex and a face, given in this order, first meet.
///
/// # Panics
/// If a number is not finite.
pub fn vertex_face(corners: &[Moving; 4]) -> First {
    let [p, q, r, s] = corners_of(corners);
    let f = [minus(&q, &p), minus(&r, &p), minus(&s, &p)];
    let crosses = [cross(&f[0], &f[1]), cross(&f[1], &f[2]), cross(&f[2], &f[0])];
    let det = dot(&crosses[0], &f[2]);
    let normal = cross(&minus(&f[1], &f[0]), &minus(&f[2], &f[0]));
    let mut all = vec![&det];
    all.extend(crosses.iter().chain(&f).flatten());
    all.extend(&normal);
    first(&all, |sign| {
        if sign(&det) != 0 {
            return false;
        }
        if let Some(axis) = (0..3).find(|&axis| sign(&normal[axis]) != 0) {
            let side = sign(&normal[axis]);
            return crosses.iter().all(|c| sign(&c[axis]) * side >= 0);
        }
        (0..3).any(|i| holds_origin([&f[i], &f[(i + 1) % 3]], &crosses[i], sign))
    })
}

/// When two edges, two corners each, first meet.
///
/// # Panics
/// If a number is not finite.
pub fn edge_edge(corners: &[Moving; 4]) -> First {
    let [a, b, p, q] = corners_of(corners);
    let (d, e, step) = (minus(&b, &a), minus(&q, &p), minus(&p, &a));
    let normal = cross(&d, &e);
    let det = dot(&normal, &step);
    let parts = [cross(&step, &e), cross(&step, &d)];
    let rests = [minus(&normal, &parts[0]), minus(&normal, &parts[1])];
    // Each corner with the other edge.
    let ends = [(&a, &p, &q), (&b, &p, &q), (&p, &a, &b), (&q, &a, &b)]
        .map(|(corner, start, end)| [minus(start, corner), minus(end, corner)]);
    let turns = ends.each_ref().map(|[start, end]| cross(start, end));
    let mut all = vec![&det];
    all.extend(parts.iter().chain(&rests).chain(&turns).chain(ends.iter().flatten()).flatten());
    all.extend(&normal);
    first(&all, |sign| {
        if sign(&det) != 0 {
            return false;
        }
        if let Some(axis) = (0..3).find(|&axis| sign(&normal[axis]) != 0) {
            let side = sign(&normal[axis]);
            return parts.iter().chain(&rests).all(|part| sign(&part[axis]) * side >= 0);
        }
        ends.iter().zip(&turns).any(|([start, end], turn)| holds_origin([start, end], turn, sign))
    })
}

type Vector = [Polynomial; 3];

/// Whether the origin is on a segment, whose cross product is given.
fn holds_origin(
    [start, end]: [&Vector; 2],
    turn: &Vector,
    sign: &dyn Fn(&Polynomial) -> i32,
) -> bool {
    turn.iter().all(|turn| sign(turn) == 0)
        && (0..3).all(|axis| sign(&start[axis]) * sign(&end[axis]) <= 0)
}

/// The first time, among 0 and the roots of some polynomials, at which signs tell that there is
/// contact.
fn first(all: &[&Polynomial], meets: impl Fn(&dyn Fn(&Polynomial) -> i32) -> bool) -> First {
    if meets(&|of| of.sign_at(&Time::ZERO)) {
        return Some([0.0; 2]);
    }
    let mut first: First = None;
    // Where the determinant, which is the first, is not zero all the time, contact can only be at
    // its roots.
    let all = if all[0].is_zero() { all } else { &all[..1] };
    for polynomial in all.iter().filter(|polynomial| !polynomial.is_zero()) {
        for mut root in polynomial.roots() {
            if meets(&|of| Root::sign(&root, of)) {
                root.refine();
                let times = [root.low.rounded(), root.high.rounded()];
                if first.is_none_or(|known| times[0] < known[0]) {
                    first = Some(times);
                }
            }
        }
    }
    first
}

/// The corners as polynomials, all with one power of two.
fn corners_of(corners: &[Moving; 4]) -> [Vector; 4] {
    let lowest = corners.iter().flatten().flatten().map(|&x| dyadic(x).1).min().unwrap_or(0);
    let integer = |x: f64| {
        let (integer, power) = dyadic(x);
        integer << (power - lowest).unsigned_abs() as usize
    };
    corners.map(|[start, end]| {
        std::array::from_fn(|axis| {
            let start: IBig = integer(start[axis]);
            Polynomial::new(vec![start.clone(), integer(end[axis]) - start])
        })
    })
}

fn minus(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|axis| a[axis].plus(&b[axis], -1))
}

fn cross(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|axis| {
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        a[i].times(&b[j]).plus(&a[j].times(&b[i]), -1)
    })
}

fn dot(a: &Vector, b: &Vector) -> Polynomial {
    let products = [0, 1, 2].map(|axis| a[axis].times(&b[axis]));
    products[0].plus(&products[1], 1).plus(&products[2], 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn still(p: [f64; 3]) -> Moving {
        [p, p]
    }

    #[test]
    fn known_times() {
        let face = [still([0.0, 0.0, 0.0]), still([4.0, 0.0, 0.0]), still([0.0, 4.0, 0.0])];
        let meets = |vertex: Moving| vertex_face(&[vertex, face[0], face[1], face[2]]);
        assert_eq!(meets([[1.0, 1.0, 3.0], [1.0, 1.0, -1.0]]), Some([0.75; 2]));
        assert_eq!(meets([[1.0, 1.0, 3.0], [1.0, 1.0, 0.0]]), Some([1.0; 2]));
        assert_eq!(meets([[1.0, 1.0, 3.0], [1.0, 1.0, 0.5]]), None);
        assert_eq!(
            meets([[9.0, 1.0, 0.0], [-9.0, 1.0, 0.0]]).map(|t| t[0] - 1.0 / 3.0 < 1e-15),
            Some(true)
        );
        assert_eq!(meets([[5.0, 5.0, 0.0], [5.0, 5.0, 0.0]]), None);
        assert_eq!(meets(still([2.0, 2.0, 0.0])), Some([0.0; 2]));
        let edges = |a: [f64; 3], b: [f64; 3], fall: f64| {
            let falling = |p: [f64; 3]| [p, [p[0], p[1], p[2] - fall]];
            let x = [still([-1.0, 0.0, 0.0]), still([1.0, 0.0, 0.0])];
            edge_edge(&[x[0], x[1], falling(a), falling(b)])
        };
        assert_eq!(edges([0.0, -1.0, 1.0], [0.0, 1.0, 1.0], 2.0), Some([0.5; 2]));
        assert_eq!(edges([-1.0, 0.0, 1.0], [1.0, 0.0, 1.0], 2.0), Some([0.5; 2]));
        assert_eq!(edges([2.0, 0.0, 1.0], [1.5, 0.0, 1.0], 2.0), None);
        assert_eq!(edges([1.0, 0.0, 1.0], [1.0, 0.0, 1.0], 1.0), Some([1.0; 2]));
        // The middle of an edge rises to another, at 5t/4 = 1.
        let root = edge_edge(&[
            [[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]],
            [[1.0, 0.0, 1.0], [1.0, 0.0, 1.0]],
            [[0.0, -1.0, 0.0], [0.0, -1.0, 2.0]],
            [[0.0, 1.0, 0.0], [0.0, 1.0, 0.5]],
        ]);
        assert_eq!(root.map(|[low, _]| (low - 0.8).abs() < 1e-15), Some(true));
    }
}
