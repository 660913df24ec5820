//! Why a motion is refused.

use std::fmt;

use crate::math::planar::Planar;

/// Why a trace, or what is made of it, was refused.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceError {
    kind: TraceErrorKind,
}

impl TraceError {
    /// What was wrong, for programs.
    pub fn kind(&self) -> &TraceErrorKind {
        &self.kind
    }
}

/// What was wrong with a motion. Samples count from 0.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum TraceErrorKind {
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
    /// The character has no triangles.
    NoTriangles,
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

impl From<TraceErrorKind> for TraceError {
    fn from(kind: TraceErrorKind) -> Self {
        Self { kind }
    }
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            TraceErrorKind::Empty => write!(f, "a motion has at least one sample"),
            TraceErrorKind::TooMany { samples } => write!(
                f,
                "{samples} samples are more than {}: resample the motion at a lower rate",
                super::Trace::MOST_SAMPLES
            ),
            TraceErrorKind::Size { sample, name, value } => write!(
                f,
                "the {name} of sample {sample} is {value}: it must be finite and at most {:.0e}",
                Planar::MOST
            ),
            TraceErrorKind::NegativeRadius { sample, radius } => {
                write!(f, "the radius of sample {sample} is {radius}, which is negative")
            }
            TraceErrorKind::Positive { name, value } => {
                write!(f, "the {name} is {value}, but must be a number from 1e-90 to 1e90")
            }
            TraceErrorKind::Start { start } => {
                write!(f, "the start is {start}: it must be finite and at most 1e90 seconds")
            }
            TraceErrorKind::NoTriangles => {
                write!(f, "the character has no triangles: take its disks from the skeleton alone")
            }
            TraceErrorKind::NoSuchJoint { joint, joints } => {
                write!(
                    f,
                    "joint {joint} does not exist: the skeleton has {joints} (counted from 0)"
                )
            }
            TraceErrorKind::DifferentSteps { clip, dt, expected } => write!(
                f,
                "clip {clip} has a sample every {dt} s, but the first one every {expected} s: resample one of them"
            ),
            TraceErrorKind::DifferentSkeletons { clip, joints, expected } => write!(
                f,
                "clip {clip} has {joints} joints, but the first one {expected}: poses of different \
                 skeletons cannot be compared"
            ),
        }
    }
}

impl std::error::Error for TraceError {}

/// Refuses what is not a positive number that can be multiplied by any other here.
pub(super) fn positive(name: &'static str, value: f64) -> Result<(), TraceError> {
    if (1e-90..=1e90).contains(&value) {
        Ok(())
    } else {
        Err(TraceErrorKind::Positive { name, value }.into())
    }
}
