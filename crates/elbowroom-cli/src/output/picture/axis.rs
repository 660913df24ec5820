//! An axis with round numbers.

use super::Frame;
use super::svg::{Anchor, Svg};

/// A range of values on a range of points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis {
    pub(crate) from: f64,
    pub(crate) to: f64,
    at: f64,
    end: f64,
}

impl Axis {
    /// Where values have no extent, there is some around them.
    pub(crate) fn new((from, to): (f64, f64), (at, end): (f64, f64)) -> Self {
        let room = if to - from > 1e-9 * from.abs().max(to.abs()).max(1e-6) { 0.0 } else { 0.5 };
        Self { from: from - room, to: to + room, at, end }
    }

    pub(crate) fn place(&self, value: f64) -> f64 {
        self.at + (value - self.from) / (self.to - self.from) * (self.end - self.at)
    }

    /// Points for one unit.
    pub(crate) fn scale(&self) -> f64 {
        ((self.end - self.at) / (self.to - self.from)).abs()
    }

    /// About so many round values in the range, and how many decimals they have.
    #[expect(clippy::cast_sign_loss, reason = "both are clamped to what is not negative")]
    fn ticks(&self, about: f64) -> (Vec<f64>, usize) {
        let rough = (self.to - self.from) / about;
        let power = 10.0_f64.powf(rough.log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
        let step = steps.into_iter().find(|&step| step >= rough).unwrap_or(power);
        let decimals = (-(step * 1.000_001).log10().floor()).clamp(0.0, 9.0);
        let first = (self.from / step - 1e-9).ceil();
        let count = ((self.to / step + 1e-9).floor() - first).clamp(0.0, 100.0);
        let ticks = (0..=count as u32).map(|k| (first + f64::from(k)) * step);
        // Minus nothing is nothing.
        (ticks.map(|tick| tick + 0.0).collect(), decimals as usize)
    }

    /// Lines across a frame and numbers below it.
    pub(crate) fn draw_below(&self, svg: &mut Svg, frame: Frame, name: &str) {
        let bottom = frame.y + frame.height;
        let (ticks, decimals) = self.ticks((frame.width / 90.0).max(2.0));
        for tick in ticks {
            let x = self.place(tick);
            svg.line("grid", (x, frame.y), (x, bottom));
            svg.text("label", x, bottom + 16.0, Anchor::Middle, &format!("{tick:.decimals$}"));
        }
        svg.line("axis", (frame.x, bottom), (frame.x + frame.width, bottom));
        svg.text("label", frame.x + frame.width, bottom + 32.0, Anchor::End, name);
    }

    /// Lines across a frame and numbers left of it.
    pub(crate) fn draw_left(&self, svg: &mut Svg, frame: Frame) {
        let (ticks, decimals) = self.ticks((frame.height / 42.0).max(2.0));
        for tick in ticks {
            let y = self.place(tick);
            svg.line("grid", (frame.x, y), (frame.x + frame.width, y));
            svg.text("label", frame.x - 8.0, y + 4.0, Anchor::End, &format!("{tick:.decimals$}"));
        }
        svg.line("axis", (frame.x, frame.y), (frame.x, frame.y + frame.height));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        let ticks = |from, to| Axis::new((from, to), (0.0, 100.0)).ticks(5.0);
        assert_eq!(ticks(0.0, 10.0), (vec![0.0, 2.0, 4.0, 6.0, 8.0, 10.0], 0));
        assert_eq!(ticks(-0.4, 0.4).0.len(), 5);
        assert_eq!(ticks(3.0, 3.0).0.len(), 5);
        let axis = Axis::new((0.0, 2.0), (100.0, 0.0));
        assert_eq!((axis.place(0.5), axis.scale()), (75.0, 50.0));
    }
}
