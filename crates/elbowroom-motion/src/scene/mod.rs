//! Floor 11: objects over frames, and who meets whom.
//!
//! A [`Scene`] is a list of named objects, a frame rate and a range of frames. An [`Object`] may
//! stand still, move as one piece, be a character or robot that is posed in every frame
//! ([`Actor`]), or be vertices that come from outside frame by frame ([`Vertices`]). [`Scene::at`]
//! puts everything on a [`Stage`] as it is in one frame; a [`Finder`] says which objects on a stage
//! meet, and with which parts of their bodies. [`Incidents`] merges that over time.
//!
//! Some pairs meet by design: a hand and what it holds, the links of a robot at their joint. They
//! are [allowed](Scene::new), by name.
//!
//! ```
//! use std::sync::Arc;
//! use elbowroom_motion::scene::{Content, Finder, Object, Scene, Seek, Stage, Timing};
//! use elbowroom::{Mesh, Pose};
//! use elbowroom::internal::model::Model;
//! use glam::DVec3;
//!
//! let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
//! let model = Arc::new(Model::new(mesh));
//! let path = (0..4).map(|i| Pose::from_translation(DVec3::Z * (3.0 - f64::from(i))));
//! let path = path.collect::<Result<Vec<_>, _>>()?;
//! let objects = vec![
//!     Object::new("floor", Content::Still { model: Arc::clone(&model), place: Pose::IDENTITY }),
//!     Object::new("lift", Content::Moving { model, path }),
//! ];
//! let scene = Scene::new(Timing::new(30.0, 0, 3), objects, &[])?;
//! let (mut stage, mut finder) = (Stage::new(), Finder::new(Seek::default()));
//! let mut met = Vec::new();
//! for frame in scene.timing().frames() {
//!     scene.at(frame, &mut stage)?;
//!     met.extend(finder.find(&scene, &stage).meetings.iter().map(|_| frame));
//! }
//! assert_eq!(met, [3]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Invariants: names are unique. A frame has the same bits whatever was posed before and by
//! whichever thread: each point is made from the scene alone, in one order of operations. What
//! [`Scene::new`] accepts can be posed, unless vertices that come from outside fail to, or a number
//! grows beyond f64.

mod actor;
mod allow;
mod axes;
mod between;
mod candidates;
mod cast;
mod common;
mod contact;
mod copies;
mod cut_out;
mod error;
mod find;
mod incident;
mod judge;
mod near;
mod object;
mod overlap;
mod own;
mod path;
mod place;
mod pose;
mod primitive;
mod refine;
mod rest;
#[expect(clippy::module_inception, reason = "the floor is named after what it holds")]
mod scene;
mod soft;
mod split;
mod stage;
mod surface;

pub use actor::{Actor, Moment, Motion, Playback, Repeat, Whereabouts};
pub use axes::Axes;
pub use between::{Between, PartPassing, Passing};
pub use candidates::{Candidates, FindWork};
pub use contact::{ContactSummary, Meeting, PartPair};
pub use error::{SceneError, SceneErrorKind};
pub use find::{Finder, Found, Seek};
pub use incident::{Beat, Incident, Incidents, MOST_BEATS, Open, Sighting, State};
pub use object::{Content, Object, ObjectId, Sequence, Vertices};
pub use overlap::PenetrationSummary;
pub use path::{Path, Step};
pub use place::Place;
pub use rest::Rest;
pub use scene::{Scene, Timing};
pub use split::{Group, groups};
pub use stage::{Piece, Stage};
