//! How far two placed triangles are apart, in rational arithmetic, with a proof.
//!
//! The library looks at corners above faces and at pairs of edges. Here it is a quadratic
//! programme: of the points Σλp and Σμq with λ, μ ≥ 0 that add up to 1, find those closest to each
//! other. For every choice of corners that may have weight (seven of each triangle) the normal
//! equations give the closest points of the two flats through them, by fraction-free elimination.
//! Such points are the answer exactly if their weights are not negative and the step w from one to
//! the other leads away from nothing (Karush 1939, Kuhn and Tucker 1951):
//!
//! ```text
//!     w·(p − a) ≥ 0  for the corners p of the first triangle,    w·(q − b) ≤ 0  for those of the second,    w = a − b
//! ```
//!
//! This is checked before anything is returned, so that the result proves itself. Nothing is
//! rounded.

use dashu_int::IBig;

use crate::oracle::{PlainPose, eliminate};
use crate::placed::{dyadic, place_evenly};

/// The exact square of a distance.
#[derive(Clone, Debug)]
pub struct Squared {
    above: IBig,
    below: IBig,
    power: i32,
}

impl Squared {
    /// Whether there is no distance at all.
    pub fn is_zero(&self) -> bool {
        self.above.is_zero()
    }

    /// Whether the distance is at least one number and at most another, both not negative; exactly.
    /// Infinity is above all.
    pub fn is_between(&self, low: f64, high: f64) -> bool {
        self.is_at_most(high) && !(low > 0.0 && self.is_below(low))
    }

    fn is_at_most(&self, bound: f64) -> bool {
        bound == f64::INFINITY || self.minus_square_of(bound) <= IBig::ZERO
    }

    fn is_below(&self, bound: f64) -> bool {
        self.minus_square_of(bound) < IBig::ZERO
    }

    /// The difference of the square and that of a number, times something above zero.
    fn minus_square_of(&self, number: f64) -> IBig {
        let (integer, power) = dyadic(number);
        let square = &integer * &integer * &self.below;
        let shift = 2 * (self.power - power).unsigned_abs() as usize;
        if self.power >= power {
            (&self.above << shift) - square
        } else {
            &self.above - (square << shift)
        }
    }
}

/// The exact squared distance of two closed, perhaps degenerate triangles.
///
/// # Panics
///
/// If a number is not finite.
pub fn squared_distance(
    a: &[[f64; 3]; 3],
    pa: &PlainPose,
    b: &[[f64; 3]; 3],
    pb: &PlainPose,
) -> Squared {
    let (points, power) = place_evenly([
        (&a[0], pa),
        (&a[1], pa),
        (&a[2], pa),
        (&b[0], pb),
        (&b[1], pb),
        (&b[2], pb),
    ]);
    let mut found = (1_u32..8).flat_map(|m| (1_u32..8).map(move |n| m | n << 3));
    let (above, below) = found
        .find_map(|chosen| proved(&points, chosen))
        .expect("some corners carry the closest points");
    Squared { above, below, power }
}

type Point = [IBig; 3];

/// The square, as a fraction, between the flats through the chosen corners, if it is that of the
/// triangles.
fn proved(points: &[Point; 6], chosen: u32) -> Option<(IBig, IBig)> {
    let among = |range: std::ops::Range<usize>| -> Vec<usize> {
        range.filter(|i| chosen >> i & 1 == 1).collect()
    };
    let (first, second) = (among(0..3), among(3..6));
    let (base_a, base_b) = (&points[first[0]], &points[second[0]]);
    let mut ways: Vec<Point> = first[1..].iter().map(|&i| minus(&points[i], base_a)).collect();
    ways.extend(second[1..].iter().map(|&j| minus(base_b, &points[j])));
    let step = minus(base_a, base_b);
    let (parts, whole) = solve(&ways, &step)?;
    let split = first.len() - 1;
    for own in [&parts[..split], &parts[split..]] {
        let rest = own.iter().fold(whole.clone(), |rest, part| rest - part);
        if rest < IBig::ZERO || own.iter().any(|part| *part < IBig::ZERO) {
            return None;
        }
    }
    // The closest points and the step between them, times the whole.
    let at = |base: &Point, range: std::ops::Range<usize>, sign: i32| -> Point {
        std::array::from_fn(|k| {
            range.clone().fold(&base[k] * &whole, |sum, i| sum + &parts[i] * &ways[i][k] * sign)
        })
    };
    let (p, q) = (at(base_a, 0..split, 1), at(base_b, split..ways.len(), -1));
    let way = minus(&p, &q);
    let beyond = |corner: &Point, foot: &Point| -> IBig {
        (0..3).map(|k| &way[k] * (&corner[k] * &whole - &foot[k])).sum()
    };
    let is_least = points[..3].iter().all(|corner| beyond(corner, &p) >= IBig::ZERO)
        && points[3..].iter().all(|corner| beyond(corner, &q) <= IBig::ZERO);
    is_least.then(|| (dot(&way, &way), &whole * &whole))
}

/// Fractions x with one denominator, above zero, such that step + Σ x·way is square to every way;
/// `None` if the ways are dependent.
fn solve(ways: &[Point], step: &Point) -> Option<(Vec<IBig>, IBig)> {
    let count = ways.len();
    let mut rows: Vec<[IBig; 5]> = ways
        .iter()
        .map(|own| {
            std::array::from_fn(|column| match ways.get(column) {
                Some(other) => dot(own, other),
                None if column == count => -dot(own, step),
                None => IBig::ZERO,
            })
        })
        .collect();
    let rank = eliminate(&mut rows, count, count + 1, &mut [0; 5]).ok()?;
    if rank < count {
        return None;
    }
    let Some(whole) = rows.first().map(|row| row[0].clone()) else {
        return Some((Vec::new(), IBig::ONE));
    };
    for (k, row) in rows.iter().enumerate() {
        assert_eq!(row[k], whole, "elimination leaves one pivot");
    }
    let is_negative = whole < IBig::ZERO;
    let upright = |value: IBig| if is_negative { -value } else { value };
    let parts = rows.into_iter().map(|row| upright(row[count].clone())).collect();
    Some((parts, upright(whole)))
}

fn minus(p: &Point, q: &Point) -> Point {
    std::array::from_fn(|k| &p[k] - &q[k])
}

fn dot(p: &Point, q: &Point) -> IBig {
    (0..3).map(|k| &p[k] * &q[k]).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nasty::{Class, generate};
    use crate::oracle::{Relation, relation};
    use crate::random::Random;

    const FLAT: [[f64; 3]; 3] = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];

    #[test]
    fn distances_that_are_plain_to_see() {
        let exactly = |b: [[f64; 3]; 3], distance: f64| {
            let found = squared_distance(&FLAT, &PlainPose::IDENTITY, &b, &PlainPose::IDENTITY);
            assert!(found.is_between(distance, distance), "{b:?} {found:?}");
            assert!(!found.is_between(distance * 1.1 + 1.0, f64::INFINITY));
        };
        // A corner above the face, beside an edge, beside a corner; edge above edge; a corner of
        // the other above this.
        exactly([[1.0, 1.0, 3.0], [1.0, 1.0, 5.0], [2.0, 1.0, 5.0]], 3.0);
        exactly([[2.0, -3.0, 4.0], [2.0, -5.0, 4.0], [2.0, -5.0, 5.0]], 5.0);
        exactly([[-2.0, -3.0, 6.0], [-2.0, -5.0, 6.0], [-3.0, -5.0, 6.0]], 7.0);
        exactly([[2.0, -1.0, 2.0], [2.0, 9.0, 2.0], [2.0, 4.0, 9.0]], 2.0);
        exactly([[-9.0, -9.0, -1.0], [20.0, -9.0, -1.0], [-9.0, 20.0, -1.0]], 1.0);
        exactly([[1.0, 1.0, 0.0]; 3], 0.0);
    }

    #[test]
    fn no_distance_exactly_where_the_other_oracle_sees_contact() {
        let mut random = Random::new(71);
        let mut met = [0; 2];
        for class in Class::ALL {
            for _ in 0..12 {
                let case = generate(class, &mut random);
                let found = squared_distance(&case.a, &case.pose_a, &case.b, &case.pose_b);
                let apart =
                    relation(&case.a, &case.pose_a, &case.b, &case.pose_b) == Relation::Apart;
                assert_eq!(found.is_zero(), !apart, "{case:?}");
                met[usize::from(apart)] += 1;
            }
        }
        assert!(met[0] > 100 && met[1] > 60, "{met:?}");
    }
}
