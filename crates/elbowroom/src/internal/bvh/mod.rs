//! Floor 4: trees are topology; volumes are columns beside them.
//!
//! A [`Tree`] says which primitives belong together and knows no geometry. A [`Column`] holds one
//! volume for each of its nodes. So one topology can carry several layers, a column can be
//! rewritten every frame while the tree stays, and every structure is grown by the same code from a
//! [`Source`] of primitives and a [`Config`].
//!
//! That is the binary form, on which the papers' counts are measured. [`Packed`] is the
//! form that queries run on: four boxes a node, in f32, for vector instructions. Both give the same
//! answers.

mod build;
mod column;
mod config;
pub mod deformable;
mod grow;
mod pack;
pub mod packed;
mod point;
mod source;
mod split;
mod stats;
mod store;
pub mod topology;
mod validate;

pub use build::BuildConfig;
pub use column::Column;
pub use config::{Config, Failed, Split};
pub use deformable::{DeformableBoxes, DeformableFault, DeformableTree};
pub use grow::{cut_up, grow};
pub use packed::{Packed, PackedFault};
pub use source::{Source, Triangles};
pub use stats::Stats;
pub use store::StoreError;
pub use topology::{NodeId, Tree};
pub use validate::check_topology;
pub use validate::{Fault, validate};
