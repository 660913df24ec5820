//! What passes from those who examine to those who write: a frame at a time, in order.

use elbowroom_motion::scene::Found;
use serde::{Deserialize, Serialize};

use crate::messages::{self, Refusal};
use crate::outcome::Outcome;
use crate::stop::Stop;

/// What was found in one frame.
#[derive(Debug, Default)]
pub(crate) struct FrameReport {
    pub(crate) frame: usize,
    /// Who meets whom, and how much was examined to find it.
    pub(crate) found: Found,
    /// What comes together since the frame before this one.
    pub(crate) between: Vec<Passing>,
    /// Why there is nothing, if the frame could not be read.
    pub(crate) unreadable: Option<String>,
}

/// Two objects that come together between frames.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Passing {
    /// A fractional frame, no later than the contact.
    pub(crate) frame: f64,
    pub(crate) a: usize,
    pub(crate) b: usize,
    /// Whether they meet in the next frame that was examined.
    pub(crate) stays: bool,
    pub(crate) point: [f64; 3],
    /// The parts that come together, the earliest first; none where parts are not told apart.
    pub(crate) parts: Vec<(u32, u32)>,
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
    pub(crate) quiet: bool,
    pub(crate) stop: &'a Stop,
}

/// Who takes the frames.
pub(crate) type Taker<'a> = dyn FnMut(FrameReport) -> Result<(), Halt> + 'a;
