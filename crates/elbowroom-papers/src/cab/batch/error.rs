//! Why a plan or a pose is refused.

elbowroom::declare_error! {
    /// Why a plan or a pose was refused.
    #[derive(Clone, Debug, PartialEq)]
    pub struct BatchError;

    /// What was wrong. Everything counts from 0.
    #[derive(Clone, Debug, PartialEq)]
    pub enum BatchErrorKind {
        /// There is nothing to enclose.
        #[error("no link has a box; give at least one")]
        NoLeaves,
        /// A leaf or a merge names a joint that the skeleton does not have.
        #[error("there is no joint {joint}, only {joints} (counted from 0)")]
        NoSuchJoint {
            /// The joint.
            joint: u32,
            /// How many there are.
            joints: usize,
        },
        /// A leaf's box is not finite, turned inside out, or its axes are not orthonormal.
        #[error(
            "the box of leaf {leaf} needs a finite centre, orthonormal axes and half extents that \
             are finite and not negative"
        )]
        Leaf {
            /// The leaf.
            leaf: usize,
        },
        /// A joint is scaled at rest.
        #[error(
            "joint {joint} ({name:?}) is scaled at rest; put the scale into the offsets and boxes \
             below it"
        )]
        Scaled {
            /// The joint.
            joint: usize,
            /// The name.
            name: String,
        },
        /// The merges do not make one tree of all leaves.
        #[error(
            "merge {merge} does not fit: every leaf and every merge but the last must be merged \
             once, with an earlier one"
        )]
        Merge {
            /// The number of the first merge that does not fit; the number of merges if one is
            /// missing.
            merge: usize,
        },
        /// A chain of joints is longer than rounding allows for.
        #[error("joint {joint} hangs on more than {} others", crate::cab::batch::slack::DEEPEST)]
        TooDeep {
            /// The joint at which it is.
            joint: usize,
        },
        /// The body reaches farther than boxes in f32 can.
        #[error(
            "the body reaches {reach:e} from its root, more than 2^30; use a larger unit of length"
        )]
        TooLarge {
            /// How far.
            reach: f64,
        },
        /// A pose moves a joint that is not the only root, scales one, or is not finite.
        #[error(
            "joint {joint} must be where it is at rest, unscaled and finite: in a batch, joints \
             turn and only a single root moves"
        )]
        Pose {
            /// The joint.
            joint: usize,
        },
    }
}
