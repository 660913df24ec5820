//! Why a motion is refused.

use std::fmt;

use crate::math::planar::Planar;

/// Why a trace, or what is made of it, was refused.
#[derive(Clone, Debug, PartialEq)]
pub struct MotionError {
    kind: MotionErrorKind,
}

impl MotionError {
    /// What was wrong, for programs.
    pub fn kind(&self) -> &MotionErrorKind {
        &self.kind
    }
}

/// What was wrong with a motion. Samples count from 0.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum MotionErrorKind {
    /// There are no samples.
    Empty,
    /// More samples than [`Trace::MOST_SAMPLES`](super::Trace::MOST_SAMPLES).
    TooMany {
        /// How many.
        samples: usize,
    },
    /// A number of a sample is NaN, infinite or larger than [`Planar::MOST`].
    Size {
        /// The sample.
        sample: usize,
        /// Which of its numbers: x, y or radius.
        name: &'static str,
        /// The number.
        value: f64,
    },
    /// A radius is negative.
    NegativeRadius {
        /// The sample.
        sample: usize,
        /// The radius.
        radius: f64,
    },
    /// A time, a rate or a scale is not a positive number of a sensible size.
    Positive {
        /// Which.
        name: &'static str,
        /// The number.
        value: f64,
    },
    /// A start is not finite, or beyond 1e90 seconds.
    Start {
        /// The start.
        start: f64,
    },
    /// A joint that the skeleton does not have.
    NoSuchJoint {
        /// The joint.
        joint: u32,
        /// How many there are.
        joints: usize,
    },
    /// Two motions that are to be one have different sampling times.
    DifferentSteps {
        /// The clip.
        clip: usize,
        /// Its sampling time.
        dt: f64,
        /// The first clip's.
        expected: f64,
    },
    /// Two skeletons that are to be compared have different numbers of joints.
    DifferentSkeletons {
        /// The clip.
        clip: usize,
        /// Its joints.
        joints: usize,
        /// The first clip's.
        expected: usize,
    },
}

impl From<MotionErrorKind> for MotionError {
    fn from(kind: MotionErrorKind) -> Self {
        Self { kind }
    }
}

impl fmt::Display for MotionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            MotionErrorKind::Empty => write!(f, "a motion has at least one sample"),
            MotionErrorKind::TooMany { samples } => write!(
                f,
                "{samples} samples are more than {}: resample the motion at a lower rate",
                super::Trace::MOST_SAMPLES
            ),
            MotionErrorKind::Size { sample, name, value } => write!(
                f,
                "the {name} of sample {sample} is {value}: it must be finite and at most {:.0e}",
                Planar::MOST
            ),
            MotionErrorKind::NegativeRadius { sample, radius } => {
                write!(f, "the radius of sample {sample} is {radius}, which is negative")
            }
            MotionErrorKind::Positive { name, value } => {
                write!(f, "the {name} is {value}, but must be a number from 1e-90 to 1e90")
            }
            MotionErrorKind::Start { start } => {
                write!(f, "the start is {start}: it must be finite and at most 1e90 seconds")
            }
            MotionErrorKind::NoSuchJoint { joint, joints } => {
                write!(
                    f,
                    "joint {joint} does not exist: the skeleton has {joints} (counted from 0)"
                )
            }
            MotionErrorKind::DifferentSteps { clip, dt, expected } => write!(
                f,
                "clip {clip} has a sample every {dt} s, but the first one every {expected} s: resample one of them"
            ),
            MotionErrorKind::DifferentSkeletons { clip, joints, expected } => write!(
                f,
                "clip {clip} has {joints} joints, but the first one {expected}: poses of different \
                 skeletons cannot be compared"
            ),
        }
    }
}

impl std::error::Error for MotionError {}

/// Refuses what is not a positive number that can be multiplied by any other here.
pub(super) fn positive(name: &'static str, value: f64) -> Result<(), MotionError> {
    if (1e-90..=1e90).contains(&value) {
        Ok(())
    } else {
        Err(MotionErrorKind::Positive { name, value }.into())
    }
}
