//! A set of clips in a few numbers: means over clips, each with a 95 % interval.
//!
//! The interval is the percentile bootstrap over clips (Efron, *Bootstrap methods: another look at
//! the jackknife*, 1979): clips are drawn with replacement, as many as there are, and the middle
//! 95 % of the means of many such draws is the interval. Draws are seeded. Values are sorted before
//! they are drawn and added, so that nothing depends on the order of the clips.

use elbowroom::internal::math::random::Random;

use super::clip::ClipSummary;

/// The number of draws.
pub const DRAWS: usize = 10_000;

/// The power of the unit of length that a figure has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimension {
    /// A share or a number.
    None,
    /// A length.
    Length,
    /// A volume.
    Volume,
}

/// A number that every clip has, and that a set has the mean of.
#[derive(Clone, Copy, Debug)]
pub struct Figure {
    /// The name, as in tables.
    pub name: &'static str,
    /// The kind of unit.
    pub dimension: Dimension,
    /// The value for a clip; `None` if the clip has none.
    pub of: fn(&ClipSummary) -> Option<f64>,
}

/// All figures, in the order of tables.
pub const FIGURES: [Figure; 10] = [
    Figure { name: "share_contact", dimension: Dimension::None, of: ClipSummary::share_contact },
    Figure { name: "share_crossing", dimension: Dimension::None, of: ClipSummary::share_crossing },
    Figure { name: "depth_mean", dimension: Dimension::Length, of: |c| Some(c.depth.all) },
    Figure { name: "depth_mean_crossing", dimension: Dimension::Length, of: |c| c.depth.crossing },
    Figure { name: "depth_max", dimension: Dimension::Length, of: |c| Some(c.depth.max) },
    Figure { name: "volume_mean", dimension: Dimension::Volume, of: |c| Some(c.volume.all) },
    Figure {
        name: "volume_mean_crossing",
        dimension: Dimension::Volume,
        of: |c| c.volume.crossing,
    },
    Figure { name: "volume_max", dimension: Dimension::Volume, of: |c| Some(c.volume.max) },
    Figure { name: "distance_min", dimension: Dimension::Length, of: |c| c.distance },
    Figure { name: "incidents", dimension: Dimension::None, of: |c| Some(c.incidents as f64) },
];

/// A mean over clips.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// The number of clips that have a value.
    pub clips: usize,
    /// The mean; `None` if no clip has a value.
    pub mean: Option<f64>,
    /// The 95 % interval; `None` for fewer than two clips.
    pub interval: Option<[f64; 2]>,
    /// The largest value; `None` if no clip has one.
    pub max: Option<f64>,
}

/// The mean of values, and its interval.
///
/// ```
/// use elbowroom_motion::metrics::set::estimate;
///
/// let found = estimate([1.0, 2.0, 3.0, 6.0], 7);
/// assert_eq!((found.clips, found.mean, found.max), (4, Some(3.0), Some(6.0)));
/// let [low, high] = found.interval.expect("more than one clip");
/// assert!(low < 3.0 && 3.0 < high);
/// assert_eq!(estimate([6.0, 1.0, 3.0, 2.0], 7), found);
/// ```
pub fn estimate(values: impl IntoIterator<Item = f64>, seed: u64) -> Estimate {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    let clips = values.len();
    if clips == 0 {
        return Estimate::default();
    }
    let mean = values.iter().sum::<f64>() / clips as f64;
    let interval = (clips > 1).then(|| interval(&values, seed));
    Estimate { clips, mean: Some(mean), interval, max: values.last().copied() }
}

fn interval(values: &[f64], seed: u64) -> [f64; 2] {
    let mut random = Random::new(seed);
    let mut draw = || {
        let sum: f64 = (0..values.len()).map(|_| values[random.index(values.len())]).sum();
        sum / values.len() as f64
    };
    let mut means: Vec<f64> = (0..DRAWS).map(|_| draw()).collect();
    means.sort_by(f64::total_cmp);
    // 250 of 10,000 draws are below the interval, and as many above it.
    [means[DRAWS / 40], means[DRAWS - 1 - DRAWS / 40]]
}

/// All figures of a set of clips.
pub fn estimates(clips: &[ClipSummary], seed: u64) -> [Estimate; FIGURES.len()] {
    FIGURES.map(|figure| estimate(clips.iter().filter_map(figure.of), seed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_clips_have_no_interval() {
        assert_eq!(estimate([], 0), Estimate::default());
        let one = estimate([2.5], 0);
        assert_eq!((one.clips, one.mean, one.interval), (1, Some(2.5), None));
    }

    #[test]
    fn the_interval_is_as_wide_as_the_error_of_the_mean() {
        // Of 400 values from 0 to 399 the standard deviation is 115.5, that of the mean 5.77.
        let found = estimate((0..400).map(f64::from), 1);
        let [low, high] = found.interval.expect("many clips");
        let half = 0.5 * (high - low);
        assert!((half / (1.96 * 115.47 / 20.0) - 1.0).abs() < 0.05, "{half}");
        assert_ne!(estimate((0..400).map(f64::from), 2).interval, found.interval);
    }
}
