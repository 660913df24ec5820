//! Four f64 side by side, for what moves points: a column of a matrix, a quaternion.
//!
//! A kernel is written once over [`F64x4`] and gives the same bits on every instruction set: each
//! operation rounds once, and none is fused. AVX2 holds the four in one register; everything else
//! in an array, which the compiler makes two registers of. Wider registers are of no use here,
//! because a kernel follows one vertex at a time and not several: what several vertices need lies
//! apart in memory.

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

use std::ops::{Add, Mul, Sub};

use super::SimdLevel;

/// Four f64.
pub trait F64x4: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
    /// One number four times.
    fn splat(value: f64) -> Self;

    /// Four numbers.
    fn load(values: &[f64; 4]) -> Self;

    /// The four numbers.
    fn to_array(self) -> [f64; 4];

    /// The first three of them.
    fn store_three(self, out: &mut [f64; 3]);

    /// Three numbers, and a zero.
    fn three(values: &[f64; 3]) -> Self;

    /// Two numbers, each twice: a, a, b, b.
    fn twice(values: &[f64; 2]) -> Self;

    /// The smaller of the two; the other's where both are equal or either is NaN.
    #[must_use]
    fn min(self, other: Self) -> Self;

    /// The larger of the two; the other's where both are equal or either is NaN.
    #[must_use]
    fn max(self, other: Self) -> Self;

    /// Magnitudes.
    #[must_use]
    fn abs(self) -> Self;

    /// Four numbers of f32.
    fn widen(values: &[f32; 4]) -> Self;

    /// The four numbers, each rounded to f32.
    fn narrow(self) -> [f32; 4];

    /// Smaller, larger, smaller, larger: what two spans each have together. The other's where both
    /// are equal.
    #[must_use]
    fn spans(self, other: Self) -> Self;
}

/// Something that can be run on any kind of four.
pub trait F64x4Kernel {
    /// Runs it. Must be `#[inline(always)]`, so that it becomes part of the function that switches
    /// the instruction set on: as a function of its own it gives the same answer, but slower.
    /// The trait is not sealed, because other crates of the workspace have kernels; a test in
    /// `arch::dispatch` reads the sources of all of them and fails where the attribute is
    /// missing.
    fn run<F: F64x4>(self);
}

/// Runs a kernel on the best instructions up to a level that this machine has.
#[inline]
#[cfg_attr(target_arch = "x86_64", expect(unsafe_code))]
pub fn run_f64x4<K: F64x4Kernel>(level: SimdLevel, kernel: K) {
    #[cfg(target_arch = "x86_64")]
    if level >= SimdLevel::Avx2 && SimdLevel::Avx2.is_here() {
        // SAFETY: the line above has seen AVX2.
        return unsafe { on_avx2(kernel) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = level;
    kernel.run::<Portable>();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn on_avx2<K: F64x4Kernel>(kernel: K) {
    kernel.run::<x86::Avx2>();
}

/// An array.
#[derive(Clone, Copy)]
pub(super) struct Portable([f64; 4]);

impl Add for Portable {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] + other.0[i]))
    }
}

impl Sub for Portable {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] - other.0[i]))
    }
}

impl Mul for Portable {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] * other.0[i]))
    }
}

impl F64x4 for Portable {
    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self([value; 4])
    }

    #[inline(always)]
    fn load(values: &[f64; 4]) -> Self {
        Self(*values)
    }

    #[inline(always)]
    fn to_array(self) -> [f64; 4] {
        self.0
    }

    #[inline(always)]
    fn store_three(self, out: &mut [f64; 3]) {
        *out = [self.0[0], self.0[1], self.0[2]];
    }

    #[inline(always)]
    fn three(&[a, b, c]: &[f64; 3]) -> Self {
        Self([a, b, c, 0.0])
    }

    #[inline(always)]
    fn twice(&[a, b]: &[f64; 2]) -> Self {
        Self([a, a, b, b])
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        let smaller = |a: f64, b: f64| if a < b { a } else { b };
        Self(std::array::from_fn(|i| smaller(self.0[i], other.0[i])))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        let larger = |a: f64, b: f64| if a > b { a } else { b };
        Self(std::array::from_fn(|i| larger(self.0[i], other.0[i])))
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.map(f64::abs))
    }

    #[inline(always)]
    fn widen(values: &[f32; 4]) -> Self {
        Self(values.map(f64::from))
    }

    #[inline(always)]
    fn narrow(self) -> [f32; 4] {
        self.0.map(|x| x as f32)
    }

    #[inline(always)]
    fn spans(self, other: Self) -> Self {
        let smaller = |a: f64, b: f64| if a < b { a } else { b };
        let larger = |a: f64, b: f64| if a > b { a } else { b };
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Self([smaller(a, e), larger(b, f), smaller(c, g), larger(d, h)])
    }
}

/// One register of AVX2.
///
/// The type is private to `arch` and named only by `on_avx2` and, as `F32x8::F64x4`, by the eight
/// lanes of AVX2. Both are run only after AVX2 was detected; so wherever a method runs, the machine
/// has it.
#[cfg(target_arch = "x86_64")]
pub(super) mod x86 {
    #![expect(unsafe_code)]

    use std::arch::x86_64::{
        __m256d, _mm_load_sd, _mm_loadu_pd, _mm_loadu_ps, _mm_store_sd, _mm_storeu_pd,
        _mm_storeu_ps, _mm256_add_pd, _mm256_andnot_pd, _mm256_blend_pd, _mm256_castpd128_pd256,
        _mm256_castpd256_pd128, _mm256_cvtpd_ps, _mm256_cvtps_pd, _mm256_extractf128_pd,
        _mm256_insertf128_pd, _mm256_loadu_pd, _mm256_max_pd, _mm256_min_pd, _mm256_mul_pd,
        _mm256_permute4x64_pd, _mm256_set1_pd, _mm256_storeu_pd, _mm256_sub_pd,
    };
    use std::ops::{Add, Mul, Sub};

    use super::F64x4;

    #[derive(Clone, Copy)]
    pub(crate) struct Avx2(__m256d);

    impl Add for Avx2 {
        type Output = Self;

        #[inline(always)]
        fn add(self, other: Self) -> Self {
            // SAFETY: the machine has AVX2, see above.
            Self(unsafe { _mm256_add_pd(self.0, other.0) })
        }
    }

    impl Sub for Avx2 {
        type Output = Self;

        #[inline(always)]
        fn sub(self, other: Self) -> Self {
            // SAFETY: the machine has AVX2, see above.
            Self(unsafe { _mm256_sub_pd(self.0, other.0) })
        }
    }

    impl Mul for Avx2 {
        type Output = Self;

        #[inline(always)]
        fn mul(self, other: Self) -> Self {
            // SAFETY: the machine has AVX2, see above.
            Self(unsafe { _mm256_mul_pd(self.0, other.0) })
        }
    }

    impl F64x4 for Avx2 {
        #[inline(always)]
        fn splat(value: f64) -> Self {
            // SAFETY: the machine has AVX2, see above.
            Self(unsafe { _mm256_set1_pd(value) })
        }

        #[inline(always)]
        fn load(values: &[f64; 4]) -> Self {
            // SAFETY: four f64 in a row are readable, aligned or not; AVX2 as above.
            Self(unsafe { _mm256_loadu_pd(values.as_ptr()) })
        }

        #[inline(always)]
        fn to_array(self) -> [f64; 4] {
            let mut out = [0.0; 4];
            // SAFETY: four f64 in a row are writable, aligned or not; AVX2 as above.
            unsafe { _mm256_storeu_pd(out.as_mut_ptr(), self.0) };
            out
        }

        #[inline(always)]
        fn store_three(self, out: &mut [f64; 3]) {
            // SAFETY: three f64 in a row are writable: two, then one; AVX2 as above.
            unsafe {
                _mm_storeu_pd(out.as_mut_ptr(), _mm256_castpd256_pd128(self.0));
                _mm_store_sd(out.as_mut_ptr().add(2), _mm256_extractf128_pd::<1>(self.0));
            }
        }

        #[inline(always)]
        fn three(values: &[f64; 3]) -> Self {
            // SAFETY: three f64 in a row are readable, aligned or not: two, then one; AVX2 as
            // above.
            Self(unsafe {
                let two = _mm256_castpd128_pd256(_mm_loadu_pd(values.as_ptr()));
                _mm256_insertf128_pd::<1>(two, _mm_load_sd(values.as_ptr().add(2)))
            })
        }

        #[inline(always)]
        fn min(self, other: Self) -> Self {
            // SAFETY: the machine has AVX2, see above. It takes the second where neither is
            // smaller.
            Self(unsafe { _mm256_min_pd(self.0, other.0) })
        }

        #[inline(always)]
        fn max(self, other: Self) -> Self {
            // SAFETY: the machine has AVX2, see above. It takes the second where neither is larger.
            Self(unsafe { _mm256_max_pd(self.0, other.0) })
        }

        #[inline(always)]
        fn abs(self) -> Self {
            // SAFETY: the machine has AVX2, see above.
            Self(unsafe { _mm256_andnot_pd(_mm256_set1_pd(-0.0), self.0) })
        }

        #[inline(always)]
        fn widen(values: &[f32; 4]) -> Self {
            // SAFETY: four f32 in a row are readable, aligned or not; AVX2 as above.
            Self(unsafe { _mm256_cvtps_pd(_mm_loadu_ps(values.as_ptr())) })
        }

        #[inline(always)]
        fn narrow(self) -> [f32; 4] {
            let mut out = [0.0; 4];
            // SAFETY: four f32 in a row are writable, aligned or not; AVX2 as above.
            unsafe { _mm_storeu_ps(out.as_mut_ptr(), _mm256_cvtpd_ps(self.0)) };
            out
        }

        #[inline(always)]
        fn twice(values: &[f64; 2]) -> Self {
            // SAFETY: two f64 in a row are readable, aligned or not; what is above them is not
            // looked at; AVX2 as above.
            Self(unsafe {
                let two = _mm256_castpd128_pd256(_mm_loadu_pd(values.as_ptr()));
                _mm256_permute4x64_pd::<0b01_01_00_00>(two)
            })
        }

        #[inline(always)]
        fn spans(self, other: Self) -> Self {
            // SAFETY: the machine has AVX2, see above. Both take the second where neither is
            // smaller or larger.
            Self(unsafe {
                let (low, high) = (_mm256_min_pd(self.0, other.0), _mm256_max_pd(self.0, other.0));
                _mm256_blend_pd::<0b1010>(low, high)
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elbowroom_testkit::random::Random;

    /// All that a four can do, on numbers of every size and sign.
    struct Everything<'a> {
        input: &'a [[f64; 4]],
        out: &'a mut Vec<u64>,
    }

    impl F64x4Kernel for Everything<'_> {
        #[inline(always)]
        fn run<F: F64x4>(self) {
            for pair in self.input.windows(2) {
                let (a, b) = (F::load(&pair[0]), F::load(&pair[1]));
                let sum = a * F::splat(pair[1][2]) + b * b;
                self.out.extend(sum.to_array().map(f64::to_bits));
                let mut three = [0.0; 3];
                sum.store_three(&mut three);
                assert_eq!(three.map(f64::to_bits)[..], sum.to_array().map(f64::to_bits)[..3]);
                let spans = a.spans(b).spans(F::twice(&[pair[0][3], pair[1][0]]));
                self.out.extend(spans.to_array().map(f64::to_bits));
                let three = F::three(&[pair[0][0], pair[0][1], pair[0][2]]);
                let (less, more) = (three.min(b), three.max(b));
                self.out.extend(((less - more).abs() - three).to_array().map(f64::to_bits));
                self.out.extend(less.to_array().map(f64::to_bits));
                self.out.extend(more.to_array().map(f64::to_bits));
                self.out.extend(more.narrow().map(|x| u64::from(x.to_bits())));
                self.out.extend(F::widen(&more.narrow()).to_array().map(f64::to_bits));
            }
        }
    }

    #[test]
    fn every_level_gives_the_bits_of_plain_arithmetic() {
        let mut random = Random::new(7);
        let input: Vec<[f64; 4]> = (0..20_000)
            .map(|_| {
                std::array::from_fn(|_| match random.below(40) {
                    // Both zeros, so that equal numbers differ.
                    0 => 0.0,
                    1 => -0.0,
                    _ => random.uniform(-1.0, 1.0) * f64::powi(2.0, random.range(-80, 80) as i32),
                })
            })
            .collect();
        let mut expected = Vec::new();
        for pair in input.windows(2) {
            for i in 0..4 {
                let (product, square) = (pair[0][i] * pair[1][2], pair[1][i] * pair[1][i]);
                expected.push((product + square).to_bits());
            }
            let twice = [pair[0][3], pair[0][3], pair[1][0], pair[1][0]];
            for i in 0..4 {
                let mut span = pair[0][i];
                for other in [pair[1][i], twice[i]] {
                    let stays = if i % 2 == 0 { span < other } else { span > other };
                    span = if stays { span } else { other };
                }
                expected.push(span.to_bits());
            }
            let three = [pair[0][0], pair[0][1], pair[0][2], 0.0];
            let both =
                |pick: fn(f64, f64) -> bool| {
                    std::array::from_fn(|i| {
                        if pick(three[i], pair[1][i]) { three[i] } else { pair[1][i] }
                    })
                };
            let (less, more): ([f64; 4], [f64; 4]) = (both(|a, b| a < b), both(|a, b| a > b));
            expected.extend((0..4).map(|i| ((less[i] - more[i]).abs() - three[i]).to_bits()));
            expected.extend(less.map(f64::to_bits));
            expected.extend(more.map(f64::to_bits));
            expected.extend(more.map(|x| u64::from((x as f32).to_bits())));
            expected.extend(more.map(|x| f64::from(x as f32).to_bits()));
        }
        let mut fused = 0;
        for pair in input.windows(2) {
            for i in 0..4 {
                let sum = pair[0][i].mul_add(pair[1][2], pair[1][i] * pair[1][i]);
                fused += usize::from(sum != pair[0][i] * pair[1][2] + pair[1][i] * pair[1][i]);
            }
        }
        assert!(fused > 1000, "fusing would have shown {fused} times");
        for level in SimdLevel::ALL.into_iter().filter(|level| level.is_here()) {
            let mut out = Vec::new();
            run_f64x4(level, Everything { input: &input, out: &mut out });
            assert_eq!(out.len(), 28 * 19_999);
            assert!(out == expected, "{level:?}");
        }
    }
}
