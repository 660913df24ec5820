//! Who stands where, and what the door refuses.

use elbowroom::internal::math::planar::Planar;

/// A member of a crowd at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Member {
    /// The number of its performer among those of the crowd.
    pub performer: u32,
    /// Place and heading on the ground.
    pub at: Planar,
    /// The time in the clip, in seconds from its first sample; see
    /// [`Performer::sample_at`](super::Performer::sample_at).
    pub time: f64,
}

elbowroom::declare_error! {
    /// Why a member was refused.
    #[derive(Clone, Debug, PartialEq)]
    pub struct CrowdError;

    /// What was wrong with a member.
    #[derive(Clone, Debug, PartialEq)]
    pub enum CrowdErrorKind {
        /// There is no such performer. They count from 0.
        #[error(
            "member {id} names performer {performer}, but there are only {performers} (counted \
             from 0)"
        )]
        NoSuchPerformer {
            /// The member.
            id: u32,
            /// The performer that it names.
            performer: u32,
            /// How many there are.
            performers: usize,
        },
        /// The clip time is NaN or infinite.
        #[error("the clip time of member {id} is {time}: give finite seconds")]
        Time {
            /// The member.
            id: u32,
            /// The time.
            time: f64,
        },
        /// The member is too far from the origin.
        #[error(
            "the {axis} of member {id} is {value}, more than {most:.1e} from the origin: check \
             the unit, or move the whole crowd nearer to the origin"
        )]
        TooFar {
            /// The member.
            id: u32,
            /// x or y.
            axis: char,
            /// The coordinate.
            value: f64,
            /// The largest that is taken.
            most: f64,
        },
        /// The heading stretches the body: allowed for disks, not for meshes.
        #[error(
            "the heading of member {id} is {distance:.1e} away from a turn: make it by \
             Planar::from_angle, or give cosine and sine with all their digits"
        )]
        NotATurn {
            /// The member.
            id: u32,
            /// How far (cosine, sine) is from length 1.
            distance: f64,
        },
    }
}
