//! Curves on doubly logarithmic paper.
//!
//! A power law is a straight line there, and its exponent is the slope. The counts of a traversal
//! follow one only between two bends: at first a few boxes decide, and at last the trees have no
//! more levels. What counts as the straight part is fixed by one rule for all curves, before
//! looking at any.

use crate::chart::power;

/// Points of a curve, both coordinates positive, in the order of a sweep.
#[derive(Clone, Debug, Default)]
pub(crate) struct Curve {
    pub(crate) points: Vec<(f64, f64)>,
}

impl Curve {
    /// Counts over the values of a sweep.
    pub(super) fn of_counts(xs: &[f64], counts: &[u64]) -> Self {
        Self { points: xs.iter().zip(counts).map(|(&x, &n)| (x, n as f64)).collect() }
    }

    /// The slope of the straight line with the least squares of errors in the logarithms; none
    /// without two different places.
    pub(crate) fn slope(&self) -> Option<f64> {
        let points: Vec<[f64; 2]> = self.points.iter().map(|&(x, y)| [x, y]).collect();
        power(&points)
    }

    /// The highest point.
    pub(super) fn level(&self) -> f64 {
        self.points.iter().map(|p| p.1).fold(0.0, f64::max)
    }

    /// The part from `floor` up to a share of the level.
    pub(super) fn between(&self, floor: f64, share: f64) -> Self {
        let ceiling = share * self.level();
        let straight = |&&(_, y): &&(f64, f64)| floor <= y && y <= ceiling;
        Self { points: self.points.iter().filter(straight).copied().collect() }
    }

    /// How many times the last but one the last is.
    pub(super) fn last_ratio(&self) -> f64 {
        match self.points[..] {
            [.., (_, before), (_, last)] => last / before,
            _ => f64::NAN,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_is_a_slope() {
        let xs = [0.1, 0.01, 0.001, 0.0001];
        let curve = Curve { points: xs.iter().map(|&x| (x, 3.0 / (x * x))).collect() };
        assert!((curve.slope().expect("four places") + 2.0).abs() < 1e-12);
        assert!((curve.last_ratio() - 100.0).abs() < 1e-9);
        assert_eq!(curve.between(1e3, 1e-3).points.len(), 1);
        assert_eq!(Curve::default().slope(), None);
    }
}
