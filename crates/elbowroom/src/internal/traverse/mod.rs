//! Floor 5: two trees, or one with itself, down to pairs of leaves.
//!
//! One loop with an explicit stack ([`pair()`]) and its relatives for one tree with itself
//! ([`within()`]) and one tree alone ([`single()`]). They know topology and a [`Judge`], no
//! geometry: whatever reports, stops or counts is in the judge; how far down to go is in the
//! [`Path`].

mod deferred;
pub mod deformable;
pub mod nearest;
pub mod packed;
pub mod pair;
mod queue;
pub mod relative;
mod self_pairs;
mod single;
pub mod tally;
mod type_map;

pub use pair::{Judge, Path, Rule, Walk, Workspace, pair};
pub use self_pairs::{SelfJudge, within};
pub use single::{Look, Seen, single};
pub use tally::Tally;
