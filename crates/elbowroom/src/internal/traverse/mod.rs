//! Floor 5: two trees, or one with itself, down to pairs of leaves.
//!
//! One loop with an explicit stack ([`pair()`]) and its relatives for one tree with itself
//! ([`within()`]) and one tree alone ([`single()`]). They know topology and a [`Judge`], no
//! geometry: whatever reports, stops or counts is in the judge; how far down to go is in the
//! [`Path`].

mod aside;
pub mod burst;
mod kept;
pub mod nearest;
pub mod pair;
mod queue;
mod single;
pub mod soft;
pub mod stance;
pub mod tally;
mod within;

pub use pair::{Judge, Path, Rule, Walk, Workspace, pair};
pub use single::{Look, Seen, single};
pub use tally::Tally;
pub use within::{SelfJudge, within};
