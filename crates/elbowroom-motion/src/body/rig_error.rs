//! Why a rig is refused.

use super::clip::Target;
use super::clip_error::Words;

elbowroom::declare_error! {
    /// Why a rig was refused.
    #[derive(Clone, Debug, PartialEq)]
    pub struct RigError;

    /// What was wrong with a rig. Everything counts from 0.
    #[derive(Clone, Debug, PartialEq)]
    pub enum RigErrorKind {
        /// A part does not fit together or names what is not there.
        #[error("part {part} ({name:?}) {what}")]
        Part {
            /// The part.
            part: usize,
            /// The name.
            name: String,
            /// In words.
            what: String,
        },
        /// A track of a clip moves what is not there.
        #[error("track {track} ({}) of clip {clip} ({name:?}): {what}", Words(*target))]
        Track {
            /// The clip.
            clip: usize,
            /// The name.
            name: String,
            /// The track.
            track: usize,
            /// The target that the track moves.
            target: Target,
            /// In words.
            what: String,
        },
        /// A joint variable does not fit.
        #[error("freedom {freedom} ({name:?}) {what}")]
        Freedom {
            /// The freedom.
            freedom: usize,
            /// The name.
            name: String,
            /// In words.
            what: String,
        },
        /// An allowed pair names a joint that is not there.
        #[error(
            "joints {a} and {b} are allowed to touch, but there are only {joints} joints (counted \
             from 0)"
        )]
        Allowed {
            /// The first of the pair.
            a: u32,
            /// The second.
            b: u32,
            /// How many joints there are.
            joints: usize,
        },
    }
}
