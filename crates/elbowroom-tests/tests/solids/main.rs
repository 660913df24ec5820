//! Solids: containment, penetration depth and overlap.

mod deforming;
mod depth;
mod depth_pins;
mod depth_ways;
mod metrics;
mod overlap;
mod solid;
mod solid_kinds;
