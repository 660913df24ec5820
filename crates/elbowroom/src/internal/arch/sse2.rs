//! Four lanes: SSE2, which every x86-64 machine has.
//!
//! What these machines lack is the fused product, without which no level would give the same bits
//! as the others: [`fused`] makes it in f64. A product of two f32 is exact there; the
//! sum is rounded to odd (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums",
//! 2008), so that rounding it once more, to f32, is as good as rounding once. It is a function of
//! its own and not part of every kernel: its forty instructions would be most of their code.

// A kernel is one function on every level.
#![expect(clippy::inline_always)]
#![allow(
    clippy::cast_sign_loss,
    clippy::cast_possible_wrap,
    clippy::needless_range_loop,
    reason = "bits are bits, and lanes are numbered together"
)]
#![expect(unsafe_code)]

#[allow(clippy::wildcard_imports, reason = "dozens of intrinsics, all with the same prefix")]
use std::arch::x86_64::*;
use std::ops::{Add, BitOr, Mul, Sub};

use super::f32xn::{Places, parted};
use super::{Block, F32x8, F32x16, F32xN, Floats, Lane, PackedTriangle, TransformF64};

/// Four f32.
#[derive(Clone, Copy)]
pub(super) struct Quad(__m128);

/// All bits of a lane are set, or none.
#[derive(Clone, Copy)]
pub(super) struct Bits(__m128);

/// `a · b + c`, rounded once.
#[inline(never)]
fn fused(a: __m128, b: __m128, c: __m128) -> __m128 {
    // SAFETY: every x86-64 machine has SSE2.
    unsafe {
        let low = fused_two(a, b, c);
        let high = fused_two(_mm_movehl_ps(a, a), _mm_movehl_ps(b, b), _mm_movehl_ps(c, c));
        _mm_movelh_ps(low, high)
    }
}

/// A fused multiply-add of the two lower lanes.
#[inline]
#[target_feature(enable = "sse2")]
fn fused_two(a: __m128, b: __m128, c: __m128) -> __m128 {
    let product = _mm_mul_pd(_mm_cvtps_pd(a), _mm_cvtps_pd(b));
    let other = _mm_cvtps_pd(c);
    let sum = _mm_add_pd(product, other);
    // What was rounded off, exactly; a NaN where the sum is no finite number.
    let part = _mm_sub_pd(sum, product);
    let rest = _mm_add_pd(_mm_sub_pd(product, _mm_sub_pd(sum, part)), _mm_sub_pd(other, part));
    // An even sum of which something is missing or too much goes one step that way, where the odd
    // one is.
    let zero = _mm_setzero_pd();
    let inexact = _mm_or_pd(_mm_cmplt_pd(rest, zero), _mm_cmpgt_pd(rest, zero));
    let one = _mm_and_si128(_mm_castpd_si128(inexact), _mm_set1_epi64x(1));
    let (bits, rest) = (_mm_castpd_si128(sum), _mm_castpd_si128(rest));
    let step = _mm_andnot_si128(bits, one);
    let back = _mm_and_si128(step, _mm_srli_epi64::<63>(_mm_xor_si128(bits, rest)));
    let odd = _mm_add_epi64(bits, _mm_sub_epi64(step, _mm_add_epi64(back, back)));
    _mm_cvtpd_ps(_mm_castsi128_pd(odd))
}

/// Where corners stand, less where they are seen from. The products of f64 are left to the system's
/// mathematics.
#[inline(never)]
fn stepped(p: &[Quad; 6], q: &[Quad; 6], frame: &TransformF64) -> [Quad; 3] {
    let read = |words: &[Quad; 6], axis: usize| {
        let [low, high] = [0, 1].map(|k| words[2 * axis + k].to_array().map(f32::to_bits));
        std::array::from_fn(|lane| {
            f64::from_bits(u64::from(high[lane]) << 32 | u64::from(low[lane]))
        })
    };
    let (p, q): ([[f64; 4]; 3], [[f64; 4]; 3]) =
        ([0, 1, 2].map(|axis| read(p, axis)), [0, 1, 2].map(|axis| read(q, axis)));
    [0, 1, 2].map(|axis| {
        let row = frame.rotation[axis];
        Quad::from_array(std::array::from_fn(|lane| {
            let mut sum = frame.translation[axis];
            for k in 0..3 {
                sum = row[k].mul_add(q[k][lane], sum);
            }
            (sum - p[axis][lane]) as f32
        }))
    })
}

impl Quad {
    #[inline(always)]
    fn from_array(numbers: [f32; 4]) -> Self {
        column(&numbers)
    }

    #[inline(always)]
    fn to_array(self) -> [f32; 4] {
        let mut numbers = [0.0; 4];
        // SAFETY: four f32 in a row are writable, aligned or not.
        unsafe { _mm_storeu_ps(numbers.as_mut_ptr(), self.0) };
        numbers
    }
}

#[inline(always)]
fn column(numbers: &[f32; 4]) -> Quad {
    // SAFETY: four f32 in a row are readable, aligned or not.
    Quad(unsafe { _mm_loadu_ps(numbers.as_ptr()) })
}

impl BitOr for Bits {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        // SAFETY: every x86-64 machine has SSE2.
        Self(unsafe { _mm_or_ps(self.0, other.0) })
    }
}

impl Add for Quad {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: every x86-64 machine has SSE2.
        Self(unsafe { _mm_add_ps(self.0, other.0) })
    }
}

impl Sub for Quad {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: every x86-64 machine has SSE2.
        Self(unsafe { _mm_sub_ps(self.0, other.0) })
    }
}

impl Mul for Quad {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        // SAFETY: every x86-64 machine has SSE2.
        Self(unsafe { _mm_mul_ps(self.0, other.0) })
    }
}

impl Lane for Quad {
    type Mask = Bits;

    const EAGER: bool = false;

    #[inline(always)]
    fn times_plus(self, factor: Self, sum: Self) -> Self {
        Self(fused(self.0, factor.0, sum.0))
    }

    #[inline(always)]
    fn times_from(self, factor: Self, sum: Self) -> Self {
        // SAFETY: every x86-64 machine has SSE2.
        let opposite = unsafe { _mm_xor_ps(self.0, _mm_set1_ps(-0.0)) };
        Self(fused(opposite, factor.0, sum.0))
    }

    #[inline(always)]
    fn abs(self) -> Self {
        // SAFETY: every x86-64 machine has SSE2.
        Self(unsafe { _mm_andnot_ps(_mm_set1_ps(-0.0), self.0) })
    }

    #[inline(always)]
    fn greater(self, other: Self) -> Bits {
        // SAFETY: every x86-64 machine has SSE2.
        Bits(unsafe { _mm_cmpgt_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn all(mask: Bits) -> bool {
        Self::bits(mask) == 0xF
    }
}

impl Floats for Quad {
    #[inline(always)]
    fn splat(value: f32) -> Self {
        // SAFETY: every x86-64 machine has SSE2.
        Self(unsafe { _mm_set1_ps(value) })
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: every x86-64 machine has SSE2.
        Self(unsafe { _mm_max_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn over(self, divisor: Self) -> Self {
        // SAFETY: every x86-64 machine has SSE2.
        Self(unsafe { _mm_div_ps(self.0, divisor.0) })
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: every x86-64 machine has SSE2.
        Self(unsafe { _mm_sqrt_ps(self.0) })
    }

    #[inline(always)]
    fn select(mask: Bits, yes: Self, no: Self) -> Self {
        // SAFETY: every x86-64 machine has SSE2.
        Self(unsafe { _mm_or_ps(_mm_and_ps(mask.0, yes.0), _mm_andnot_ps(mask.0, no.0)) })
    }

    #[inline(always)]
    fn bits(mask: Bits) -> u32 {
        // SAFETY: every x86-64 machine has SSE2.
        unsafe { _mm_movemask_ps(mask.0) as u32 }
    }
}

impl F32xN for Quad {
    const LANES: usize = 4;

    type Pick<'a> = Places<'a>;

    /// The low and high words of three coordinates.
    type Points = [Self; 6];

    #[inline(always)]
    fn mask(bits: u32) -> Bits {
        // SAFETY: every x86-64 machine has SSE2.
        unsafe {
            let own = _mm_setr_epi32(1, 2, 4, 8);
            let set = _mm_and_si128(_mm_set1_epi32(bits as i32), own);
            Bits(_mm_castsi128_ps(_mm_cmpeq_epi32(set, own)))
        }
    }

    #[inline(always)]
    fn load(strip: &F32x16, first: usize) -> Self {
        let numbers = &strip.0[first..first + 4];
        // SAFETY: four f32 in a row are readable, aligned or not.
        Self(unsafe { _mm_loadu_ps(numbers.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, strip: &mut F32x16, first: usize) {
        strip.0[first..first + 4].copy_from_slice(&self.to_array());
    }

    #[inline(always)]
    fn signs(self) -> u32 {
        // SAFETY: every x86-64 machine has SSE2.
        unsafe { _mm_movemask_ps(self.0) as u32 }
    }

    #[inline(always)]
    fn line(blocks: &[&Block; 4], line: usize) -> [Self; 4] {
        [0, 1, 2, 3].map(|k| column(&blocks[0].0[4 * line + k]))
    }

    #[inline(always)]
    fn pick<'a>(blocks: &[&'a Block; 4], lanes: &[u32; 4]) -> Places<'a> {
        Places::new(blocks, lanes)
    }

    #[inline(always)]
    fn spread(pick: &Places, component: usize) -> Self {
        Self::splat(pick.at(0, component))
    }

    #[inline(always)]
    fn join(groups: [&[f32; 4]; 4]) -> Self {
        column(groups[0])
    }

    #[inline(always)]
    fn components(self) -> [Self; 3] {
        let Self(vector) = self;
        // SAFETY: every x86-64 machine has SSE2.
        unsafe {
            [
                Self(_mm_shuffle_ps::<0x00>(vector, vector)),
                Self(_mm_shuffle_ps::<0x55>(vector, vector)),
                Self(_mm_shuffle_ps::<0xAA>(vector, vector)),
            ]
        }
    }

    #[inline(always)]
    fn negative(self) -> Bits {
        // SAFETY: every x86-64 machine has SSE2.
        Bits(unsafe { _mm_castsi128_ps(_mm_srai_epi32::<31>(_mm_castps_si128(self.0))) })
    }

    #[inline(always)]
    fn both(mask: Bits, other: Bits) -> Bits {
        // SAFETY: every x86-64 machine has SSE2.
        Bits(unsafe { _mm_and_ps(mask.0, other.0) })
    }

    #[inline(always)]
    fn without(mask: Bits, other: Bits) -> Bits {
        // SAFETY: every x86-64 machine has SSE2.
        Bits(unsafe { _mm_andnot_ps(other.0, mask.0) })
    }

    #[inline(always)]
    fn repeat(values: &[u32; 4]) -> Self {
        // SAFETY: every x86-64 machine has SSE2.
        Self(unsafe { _mm_castsi128_ps(_mm_set1_epi32(values[0] as i32)) })
    }

    #[inline(always)]
    fn count_up(values: &[u32; 4]) -> Self {
        // SAFETY: every x86-64 machine has SSE2.
        unsafe {
            let base = _mm_set1_epi32(values[0] as i32);
            Self(_mm_castsi128_ps(_mm_add_epi32(base, _mm_setr_epi32(0, 1, 2, 3))))
        }
    }

    #[inline(always)]
    fn compress(self, mask: u32, out: &mut [u32; 16]) {
        let lanes = self.to_array();
        let mut filled = 0;
        for i in 0..4 {
            out[filled] = lanes[i].to_bits();
            filled += (mask >> i & 1) as usize;
        }
    }

    #[inline(always)]
    fn records(
        records: &[PackedTriangle],
        ids: &[u32; 16],
        first: usize,
    ) -> (Self::Points, [[Self; 3]; 2]) {
        let quad = |quad: usize| quad_of(records, ids, first, quad);
        parted([quad(0), quad(1), quad(2)])
    }

    #[inline(always)]
    fn shift(p: &Self::Points, q: &Self::Points, frame: &TransformF64) -> [Self; 3] {
        stepped(p, q, frame)
    }
}

/// A quad of four records, word by word.
#[inline(always)]
fn quad_of(records: &[PackedTriangle], ids: &[u32; 16], first: usize, quad: usize) -> [Quad; 4] {
    let row = |i: usize| {
        let words = &records[ids[first + i] as usize].0[quad];
        // SAFETY: a quad is 16 readable bytes.
        unsafe { _mm_loadu_ps(words.as_ptr().cast()) }
    };
    let [a, b, c, d] = [row(0), row(1), row(2), row(3)];
    // SAFETY: every x86-64 machine has SSE2.
    unsafe {
        let (low_ab, high_ab) = (_mm_unpacklo_ps(a, b), _mm_unpackhi_ps(a, b));
        let (low_cd, high_cd) = (_mm_unpacklo_ps(c, d), _mm_unpackhi_ps(c, d));
        [
            Quad(_mm_movelh_ps(low_ab, low_cd)),
            Quad(_mm_movehl_ps(low_cd, low_ab)),
            Quad(_mm_movelh_ps(high_ab, high_cd)),
            Quad(_mm_movehl_ps(high_cd, high_ab)),
        ]
    }
}

/// Eight f32 in two registers.
#[derive(Clone, Copy)]
pub(super) struct Eight([Quad; 2]);

/// Two masks.
#[derive(Clone, Copy)]
pub(super) struct TwoBits([Bits; 2]);

impl BitOr for TwoBits {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self([self.0[0] | other.0[0], self.0[1] | other.0[1]])
    }
}

impl Eight {
    #[inline(always)]
    fn with(self, other: Self, both: impl Fn(Quad, Quad) -> Quad) -> Self {
        Self([both(self.0[0], other.0[0]), both(self.0[1], other.0[1])])
    }
}

impl Add for Eight {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.with(other, Quad::add)
    }
}

impl Sub for Eight {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.with(other, Quad::sub)
    }
}

impl Mul for Eight {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.with(other, Quad::mul)
    }
}

impl Lane for Eight {
    type Mask = TwoBits;

    const EAGER: bool = false;

    #[inline(always)]
    fn times_plus(self, factor: Self, sum: Self) -> Self {
        let ([a, b], [c, d], [e, f]) = (self.0, factor.0, sum.0);
        Self([a.times_plus(c, e), b.times_plus(d, f)])
    }

    #[inline(always)]
    fn times_from(self, factor: Self, sum: Self) -> Self {
        let ([a, b], [c, d], [e, f]) = (self.0, factor.0, sum.0);
        Self([a.times_from(c, e), b.times_from(d, f)])
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self([self.0[0].abs(), self.0[1].abs()])
    }

    #[inline(always)]
    fn greater(self, other: Self) -> TwoBits {
        TwoBits([self.0[0].greater(other.0[0]), self.0[1].greater(other.0[1])])
    }

    #[inline(always)]
    fn all(mask: TwoBits) -> bool {
        Self::bits(mask) == 0xFF
    }
}

impl Floats for Eight {
    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self([Quad::splat(value); 2])
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.with(other, Quad::max)
    }

    #[inline(always)]
    fn over(self, divisor: Self) -> Self {
        self.with(divisor, Quad::over)
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self([self.0[0].sqrt(), self.0[1].sqrt()])
    }

    #[inline(always)]
    fn select(mask: TwoBits, yes: Self, no: Self) -> Self {
        Self([0, 1].map(|half| Quad::select(mask.0[half], yes.0[half], no.0[half])))
    }

    #[inline(always)]
    fn bits(mask: TwoBits) -> u32 {
        Quad::bits(mask.0[0]) | Quad::bits(mask.0[1]) << 4
    }
}

impl F32x8 for Eight {
    type F64x4 = super::f64x4::Portable;

    #[inline(always)]
    fn load(values: &[f32; 8]) -> Self {
        let (low, high) = values.split_at(4);
        // SAFETY: four f32 in a row are readable, aligned or not, twice.
        unsafe { Self([Quad(_mm_loadu_ps(low.as_ptr())), Quad(_mm_loadu_ps(high.as_ptr()))]) }
    }

    #[inline(always)]
    fn count_twice(values: &[u16; 4]) -> Self {
        let [a, b, c, d] = values.map(i32::from);
        // SAFETY: every x86-64 machine has SSE2.
        Self([Quad(unsafe { _mm_cvtepi32_ps(_mm_setr_epi32(a, b, c, d)) }); 2])
    }

    #[inline(always)]
    fn spread(self) -> [Self; 2] {
        let four = self.0[0].0;
        // SAFETY: every x86-64 machine has SSE2.
        unsafe {
            let (a, b) = (_mm_shuffle_ps::<0x00>(four, four), _mm_shuffle_ps::<0x55>(four, four));
            let (c, d) = (_mm_shuffle_ps::<0xAA>(four, four), _mm_shuffle_ps::<0xFF>(four, four));
            [Self([Quad(a), Quad(b)]), Self([Quad(c), Quad(d)])]
        }
    }

    #[inline(always)]
    fn most(self, other: Self) -> usize {
        let values = [self.to_array(), other.to_array()];
        let key = |place: usize| values[place / 8][place % 8].to_bits() as i32 & !15 | place as i32;
        ((0..16).map(key).fold(i32::MIN, i32::max) & 15) as usize
    }

    #[inline(always)]
    fn to_array(self) -> [f32; 8] {
        let mut out = [0.0; 8];
        out[..4].copy_from_slice(&self.0[0].to_array());
        out[4..].copy_from_slice(&self.0[1].to_array());
        out
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // SAFETY: every x86-64 machine has SSE2.
        self.with(other, |a, b| Quad(unsafe { _mm_min_ps(a.0, b.0) }))
    }

    #[inline(always)]
    fn swap(self) -> Self {
        Self([self.0[1], self.0[0]])
    }
}
