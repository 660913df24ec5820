//! What the five structures share: how a tree is built ([`Config`]), how two are traversed ([`Path`]),
//! what is counted ([`Tally`]), what is answered ([`Intersection`]), and the [`Front`] of a traversal.

mod front;
mod intersection;

pub use elbowroom::internal::bvh::{Config, Failed, Split, Stats};
pub use elbowroom::internal::traverse::{Path, Rule, Tally};
pub use elbowroom::internal::volume::{Family, Fit};
pub use front::Front;
pub use intersection::Intersection;
