//! The smallest circle around points.
//!
//! As the smallest [ball](super::enclosing_sphere), by pivoting: the point farthest from the centre
//! so far joins those that the circle rests on, at most three, until none is outside. The new point
//! is on the new circle, so of four points only the circles through it are tried: with one more or
//! two more.

use glam::DVec2;

use super::enclosing_sphere::radius_around;
use crate::internal::math::moments::unit_scale;

/// Centre and radius of the smallest circle around one or more finite points, as
/// [`smallest_sphere`](super::enclosing_sphere::smallest_sphere): every point is within it, in
/// exact arithmetic on the numbers returned.
///
/// ```
/// use elbowroom::internal::geom::circle::smallest_circle;
/// use glam::DVec2;
///
/// let (center, _) = smallest_circle(&[DVec2::ZERO, DVec2::X, DVec2::Y, DVec2::ONE]);
/// assert_eq!(center, DVec2::splat(0.5));
/// ```
///
/// # Panics
/// If there are no points.
pub fn smallest_circle(points: &[DVec2]) -> (DVec2, f64) {
    assert!(!points.is_empty(), "no points have no smallest circle");
    debug_assert!(points.iter().all(|p| p.is_finite()), "a point is not finite");
    let low = points.iter().fold(points[0], |low, &p| low.min(p));
    let high = points.iter().fold(points[0], |high, &p| high.max(p));
    if low == high {
        return (low, 0.0);
    }
    // Halves, because the extent of the largest numbers overflows.
    let half_origin = 0.25 * low + 0.25 * high;
    let scale = unit_scale((0.5 * high - 0.5 * low).max_element());
    let local = |p: DVec2| (0.5 * p - half_origin) * scale;
    let center = 2.0 * (half_origin + pivot(points, local) / scale);
    (center, radius_around(center.extend(0.0), points.iter().map(|p| p.extend(0.0))))
}

/// The centre, in local coordinates of about unit size.
fn pivot(points: &[DVec2], local: impl Fn(DVec2) -> DVec2) -> DVec2 {
    let farthest = |center: DVec2| {
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
    let (reach, next) = farthest(DVec2::ZERO);
    let mut best = (reach, DVec2::ZERO);
    let mut circle = Circle { center: next, squared: 0.0, support: [next; 3], len: 1 };
    loop {
        let (reach, next) = farthest(circle.center);
        if reach < best.0 {
            best = (reach, circle.center);
        }
        if reach <= circle.squared {
            return circle.center;
        }
        let grown = circle.with(next);
        // Rounding has the last word: what should grow no longer does.
        if grown.squared <= circle.squared {
            return best.1;
        }
        circle = grown;
    }
}

#[derive(Clone, Copy)]
struct Circle {
    center: DVec2,
    /// The largest squared distance from the centre to the points tested so far.
    squared: f64,
    /// The points that the circle rests on.
    support: [DVec2; 3],
    len: usize,
}

impl Circle {
    /// The smallest one through a point outside that also holds what this one rests on.
    fn with(&self, point: DVec2) -> Self {
        let held = &self.support[..self.len];
        let mut best = Self { squared: f64::INFINITY, ..*self };
        let mut offer = |center: DVec2, support: [DVec2; 3], len: usize| {
            let reach = |far: f64, p: &DVec2| far.max(p.distance_squared(center));
            let squared = held.iter().fold(point.distance_squared(center), reach);
            // The maximum pays no heed to NaN, so a centre that is not finite must be seen here.
            if center.is_finite() && squared < best.squared {
                best = Self { center, squared, support, len };
            }
        };
        for (i, &p) in held.iter().enumerate() {
            offer(0.5 * (p + point), [point, p, p], 2);
            for &q in &held[..i] {
                offer(circumcenter(point, p, q), [point, p, q], 3);
            }
        }
        best
    }
}

/// As far from each of three points; not finite if they are in line.
fn circumcenter(a: DVec2, b: DVec2, c: DVec2) -> DVec2 {
    let (u, v) = (b - a, c - a);
    let sum = u.length_squared() * v.perp() - v.length_squared() * u.perp();
    a - sum / (2.0 * u.perp_dot(v))
}

#[cfg(test)]
mod tests {
    use elbowroom_testkit::random::Random;

    use super::super::enclosing_sphere::smallest_sphere;
    use super::*;

    #[test]
    fn a_circle_is_what_the_plane_shows_of_a_ball() {
        let mut random = Random::new(44);
        let mut by_len = [0; 31];
        for round in 0..20_000 {
            let len = 1 + random.below(30) as usize;
            let point = |random: &mut Random| match round % 4 {
                0 => DVec2::new(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0)),
                1 => DVec2::new(random.range(-2, 2) as f64, random.range(-2, 2) as f64),
                2 => DVec2::new(random.uniform(-1.0, 1.0), random.uniform(-1e-9, 1e-9)),
                _ => DVec2::from_angle(random.uniform(0.0, 7.0)),
            };
            let points: Vec<DVec2> = (0..len).map(|_| point(&mut random)).collect();
            let (center, radius) = smallest_circle(&points);
            let lifted: Vec<_> = points.iter().map(|p| p.extend(0.0)).collect();
            let (_, expected) = smallest_sphere(&lifted);
            assert!((radius - expected).abs() <= 4e-15, "{radius} {expected} {points:?}");
            assert!(points.iter().all(|p| p.distance(center) <= radius * (1.0 + 1e-15)));
            by_len[len] += 1;
        }
        assert!(by_len[1..].iter().all(|&met| met > 400), "{by_len:?}");
    }

    #[test]
    fn every_size_that_f64_has() {
        let mut random = Random::new(45);
        let unit: Vec<DVec2> = (0..50)
            .map(|_| DVec2::new(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0)))
            .collect();
        let (_, plain) = smallest_circle(&unit);
        for exponent in [1022, 900, -900, -1000] {
            let scale = 2_f64.powi(exponent);
            let points: Vec<DVec2> = unit.iter().map(|&p| p * scale).collect();
            assert!((smallest_circle(&points).1 / scale - plain).abs() < 4e-15);
        }
        assert_eq!(smallest_circle(&[DVec2::ONE; 10]), (DVec2::ONE, 0.0));
        let ends = [DVec2::splat(f64::MAX), DVec2::splat(-f64::MAX)];
        assert_eq!(smallest_circle(&ends), (DVec2::ZERO, f64::INFINITY));
    }
}
