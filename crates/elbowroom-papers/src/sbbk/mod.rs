//! SBBK of Liu, Wang and Yang, *A three-layer hybrid bounding volume hierarchy for collision
//! detection*, 2017: a hierarchy whose levels are spheres, then AABBs, then k-DOPs, refitted as the
//! mesh deforms, with the front of the last traversal kept for the next.
//!
//! The idea: cheap volumes reject far pairs, tight ones leave few triangles.
//!
//! ```text
//!        ●          layers  by hand (SBBK, HBBCD, S-AABB, S-OBB, …), or chosen     Config::layers
//!      □   □        rule    both nodes of a pair give way (the paper), or the larger   .rule
//!     ⬡ ⬡ ⬡ ⬡       front   none, raised, or never raised    HybridTree::intersect_from
//! ```
//!
//! What differs: the paper prints neither k nor the boundary levels ([`LayerChoice::named`] says
//! ours); its front is of one tree and only grows, ours is of pairs and is raised; its queue is a
//! heap, ours has a bucket for each level, deepest first.

mod choose;
mod choose_by_clock;
mod coherent;
mod config;
mod cost;
mod layers;
mod model;
mod query;
pub(crate) mod refit;
mod shifted;
mod spaces;
mod traverse;
mod world;

pub(crate) use choose::refit_cost;
pub use choose::{Choice, Purpose, RIGID, SOFT, choose, sample_placements};
pub use choose_by_clock::choose_by_clock;
pub use coherent::{Coherent, collide_layered_again};
pub use config::{Config, LayerChoice};
pub use cost::Costs;
pub use layers::{
    LayerColumn, LayerColumns, LayerPlace, Layers, LayersError, LayersErrorKind, MOST_LAYERS,
    Refitted,
};
pub(crate) use layers::{by_column, by_columns};
pub use model::HybridTree;
pub use query::{collide_layered, intersects_layered, triangle_pairs_layered};
pub use shifted::{MeetShifted, Shifted, ShiftedKdop};
pub use spaces::{Kept, Layer, Spaces};
pub use traverse::{LayeredPairs, LayeredTree, LeafJudge, layered};
pub use world::{HybridWorld, RefitError};
