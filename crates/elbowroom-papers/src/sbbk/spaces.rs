//! Every space that two layered trees may need, each worked out when it is first asked for.
//!
//! A pair of families has a space of its own kind, and a traversal through layers comes by several
//! of them. [`Spaces`] knows where the two objects stand and keeps what was worked out, without the
//! heap.

use std::cell::OnceCell;

use crate::sbbk::{MeetShifted, Shifted, ShiftedKdop};
use elbowroom::internal::math::pose::Pose;
use elbowroom::internal::volume::kdop::KdopSpace;
use elbowroom::internal::volume::{Meet, Mirrored, Rigid, Volume};

/// The relative transforms of two objects, one for each pair of families.
#[derive(Clone, Debug)]
pub struct Spaces {
    rigid: Rigid,
    mirrored: Mirrored,
    shifted: Option<Shifted>,
    kdop14: OnceCell<KdopSpace<7>>,
    kdop18: OnceCell<KdopSpace<9>>,
    kdop24: OnceCell<KdopSpace<12>>,
    kdop26: OnceCell<KdopSpace<13>>,
    shifted14: OnceCell<ShiftedKdop<7>>,
    shifted18: OnceCell<ShiftedKdop<9>>,
    shifted24: OnceCell<ShiftedKdop<12>>,
    shifted26: OnceCell<ShiftedKdop<13>>,
}

impl Spaces {
    /// The relative transforms of two objects; the arguments are those of [`Rigid::new`].
    pub fn new(a: &Pose, reach_a: f64, b: &Pose, reach_b: f64, margin: f64) -> Self {
        let shifted = Shifted::new(a, reach_a, b, reach_b, margin);
        let rigid = match &shifted {
            // Rounding would make a turn of none.
            Some(shifted) => shifted.into(),
            None => Rigid::new(a, reach_a, b, reach_b, margin),
        };
        Self {
            rigid,
            mirrored: (&rigid).into(),
            shifted,
            kdop14: OnceCell::new(),
            kdop18: OnceCell::new(),
            kdop24: OnceCell::new(),
            kdop26: OnceCell::new(),
            shifted14: OnceCell::new(),
            shifted18: OnceCell::new(),
            shifted24: OnceCell::new(),
            shifted26: OnceCell::new(),
        }
    }

    /// Whether the frames of the two are parallel.
    pub fn is_shifted(&self) -> bool {
        self.shifted.is_some()
    }

    /// False only if two volumes are certainly farther apart than the margin.
    #[inline(never)]
    pub fn may_meet<A: Layer<B>, B: Volume>(&self, a: &A, b: &B) -> bool {
        // Never inlined: seven families make 49 of it, which would be too much in one function.
        if self.is_shifted() {
            a.may_meet_shifted(b, self.of_shifted::<A, B>())
        } else {
            a.may_meet(b, self.of_turned::<A, B>())
        }
    }

    /// The space for two families in parallel frames.
    #[inline]
    pub fn of_shifted<A: Layer<B>, B: Volume>(&self) -> &A::ShiftedKept {
        Kept::of(self)
    }

    /// The space for two families that are turned against each other.
    #[inline]
    pub fn of_turned<A: Layer<B>, B: Volume>(&self) -> &A::TurnedKept {
        Kept::of(self)
    }
}

/// A relative transform that [`Spaces`] cache.
pub trait Kept {
    /// Finds it, or works it out. A space in parallel frames may only be asked for where they are
    /// parallel.
    fn of(spaces: &Spaces) -> &Self;
}

impl Kept for Rigid {
    #[inline]
    fn of(spaces: &Spaces) -> &Self {
        &spaces.rigid
    }
}

impl Kept for Mirrored {
    #[inline]
    fn of(spaces: &Spaces) -> &Self {
        &spaces.mirrored
    }
}

impl Kept for Shifted {
    #[inline]
    fn of(spaces: &Spaces) -> &Self {
        spaces.shifted.as_ref().unwrap_or_else(|| unreachable!("the frames are not parallel"))
    }
}

macro_rules! keep {
    ($($n:literal, $turned:ident, $shifted:ident;)*) => {$(
        impl Kept for KdopSpace<$n> {
            #[inline]
            fn of(spaces: &Spaces) -> &Self {
                spaces.$turned.get_or_init(|| (&spaces.rigid).into())
            }
        }

        impl Kept for ShiftedKdop<$n> {
            #[inline]
            fn of(spaces: &Spaces) -> &Self {
                spaces.$shifted.get_or_init(|| Shifted::of(spaces).into())
            }
        }
    )*};
}

keep! {
    7, kdop14, shifted14;
    9, kdop18, shifted18;
    12, kdop24, shifted24;
    13, kdop26, shifted26;
}

/// A family that can be a layer above, beside or below another one.
pub trait Layer<Other: Volume>:
    Meet<Other, Space = Self::TurnedKept> + MeetShifted<Other, ShiftedSpace = Self::ShiftedKept>
{
    /// The space where the two are turned.
    type TurnedKept: Kept;
    /// The space where they are parallel.
    type ShiftedKept: Kept;
}

impl<A: MeetShifted<B>, B: Volume> Layer<B> for A
where
    A::Space: Kept,
    A::ShiftedSpace: Kept,
{
    type TurnedKept = A::Space;
    type ShiftedKept = A::ShiftedSpace;
}
