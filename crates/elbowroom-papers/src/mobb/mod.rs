//! MOBB trees beyond two clips: sequences of clips and their merged trees, motion graphs, many motions, obstacles.

#![allow(
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "lags are signed; samples are fewer than 2²⁵ and compared before they are indices"
)]

pub mod crowd;
pub mod graph;
mod many;
mod merged;
mod merged_pair;
mod obstacles;
mod sequence;
mod sequence_pair;
mod tree;

pub use many::collide_many;
#[cfg(feature = "parallel")]
pub use many::collide_many_parallel;
pub use merged::{Bound, MergedTree};
pub use obstacles::{Obstacle, Obstacles};
pub use sequence::Sequence;
pub use tree::MobbTree;
