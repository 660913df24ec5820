//! Eight lanes: AVX2 and fused multiply-add.
//!
//! Every method calls intrinsics that need AVX2 or FMA. The type is private to `arch` and named
//! only by the two functions `on_avx2`, of `dispatch` and of `oct`. Both have these features
//! switched on and are called after the features were detected; so wherever a method runs, the
//! machine has them. That is the reason behind each `unsafe` below that only calls an intrinsic.

// A kernel must become part of the function that switches the instruction set on.
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

use super::{Block, F32x8, F32x16, F32xN, Floats, Lane, PackedTriangle, TransformF64};

/// Eight f32.
#[derive(Clone, Copy)]
pub(super) struct Eight(__m256);

/// All bits of a lane are set, or none.
#[derive(Clone, Copy)]
pub(super) struct Bits(__m256);

impl BitOr for Bits {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        // SAFETY: the machine has AVX2, see above.
        Self(unsafe { _mm256_or_ps(self.0, other.0) })
    }
}

impl Add for Eight {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: the machine has AVX2, see above.
        Self(unsafe { _mm256_add_ps(self.0, other.0) })
    }
}

impl Sub for Eight {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: the machine has AVX2, see above.
        Self(unsafe { _mm256_sub_ps(self.0, other.0) })
    }
}

impl Mul for Eight {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        // SAFETY: the machine has AVX2, see above.
        Self(unsafe { _mm256_mul_ps(self.0, other.0) })
    }
}

impl Lane for Eight {
    type Mask = Bits;

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
    fn set_down<T>(values: &mut T) {
        // SAFETY: there is no instruction in it. What it is told, the compiler has to have written,
        // and has to read again: it does not hold on to registers meanwhile.
        unsafe {
            std::arch::asm!("/* {} */", in(reg) values, options(nostack, preserves_flags));
        }
    }

    #[inline(always)]
    fn abs(self) -> Self {
        // SAFETY: the machine has AVX2, see above.
        Self(unsafe { _mm256_andnot_ps(_mm256_set1_ps(-0.0), self.0) })
    }

    #[inline(always)]
    fn greater(self, other: Self) -> Bits {
        // SAFETY: the machine has AVX2, see above.
        Bits(unsafe { _mm256_cmp_ps::<_CMP_GT_OQ>(self.0, other.0) })
    }

    #[inline(always)]
    fn all(mask: Bits) -> bool {
        Self::bits(mask) == 0xFF
    }
}

/// One lane of each of two blocks, and its number in four lanes: of such a number the lowest two
/// bits count.
#[derive(Clone, Copy)]
pub(super) struct Pick<'a> {
    blocks: [&'a Block; 2],
    lanes: Eight,
}

/// For each mask, which lanes come to the front.
static FRONT: [[u32; 8]; 256] = fronts();

const fn fronts() -> [[u32; 8]; 256] {
    let mut table = [[0; 8]; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut lane, mut filled) = (0, 0);
        while lane < 8 {
            if mask >> lane & 1 == 1 {
                table[mask][filled] = lane as u32;
                filled += 1;
            }
            lane += 1;
        }
        mask += 1;
    }
    table
}

/// One number in the lower four lanes, another in the upper four.
#[inline(always)]
fn two_groups(low: f32, high: f32) -> Eight {
    // SAFETY: the machine has AVX2, see above.
    Eight(unsafe { _mm256_set_m128(_mm_set1_ps(high), _mm_set1_ps(low)) })
}

/// One component of two blocks.
#[inline(always)]
fn line_one(blocks: &[&Block; 4], component: usize) -> Eight {
    four_and_four(&blocks[0].0[component], &blocks[1].0[component])
}

/// Four numbers in the lower four lanes, others in the upper four.
#[inline(always)]
fn four_and_four(low: &[f32; 4], high: &[f32; 4]) -> Eight {
    // SAFETY: four f32 in a row are readable; AVX2 as above.
    unsafe {
        let low = _mm_loadu_ps(low.as_ptr());
        let high = _mm_loadu_ps(high.as_ptr());
        Eight(_mm256_insertf128_ps::<1>(_mm256_castps128_ps256(low), high))
    }
}

/// A quad of two records.
///
/// # Safety
/// Both ids must be below the number of records.
#[inline(always)]
unsafe fn two_records(records: &[PackedTriangle], low: u32, high: u32, quad: usize) -> __m256d {
    // SAFETY: the caller has checked the ids; a quad is 16 readable bytes, at a multiple of 16
    // because records are; AVX2 as above.
    unsafe {
        let low = &records.get_unchecked(low as usize).0[quad];
        let high = &records.get_unchecked(high as usize).0[quad];
        let low = _mm_load_pd(low.as_ptr().cast());
        let high = _mm_load_pd(high.as_ptr().cast());
        _mm256_insertf128_pd::<1>(_mm256_castpd128_pd256(low), high)
    }
}

/// A quad of eight records, two to a register: record r and record r + 4 in register r.
///
/// # Safety
/// All ids must be below the number of records.
#[inline(always)]
unsafe fn quad_of(records: &[PackedTriangle], ids: &[u32; 8], quad: usize) -> [__m256d; 4] {
    // SAFETY: the caller has checked the ids.
    unsafe {
        [
            two_records(records, ids[0], ids[4], quad),
            two_records(records, ids[1], ids[5], quad),
            two_records(records, ids[2], ids[6], quad),
            two_records(records, ids[3], ids[7], quad),
        ]
    }
}

/// A row of [`TransformF64`] on four lanes.
#[inline(always)]
fn shift_half(row: [f64; 3], sum: f64, q: [__m256d; 3], p: __m256d) -> __m128 {
    // SAFETY: the machine has AVX2 and FMA, see above.
    unsafe {
        let sum = _mm256_fmadd_pd(_mm256_set1_pd(row[0]), q[0], _mm256_set1_pd(sum));
        let sum = _mm256_fmadd_pd(_mm256_set1_pd(row[1]), q[1], sum);
        let sum = _mm256_fmadd_pd(_mm256_set1_pd(row[2]), q[2], sum);
        _mm256_cvtpd_ps(_mm256_sub_pd(sum, p))
    }
}

/// A row of [`TransformF64`], the lanes in order again.
#[inline(always)]
fn shift_row(row: [f64; 3], sum: f64, q: &[[__m256d; 2]; 3], p: [__m256d; 2]) -> Eight {
    let [x, y, z] = q;
    let first = shift_half(row, sum, [x[0], y[0], z[0]], p[0]);
    let second = shift_half(row, sum, [x[1], y[1], z[1]], p[1]);
    // SAFETY: the machine has AVX2, see above.
    unsafe {
        // 0 1 4 5 and 2 3 6 7 become 0 1 2 3 and 4 5 6 7.
        let low = _mm_movelh_ps(first, second);
        let high = _mm_movehl_ps(second, first);
        Eight(_mm256_insertf128_ps::<1>(_mm256_castps128_ps256(low), high))
    }
}

impl Floats for Eight {
    #[inline(always)]
    fn splat(value: f32) -> Self {
        // SAFETY: the machine has AVX2, see above.
        Self(unsafe { _mm256_set1_ps(value) })
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: the machine has AVX2, see above.
        Self(unsafe { _mm256_max_ps(self.0, other.0) })
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
    fn select(mask: Bits, yes: Self, no: Self) -> Self {
        // SAFETY: the machine has AVX2, see above.
        Self(unsafe { _mm256_blendv_ps(no.0, yes.0, mask.0) })
    }

    #[inline(always)]
    fn bits(mask: Bits) -> u32 {
        // SAFETY: the machine has AVX2, see above.
        unsafe { _mm256_movemask_ps(mask.0) as u32 }
    }
}

impl F32xN for Eight {
    const LANES: usize = 8;

    type Pick<'a> = Pick<'a>;

    /// Three coordinates, each of the lanes 0 1 4 5 and of 2 3 6 7.
    type Points = [[__m256d; 2]; 3];

    #[inline(always)]
    fn mask(bits: u32) -> Bits {
        // SAFETY: the machine has AVX2, see above.
        unsafe {
            let own = _mm256_set_epi32(128, 64, 32, 16, 8, 4, 2, 1);
            let set = _mm256_and_si256(_mm256_set1_epi32(bits as i32), own);
            Bits(_mm256_castsi256_ps(_mm256_cmpeq_epi32(set, own)))
        }
    }

    #[inline(always)]
    fn load(strip: &F32x16, first: usize) -> Self {
        let numbers = &strip.0[first..first + 8];
        // SAFETY: eight f32 in a row are readable, aligned or not; AVX2 as above.
        Self(unsafe { _mm256_loadu_ps(numbers.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, strip: &mut F32x16, first: usize) {
        let numbers = &mut strip.0[first..first + 8];
        // SAFETY: eight f32 in a row are writable, aligned or not; AVX2 as above.
        unsafe { _mm256_storeu_ps(numbers.as_mut_ptr(), self.0) };
    }

    #[inline(always)]
    fn signs(self) -> u32 {
        // SAFETY: the machine has AVX2, see above.
        unsafe { _mm256_movemask_ps(self.0) as u32 }
    }

    #[inline(always)]
    fn line(blocks: &[&Block; 4], line: usize) -> [Self; 4] {
        [
            line_one(blocks, 4 * line),
            line_one(blocks, 4 * line + 1),
            line_one(blocks, 4 * line + 2),
            line_one(blocks, 4 * line + 3),
        ]
    }

    #[inline(always)]
    fn pick<'a>(blocks: &[&'a Block; 4], lanes: &[u32; 4]) -> Pick<'a> {
        Pick { blocks: [blocks[0], blocks[1]], lanes: Self::repeat(lanes) }
    }

    #[inline(always)]
    fn spread(pick: &Pick, component: usize) -> Self {
        let [low, high] = pick.blocks;
        let Self(both) = four_and_four(&low.0[component], &high.0[component]);
        // SAFETY: the machine has AVX2, see above.
        Self(unsafe { _mm256_permutevar_ps(both, _mm256_castps_si256(pick.lanes.0)) })
    }

    #[inline(always)]
    fn join(groups: [&[f32; 4]; 4]) -> Self {
        four_and_four(groups[0], groups[1])
    }

    #[inline(always)]
    fn components(self) -> [Self; 3] {
        // SAFETY: the machine has AVX2, see above.
        unsafe {
            [
                Self(_mm256_permute_ps::<0x00>(self.0)),
                Self(_mm256_permute_ps::<0x55>(self.0)),
                Self(_mm256_permute_ps::<0xAA>(self.0)),
            ]
        }
    }

    #[inline(always)]
    fn negative(self) -> Bits {
        // SAFETY: the machine has AVX2, see above.
        Bits(unsafe { _mm256_castsi256_ps(_mm256_srai_epi32::<31>(_mm256_castps_si256(self.0))) })
    }

    #[inline(always)]
    fn both(mask: Bits, other: Bits) -> Bits {
        // SAFETY: the machine has AVX2, see above.
        Bits(unsafe { _mm256_and_ps(mask.0, other.0) })
    }

    #[inline(always)]
    fn without(mask: Bits, other: Bits) -> Bits {
        // SAFETY: the machine has AVX2, see above.
        Bits(unsafe { _mm256_andnot_ps(other.0, mask.0) })
    }

    #[inline(always)]
    fn two_least(self, mask: Bits) -> [u32; 2] {
        // SAFETY: the machine has AVX2, see above.
        unsafe {
            // There is one instruction that finds the least of eight numbers, of sixteen bits.
            // Without its sign, none is as large as what stands for the other lanes.
            let numbers = _mm256_slli_epi32::<1>(_mm256_castps_si256(self.0));
            let upper = _mm256_srli_epi32::<17>(numbers);
            let others =
                _mm256_andnot_si256(_mm256_castps_si256(mask.0), _mm256_set1_epi32(0xFFFF));
            let keys = _mm256_or_si256(upper, others);
            let high = _mm256_extracti128_si256::<1>(keys);
            let keys = _mm_packus_epi32(_mm256_castsi256_si128(keys), high);
            let first = _mm_minpos_epu16(keys);
            let place = _mm_shuffle_epi8(first, _mm_set1_epi16(0x0302));
            let own = _mm_cmpeq_epi16(place, _mm_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7));
            let second = _mm_minpos_epu16(_mm_or_si128(keys, own));
            [_mm_extract_epi16::<1>(first) as u32, _mm_extract_epi16::<1>(second) as u32]
        }
    }

    #[inline(always)]
    fn repeat(values: &[u32; 4]) -> Self {
        two_groups(f32::from_bits(values[0]), f32::from_bits(values[1]))
    }

    #[inline(always)]
    fn count_up(values: &[u32; 4]) -> Self {
        let base = Self::repeat(values);
        // SAFETY: the machine has AVX2, see above.
        unsafe {
            let steps = _mm256_set_epi32(3, 2, 1, 0, 3, 2, 1, 0);
            Self(_mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(base.0), steps)))
        }
    }

    #[inline(always)]
    fn compress(self, mask: u32, out: &mut [u32; 16]) {
        // SAFETY: eight u32 are readable in the table and writable at `out`; AVX2 as above.
        unsafe {
            let order = _mm256_loadu_si256(FRONT[mask as usize & 0xFF].as_ptr().cast());
            let packed = _mm256_permutevar8x32_ps(self.0, order);
            _mm256_storeu_ps(out.as_mut_ptr().cast(), packed);
        }
    }

    #[inline(always)]
    fn records(
        records: &[PackedTriangle],
        ids: &[u32; 16],
        first: usize,
    ) -> (Self::Points, [[Self; 3]; 2]) {
        let ids: &[u32; 8] = ids[first..first + 8].try_into().expect("eight of sixteen");
        // SAFETY: eight u32 are readable at `ids`; AVX2 as above.
        let within = unsafe {
            let ids = _mm256_loadu_si256(ids.as_ptr().cast());
            let last = records.len().clamp(1, 1 << 31) - 1;
            let last = _mm256_set1_epi32(last as i32);
            _mm256_movemask_epi8(_mm256_cmpeq_epi32(_mm256_max_epu32(ids, last), last))
        };
        // One comparison for all eight.
        assert!(within == -1 && !records.is_empty(), "{ids:?} of {} records", records.len());
        // SAFETY: all ids were seen to be below the number of records; AVX2 as above.
        unsafe {
            // x y of a record, then z and the first two words of its vectors: f64 are taken two by
            // two, and so are these words.
            let [a, b, c, d] = quad_of(records, ids, 0);
            let x = [_mm256_unpacklo_pd(a, b), _mm256_unpacklo_pd(c, d)];
            let y = [_mm256_unpackhi_pd(a, b), _mm256_unpackhi_pd(c, d)];
            let [a, b, c, d] = quad_of(records, ids, 1);
            let z = [_mm256_unpacklo_pd(a, b), _mm256_unpacklo_pd(c, d)];
            let low = _mm256_castpd_ps(_mm256_unpackhi_pd(a, b));
            let high = _mm256_castpd_ps(_mm256_unpackhi_pd(c, d));
            let e0 = Self(_mm256_shuffle_ps::<0x88>(low, high));
            let e1 = Self(_mm256_shuffle_ps::<0xDD>(low, high));
            let [a, b, c, d] = quad_of(records, ids, 2);
            let (a, b) = (_mm256_castpd_ps(a), _mm256_castpd_ps(b));
            let (c, d) = (_mm256_castpd_ps(c), _mm256_castpd_ps(d));
            let low_01 = _mm256_castps_pd(_mm256_unpacklo_ps(a, b));
            let high_01 = _mm256_castps_pd(_mm256_unpackhi_ps(a, b));
            let low_23 = _mm256_castps_pd(_mm256_unpacklo_ps(c, d));
            let high_23 = _mm256_castps_pd(_mm256_unpackhi_ps(c, d));
            let e2 = Self(_mm256_castpd_ps(_mm256_unpacklo_pd(low_01, low_23)));
            let f0 = Self(_mm256_castpd_ps(_mm256_unpackhi_pd(low_01, low_23)));
            let f1 = Self(_mm256_castpd_ps(_mm256_unpacklo_pd(high_01, high_23)));
            let f2 = Self(_mm256_castpd_ps(_mm256_unpackhi_pd(high_01, high_23)));
            ([x, y, z], [[e0, e1, e2], [f0, f1, f2]])
        }
    }

    #[inline(always)]
    fn shift(p: &Self::Points, q: &Self::Points, frame: &TransformF64) -> [Self; 3] {
        let (rows, t) = (&frame.rotation, &frame.translation);
        [
            shift_row(rows[0], t[0], q, p[0]),
            shift_row(rows[1], t[1], q, p[1]),
            shift_row(rows[2], t[2], q, p[2]),
        ]
    }
}

impl F32x8 for Eight {
    type F64x4 = super::f64x4::x86::Avx2;

    #[inline(always)]
    fn load(values: &[f32; 8]) -> Self {
        // SAFETY: eight f32 in a row are readable, aligned or not; AVX2 as above.
        Self(unsafe { _mm256_loadu_ps(values.as_ptr()) })
    }

    #[inline(always)]
    fn count_twice(values: &[u16; 4]) -> Self {
        // SAFETY: eight bytes in a row are readable, aligned or not; AVX2 as above.
        Self(unsafe {
            let four = _mm_loadl_epi64(values.as_ptr().cast());
            _mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(_mm_unpacklo_epi64(four, four)))
        })
    }

    #[inline(always)]
    fn spread(self) -> [Self; 2] {
        // SAFETY: the machine has AVX2, see above.
        unsafe {
            let first = _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1);
            let second = _mm256_setr_epi32(2, 2, 2, 2, 3, 3, 3, 3);
            let of =
                (_mm256_permutevar8x32_ps(self.0, first), _mm256_permutevar8x32_ps(self.0, second));
            [Self(of.0), Self(of.1)]
        }
    }

    #[inline(always)]
    fn most(self, other: Self) -> usize {
        // SAFETY: the machine has AVX2, see above.
        unsafe {
            let keep = _mm256_set1_epi32(!15);
            let (low, high) = (_mm256_castps_si256(self.0), _mm256_castps_si256(other.0));
            let low = _mm256_or_si256(
                _mm256_and_si256(low, keep),
                _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7),
            );
            let high = _mm256_or_si256(
                _mm256_and_si256(high, keep),
                _mm256_setr_epi32(8, 9, 10, 11, 12, 13, 14, 15),
            );
            let eight = _mm256_max_epi32(low, high);
            let four =
                _mm_max_epi32(_mm256_castsi256_si128(eight), _mm256_extracti128_si256::<1>(eight));
            let two = _mm_max_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
            let one = _mm_max_epi32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two));
            (_mm_cvtsi128_si32(one) & 15) as usize
        }
    }

    #[inline(always)]
    fn to_array(self) -> [f32; 8] {
        let mut out = [0.0; 8];
        // SAFETY: eight f32 in a row are writable, aligned or not; AVX2 as above.
        unsafe { _mm256_storeu_ps(out.as_mut_ptr(), self.0) };
        out
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // SAFETY: the machine has AVX2, see above.
        Self(unsafe { _mm256_min_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn swap(self) -> Self {
        // SAFETY: the machine has AVX2, see above.
        Self(unsafe { _mm256_permute2f128_ps::<1>(self.0, self.0) })
    }
}
