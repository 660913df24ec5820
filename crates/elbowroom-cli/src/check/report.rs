//! What passes from those who examine to those who write: a frame at a time, in order.

use elbowroom_motion::scene::FindWork;

use crate::check::finding::{Contact, Passing};
use crate::messages::{self, Refusal};
use crate::outcome::Outcome;
use crate::stop::Stop;

/// What was found in one frame.
#[derive(Debug, Default)]
pub(crate) struct FrameReport {
    pub(crate) frame: usize,
    /// Pairs of objects.
    pub(crate) pairs_examined: u64,
    /// Pairs of parts of objects that are compared with themselves.
    pub(crate) part_pairs_examined: u64,
    /// Pairs of triangles that were left out because they meet at rest.
    pub(crate) rest_left_out: u64,
    /// What finding took.
    pub(crate) work: FindWork,
    /// By the first object, then by the second.
    pub(crate) contacts: Vec<Contact>,
    /// What comes together since the frame before this one.
    pub(crate) between: Vec<Passing>,
    /// Why there is nothing, if the frame could not be read.
    pub(crate) unreadable: Option<String>,
}

/// Whether the work came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    Whole,
    Interrupted,
}

/// Why the work cannot go on.
#[derive(Debug)]
pub(crate) enum Halt {
    Refused(Outcome, Refusal),
    /// The result cannot be written, in words.
    Unwritten(String),
    /// Nobody reads it any more.
    Closed,
}

impl Halt {
    /// Bad input.
    pub(crate) fn bad(refusal: Refusal) -> Self {
        Self::Refused(Outcome::BadInput, refusal)
    }

    /// Says it, and how the program ends.
    pub(crate) fn told(self) -> Outcome {
        match self {
            Self::Refused(outcome, refusal) => {
                messages::refuse(&refusal);
                outcome
            }
            Self::Unwritten(problem) => {
                messages::error(&problem);
                messages::hint("what was written is not complete; do not use it");
                Outcome::Incomplete
            }
            Self::Closed => Outcome::Incomplete,
        }
    }
}

/// How the work is to be done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct How<'a> {
    /// So many frames were done before.
    pub(crate) from: usize,
    /// The most cores.
    pub(crate) threads: Option<usize>,
    /// Whether all contacts are kept, so that lists of triangles take room for good.
    pub(crate) keeps: bool,
    pub(crate) quiet: bool,
    pub(crate) stop: &'a Stop,
}

/// Who takes the frames.
pub(crate) type Taker<'a> = dyn FnMut(FrameReport) -> Result<(), Halt> + 'a;
