//! What is drawn of an experiment, as data.
//!
//! A chart says what is to be seen: axes with their units, and marks on them. How it looks is the
//! business of the writer, so the same chart can become a picture, a page or a table for another
//! program. Where the paper prints a figure, the paper's own numbers stand in it beside ours,
//! marked as such.

use serde::{Deserialize, Serialize};

use crate::name::{self, Name};

/// A chart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chart {
    /// A file's name without its ending, unlike any other of the same experiment: `box-tests`.
    #[serde(deserialize_with = "name::kept")]
    pub name: Name,
    /// What is to be seen.
    pub title: String,
    /// To the right.
    pub x: Axis,
    /// Upward.
    pub y: Axis,
    /// What is on it.
    pub marks: Marks,
    /// Whether the clock had a part in it, so that it differs from run to run.
    pub timed: bool,
}

/// A direction of a chart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Axis {
    /// What is measured along it, with its unit.
    pub label: String,
    /// Whether equal steps are equal factors.
    pub is_log: bool,
    /// What its values are read against, where there is such a thing: 1 for ratios.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<f64>,
}

impl Axis {
    /// Equal steps are equal differences.
    pub(crate) fn linear(label: &str) -> Self {
        Self { label: label.to_owned(), is_log: false, reference: None }
    }

    /// Equal steps are equal factors; what is not above 0 has no place on it.
    pub(crate) fn log(label: &str) -> Self {
        Self { label: label.to_owned(), is_log: true, reference: None }
    }

    /// Read against a value.
    pub(crate) fn against(self, value: f64) -> Self {
        Self { reference: Some(value), ..self }
    }
}

/// What is on a chart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Marks {
    /// Curves through points.
    Lines(Vec<Line>),
    /// Bars side by side, a group for each name on the x axis.
    Bars {
        /// The groups' names, from left to right.
        groups: Vec<String>,
        /// One colour each.
        bars: Vec<Bar>,
    },
    /// Where the quarters of many values end, side by side.
    Boxes(Vec<Spread>),
    /// A table of colours: which of several wins where.
    Map {
        /// From left to right.
        columns: Vec<String>,
        /// From top to bottom.
        rows: Vec<String>,
        /// By row, then by column: who wins, and by how much or how sure, in a word.
        cells: Vec<Vec<(String, String)>>,
    },
}

/// Whose numbers these are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Whose {
    /// Measured here.
    Ours,
    /// Printed in the paper.
    Paper,
}

/// A curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// The name of the line.
    pub name: String,
    /// From left to right.
    pub points: Vec<[f64; 2]>,
    /// Measured or printed.
    pub whose: Whose,
    /// The exponent of the power law that fits it, where one does.
    pub slope: Option<f64>,
}

/// Bars of one colour.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bar {
    /// What they show.
    pub name: String,
    /// One a group; nothing where nothing was measured.
    pub heights: Vec<Option<f64>>,
    /// Measured or printed.
    pub whose: Whose,
}

/// Where the quarters of many values end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// What they are values of.
    pub name: String,
    /// The smallest, the ends of the first three quarters, the largest.
    pub quartiles: [f64; 5],
    /// Measured or printed.
    pub whose: Whose,
}

impl Line {
    /// A measured curve.
    pub(crate) fn ours(name: impl Into<String>, points: Vec<[f64; 2]>) -> Self {
        Self { name: name.into(), points, whose: Whose::Ours, slope: None }
    }

    /// A printed curve.
    pub(crate) fn paper(name: impl Into<String>, points: Vec<[f64; 2]>) -> Self {
        Self { whose: Whose::Paper, ..Self::ours(name, points) }
    }

    /// With the exponent of its power law.
    pub(crate) fn slope(self, slope: Option<f64>) -> Self {
        Self { slope, ..self }
    }
}

impl Bar {
    /// Measured bars.
    pub(crate) fn ours(name: impl Into<String>, heights: Vec<Option<f64>>) -> Self {
        Self { name: name.into(), heights, whose: Whose::Ours }
    }

    /// Printed bars.
    pub(crate) fn paper(name: impl Into<String>, heights: Vec<Option<f64>>) -> Self {
        Self { whose: Whose::Paper, ..Self::ours(name, heights) }
    }
}

impl Spread {
    /// Of measured values; none if there are none. Ends of quarters lie between two values as the
    /// usual linear rule has it.
    pub(crate) fn of(name: impl Into<String>, values: &[f64]) -> Option<Self> {
        let mut sorted: Vec<f64> = values.iter().copied().filter(|v| v.is_finite()).collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let last = sorted.len().checked_sub(1)?;
        let quartiles = [0.0, 0.25, 0.5, 0.75, 1.0].map(|share: f64| {
            let at = share * last as f64;
            #[expect(clippy::cast_sign_loss, reason = "shares and counts are not below 0")]
            let low = at.floor() as usize;
            let high = (low + 1).min(last);
            sorted[low] + (at - low as f64) * (sorted[high] - sorted[low])
        });
        Some(Self { name: name.into(), quartiles, whose: Whose::Ours })
    }
}

/// The exponent of the power law through points: the slope with the least squares of errors in the
/// logarithms. None without two different places.
pub(crate) fn power(points: &[[f64; 2]]) -> Option<f64> {
    let logs: Vec<[f64; 2]> = points.iter().map(|point| point.map(libm::log)).collect();
    let n = logs.len() as f64;
    let mean = [0, 1].map(|i| logs.iter().map(|p| p[i]).sum::<f64>() / n);
    let moment = |i: usize| logs.iter().map(|p| (p[0] - mean[0]) * (p[i] - mean[i])).sum::<f64>();
    let slope = moment(1) / moment(0);
    (moment(0) > 0.0 && slope.is_finite()).then_some(slope)
}

#[cfg(test)]
mod tests {
    use super::{Spread, power};

    #[test]
    fn a_power_is_a_slope() {
        let points = [0.1_f64, 0.01, 0.001].map(|x| [x, 3.0 / (x * x)]);
        assert!((power(&points).expect("three places") + 2.0).abs() < 1e-12);
        assert_eq!(power(&points[..1]), None);
        assert_eq!(power(&[[1.0, 0.0], [2.0, 1.0]]), None);
    }

    #[test]
    fn quarters_of_values() {
        let spread = Spread::of("x", &[4.0, 1.0, 3.0, 2.0, 5.0, f64::NAN]).expect("five values");
        assert_eq!(spread.quartiles, [1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!(Spread::of("x", &[1.0, 2.0]).expect("two").quartiles[1], 1.25);
        assert_eq!(Spread::of("x", &[]), None);
    }
}
