//! How far apart two meshes are and where they are nearest; whether a clearance is kept.
//!
//!     cargo run -p elbowroom --example distance

use elbowroom::{Model, Pose};
use glam::DVec3;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pipe = Model::new(elbowroom_make::torus(2.0, 0.3, 64, 32));
    let box_ = Model::new(elbowroom_make::cuboid(DVec3::splat(0.5)));
    let above = box_.at(Pose::from_translation(DVec3::new(2.0, 1.0, 0.0))?);

    let closest = above.closest_points(&pipe);
    println!("{:.4} apart, {:.3} to {:.3}", closest.distance, closest.point_a, closest.point_b);
    println!("pairs of triangles within 0.25: {}", above.pairs_within(&pipe, 0.25).len());
    assert!(above.is_within(&pipe, closest.distance));
    assert!(!above.is_within(&pipe, 0.99 * closest.distance));
    Ok(())
}
