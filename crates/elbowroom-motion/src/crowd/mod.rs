//! Floor 10: characters among each other, from disks on the ground down to their meshes.
//!
//! A [`Performer`] is a character with a clip: a disk for every sample, which bounds it, and behind
//! each disk a footprint and a mesh that are made when it is needed. [`refine`] takes two
//! performers from *their disks collide* to *their skins meet*.
//!
//! A [`Crowd`] is thousands of them on one floor, each with a place, a heading and a clip time. It
//! says who may touch whom, as closely as a [`Detail`] asks: by level, by the distance from an eye,
//! by density, within a budget, or exactly.
//!
//! A [`Skinned`] character is posed by its joints and skinned only when boxes around its clusters
//! meet those of another; [`between`] says which parts of two of them touch.
//!
//! [`InPlace`] takes the way out of a clip that travels, for those whose way comes from elsewhere.

mod between;
pub mod camera;
#[expect(clippy::module_inception, reason = "the floor is named after what it holds")]
mod crowd;
mod detail;
mod grid;
mod in_place;
mod member;
mod performer;
mod pool;
mod refine;
mod role;
mod skinned;
mod stance;
mod step;

pub use between::{PartContact, between};
pub use camera::Camera;
pub use crowd::{Bodies, Crowd, CrowdConfig};
pub use detail::{Counts, Detail, Near, Verdict};
pub use in_place::InPlace;
pub use member::{CrowdError, CrowdErrorKind, Member};
pub use performer::{Performer, PosedPerformer};
use refine::upright;
pub use refine::{Refined, Refining, SkinMeeting, refine};
pub use skinned::Skinned;
