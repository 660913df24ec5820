//! What is found: two objects that meet in a frame, and two that come together between frames.

use std::sync::Arc;

use elbowroom::internal::query::ContactKind;
use elbowroom_motion::scene::PartPair;
use serde::{Deserialize, Serialize};

use crate::check::options::Meaning;

/// How two objects meet.
#[derive(Debug)]
pub(crate) struct Touch {
    pub(crate) kind: ContactKind,
    /// What else was asked for.
    pub(crate) meaning: Option<Box<Meaning>>,
    pub(crate) triangle_pairs: u64,
    /// Those among them that cross.
    pub(crate) crossing_pairs: u64,
    /// The parts that meet, those with the most pairs of triangles first; none where parts are not told apart.
    pub(crate) parts: Box<[PartPair]>,
    /// How many of the pairs of triangles meet at rest as well, of an object that meets itself.
    pub(crate) at_rest: u64,
    /// All of them in order, if they were asked for.
    pub(crate) triangles: Option<Box<[[u32; 2]]>>,
}

/// Two objects that have a point in common, or are too near each other, in one frame.
#[derive(Clone, Debug)]
pub(crate) struct Contact {
    pub(crate) frame: usize,
    pub(crate) a: usize,
    pub(crate) b: usize,
    /// Shared by the frames of a pair that never moves, and by copies.
    pub(crate) touch: Arc<Touch>,
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
