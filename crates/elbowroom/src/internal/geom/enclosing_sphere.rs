//! The smallest ball around points.
//!
//! The smallest ball is unique and rests on at most four of the points, its *support* (Welzl,
//! *Smallest enclosing disks (balls and ellipsoids)*, 1991). We find the support by pivoting
//! (Gärtner, *Fast and robust smallest enclosing balls*, 1999): take the point farthest from the
//! centre so far, find the smallest ball of the support and this point, and go on until no point is
//! outside. The radius grows each time, so no support comes twice; in practice a dozen rounds over
//! the points are enough, whatever their number. No point is moved and nothing is drawn at random:
//! the same points give the same ball.
//!
//! How we differ: for the five points of one round, Gärtner runs Welzl's recursion and must
//! decide in rounded arithmetic who is inside. We take every subset of up to four, its
//! circumcentre, and the largest distance from there to all five; the subset with the least is the
//! answer, because no centre can do better than the true one. A nearly degenerate subset gives a
//! nonsense centre, which loses by its distance, so there is no tolerance anywhere.
//!
//! The centre is right to rounding. The radius is then made so that the ball *contains* every
//! point, in exact arithmetic: it is the largest distance from the centre as it is, rounded up.

use glam::DVec3;

use crate::internal::math::moments::unit_scale;

/// Centre and radius of the smallest ball around one or more finite points.
///
/// Every point is within it, in exact arithmetic on the numbers returned; the radius is above the
/// least possible by rounding only. It is 0 if all points are one, and infinite only where f64
/// ends.
///
/// ```
/// use elbowroom::internal::geom::enclosing_sphere::smallest_sphere;
/// use glam::DVec3;
///
/// let points = [DVec3::ZERO, 2.0 * DVec3::X, DVec3::X + 0.5 * DVec3::Y];
/// let (center, radius) = smallest_sphere(&points);
/// assert_eq!(center, DVec3::X);
/// assert!((1.0..1.000_000_000_000_01).contains(&radius));
/// ```
///
/// # Panics
/// If there are no points.
pub fn smallest_sphere(points: &[DVec3]) -> (DVec3, f64) {
    assert!(!points.is_empty(), "no points have no smallest ball");
    debug_assert!(points.iter().all(|p| p.is_finite()), "a point is not finite");
    let low = points.iter().fold(points[0], |low, &p| low.min(p));
    let high = points.iter().fold(points[0], |high, &p| high.max(p));
    if low == high {
        return (low, 0.0);
    }
    // Halves, because the extent of the largest numbers overflows.
    let half_origin = 0.25 * low + 0.25 * high;
    let scale = unit_scale((0.5 * high - 0.5 * low).max_element());
    let local = |p: DVec3| (0.5 * p - half_origin) * scale;
    let center = 2.0 * (half_origin + pivot(points, local) / scale);
    (center, radius_around(center, points.iter().copied()))
}

/// The centre, in local coordinates of about unit size.
fn pivot(points: &[DVec3], local: impl Fn(DVec3) -> DVec3) -> DVec3 {
    let farthest = |center: DVec3| {
        let mut best = (0.0, center);
        for &point in points {
            let point = local(point);
            let squared = point.distance_squared(center);
            if squared > best.0 {
                best = (squared, point);
            }
        }
        best
    };
    let (mut reach, mut next) = farthest(DVec3::ZERO);
    let mut best = (reach, DVec3::ZERO);
    let mut ball = Ball { center: DVec3::ZERO, squared_radius: -1.0, support: Support::default() };
    loop {
        let grown = ball.support.with(next).smallest_sphere();
        // Rounding has the last word: what should grow no longer does.
        if grown.squared_radius <= ball.squared_radius {
            return best.1;
        }
        ball = grown;
        (reach, next) = farthest(ball.center);
        if reach < best.0 {
            best = (reach, ball.center);
        }
        if reach <= ball.squared_radius {
            return ball.center;
        }
    }
}

/// Up to five points: those a ball rests on, and one more.
#[derive(Clone, Copy, Default)]
struct Support {
    points: [DVec3; 5],
    len: usize,
}

struct Ball {
    center: DVec3,
    /// The largest squared distance from the centre to the points tested so far.
    squared_radius: f64,
    support: Support,
}

impl Support {
    fn with(mut self, point: DVec3) -> Self {
        self.points[self.len] = point;
        self.len += 1;
        self
    }

    fn all(&self) -> &[DVec3] {
        &self.points[..self.len]
    }

    /// Of all subsets of up to four, the one from whose circumcentre the farthest of all is
    /// nearest; of several, the smallest.
    fn smallest_sphere(&self) -> Ball {
        let mut best = Ball { center: DVec3::NAN, squared_radius: f64::INFINITY, support: *self };
        for size in 1..=4 {
            for subset in (1_u32..1 << self.len).filter(|subset| subset.count_ones() == size) {
                let mut chosen = Self::default();
                for (i, &point) in self.all().iter().enumerate() {
                    if subset >> i & 1 == 1 {
                        chosen = chosen.with(point);
                    }
                }
                let center = circumcenter(chosen.all());
                let reach = |far: f64, p: &DVec3| far.max(p.distance_squared(center));
                let squared_radius = self.all().iter().fold(0.0, reach);
                // The maximum pays no heed to NaN, so a centre that is not finite must be seen
                // here.
                if center.is_finite() && squared_radius < best.squared_radius {
                    best = Ball { center, squared_radius, support: chosen };
                }
            }
        }
        best
    }
}

/// The point of their line, plane or space that is as far from each of one to four points; not
/// finite if they are degenerate.
fn circumcenter(points: &[DVec3]) -> DVec3 {
    match *points {
        [a] => a,
        [a, b] => 0.5 * (a + b),
        [a, b, c] => {
            let (u, v) = (b - a, c - a);
            let normal = u.cross(v);
            let sum = u.length_squared() * v.cross(normal) + v.length_squared() * normal.cross(u);
            a + sum / (2.0 * normal.length_squared())
        }
        [a, b, c, d] => {
            let (u, v, w) = (b - a, c - a, d - a);
            let sum = u.length_squared() * v.cross(w)
                + v.length_squared() * w.cross(u)
                + w.length_squared() * u.cross(v);
            a + sum / (2.0 * u.dot(v.cross(w)))
        }
        _ => DVec3::NAN,
    }
}

/// A radius around a centre within which all points surely are.
///
/// A difference is off by u = 2⁻⁵³ of itself, its square by 3u, the sum of three by 5u, the root of
/// that by 2.5u and its own rounding u: 3.5u, and 8u with what this costs itself. Squares below the
/// range of f64 are at most 2⁻⁹⁰⁰ of the sum, because the largest difference is scaled to at least
/// 1, or 2⁻⁵³ where even the scale ends; undoing the scale may round below the normal numbers,
/// hence the last step up.
pub(super) fn radius_around(center: DVec3, points: impl Iterator<Item = DVec3> + Clone) -> f64 {
    let far = |far: f64, p: DVec3| far.max((p - center).abs().max_element());
    let farthest = points.clone().fold(0.0, far);
    if farthest == 0.0 {
        return 0.0;
    }
    let scale = unit_scale(farthest);
    let far = |far: f64, p: DVec3| far.max(((p - center) * scale).length_squared());
    let squared = points.fold(0.0, far);
    (squared.sqrt() * (1.0 + 4.0 * f64::EPSILON) / scale).next_up()
}

#[cfg(test)]
mod tests {
    use dashu_int::IBig;
    use elbowroom_testkit::random::Random;

    use super::*;

    /// A finite f64 times 2^1074, which is an integer.
    fn integer(value: f64) -> IBig {
        let bits = value.to_bits();
        let biased = (bits >> 52 & 0x7ff) as usize;
        let fraction = bits & ((1 << 52) - 1);
        let magnitude = if biased == 0 {
            IBig::from(fraction)
        } else {
            IBig::from(fraction | 1 << 52) << (biased - 1)
        };
        if value.is_sign_negative() { -magnitude } else { magnitude }
    }

    fn square(value: &IBig) -> IBig {
        value * value
    }

    /// Whether the point is in the closed ball, without rounding.
    fn contains((center, radius): (DVec3, f64), point: DVec3) -> bool {
        let off = |axis: usize| square(&(integer(point[axis]) - integer(center[axis])));
        off(0) + off(1) + off(2) <= square(&integer(radius))
    }

    fn check(points: &[DVec3]) -> (DVec3, f64) {
        let ball = smallest_sphere(points);
        assert!(ball.0.is_finite() && ball.1.is_finite(), "{ball:?}");
        for &point in points {
            assert!(contains(ball, point), "{ball:?} leaves {point} out");
        }
        ball
    }

    /// The least radius, over all supports of up to four points, of a ball that holds all.
    fn by_force(points: &[DVec3]) -> f64 {
        let n = points.len();
        let mut best = f64::INFINITY;
        for subset in (1_u32..1 << n).filter(|subset| subset.count_ones() <= 4) {
            let chosen: Vec<DVec3> =
                (0..n).filter(|i| subset >> i & 1 == 1).map(|i| points[i]).collect();
            let center = circumcenter(&chosen);
            if center.is_finite() {
                best = best.min(points.iter().fold(0.0, |far: f64, p| far.max(p.distance(center))));
            }
        }
        best
    }

    fn random_point(random: &mut Random) -> DVec3 {
        DVec3::from_array(std::array::from_fn(|_| random.uniform(-1.0, 1.0)))
    }

    #[test]
    fn random_points_agree_with_brute_force() {
        let mut random = Random::new(41);
        let mut by_len = [0; 12];
        for round in 0..3000 {
            let len = 1 + random.below(10) as usize;
            let points: Vec<DVec3> = (0..len)
                .map(|_| match round % 4 {
                    0 => random_point(&mut random),
                    1 => DVec3::from_array(std::array::from_fn(|_| random.range(-2, 2) as f64)),
                    2 => random_point(&mut random) * DVec3::new(1.0, 1e-6, 1e-12),
                    _ => random_point(&mut random).normalize(),
                })
                .collect();
            let (_, radius) = check(&points);
            let expected = by_force(&points);
            assert!((radius - expected).abs() <= 4e-15, "{radius} {expected} {points:?}");
            by_len[len] += 1;
        }
        assert!(by_len[1..=10].iter().all(|&met| met > 200), "{by_len:?}");
    }

    #[test]
    fn known_answers() {
        let cube: Vec<DVec3> =
            (0..8).map(|i: u32| [i, i >> 1, i >> 2].map(|bit| f64::from(bit & 1)).into()).collect();
        let (center, radius) = check(&cube);
        assert!(center.distance(DVec3::splat(0.5)) < 1e-15);
        assert!((radius - 0.75_f64.sqrt()).abs() < 1e-15);
        // A regular tetrahedron, and a triangle with one blunt corner.
        let (center, radius) =
            check(&[[1., 1., 1.], [1., -1., -1.], [-1., 1., -1.], [-1., -1., 1.]].map(DVec3::from));
        assert!(center.length() < 1e-15 && (radius - 3_f64.sqrt()).abs() < 2e-15);
        let (center, radius) = check(&[DVec3::ZERO, 4.0 * DVec3::X, DVec3::X + DVec3::Y]);
        assert!(center == 2.0 * DVec3::X && (radius - 2.0).abs() < 4e-15);
        assert_eq!(check(&[DVec3::ONE; 100]), (DVec3::ONE, 0.0));
    }

    #[test]
    fn every_size_that_f64_has() {
        let mut random = Random::new(42);
        let unit: Vec<DVec3> = (0..50).map(|_| random_point(&mut random)).collect();
        let (_, plain) = check(&unit);
        for exponent in [1022, 900, -900, -1000] {
            let scale = 2_f64.powi(exponent);
            let points: Vec<DVec3> = unit.iter().map(|&p| p * scale).collect();
            assert!((check(&points).1 / scale - plain).abs() < 4e-15);
        }
        // Where the mantissa runs out, and far from the origin.
        let least = f64::from_bits(1);
        for (offset, step) in [(0.0, least), (1.0, f64::EPSILON), (1e300, 1e285)] {
            let points: Vec<DVec3> = (0..50)
                .map(|_| {
                    DVec3::splat(offset)
                        + DVec3::from_array(std::array::from_fn(|_| {
                            random.range(-4, 4) as f64 * step
                        }))
                })
                .collect();
            let (_, radius) = check(&points);
            assert!((4.0 * step..12.0 * step).contains(&radius), "{radius} {step}");
        }
        let ends = [DVec3::splat(f64::MAX), DVec3::splat(-f64::MAX)];
        assert_eq!(smallest_sphere(&ends), (DVec3::ZERO, f64::INFINITY));
        assert!(check(&[DVec3::X, DVec3::new(1.0, 1e-200, 0.0)]).1 < 1e-200);
    }

    /// Many points within and on a sphere, the latter a support of thousands but for rounding.
    #[test]
    fn a_million_points() {
        let mut random = Random::new(43);
        let mut points: Vec<DVec3> = (0..1_000_000).map(|_| random_point(&mut random)).collect();
        let (center, radius) = smallest_sphere(&points);
        assert!(points.iter().all(|p| p.distance(center) <= radius));
        assert!(radius < 3_f64.sqrt() && radius > 1.68, "{radius}");
        for p in &mut points {
            *p = p.normalize();
        }
        let (center, radius) = smallest_sphere(&points);
        assert!(center.length() < 1e-14 && (radius - 1.0).abs() < 1e-14, "{center} {radius}");
    }
}
