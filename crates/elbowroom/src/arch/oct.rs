//! Eight f32 side by side, for what builds trees: six faces of a box, or eight candidates that are compared.
//!
//! A kernel is written once over [`Oct`] and gives the same bits on every instruction set: the number of
//! lanes is always eight, and products that are added are fused everywhere. Wider registers would be of little
//! use, because a box has six faces.

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]
#![allow(
    clippy::cast_sign_loss,
    clippy::cast_possible_wrap,
    clippy::needless_range_loop,
    reason = "bits are bits, and lanes are numbered together"
)]

use std::array::from_fn;
use std::ops::{Add, BitOr, Mul, Sub};

use super::{Lane, Level};

/// Eight f32.
pub trait Oct: Lane {
    /// One number in every lane.
    fn splat(value: f32) -> Self;

    /// Eight numbers.
    fn load(values: &[f32; 8]) -> Self;

    /// The eight numbers.
    fn to_array(self) -> [f32; 8];

    /// The larger of the two; the second where either is NaN or both are zero.
    #[must_use]
    fn max(self, other: Self) -> Self;

    /// The smaller of the two; the second where either is NaN or both are zero.
    #[must_use]
    fn min(self, other: Self) -> Self;

    /// Quotients, rounded once.
    #[must_use]
    fn over(self, divisor: Self) -> Self;

    /// Square roots, rounded once.
    #[must_use]
    fn sqrt(self) -> Self;

    /// The lower four lanes in the place of the upper four, and the other way round.
    #[must_use]
    fn swap(self) -> Self;

    /// `yes` in the lanes of the mask, `no` in the others.
    #[must_use]
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;

    /// The lanes of a mask as bits.
    fn bits(mask: Self::Mask) -> u32;
}

/// Something that can be run on any kind of eight.
pub trait OctKernel {
    /// What it gives.
    type Output;

    /// Runs it. Must be `#[inline(always)]`, so that it becomes part of the function that switches the
    /// instruction set on.
    fn run<O: Oct>(self) -> Self::Output;
}

/// Runs a kernel on the best instructions up to a level that this machine has.
#[inline]
#[cfg_attr(target_arch = "x86_64", expect(unsafe_code))]
pub fn run_oct<K: OctKernel>(level: Level, kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if level >= Level::Avx2 && Level::Avx2.is_here() {
        // SAFETY: the line above has seen every feature that the function asks for.
        return unsafe { on_avx2(kernel) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = level;
    kernel.run::<Portable>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,popcnt,bmi1,bmi2,lzcnt")]
fn on_avx2<K: OctKernel>(kernel: K) -> K::Output {
    kernel.run::<x86::Avx2>()
}

/// An array.
#[derive(Clone, Copy)]
struct Portable([f32; 8]);

/// Eight bits.
#[derive(Clone, Copy)]
struct Bits(u32);

impl BitOr for Bits {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Add for Portable {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(from_fn(|i| self.0[i] + other.0[i]))
    }
}

impl Sub for Portable {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(from_fn(|i| self.0[i] - other.0[i]))
    }
}

impl Mul for Portable {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(from_fn(|i| self.0[i] * other.0[i]))
    }
}

impl Lane for Portable {
    type Mask = Bits;

    const EAGER: bool = false;

    #[inline(always)]
    fn times_plus(self, factor: Self, sum: Self) -> Self {
        Self(from_fn(|i| self.0[i].mul_add(factor.0[i], sum.0[i])))
    }

    #[inline(always)]
    fn times_from(self, factor: Self, sum: Self) -> Self {
        Self(from_fn(|i| (-self.0[i]).mul_add(factor.0[i], sum.0[i])))
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.map(f32::abs))
    }

    #[inline(always)]
    fn greater(self, other: Self) -> Bits {
        Bits((0..8).map(|i| u32::from(self.0[i] > other.0[i]) << i).sum())
    }

    #[inline(always)]
    fn all(mask: Bits) -> bool {
        mask.0 == 0xFF
    }
}

impl Oct for Portable {
    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self([value; 8])
    }

    #[inline(always)]
    fn load(values: &[f32; 8]) -> Self {
        Self(*values)
    }

    #[inline(always)]
    fn to_array(self) -> [f32; 8] {
        self.0
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(from_fn(|i| if self.0[i] > other.0[i] { self.0[i] } else { other.0[i] }))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(from_fn(|i| if self.0[i] < other.0[i] { self.0[i] } else { other.0[i] }))
    }

    #[inline(always)]
    fn over(self, divisor: Self) -> Self {
        Self(from_fn(|i| self.0[i] / divisor.0[i]))
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.map(f32::sqrt))
    }

    #[inline(always)]
    fn swap(self) -> Self {
        Self(from_fn(|i| self.0[i ^ 4]))
    }

    #[inline(always)]
    fn select(mask: Bits, yes: Self, no: Self) -> Self {
        Self(from_fn(|i| if mask.0 >> i & 1 == 1 { yes.0[i] } else { no.0[i] }))
    }

    #[inline(always)]
    fn bits(mask: Bits) -> u32 {
        mask.0
    }
}

/// One register of AVX2.
///
/// The types are named only by `on_avx2`, which has the features switched on, after they were detected; so
/// wherever a method runs, the machine has AVX2 and fused multiply-add. That is the reason behind each `unsafe`
/// that only calls an intrinsic.
#[cfg(target_arch = "x86_64")]
mod x86 {
    #![expect(unsafe_code)]

    #[allow(
        clippy::wildcard_imports,
        reason = "dozens of intrinsics, all with the same prefix"
    )]
    use std::arch::x86_64::*;
    use std::ops::{Add, BitOr, Mul, Sub};

    use super::{Lane, Oct};

    #[derive(Clone, Copy)]
    pub(super) struct Avx2(__m256);

    /// All bits of a lane are set, or none.
    #[derive(Clone, Copy)]
    pub(super) struct Mask(__m256);

    impl BitOr for Mask {
        type Output = Self;

        #[inline(always)]
        fn bitor(self, other: Self) -> Self {
            // SAFETY: the machine has AVX2, see above.
            Self(unsafe { _mm256_or_ps(self.0, other.0) })
        }
    }

    impl Add for Avx2 {
        type Output = Self;

        #[inline(always)]
        fn add(self, other: Self) -> Self {
            // SAFETY: the machine has AVX2, see above.
            Self(unsafe { _mm256_add_ps(self.0, other.0) })
        }
    }

    impl Sub for Avx2 {
        type Output = Self;

        #[inline(always)]
        fn sub(self, other: Self) -> Self {
            // SAFETY: the machine has AVX2, see above.
            Self(unsafe { _mm256_sub_ps(self.0, other.0) })
        }
    }

    impl Mul for Avx2 {
        type Output = Self;

        #[inline(always)]
        fn mul(self, other: Self) -> Self {
            // SAFETY: the machine has AVX2, see above.
            Self(unsafe { _mm256_mul_ps(self.0, other.0) })
        }
    }

    impl Lane for Avx2 {
        type Mask = Mask;

        const EAGER: bool = false;

        #[inline(always)]
        fn times_plus(self, factor: Self, sum: Self) -> Self {
            // SAFETY: the machine has FMA, see above.
            Self(unsafe { _mm256_fmadd_ps(self.0, factor.0, sum.0) })
        }

        #[inline(always)]
        fn times_from(self, factor: Self, sum: Self) -> Self {
            // SAFETY: the machine has FMA, see above.
            Self(unsafe { _mm256_fnmadd_ps(self.0, factor.0, sum.0) })
        }

        #[inline(always)]
        fn abs(self) -> Self {
            // SAFETY: the machine has AVX2, see above.
            Self(unsafe { _mm256_andnot_ps(_mm256_set1_ps(-0.0), self.0) })
        }

        #[inline(always)]
        fn greater(self, other: Self) -> Mask {
            // SAFETY: the machine has AVX2, see above.
            Mask(unsafe { _mm256_cmp_ps::<_CMP_GT_OQ>(self.0, other.0) })
        }

        #[inline(always)]
        fn all(mask: Mask) -> bool {
            Self::bits(mask) == 0xFF
        }
    }

    impl Oct for Avx2 {
        #[inline(always)]
        fn splat(value: f32) -> Self {
            // SAFETY: the machine has AVX2, see above.
            Self(unsafe { _mm256_set1_ps(value) })
        }

        #[inline(always)]
        fn load(values: &[f32; 8]) -> Self {
            // SAFETY: eight f32 in a row are readable, aligned or not; AVX2 as above.
            Self(unsafe { _mm256_loadu_ps(values.as_ptr()) })
        }

        #[inline(always)]
        fn to_array(self) -> [f32; 8] {
            let mut out = [0.0; 8];
            // SAFETY: eight f32 in a row are writable, aligned or not; AVX2 as above.
            unsafe { _mm256_storeu_ps(out.as_mut_ptr(), self.0) };
            out
        }

        #[inline(always)]
        fn max(self, other: Self) -> Self {
            // SAFETY: the machine has AVX2, see above.
            Self(unsafe { _mm256_max_ps(self.0, other.0) })
        }

        #[inline(always)]
        fn min(self, other: Self) -> Self {
            // SAFETY: the machine has AVX2, see above.
            Self(unsafe { _mm256_min_ps(self.0, other.0) })
        }

        #[inline(always)]
        fn over(self, divisor: Self) -> Self {
            // SAFETY: the machine has AVX2, see above.
            Self(unsafe { _mm256_div_ps(self.0, divisor.0) })
        }

        #[inline(always)]
        fn sqrt(self) -> Self {
            // SAFETY: the machine has AVX2, see above.
            Self(unsafe { _mm256_sqrt_ps(self.0) })
        }

        #[inline(always)]
        fn swap(self) -> Self {
            // SAFETY: the machine has AVX2, see above.
            Self(unsafe { _mm256_permute2f128_ps::<1>(self.0, self.0) })
        }

        #[inline(always)]
        fn select(mask: Mask, yes: Self, no: Self) -> Self {
            // SAFETY: the machine has AVX2, see above.
            Self(unsafe { _mm256_blendv_ps(no.0, yes.0, mask.0) })
        }

        #[inline(always)]
        fn bits(mask: Mask) -> u32 {
            // SAFETY: the machine has AVX2, see above.
            unsafe { _mm256_movemask_ps(mask.0) as u32 }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elbowroom_testkit::random::Random;

    /// All that an eight can do, as bits.
    struct Everything<'a> {
        input: &'a [[f32; 8]],
        out: &'a mut Vec<u32>,
    }

    impl OctKernel for Everything<'_> {
        type Output = ();

        #[inline(always)]
        fn run<O: Oct>(self) {
            for three in self.input.windows(3) {
                let [a, b, c] = [0, 1, 2].map(|i| O::load(&three[i]));
                let (more, less) = (a.greater(b), c.greater(b));
                for value in [
                    a + b,
                    a - b,
                    a * b,
                    a.times_plus(b, c),
                    a.times_from(b, c),
                    a.abs(),
                    a.max(b),
                    a.min(b),
                    a.over(b.abs() + O::splat(1.0)),
                    a.abs().sqrt(),
                    a.swap(),
                    O::select(more, a, c),
                ] {
                    self.out.extend(value.to_array().map(f32::to_bits));
                }
                self.out.push(O::bits(more));
                self.out.push(O::bits(more | less));
                self.out.push(u32::from(O::all(more | less)));
            }
        }
    }

    #[test]
    fn every_level_gives_the_bits_of_plain_arithmetic() {
        let mut random = Random::new(8);
        let mut number = |i: usize| match i % 7 {
            0 => 0.0,
            1 => -0.0,
            2 => f32::NEG_INFINITY,
            _ => (random.uniform(-1.0, 1.0) * f64::powi(2.0, random.range(-60, 60) as i32)) as f32,
        };
        let input: Vec<[f32; 8]> =
            (0..3001).map(|row| from_fn(|lane| number(3 * row + 5 * lane))).collect();
        let mut expected = Vec::new();
        Everything { input: &input, out: &mut expected }.run::<Portable>();
        let nan = |bits: &u32| f32::from_bits(*bits).is_nan();
        let mut levels = 0;
        for level in Level::ALL.into_iter().filter(|level| level.is_here()) {
            let mut out = Vec::new();
            run_oct(level, Everything { input: &input, out: &mut out });
            assert_eq!(out.len(), 2999 * 99);
            // The bits of a NaN are nobody's.
            let same = |(a, b): (&u32, &u32)| a == b || nan(a) && nan(b);
            assert!(out.iter().zip(&expected).all(same), "{level:?}");
            levels += 1;
        }
        assert!(levels >= 1);
        // By hand: what is fused rounds once, and a comparison of zeros takes the second.
        let three = [[0.0, 3.0, 1.0 + f32::EPSILON, 1.0, 2.0, 4.0, 9.0, 7.0]; 3];
        let mut out = Vec::new();
        Everything { input: &three, out: &mut out }.run::<Portable>();
        let value = |k: usize, lane: usize| f32::from_bits(out[8 * k + lane]);
        assert_eq!((value(0, 1), value(1, 1), value(2, 1)), (6.0, 0.0, 9.0));
        assert_eq!((value(3, 1), value(4, 1), value(8, 1)), (12.0, -6.0, 0.75));
        assert_eq!((value(9, 5), value(10, 0), value(11, 6)), (2.0, 2.0, 9.0));
    }
}
