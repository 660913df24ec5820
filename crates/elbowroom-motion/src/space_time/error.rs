//! Why a motion is refused.

use elbowroom::internal::math::planar::Planar;

elbowroom::declare_error! {
    /// Why a trace, or what is made of it, was refused.
    #[derive(Clone, Debug, PartialEq)]
    pub struct TraceError;

    /// What was wrong with a motion. Samples count from 0.
    #[derive(Clone, Debug, PartialEq)]
    pub enum TraceErrorKind {
        /// There are no samples.
        #[error("a motion has at least one sample")]
        Empty,
        /// More samples than [`Trace::MOST_SAMPLES`](super::Trace::MOST_SAMPLES).
        #[error(
            "{samples} samples are more than {}: resample the motion at a lower rate",
            super::Trace::MOST_SAMPLES
        )]
        TooMany {
            /// How many.
            samples: usize,
        },
        /// A number of a sample is NaN, infinite or larger than [`Planar::MOST`].
        #[error(
            "the {name} of sample {sample} is {value}: it must be finite and at most {:.0e}",
            Planar::MOST
        )]
        Size {
            /// The sample.
            sample: usize,
            /// Which of its numbers: x, y or radius.
            name: &'static str,
            /// The number.
            value: f64,
        },
        /// A radius is negative.
        #[error("the radius of sample {sample} is {radius}, which is negative")]
        NegativeRadius {
            /// The sample.
            sample: usize,
            /// The radius.
            radius: f64,
        },
        /// A time, a rate or a scale is not a positive number of a sensible size.
        #[error("the {name} is {value}, but must be a number from 1e-90 to 1e90")]
        Positive {
            /// Which.
            name: &'static str,
            /// The number.
            value: f64,
        },
        /// A start is not finite, or beyond 1e90 seconds.
        #[error("the start is {start}: it must be finite and at most 1e90 seconds")]
        Start {
            /// The start.
            start: f64,
        },
        /// The sine of an angle is none.
        #[error("the {name} is {value}: give a number from 0 to 1, the sine of an angle")]
        Sine {
            /// The name of the sine.
            name: &'static str,
            /// The number.
            value: f64,
        },
        /// The character has no triangles.
        #[error("the character has no triangles: take its disks from the skeleton alone")]
        NoTriangles,
        /// A joint that the skeleton does not have.
        #[error("joint {joint} does not exist: the skeleton has {joints} (counted from 0)")]
        NoSuchJoint {
            /// The joint.
            joint: u32,
            /// How many there are.
            joints: usize,
        },
        /// Two motions that are to be one have different sampling times.
        #[error(
            "clip {clip} has a sample every {dt} s, but the first one every {expected} s: \
             resample one of them"
        )]
        DifferentSteps {
            /// The clip.
            clip: usize,
            /// The sampling time.
            dt: f64,
            /// The first clip's.
            expected: f64,
        },
        /// Two skeletons that are to be compared have different numbers of joints.
        #[error(
            "clip {clip} has {joints} joints, but the first one {expected}: poses of different \
             skeletons cannot be compared"
        )]
        DifferentSkeletons {
            /// The clip.
            clip: usize,
            /// The joints.
            joints: usize,
            /// The first clip's.
            expected: usize,
        },
    }
}

/// Refuses what is not a positive number that can be multiplied by any other here.
pub(super) fn positive(name: &'static str, value: f64) -> Result<(), TraceError> {
    if (1e-90..=1e90).contains(&value) {
        Ok(())
    } else {
        Err(TraceErrorKind::Positive { name, value }.into())
    }
}

/// Refuses what is not the sine of an angle up to a right one.
pub(super) fn sine(name: &'static str, value: f64) -> Result<(), TraceError> {
    if (0.0..=1.0).contains(&value) {
        Ok(())
    } else {
        Err(TraceErrorKind::Sine { name, value }.into())
    }
}
