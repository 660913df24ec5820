//! Floor 4: trees are topology; volumes are columns beside them.
//!
//! A [`Tree`] says which primitives belong together and knows no geometry. A [`Column`] holds one
//! volume for each of its nodes. So one topology can carry several layers, a column can be rewritten every
//! frame while the tree stays, and every structure is grown by the same code from a
//! [`Source`] of primitives and a [`Config`].
//!
//! This is the readable, binary form, on which the papers' counts are measured.

mod column;
mod config;
mod grow;
mod source;
mod split;
mod stats;
mod topology;
mod validate;

pub use column::Column;
pub use config::{Config, Failed, Split};
pub use grow::grow;
pub use source::{Source, Triangles};
pub use stats::Stats;
pub use topology::{NodeId, Tree};
pub use validate::{Fault, validate};
