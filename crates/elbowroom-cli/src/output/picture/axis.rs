//! An axis: which values it shows, where they are drawn, and which are written beside it.
//!
//! A logarithmic axis works with logarithms throughout, so that equal steps are equal distances.

use super::Frame;
use super::number::{figure, grouped};
use super::svg::{Anchor, LETTERS, Svg};

/// Left of a frame, between it and a label.
const GAP: f64 = 8.0;
/// From the bottom of a frame to the baseline of the labels below it, and from line to line.
const BASELINE: f64 = 16.0;
const PITCH: f64 = 14.0;
/// The widest name beside a frame; longer ones are broken.
const NAME: f64 = 190.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Linear,
    Log,
    /// Names side by side, each one step wide.
    Names,
}

/// A range of values on a range of points.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    pub(crate) from: f64,
    pub(crate) to: f64,
    pub(super) kind: Kind,
    /// Values and what is written beside them.
    ticks: Vec<(f64, String)>,
    at: f64,
    end: f64,
}

impl Axis {
    /// A range as it is, with about this many round values in it. An empty range is widened.
    pub(crate) fn exact((from, to): (f64, f64), about: f64) -> Self {
        let room = if to - from > 1e-9 * from.abs().max(to.abs()).max(1e-6) { 0.0 } else { 0.5 };
        let (from, to) = (from - room, to + room);
        let step = step(to - from, about);
        let first = (from / step - 1e-9).ceil();
        let count = (to / step + 1e-9).floor() - first;
        let ticks = numbers(count.clamp(0.0, 100.0)).map(|k| (first + k) * step);
        let ticks = ticks.map(|tick| (tick, linear_label(tick, step))).collect();
        Self::of(Kind::Linear, (from, to), ticks)
    }

    /// What is written beside it.
    #[cfg(test)]
    pub(super) fn labels(&self) -> Vec<String> {
        self.ticks.iter().map(|(_, label)| label.clone()).collect()
    }

    pub(super) fn of(kind: Kind, (from, to): (f64, f64), ticks: Vec<(f64, String)>) -> Self {
        Self { from, to, kind, ticks, at: 0.0, end: 1.0 }
    }

    /// This axis on another range of points.
    pub(crate) fn on(self, at: f64, end: f64) -> Self {
        Self { at, end, ..self }
    }

    pub(crate) fn place(&self, value: f64) -> f64 {
        self.at + (value - self.from) / (self.to - self.from) * (self.end - self.at)
    }

    /// Points for one unit.
    pub(crate) fn scale(&self) -> f64 {
        ((self.end - self.at) / (self.to - self.from)).abs()
    }

    /// The width of the labels left of a frame.
    pub(crate) fn beside(&self) -> f64 {
        let widths = self.ticks.iter().map(|(_, label)| LETTERS.width(label));
        let widest = widths.fold(0.0, f64::max);
        GAP + if self.kind == Kind::Names { widest.min(NAME) } else { widest }
    }

    /// The height of the labels below a frame of some width.
    pub(crate) fn below(&self, width: f64) -> f64 {
        let lines = self.ticks.iter().map(|(_, label)| self.lines(label, width).len());
        BASELINE + PITCH * (lines.max().unwrap_or(1).max(1) - 1) as f64
    }

    /// A label as written below a frame of some width: only names are broken.
    fn lines(&self, label: &str, width: f64) -> Vec<String> {
        match self.kind {
            Kind::Names => LETTERS.lines(label, width / self.ticks.len().max(1) as f64 - 4.0),
            Kind::Linear | Kind::Log => vec![label.to_owned()],
        }
    }

    /// Whether there is a grid line at a tick so far from the other axis, which it must not cover.
    fn has_line(&self, distance: f64) -> bool {
        self.kind != Kind::Names && distance > 0.5
    }

    /// Grid lines across a frame, labels below it, and a title below these.
    pub(crate) fn draw_below(&self, svg: &mut Svg, frame: Frame, title: &str) {
        let bottom = frame.y + frame.height;
        for (tick, label) in &self.ticks {
            let x = self.place(*tick);
            if self.has_line(x - frame.x) {
                svg.line("grid", (x, frame.y), (x, bottom));
            }
            for (line, row) in self.lines(label, frame.width).iter().zip(0..) {
                let y = bottom + BASELINE + PITCH * f64::from(row);
                svg.text("label", x, y, Anchor::Middle, line);
            }
        }
        svg.line("axis", (frame.x, bottom), (frame.x + frame.width, bottom));
        let y = bottom + self.below(frame.width) + 18.0;
        svg.text("label", frame.x + 0.5 * frame.width, y, Anchor::Middle, title);
    }

    /// Grid lines across a frame, labels left of it, and an upright title left of these.
    pub(crate) fn draw_left(&self, svg: &mut Svg, frame: Frame, title: &str) {
        for (tick, label) in &self.ticks {
            let y = self.place(*tick);
            if self.has_line(frame.y + frame.height - y) {
                svg.line("grid", (frame.x, y), (frame.x + frame.width, y));
            }
            let lines = if self.kind == Kind::Names {
                LETTERS.lines(label, NAME)
            } else {
                vec![label.clone()]
            };
            svg.lines("label", (frame.x - GAP, y), Anchor::End, LETTERS, &lines);
        }
        svg.line("axis", (frame.x, frame.y), (frame.x, frame.y + frame.height));
        let middle = frame.y + 0.5 * frame.height;
        svg.upright("label", (frame.x - self.beside() - 14.0, middle), title);
    }
}

/// The round step that divides an extent into about this many parts.
pub(super) fn step(extent: f64, about: f64) -> f64 {
    let rough = extent / about;
    let decade = 10.0_f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|factor| factor * decade >= 0.9 * rough);
    factor.unwrap_or(10.0) * decade
}

/// 0, 1, … to the count.
pub(super) fn numbers(count: f64) -> impl Iterator<Item = f64> {
    std::iter::successors(Some(0.0), |i| Some(i + 1.0)).take_while(move |i| *i <= count)
}

/// A multiple of a step with no more digits than the step has.
pub(super) fn linear_label(value: f64, step: f64) -> String {
    // Rounding leaves a little of what should be 0.
    if value.abs() < 1e-6 * step {
        return "0".to_owned();
    }
    if value.abs() >= 1e7 || value.abs() < 1e-4 {
        return figure(value);
    }
    #[expect(clippy::cast_sign_loss, reason = "clamped to what is not negative")]
    let digits = (-(step * 1.000_001).log10().floor()).clamp(0.0, 8.0) as usize;
    grouped(&format!("{value:.digits$}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        let labels = |from, to| Axis::exact((from, to), 5.0).labels();
        assert_eq!(labels(0.0, 10.0), ["0", "2", "4", "6", "8", "10"]);
        assert_eq!(labels(-0.4, 0.4), ["−0.4", "−0.2", "0", "0.2", "0.4"]);
        assert_eq!(labels(3.0, 3.0), ["2.6", "2.8", "3.0", "3.2", "3.4"]);
        assert_eq!(labels(0.0, 5e4)[1..3], ["10,000", "20,000"]);
        let axis = Axis::exact((0.0, 2.0), 5.0).on(100.0, 0.0);
        assert_eq!((axis.place(0.5), axis.scale()), (75.0, 50.0));
    }
}
