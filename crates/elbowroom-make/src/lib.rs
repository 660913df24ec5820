//! Meshes made by rule, for examples, tests and benchmarks of elbowroom.
//!
//! One noun a file, one plain function each. Nothing here reads a file or a clock.
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
//! Invariants of every generator:
//! * The same arguments give the same bits, on every system: sines come from one library in plain
//!   Rust, random numbers from a generator of our own.
//! * Up is +y, lengths are metres where a thing has a natural size.
//! * Triangles run counter-clockwise seen from outside. All but [`landscape`] are closed, and none
//!   has a degenerate triangle unless asked for a shape without extent.
//!
//! Counts too small to make the shape, or so large that u32 cannot number its vertices, are mistakes
//! of the caller, and panic with the number.

mod bumpy_sphere;
mod capsule;
mod circle;
mod cuboid;
mod icosphere;
mod join;
mod landscape;
mod lat_long_sphere;
mod person;
mod random;
mod sheet;
mod torus;
mod wrinkled_torus;

#[cfg(test)]
mod shape_tests;

pub use bumpy_sphere::bumpy_sphere;
pub use capsule::capsule;
pub use cuboid::cuboid;
pub use icosphere::icosphere;
pub use join::join;
pub use landscape::landscape;
pub use lat_long_sphere::lat_long_sphere;
pub use person::person;
pub use torus::torus;
pub use wrinkled_torus::wrinkled_torus;

use elbowroom::Mesh;
use glam::DVec3;

/// The door, which a generator passes unless its arguments are not finite or far too large.
fn mesh(vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Mesh {
    match Mesh::new(vertices, triangles) {
        Ok(mesh) => mesh,
        Err(error) => panic!("no mesh can be made of these arguments: {error}"),
    }
}
