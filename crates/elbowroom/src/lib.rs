//! elbowroom finds where triangle meshes touch or pass through each other: exactly, and fast.
//!
//! A collision-detection library for meshes of any shape: non-convex, open, self-intersecting,
//! degenerate. Narrow phase on SIMD BVHs of oriented boxes, broad phase for worlds of many bodies,
//! penetration depth, overlap volume, distance, continuous collision detection (time of impact),
//! self-collision, ray casts, deforming meshes.
//!
//! ```
//! use elbowroom::{Mesh, Model, Pose};
//! use glam::{DQuat, DVec3};
//!
//! let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
//! let mesh = Mesh::new(corners, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
//! let cup = Model::new(mesh.clone());
//! let table = Model::new(mesh);
//!
//! let pose = Pose::from_quat(DQuat::from_rotation_y(0.4), DVec3::new(0.3, 0.1, 0.0))?;
//! assert!(cup.at(pose).intersects(&table));
//! for pair in &cup.at(pose).contacts(&table).pairs {
//!     println!("triangle {} of the cup meets triangle {} of the table", pair.a, pair.b);
//! }
//! println!("{:.3} deep", cup.at(pose).penetration(&table).lower);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A tour
//! | you have | build | ask |
//! |---|---|---|
//! | a rigid mesh | [`Model::new`] | [`at`](Model::at) a [`Pose`]: [`intersects`](Posed::intersects), [`contacts`](Posed::contacts), [`distance`](Posed::distance), [`penetration`](Posed::penetration), [`overlap`](Posed::overlap), [`minimum_translation`](Posed::minimum_translation) |
//! | solids, kinds of contact, clearance, regions | [`QueryOptions`] | [`query`](Posed::query) |
//! | a mesh that deforms | [`Model::deformable`] | [`refit`](Model::refit), then as above |
//! | many pairs at once | [`Posed`] pairs | [`intersects_batch`], [`contacts_batch`] (all cores with the feature `parallel`) |
//! | many bodies that move | [`World`] | [`contacts`](World::contacts), [`intersecting_pairs`](World::intersecting_pairs), [`ray_cast`](World::ray_cast) |
//! | fast motion | [`Model::moving`], [`SweptMesh`] | [`time_of_impact`](Moving::time_of_impact) |
//! | one mesh | [`Model`] | [`self_contacts`](Model::self_contacts), [`contains`](Posed::contains), [`ray_cast`](Posed::ray_cast), [`closest_point`](Posed::closest_point) |
//! | a query that may take too long | [`interrupt::Interrupt`] | [`run`](interrupt::Interrupt::run) |
//!
//! Skinned characters, motion clips and crowds are in the crate `elbowroom-motion`; the hierarchies
//! of the literature by name (OBB tree, CAB, SBBK, bounding cylinders, MOBB) in `elbowroom-papers`.
//! `docs/glossary.md` in the repository maps the words of the field and of the papers to ours.
//!
//! # What an answer means
//! * **Exact.** A point `p` of a mesh is at `rotation * p + translation` in exact arithmetic on the
//!   numbers given. Two closed triangles, which may be degenerate, meet or they do not: no false
//!   positive, no false negative. Trees of boxes only cull.
//! * **Closed.** Touching counts as contact.
//! * **Symmetric and stable.** The answer does not depend on the order of the arguments, the number
//!   of threads or the instruction set.
//! * **Checked at the door.** [`Mesh::new`] and [`Pose::new`] refuse what is wrong and name it;
//!   after that a query cannot fail.
//!
//! # Features
//! * `parallel`: batches and worlds use rayon's threads.
//! * `serde`: meshes, poses, options and results can be serialised.
//!
//! The environment variable `ELBOWROOM_SIMD` (`portable`, `avx2`, `avx512`) limits the
//! instruction set, for tests; answers are the same on all.

mod error_macro;
#[doc(hidden)]
pub mod internal;
pub mod interrupt;
mod model;
mod moving;
mod posed;
mod scratch;
mod world;

pub use internal::bvh::StoreError;
pub use internal::exact::Relation;
pub use internal::geom::Seams;
pub use internal::geom::mesh::{Mesh, MeshError, MeshErrorKind};
pub use internal::math::pose::{Pose, PoseError, PoseErrorKind};
pub use internal::model::{Model, RefitError, RefitErrorKind};
pub use internal::query::{
    BodyId, CcdOptions, Certainty, ClosedProfile, ClosestPoint, ClosestPoints, ContactKind,
    ContactPoint, Contacts, Curve, DeepestPoint, Doubt, Feature, Inside, MinimumTranslation, Mode,
    NearPair, Neighbours, NoSuchBody, Overlap, OverlapAreas, Penetration, PenetrationSite,
    QueryOptions, Ray, RayError, RayErrorKind, RayHit, Region, RigidMotion, RigidMotionError,
    RigidMotionErrorKind, Separation, SolidProfile, Spot, SweptMesh, Through, TimeOfImpact,
    TrianglePair, Winding, Witness,
};
pub use internal::volume::Aabb;
pub use moving::Moving;
pub use posed::{Posed, contacts_batch, intersects_batch};
pub use world::{BodyContacts, BodyRayHit, BodyRefitError, BodyRefitErrorKind, World};

/// The README's example, so that it keeps running.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// The example of the guide for Rust developers.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guides/rust.md")]
struct Guide;

/// The example of the README of this crate.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct CrateReadme;
