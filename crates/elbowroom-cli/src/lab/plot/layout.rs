//! What is around the data: title, legend, axes.
//!
//! The legend stands above the data, never on it, in as many rows as it needs.

use super::ink::{self, Ink};
use crate::output::picture::{Anchor, Axis, Entry, Frame, Legend, Letters, Plane, Svg};

/// In pixels.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 420.0;
const MARGIN: f64 = 14.0;
/// A line of the title, and its letters.
const LINE: f64 = 19.0;
const TITLE: Letters = Letters(15.0);
/// Beside an axis, for what is measured along it.
const LABEL: f64 = 20.0;

/// The parts of a chart that are not data.
#[derive(Debug)]
pub(super) struct Layout {
    title: Vec<String>,
    legend: Legend,
    pub(super) across: Axis,
    pub(super) up: Axis,
    /// What is measured along them.
    labels: [String; 2],
}

impl Layout {
    pub(super) fn new(
        title: &str,
        legend: Vec<Entry>,
        [across, up]: [Axis; 2],
        labels: [&str; 2],
    ) -> Self {
        let width = WIDTH - 2.0 * MARGIN;
        Self {
            title: TITLE.lines(title, width),
            legend: Legend::new(legend, width),
            across,
            up,
            labels: labels.map(str::to_owned),
        }
    }

    /// The width left for data.
    pub(super) fn room(&self) -> f64 {
        WIDTH - self.left() - MARGIN
    }

    fn left(&self) -> f64 {
        MARGIN + self.up.beside() + if self.labels[1].is_empty() { 0.0 } else { LABEL }
    }

    fn head(&self) -> f64 {
        15.0 + LINE * self.title.len().max(1) as f64
    }

    fn top(&self) -> f64 {
        self.head() + self.legend.height() + 8.0
    }

    fn below(&self) -> f64 {
        10.0 + self.across.below(self.room()) + if self.labels[0].is_empty() { 0.0 } else { LABEL }
    }

    /// A picture with all but the data, the plane for these, and how high the picture is. The data
    /// are of some height if it matters.
    pub(super) fn begin(self, inks: &[Ink], height: Option<f64>) -> (Svg, Plane, f64) {
        // More than a line of title and two rows of legend take no height from the data.
        let more = (self.top() - 15.0 - LINE - 42.0).max(0.0);
        let rest = HEIGHT + more - self.top() - self.below();
        let height = height.unwrap_or(rest);
        let (left, top) = (self.left(), self.top());
        let frame = Frame { x: left, y: top, width: self.room(), height };
        let mut svg = ink::svg(inks);
        for (line, row) in self.title.iter().zip(1..) {
            svg.text("head", MARGIN, 5.0 + LINE * f64::from(row), Anchor::Start, line);
        }
        self.legend.draw(&mut svg, (MARGIN, self.head()));
        let whole = top + height + self.below();
        let plane = Plane::new(frame, self.across, self.up);
        let [across, up] = &self.labels;
        plane.draw(&mut svg, [across, up]);
        (svg, plane, whole)
    }
}

/// The picture as a file.
pub(super) fn finish(svg: Svg, height: f64, title: &str) -> String {
    svg.finish(WIDTH, height, title)
}
