//! Sung, Chenney and Gleicher, *Detecting collisions in graph-driven motion synthesis*, Graphics
//! Interface 2005.
//!
//! The paper's motions are lost. In their place stand gaits of our own, and captured motions where
//! they are at hand; counts therefore compare in kind, and what is decided are orderings and
//! ratios.

pub(crate) mod axis;
mod clips;
mod crowd;
mod exact;
pub(crate) mod length;
mod measure;
pub(crate) mod merge;
pub(crate) mod nmin;
mod outcomes;
mod paper;
mod queries;
pub(crate) mod table1;
pub(crate) mod table2;

pub(crate) use clips::CAPTURED_SHORT;
