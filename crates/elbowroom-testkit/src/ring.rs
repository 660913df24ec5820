//! The integers the oracle computes with: `i128` where everything fits, arbitrary size where it
//! does not.
//!
//! The oracle is written once over [`Ring`]. Operations of the small ring say [`Overflow`], and the
//! caller starts again with the big one, which never does.

use dashu_int::IBig;

/// The numbers have become too large for the ring.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Overflow;

/// Integers with exactly the operations of fraction-free elimination.
pub(crate) trait Ring: Clone + PartialOrd {
    /// A number in this ring.
    fn from_i128(value: i128) -> Self;
    /// −1, 0 or 1.
    fn sign(&self) -> i32;
    /// `a·b − c·d`, where it fits.
    fn cross(a: &Self, b: &Self, c: &Self, d: &Self) -> Result<Self, Overflow>;
    /// The quotient by a divisor known to divide without remainder.
    fn exact_div(&self, divisor: &Self) -> Self;
    /// The number with the opposite sign.
    fn negated(&self) -> Self;
}

impl Ring for i128 {
    fn from_i128(value: i128) -> Self {
        value
    }

    fn sign(&self) -> i32 {
        self.signum() as i32
    }

    fn cross(a: &Self, b: &Self, c: &Self, d: &Self) -> Result<Self, Overflow> {
        // A product of two 64-bit numbers cannot overflow, nor can the difference of two such: the
        // common case.
        if let (Ok(a), Ok(b), Ok(c), Ok(d)) =
            (i64::try_from(*a), i64::try_from(*b), i64::try_from(*c), i64::try_from(*d))
        {
            return Ok(i128::from(a) * i128::from(b) - i128::from(c) * i128::from(d));
        }
        let product = |x: &Self, y: &Self| x.checked_mul(*y).ok_or(Overflow);
        product(a, b)?.checked_sub(product(c, d)?).ok_or(Overflow)
    }

    fn exact_div(&self, divisor: &Self) -> Self {
        debug_assert_eq!(self % divisor, 0, "{self} / {divisor} leaves a remainder");
        match (i64::try_from(*self), i64::try_from(*divisor)) {
            (_, Ok(1)) => *self,
            // i64::MIN / −1 would overflow in 64 bits.
            (Ok(a), Ok(b)) if b != -1 => i128::from(a / b),
            _ => self / divisor,
        }
    }

    fn negated(&self) -> Self {
        -self
    }
}

impl Ring for IBig {
    fn from_i128(value: i128) -> Self {
        Self::from(value)
    }

    fn sign(&self) -> i32 {
        if self.is_zero() {
            0
        } else if *self > Self::ZERO {
            1
        } else {
            -1
        }
    }

    fn cross(a: &Self, b: &Self, c: &Self, d: &Self) -> Result<Self, Overflow> {
        Ok(a * b - c * d)
    }

    fn exact_div(&self, divisor: &Self) -> Self {
        debug_assert!((self % divisor).is_zero(), "{self} / {divisor} leaves a remainder");
        if divisor.is_one() { self.clone() } else { self / divisor }
    }

    fn negated(&self) -> Self {
        -self
    }
}
