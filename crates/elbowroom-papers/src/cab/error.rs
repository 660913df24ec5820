//! Why an articulation, a pose for it or a list of allowed pairs is refused.

use elbowroom::internal::math::pose::PoseError;
use elbowroom_motion::body::JointId;

elbowroom::declare_error! {
    /// Why an articulation, a pose for it or a list of allowed pairs was refused.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ArticulatedBodyError;

    /// What was wrong. Everything counts from 0.
    #[derive(Clone, Debug, PartialEq)]
    pub enum ArticulatedBodyErrorKind {
        /// There is no link, so that there is nothing to enclose.
        #[error(
            "there are no links: fix at least one rigid mesh to a joint (skinned parts are none)"
        )]
        NoLinks,
        /// More links than the nodes of a tree can be numbered for.
        #[error("{links} links are more than a tree can number by 32 bits")]
        TooManyLinks {
            /// How many.
            links: usize,
        },
        /// A link is fixed to a joint that is not there.
        #[error(
            "link {link} ({name:?}) is fixed to joint {}, but there are only {joints} (counted from 0)",
            joint.0
        )]
        NoSuchJoint {
            /// The link.
            link: usize,
            /// The name.
            name: String,
            /// The joint that it names.
            joint: JointId,
            /// How many joints there are.
            joints: usize,
        },
        /// A pose has not one matrix a joint.
        #[error(
            "the pose has {given} joints, but the skeleton has {joints}: give world_from_joint \
             for each, as Skeleton::world does"
        )]
        PoseLength {
            /// How many it has.
            given: usize,
            /// How many joints there are.
            joints: usize,
        },
        /// A joint of a pose is not finite, or scales, shears or mirrors its links.
        #[error("joint {} ({name:?}) of the pose: {cause}", joint.0)]
        Pose {
            /// The joint.
            joint: JointId,
            /// The name.
            name: String,
            /// What is wrong with where it puts a link.
            cause: PoseError,
        },
        /// A pair that may touch names a link that is not there.
        #[error(
            "links {} and {} are allowed to touch, but there are only {links} (counted from 0)",
            pair.0,
            pair.1
        )]
        NoSuchLink {
            /// The pair.
            pair: (u32, u32),
            /// How many links there are.
            links: usize,
        },
    }
}
