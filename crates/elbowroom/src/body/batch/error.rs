//! Why a plan or a pose is refused.

use std::fmt;

/// Why a plan or a pose was refused.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchError {
    kind: BatchErrorKind,
}

impl BatchError {
    /// What was wrong, for programs.
    pub fn kind(&self) -> &BatchErrorKind {
        &self.kind
    }
}

/// What was wrong. Everything counts from 0.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum BatchErrorKind {
    /// There is nothing to enclose.
    NoLeaves,
    /// A leaf or a merge names a joint that the skeleton does not have.
    NoSuchJoint {
        /// The joint.
        joint: u32,
        /// How many there are.
        joints: usize,
    },
    /// A leaf's box is not finite, turned inside out, or its axes are not orthonormal.
    Leaf {
        /// The leaf.
        leaf: usize,
    },
    /// A joint is scaled at rest.
    Scaled {
        /// The joint.
        joint: usize,
        /// Its name.
        name: String,
    },
    /// The merges do not make one tree of all leaves.
    Merge {
        /// The first merge that does not fit; as many as there are if one is missing.
        merge: usize,
    },
    /// A chain of joints is longer than rounding allows for.
    TooDeep {
        /// The joint at which it is.
        joint: usize,
    },
    /// The body reaches farther than boxes in f32 can.
    TooLarge {
        /// How far.
        reach: f64,
    },
    /// A pose moves a joint that is not the only root, scales one, or is not finite.
    Pose {
        /// The joint.
        joint: usize,
    },
}

impl From<BatchErrorKind> for BatchError {
    fn from(kind: BatchErrorKind) -> Self {
        Self { kind }
    }
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            BatchErrorKind::NoLeaves => write!(f, "no link has a box; give at least one"),
            BatchErrorKind::NoSuchJoint { joint, joints } => {
                write!(f, "there is no joint {joint}, only {joints} (counted from 0)")
            }
            BatchErrorKind::Leaf { leaf } => write!(
                f,
                "the box of leaf {leaf} needs a finite centre, orthonormal axes and half extents that \
                 are finite and not negative"
            ),
            BatchErrorKind::Scaled { joint, name } => write!(
                f,
                "joint {joint} ({name:?}) is scaled at rest; put the scale into the offsets and boxes \
                 below it"
            ),
            BatchErrorKind::Merge { merge } => write!(
                f,
                "merge {merge} does not fit: every leaf and every merge but the last must be merged \
                 once, with an earlier one"
            ),
            BatchErrorKind::TooDeep { joint } => {
                write!(f, "joint {joint} hangs on more than {} others", super::slack::DEEPEST)
            }
            BatchErrorKind::TooLarge { reach } => write!(
                f,
                "the body reaches {reach:e} from its root, more than 2^30; use a larger unit of length"
            ),
            BatchErrorKind::Pose { joint } => write!(
                f,
                "joint {joint} must be where it is at rest, unscaled and finite: in a batch, joints \
                 turn and only a single root moves"
            ),
        }
    }
}

impl std::error::Error for BatchError {}
