//! A mesh that deforms: refit it each frame, then ask.
//!
//!     cargo run -p elbowroom --example deforming

use elbowroom::Model;
use glam::DVec3;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rest = elbowroom_make::icosphere(4);
    let floor = elbowroom_make::cuboid(DVec3::new(3.0, 0.1, 3.0));
    let floor = Model::new(floor);
    let mut jelly = Model::deformable(rest.clone());

    let mut touched = 0;
    for frame in 0..60 {
        let phase = 0.1 * f64::from(frame);
        let wobble = DVec3::new(1.0, 1.0 + 0.3 * phase.sin(), 1.0);
        let moved = |&p: &DVec3| p * wobble + DVec3::Y * 1.2;
        jelly.refit(&rest.vertices().iter().map(moved).collect::<Vec<_>>())?;
        touched += u32::from(jelly.intersects(&floor));
    }
    println!("touches the floor in {touched} of 60 frames");
    assert!((1..60).contains(&touched));
    Ok(())
}
