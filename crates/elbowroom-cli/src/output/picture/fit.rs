//! Axes that are fitted to the values on them, with room for round numbers at their ends.

use super::Axis;
use super::axis::{Kind, linear_label, numbers, step};
use super::number::{figure, power};

/// Beyond this the difference of two values may not be finite.
const HUGE: f64 = 1e300;
/// About how many steps an axis has.
const STEPS: f64 = 5.0;

impl Axis {
    /// An axis that shows all values, as far as they have a place on it. Bars stand on 0, or on a
    /// power of ten below the smallest.
    pub(crate) fn fit(is_log: bool, values: impl Iterator<Item = f64>, has_base: bool) -> Self {
        let shown: Vec<f64> = values.filter_map(|value| shown(is_log, value)).collect();
        let least = shown.iter().copied().reduce(f64::min);
        let most = shown.iter().copied().reduce(f64::max);
        let none = if is_log { (0.0, 1.0) } else { (0.0, 0.0) };
        let (low, high) = least.zip(most).unwrap_or(none);
        if is_log { Self::log(low, high, has_base) } else { Self::linear(low, high, has_base) }
    }

    fn linear(mut low: f64, mut high: f64, has_base: bool) -> Self {
        // A curve that begins near 0 begins at 0.
        if has_base || (low > 0.0 && low < 0.4 * high) {
            (low, high) = (low.min(0.0), high.max(0.0));
        }
        if low == high {
            let half = if low == 0.0 { 1.0 } else { 0.5 * low.abs() };
            (low, high) = (if has_base { low } else { low - half }, high + half);
        }
        let step = step(high - low, STEPS);
        let first = (low / step).floor();
        let count = ((high / step).ceil() - first).clamp(1.0, 20.0);
        let ticks = numbers(count).map(|i| (first + i) * step);
        let ticks = ticks.map(|tick| (tick, linear_label(tick, step))).collect();
        Self::of(Kind::Linear, (first * step, (first + count) * step), ticks)
    }

    /// From logarithms.
    fn log(mut low: f64, mut high: f64, has_base: bool) -> Self {
        if has_base && low - low.floor() < 0.15 {
            // The smallest bar has to be seen.
            low = low.floor() - 0.5;
        }
        let span = high - low;
        if span < 0.05 {
            (low, high) = (low - 0.3, high + 0.3);
        } else if !has_base {
            (low, high) = (low - 0.03 * span, high + 0.03 * span);
        }
        if has_base {
            low = low.floor();
        }
        let span = high - low;
        // Of each decade 1, 2 and 5; or 1 and 3; or 1; or only every second decade, and so on.
        let within: &[f64] = match span {
            _ if span <= 1.6 => &[1.0, 2.0, 5.0],
            _ if span <= 2.6 => &[1.0, 3.0],
            _ => &[1.0],
        };
        let every = (span / 8.0).ceil().max(1.0);
        let first = (low / every).floor();
        let is_short = low >= -3.0 && high <= 4.0;
        let decades = numbers(((high / every).ceil() - first).clamp(1.0, 40.0));
        let ticks = decades.flat_map(|i| within.iter().map(move |f| ((first + i) * every, *f)));
        let ticks = ticks.filter_map(|(exponent, factor)| {
            let tick = exponent + factor.log10();
            let is_inside = tick >= low - 1e-9 && tick <= high + 1e-9;
            let exponent = exponent as i32;
            // Either every label is a power of ten or none is.
            let label = || {
                // By its digits: a product of 3 and 0.1 is not 0.3.
                let value = format!("{factor}e{exponent}").parse();
                value.ok().filter(|_| is_short).map_or_else(|| power(factor, exponent), figure)
            };
            is_inside.then(|| (tick, label()))
        });
        let ticks = ticks.collect();
        Self::of(Kind::Log, (low, high), ticks)
    }

    /// Names side by side, each one step wide.
    pub(crate) fn names(names: &[String]) -> Self {
        let middles = std::iter::successors(Some(0.5), |middle| Some(middle + 1.0));
        let ticks = middles.zip(names.iter().cloned()).collect();
        Self::of(Kind::Names, (0.0, names.len().max(1) as f64), ticks)
    }

    /// Room beyond the tallest bar for the number at its end: a share of the whole.
    pub(crate) fn with_room(mut self, share: f64) -> Self {
        let room = share * (self.to - self.from);
        self.to += room;
        if self.kind == Kind::Linear && self.from < 0.0 {
            self.from -= room;
        }
        self
    }

    /// Where a value is drawn; `None` if it has no place, as 0 on a logarithmic axis.
    pub(crate) fn find(&self, value: f64) -> Option<f64> {
        shown(self.kind == Kind::Log, value).map(|value| self.place(value))
    }

    /// Where bars stand.
    pub(crate) fn base(&self) -> f64 {
        let is_log = self.kind == Kind::Log;
        self.place(if is_log { self.from } else { 0.0_f64.clamp(self.from, self.to) })
    }
}

fn shown(is_log: bool, value: f64) -> Option<f64> {
    match is_log {
        _ if !value.is_finite() || value.abs() > HUGE => None,
        true => (value > 0.0).then(|| value.log10()),
        false => Some(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_cover_all() {
        let labels = |is_log, values: [f64; 2], has_base| {
            Axis::fit(is_log, values.into_iter(), has_base).labels()
        };
        assert_eq!(labels(false, [0.83, 4.2], true), ["0", "1", "2", "3", "4", "5"]);
        let decades = labels(true, [1e-8, 0.3], false);
        assert_eq!(decades[0], "10⁻⁸");
        assert_eq!(decades.last().map(String::as_str), Some("10⁻¹"));
        assert_eq!(labels(true, [0.6, 7.0], false), ["1", "2", "5"]);
        assert_eq!(labels(true, [0.02, 3.0], false), ["0.03", "0.1", "0.3", "1", "3"]);
    }

    #[test]
    fn odd_values_have_no_place_or_a_finite_one() {
        let odd = [f64::NAN, f64::INFINITY, -1.0, 0.0, f64::MAX, f64::MIN_POSITIVE, 1e-320, 5.0];
        for is_log in [false, true] {
            for has_base in [false, true] {
                for count in 0..=odd.len() {
                    let axis = Axis::fit(is_log, odd[..count].iter().copied(), has_base);
                    assert!(axis.from < axis.to && (axis.to - axis.from).is_finite());
                    assert!(axis.labels().len() < 60, "{axis:?}");
                    assert!(odd.iter().filter_map(|&v| axis.find(v)).all(f64::is_finite));
                }
            }
        }
    }
}
