//! The five structures as published, by name, on one grammar.
//!
//! ```
//! use elbowroom::Pose;
//! use elbowroom_papers::obbtree::{Config, ObbTree};
//! use glam::DVec3;
//!
//! let tree = ObbTree::build(elbowroom_make::icosphere(4), &Config::paper());
//! let near = Pose::from_translation(DVec3::X)?;
//! let found = tree.intersect(&Pose::IDENTITY, &tree, &near);
//! assert!(found.is_contact() && !found.pairs.is_empty());
//! println!("{} tests of boxes", found.tally.volumes());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A tour
//! | module | structure | source |
//! |---|---|---|
//! | [`obbtree`] | OBB tree | Gottschalk, Lin and Manocha, 1996 |
//! | [`cab`] | boxes refitted over an articulated body | Schmidl, Walker and Lin, 2004 |
//! | [`sbbk`] | sphere, AABB and k-DOP in layers, with a front | Liu, Wang and Yang, 2017 |
//! | [`bch`] | bounding cylinder hierarchy | Stüvel and others, 2014 |
//! | [`mobb`] | MOBB trees: motions in space-time | Sung, Chenney and Gleicher |
//!
//! All are sentences in one [`grammar`]: hierarchy = shape family × tree × how to split × when to
//! stop. They are binary trees that count their work, for study and comparison. Production queries
//! run on the SIMD BVH of the crate [`elbowroom`], with equal answers.
//!
//! All five have one shape. A `Config`, with the paper's parameters as `Config::paper()`, makes an
//! [`ObbTree`](obbtree::ObbTree), [`CabHierarchy`](cab::CabHierarchy),
//! [`HybridTree`](sbbk::HybridTree), [`CylinderHierarchy`](bch::CylinderHierarchy) or
//! [`MobbTree`](mobb::MobbTree); `intersect` gives an [`Intersection`](grammar::Intersection) with
//! the counts, and `levels` the [`Levels`](grammar::Levels) to list and draw.
//!
//! `docs/glossary.md` in the repository maps the words of the field and of the papers to ours.

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

/// The page about the five papers, so that its code keeps running.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/papers.md")]
struct Papers;
