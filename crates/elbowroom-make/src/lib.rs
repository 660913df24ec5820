//! Generated meshes, bodies and crowds, for examples, tests and benchmarks of elbowroom.
//!
//! Each file has one thing and one function that makes it. No function reads a file or a clock.
//!
//! ```
//! use glam::DVec3;
//!
//! let ball = elbowroom_make::icosphere(40);
//! assert_eq!(ball.triangles().len(), 32_000);
//! let shelf = elbowroom_make::cuboid(DVec3::new(0.4, 0.01, 0.2));
//! assert!(shelf.seams().is_closed());
//! ```
//!
//! | what | gives |
//! |---|---|
//! | [`body::male`], [`body::female`], [`body::Build`] | people of one closed skin on joints, who walk |
//! | [`crowd`] | where each person is, over time |
//! | [`chain`], [`hand`], [`helicopter`] | rigid links that move |
//! | [`chains`], [`hand_and_ball`] | scenes of rigid links that meet now and then, simulated |
//! | [`monkey_head`], [`pipes`], [`landscape`], [`wrinkled_torus`], [`torpedo`] | the models of papers, rebuilt |
//! | [`bones`], [`skin_links`] | rigid links for a skeleton that has no mesh, and for a skin |
//! | [`person`] | fifteen capsules in the shape of a person |
//! | [`cuboid`], [`capsule`], [`icosphere`] and others | plain solids |
//!
//! The crate [`elbowroom`] decides whether two of them meet. `docs/glossary.md` in the repository
//! maps the words of the field and of the papers to ours.
//!
//! Invariants of every generator:
//! * The same arguments give the same bits, on every system: sines come from one library in plain
//!   Rust, random numbers from a generator of our own.
//! * Up is +y, lengths are metres where a thing has a natural size.
//! * Triangles run counter-clockwise seen from outside. All but [`landscape`] are closed, and none
//!   has a degenerate triangle unless asked for a shape without extent.
//!
//! Counts too small to make the shape, or so large that u32 cannot number its vertices, are
//! mistakes of the caller, and panic with the number.

pub mod body;
mod bones;
mod bumpy_sphere;
mod capsule;
mod chain;
mod chains;
mod circle;
mod crowd;
mod cuboid;
mod cylinder;
mod ellipsoid;
mod hand;
mod hand_and_ball;
mod helicopter;
mod icosphere;
mod join;
mod landscape;
mod lat_long_sphere;
mod monkey_head;
mod person;
mod pipes;
mod rigid;
mod robot_and_ball;
mod sheet;
mod skin_links;
mod surface;
mod torpedo;
mod torus;
mod wrinkled_torus;

#[cfg(test)]
mod rig_tests;
#[cfg(test)]
mod scene_tests;
#[cfg(test)]
mod shape_tests;

use elbowroom::internal::math::random;

pub use bones::{BoneShape, Bones, bones};
pub use bumpy_sphere::bumpy_sphere;
pub use capsule::capsule;
pub use chain::{Chain, Link, chain};
pub use chains::{CHAIN_LINKS, ChainFrames, Chains, Play, chains};
pub use crowd::{Crowd, Ground, Stand, Walker, crowd};
pub use cuboid::cuboid;
pub use cylinder::cylinder;
pub use ellipsoid::ellipsoid;
pub use hand::hand;
pub use hand_and_ball::{BallFrame, BallFrames, HandAndBall, hand_and_ball};
pub use helicopter::helicopter;
pub use icosphere::icosphere;
pub use join::join;
pub use landscape::landscape;
pub use lat_long_sphere::lat_long_sphere;
pub use monkey_head::monkey_head;
pub use person::person;
pub use pipes::{Pipes, pipes};
pub use robot_and_ball::{RobotFrame, RobotFrames, robot_and_ball};
pub use skin_links::{rigid_frames, skin_links};
pub use torpedo::{torpedo, torpedo_pivot};
pub use torus::torus;
pub use wrinkled_torus::wrinkled_torus;

use elbowroom::Mesh;
use glam::DVec3;

/// A number that is not negative, without what is behind its point.
#[expect(clippy::cast_sign_loss, reason = "callers pass no negative numbers; a cast holds at 0")]
fn whole(number: f64) -> usize {
    number as usize
}

/// The door, which a generator passes unless its arguments are not finite or far too large.
fn mesh(vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Mesh {
    match Mesh::new(vertices, triangles) {
        Ok(mesh) => mesh,
        Err(error) => panic!("no mesh can be made of these arguments: {error}"),
    }
}

/// The README's example, so that it keeps running.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
