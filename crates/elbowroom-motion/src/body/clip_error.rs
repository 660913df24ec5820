//! Why a clip is refused.

use std::fmt;

use super::clip::{Clip, Target, fixed_width};

elbowroom::declare_error! {
    /// Why a clip was refused.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ClipError;

    /// What was wrong with a clip. Tracks and keys count from 0.
    #[derive(Clone, Debug, PartialEq)]
    pub enum ClipErrorKind {
        /// A track has no keys.
        #[error("track {track} ({}) has no keys", Words(*target))]
        NoKeys {
            /// The track.
            track: usize,
            /// The target that the track moves.
            target: Target,
        },
        /// A key's time is not finite or lies before the key before it.
        #[error(
            "key {key} of track {track} ({}) is at {time} s, {}",
            Words(*target),
            time_fault(*time, *before)
        )]
        BadTime {
            /// The track.
            track: usize,
            /// The target that the track moves.
            target: Target,
            /// The key.
            key: usize,
            /// The time.
            time: f64,
            /// The time of the key before.
            before: f64,
        },
        /// A track has too few or too many values for its keys.
        #[error(
            "track {track} ({}) has {values} values for {keys} keys: each needs {}, and three times \
             that where it is cubic",
            Words(*target),
            fixed_width(*target).map_or("the number of morphs".into(), |w| w.to_string())
        )]
        ValueCount {
            /// The track.
            track: usize,
            /// The target that the track moves.
            target: Target,
            /// How many keys there are.
            keys: usize,
            /// How many values there are.
            values: usize,
        },
        /// A value is NaN or infinite.
        #[error(
            "key {key} of track {track} ({}) holds {value}, which is not finite",
            Words(*target)
        )]
        NonFinite {
            /// The track.
            track: usize,
            /// The target that the track moves.
            target: Target,
            /// The key.
            key: usize,
            /// The value.
            value: f64,
        },
        /// A rotation is the zero quaternion.
        #[error(
            "key {key} of track {track} ({}) is the zero quaternion, which names no rotation",
            Words(*target)
        )]
        ZeroRotation {
            /// The track.
            track: usize,
            /// The target that the track moves.
            target: Target,
            /// The key.
            key: usize,
        },
        /// A rate to resample at is not a positive number.
        #[error("{fps} frames per second is no rate: give a positive number")]
        BadRate {
            /// The rate.
            fps: f64,
        },
        /// A rate to resample at would give too many values.
        #[error(
            "{fps} frames per second would make more than {} values: give a lower rate",
            Clip::MOST_VALUES
        )]
        TooManyValues {
            /// The rate.
            fps: f64,
        },
    }
}

/// A target in words.
pub(super) struct Words(pub(super) Target);

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Target::Translation(id) => write!(f, "translation of joint {}", id.0),
            Target::Rotation(id) => write!(f, "rotation of joint {}", id.0),
            Target::Scale(id) => write!(f, "scale of joint {}", id.0),
            Target::Weights(part) => write!(f, "morph weights of part {part}"),
        }
    }
}

/// What is wrong with the time of a key, as the end of a sentence.
fn time_fault(time: f64, before: f64) -> String {
    if time.is_finite() {
        format!("before the key before it at {before} s")
    } else {
        "which is not finite".into()
    }
}
