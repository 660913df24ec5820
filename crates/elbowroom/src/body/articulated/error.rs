//! Why an articulation, a pose for it or a list of allowed pairs is refused.

use std::fmt;

use crate::body::JointId;
use crate::math::placement::PlacementError;

/// Why an articulation, a pose for it or a list of allowed pairs was refused.
#[derive(Clone, Debug, PartialEq)]
pub struct ArticulationError {
    kind: ArticulationErrorKind,
}

impl ArticulationError {
    /// What was wrong, for programs.
    pub fn kind(&self) -> &ArticulationErrorKind {
        &self.kind
    }
}

/// What was wrong. Everything counts from 0.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ArticulationErrorKind {
    /// There is no link, so that there is nothing to enclose.
    NoLinks,
    /// More links than the nodes of a tree can be numbered for.
    TooManyLinks {
        /// How many.
        links: usize,
    },
    /// A link is fixed to a joint that is not there.
    NoSuchJoint {
        /// The link.
        link: usize,
        /// Its name.
        name: String,
        /// The joint that it names.
        joint: JointId,
        /// How many joints there are.
        joints: usize,
    },
    /// A pose has not one matrix a joint.
    PoseLength {
        /// How many it has.
        given: usize,
        /// How many joints there are.
        joints: usize,
    },
    /// A joint of a pose is not finite, or scales, shears or mirrors its links.
    Pose {
        /// The joint.
        joint: JointId,
        /// Its name.
        name: String,
        /// What is wrong with where it puts a link.
        cause: PlacementError,
    },
    /// A pair that may touch names a link that is not there.
    NoSuchLink {
        /// The pair.
        pair: (u32, u32),
        /// How many links there are.
        links: usize,
    },
}

impl From<ArticulationErrorKind> for ArticulationError {
    fn from(kind: ArticulationErrorKind) -> Self {
        Self { kind }
    }
}

impl fmt::Display for ArticulationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ArticulationErrorKind::NoLinks => write!(
                f,
                "there are no links: fix at least one rigid mesh to a joint (skinned parts are none)"
            ),
            ArticulationErrorKind::TooManyLinks { links } => {
                write!(f, "{links} links are more than a tree can number by 32 bits")
            }
            ArticulationErrorKind::NoSuchJoint { link, name, joint: JointId(joint), joints } => {
                write!(
                    f,
                    "link {link} ({name:?}) is fixed to joint {joint}, but there are only {joints} \
                     (counted from 0)"
                )
            }
            ArticulationErrorKind::PoseLength { given, joints } => write!(
                f,
                "the pose has {given} joints, but the skeleton has {joints}: give world_from_joint for \
                 each, as Skeleton::world does"
            ),
            ArticulationErrorKind::Pose { joint: JointId(joint), name, cause } => {
                write!(f, "joint {joint} ({name:?}) of the pose: {cause}")
            }
            ArticulationErrorKind::NoSuchLink { pair: (a, b), links } => write!(
                f,
                "links {a} and {b} are allowed to touch, but there are only {links} (counted from 0)"
            ),
        }
    }
}

impl std::error::Error for ArticulationError {}
