//! Whether two meshes intersect, at any pose. The fastest question.
//!
//!     cargo run -p elbowroom --example intersects

use elbowroom::{Model, Pose};
use glam::{DQuat, DVec3};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let cup = Model::new(elbowroom_make::torus(1.0, 0.4, 32, 16));
    let table = Model::new(elbowroom_make::cuboid(DVec3::new(2.0, 2.0, 0.1)));
    for height in [0.3, 1.4, 1.6] {
        let pose = Pose::from_quat(DQuat::from_rotation_y(0.1), DVec3::Z * height)?;
        println!("at height {height}: {}", cup.at(pose).intersects(&table));
    }
    assert!(cup.intersects(&table));
    Ok(())
}
