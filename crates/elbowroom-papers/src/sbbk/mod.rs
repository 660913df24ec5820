//! SBBK: a hierarchy whose levels are spheres, then AABBs, then k-DOPs, refitted as the mesh
//! deforms, with the front of the last traversal kept for the next.

mod choose;
mod choose_by_clock;
mod coherent;
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
pub use coherent::{Coherent, ask_layered_again};
pub use cost::Costs;
pub use layers::{
    LayerColumn, LayerColumns, LayerPlace, Layers, LayersError, LayersErrorKind, MOST_LAYERS,
    Refitted,
};
pub(crate) use layers::{by_column, by_columns};
pub use model::HybridTree;
pub use query::{ask_layered, collide_layered, touches_layered};
pub use shifted::{MeetShifted, Shifted, ShiftedKdop};
pub use spaces::{Kept, Layer, Spaces};
pub use traverse::{LayeredPairs, LayeredTree, LeafJudge, layered};
pub use world::{HybridWorld, RefitError};
