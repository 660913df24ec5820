//! Weight, mean and covariance that can be added up.
//!
//! Of a set of weighted points, or of surfaces made of triangles, three sums are kept: Σw, Σw·p and
//! Σw·p·pᵀ. They add, so the moments of a union are the sum of the moments of its parts, and a tree
//! can compute them once per triangle. For a triangle spread evenly over its area A the sums are
//! integrals with a closed form: the second one is A/12·(Σvvᵀ + (Σv)(Σv)ᵀ) over its corners v,
//! which is A/12·(9·c·cᵀ + p·pᵀ + q·qᵀ + r·rᵀ) with its centre c, the form in Gottschalk, Lin and
//! Manocha, *`OBBTree`: a hierarchical structure for rapid interference detection*, 1996, section
//! 4.
//!
//! The covariance is a difference of two such sums. Far from the origin it cancels, and numbers of
//! 1e200 overflow: callers shift to the middle of their points and scale by [`unit_scale`] first.

use std::iter::Sum;
use std::ops::{Add, AddAssign};

use glam::{DMat3, DVec3};

/// The zeroth, first and second moments of weighted points, of surfaces, or of both.
///
/// ```
/// use elbowroom::internal::math::moments::Moments;
/// use glam::DVec3;
///
/// let pair = Moments::of_point(-DVec3::X, 1.0) + Moments::of_point(DVec3::X, 3.0);
/// assert_eq!(pair.mean(), DVec3::new(0.5, 0.0, 0.0));
/// assert_eq!(pair.covariance().x_axis, DVec3::new(0.75, 0.0, 0.0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    weight: f64,
    first: DVec3,
    /// The sums of xx, yy, zz.
    squares: DVec3,
    /// The sums of yz, zx, xy.
    products: DVec3,
}

impl Moments {
    /// Of one point.
    pub fn of_point(point: DVec3, weight: f64) -> Self {
        let (squares, products) = outer(point);
        Self {
            weight,
            first: weight * point,
            squares: weight * squares,
            products: weight * products,
        }
    }

    /// Of all points of a triangle alike; the weight is its area, which is zero if it is
    /// degenerate.
    pub fn of_triangle(corners: [DVec3; 3]) -> Self {
        let [p, q, r] = corners;
        let area = 0.5 * (q - p).cross(r - p).length();
        let sum = p + q + r;
        let mut total = outer(sum);
        for (squares, products) in corners.map(outer) {
            total.0 += squares;
            total.1 += products;
        }
        let share = area / 12.0;
        Self {
            weight: area,
            first: (area / 3.0) * sum,
            squares: share * total.0,
            products: share * total.1,
        }
    }

    /// The sum of the weights.
    pub fn weight(&self) -> f64 {
        self.weight
    }

    /// The centre of mass; zero if nothing has weight.
    pub fn mean(&self) -> DVec3 {
        if self.weight == 0.0 { DVec3::ZERO } else { self.first / self.weight }
    }

    /// How the weight spreads around the mean; zero if nothing has weight.
    pub fn covariance(&self) -> DMat3 {
        if self.weight == 0.0 {
            return DMat3::ZERO;
        }
        let (squares, products) = outer(self.mean());
        let diagonal = self.squares / self.weight - squares;
        let beside = self.products / self.weight - products;
        DMat3::from_cols(
            DVec3::new(diagonal.x, beside.z, beside.y),
            DVec3::new(beside.z, diagonal.y, beside.x),
            DVec3::new(beside.y, beside.x, diagonal.z),
        )
    }
}

/// The entries of p·pᵀ: xx, yy, zz and yz, zx, xy.
fn outer(p: DVec3) -> (DVec3, DVec3) {
    (p * p, DVec3::new(p.y * p.z, p.z * p.x, p.x * p.y))
}

impl AddAssign for Moments {
    fn add_assign(&mut self, other: Self) {
        self.weight += other.weight;
        self.first += other.first;
        self.squares += other.squares;
        self.products += other.products;
    }
}

impl Add for Moments {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl Sum for Moments {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Self::default(), Add::add)
    }
}

/// The power of two by which to multiply numbers of this size so that they come to 1..2; it and its
/// inverse are finite and not zero, so the extreme ends of f64 come to below 4 and above 2⁻⁵³ only.
/// Zero and what is not finite stay as they are.
///
/// ```
/// use elbowroom::internal::math::moments::unit_scale;
///
/// assert_eq!(unit_scale(12.0), 0.125);
/// assert_eq!(unit_scale(0.3), 4.0);
/// assert!((0.5..4.0).contains(&(1e308 * unit_scale(1e308))));
/// ```
pub fn unit_scale(size: f64) -> f64 {
    if size == 0.0 || !size.is_finite() {
        return 1.0;
    }
    let exponent = size.to_bits() >> 52 & 0x7ff;
    f64::from_bits((2046 - exponent).clamp(1, 2045) << 52)
}

#[cfg(test)]
mod tests {
    use elbowroom_testkit::random::Random;

    use super::*;

    fn point(random: &mut Random) -> DVec3 {
        DVec3::from_array(std::array::from_fn(|_| random.uniform(-1.0, 1.0)))
    }

    fn largest(m: DMat3) -> f64 {
        m.to_cols_array().iter().fold(0.0, |most: f64, entry| most.max(entry.abs()))
    }

    /// The three midpoints of the edges, each with a third of the area, integrate every polynomial
    /// of degree two over a triangle without error.
    #[test]
    fn closed_form_equals_exact_quadrature() {
        let mut random = Random::new(11);
        let mut met = 0;
        for _ in 0..1000 {
            let corners = [0; 3].map(|_| point(&mut random));
            let [p, q, r] = corners;
            let closed = Moments::of_triangle(corners);
            let third = closed.weight() / 3.0;
            let quadrature: Moments = [p + q, q + r, r + p]
                .into_iter()
                .map(|doubled| Moments::of_point(0.5 * doubled, third))
                .sum();
            assert!(closed.mean().distance(quadrature.mean()) < 4e-16);
            assert!(largest(closed.covariance() - quadrature.covariance()) < 2e-15);
            met += usize::from(largest(closed.covariance()) > 0.01);
        }
        assert!(met > 900, "{met}");
    }

    /// A triangle cut n times along each edge into equal ones, each a point at its centre, is a
    /// sample whose error falls as 1/n².
    #[test]
    fn dense_samples_approach_the_closed_form() {
        let mut random = Random::new(12);
        let [p, q, r] = [0; 3].map(|_| point(&mut random));
        let closed = Moments::of_triangle([p, q, r]).covariance();
        let error = |n: u32| {
            let at =
                |i: f64, j: f64| p + (q - p) * (i / f64::from(n)) + (r - p) * (j / f64::from(n));
            let mut sum = Moments::default();
            for i in 0..n {
                for j in 0..n - i {
                    let (i, j) = (f64::from(i), f64::from(j));
                    sum += Moments::of_point(at(i + 1.0 / 3.0, j + 1.0 / 3.0), 1.0);
                    if i + j < f64::from(n) - 1.0 {
                        sum += Moments::of_point(at(i + 2.0 / 3.0, j + 2.0 / 3.0), 1.0);
                    }
                }
            }
            assert_eq!(sum.weight(), f64::from(n * n));
            largest(sum.covariance() - closed)
        };
        let (coarse, fine) = (error(10), error(100));
        assert!(coarse < 0.01 && (99.0..101.0).contains(&(coarse / fine)), "{coarse} {fine}");
    }

    #[test]
    fn parts_add_up() {
        let mut random = Random::new(13);
        for _ in 0..100 {
            let [p, q, r] = [0; 3].map(|_| point(&mut random));
            let inside = p + 0.3 * (q - p) + 0.2 * (r - p);
            let parts: Moments = [[p, q, inside], [q, r, inside], [r, p, inside]]
                .map(Moments::of_triangle)
                .into_iter()
                .sum();
            let whole = Moments::of_triangle([p, q, r]);
            assert!((parts.weight() - whole.weight()).abs() < 1e-15);
            assert!(parts.mean().distance(whole.mean()) < 4e-15);
            assert!(largest(parts.covariance() - whole.covariance()) < 4e-15);
        }
    }

    #[test]
    fn what_has_no_weight_spreads_nowhere() {
        let flat = Moments::of_triangle([DVec3::X, DVec3::Y, 0.5 * (DVec3::X + DVec3::Y)]);
        assert_eq!(flat.weight(), 0.0);
        assert_eq!(flat.mean(), DVec3::ZERO);
        assert_eq!(flat.covariance(), DMat3::ZERO);
    }

    #[test]
    fn scales_are_powers_of_two_that_can_be_undone() {
        for size in [f64::MAX, 1e300, 1.0, 1e-300, f64::MIN_POSITIVE, 5e-324] {
            let scale = unit_scale(size);
            assert_eq!(scale.to_bits() & ((1 << 52) - 1), 0, "{scale} is no power of two");
            assert_eq!(size * scale * (1.0 / scale), size);
            assert!((2e-16..4.0).contains(&(size * scale)), "{size}");
        }
        assert_eq!(unit_scale(0.0), 1.0);
        assert_eq!(unit_scale(f64::INFINITY), 1.0);
    }
}
