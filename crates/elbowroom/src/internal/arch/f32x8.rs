//! Eight f32 side by side, for what builds trees: six faces of a box, or eight candidates that are
//! compared.
//!
//! A kernel is written once over [`F32x8`] and gives the same bits on every instruction set: the
//! number of lanes is always eight, and products that are added are fused everywhere. Wider
//! registers would be of little use, because a box has six faces.

#[cfg(any(test, not(target_arch = "x86_64")))]
use super::portable::Plain;
use super::{F64x4, Floats, SimdLevel};

#[cfg(target_arch = "x86_64")]
use super::sse2::Eight;
#[cfg(not(target_arch = "x86_64"))]
type Eight = Plain<8>;

/// Eight f32.
pub trait F32x8: Floats {
    /// Four f64, for sums that f32 would blur.
    type F64x4: F64x4;

    /// Eight numbers.
    fn load(values: &[f32; 8]) -> Self;

    /// Four whole numbers, twice.
    fn count_twice(values: &[u16; 4]) -> Self;

    /// The first two lanes, each four times, and the second two.
    #[must_use]
    fn spread(self) -> [Self; 2];

    /// The place of the largest of sixteen numbers, if it is not negative: the last of those that
    /// are alike but for their last four bits.
    fn most(self, other: Self) -> usize;

    /// The eight numbers.
    fn to_array(self) -> [f32; 8];

    /// The smaller of the two; the second where either is NaN or both are zero.
    #[must_use]
    fn min(self, other: Self) -> Self;

    /// The lower four lanes in the place of the upper four, and the other way round.
    #[must_use]
    fn swap(self) -> Self;
}

/// Something that can be run on any kind of eight.
pub trait F32x8Kernel {
    /// The result.
    type Output;

    /// Runs it. Must be `#[inline(always)]`, so that it becomes part of the function that switches
    /// the instruction set on: as a function of its own it gives the same answer, but slower.
    /// The trait is not sealed, because other crates of the workspace have kernels; a test in
    /// `arch::dispatch` reads the sources of all of them and fails where the attribute is
    /// missing.
    fn run<O: F32x8>(self) -> Self::Output;
}

/// Runs a kernel on the best instructions up to a level that this machine has.
#[inline]
#[cfg_attr(target_arch = "x86_64", expect(unsafe_code))]
pub fn run_f32x8<K: F32x8Kernel>(level: SimdLevel, kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if level >= SimdLevel::Avx2 && SimdLevel::Avx2.is_here() {
        // SAFETY: the line above has seen every feature that the function asks for.
        return unsafe { on_avx2(kernel) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = level;
    kernel.run::<Eight>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,popcnt,bmi1,bmi2,lzcnt")]
fn on_avx2<K: F32x8Kernel>(kernel: K) -> K::Output {
    kernel.run::<super::avx2::Eight>()
}

#[cfg(test)]
mod tests {
    // A kernel must become part of the function that switches the instruction set on.
    #![expect(clippy::inline_always)]

    use std::array::from_fn;

    use super::*;
    use elbowroom_testkit::random::Random;

    /// All that an eight can do, as bits.
    struct Everything<'a> {
        input: &'a [[f32; 8]],
        out: &'a mut Vec<u32>,
    }

    impl F32x8Kernel for Everything<'_> {
        type Output = ();

        #[inline(always)]
        fn run<O: F32x8>(self) {
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
                    O::count_twice(&from_fn(|i| three[0][i].to_bits() as u16)),
                    a.spread()[0],
                    a.spread()[1],
                ] {
                    self.out.extend(value.to_array().map(f32::to_bits));
                }
                self.out.push(O::bits(more));
                self.out.push(O::bits(more | less));
                self.out.push(u32::from(O::all(more | less)));
                self.out.push(a.most(b) as u32);
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
        Everything { input: &input, out: &mut expected }.run::<Plain<8>>();
        let nan = |bits: &u32| f32::from_bits(*bits).is_nan();
        let mut levels = 0;
        for level in SimdLevel::ALL.into_iter().filter(|level| level.is_here()) {
            let mut out = Vec::new();
            run_f32x8(level, Everything { input: &input, out: &mut out });
            assert_eq!(out.len(), 2999 * 124);
            // The bits of a NaN are not defined.
            let same = |(a, b): (&u32, &u32)| a == b || nan(a) && nan(b);
            assert!(out.iter().zip(&expected).all(same), "{level:?}");
            levels += 1;
        }
        assert!(levels >= 1);
        // By hand: what is fused rounds once, and a comparison of zeros takes the second.
        let three = [[0.0, 3.0, 1.0 + f32::EPSILON, 1.0, 2.0, 4.0, 9.0, 7.0]; 3];
        let mut out = Vec::new();
        Everything { input: &three, out: &mut out }.run::<Plain<8>>();
        let value = |k: usize, lane: usize| f32::from_bits(out[8 * k + lane]);
        assert_eq!((value(0, 1), value(1, 1), value(2, 1)), (6.0, 0.0, 9.0));
        assert_eq!((value(3, 1), value(4, 1), value(8, 1)), (12.0, -6.0, 0.75));
        assert_eq!((value(9, 5), value(10, 0), value(11, 6)), (2.0, 2.0, 9.0));
    }
}
