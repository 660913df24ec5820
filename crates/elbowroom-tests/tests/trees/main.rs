//! Hierarchies and the broad phase: what they promise after building, refitting and packing.

mod broad;
mod descent_counts;
mod packed;
mod pattern;
mod refit;
mod soft;
mod trees;
mod world;
