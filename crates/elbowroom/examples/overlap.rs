//! The volume that two solids have in common, and whether a point is inside.
//!
//!     cargo run -p elbowroom --example overlap

use elbowroom::{Model, Pose};
use glam::DVec3;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let cube = Model::new(elbowroom_make::cuboid(DVec3::ONE));
    let corner = cube.at(Pose::from_translation(DVec3::new(1.5, 1.0, 0.5))?);

    let overlap = corner.overlap(&cube);
    println!("volume {} ± {:.1e}", overlap.volume, overlap.volume_error);
    println!("area of the first inside the second: {}", overlap.a.inside);
    assert!((overlap.volume - 0.5 * 1.0 * 1.5).abs() < 1e-12);
    assert!(corner.contains(DVec3::new(0.7, 0.5, 0.5)) && !corner.contains(DVec3::ZERO));
    Ok(())
}
