//! Any number of lanes in plain Rust, for machines without a file of their own, and the meaning of
//! every operation: the others are tested against these.

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

use super::f32xn::{Places, parted};
use super::{Block, F32x8, F32x16, F32xN, Floats, Lane, PackedTriangle, TransformF64};

/// Some f32.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plain<const N: usize>([f32; N]);

/// A bit a lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bits(u32);

impl BitOr for Bits {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl<const N: usize> Plain<N> {
    #[inline(always)]
    fn from_bits(bits: [u32; N]) -> Self {
        Self(bits.map(f32::from_bits))
    }
}

/// `a · b + c`, rounded once.
#[inline(always)]
fn fused<const N: usize>(a: [f32; N], b: [f32; N], c: [f32; N]) -> [f32; N] {
    from_fn(|i| a[i].mul_add(b[i], c[i]))
}

/// The sum of four products in f64: the position of a corner, less the point from which it is seen.
#[inline(always)]
fn stepped<const N: usize>(
    p: &[Plain<N>; 6],
    q: &[Plain<N>; 6],
    frame: &TransformF64,
    axis: usize,
) -> Plain<N> {
    let read = |words: &[Plain<N>; 6], axis: usize, lane: usize| {
        let [low, high] = [0, 1].map(|k| words[2 * axis + k].0[lane].to_bits());
        f64::from_bits(u64::from(high) << 32 | u64::from(low))
    };
    Plain(from_fn(|lane| {
        let row = frame.rotation[axis];
        let mut sum = frame.translation[axis];
        for k in 0..3 {
            sum = row[k].mul_add(read(q, k, lane), sum);
        }
        (sum - read(p, axis, lane)) as f32
    }))
}

impl<const N: usize> Add for Plain<N> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(from_fn(|i| self.0[i] + other.0[i]))
    }
}

impl<const N: usize> Sub for Plain<N> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(from_fn(|i| self.0[i] - other.0[i]))
    }
}

impl<const N: usize> Mul for Plain<N> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(from_fn(|i| self.0[i] * other.0[i]))
    }
}

impl<const N: usize> Lane for Plain<N> {
    type Mask = Bits;

    const EAGER: bool = false;

    #[inline(always)]
    fn times_plus(self, factor: Self, sum: Self) -> Self {
        Self(fused(self.0, factor.0, sum.0))
    }

    #[inline(always)]
    fn times_from(self, factor: Self, sum: Self) -> Self {
        Self(fused(self.0.map(|value| -value), factor.0, sum.0))
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.map(f32::abs))
    }

    #[inline(always)]
    fn greater(self, other: Self) -> Bits {
        Bits((0..N).map(|i| u32::from(self.0[i] > other.0[i]) << i).sum())
    }

    #[inline(always)]
    fn all(mask: Bits) -> bool {
        mask.0 == (1 << N) - 1
    }
}

impl<const N: usize> Floats for Plain<N> {
    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self([value; N])
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(from_fn(|i| if self.0[i] > other.0[i] { self.0[i] } else { other.0[i] }))
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
    fn select(mask: Bits, yes: Self, no: Self) -> Self {
        Self(from_fn(|i| if mask.0 >> i & 1 == 1 { yes.0[i] } else { no.0[i] }))
    }

    #[inline(always)]
    fn bits(mask: Bits) -> u32 {
        mask.0
    }
}

impl<const N: usize> F32xN for Plain<N> {
    const LANES: usize = N;

    type Pick<'a> = Places<'a>;

    /// The low and high words of three coordinates.
    type Points = [Self; 6];

    #[inline(always)]
    fn mask(bits: u32) -> Bits {
        Bits(bits & ((1 << N) - 1))
    }

    #[inline(always)]
    fn load(strip: &F32x16, first: usize) -> Self {
        Self(from_fn(|i| strip.0[first + i]))
    }

    #[inline(always)]
    fn store(self, strip: &mut F32x16, first: usize) {
        strip.0[first..first + N].copy_from_slice(&self.0);
    }

    #[inline(always)]
    fn signs(self) -> u32 {
        (0..N).map(|i| (self.0[i].to_bits() >> 31) << i).sum()
    }

    #[inline(always)]
    fn line(blocks: &[&Block; 4], line: usize) -> [Self; 4] {
        from_fn(|k| Self(from_fn(|i| blocks[i / 4].0[4 * line + k][i % 4])))
    }

    #[inline(always)]
    fn pick<'a>(blocks: &[&'a Block; 4], lanes: &[u32; 4]) -> Places<'a> {
        Places::new(blocks, lanes)
    }

    #[inline(always)]
    fn spread(pick: &Places, component: usize) -> Self {
        Self(from_fn(|i| pick.at(i / 4, component)))
    }

    #[inline(always)]
    fn join(groups: [&[f32; 4]; 4]) -> Self {
        Self(from_fn(|i| groups[i / 4][i % 4]))
    }

    #[inline(always)]
    fn components(self) -> [Self; 3] {
        from_fn(|k| Self(from_fn(|i| self.0[i / 4 * 4 + k])))
    }

    #[inline(always)]
    fn negative(self) -> Bits {
        Bits(self.signs())
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
        Self::from_bits(from_fn(|i| values[i / 4]))
    }

    #[inline(always)]
    fn count_up(values: &[u32; 4]) -> Self {
        Self::from_bits(from_fn(|i| values[i / 4].wrapping_add(i as u32 % 4)))
    }

    #[inline(always)]
    fn compress(self, mask: u32, out: &mut [u32; 16]) {
        let mut filled = 0;
        for i in 0..N {
            out[filled] = self.0[i].to_bits();
            filled += (mask >> i & 1) as usize;
        }
    }

    #[inline(always)]
    fn records(
        records: &[PackedTriangle],
        ids: &[u32; 16],
        first: usize,
    ) -> (Self::Points, [[Self; 3]; 2]) {
        let quad = |quad: usize| {
            let rows: [[u32; 4]; N] = from_fn(|i| records[ids[first + i] as usize].0[quad]);
            from_fn(|k| Self::from_bits(from_fn(|i| rows[i][k])))
        };
        parted([quad(0), quad(1), quad(2)])
    }

    #[inline(always)]
    fn shift(p: &Self::Points, q: &Self::Points, frame: &TransformF64) -> [Self; 3] {
        from_fn(|axis| stepped(p, q, frame, axis))
    }
}

impl F32x8 for Plain<8> {
    type F64x4 = super::f64x4::Portable;

    #[inline(always)]
    fn load(values: &[f32; 8]) -> Self {
        Self(*values)
    }

    #[inline(always)]
    fn count_twice(values: &[u16; 4]) -> Self {
        Self(from_fn(|i| f32::from(values[i % 4])))
    }

    #[inline(always)]
    fn spread(self) -> [Self; 2] {
        [0, 2].map(|first| Self(from_fn(|i| self.0[first + i / 4])))
    }

    #[inline(always)]
    fn most(self, other: Self) -> usize {
        let key = |place: usize| {
            let value = if place < 8 { self.0[place] } else { other.0[place - 8] };
            value.to_bits() as i32 & !15 | place as i32
        };
        ((0..16).map(key).fold(i32::MIN, i32::max) & 15) as usize
    }

    #[inline(always)]
    fn to_array(self) -> [f32; 8] {
        self.0
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(from_fn(|i| if self.0[i] < other.0[i] { self.0[i] } else { other.0[i] }))
    }

    #[inline(always)]
    fn swap(self) -> Self {
        Self(from_fn(|i| self.0[i ^ 4]))
    }
}
