//! The arithmetic that a kernel may use, so that it can be written once.
//!
//! One-wide `f64` is the scalar reference. A lane that counts its operations gives the papers'
//! operation tables; vector lanes give speed. A kernel over lanes has no branches but those that
//! ask whether *all* lanes agree.

use std::ops::{Add, Mul, Sub};

/// One or more numbers that are calculated with side by side.
pub trait Lane: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
    /// The outcome of a comparison, one bit a lane.
    type Mask: Copy + std::ops::BitOr<Output = Self::Mask>;

    /// Whether a kernel should look after every step if all lanes are done. One lane often is; many
    /// seldom are, and looking costs.
    const EAGER: bool = true;

    /// `self · factor + sum`. Vector lanes round once, others twice.
    #[inline]
    #[must_use]
    fn times_plus(self, factor: Self, sum: Self) -> Self {
        sum + self * factor
    }

    /// `sum − self · factor`. Vector lanes round once, others twice.
    #[inline]
    #[must_use]
    fn times_from(self, factor: Self, sum: Self) -> Self {
        sum - self * factor
    }

    /// Has values wait in memory, where registers are few and compilers spill the wrong ones. A
    /// hint: they stay what they are.
    #[inline(always)]
    fn set_down<T>(_: &mut T) {}

    /// Magnitudes.
    #[must_use]
    fn abs(self) -> Self;

    /// Which lanes are greater than the other's; not where either is NaN.
    fn greater(self, other: Self) -> Self::Mask;

    /// Whether every lane of a mask is set, so that nothing is left to find out.
    fn all(mask: Self::Mask) -> bool;
}

impl Lane for f64 {
    type Mask = bool;

    #[inline]
    fn abs(self) -> Self {
        self.abs()
    }

    #[inline]
    fn greater(self, other: Self) -> bool {
        self > other
    }

    #[inline]
    fn all(mask: bool) -> bool {
        mask
    }
}

/// Several f32 side by side: what kernels need of them whatever their number.
pub trait Floats: Lane {
    /// One number in every lane.
    fn splat(value: f32) -> Self;

    /// The larger of the two; the second where either is NaN or both are zero.
    #[must_use]
    fn max(self, other: Self) -> Self;

    /// Quotients, rounded once.
    #[must_use]
    fn over(self, divisor: Self) -> Self;

    /// Square roots, rounded once.
    #[must_use]
    fn sqrt(self) -> Self;

    /// `yes` in the lanes of the mask, `no` in the others.
    #[must_use]
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;

    /// The lanes of a mask as bits.
    fn bits(mask: Self::Mask) -> u32;
}
