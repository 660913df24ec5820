//! Metrics of interpenetration: how much two bodies go through each other, per frame, per clip and
//! per set of clips.
//!
//! One definition each, in the unit of the vertices. [`measure`] gives them for one frame:
//!
//! * *contact*: the surfaces have a point in common. Exact.
//! * *crossing*: the interiors of the solids meet, so touching does not count. Exact for closed
//!   meshes.
//! * *depth*: the farthest point of either boundary inside the other solid, from that solid's
//!   boundary; between proved bounds.
//! * *volume*: of what is in both solids, with a bound of its rounding error; *areas* of each
//!   boundary in the other.
//! * *distance*: of the surfaces if they do not meet.
//!
//! A solid is the set of points with a winding number above one half. A [`Body`] makes solids of
//! the vertices of each frame; with [`Body::capped`] its holes are closed first (`cap.rs`). A
//! [`Dissected`] body is compared with itself, part by part. [`ClipSummary`] and [`set`] never mix
//! means over all frames with means over those that cross. [`legacy`] has what papers report
//! instead, to compare.
//!
//! Invariants: every number is the same on any number of threads. With the bodies exchanged it is
//! the same, bit for bit, but for the names; of other triangles of the same surface it is the same
//! within the bounds that come with it.

mod cap;
mod clip;
mod frame;
pub mod legacy;
mod parts;
pub mod set;

pub use cap::{CapLoop, Caps};
pub use clip::{ClipBuilder, ClipSummary, Means};
pub use frame::{Body, FrameError, FrameErrorKind, PairFrame, measure};
pub use parts::{Dissected, SelfFrame, face_labels};
