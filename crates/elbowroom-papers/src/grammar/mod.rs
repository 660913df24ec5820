//! What the five structures share: how a tree is built ([`Config`]), how two are traversed
//! ([`Path`]), what is counted ([`Tally`]), what is answered ([`Intersection`]), the [`Front`] of a
//! traversal, and the [`Levels`] of a tree as they are listed and drawn. [`thread_secs`] is the
//! clock by which they are compared.

mod clock;
mod front;
mod intersection;
mod levels;

pub use clock::thread_secs;
pub use elbowroom::internal::bvh::{Config, Failed, Split, Stats};
pub use elbowroom::internal::query::Verdict;
pub use elbowroom::internal::traverse::{Path, Rule, Tally};
pub use elbowroom::internal::volume::{Family, Fit};
pub use front::Front;
pub use intersection::Intersection;
pub use levels::{
    LevelBound, LevelNode, LevelRow, LevelShape, Levels, Listed, Slabs, face_between,
};
