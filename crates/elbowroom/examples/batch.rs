//! One question about many poses at once, on all cores with the feature `parallel`.
//!
//!     cargo run --release -p elbowroom --example batch --features parallel

use elbowroom::{Model, Pose, intersects_batch};
use glam::{DQuat, DVec3};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let gripper = Model::new(elbowroom_make::torus(1.0, 0.2, 32, 16));
    let part = Model::new(elbowroom_make::bumpy_sphere(4, 0.2, 7));
    let mut grasps = Vec::new();
    for i in 0..1000 {
        let turn = DQuat::from_rotation_x(0.01 * f64::from(i));
        let pose = Pose::from_quat(turn, DVec3::X * (0.004 * f64::from(i)))?;
        grasps.push((gripper.at(pose), part.posed()));
    }
    let hits = intersects_batch(&grasps);
    let free = hits.iter().filter(|&&hit| !hit).count();
    println!("{free} of {} grasps are free", grasps.len());
    assert_eq!(hits[0], grasps[0].0.intersects(grasps[0].1));
    Ok(())
}
