//! elbowroom finds where meshes touch or pass through each other: exactly, fast, and as coarsely
//! as you can afford.
//!
//! ```
//! use elbowroom::{Mesh, Pose};
//! use elbowroom::internal::query;
//! use elbowroom::internal::model::Model;
//! use glam::{DQuat, DVec3};
//!
//! let triangle = [DVec3::ZERO, DVec3::X, DVec3::Y];
//! let a = Model::new(Mesh::new(triangle.to_vec(), vec![[0, 1, 2]])?);
//! let b = a.clone();
//! let standing = Pose::from_quat(
//!     DQuat::from_rotation_x(0.5 * std::f64::consts::PI),
//!     DVec3::new(0.25, 0.25, -0.5),
//! )?;
//! let pairs = query::collide(&a, &Pose::IDENTITY, &b, &standing);
//! assert_eq!(pairs.len(), 1);
//! assert_eq!((pairs[0].a, pairs[0].b), (0, 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What an answer means
//! A point of a mesh is where `rotation * point + translation` puts it, in exact arithmetic on the
//! numbers given. Two closed triangles, which may be degenerate, meet or they do not: the answer is
//! never wrong, it does not depend on the order of the arguments, and touching counts as contact.
//! Everything that can be wrong with the input is refused at the door, by [`Mesh::new`] and
//! [`Pose::new`]; after that a query cannot fail.
//!
//! [`query()`] is the one entry to all that can be asked of two models: their kind as surfaces or as the solids that they enclose, how far
//! apart they are, where they meet. The functions of the module [`mod@query`] are its parts.
//!
//! # The house
//! Folders are floors, and a module uses only lower ones: [`arch`], [`interrupt`] and [`math`], then [`exact`],
//! [`geom`], [`volume`] and [`convex`], [`tree`], [`descend`] and [`broad`], [`model`] and [`footprint`], [`mod@query`], [`body`],
//! [`motion`], [`crowd`], [`scene`].

mod error_macro;
#[doc(hidden)]
pub mod internal;
pub mod interrupt;

pub use internal::exact::Relation;
pub use internal::geom::mesh::{Mesh, MeshError, MeshErrorKind};
pub use internal::math::pose::{Pose, PoseError, PoseErrorKind};
pub use internal::model::Model;
pub use internal::query::query;

/// The README's example, so that it keeps running.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// The example of the guide for Rust developers.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guides/rust.md")]
struct Guide;
