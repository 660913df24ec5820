//! Solids: containment, penetration depth and overlap.

mod amount;
mod deforming;
mod depth;
mod depth_pins;
mod depth_ways;
mod metrics;
mod solid;
mod solid_kinds;
