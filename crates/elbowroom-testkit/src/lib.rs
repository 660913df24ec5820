//! The truth against which elbowroom is judged: slow, plain and independent.
//!
//! Everything here works on plain arrays (`[f64; 3]` for a point, `[u32; 3]` for a triangle) and
//! depends on no other crate of the workspace, so that a mistake in the library cannot hide in its
//! own judge.
//!
//! - [`oracle`]: how two triangles relate, in rational arithmetic, by a method the library does not
//!   use.
//! - [`brute`]: the oracle on every pair of two triangle soups.
//! - [`random`]: a seeded generator whose numbers never change.
//! - [`nasty`]: triangle pairs by named class, most of them degenerate or nearly so.
//! - [`cases`]: the suite in `testdata/cases` and the runner that every engine passes through.
//! - [`conformance`]: the suite in `testdata/conformance`: what an answer means, for any engine.
//! - [`data`]: loaders of the published benchmarks with known answers, where the data is present.
//! - [`soups`]: triangle soups by kind, from one triangle to thousands, most of them hard on trees.
//! - [`solids`]: solids whose common and own parts are known by counting.
//! - [`distance`]: how far two triangles are apart, in rational arithmetic.
//! - [`motion`]: disks that move on the ground, pair by pair of samples.
//! - [`moving`]: when corners that move first meet, in integers.
//! - [`nesting`]: files in which something nests as deep as asked for.
//! - [`folder`]: a folder for the files that a test writes.

pub mod brute;
pub mod cases;
pub mod conformance;
pub mod data;
pub mod distance;
pub mod folder;
pub mod motion;
pub mod moving;
pub mod nasty;
pub mod nesting;
pub mod oracle;
mod placed;
mod pose;
pub mod random;
mod ring;
pub mod solids;
pub mod soups;

/// The README's example, so that it keeps running.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
