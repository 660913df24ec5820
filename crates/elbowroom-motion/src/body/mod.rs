//! Floor 8: bodies that move. Skeleton, pose, clip, skin.
//!
//! One uniform thing comes out of every animated file: a [`Rig`]. It is a tree of joints
//! ([`Skeleton`]), the meshes that hang on it ([`Part`], rigidly or by a [`Skin`]), its motions
//! ([`Clip`]), and for a robot its joint variables ([`Freedom`]). A [`SkeletonPose`] says where
//! every joint stands relative to its parent; a [`Poser`] turns a rig and a pose into points of the
//! world.
//!
//! ```
//! use elbowroom_motion::body::{Hold, Joint, JointId, Local, Part, Poser, Rig, Skeleton};
//! use elbowroom::Mesh;
//! use glam::DVec3;
//!
//! let shoulder = Joint { name: "shoulder".into(), parent: None, rest: Local::IDENTITY };
//! let elbow = Joint {
//!     name: "elbow".into(),
//!     parent: Some(JointId(0)),
//!     rest: Local { translation: DVec3::X, ..Local::IDENTITY },
//! };
//! let mut rig = Rig::new("arm", Skeleton::new(vec![shoulder, elbow])?);
//! let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
//! rig.parts.push(Part::new("hand", mesh, Hold::Rigid(JointId(1))));
//! rig.validate()?;
//!
//! let (mut poser, mut points) = (Poser::new(), Vec::new());
//! rig.posed(&rig.rest_pose(), 0, &mut poser, &mut points);
//! assert_eq!(points[1], DVec3::new(2.0, 0.0, 0.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Invariants: a skeleton is a forest, checked once; a skin's weights are not negative and add up
//! to one; a clip's keys are finite and in order. A posed point is rounded in one fixed order of
//! operations, so that every instruction set and any number of threads give the same bits.

mod bounds;
mod clip;
mod clip_error;
mod crowd;
mod dual;
mod freedom;
mod interpolate;
pub(crate) mod labels;
mod linear;
#[doc(hidden)]
pub mod local;
mod part;
mod poser;
pub(crate) mod retarget;
mod rig;
mod rig_error;
#[doc(hidden)]
pub mod skeleton;
mod skin;
mod skin_error;

pub use bounds::{Bounds, Cluster};
pub use clip::{Clip, Interpolation, Target, Track};
pub use clip_error::{ClipError, ClipErrorKind};
#[cfg(feature = "parallel")]
pub use crowd::pose_all_parallel;
pub use crowd::{Character, PosedCharacter, pose_all};
pub use freedom::{Freedom, FreedomKind, Mimic, PoseError, PoseErrorKind};
pub use labels::joints_of_triangles;
pub use local::{Local, SkeletonPose};
pub use part::{Hold, Morph, Part, Primitive};
pub use poser::Poser;
pub use retarget::{Match, Retarget, RetargetConfig, RetargetError};
pub use rig::Rig;
pub use rig_error::{RigError, RigErrorKind};
pub use skeleton::{Joint, JointId, Skeleton, SkeletonError, SkeletonErrorKind};
pub use skin::{Blend, Influence, Skin};
pub use skin_error::{SkinError, SkinErrorKind};
