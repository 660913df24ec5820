//! Integers of 256, 512 and 768 bits on the stack.
//!
//! Most signs that the f64 filters cannot decide are exact zeros on numbers of ordinary size:
//! people on one floor, boxes side by side. Their coordinates, scaled to integers, fit 256 bits,
//! products of two differences 512 and a 3×3 determinant of them 768, so the arithmetic needs no
//! heap, has loops of fixed length and takes a fraction of what a general big integer takes.
//!
//! Two's complement, lowest limb first. A product multiplies magnitudes, schoolbook, and skips
//! limbs that are zero, as most of those of small numbers are.

use super::Sign;
use super::number::Number;

/// Bits that a coordinate may have so that a determinant of differences still fits: a difference
/// has 255, a 2×2 minor 2·255 + 1, a determinant 3·255 + 3 = 768 with its sign.
pub(super) const COORDINATE_BITS: i32 = 254;

/// A coordinate or a difference of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wide([u64; 4]);

/// A 2×2 determinant of differences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WideMinor([u64; 8]);

#[inline]
fn add<const N: usize>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    let mut sum = [0; N];
    let mut carry = false;
    for i in 0..N {
        (sum[i], carry) = a[i].carrying_add(b[i], carry);
    }
    sum
}

#[inline]
fn subtract<const N: usize>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    let mut difference = [0; N];
    let mut borrow = false;
    for i in 0..N {
        (difference[i], borrow) = a[i].borrowing_sub(b[i], borrow);
    }
    difference
}

#[inline]
fn is_negative<const N: usize>(a: &[u64; N]) -> bool {
    a[N - 1] >> 63 == 1
}

#[inline]
fn negated_if<const N: usize>(condition: bool, a: &[u64; N]) -> [u64; N] {
    if condition { subtract(&[0; N], a) } else { *a }
}

fn sign<const N: usize>(a: &[u64; N]) -> Sign {
    if is_negative(a) {
        Sign::Negative
    } else if *a == [0; N] {
        Sign::Zero
    } else {
        Sign::Positive
    }
}

/// The signed product; K must be N + M.
#[inline]
fn product<const N: usize, const M: usize, const K: usize>(a: &[u64; N], b: &[u64; M]) -> [u64; K] {
    const { assert!(K == N + M) };
    let negative = is_negative(a) != is_negative(b);
    let (a, b) = (negated_if(is_negative(a), a), negated_if(is_negative(b), b));
    let mut result = [0; K];
    for i in 0..N {
        if a[i] == 0 {
            continue;
        }
        let mut carry = 0;
        for j in 0..M {
            (result[i + j], carry) = a[i].carrying_mul_add(b[j], result[i + j], carry);
        }
        result[i + M] = carry;
    }
    negated_if(negative, &result)
}

impl Number for Wide {
    type Minor = WideMinor;

    fn zero() -> Self {
        Self([0; 4])
    }

    fn from_scaled(negative: bool, magnitude: u128, shift: u32) -> Self {
        let (first, bits) = ((shift / 64) as usize, shift % 64);
        let (low, high) = (magnitude as u64, (magnitude >> 64) as u64);
        let mut limbs = [0; 4];
        let mut put = |place: usize, limb: u64| {
            debug_assert!(place < 4 || limb == 0, "{magnitude} << {shift} has more than 256 bits");
            if place < 4 {
                limbs[place] |= limb;
            }
        };
        put(first, low << bits);
        put(first + 1, high << bits);
        if bits > 0 {
            put(first + 1, low >> (64 - bits));
            put(first + 2, high >> (64 - bits));
        }
        Self(negated_if(negative, &limbs))
    }

    fn plus(&self, other: &Self) -> Self {
        Self(add(&self.0, &other.0))
    }

    fn minus(&self, other: &Self) -> Self {
        Self(subtract(&self.0, &other.0))
    }

    fn sign(&self) -> Sign {
        sign(&self.0)
    }

    fn minor([a, b]: [&Self; 2], [c, d]: [&Self; 2]) -> WideMinor {
        WideMinor(subtract(&product::<4, 4, 8>(&a.0, &d.0), &product(&b.0, &c.0)))
    }

    fn minor_sign(minor: &WideMinor) -> Sign {
        sign(&minor.0)
    }

    fn expand(row: &[Self; 3], minors: &[WideMinor; 3]) -> Sign {
        let term = |i: usize| product::<4, 8, 12>(&row[i].0, &minors[i].0);
        sign(&add(&add(&term(0), &term(1)), &term(2)))
    }
}

#[cfg(test)]
mod tests {
    use dashu_int::IBig;
    use elbowroom_testkit::random::Random;

    use super::*;

    fn value<const N: usize>(limbs: &[u64; N]) -> IBig {
        let magnitude = negated_if(is_negative(limbs), limbs)
            .iter()
            .rev()
            .fold(IBig::ZERO, |sum, &limb| (sum << 64) + limb);
        if is_negative(limbs) { -magnitude } else { magnitude }
    }

    /// A number of up to 254 bits, as both kinds; long runs of ones, which carry furthest,
    /// included.
    fn make(random: &mut Random) -> (Wide, IBig) {
        let bits = random.below(107) as u32;
        let all = (1_u128 << bits) - 1;
        let any = u128::from(random.bits()) << 64 | u128::from(random.bits());
        let magnitude = if random.one_in(4) { all } else { any & all };
        let shift = random.below(148) as u32;
        let negative = random.one_in(2);
        (
            Wide::from_scaled(negative, magnitude, shift),
            <IBig as Number>::from_scaled(negative, magnitude, shift),
        )
    }

    #[test]
    fn agrees_with_big_integers() {
        let mut random = Random::new(7);
        let (mut zeros, mut long, mut negative) = (0, 0, 0);
        for _ in 0..20_000 {
            let mut entries: Vec<(Wide, IBig)> = (0..6).map(|_| make(&mut random)).collect();
            if random.one_in(8) {
                let (first, second) = entries.split_at_mut(3);
                second.clone_from_slice(first);
            }
            let (w, b): (Vec<Wide>, Vec<IBig>) = entries.into_iter().unzip();
            assert_eq!(value(&w[0].plus(&w[1]).0), b[0].plus(&b[1]));
            assert_eq!(value(&w[0].minus(&w[1]).0), b[0].minus(&b[1]));
            // Differences have one bit more, as in use.
            let wide: [Wide; 3] = std::array::from_fn(|i| w[i].minus(&w[i + 3]));
            let big: [IBig; 3] = std::array::from_fn(|i| b[i].minus(&b[i + 3]));
            let minors: [WideMinor; 3] =
                std::array::from_fn(|i| Wide::minor([&w[i], &wide[i]], [&w[i + 1], &wide[2 - i]]));
            let big_minors: [IBig; 3] = std::array::from_fn(|i| {
                <IBig as Number>::minor([&b[i], &big[i]], [&b[i + 1], &big[2 - i]])
            });
            for (minor, expected) in minors.iter().zip(&big_minors) {
                assert_eq!(value(&minor.0), *expected);
                assert_eq!(Wide::minor_sign(minor), <IBig as Number>::minor_sign(expected));
                long += u32::from(minor.0[7] != 0 && minor.0[7] != u64::MAX);
            }
            let sign = Wide::expand(&wide, &minors);
            assert_eq!(sign, <IBig as Number>::expand(&big, &big_minors));
            zeros += u32::from(sign == Sign::Zero);
            negative += u32::from(sign == Sign::Negative);
        }
        assert!(zeros > 1000 && long > 500 && negative > 7000, "{zeros} {long} {negative}");
    }
}
