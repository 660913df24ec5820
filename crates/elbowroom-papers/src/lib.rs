//! The five structures as published, by name, on one grammar.
//!
//! | module | structure | source |
//! |---|---|---|
//! | [`obbtree`] | OBB tree | Gottschalk, Lin and Manocha, 1996 |
//! | [`cab`] | boxes refitted over an articulated body | the CAB paper |
//! | [`sbbk`] | sphere, AABB and k-DOP in layers, with a front | the SBBK paper |
//! | [`bch`] | bounding cylinder hierarchy | Stüvel et al. |
//! | [`mobb`] | MOBB trees: motions in space-time | Sung, Chenney and Gleicher's successors |
//!
//! They are the readable reference: binary trees that count their work. Production queries run on
//! the SIMD BVH of the crate [`elbowroom`]; the answers are the same.

pub mod bch;
pub mod cab;
pub mod grammar;
pub mod mobb;
pub mod obbtree;
pub mod sbbk;

/// The README's example, so that it keeps running.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
