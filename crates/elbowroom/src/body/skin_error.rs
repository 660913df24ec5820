//! Why a skin is refused.

use std::fmt;

/// Why a skin was refused.
#[derive(Clone, Debug, PartialEq)]
pub struct SkinError {
    kind: SkinErrorKind,
}

impl SkinError {
    /// What was wrong, for programs.
    pub fn kind(&self) -> &SkinErrorKind {
        &self.kind
    }
}

/// What was wrong with a skin. Vertices and joints count from 0; joints are places in the skin's list.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SkinErrorKind {
    /// More joints than 16 bits can number.
    TooManyJoints {
        /// How many.
        joints: usize,
    },
    /// Not one inverse bind matrix for each joint.
    InverseBindCount {
        /// How many joints there are.
        joints: usize,
        /// How many matrices there are.
        inverse_binds: usize,
    },
    /// An inverse bind matrix holds NaN or infinity.
    NonFiniteBind {
        /// The joint.
        joint: usize,
    },
    /// The offsets do not rise from 0 to the number of influences.
    BadOffsets {
        /// How many influences there are.
        influences: usize,
    },
    /// A vertex names a joint that does not exist.
    NoSuchJoint {
        /// The vertex.
        vertex: usize,
        /// The joint that it names.
        joint: u16,
        /// How many there are.
        joints: usize,
    },
    /// A weight is negative, NaN or infinite.
    BadWeight {
        /// The vertex.
        vertex: usize,
        /// The joint.
        joint: u16,
        /// The weight.
        weight: f32,
    },
    /// A vertex has no weights, or they are all zero.
    NoWeight {
        /// The vertex.
        vertex: usize,
    },
}

impl From<SkinErrorKind> for SkinError {
    fn from(kind: SkinErrorKind) -> Self {
        Self { kind }
    }
}

impl fmt::Display for SkinError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            SkinErrorKind::TooManyJoints { joints } => {
                write!(f, "a skin on {joints} joints: at most 65536 can be numbered")
            }
            SkinErrorKind::InverseBindCount { joints, inverse_binds } => write!(
                f,
                "there are {inverse_binds} inverse bind matrices for {joints} joints: one each is needed"
            ),
            SkinErrorKind::NonFiniteBind { joint } => {
                write!(f, "the inverse bind matrix of joint {joint} of the skin is not finite")
            }
            SkinErrorKind::BadOffsets { influences } => write!(
                f,
                "the offsets must rise from 0 to {influences}, the number of influences, one more than \
                 there are vertices"
            ),
            SkinErrorKind::NoSuchJoint { vertex, joint, joints } => write!(
                f,
                "vertex {vertex} hangs on joint {joint} of the skin, but it has only {joints} (counted \
                 from 0)"
            ),
            SkinErrorKind::BadWeight { vertex, joint, weight } => write!(
                f,
                "vertex {vertex} hangs on joint {joint} of the skin with weight {weight}: weights must \
                 be finite and not negative"
            ),
            SkinErrorKind::NoWeight { vertex } => {
                write!(f, "vertex {vertex} hangs on nothing: it has no weight above zero")
            }
        }
    }
}

impl std::error::Error for SkinError {}
