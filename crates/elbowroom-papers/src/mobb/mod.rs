//! MOBB trees of Sung, Chenney and Gleicher, *Detecting collisions in graph-driven motion
//! synthesis*; and what goes beyond two clips: sequences of clips and their merged trees, motion
//! graphs, many motions, obstacles.
//!
//! The idea: a motion is a stack of disks over time, under boxes that are halved in time.
//!
//! ```text
//!   t ↑   ╱ ╱ ╱        kind   MOBB, UMOBB, both hybrids, one level    Config::kind
//!     │  ╱─╱─╱ box     axis   from the first sample to the last, or of the covariance   .axis
//!     │ ╱ ╱ ╱          stop   n_min samples                           .n_min
//!     └──────→ x, y    scale  metres that stand for a second          .time_scale
//!                      lean   free boxes that lean no more are upright .aligned
//! ```
//!
//! What differs: samples are compared if they are held at a common moment, so that the answer is
//! the same from both sides; as printed, with one partner a sample, is [`Question::paper`]. The
//! last sample counts, which the printed condition leaves out. The paper treats free boxes that
//! end up aligned as upright ones and prints no tolerance for it: `aligned` is 0 unless set. A node
//! lasts until its last sample's hold ends; motions without displacement fall back to the axis of
//! their covariance. [`MobbTree`] says the rest.

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

pub use elbowroom_motion::space_time::{
    BetweenSamples, BoxShape, Config, Kind, Leaf, Partners, Placed, Sample, Trace,
};
pub use many::collide_many;
#[cfg(feature = "parallel")]
pub use many::collide_many_parallel;
pub use merged::{Bound, MergedTree};
pub use obstacles::{Obstacle, Obstacles};
pub use sequence::Sequence;
pub use tree::{MobbTree, Question};
