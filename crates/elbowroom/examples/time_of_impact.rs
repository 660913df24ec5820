//! Continuous collision detection: when a fast body first touches a thin wall.
//!
//!     cargo run -p elbowroom --example time_of_impact

use elbowroom::{CcdOptions, Model, Pose, RigidMotion};
use glam::{DQuat, DVec3};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let wall = Model::new(elbowroom_make::cuboid(DVec3::new(0.001, 2.0, 2.0)));
    let bullet = Model::new(elbowroom_make::icosphere(3));
    let from = Pose::from_translation(DVec3::X * -50.0)?;
    let to = Pose::from_quat(DQuat::from_rotation_x(2.0), DVec3::X * 50.0)?;

    let flight = bullet.moving(RigidMotion::between(&from, &to));
    let impact = flight.time_of_impact(&wall, &CcdOptions::default()).ok_or("it must hit")?;
    println!("first contact at {:.6}, {:.1e} apart", impact.time, impact.separation);
    // Both ends of the step are clear: only the motion between them meets the wall.
    assert!(!bullet.at(from).intersects(&wall) && !bullet.at(to).intersects(&wall));
    assert!((impact.time - 0.489_99).abs() < 1e-3);
    Ok(())
}
