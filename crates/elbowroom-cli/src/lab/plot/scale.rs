//! A direction of numbers: where a value lies, and which values are written beside it.
//!
//! On a logarithmic axis all is done with the logarithms, so that whoever draws sees equal steps either way.

use elbowroom_lab::Axis;

/// Beyond that the difference of two values may not be a number any more.
const HUGE: f64 = 1e300;

/// How many steps an axis has, about.
const STEPS: f64 = 5.0;

/// From where to where, and what is written.
#[derive(Clone, Debug)]
pub(super) struct Scale {
    pub(super) low: f64,
    pub(super) high: f64,
    /// Where a line and a label are, as drawn.
    pub(super) ticks: Vec<f64>,
    pub(super) is_log: bool,
    /// The difference between two ticks of equal differences.
    step: f64,
}

impl Scale {
    /// The scale on which all values find place that have one. Bars stand on 0, or on a power of ten below the smallest.
    pub(super) fn of(axis: &Axis, values: impl Iterator<Item = f64>, has_base: bool) -> Self {
        let mut ends: Option<(f64, f64)> = None;
        for value in values.chain(axis.reference) {
            if let Some(at) = at(axis.is_log, value) {
                let (low, high) = ends.unwrap_or((at, at));
                ends = Some((low.min(at), high.max(at)));
            }
        }
        let (low, high) = ends.unwrap_or(if axis.is_log { (0.0, 1.0) } else { (0.0, 0.0) });
        if axis.is_log { Self::log(low, high, has_base) } else { Self::linear(low, high, has_base) }
    }

    fn linear(mut low: f64, mut high: f64, has_base: bool) -> Self {
        // A curve that begins near 0 begins at 0.
        if has_base || (low > 0.0 && low < 0.4 * high) {
            low = low.min(0.0);
            high = high.max(0.0);
        }
        if low == high {
            let half = if low == 0.0 { 1.0 } else { 0.5 * low.abs() };
            (low, high) = (if has_base { low } else { low - half }, high + half);
        }
        let rough = (high - low) / STEPS;
        let decade = 10_f64.powi(rough.log10().floor() as i32);
        let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|f| f * decade >= 0.9 * rough);
        let step = factor.unwrap_or(10.0) * decade;
        let (first, last) = ((low / step).floor(), (high / step).ceil());
        let count = (last - first).clamp(1.0, 20.0);
        let ticks = steps(count).map(|i| (first + i) * step).collect();
        Self { low: first * step, high: (first + count) * step, ticks, is_log: false, step }
    }

    fn log(mut low: f64, mut high: f64, has_base: bool) -> Self {
        if has_base && (low - low.floor() < 0.15) {
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
        // Of each decade: all of 1, 2 and 5; or 1 and 3; or 1; or of every second decade, and so on.
        let within: &[f64] = match span {
            _ if span <= 1.6 => &[1.0, 2.0, 5.0],
            _ if span <= 2.6 => &[1.0, 3.0],
            _ => &[1.0],
        };
        let every = (span / 8.0).ceil().max(1.0);
        let first = (low / every).floor();
        let decades = steps(((high / every).ceil() - first).clamp(1.0, 40.0));
        let inside = |tick: &f64| *tick >= low - 1e-9 && *tick <= high + 1e-9;
        let ticks = decades
            .flat_map(|i| within.iter().map(move |f| (first + i) * every + f.log10()))
            .filter(inside)
            .collect();
        Self { low, high, ticks, is_log: true, step: every }
    }

    /// Where a value is drawn, if it has a place.
    pub(super) fn at(&self, value: f64) -> Option<f64> {
        at(self.is_log, value)
    }

    /// Where bars stand.
    pub(super) fn base(&self) -> f64 {
        if self.is_log { self.low } else { 0.0_f64.clamp(self.low, self.high) }
    }

    /// With room above the tallest bar for its number: a share of the whole.
    pub(super) fn with_room(mut self, share: f64) -> Self {
        let room = share * (self.high - self.low);
        self.high += room;
        if self.base() > self.low {
            self.low -= room;
        }
        self
    }

    /// What is written at a tick.
    pub(super) fn label(&self, tick: f64) -> String {
        if !self.is_log {
            return plain(tick, self.step);
        }
        let (low, high) = (self.low.floor(), self.high.ceil());
        let exponent = (tick + 1e-9).floor();
        let factor = 10_f64.powf(tick - exponent).round();
        if low >= -3.0 && high <= 4.0 {
            return short(factor * 10_f64.powi(exponent as i32));
        }
        power(factor, exponent as i32)
    }
}

fn at(is_log: bool, value: f64) -> Option<f64> {
    match is_log {
        _ if !value.is_finite() || value.abs() > HUGE => None,
        true => (value > 0.0).then(|| value.log10()),
        false => Some(value),
    }
}

/// 0, 1, … to the count.
fn steps(count: f64) -> impl Iterator<Item = f64> {
    std::iter::successors(Some(0.0), |i| Some(i + 1.0)).take_while(move |i| *i <= count)
}

/// A multiple of a step with no more digits than that needs.
fn plain(value: f64, step: f64) -> String {
    let exponent = step.log10().floor();
    if value == 0.0 {
        return "0".to_owned();
    }
    if value.abs() >= 1e6 || value.abs() < 1e-4 {
        return short(value);
    }
    #[expect(clippy::cast_sign_loss, reason = "not below 0")]
    let digits = (-exponent).clamp(0.0, 8.0) as usize;
    grouped(&format!("{value:.digits$}"))
}

/// Three digits of a value, for people.
pub(super) fn short(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 {
        return "0".to_owned();
    }
    if !value.is_finite() {
        return "–".to_owned();
    }
    if (1e-3..999_999.5).contains(&size) {
        let digits = match size {
            _ if size >= 99.95 => 0,
            _ if size >= 9.995 => 1,
            _ if size >= 0.9995 => 2,
            _ if size >= 0.099_95 => 3,
            _ => 4,
        };
        return grouped(&trimmed(&format!("{value:.digits$}")));
    }
    let text = format!("{value:.2e}");
    let (factor, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let factor: f64 = factor.parse().unwrap_or(1.0);
    power(factor, exponent.parse().unwrap_or(0))
}

/// `3·10⁻⁴`.
fn power(factor: f64, exponent: i32) -> String {
    let digits = exponent.to_string().chars().map(raised).collect::<String>();
    if factor == 1.0 {
        return format!("10{digits}");
    }
    format!("{}·10{digits}", trimmed(&format!("{factor:.2}")))
}

fn raised(digit: char) -> char {
    match digit {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        _ => digit.to_digit(10).and_then(|d| char::from_u32(0x2070 + d)).unwrap_or(digit),
    }
}

/// Without zeros at the end that say nothing.
fn trimmed(text: &str) -> String {
    if !text.contains('.') {
        return text.to_owned();
    }
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// With commas between thousands, and a true minus.
fn grouped(text: &str) -> String {
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("−", digits));
    let whole = digits.find('.').unwrap_or(digits.len());
    let mut out = sign.to_owned();
    for (i, digit) in digits.char_indices() {
        if i > 0 && i < whole && (whole - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(is_log: bool) -> Axis {
        Axis { label: String::new(), is_log, reference: None }
    }

    #[test]
    fn numbers_for_people() {
        let values = [0.0, 1.0, 0.25, 12.34, 1234.6, 1.05e6, 3e-4, -2.5, 100.0, 1e6];
        let texts = ["0", "1", "0.25", "12.3", "1,235", "1.05·10⁶", "3·10⁻⁴", "−2.5", "100", "10⁶"];
        assert_eq!(values.map(short), texts);
    }

    #[test]
    fn ticks_are_round_and_cover_all() {
        let scale = Scale::of(&axis(false), [0.0, 0.83, 4.2].into_iter(), true);
        let labels: Vec<String> = scale.ticks.iter().map(|&t| scale.label(t)).collect();
        assert_eq!(labels, ["0", "1", "2", "3", "4", "5"]);
        let scale = Scale::of(&axis(true), [1e-8, 0.3].into_iter(), false);
        let labels: Vec<String> = scale.ticks.iter().map(|&t| scale.label(t)).collect();
        assert_eq!(labels[0], "10⁻⁸");
        assert_eq!(labels.last().map(String::as_str), Some("10⁻¹"));
        let scale = Scale::of(&axis(true), [0.6, 7.0].into_iter(), false);
        let labels: Vec<String> = scale.ticks.iter().map(|&t| scale.label(t)).collect();
        assert_eq!(labels, ["1", "2", "5"]);
    }

    #[test]
    fn odd_values_have_no_place_or_a_finite_one() {
        let odd = [f64::NAN, f64::INFINITY, -1.0, 0.0, f64::MAX, f64::MIN_POSITIVE, 1e-320, 5.0];
        for is_log in [false, true] {
            for has_base in [false, true] {
                for count in 0..=odd.len() {
                    let scale = Scale::of(&axis(is_log), odd[..count].iter().copied(), has_base);
                    assert!(scale.low < scale.high && (scale.high - scale.low).is_finite());
                    assert!(scale.ticks.len() < 60, "{scale:?}");
                    assert!(odd.iter().filter_map(|&v| scale.at(v)).all(f64::is_finite));
                }
            }
        }
    }
}
