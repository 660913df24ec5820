//! The median of some measurements, and between which values they lie.

/// The median and the range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spread {
    pub(crate) low: f64,
    pub(crate) median: f64,
    pub(crate) high: f64,
}

impl Spread {
    /// `None` of no values.
    pub(crate) fn of(mut values: Vec<f64>) -> Option<Self> {
        values.sort_unstable_by(f64::total_cmp);
        let (&low, &high) = (values.first()?, values.last()?);
        let middle = values.len() / 2;
        let median = if values.len().is_multiple_of(2) {
            0.5 * (values[middle - 1] + values[middle])
        } else {
            values[middle]
        };
        Some(Self { low, median, high })
    }

    /// As `median (low–high)`, or only the median where all are one.
    pub(crate) fn show(&self) -> String {
        let Self { low, median, high } = self;
        if low == high {
            return digits(*median);
        }
        format!("{} ({}–{})", digits(*median), digits(*low), digits(*high))
    }
}

/// Three digits that matter.
pub(crate) fn digits(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        x if x < 0.1 => format!("{value:.4}"),
        x if x < 1.0 => format!("{value:.3}"),
        x if x < 10.0 => format!("{value:.2}"),
        x if x < 100.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

/// The geometric mean; `None` of no values.
pub(crate) fn geometric_mean(values: &[f64]) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    let sum: f64 = values.iter().map(|value| value.ln()).sum();
    Some((sum / values.len() as f64).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spread_is_median_and_range() {
        let spread = Spread::of(vec![3.0, 1.0, 2.0]).unwrap();
        assert_eq!(spread, Spread { low: 1.0, median: 2.0, high: 3.0 });
        assert_eq!(spread.show(), "2.00 (1.00–3.00)");
        assert_eq!(Spread::of(vec![4.0, 1.0]).unwrap().median, 2.5);
        assert_eq!(Spread::of(vec![]), None);
    }

    #[test]
    fn means_are_geometric() {
        assert!((geometric_mean(&[2.0, 8.0]).unwrap() - 4.0).abs() < 1e-12);
        assert_eq!(geometric_mean(&[]), None);
    }
}
