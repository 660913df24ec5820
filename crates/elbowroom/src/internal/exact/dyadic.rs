//! Numbers of the form n·2ᵉ without limit, and points made of them.
//!
//! Where surfaces are cut along each other, points arise that no f64 holds: where an edge pierces a
//! triangle, halfway between two such places. They are quotients of numbers that sums, differences
//! and products make of f64, and those are dyadic: an integer times a power of two. So nothing here
//! divides. A point has four coordinates, three of them over the fourth, as is usual in projective
//! geometry.
//!
//! This is slow and always right. Use [`chain`](super::chain) where it can decide.
//!
//! Invariant: the weight of a [`Point`] is positive.

use std::cmp::Ordering;
use std::ops::{Add, Mul, Neg, Sub};

use dashu_int::IBig;
use dashu_int::ops::BitTest;
use glam::DVec3;

use super::Sign;
use super::chain::U;
use crate::internal::math::pose::Pose;

/// digits · 2^exponent.
#[derive(Clone, Debug)]
pub(crate) struct Dyadic {
    digits: IBig,
    exponent: i32,
}

impl Dyadic {
    pub(crate) const ZERO: Self = Self { digits: IBig::ZERO, exponent: 0 };
    pub(crate) const ONE: Self = Self { digits: IBig::ONE, exponent: 0 };

    pub(crate) fn sign(&self) -> Sign {
        match self.digits.cmp(&IBig::ZERO) {
            Ordering::Less => Sign::Negative,
            Ordering::Equal => Sign::Zero,
            Ordering::Greater => Sign::Positive,
        }
    }

    /// As an f64, to within 2 roundings; infinite or zero beyond its range.
    pub(crate) fn approx(&self) -> f64 {
        let excess = self.digits.bit_len().saturating_sub(96);
        let head = i128::try_from(&self.digits >> excess).expect("97 bits at most") as f64;
        libm::scalbn(head, self.exponent.saturating_add(count(excess)))
    }

    /// The power of two at or below the magnitude; nothing for zero.
    fn power(&self) -> Option<i32> {
        let bits = count(self.digits.bit_len());
        (self.sign() != Sign::Zero).then_some(self.exponent + bits - 1)
    }

    /// Times a power of two.
    #[must_use]
    fn shifted(mut self, power: i32) -> Self {
        self.exponent += power;
        self
    }

    /// A canonical form, equal for equal numbers: the digits made odd, and the exponent.
    fn canonical(&self) -> (IBig, i32) {
        match self.digits.trailing_zeros() {
            Some(zeros) => (&self.digits >> zeros, self.exponent + count(zeros)),
            None => (IBig::ZERO, 0),
        }
    }
}

/// The bits of a number of this library are far fewer than i32 can count.
fn count(bits: usize) -> i32 {
    i32::try_from(bits).expect("fewer than 2^31 bits")
}

impl From<f64> for Dyadic {
    /// Of a finite number.
    fn from(value: f64) -> Self {
        let bits = value.to_bits();
        let biased = (bits >> 52 & 0x7ff) as i32;
        let digits = (bits & ((1 << 52) - 1)) | u64::from(biased > 0) << 52;
        if digits == 0 {
            return Self::ZERO;
        }
        let trailing = digits.trailing_zeros();
        let integer = IBig::from(digits >> trailing);
        Self {
            digits: if value < 0.0 { -integer } else { integer },
            exponent: biased.max(1) - 1075 + trailing.cast_signed(),
        }
    }
}

impl From<i32> for Dyadic {
    fn from(value: i32) -> Self {
        Self { digits: IBig::from(value), exponent: 0 }
    }
}

impl Add for &Dyadic {
    type Output = Dyadic;

    fn add(self, other: Self) -> Dyadic {
        if self.digits.is_zero() {
            return other.clone();
        }
        if other.digits.is_zero() {
            return self.clone();
        }
        // The one with the larger exponent is raised to the other's.
        let (low, high) =
            if self.exponent <= other.exponent { (self, other) } else { (other, self) };
        let shift = (high.exponent - low.exponent).unsigned_abs() as usize;
        let digits = if shift == 0 {
            &low.digits + &high.digits
        } else {
            &low.digits + (&high.digits << shift)
        };
        Dyadic { digits, exponent: low.exponent }
    }
}

impl Sub for &Dyadic {
    type Output = Dyadic;

    fn sub(self, other: Self) -> Dyadic {
        self + &-other
    }
}

impl Mul for &Dyadic {
    type Output = Dyadic;

    fn mul(self, other: Self) -> Dyadic {
        if self.digits.is_zero() || other.digits.is_zero() {
            return Dyadic::ZERO;
        }
        Dyadic { digits: &self.digits * &other.digits, exponent: self.exponent + other.exponent }
    }
}

impl Neg for &Dyadic {
    type Output = Dyadic;

    fn neg(self) -> Dyadic {
        Dyadic { digits: -&self.digits, exponent: self.exponent }
    }
}

/// Three of them.
#[derive(Clone, Debug)]
pub(crate) struct Vector(pub(crate) [Dyadic; 3]);

impl Vector {
    /// Of finite numbers.
    pub(crate) fn of(vector: DVec3) -> Self {
        Self(vector.to_array().map(Dyadic::from))
    }

    /// A point of an object where its pose puts it.
    pub(crate) fn placed(pose: &Pose, point: DVec3) -> Self {
        let point = point.to_array().map(Dyadic::from);
        Self(std::array::from_fn(|axis| {
            let row = pose.rotation().row(axis).to_array();
            let start = Dyadic::from(pose.translation()[axis]);
            (0..3).fold(start, |sum, i| {
                if row[i] == 0.0 { sum } else { &sum + &(&Dyadic::from(row[i]) * &point[i]) }
            })
        }))
    }

    /// A key that is equal for equal vectors and different for others.
    pub(crate) fn canonical(&self) -> [(IBig, i32); 3] {
        self.0.each_ref().map(Dyadic::canonical)
    }

    pub(crate) fn minus(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|axis| &self.0[axis] - &other.0[axis]))
    }

    pub(crate) fn plus(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|axis| &self.0[axis] + &other.0[axis]))
    }

    pub(crate) fn times(&self, factor: &Dyadic) -> Self {
        Self(std::array::from_fn(|axis| &self.0[axis] * factor))
    }

    pub(crate) fn negated(&self) -> Self {
        Self(std::array::from_fn(|axis| -&self.0[axis]))
    }

    pub(crate) fn dot(&self, other: &Self) -> Dyadic {
        (0..3).fold(Dyadic::ZERO, |sum, axis| &sum + &(&self.0[axis] * &other.0[axis]))
    }

    pub(crate) fn cross(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|axis| {
            let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
            &(&self.0[i] * &other.0[j]) - &(&self.0[j] * &other.0[i])
        }))
    }

    /// A vector in the same direction, with its largest coordinate between 1 and 2.
    pub(crate) fn balanced(&self) -> Self {
        let power = self.0.iter().filter_map(Dyadic::power).max().unwrap_or(0);
        Self(self.0.each_ref().map(|part| part.clone().shifted(-power)))
    }

    /// Each coordinate to within 2 roundings of the largest.
    pub(crate) fn approx(&self) -> DVec3 {
        DVec3::from_array(self.0.each_ref().map(Dyadic::approx))
    }
}

/// A point: three coordinates, all over a fourth.
#[derive(Clone, Debug)]
pub(crate) struct Point {
    pub(crate) at: Vector,
    pub(crate) weight: Dyadic,
}

impl Point {
    pub(crate) fn from_vector(at: Vector) -> Self {
        Self { at, weight: Dyadic::ONE }
    }

    /// The step to here from another point, times the weight.
    pub(crate) fn from(&self, other: &Vector) -> Vector {
        self.at.minus(&other.times(&self.weight))
    }

    /// Rounded, and how far that may be off on each axis.
    pub(crate) fn approx(&self) -> (DVec3, f64) {
        // Both to one scale, so that neither leaves the range of f64 by itself.
        let power = self.weight.power().unwrap_or(0);
        let at = Vector(self.at.0.each_ref().map(|part| part.clone().shifted(-power)));
        let rounded = at.approx() / self.weight.clone().shifted(-power).approx();
        (rounded, 8.0 * U * rounded.abs().max_element() + f64::MIN_POSITIVE)
    }
}

/// A quotient; what is below is positive.
#[derive(Clone, Debug)]
pub(crate) struct Ratio {
    pub(crate) above: Dyadic,
    pub(crate) below: Dyadic,
}

impl Ratio {
    pub(crate) const ZERO: Self = Self { above: Dyadic::ZERO, below: Dyadic::ONE };
    pub(crate) const ONE: Self = Self { above: Dyadic::ONE, below: Dyadic::ONE };

    /// Of anything over anything but zero.
    pub(crate) fn new(above: Dyadic, below: Dyadic) -> Self {
        if below.sign() == Sign::Negative {
            Self { above: -&above, below: -&below }
        } else {
            Self { above, below }
        }
    }

    /// A number strictly between two different ones.
    pub(crate) fn between(&self, other: &Self) -> Self {
        Self { above: &self.above + &other.above, below: &self.below + &other.below }
    }

    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        let difference = &(&self.above * &other.below) - &(&other.above * &self.below);
        match difference.sign() {
            Sign::Negative => Ordering::Less,
            Sign::Zero => Ordering::Equal,
            Sign::Positive => Ordering::Greater,
        }
    }
}

#[cfg(test)]
mod tests {
    use elbowroom_testkit::random::Random;

    use super::*;

    #[test]
    fn keeps_what_f64_would_round() {
        let (large, small) = (Dyadic::from(1e300), Dyadic::from(-1e-300));
        let sum = &large + &small;
        assert_eq!((&sum - &large).approx(), -1e-300);
        assert_eq!((&sum - &sum).sign(), Sign::Zero);
        assert_eq!((&small * &large).sign(), Sign::Negative);
        assert_eq!((&Dyadic::from(5e-324) * &Dyadic::from(5e-324)).approx(), 0.0);
    }

    #[test]
    fn agrees_with_f64_where_that_is_exact() {
        let mut random = Random::new(3);
        for _ in 0..2000 {
            let [a, b] = [(); 2].map(|()| random.range(-4_000_000, 4_000_000) as f64 / 1024.0);
            let (x, y) = (Dyadic::from(a), Dyadic::from(b));
            assert_eq!((&x + &y).approx(), a + b);
            assert_eq!((&x - &y).approx(), a - b);
            assert_eq!((&x * &y).approx(), a * b);
        }
    }

    #[test]
    fn the_number_between_is_between() {
        let third = Ratio::new(Dyadic::from(-1), Dyadic::from(-3));
        let half = Ratio::new(Dyadic::from(1), Dyadic::from(2));
        let between = third.between(&half);
        assert_eq!(
            (third.compare(&between), between.compare(&half)),
            (Ordering::Less, Ordering::Less)
        );
    }
}
