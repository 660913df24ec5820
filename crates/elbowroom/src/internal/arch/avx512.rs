//! Sixteen lanes: AVX-512.
//!
//! Every method calls intrinsics that need AVX-512 F, DQ, BW and VL. The type is private to `arch`
//! and named only by the function of `dispatch` that has these features switched on, after they
//! were detected; so wherever a method runs, the machine has them. That is the reason behind each
//! `unsafe` below that only calls an intrinsic.

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

use super::f32xn::parted;
use super::{Block, F32x16, F32xN, Floats, Lane, PackedTriangle, TransformF64};

/// Sixteen f32.
#[derive(Clone, Copy)]
pub(super) struct Sixteen(__m512);

/// Sixteen bits.
#[derive(Clone, Copy)]
pub(super) struct Bits(__mmask16);

impl BitOr for Bits {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Add for Sixteen {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: the machine has AVX-512, see above.
        Self(unsafe { _mm512_add_ps(self.0, other.0) })
    }
}

impl Sub for Sixteen {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: the machine has AVX-512, see above.
        Self(unsafe { _mm512_sub_ps(self.0, other.0) })
    }
}

impl Mul for Sixteen {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        // SAFETY: the machine has AVX-512, see above.
        Self(unsafe { _mm512_mul_ps(self.0, other.0) })
    }
}

impl Lane for Sixteen {
    type Mask = Bits;

    const EAGER: bool = false;

    #[inline(always)]
    fn times_plus(self, factor: Self, sum: Self) -> Self {
        // SAFETY: the machine has AVX-512, see above.
        Self(unsafe { _mm512_fmadd_ps(self.0, factor.0, sum.0) })
    }

    #[inline(always)]
    fn times_from(self, factor: Self, sum: Self) -> Self {
        // SAFETY: the machine has AVX-512, see above.
        Self(unsafe { _mm512_fnmadd_ps(self.0, factor.0, sum.0) })
    }

    #[inline(always)]
    fn abs(self) -> Self {
        // SAFETY: the machine has AVX-512, see above.
        Self(unsafe { _mm512_abs_ps(self.0) })
    }

    #[inline(always)]
    fn greater(self, other: Self) -> Bits {
        // SAFETY: the machine has AVX-512, see above.
        Bits(unsafe { _mm512_cmp_ps_mask::<_CMP_GT_OQ>(self.0, other.0) })
    }

    #[inline(always)]
    fn all(mask: Bits) -> bool {
        mask.0 == 0xFFFF
    }
}

/// Groups of four of four registers, turned: group u of result k is group k of register u.
#[inline(always)]
fn turn_groups([a, b, c, d]: [__m512; 4]) -> [__m512; 4] {
    // SAFETY: the machine has AVX-512, see above.
    unsafe {
        let ab_low = _mm512_shuffle_f32x4::<0x44>(a, b); // a0 a1 b0 b1
        let cd_low = _mm512_shuffle_f32x4::<0x44>(c, d);
        let ab_high = _mm512_shuffle_f32x4::<0xEE>(a, b); // a2 a3 b2 b3
        let cd_high = _mm512_shuffle_f32x4::<0xEE>(c, d);
        [
            _mm512_shuffle_f32x4::<0x88>(ab_low, cd_low),
            _mm512_shuffle_f32x4::<0xDD>(ab_low, cd_low),
            _mm512_shuffle_f32x4::<0x88>(ab_high, cd_high),
            _mm512_shuffle_f32x4::<0xDD>(ab_high, cd_high),
        ]
    }
}

/// A line of a block: four components, four lanes each.
#[inline(always)]
fn load_line(block: &Block, line: usize) -> __m512 {
    let numbers: &[[f32; 4]; 4] =
        block.0[4 * line..4 * line + 4].try_into().expect("a block has four lines");
    // SAFETY: sixteen f32 in a row are readable; AVX-512 as above.
    unsafe { _mm512_loadu_ps(numbers.as_ptr().cast()) }
}

/// Of one lane of a block: the components of a line in the first two groups, those of the next in
/// the others.
#[inline(always)]
fn pick_one(block: &Block, lane: u32, line: usize) -> __m512 {
    let (low, high) = (load_line(block, line), load_line(block, line + 1));
    // SAFETY: the machine has AVX-512, see above.
    unsafe {
        let first = _mm512_setr_epi32(0, 4, 8, 12, 0, 4, 8, 12, 16, 20, 24, 28, 16, 20, 24, 28);
        let lane = _mm512_set1_epi32((lane & 3).cast_signed());
        _mm512_permutex2var_ps(low, _mm512_or_si512(first, lane), high)
    }
}

/// Of one lane of each block, the components of a line and of the next: group u is of block u.
#[inline(always)]
fn pick_lines(blocks: &[&Block; 4], lanes: &[u32; 4], line: usize) -> [Sixteen; 2] {
    let [a, b] = [pick_one(blocks[0], lanes[0], line), pick_one(blocks[1], lanes[1], line)];
    let [c, d] = [pick_one(blocks[2], lanes[2], line), pick_one(blocks[3], lanes[3], line)];
    // SAFETY: the machine has AVX-512, see above.
    unsafe {
        let ab = _mm512_mask_blend_ps(0xF0F0, a, b); // a b of the line, a b of the next
        let cd = _mm512_mask_blend_ps(0xF0F0, c, d);
        [
            Sixteen(_mm512_shuffle_f32x4::<0x44>(ab, cd)),
            Sixteen(_mm512_shuffle_f32x4::<0xEE>(ab, cd)),
        ]
    }
}

/// A quad of records r, r + 4, r + 8 and r + 12, in this order.
///
/// # Safety
/// All ids must be below the number of records.
#[inline(always)]
unsafe fn every_fourth(
    records: &[PackedTriangle],
    ids: &[u32; 16],
    r: usize,
    quad: usize,
) -> __m512 {
    // SAFETY: the caller has checked the ids; a quad is 16 readable bytes, at a multiple of 16
    // because records are; AVX-512 as above.
    unsafe {
        let [a, b, c, d] = [
            records.get_unchecked(ids[r] as usize),
            records.get_unchecked(ids[r + 4] as usize),
            records.get_unchecked(ids[r + 8] as usize),
            records.get_unchecked(ids[r + 12] as usize),
        ];
        let one = _mm512_castps128_ps512(_mm_load_ps(a.0[quad].as_ptr().cast()));
        let two = _mm512_insertf32x4::<1>(one, _mm_load_ps(b.0[quad].as_ptr().cast()));
        let three = _mm512_insertf32x4::<2>(two, _mm_load_ps(c.0[quad].as_ptr().cast()));
        _mm512_insertf32x4::<3>(three, _mm_load_ps(d.0[quad].as_ptr().cast()))
    }
}

/// Sixteen f64 from their low and high words: those of the lanes 0 1 4 5 8 9 12 13, then those of 2
/// 3 6 7 10 11 14 15.
#[inline(always)]
fn doubles(low: Sixteen, high: Sixteen) -> [__m512d; 2] {
    // SAFETY: the machine has AVX-512, see above.
    unsafe {
        [
            _mm512_castps_pd(_mm512_unpacklo_ps(low.0, high.0)),
            _mm512_castps_pd(_mm512_unpackhi_ps(low.0, high.0)),
        ]
    }
}

/// A quad of sixteen records, word by word.
///
/// # Safety
/// All ids must be below the number of records.
#[inline(always)]
unsafe fn quad_of(records: &[PackedTriangle], ids: &[u32; 16], quad: usize) -> [Sixteen; 4] {
    // Triangle 4·g + r goes to group g of register r, so that turning 4 × 4 within the groups
    // brings word k of all records, in order, into register k.
    // SAFETY: the caller has checked the ids.
    let rows = unsafe {
        [
            every_fourth(records, ids, 0, quad),
            every_fourth(records, ids, 1, quad),
            every_fourth(records, ids, 2, quad),
            every_fourth(records, ids, 3, quad),
        ]
    };
    // SAFETY: the machine has AVX-512, see above.
    unsafe {
        let a = _mm512_castps_pd(_mm512_unpacklo_ps(rows[0], rows[1])); // 00 10 01 11
        let b = _mm512_castps_pd(_mm512_unpacklo_ps(rows[2], rows[3]));
        let c = _mm512_castps_pd(_mm512_unpackhi_ps(rows[0], rows[1])); // 02 12 03 13
        let d = _mm512_castps_pd(_mm512_unpackhi_ps(rows[2], rows[3]));
        [
            Sixteen(_mm512_castpd_ps(_mm512_unpacklo_pd(a, b))),
            Sixteen(_mm512_castpd_ps(_mm512_unpackhi_pd(a, b))),
            Sixteen(_mm512_castpd_ps(_mm512_unpacklo_pd(c, d))),
            Sixteen(_mm512_castpd_ps(_mm512_unpackhi_pd(c, d))),
        ]
    }
}

/// A row of [`TransformF64`] on eight lanes.
#[inline(always)]
fn shift_half(row: [f64; 3], sum: f64, q: [__m512d; 3], p: __m512d) -> __m256 {
    // SAFETY: the machine has AVX-512, see above.
    unsafe {
        let sum = _mm512_fmadd_pd(_mm512_set1_pd(row[0]), q[0], _mm512_set1_pd(sum));
        let sum = _mm512_fmadd_pd(_mm512_set1_pd(row[1]), q[1], sum);
        let sum = _mm512_fmadd_pd(_mm512_set1_pd(row[2]), q[2], sum);
        _mm512_cvtpd_ps(_mm512_sub_pd(sum, p))
    }
}

/// A row of [`TransformF64`], the lanes in order again.
#[inline(always)]
fn shift_row(row: [f64; 3], sum: f64, q: [[__m512d; 2]; 3], p: [__m512d; 2]) -> Sixteen {
    let [x, y, z] = q;
    let low = shift_half(row, sum, [x[0], y[0], z[0]], p[0]);
    let high = shift_half(row, sum, [x[1], y[1], z[1]], p[1]);
    // SAFETY: the machine has AVX-512, see above.
    unsafe {
        let order = _mm512_set_epi32(15, 14, 7, 6, 13, 12, 5, 4, 11, 10, 3, 2, 9, 8, 1, 0);
        let both = _mm512_insertf32x8::<1>(_mm512_castps256_ps512(low), high);
        Sixteen(_mm512_permutexvar_ps(order, both))
    }
}

impl Floats for Sixteen {
    #[inline(always)]
    fn splat(value: f32) -> Self {
        // SAFETY: the machine has AVX-512, see above.
        Self(unsafe { _mm512_set1_ps(value) })
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: the machine has AVX-512, see above.
        Self(unsafe { _mm512_max_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn over(self, divisor: Self) -> Self {
        // SAFETY: the machine has AVX-512, see above.
        Self(unsafe { _mm512_div_ps(self.0, divisor.0) })
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: the machine has AVX-512, see above.
        Self(unsafe { _mm512_sqrt_ps(self.0) })
    }

    #[inline(always)]
    fn select(mask: Bits, yes: Self, no: Self) -> Self {
        // SAFETY: the machine has AVX-512, see above.
        Self(unsafe { _mm512_mask_blend_ps(mask.0, no.0, yes.0) })
    }

    #[inline(always)]
    fn bits(mask: Bits) -> u32 {
        u32::from(mask.0)
    }
}

impl F32xN for Sixteen {
    const LANES: usize = 16;

    type Pick<'a> = [Self; 4];

    /// The low and high words of three coordinates.
    type Points = [Self; 6];

    #[inline(always)]
    fn mask(bits: u32) -> Bits {
        Bits(bits as __mmask16)
    }

    #[inline(always)]
    fn load(strip: &F32x16, first: usize) -> Self {
        assert!(first == 0, "sixteen lanes are all of a strip");
        // SAFETY: sixteen f32 in a row are readable; AVX-512 as above.
        Self(unsafe { _mm512_loadu_ps(strip.0.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, strip: &mut F32x16, first: usize) {
        assert!(first == 0, "sixteen lanes are all of a strip");
        // SAFETY: sixteen f32 in a row are writable; AVX-512 as above.
        unsafe { _mm512_storeu_ps(strip.0.as_mut_ptr(), self.0) };
    }

    #[inline(always)]
    fn signs(self) -> u32 {
        // SAFETY: the machine has AVX-512, see above.
        u32::from(unsafe { _mm512_movepi32_mask(_mm512_castps_si512(self.0)) })
    }

    #[inline(always)]
    fn line(blocks: &[&Block; 4], line: usize) -> [Self; 4] {
        let [a, b, c, d] = turn_groups([
            load_line(blocks[0], line),
            load_line(blocks[1], line),
            load_line(blocks[2], line),
            load_line(blocks[3], line),
        ]);
        [Self(a), Self(b), Self(c), Self(d)]
    }

    #[inline(always)]
    fn pick(blocks: &[&Block; 4], lanes: &[u32; 4]) -> [Self; 4] {
        let [a, b] = pick_lines(blocks, lanes, 0);
        let [c, d] = pick_lines(blocks, lanes, 2);
        [a, b, c, d]
    }

    #[inline(always)]
    fn spread(pick: &[Self; 4], component: usize) -> Self {
        let line = pick[component / 4].0;
        // SAFETY: the machine has AVX-512, see above.
        Self(unsafe {
            match component % 4 {
                0 => _mm512_permute_ps::<0x00>(line),
                1 => _mm512_permute_ps::<0x55>(line),
                2 => _mm512_permute_ps::<0xAA>(line),
                _ => _mm512_permute_ps::<0xFF>(line),
            }
        })
    }

    #[inline(always)]
    fn join(groups: [&[f32; 4]; 4]) -> Self {
        // SAFETY: four f32 in a row are readable; AVX-512 as above.
        unsafe {
            let one = _mm512_castps128_ps512(_mm_loadu_ps(groups[0].as_ptr()));
            let two = _mm512_insertf32x4::<1>(one, _mm_loadu_ps(groups[1].as_ptr()));
            let three = _mm512_insertf32x4::<2>(two, _mm_loadu_ps(groups[2].as_ptr()));
            Self(_mm512_insertf32x4::<3>(three, _mm_loadu_ps(groups[3].as_ptr())))
        }
    }

    #[inline(always)]
    fn components(self) -> [Self; 3] {
        // SAFETY: the machine has AVX-512, see above.
        unsafe {
            [
                Self(_mm512_permute_ps::<0x00>(self.0)),
                Self(_mm512_permute_ps::<0x55>(self.0)),
                Self(_mm512_permute_ps::<0xAA>(self.0)),
            ]
        }
    }

    #[inline(always)]
    fn negative(self) -> Bits {
        // SAFETY: the machine has AVX-512, see above.
        Bits(unsafe { _mm512_movepi32_mask(_mm512_castps_si512(self.0)) })
    }

    #[inline(always)]
    fn both(mask: Bits, other: Bits) -> Bits {
        Bits(mask.0 & other.0)
    }

    #[inline(always)]
    fn without(mask: Bits, other: Bits) -> Bits {
        Bits(mask.0 & !other.0)
    }

    #[inline(always)]
    fn repeat(values: &[u32; 4]) -> Self {
        // SAFETY: four u32 in a row are readable; AVX-512 as above.
        unsafe {
            let four = _mm_loadu_si128(values.as_ptr().cast());
            let order = _mm512_set_epi32(3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0);
            let spread = _mm512_permutexvar_epi32(order, _mm512_castsi128_si512(four));
            Self(_mm512_castsi512_ps(spread))
        }
    }

    #[inline(always)]
    fn count_up(values: &[u32; 4]) -> Self {
        let base = Self::repeat(values);
        // SAFETY: the machine has AVX-512, see above.
        unsafe {
            let steps = _mm512_set_epi32(3, 2, 1, 0, 3, 2, 1, 0, 3, 2, 1, 0, 3, 2, 1, 0);
            let sum = _mm512_add_epi32(_mm512_castps_si512(base.0), steps);
            Self(_mm512_castsi512_ps(sum))
        }
    }

    #[inline(always)]
    fn compress(self, mask: u32, out: &mut [u32; 16]) {
        // SAFETY: sixteen u32 are writable at `out`; AVX-512 as above.
        unsafe {
            let packed = _mm512_maskz_compress_ps(mask as __mmask16, self.0);
            _mm512_storeu_ps(out.as_mut_ptr().cast(), packed);
        }
    }

    #[inline(always)]
    fn records(
        records: &[PackedTriangle],
        ids: &[u32; 16],
        _: usize,
    ) -> (Self::Points, [[Self; 3]; 2]) {
        // SAFETY: sixteen u32 are readable at `ids`; AVX-512 as above.
        let beyond = unsafe {
            let ids = _mm512_loadu_si512(ids.as_ptr().cast());
            let len = records.len().min(u32::MAX as usize) as u32;
            let len = _mm512_set1_epi32(len.cast_signed());
            _mm512_cmpge_epu32_mask(ids, len)
        };
        assert!(beyond == 0, "{ids:?} of {} records", records.len());
        // SAFETY: all ids were seen to be below the number of records.
        let quads = unsafe {
            [quad_of(records, ids, 0), quad_of(records, ids, 1), quad_of(records, ids, 2)]
        };
        parted(quads)
    }

    #[inline(always)]
    fn shift(p: &Self::Points, q: &Self::Points, frame: &TransformF64) -> [Self; 3] {
        let p = [doubles(p[0], p[1]), doubles(p[2], p[3]), doubles(p[4], p[5])];
        let q = [doubles(q[0], q[1]), doubles(q[2], q[3]), doubles(q[4], q[5])];
        let (rows, t) = (&frame.rotation, &frame.translation);
        [
            shift_row(rows[0], t[0], q, p[0]),
            shift_row(rows[1], t[1], q, p[1]),
            shift_row(rows[2], t[2], q, p[2]),
        ]
    }
}
