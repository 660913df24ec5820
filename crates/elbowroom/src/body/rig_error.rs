//! Why a rig is refused.

use std::fmt;

use super::clip::Target;
use super::clip_error::Words;

/// Why a rig was refused.
#[derive(Clone, Debug, PartialEq)]
pub struct RigError {
    kind: RigErrorKind,
}

impl RigError {
    /// What was wrong, for programs.
    pub fn kind(&self) -> &RigErrorKind {
        &self.kind
    }
}

/// What was wrong with a rig. Everything counts from 0.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RigErrorKind {
    /// A part does not fit together or names what is not there.
    Part {
        /// The part.
        part: usize,
        /// Its name.
        name: String,
        /// In words.
        what: String,
    },
    /// A track of a clip moves what is not there.
    Track {
        /// The clip.
        clip: usize,
        /// Its name.
        name: String,
        /// The track.
        track: usize,
        /// What it moves.
        target: Target,
        /// In words.
        what: String,
    },
    /// A joint variable does not fit.
    Freedom {
        /// The freedom.
        freedom: usize,
        /// Its name.
        name: String,
        /// In words.
        what: String,
    },
    /// An allowed pair names a joint that is not there.
    Allowed {
        /// The first of the pair.
        a: u32,
        /// The second.
        b: u32,
        /// How many joints there are.
        joints: usize,
    },
}

impl From<RigErrorKind> for RigError {
    fn from(kind: RigErrorKind) -> Self {
        Self { kind }
    }
}

impl fmt::Display for RigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            RigErrorKind::Part { part, name, what } => write!(f, "part {part} ({name:?}) {what}"),
            RigErrorKind::Track { clip, name, track, target, what } => {
                write!(f, "track {track} ({}) of clip {clip} ({name:?}): {what}", Words(*target))
            }
            RigErrorKind::Freedom { freedom, name, what } => {
                write!(f, "freedom {freedom} ({name:?}) {what}")
            }
            RigErrorKind::Allowed { a, b, joints } => write!(
                f,
                "joints {a} and {b} are allowed to touch, but there are only {joints} joints (counted \
                 from 0)"
            ),
        }
    }
}

impl std::error::Error for RigError {}
