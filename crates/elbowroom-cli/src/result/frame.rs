//! What passes from those who examine to those who write: a frame at a time, in order.

use elbowroom_motion::scene::Found;
use serde::{Deserialize, Serialize};

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
