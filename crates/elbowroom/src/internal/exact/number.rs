//! What the exact stages need of a number, and coordinates as such numbers.
//!
//! A finite f64 is an odd integer times a power of two, and so is a product of two of them. On each
//! axis all terms of all placed coordinates are brought to the smallest exponent that occurs there,
//! and become integers. Each term of an orientation has exactly one factor from each axis, so a
//! scale per axis leaves every sign as it is.

use dashu_int::IBig;
use glam::DVec3;

use super::Sign;
use super::wide::{COORDINATE_BITS, Wide};
use crate::internal::math::pose::Pose;

/// Integers in which determinants can be expanded.
pub(super) trait Number: Clone {
    /// A 2×2 determinant of them.
    type Minor;

    fn zero() -> Self;
    /// ± magnitude · 2^shift.
    fn from_scaled(negative: bool, magnitude: u128, shift: u32) -> Self;
    fn plus(&self, other: &Self) -> Self;
    fn minus(&self, other: &Self) -> Self;
    fn sign(&self) -> Sign;
    /// The determinant of two rows, each of two numbers.
    fn minor(first: [&Self; 2], second: [&Self; 2]) -> Self::Minor;
    fn minor_sign(minor: &Self::Minor) -> Sign;
    /// The sign of a 3×3 determinant, expanded along a row.
    fn expand(row: &[Self; 3], minors: &[Self::Minor; 3]) -> Sign;
}

impl Number for IBig {
    type Minor = Self;

    fn zero() -> Self {
        IBig::ZERO
    }

    fn from_scaled(negative: bool, magnitude: u128, shift: u32) -> Self {
        let magnitude = IBig::from(magnitude) << shift as usize;
        if negative { -magnitude } else { magnitude }
    }

    fn plus(&self, other: &Self) -> Self {
        self + other
    }

    fn minus(&self, other: &Self) -> Self {
        self - other
    }

    fn sign(&self) -> Sign {
        if self.is_zero() {
            Sign::Zero
        } else if *self < IBig::ZERO {
            Sign::Negative
        } else {
            Sign::Positive
        }
    }

    fn minor([a, b]: [&Self; 2], [c, d]: [&Self; 2]) -> Self {
        a * d - b * c
    }

    fn minor_sign(minor: &Self) -> Sign {
        Number::sign(minor)
    }

    fn expand(row: &[Self; 3], minors: &[Self; 3]) -> Sign {
        let sum = &row[0] * &minors[0] + &row[1] * &minors[1] + &row[2] * &minors[2];
        Number::sign(&sum)
    }
}

/// A rational of the form ± magnitude · 2^exponent; the magnitude is odd, or zero.
#[derive(Clone, Copy)]
struct Dyadic {
    negative: bool,
    magnitude: u128,
    exponent: i32,
}

impl Dyadic {
    const ZERO: Self = Self { negative: false, magnitude: 0, exponent: 0 };

    fn from_f64(value: f64) -> Self {
        debug_assert!(value.is_finite(), "{value} came through the door");
        let bits = value.to_bits();
        let biased = (bits >> 52 & 0x7ff) as i32;
        let fraction = bits & ((1 << 52) - 1);
        let (mantissa, exponent) =
            if biased == 0 { (fraction, -1074) } else { (fraction | 1 << 52, biased - 1075) };
        if mantissa == 0 {
            return Self::ZERO;
        }
        let trailing = mantissa.trailing_zeros();
        Self {
            negative: value.is_sign_negative(),
            magnitude: u128::from(mantissa >> trailing),
            exponent: exponent + trailing.cast_signed(),
        }
    }

    fn times(self, other: Self) -> Self {
        if self.magnitude == 0 || other.magnitude == 0 {
            return Self::ZERO;
        }
        Self {
            negative: self.negative != other.negative,
            magnitude: self.magnitude * other.magnitude,
            exponent: self.exponent + other.exponent,
        }
    }
}

/// The four terms of one placed coordinate: r0·x, r1·y, r2·z and t.
type Terms = [Dyadic; 4];

fn terms_of(pose: &Pose, point: DVec3, axis: usize) -> Terms {
    let row = pose.rotation().row(axis);
    let product = |i: usize| Dyadic::from_f64(row[i]).times(Dyadic::from_f64(point[i]));
    [product(0), product(1), product(2), Dyadic::from_f64(pose.translation()[axis])]
}

/// Six placed points, exactly, each axis scaled by a power of two of its own.
#[allow(clippy::large_enum_variant, reason = "the stack is why the first one is there")]
pub(super) enum Coordinates {
    /// Every coordinate and all that is made of it fits the stack.
    Wide([[Wide; 3]; 6]),
    /// Magnitudes too far apart for that.
    Big(Box<[[IBig; 3]; 6]>),
}

impl Coordinates {
    pub(super) fn new(sites: [(&Pose, DVec3); 6]) -> Self {
        let terms: [[Terms; 3]; 6] =
            sites.map(|(pose, point)| [0, 1, 2].map(|axis| terms_of(pose, point, axis)));
        let mut lowest = [0; 3];
        let mut fits = true;
        for axis in 0..3 {
            let present =
                || terms.iter().flat_map(|point| point[axis]).filter(|term| term.magnitude > 0);
            lowest[axis] = present().map(|term| term.exponent).min().unwrap_or(0);
            let highest = present()
                .map(|t| t.exponent + 128 - t.magnitude.leading_zeros().cast_signed())
                .max();
            // Four terms add two bits.
            fits &= highest.unwrap_or(0) - lowest[axis] + 2 <= COORDINATE_BITS;
        }
        if fits {
            Self::Wide(scaled(&terms, lowest))
        } else {
            Self::Big(Box::new(scaled(&terms, lowest)))
        }
    }
}

fn scaled<N: Number>(terms: &[[Terms; 3]; 6], lowest: [i32; 3]) -> [[N; 3]; 6] {
    std::array::from_fn(|point| {
        std::array::from_fn(|axis| {
            terms[point][axis].iter().filter(|term| term.magnitude > 0).fold(
                N::zero(),
                |sum, term| {
                    let shift = (term.exponent - lowest[axis]).unsigned_abs();
                    sum.plus(&N::from_scaled(term.negative, term.magnitude, shift))
                },
            )
        })
    })
}

fn minus<N: Number>(p: &[N; 3], q: &[N; 3]) -> [N; 3] {
    std::array::from_fn(|axis| p[axis].minus(&q[axis]))
}

/// The 2×2 determinant of two vectors seen along an axis.
fn cross_along<N: Number>(u: &[N; 3], v: &[N; 3], axis: usize) -> N::Minor {
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    N::minor([&u[i], &u[j]], [&v[i], &v[j]])
}

pub(super) fn orient3<N: Number>(p: &[[N; 3]; 6], [a, b, c, d]: [usize; 4]) -> Sign {
    let (u, v, w) = (minus(&p[b], &p[a]), minus(&p[c], &p[a]), minus(&p[d], &p[a]));
    N::expand(&w, &std::array::from_fn(|axis| cross_along(&u, &v, axis)))
}

pub(super) fn orient2<N: Number>(p: &[[N; 3]; 6], axis: usize, [a, b, c]: [usize; 3]) -> Sign {
    N::minor_sign(&cross_along(&minus(&p[b], &p[a]), &minus(&p[c], &p[a]), axis))
}

pub(super) fn compare<N: Number>(p: &[[N; 3]; 6], axis: usize, [a, b]: [usize; 2]) -> Sign {
    p[a][axis].minus(&p[b][axis]).sign()
}

/// Twice the area that a closed polygon encloses, seen along an axis: positive if that is to the
/// left all in all.
pub(super) fn area(points: &[DVec3], axis: usize) -> Sign {
    let (xs, ys) = (integers(points, (axis + 1) % 3), integers(points, (axis + 2) % 3));
    let n = points.len();
    let sum =
        (0..n).fold(IBig::ZERO, |sum, i| sum + &xs[i] * (&ys[(i + 1) % n] - &ys[(i + n - 1) % n]));
    Number::sign(&sum)
}

/// The points' coordinates on an axis, all scaled by one power of two.
fn integers(points: &[DVec3], axis: usize) -> Vec<IBig> {
    let terms: Vec<Dyadic> = points.iter().map(|p| Dyadic::from_f64(p[axis])).collect();
    let lowest = terms.iter().filter(|t| t.magnitude > 0).map(|t| t.exponent).min().unwrap_or(0);
    let scaled = |t: &Dyadic| {
        let shift = if t.magnitude > 0 { (t.exponent - lowest).unsigned_abs() } else { 0 };
        <IBig as Number>::from_scaled(t.negative, t.magnitude, shift)
    };
    terms.iter().map(scaled).collect()
}
