//! Common ground: all structures of the library on the same scenes, asked the same.
//!
//! Each paper compares its structure with a few others on scenes of its own. Here every family
//! meets every scene, so that what one costs can be held against what another costs: tests, time,
//! memory, building, following a body that deforms. The papers' cost equation is put to the
//! test, growth with size and what lanes give are measured, and a map says which structure wins
//! where. What the library takes when nothing is said should be what wins on this map; a claim for
//! each question says whether it is.
//!
//! Invariant: gates rest on counts and equal answers alone; what the clock says is told and opens
//! no gate.

pub(crate) mod cost;
pub(crate) mod families;
mod floor;
pub(crate) mod growth;
pub(crate) mod lanes;
pub(crate) mod map;
mod scene;
mod stand;
mod structure;
mod turns;

/// What stands in the place of a paper's figure: there is no paper.
const OWN: &str = "ours";
