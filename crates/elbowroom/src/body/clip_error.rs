//! Why a clip is refused.

use std::fmt;

use super::clip::{Clip, Target, fixed_width};

/// Why a clip was refused.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipError {
    kind: ClipErrorKind,
}

impl ClipError {
    /// What was wrong, for programs.
    pub fn kind(&self) -> &ClipErrorKind {
        &self.kind
    }
}

/// What was wrong with a clip. Tracks and keys count from 0.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ClipErrorKind {
    /// A track has no keys.
    NoKeys {
        /// The track.
        track: usize,
        /// What it moves.
        target: Target,
    },
    /// A key's time is not finite or lies before the key before it.
    BadTime {
        /// The track.
        track: usize,
        /// What it moves.
        target: Target,
        /// The key.
        key: usize,
        /// Its time.
        time: f64,
        /// The time of the key before.
        before: f64,
    },
    /// A track has too few or too many values for its keys.
    ValueCount {
        /// The track.
        track: usize,
        /// What it moves.
        target: Target,
        /// How many keys there are.
        keys: usize,
        /// How many values there are.
        values: usize,
    },
    /// A value is NaN or infinite.
    NonFinite {
        /// The track.
        track: usize,
        /// What it moves.
        target: Target,
        /// The key.
        key: usize,
        /// The value.
        value: f64,
    },
    /// A rotation is the zero quaternion.
    ZeroRotation {
        /// The track.
        track: usize,
        /// What it moves.
        target: Target,
        /// The key.
        key: usize,
    },
    /// A rate to resample at is not a positive number.
    BadRate {
        /// The rate.
        fps: f64,
    },
    /// A rate to resample at would give too many values.
    TooManyValues {
        /// The rate.
        fps: f64,
    },
}

impl From<ClipErrorKind> for ClipError {
    fn from(kind: ClipErrorKind) -> Self {
        Self { kind }
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

impl fmt::Display for ClipError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            ClipErrorKind::NoKeys { track, target } => {
                write!(f, "track {track} ({}) has no keys", Words(target))
            }
            ClipErrorKind::BadTime { track, target, key, time, before } => {
                write!(f, "key {key} of track {track} ({}) is at {time} s, ", Words(target))?;
                if time.is_finite() {
                    write!(f, "before the key before it at {before} s")
                } else {
                    write!(f, "which is not finite")
                }
            }
            ClipErrorKind::ValueCount { track, target, keys, values } => {
                let width =
                    fixed_width(target).map_or("the number of morphs".into(), |w| w.to_string());
                write!(
                    f,
                    "track {track} ({}) has {values} values for {keys} keys: each needs {width}, and \
                     three times that where it is cubic",
                    Words(target)
                )
            }
            ClipErrorKind::NonFinite { track, target, key, value } => write!(
                f,
                "key {key} of track {track} ({}) holds {value}, which is not finite",
                Words(target)
            ),
            ClipErrorKind::ZeroRotation { track, target, key } => write!(
                f,
                "key {key} of track {track} ({}) is the zero quaternion, which names no rotation",
                Words(target)
            ),
            ClipErrorKind::BadRate { fps } => {
                write!(f, "{fps} frames a second is no rate: give a positive number")
            }
            ClipErrorKind::TooManyValues { fps } => write!(
                f,
                "{fps} frames a second would make more than {} values: give a lower rate",
                Clip::MOST_VALUES
            ),
        }
    }
}

impl std::error::Error for ClipError {}
