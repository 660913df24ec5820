//! Bodies that move: skeletons, clips, skins, footprints, motion clips on the ground, crowds,
//! scenes and the incidents in them.
//!
//! The crate [`elbowroom`] decides whether two meshes meet. This one knows what moves them, frame by
//! frame, and who meets whom over time.
//!
//! Folders are floors, and a module uses only lower ones: [`footprint`], [`body`], [`space_time`],
//! [`crowd`], [`scene`].

pub mod body;
pub mod crowd;
pub mod footprint;
pub mod scene;
pub mod space_time;

pub use elbowroom::internal::math::planar::{Planar, PlanarError, PlanarErrorKind};

/// The README's example, so that it keeps running.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
