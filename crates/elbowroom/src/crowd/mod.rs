//! Floor 10: characters among each other, from disks on the ground down to their meshes.
//!
//! A [`Performer`] is a character with a clip: a disk for every sample, which bounds it, and behind each disk a footprint and a mesh that are made
//! when somebody asks. [`refine`] takes two performers from *their disks collide* to *their skins meet*.

mod performer;
mod refine;

pub use performer::{Performer, Posed};
pub use refine::{Meeting, Refined, Refining, refine};
