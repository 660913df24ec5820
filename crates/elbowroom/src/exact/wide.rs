//! Integers of up to 768 bits on the stack.
//!
//! Most signs that the f64 filters cannot decide are exact zeros on numbers of ordinary size: people
//! on one floor, boxes side by side. Their differences, scaled to integers, fit 256 bits and a 3×3
//! determinant of them 768, so the arithmetic needs no heap and takes a fraction of what a general
//! big integer takes. Sign and magnitude, schoolbook multiplication, only the limbs in use.
//!
//! Invariant: limbs from `len` on are zero, and the limb below `len` is not; zero has `len` 0 and is
//! not negative.

use super::Sign;
use super::number::Number;

const LIMBS: usize = 12;

/// Bits that a coordinate may have so that a determinant of differences still fits: a difference has
/// 255, a 2×2 minor 2·255 + 1, a determinant 3·255 + 3 = 768 = 12 limbs.
pub(super) const COORDINATE_BITS: i32 = 254;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wide {
    limbs: [u64; LIMBS],
    len: usize,
    negative: bool,
}

impl Wide {
    const ZERO: Self = Self { limbs: [0; LIMBS], len: 0, negative: false };

    fn trimmed(limbs: [u64; LIMBS], mut len: usize, negative: bool) -> Self {
        while len > 0 && limbs[len - 1] == 0 {
            len -= 1;
        }
        Self { limbs, len, negative: negative && len > 0 }
    }

    /// Whether the magnitude is below the other's.
    fn is_smaller(&self, other: &Self) -> bool {
        if self.len != other.len {
            return self.len < other.len;
        }
        for i in (0..self.len).rev() {
            if self.limbs[i] != other.limbs[i] {
                return self.limbs[i] < other.limbs[i];
            }
        }
        false
    }

    fn plus_magnitude(&self, other: &Self, negative: bool) -> Self {
        let mut limbs = [0; LIMBS];
        let mut carry = false;
        let len = self.len.max(other.len);
        for i in 0..len {
            (limbs[i], carry) = self.limbs[i].carrying_add(other.limbs[i], carry);
        }
        if carry {
            limbs[len] = 1;
        }
        Self::trimmed(limbs, len + usize::from(carry), negative)
    }

    /// The other's magnitude must not exceed this one's.
    fn minus_magnitude(&self, other: &Self, negative: bool) -> Self {
        let mut limbs = [0; LIMBS];
        let mut borrow = false;
        for i in 0..self.len {
            (limbs[i], borrow) = self.limbs[i].borrowing_sub(other.limbs[i], borrow);
        }
        debug_assert!(!borrow, "subtracted a larger magnitude");
        Self::trimmed(limbs, self.len, negative)
    }

    fn add_signed(&self, other: &Self, other_negative: bool) -> Self {
        if self.negative == other_negative {
            self.plus_magnitude(other, self.negative)
        } else if self.is_smaller(other) {
            other.minus_magnitude(self, other_negative)
        } else {
            self.minus_magnitude(other, self.negative)
        }
    }
}

impl Number for Wide {
    fn zero() -> Self {
        Self::ZERO
    }

    fn from_scaled(negative: bool, magnitude: u128, shift: u32) -> Self {
        let (first, bits) = ((shift / 64) as usize, shift % 64);
        let low = magnitude as u64;
        let high = (magnitude >> 64) as u64;
        let mut limbs = [0; LIMBS];
        limbs[first] = low << bits;
        limbs[first + 1] = high << bits;
        if bits > 0 {
            limbs[first + 1] |= low >> (64 - bits);
            limbs[first + 2] = high >> (64 - bits);
        }
        Self::trimmed(limbs, first + 3, negative)
    }

    fn plus(&self, other: &Self) -> Self {
        self.add_signed(other, other.negative)
    }

    fn minus(&self, other: &Self) -> Self {
        self.add_signed(other, !other.negative)
    }

    fn times(&self, other: &Self) -> Self {
        let mut limbs = [0; LIMBS];
        for i in 0..self.len {
            let mut carry = 0;
            for j in 0..other.len {
                (limbs[i + j], carry) =
                    self.limbs[i].carrying_mul_add(other.limbs[j], limbs[i + j], carry);
            }
            if carry > 0 {
                limbs[i + other.len] = carry;
            }
        }
        let len = (self.len + other.len).min(LIMBS);
        Self::trimmed(limbs, len, self.negative != other.negative)
    }

    fn sign(&self) -> Sign {
        match (self.len, self.negative) {
            (0, _) => Sign::Zero,
            (_, true) => Sign::Negative,
            (_, false) => Sign::Positive,
        }
    }
}

#[cfg(test)]
mod tests {
    use dashu_int::IBig;
    use elbowroom_testkit::random::Random;

    use super::*;

    fn same(wide: &Wide, big: &IBig) -> bool {
        let magnitude = wide.limbs.iter().rev().fold(IBig::ZERO, |sum, &limb| (sum << 64) + limb);
        *big == if wide.negative { -magnitude } else { magnitude }
    }

    /// Every operation against a big integer, for sums of scaled numbers of every length that the
    /// chain can make, carries and cancellation included.
    #[test]
    fn agrees_with_big_integers() {
        let mut random = Random::new(7);
        let mut lengths = [0_u32; LIMBS + 1];
        let mut zeros = 0;
        for _ in 0..20_000 {
            let make = |random: &mut Random| {
                let bits = random.below(107) as u32;
                let mut magnitude = (u128::from(random.bits()) << 64 | u128::from(random.bits()))
                    & ((1 << bits) - 1);
                if random.below(4) == 0 {
                    // Long runs of ones carry furthest.
                    magnitude = (1 << bits) - 1;
                }
                let shift = random.below(148) as u32;
                let negative = random.below(2) == 0;
                (
                    Wide::from_scaled(negative, magnitude, shift),
                    <IBig as Number>::from_scaled(negative, magnitude, shift),
                )
            };
            let x = make(&mut random);
            let y = if random.below(8) == 0 { x.clone() } else { make(&mut random) };
            let z = make(&mut random);
            let sum = (x.0.plus(&y.0), x.1.plus(&y.1));
            let difference = (x.0.minus(&y.0), x.1.minus(&y.1));
            let product = (sum.0.times(&difference.0), sum.1.times(&difference.1));
            let cubic = (product.0.times(&z.0), product.1.times(&z.1));
            let last = (cubic.0.minus(&cubic.0.plus(&product.0)), cubic.1.minus(&cubic.1.plus(&product.1)));
            for (wide, big) in [&x, &sum, &difference, &product, &cubic, &last] {
                assert!(same(wide, big), "{wide:?} is not {big}");
                assert_eq!(wide.sign(), Number::sign(big));
                lengths[wide.len] += 1;
                zeros += u32::from(wide.sign() == Sign::Zero);
            }
        }
        assert!(lengths[..=LIMBS - 1].iter().all(|&met| met > 50), "{lengths:?}");
        assert!(lengths[LIMBS] > 5 && zeros > 1000, "{lengths:?} {zeros}");
    }
}
