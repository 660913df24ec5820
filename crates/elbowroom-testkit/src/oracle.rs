//! How two placed triangles relate, decided in rational arithmetic by a method the library does not
//! use.
//!
//! The library looks at signs of volumes. The oracle looks at the definition instead: the closed
//! triangles p and q share a point exactly if
//!
//! ```text
//!     λ0·p0 + λ1·p1 + λ2·p2 = μ0·q0 + μ1·q1 + μ2·q2,    Σλ = 1,  Σμ = 1,  λ, μ ≥ 0
//! ```
//!
//! has a solution: five equations, six unknowns. The solutions form a bounded polytope; its corners
//! are the *basic* solutions, those whose columns are linearly independent (Dantzig, Linear
//! Programming and Extensions, 1963). There are at most twenty candidates, so we try them all, each
//! by fraction-free elimination (Bareiss, Sylvester's identity and multistep integer-preserving
//! Gaussian elimination, 1968).
//!
//! - No corner is feasible: the triangles are apart.
//! - The corners together use all six unknowns: their average has all λ, μ > 0. The points Σλp with
//!   all λ > 0 are the relative interior of the triangle, also where it is only a segment or a
//!   point; so the relative interiors meet. If moreover the six points do not lie in one plane, the
//!   triangles cross.
//! - Anything else that is feasible touches.
//!
//! Nothing here is rounded. Any finite coordinates are right, from the smallest subnormal to the
//! largest number.

mod own;

use crate::placed::{Points, place};
pub use crate::pose::PlainPose;
use crate::ring::{Overflow, Ring};
use serde::{Deserialize, Serialize};

pub use own::meet_beyond_shared;

/// How two closed triangles relate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Relation {
    /// They share no point.
    Apart,
    /// They share a point, but do not cross: relative interiors are disjoint, or everything lies in
    /// one plane.
    Touching,
    /// Their relative interiors share a point and the six corners do not lie in one plane.
    Crossing,
}

/// The exact relation of two closed, perhaps degenerate triangles.
///
/// # Panics
///
/// If a number is not finite.
pub fn relation(a: &[[f64; 3]; 3], pa: &PlainPose, b: &[[f64; 3]; 3], pb: &PlainPose) -> Relation {
    let points =
        place([(&a[0], pa), (&a[1], pa), (&a[2], pa), (&b[0], pb), (&b[1], pb), (&b[2], pb)]);
    decide(&points)
}

/// The corners of what two triangles have in common, by name and in order: bits 0, 1, 2 say which
/// corners of the first triangle a corner is a positive mixture of, bits 3, 4, 5 which of the
/// second. They are the supports of the basic solutions, and for triangles that are not degenerate
/// there is one for each corner.
///
/// # Panics
///
/// If a number is not finite.
pub fn common_corners(
    a: &[[f64; 3]; 3],
    pa: &PlainPose,
    b: &[[f64; 3]; 3],
    pb: &PlainPose,
) -> Vec<u32> {
    let points =
        place([(&a[0], pa), (&a[1], pa), (&a[2], pa), (&b[0], pb), (&b[1], pb), (&b[2], pb)]);
    let system = equations(&points.to_big());
    let mut names = Vec::new();
    if let Ok(Some(rows)) = independent_rows(&system) {
        let masks = (0_u32..64).filter(|mask| mask.count_ones() as usize == rows.len());
        names.extend(masks.filter_map(|mask| corner(&system, &rows, mask).ok().flatten()));
    }
    names.sort_unstable();
    names.dedup();
    names
}

/// The exact sign of `det[b−a, c−a, d−a]` of four placed points a, b, c, d.
///
/// # Panics
///
/// If a number is not finite.
pub fn orient3d(points: [(&[f64; 3], &PlainPose); 4]) -> i32 {
    let points = place(points);
    let small = match &points {
        Points::Small(small) => sign_of_volume(small),
        Points::Big(_) => Err(Overflow),
    };
    small.or_else(|_| sign_of_volume(&points.to_big())).expect("the big ring cannot overflow")
}

fn decide(points: &Points<6>) -> Relation {
    let small = match points {
        Points::Small(small) => relation_in(small),
        Points::Big(_) => Err(Overflow),
    };
    small.or_else(|_| relation_in(&points.to_big())).expect("the big ring cannot overflow")
}

/// The relation of triangle 0, 1, 2 to triangle 3, 4, 5.
fn relation_in<R: Ring>(points: &[[R; 3]; 6]) -> Result<Relation, Overflow> {
    if intervals_disjoint(points) {
        return Ok(Relation::Apart);
    }
    let corners = feasible_corners(points)?;
    if corners.count == 0 {
        return Ok(Relation::Apart);
    }
    let interiors_meet = corners.support == 0b11_1111;
    if interiors_meet && dimension(points)? == 3 {
        Ok(Relation::Crossing)
    } else {
        Ok(Relation::Touching)
    }
}

/// Whether the coordinate intervals of the two triangles are disjoint on some axis.
fn intervals_disjoint<R: Ring>(points: &[[R; 3]; 6]) -> bool {
    let (a, b) = points.split_at(3);
    (0..3).any(|axis| {
        let below =
            |p: &[[R; 3]], q: &[[R; 3]]| p.iter().all(|u| q.iter().all(|v| u[axis] < v[axis]));
        below(a, b) || below(b, a)
    })
}

/// What the basic feasible solutions have in common.
struct Corners {
    count: u32,
    /// Bit i is set if some corner has its unknown i positive.
    support: u32,
}

fn feasible_corners<R: Ring>(points: &[[R; 3]; 6]) -> Result<Corners, Overflow> {
    let system = equations(points);
    let mut corners = Corners { count: 0, support: 0 };
    let Some(rows) = independent_rows(&system)? else {
        return Ok(corners);
    };
    let rank = rows.len();
    for mask in 0_u32..64 {
        if mask.count_ones() as usize != rank {
            continue;
        }
        if let Some(positive) = corner(&system, &rows, mask)? {
            corners.count += 1;
            corners.support |= positive;
        }
        if corners.support == 0b11_1111 {
            break;
        }
    }
    Ok(corners)
}

/// The five equations; the last column is the right-hand side. The sums come first: their entries
/// are 0 and 1, and pivots of 1 keep the numbers small for longest.
fn equations<R: Ring>(points: &[[R; 3]; 6]) -> [[R; 7]; 5] {
    let number = |value| R::from_i128(value);
    std::array::from_fn(|row| {
        std::array::from_fn(|column| match (row, column) {
            (0 | 1, 6) => number(1),
            (_, 6) => number(0),
            (0, _) => number(i128::from(column < 3)),
            (1, _) => number(i128::from(column >= 3)),
            _ if column < 3 => points[column][row - 2].clone(),
            _ => points[column][row - 2].negated(),
        })
    })
}

/// Indices of a maximal set of independent equations; `None` where the equations contradict each
/// other.
fn independent_rows<R: Ring>(system: &[[R; 7]; 5]) -> Result<Option<Vec<usize>>, Overflow> {
    let mut matrix = system.clone();
    let mut order = [0, 1, 2, 3, 4];
    let rank = eliminate(&mut matrix, 6, 7, &mut order)?;
    let contradiction = matrix[rank..].iter().any(|row| row[6].sign() != 0);
    Ok((!contradiction).then(|| order[..rank].to_vec()))
}

/// Solves for the unknowns in `mask` alone. The set of those that are positive, or `None` where the
/// columns are dependent or an unknown comes out negative.
fn corner<R: Ring>(
    system: &[[R; 7]; 5],
    rows: &[usize],
    mask: u32,
) -> Result<Option<u32>, Overflow> {
    let rank = rows.len();
    let mut columns = [0; 6];
    for (slot, column) in (0..6).filter(|i| mask >> i & 1 == 1).enumerate() {
        columns[slot] = column;
    }
    columns[rank] = 6;
    let mut matrix: [[R; 6]; 5] = std::array::from_fn(|i| {
        std::array::from_fn(|j| match rows.get(i) {
            Some(&row) if j <= rank => system[row][columns[j]].clone(),
            _ => R::from_i128(0),
        })
    });
    if eliminate(&mut matrix[..rank], rank, rank + 1, &mut [0; 5])? < rank {
        return Ok(None);
    }
    let mut positive = 0;
    for k in 0..rank {
        match matrix[k][k].sign() * matrix[k][rank].sign() {
            0 => {}
            1 => positive |= 1 << columns[k],
            _ => return Ok(None),
        }
    }
    Ok(Some(positive))
}

/// Dimension of the affine hull of the six points.
fn dimension<R: Ring>(points: &[[R; 3]; 6]) -> Result<usize, Overflow> {
    // The first point is the origin, so the others are already differences.
    let mut matrix: [[R; 3]; 5] = std::array::from_fn(|i| points[i + 1].clone());
    eliminate(&mut matrix, 3, 3, &mut [0; 5])
}

/// Fraction-free Gauss–Jordan elimination of the first `columns` of `width` columns. Returns the
/// rank. Afterwards row k of the first `rank` rows holds the k-th pivot, all other entries of that
/// column are zero, and `order` has been permuted like the rows.
pub(crate) fn eliminate<R: Ring, const W: usize>(
    matrix: &mut [[R; W]],
    columns: usize,
    width: usize,
    order: &mut [usize; 5],
) -> Result<usize, Overflow> {
    let mut rank = 0;
    let mut previous = R::from_i128(1);
    for c in 0..columns {
        let Some(found) = (rank..matrix.len()).find(|&i| matrix[i][c].sign() != 0) else {
            continue;
        };
        matrix.swap(rank, found);
        order.swap(rank, found);
        let pivot_row = matrix[rank].clone();
        let pivot = &pivot_row[c];
        for i in (0..matrix.len()).filter(|&i| i != rank) {
            let factor = matrix[i][c].clone();
            if factor.sign() == 0 && *pivot == previous {
                // The row would be multiplied and divided by the same number.
                continue;
            }
            for (entry, above) in matrix[i].iter_mut().zip(&pivot_row).take(width) {
                // Every entry is a minor of the original matrix, which is why the division leaves
                // no remainder.
                *entry = R::cross(pivot, entry, &factor, above)?.exact_div(&previous);
            }
        }
        previous = pivot.clone();
        rank += 1;
    }
    Ok(rank)
}

fn sign_of_volume<R: Ring>(points: &[[R; 3]; 4]) -> Result<i32, Overflow> {
    // The first point is the origin. Expanding by hand keeps the sign, which row swaps in
    // `eliminate` would not.
    let [_, u, v, w] = points;
    let minor = |i: usize, j: usize| R::cross(&v[i], &w[j], &v[j], &w[i]);
    let (x, y, z) = (minor(1, 2)?, minor(2, 0)?, minor(0, 1)?);
    let xy = R::cross(&u[0], &x, &u[1].negated(), &y)?;
    Ok(R::cross(&xy, &R::from_i128(1), &u[2].negated(), &z)?.sign())
}

#[cfg(test)]
mod tests;
