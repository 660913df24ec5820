//! Exact numbers: every f64 is an integer times a power of two, and so are sums and products.

use std::cmp::Ordering;
use std::ops::{Add, Mul, Neg, Sub};

use dashu_int::IBig;
use dashu_int::ops::BitTest;
use glam::{DMat3, DVec3};

#[derive(Clone, Debug)]
pub struct Dyadic {
    mantissa: IBig,
    exponent: i64,
}

pub type Point = [Dyadic; 3];

impl From<f64> for Dyadic {
    fn from(value: f64) -> Self {
        assert!(value.is_finite(), "{value} is no number");
        let bits = value.to_bits();
        let biased = (bits >> 52 & 0x7ff).cast_signed();
        let fraction = bits & ((1 << 52) - 1);
        let (magnitude, exponent) =
            if biased == 0 { (fraction, -1074) } else { (fraction | 1 << 52, biased - 1075) };
        let mantissa = IBig::from(magnitude);
        Self { mantissa: if value < 0.0 { -mantissa } else { mantissa }, exponent }
    }
}

impl Dyadic {
    #[must_use]
    pub fn abs(self) -> Self {
        if self.mantissa < IBig::ZERO { -self } else { self }
    }

    #[must_use]
    pub fn square(&self) -> Self {
        self.clone() * self.clone()
    }

    /// The mantissa after bringing it to a lower exponent.
    fn at(&self, exponent: i64) -> IBig {
        self.mantissa.clone()
            << usize::try_from(self.exponent - exponent).expect("a lower exponent")
    }

    /// An f64 nearby.
    pub fn near(&self) -> f64 {
        let size = self.clone().abs().up();
        if self.mantissa < IBig::ZERO { -size } else { size }
    }

    /// An f64 that is at least as large, for numbers that are not negative.
    pub fn up(&self) -> f64 {
        let shift = self.mantissa.bit_len().saturating_sub(62);
        let top = (self.mantissa.clone() >> shift) + IBig::from(1);
        let top = i64::try_from(&top).expect("at most 62 bits and one more") as f64;
        let shift = i64::try_from(shift).expect("a small shift");
        let exponent = i32::try_from(self.exponent + shift).expect("a small exponent");
        // Two steps, so that the power of two is no subnormal number before it has to be.
        let scaled = top.next_up() * 2_f64.powi(exponent / 2) * 2_f64.powi(exponent - exponent / 2);
        scaled.next_up()
    }
}

impl Neg for Dyadic {
    type Output = Self;

    fn neg(self) -> Self {
        Self { mantissa: -self.mantissa, ..self }
    }
}

impl Add for Dyadic {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let exponent = self.exponent.min(other.exponent);
        Self { mantissa: self.at(exponent) + other.at(exponent), exponent }
    }
}

impl Sub for Dyadic {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Dyadic {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self { mantissa: self.mantissa * other.mantissa, exponent: self.exponent + other.exponent }
    }
}

impl PartialEq for Dyadic {
    fn eq(&self, other: &Self) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl PartialOrd for Dyadic {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        let exponent = self.exponent.min(other.exponent);
        Some(self.at(exponent).cmp(&other.at(exponent)))
    }
}

pub fn point(p: DVec3) -> Point {
    p.to_array().map(Dyadic::from)
}

pub fn minus(p: &Point, q: &Point) -> Point {
    std::array::from_fn(|i| p[i].clone() - q[i].clone())
}

pub fn dot(p: &Point, q: &Point) -> Dyadic {
    let term = |i: usize| p[i].clone() * q[i].clone();
    term(0) + term(1) + term(2)
}

pub fn cross(p: &Point, q: &Point) -> Point {
    std::array::from_fn(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        p[j].clone() * q[k].clone() - p[k].clone() * q[j].clone()
    })
}

/// Where a pose puts a point.
pub fn placed(rotation: DMat3, translation: DVec3, p: DVec3) -> Point {
    let p = point(p);
    std::array::from_fn(|i| dot(&point(rotation.row(i)), &p) + Dyadic::from(translation[i]))
}

#[test]
fn arithmetic_is_exact() {
    let third = Dyadic::from(0.1) + Dyadic::from(0.2);
    assert!(third > Dyadic::from(0.3) && third < Dyadic::from(0.1 + 0.2));
    assert!(Dyadic::from(1e300).square() > Dyadic::from(f64::MAX));
    assert!(Dyadic::from(5e-324).square() > Dyadic::from(0.0));
    for value in [0.1, 1e300, 1e-300, 3.0, 5e-324] {
        let up = Dyadic::from(value).up();
        assert!(up >= value && up <= value * (1.0 + 1e-15) + 1e-320, "{value} to {up}");
    }
}
