//! Why a skin is refused.

elbowroom::declare_error! {
    /// Why a skin was refused.
    #[derive(Clone, Debug, PartialEq)]
    pub struct SkinError;

    /// What was wrong with a skin. Vertices and joints count from 0; joints are places in the skin's list.
    #[derive(Clone, Debug, PartialEq)]
    pub enum SkinErrorKind {
        /// More joints than 16 bits can number.
        #[error("a skin on {joints} joints: at most 65536 can be numbered")]
        TooManyJoints {
            /// How many.
            joints: usize,
        },
        /// The number of inverse bind matrices is not that of the joints.
        #[error(
            "there are {inverse_binds} inverse bind matrices for {joints} joints: one each is \
             needed"
        )]
        InverseBindCount {
            /// How many joints there are.
            joints: usize,
            /// How many matrices there are.
            inverse_binds: usize,
        },
        /// An inverse bind matrix holds NaN or infinity.
        #[error("the inverse bind matrix of joint {joint} of the skin is not finite")]
        NonFiniteBind {
            /// The joint.
            joint: usize,
        },
        /// The offsets do not rise from 0 to the number of influences.
        #[error(
            "the offsets must rise from 0 to {influences}, the number of influences, one more \
             than there are vertices"
        )]
        BadOffsets {
            /// How many influences there are.
            influences: usize,
        },
        /// A vertex names a joint that does not exist.
        #[error(
            "vertex {vertex} hangs on joint {joint} of the skin, but it has only {joints} \
             (counted from 0)"
        )]
        NoSuchJoint {
            /// The vertex.
            vertex: usize,
            /// The joint that it names.
            joint: u16,
            /// How many there are.
            joints: usize,
        },
        /// A weight is negative, NaN or infinite.
        #[error(
            "vertex {vertex} hangs on joint {joint} of the skin with weight {weight}: weights \
             must be finite and not negative"
        )]
        BadWeight {
            /// The vertex.
            vertex: usize,
            /// The joint.
            joint: u16,
            /// The weight.
            weight: f32,
        },
        /// A vertex has no weights, or they are all zero.
        #[error("vertex {vertex} hangs on nothing: it has no weight above zero")]
        NoWeight {
            /// The vertex.
            vertex: usize,
        },
    }
}
