//! What is left of a motion when only its place on the ground matters: a disk, sampled over time.
//!
//! Sample k stands from k·dt until (k + 1)·dt, the last one too: disks of height dt in space-time.
//! Their rule is in [`collide`](super::collide()).
//!
//! Invariants, checked once by [`Trace::new`]: at least one sample; finite coordinates and radii
//! that can be squared; no negative radius; a positive sampling time.

use glam::DVec2;

use super::error::{TraceError, TraceErrorKind, positive};
use elbowroom::internal::math::planar::Planar;

/// A disk on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The centre of the disk.
    pub center: DVec2,
    /// The radius of the disk.
    pub radius: f64,
}

impl Sample {
    /// A sample from its three numbers.
    pub const fn new(x: f64, y: f64, radius: f64) -> Self {
        Self { center: DVec2::new(x, y), radius }
    }
}

/// A disk, sampled at equal steps of time; the first sample at time 0.
///
/// ```
/// use elbowroom_motion::space_time::{Sample, Trace};
///
/// let walk: Vec<Sample> = (0..90).map(|k| Sample::new(0.05 * f64::from(k), 0.0, 0.4)).collect();
/// let trace = Trace::new(&walk, 1.0 / 30.0)?;
/// assert_eq!((trace.len(), trace.seconds()), (90, 3.0));
/// assert_eq!(trace.resampled(60.0)?.len(), 179);
///
/// let error = Trace::new(&[Sample::new(0.0, f64::NAN, 1.0)], 0.1).unwrap_err();
/// assert_eq!(error.to_string(), "the y of sample 0 is NaN: it must be finite and at most 1e90");
/// # Ok::<(), elbowroom_motion::space_time::TraceError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    x: Vec<f64>,
    y: Vec<f64>,
    radius: Vec<f64>,
    dt: f64,
}

impl Trace {
    /// The most samples: nine days at 30 a second.
    pub const MOST_SAMPLES: usize = 1 << 25;

    /// Checks samples and the time from one to the next.
    ///
    /// # Errors
    /// Names the sample and its number that is not finite, too large or negative; or says that
    /// there are none, too many, or that the step is not a positive number.
    pub fn new(samples: &[Sample], dt: f64) -> Result<Self, TraceError> {
        positive("sampling time", dt)?;
        let samples_len = samples.len();
        if samples_len == 0 {
            return Err(TraceErrorKind::Empty.into());
        }
        if samples_len > Self::MOST_SAMPLES {
            return Err(TraceErrorKind::TooMany { samples: samples_len }.into());
        }
        for (index, sample) in samples.iter().enumerate() {
            check(index, sample)?;
        }
        Ok(Self {
            x: samples.iter().map(|s| s.center.x).collect(),
            y: samples.iter().map(|s| s.center.y).collect(),
            radius: samples.iter().map(|s| s.radius).collect(),
            dt,
        })
    }

    /// The number of samples.
    #[allow(clippy::len_without_is_empty, reason = "a trace is never empty")]
    pub fn len(&self) -> usize {
        self.x.len()
    }

    /// The time from one sample to the next, in seconds.
    pub fn dt(&self) -> f64 {
        self.dt
    }

    /// The duration, with the hold of the last sample.
    pub fn seconds(&self) -> f64 {
        self.len() as f64 * self.dt
    }

    /// A sample.
    ///
    /// # Panics
    /// If there is no such sample.
    pub fn sample(&self, index: usize) -> Sample {
        Sample::new(self.x[index], self.y[index], self.radius[index])
    }

    /// All samples.
    pub fn samples(&self) -> impl DoubleEndedIterator<Item = Sample> + ExactSizeIterator + '_ {
        (0..self.len()).map(|index| self.sample(index))
    }

    /// The columns: x, y, radius.
    pub fn columns(&self) -> [&[f64]; 3] {
        [&self.x, &self.y, &self.radius]
    }

    /// The motion resampled at a number of samples per second: on straight lines between the
    /// samples, radii as well.
    ///
    /// The last sample of the new trace is the last one at or before the time of the last one here.
    ///
    /// # Errors
    /// If the rate is not a positive number, or so high that there would be too many samples.
    pub fn resampled(&self, fps: f64) -> Result<Self, TraceError> {
        positive("rate", fps)?;
        let count = frames((self.len() - 1) as f64 * self.dt, fps)?;
        let samples: Vec<Sample> =
            (0..count).map(|frame| self.between(frame as f64 / fps / self.dt)).collect();
        Self::new(&samples, 1.0 / fps)
    }

    /// The disk at a fraction of samples, on the line between two.
    fn between(&self, place: f64) -> Sample {
        let low = (place as usize).min(self.len() - 1);
        let (from, to) = (self.sample(low), self.sample((low + 1).min(self.len() - 1)));
        let share = (place - low as f64).clamp(0.0, 1.0);
        Sample {
            center: from.center + share * (to.center - from.center),
            radius: from.radius + share * (to.radius - from.radius),
        }
    }

    /// The samples placed, each rounded once as [`Planar::apply`] says.
    ///
    /// # Errors
    /// If a coordinate becomes larger than [`Planar::MOST`].
    pub fn placed(&self, at: &Planar) -> Result<Self, TraceError> {
        let samples: Vec<Sample> =
            self.samples().map(|s| Sample { center: at.apply(s.center), ..s }).collect();
        Self::new(&samples, self.dt)
    }
}

/// How many frames there are from 0 to the end of a length of time. One that misses the end by a
/// hundredth of a step is there: captures write their frame time with few digits.
pub(super) fn frames(seconds: f64, fps: f64) -> Result<usize, TraceError> {
    let steps = (seconds * fps + 0.01).floor();
    if steps >= Trace::MOST_SAMPLES as f64 {
        let samples = steps.min(1e18) as u64 as usize;
        return Err(TraceErrorKind::TooMany { samples }.into());
    }
    Ok(steps as usize + 1)
}

fn check(index: usize, sample: &Sample) -> Result<(), TraceError> {
    let Sample { center, radius } = *sample;
    for (name, value) in [("x", center.x), ("y", center.y), ("radius", radius)] {
        if value.is_nan() || value.abs() > Planar::MOST {
            return Err(TraceErrorKind::Size { sample: index, name, value }.into());
        }
    }
    if radius < 0.0 {
        return Err(TraceErrorKind::NegativeRadius { sample: index, radius }.into());
    }
    Ok(())
}
