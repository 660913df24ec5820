//! Moving bodies and their contacts over time: skeletons, clips, skins, footprints, motion clips on
//! the ground, crowds, scenes and the incidents in them.
//!
//! The crate [`elbowroom`] decides whether two meshes meet. This one moves them, frame by frame,
//! and finds their contacts over time.
//!
//! ```
//! use std::sync::Arc;
//! use elbowroom::{Mesh, Model, Pose};
//! use elbowroom_motion::scene::{Content, Finder, Object, Scene, Seek, Stage, Timing};
//! use glam::DVec3;
//!
//! let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
//! let model = Arc::new(Model::new(mesh));
//! // A lift that comes down on a floor in its second frame.
//! let path = vec![Pose::from_translation(DVec3::Z)?, Pose::IDENTITY];
//! let floor = Content::Still { model: Arc::clone(&model), place: Pose::IDENTITY };
//! let lift = Content::Moving { model, path };
//! let objects = vec![Object::new("floor", floor), Object::new("lift", lift)];
//! let scene = Scene::new(Timing::new(30.0, 0, 1), objects, &[])?;
//!
//! let (mut stage, mut finder) = (Stage::new(), Finder::new(Seek::default()));
//! for (frame, contacts) in [(0, 0), (1, 1)] {
//!     scene.at(frame, &mut stage)?;
//!     assert_eq!(finder.find(&scene, &stage).meetings.len(), contacts);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A tour
//! | you have | build | ask |
//! |---|---|---|
//! | a skinned character, with clips | [`body::Rig`], [`body::Poser`] | the vertices of a pose, for [`elbowroom::Model::refit`] |
//! | a shot: characters, robots, models, vertices over time | [`scene::Scene`] | [`scene::Finder`] for the contacts of a frame, [`scene::Incidents`] for contacts merged over frames |
//! | a posed body on a floor | [`footprint`]: a bounding cylinder hierarchy (BCH) | [`footprint::ask`], [`footprint::slide`] |
//! | a crowd of people with clips | [`crowd::Crowd`] | [`pairs`](crowd::Crowd::pairs) at a [level of detail](crowd::Detail) |
//! | two bodies whose vertices move | [`metrics::Body`] | [`metrics::measure`]: depth, volume, areas and distance of a frame |
//! | two motion clips on the ground | [`space_time::Trace`], [`space_time::Tracked`] | [`space_time::collide`], [`space_time::offsets`] |
//!
//! Folders are floors, and a module uses only lower ones: [`footprint`], [`body`], [`space_time`],
//! [`crowd`], [`scene`], [`metrics`]. Files are read by `elbowroom-io`; the structures of the
//! papers are in `elbowroom-papers`.
//!
//! `docs/glossary.md` in the repository maps the words of the field and of the papers to ours.

pub mod body;
pub mod crowd;
pub mod footprint;
pub mod metrics;
pub mod scene;
pub mod space_time;

pub use elbowroom::internal::math::planar::{Planar, PlanarError, PlanarErrorKind};

/// The README's example, so that it keeps running.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
