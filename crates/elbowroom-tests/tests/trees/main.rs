//! Hierarchies and the broad phase: what they promise after building, refitting and packing.

mod broad;
mod deformable;
mod descent_counts;
mod packed;
mod refit;
mod topology;
mod trees;
mod world;
