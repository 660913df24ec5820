//! Placed points as integers.
//!
//! A finite f64 is an integer times a power of two, so `R·v + t` is a sum of at most four such
//! terms, and after multiplying by a large enough power of two every coordinate is an integer. The
//! scale may differ from axis to axis: that is an invertible linear map with positive entries,
//! which changes neither who meets whom, nor what is interior, nor the sign of a determinant. The
//! same holds for moving the first point to the origin, which makes the numbers small where the
//! points are far away but near each other.

use crate::pose::PlainPose;
use dashu_int::IBig;

/// Integer points, the first of them the origin, in the smallest of two representations that holds
/// them.
pub(crate) enum Points<const N: usize> {
    /// All coordinates fit.
    Small([[i128; 3]; N]),
    /// At least one does not.
    Big(Box<[[IBig; 3]; N]>),
}

impl<const N: usize> Points<N> {
    /// The points as arbitrary-size integers.
    pub(crate) fn to_big(&self) -> [[IBig; 3]; N] {
        match self {
            Self::Small(points) => points.map(|p| p.map(IBig::from)),
            Self::Big(points) => (**points).clone(),
        }
    }
}

/// `mantissa · 2^exponent`, the mantissa odd or zero.
#[derive(Clone, Copy)]
struct Term {
    mantissa: i128,
    exponent: i32,
}

const ZERO: Term = Term { mantissa: 0, exponent: 0 };

/// At most three products and one translation.
type Coordinate = [Term; 4];

impl Term {
    fn new(value: f64) -> Self {
        assert!(value.is_finite(), "the oracle takes finite numbers only, got {value}");
        if value == 0.0 {
            return ZERO;
        }
        let bits = value.to_bits();
        let biased = ((bits >> 52) & 0x7ff) as i32;
        let fraction = i128::from(bits & ((1 << 52) - 1));
        // Subnormals have no hidden bit and the exponent of the smallest normal number.
        let (magnitude, exponent) =
            if biased == 0 { (fraction, -1074) } else { (fraction | (1 << 52), biased - 1075) };
        let zeros = magnitude.trailing_zeros();
        let odd = magnitude >> zeros;
        Self {
            mantissa: if value < 0.0 { -odd } else { odd },
            exponent: exponent + zeros.cast_signed(),
        }
    }

    fn times(self, other: Self) -> Self {
        Self { mantissa: self.mantissa * other.mantissa, exponent: self.exponent + other.exponent }
    }

    /// Bits of the term once it is a multiple of `2^lowest`.
    fn bits(self, lowest: i32) -> i32 {
        let width = 128 - self.mantissa.unsigned_abs().leading_zeros().cast_signed();
        width + self.exponent - lowest
    }
}

/// The placed points as integers (see the module's head for the scale and origin).
pub(crate) fn place<const N: usize>(points: [(&[f64; 3], &PlainPose); N]) -> Points<N> {
    let terms = points.map(|(v, pose)| placed_terms(v, pose));
    let lowest: [i32; 3] = std::array::from_fn(|axis| {
        let present = terms.iter().flat_map(|p| p[axis]).filter(|t| t.mantissa != 0);
        present.map(|t| t.exponent).min().unwrap_or(0)
    });
    let highest = (0..3)
        .flat_map(|axis| terms.iter().flat_map(move |p| p[axis].map(|t| (t, axis))))
        .filter(|(t, _)| t.mantissa != 0)
        .map(|(t, axis)| t.bits(lowest[axis]))
        .max()
        .unwrap_or(0);
    // Four terms and one subtraction add three bits; the sign takes one.
    if highest <= 124 {
        Points::Small(strip_small(terms.map(|p| sum_small(&p, &lowest))))
    } else {
        strip_big(&terms.map(|p| sum_big(&p, &lowest)))
    }
}

fn placed_terms(v: &[f64; 3], pose: &PlainPose) -> [Coordinate; 3] {
    let v = v.map(Term::new);
    std::array::from_fn(|axis| {
        let row = pose.r[axis].map(Term::new);
        [row[0].times(v[0]), row[1].times(v[1]), row[2].times(v[2]), Term::new(pose.t[axis])]
    })
}

fn sum_small(p: &[Coordinate; 3], lowest: &[i32; 3]) -> [i128; 3] {
    std::array::from_fn(|axis| {
        let present = p[axis].iter().filter(|t| t.mantissa != 0);
        present.map(|t| t.mantissa << (t.exponent - lowest[axis])).sum()
    })
}

fn sum_big(p: &[Coordinate; 3], lowest: &[i32; 3]) -> [IBig; 3] {
    std::array::from_fn(|axis| {
        let present = p[axis].iter().filter(|t| t.mantissa != 0);
        present.fold(IBig::ZERO, |sum, t| {
            sum + (IBig::from(t.mantissa) << (t.exponent - lowest[axis]).unsigned_abs() as usize)
        })
    })
}

/// Moves the first point to the origin and divides each axis by its common power of two.
fn strip_small<const N: usize>(mut points: [[i128; 3]; N]) -> [[i128; 3]; N] {
    let origin = points[0];
    for axis in 0..3 {
        let mut union = 0;
        for p in &mut points {
            p[axis] -= origin[axis];
            union |= p[axis];
        }
        if union != 0 {
            for p in &mut points {
                p[axis] >>= union.trailing_zeros();
            }
        }
    }
    points
}

/// Strips like [`strip_small`]; what has become small is handed over as small.
fn strip_big<const N: usize>(points: &[[IBig; 3]; N]) -> Points<N> {
    let mut moved: [[IBig; 3]; N] =
        std::array::from_fn(|i| std::array::from_fn(|axis| &points[i][axis] - &points[0][axis]));
    for axis in 0..3 {
        let zeros = moved.iter().filter_map(|p| p[axis].trailing_zeros()).min().unwrap_or(0);
        for p in &mut moved {
            p[axis] >>= zeros;
        }
    }
    let mut small = [[0; 3]; N];
    for (to, from) in small.iter_mut().flatten().zip(moved.iter().flatten()) {
        match i128::try_from(from) {
            Ok(value) => *to = value,
            Err(_) => return Points::Big(Box::new(moved)),
        }
    }
    Points::Small(small)
}

/// The placed points as integers, all of one scale so that lengths keep their meaning; and the
/// power of two that they are multiples of.
pub(crate) fn place_evenly<const N: usize>(
    points: [(&[f64; 3], &PlainPose); N],
) -> ([[IBig; 3]; N], i32) {
    let terms = points.map(|(v, pose)| placed_terms(v, pose));
    let present = terms.iter().flatten().flatten().filter(|term| term.mantissa != 0);
    let lowest = present.map(|term| term.exponent).min().unwrap_or(0);
    (terms.map(|p| sum_big(&p, &[lowest; 3])), lowest)
}

/// A finite number as an integer times a power of two.
pub(crate) fn dyadic(value: f64) -> (IBig, i32) {
    let Term { mantissa, exponent } = Term::new(value);
    (IBig::from(mantissa), exponent)
}
