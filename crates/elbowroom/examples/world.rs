//! A thousand bodies: which of them touch, step by step.
//!
//!     cargo run --release -p elbowroom --example world

use std::sync::Arc;

use elbowroom::{Model, Pose, Ray, World};
use glam::{DQuat, DVec3};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pebble = Arc::new(Model::new(elbowroom_make::bumpy_sphere(4, 0.2, 1)));
    // A sequence that fills a cube evenly (Roberts, 2018).
    let along = |index: u32, step: f64| 18.0 * (0.5 + step * f64::from(index)).fract();
    let place = |i: u32| DVec3::new(along(i, 0.819_173), along(i, 0.671_044), along(i, 0.5497));
    let pose = |i: u32, time: u32| {
        let turn = DQuat::from_rotation_y(0.1 * f64::from(i + time));
        Pose::from_quat(turn, place(i) + 0.3 * f64::from(time) * DVec3::Y)
    };

    let mut world = World::new();
    let mut ids = Vec::new();
    for i in 0..1000 {
        ids.push(world.insert(Arc::clone(&pebble), pose(i, 0)?));
    }
    for time in 0..5 {
        for i in (0..1000).step_by(100) {
            world.set_pose(ids[i as usize], pose(i, time)?)?;
        }
        println!("step {time}: {} pairs of bodies touch", world.intersecting_pairs().len());
    }
    let across = Ray::new(DVec3::new(-9.0, 9.0, 9.0), DVec3::new(27.0, 9.0, 9.0))?;
    println!("a ray across hits {:?}", world.ray_cast(&across).map(|hit| hit.body));
    assert!(!world.contacts().is_empty());
    Ok(())
}
