//! Whether two triangles of one mesh meet other than in what they share, by the definition.
//!
//! The points that two triangles have in common are the convex hull of the points that the basic
//! solutions of the oracle's equations stand for. So they have more in common than the hull of
//! their shared corners (a point, a segment) exactly if one of those points lies off it. The points
//! are kept as integers over a common denominator, and nothing is rounded.

use super::{PlainPose, eliminate, equations, independent_rows};
use crate::placed::place;
use dashu_int::IBig;

type Big = [IBig; 3];

/// Whether two triangles have three different corners in common, or more than the hull of the
/// corners that they share.
///
/// # Panics
///
/// If a number is not finite.
pub fn meet_beyond_shared(a: &[[f64; 3]; 3], b: &[[f64; 3]; 3]) -> bool {
    let here = PlainPose::IDENTITY;
    let sites = [&a[0], &a[1], &a[2], &b[0], &b[1], &b[2]].map(|point| (point, &here));
    let points = place(sites).to_big();
    let mut shared: Vec<&Big> = Vec::new();
    for corner in &points[..3] {
        if points[3..].contains(corner) && !shared.contains(&corner) {
            shared.push(corner);
        }
    }
    shared.len() == 3 || common_points(&points).iter().any(|point| !is_within(point, &shared))
}

/// A point as integers over a positive denominator.
struct Fraction {
    above: Big,
    below: IBig,
}

/// The points that the basic solutions stand for.
fn common_points(points: &[Big; 6]) -> Vec<Fraction> {
    let system = equations(points);
    let Ok(Some(rows)) = independent_rows(&system) else { return Vec::new() };
    let masks = (0_u32..64).filter(|mask| mask.count_ones() as usize == rows.len());
    masks.filter_map(|mask| common_point(points, &system, &rows, mask)).collect()
}

fn common_point(
    points: &[Big; 6],
    system: &[[IBig; 7]; 5],
    rows: &[usize],
    mask: u32,
) -> Option<Fraction> {
    let columns: Vec<usize> = (0..6).filter(|i| mask >> i & 1 == 1).chain([6]).collect();
    let rank = rows.len();
    let mut matrix: Vec<[IBig; 7]> = rows
        .iter()
        .map(|&row| {
            std::array::from_fn(|j| columns.get(j).map_or(IBig::ZERO, |&c| system[row][c].clone()))
        })
        .collect();
    if eliminate(&mut matrix, rank, rank + 1, &mut [0; 5]).ok()? < rank {
        return None;
    }
    let mut sum = Fraction { above: Default::default(), below: IBig::ONE };
    for (k, row) in matrix.iter().enumerate() {
        let (above, below) = (&row[rank] * &row[k], &row[k] * &row[k]);
        if above < IBig::ZERO {
            return None;
        }
        if columns[k] < 3 {
            let point = &points[columns[k]];
            sum.above = std::array::from_fn(|axis| {
                &sum.above[axis] * &below + &above * &point[axis] * &sum.below
            });
            sum.below *= below;
        }
    }
    Some(sum)
}

/// Whether a point is in the hull of at most two others.
fn is_within(point: &Fraction, hull: &[&Big]) -> bool {
    let from = |origin: &Big| -> Big {
        std::array::from_fn(|axis| &point.above[axis] - &origin[axis] * &point.below)
    };
    let zero = IBig::ZERO;
    match hull {
        [p] => from(p).iter().all(|x| *x == zero),
        [p, q] => {
            let way: Big = std::array::from_fn(|axis| &q[axis] - &p[axis]);
            let off = from(p);
            let cross = |i: usize, j: usize| &off[i] * &way[j] - &off[j] * &way[i];
            let along: IBig = (0..3).map(|axis| &off[axis] * &way[axis]).sum();
            let whole: IBig = (0..3).map(|axis| &way[axis] * &way[axis]).sum();
            let in_line = [(0, 1), (1, 2), (2, 0)].iter().all(|&(i, j)| cross(i, j) == zero);
            in_line && along >= zero && along <= whole * &point.below
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const P: [f64; 3] = [0.0; 3];
    const Q: [f64; 3] = [4.0, 0.0, 0.0];
    const R: [f64; 3] = [0.0, 4.0, 0.0];

    #[test]
    fn cases_that_can_be_seen() {
        let beyond = |b: [[f64; 3]; 3]| {
            let a = [P, Q, R];
            assert_eq!(meet_beyond_shared(&a, &b), meet_beyond_shared(&b, &a));
            meet_beyond_shared(&a, &b)
        };
        assert!(beyond([R, P, Q]), "a copy");
        assert!(!beyond([Q, P, [2.0, -1.0, 0.0]]), "flat, on the other side");
        assert!(!beyond([Q, P, [2.0, 1.0, 1e-300]]), "nearly folded");
        assert!(beyond([Q, P, [9.0, 1.0, 0.0]]), "folded");
        assert!(!beyond([P, Q, Q]) && !beyond([P, Q, [1.0, 0.0, 0.0]]), "an edge as a triangle");
        assert!(!beyond([P, [-1.0, 1.0, 0.0], [-1.0, -1.0, 3.0]]), "by one corner");
        assert!(beyond([P, [1.0, 1.0, 1.0], [1.0, 1.0, -1.0]]), "by one corner and through");
        assert!(beyond([P, [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]), "by one corner and along an edge");
        assert!(beyond([[1.0, 1.0, 0.0]; 3]), "a point within");
        assert!(!beyond([[3.0, 3.0, 0.0]; 3]), "a point beside");
    }
}
