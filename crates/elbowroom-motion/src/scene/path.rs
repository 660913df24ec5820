//! A way through the scene: where someone walks, and which way they face.
//!
//! Positions are known at some times and lie on straight lines between them. Where no heading is
//! given, people face the way they go: the difference of the places half of [`WINDOW_SECS`] before
//! and after. Someone who hardly moves keeps the heading of the last time that they did, because
//! the direction of a sway is noise. All of it is worked out once, so that a frame can be asked for
//! without those before.

use glam::DVec3;

use super::axes::Axes;

/// Steps take half a second: over less, a body sways more than it goes.
const WINDOW_SECS: f64 = 0.5;

/// A person who moves less than this in the window, in metres, stands: a tenth of a slow walk.
const STANDING: f64 = 0.05;

/// Tolerance in seconds before the first sample and after the last, within which a person is
/// present: times are sums and quotients of rates, and rounded.
const EDGE: f64 = 1e-4;

/// One sample of a way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// The time, in seconds.
    pub time_secs: f64,
    /// The position, in metres.
    pub position: DVec3,
    /// The heading, as in [`Axes::turned`]; `None` for the direction of walking.
    pub heading: Option<f64>,
}

/// A checked way.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    times: Vec<f64>,
    positions: Vec<DVec3>,
    headings: Vec<f64>,
    /// The length of the way up to each sample, over the floor.
    covered: Vec<f64>,
    axes: Axes,
}

/// Where someone is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Whereabout {
    pub(super) position: DVec3,
    pub(super) heading: f64,
    /// How far they have gone since the beginning.
    pub(super) covered: f64,
}

impl Path {
    /// Checks the samples, in the order of time.
    ///
    /// # Errors
    /// A sentence: there is no sample, one is not finite, or times do not rise.
    pub fn new(steps: &[Step], axes: Axes) -> Result<Self, String> {
        if steps.is_empty() {
            return Err("has a path without positions".into());
        }
        for (index, step) in steps.iter().enumerate() {
            let heading = step.heading.unwrap_or(0.0);
            if !(step.time_secs.is_finite() && step.position.is_finite() && heading.is_finite()) {
                return Err(format!("has a path whose sample {index} is not finite"));
            }
            if index > 0 && step.time_secs <= steps[index - 1].time_secs {
                return Err(format!(
                    "has a path whose sample {index} is not later than the one before"
                ));
            }
        }
        let times: Vec<f64> = steps.iter().map(|step| step.time_secs).collect();
        let positions: Vec<DVec3> = steps.iter().map(|step| step.position).collect();
        let mut path = Self {
            covered: covered(&positions, axes),
            times,
            positions,
            headings: Vec::new(),
            axes,
        };
        path.headings = path.all_headings(steps);
        Ok(path)
    }

    /// The times of its beginning and its end, in seconds.
    pub fn span(&self) -> (f64, f64) {
        (self.times[0], self.times[self.times.len() - 1])
    }

    /// The length of the path over the floor.
    pub fn length(&self) -> f64 {
        self.covered[self.covered.len() - 1]
    }

    /// The axes that headings refer to.
    pub fn axes(&self) -> Axes {
        self.axes
    }

    /// Where they are; nowhere before the beginning and after the end, but for [`EDGE`].
    pub(super) fn at(&self, time_secs: f64) -> Option<Whereabout> {
        let (start, end) = self.span();
        if !(start - EDGE..=end + EDGE).contains(&time_secs) {
            return None;
        }
        let (before, after, fraction) = self.between(time_secs);
        let turn = shorter(self.headings[after] - self.headings[before]);
        Some(Whereabout {
            position: lerp(self.positions[before], self.positions[after], fraction),
            heading: self.headings[before] + turn * fraction,
            covered: self.covered[before] + (self.covered[after] - self.covered[before]) * fraction,
        })
    }

    /// The samples around a time, and how far it is from the first to the second; times beyond the
    /// ends give the ends.
    fn between(&self, time_secs: f64) -> (usize, usize, f64) {
        let after = self.times.partition_point(|&time| time <= time_secs);
        let (before, after) = (after.saturating_sub(1), after.min(self.times.len() - 1));
        let (from, to) = (self.times[before], self.times[after]);
        let fraction = if to > from { (time_secs - from) / (to - from) } else { 0.0 };
        (before, after, fraction.clamp(0.0, 1.0))
    }

    fn place(&self, time_secs: f64) -> DVec3 {
        let (before, after, fraction) = self.between(time_secs);
        lerp(self.positions[before], self.positions[after], fraction)
    }

    fn all_headings(&self, steps: &[Step]) -> Vec<f64> {
        let known: Vec<Option<f64>> =
            steps.iter().map(|step| step.heading.or_else(|| self.travel(step.time_secs))).collect();
        let mut last = known.iter().find_map(|&heading| heading).unwrap_or(0.0);
        known
            .into_iter()
            .map(|heading| {
                last = heading.unwrap_or(last);
                last
            })
            .collect()
    }

    /// The direction of travel, unless they stand.
    fn travel(&self, time_secs: f64) -> Option<f64> {
        let ahead = self.place(time_secs + 0.5 * WINDOW_SECS);
        let way = ahead - self.place(time_secs - 0.5 * WINDOW_SECS);
        let level = way - self.axes.up() * way.dot(self.axes.up());
        // Samples that are further apart than the window show less of it.
        (level.length() > STANDING).then(|| self.axes.heading(level))
    }
}

fn lerp(from: DVec3, to: DVec3, fraction: f64) -> DVec3 {
    from + (to - from) * fraction
}

/// A turn by the shorter way round.
fn shorter(turn: f64) -> f64 {
    let whole = std::f64::consts::TAU;
    turn - whole * (turn / whole).round()
}

fn covered(positions: &[DVec3], axes: Axes) -> Vec<f64> {
    let mut sum = 0.0;
    let level = |way: DVec3| way - axes.up() * way.dot(axes.up());
    let steps = positions.windows(2).map(|pair| level(pair[1] - pair[0]).length());
    std::iter::once(0.0)
        .chain(steps)
        .map(|step| {
            sum += step;
            sum
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{FRAC_PI_2, PI};

    fn step(time_secs: f64, x: f64, z: f64) -> Step {
        Step { time_secs, position: DVec3::new(x, 0.0, z), heading: None }
    }

    #[test]
    fn people_face_where_they_go_and_keep_it_where_they_stand() {
        // Stands, goes along +x, stands again with a sway, then back.
        let steps = [
            step(0.0, 0.0, 0.0),
            step(1.0, 0.0, 0.0),
            step(2.0, 2.0, 0.0),
            step(3.0, 2.0, 0.001),
            step(4.0, 2.0, 0.0),
            step(6.0, -2.0, 0.0),
        ];
        let path = Path::new(&steps, Axes::Y_UP).unwrap();
        for time in [0.0, 0.5, 1.0, 1.5, 2.0, 3.0] {
            let heading = path.at(time).unwrap().heading;
            assert!((heading - FRAC_PI_2).abs() < 0.01, "{time} {heading}");
        }
        assert!((path.at(5.9).unwrap().heading.abs() - FRAC_PI_2).abs() < 0.2);
        assert_eq!(path.at(1.5).unwrap().position, DVec3::X);
        assert_eq!(path.at(-0.1), None);
        assert_eq!(path.at(6.1), None);
        assert_eq!(path.span(), (0.0, 6.0));
        assert!((path.length() - 6.002).abs() < 1e-9);
        assert!((path.at(1.5).unwrap().covered - 1.0).abs() < 1e-12);
    }

    #[test]
    fn headings_turn_the_shorter_way() {
        let said =
            |time_secs, heading| Step { heading: Some(heading), ..step(time_secs, 0.0, 0.0) };
        let path = Path::new(&[said(0.0, 3.0), said(1.0, -3.0)], Axes::Z_UP).unwrap();
        let heading = path.at(0.5).unwrap().heading;
        assert!((heading - PI).abs() < 1e-12, "{heading}");
    }

    #[test]
    fn one_place_is_a_way_and_bad_ones_are_none() {
        let one = Path::new(&[step(2.0, 1.0, 1.0)], Axes::Y_UP).unwrap();
        assert_eq!(one.at(2.0).unwrap().heading, 0.0);
        assert!(one.at(2.1).is_none());
        let bad = [
            vec![],
            vec![step(0.0, f64::NAN, 0.0)],
            vec![step(f64::INFINITY, 0.0, 0.0)],
            vec![step(1.0, 0.0, 0.0), step(1.0, 0.0, 0.0)],
        ];
        assert_eq!(bad.iter().filter(|steps| Path::new(steps, Axes::Y_UP).is_err()).count(), 4);
    }
}
