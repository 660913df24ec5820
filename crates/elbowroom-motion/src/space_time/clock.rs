//! Times of samples, compared without rounding.
//!
//! Boundary i of a motion is at start + i·dt, in exact arithmetic on the numbers given: sample i is
//! held from boundary i until boundary i + 1. Where two motions have the same sampling time, only
//! the difference of their starts matters, and it is worked out once a query: sample i of the first
//! and j of the second are held at a common moment if and only if
//!
//! ```text
//!     (i − j − 1)·dt  <  start_b − start_a  <  (i − j + 1)·dt
//! ```
//!
//! so that i − j, the *lag*, is one number where the starts are a whole number of steps apart, and
//! one of two neighbours elsewhere. All that a tree has to compare then are integers.
//!
//! Products of a count and a step are split into two f64 without loss; sums are kept as several f64
//! that do not overlap (Shewchuk, *Adaptive precision floating-point arithmetic*, 1997,
//! grow-expansion). Most comparisons are certain without.

use std::cmp::Ordering;

/// The times of a motion's samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    pub start: f64,
    pub dt: f64,
    /// The number of steps from the start to sample 0.
    pub first: i64,
}

/// Differences i − j of samples that are held at a common moment: `low..=high`, one or two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lags {
    pub low: i64,
    pub high: i64,
}

/// More steps than any two motions have together.
const FAR: f64 = (1_u64 << 40) as f64;

impl Clock {
    /// When boundary i is, rounded.
    pub(super) fn at(&self, i: i64) -> f64 {
        self.start + (self.first + i) as f64 * self.dt
    }

    /// Compares boundary i of this clock with boundary j of the other, exactly.
    #[inline]
    pub fn compare(&self, i: i64, other: &Self, j: i64) -> Ordering {
        let (steps_a, steps_b) = ((self.first + i) as f64, (other.first + j) as f64);
        let (span_a, span_b) = (steps_a * self.dt, steps_b * other.dt);
        let (a, b) = (self.start + span_a, other.start + span_b);
        // Product, sum and difference lose at most one rounding each of what is summed here.
        let size = (self.start.abs() + span_a.abs()) + (other.start.abs() + span_b.abs());
        let difference = a - b;
        if difference.abs() > 4.0 * f64::EPSILON * size {
            return if difference > 0.0 { Ordering::Greater } else { Ordering::Less };
        }
        let low_a = steps_a.mul_add(self.dt, -span_a);
        let low_b = steps_b.mul_add(other.dt, -span_b);
        sign_of_sum([low_a, -low_b, span_a, -span_b, self.start, -other.start])
    }

    /// How much later boundary j of the other clock is than boundary i of this one: rounded, and
    /// the exact opposite when swapped.
    #[inline]
    pub(super) fn ahead(&self, i: i64, other: &Self, j: i64) -> f64 {
        let spans = (other.first + j) as f64 * other.dt - (self.first + i) as f64 * self.dt;
        (other.start - self.start) + spans
    }

    /// The lags of two motions with the same sampling time. `None` if the starts are so far apart
    /// that no samples meet, or the sampling times differ.
    pub fn lags(&self, other: &Self) -> Option<Lags> {
        if self.dt != other.dt {
            return None;
        }
        let steps = (other.start - self.start) / self.dt;
        if steps.is_nan() || steps.abs() >= FAR {
            // Far apart: a lag that no pair has.
            let lag = 2 * FAR as i64;
            return Some(Lags { low: lag, high: lag });
        }
        let plain = |clock: &Self| Self { first: 0, ..*clock };
        let mut low = steps.floor() as i64;
        // The quotient is off by a few roundings; where that matters the exact comparison moves it.
        while plain(self).compare(low, &plain(other), 0) == Ordering::Greater {
            low -= 1;
        }
        while plain(self).compare(low + 1, &plain(other), 0) != Ordering::Greater {
            low += 1;
        }
        let on_grid = plain(self).compare(low, &plain(other), 0) == Ordering::Equal;
        let shift = other.first - self.first;
        let low = low + shift;
        Some(Lags { low, high: if on_grid { low } else { low + 1 } })
    }
}

/// The sign of a sum without rounding, as a comparison with zero.
fn sign_of_sum<const N: usize>(terms: [f64; N]) -> Ordering {
    let mut parts = [0.0; N];
    for (count, &term) in terms.iter().enumerate() {
        let mut carried = term;
        for part in &mut parts[..count] {
            let sum = carried + *part;
            let shadow = sum - carried;
            *part = (carried - (sum - shadow)) + (*part - shadow);
            carried = sum;
        }
        parts[count] = carried;
    }
    let leading = parts.iter().rev().find(|&&part| part != 0.0).copied().unwrap_or(0.0);
    leading.partial_cmp(&0.0).unwrap_or(Ordering::Equal)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(start: f64, dt: f64) -> Clock {
        Clock { start, dt, first: 0 }
    }

    #[test]
    fn a_sum_that_cancels_has_its_sign() {
        assert_eq!(sign_of_sum([1e-30, 1.0, -1.0]), Ordering::Greater);
        assert_eq!(sign_of_sum([1e30, -1e-30, -1e30]), Ordering::Less);
        assert_eq!(sign_of_sum([0.1, 0.2, -0.3, -2.0_f64.powi(-55)]), Ordering::Equal);
    }

    #[test]
    fn lags_on_and_off_the_grid() {
        let a = clock(0.0, 0.125);
        let lags = |start| a.lags(&clock(start, 0.125)).map(|l| (l.low, l.high));
        assert_eq!(lags(0.0), Some((0, 0)));
        assert_eq!(lags(0.375), Some((3, 3)));
        assert_eq!(lags(0.4), Some((3, 4)));
        assert_eq!(lags(-0.4), Some((-4, -3)));
        assert_eq!(lags(-1e-300), Some((-1, 0)));
        assert_eq!(lags(1e80).map(|(low, _)| low > 1 << 40), Some(true));
        assert_eq!(a.lags(&clock(0.0, 0.25)), None);
        // A third of a tenth is no f64: three of them miss the tenth, and exactly that is seen.
        let third = 1.0 / 30.0;
        let (hi, lags) = (3.0 * third, clock(0.0, third).lags(&clock(3.0 * third, third)).unwrap());
        let lost = 3.0_f64.mul_add(third, -hi);
        assert_eq!(lags.low == lags.high, lost == 0.0);
    }
}
