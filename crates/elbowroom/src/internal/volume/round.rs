//! Rounding outward.
//!
//! What encloses must not lose a point to rounding. Where a sum of coordinates is all there is, its
//! rounding error is itself an f64 (Knuth, *The Art of Computer Programming*, volume 2, theorem B
//! of section 4.2.2), so the bound moves only if it has to, and integers stay integers. Where
//! products and roots are involved, a bound on the error is added instead.

use glam::DVec3;

use crate::internal::math::moments::unit_scale;
use crate::internal::math::sort::few_by;

/// The largest relative error of one operation.
pub const U: f64 = f64::EPSILON / 2.0;

/// More than what a few operations lose where numbers are too small to be normal.
pub const TINY: f64 = f64::MIN_POSITIVE * f64::EPSILON * 16.0;

/// The rounded sum and what the rounding took away; the latter is NaN where the sum overflows.
pub(super) fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_part = sum - a;
    let a_part = sum - b_part;
    (sum, (a - a_part) + (b - b_part))
}

/// The sum, rounded up, and not at all if it is an f64; infinity where a partial sum overflows.
pub(super) fn sum_up([x, y, z]: [f64; 3]) -> f64 {
    let (xy, first) = two_sum(x, y);
    let (sum, second) = two_sum(xy, z);
    let (lost, third) = two_sum(first, second);
    let (value, fourth) = two_sum(sum, lost);
    // What is still missing. It is less than the step to the next number: either one of the first
    // two sums was exact (Sterbenz), or the losses are some 2⁻⁵³ of the sum, and their rounding
    // far less.
    let rest = third + fourth;
    if !rest.is_finite() {
        f64::INFINITY
    } else if rest > 0.0 {
        value.next_up()
    } else {
        value
    }
}

/// The sum, rounded down.
pub(super) fn sum_down([x, y, z]: [f64; 3]) -> f64 {
    -sum_up([-x, -y, -z])
}

/// The length to within 4 roundings, at any size.
pub(super) fn length(v: DVec3) -> f64 {
    let scale = unit_scale(v.abs().max_element());
    (v * scale).length() / scale
}

/// At least the distance of two points in exact arithmetic, and zero if they are equal.
pub fn distance_up(p: DVec3, q: DVec3) -> f64 {
    let difference = p - q;
    if difference == DVec3::ZERO {
        return 0.0;
    }
    // Difference, squares, their sum, root, and the multiplication here.
    length(difference) * (1.0 + 16.0 * U) + TINY
}

/// Whether a vector is longer than a limit, to within 4 roundings, at any size.
#[inline]
pub fn longer(v: DVec3, limit: f64) -> bool {
    const SQUARABLE: std::ops::Range<f64> = 1e-140..1e150;
    if SQUARABLE.contains(&limit) {
        // If this overflows, then rightly so.
        v.length_squared() > limit * limit
    } else {
        length(v) > limit
    }
}

/// The indices of the components, largest first; the lower index first if equal.
pub(super) fn descending(v: DVec3) -> [usize; 3] {
    let mut order = [0, 1, 2];
    few_by(&mut order, |&i, &j| v[j].total_cmp(&v[i]));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_move_only_if_they_must() {
        assert_eq!(sum_up([1.0, 2.0, 3.0]), 6.0);
        assert_eq!(sum_down([0.5, 0.25, -4.0]), -3.25);
        assert_eq!(sum_up([1.0, 1e-30, 0.0]), 1.0_f64.next_up());
        assert_eq!(sum_down([1.0, 1e-30, 0.0]), 1.0);
        // What the first sum loses is all that is left in the end.
        assert_eq!(sum_up([1.0, 1e-30, -1.0]), 1e-30);
        assert_eq!(sum_down([1.0, 1e-30, -1.0]), 1e-30);
        assert_eq!(sum_up([1e308, 1e308, -1e308]), f64::INFINITY);
        assert_eq!(sum_down([-1e308, -1e308, 1e308]), f64::NEG_INFINITY);
    }

    #[test]
    fn lengths_at_any_size() {
        for scale in [1.0, 1e300, 1e-300] {
            let v = DVec3::new(2.0, -3.0, 6.0) * scale;
            assert!((length(v) / scale - 7.0).abs() < 1e-14);
            assert!(longer(v, 6.99 * scale) && !longer(v, 7.01 * scale));
            assert!(distance_up(v, DVec3::ZERO) >= length(v));
        }
        assert_eq!(length(DVec3::ZERO), 0.0);
        assert!(longer(DVec3::splat(1e300), 1.0) && !longer(DVec3::ZERO, 0.0));
        assert!(!longer(DVec3::ONE, f64::INFINITY) && !longer(DVec3::ONE, f64::NAN));
    }
}
