//! How the work is to be done, who takes its frames, and why it cannot go on.

use crate::messages::{self, Refusal};
use crate::outcome::Outcome;
use crate::result::frame::FrameReport;
use crate::stop::Stop;

/// Why the work cannot go on.
#[derive(Debug)]
pub(crate) enum Halt {
    Refused(Outcome, Refusal),
    /// The result cannot be written, in words.
    Unwritten(String),
    /// The reader has closed the pipe.
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
    /// The number of frames that an earlier run did.
    pub(crate) from: usize,
    /// The most cores.
    pub(crate) threads: Option<usize>,
    pub(crate) quiet: bool,
    pub(crate) stop: &'a Stop,
}

/// Who takes the frames.
pub(crate) type Taker<'a> = dyn FnMut(FrameReport) -> Result<(), Halt> + 'a;
