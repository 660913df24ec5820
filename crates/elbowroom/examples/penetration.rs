//! How deep two solids are in each other, and the shortest way out.
//!
//!     cargo run -p elbowroom --example penetration

use elbowroom::{Model, Pose};
use glam::DVec3;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ball = Model::new(elbowroom_make::icosphere(4));
    let placed = ball.at(Pose::from_translation(DVec3::X * 1.7)?);

    let deep = placed.penetration(&ball);
    println!("deepest point: {:.5} to {:.5}", deep.lower, deep.upper);
    let out = placed.minimum_translation(&ball);
    println!("out by {:.5} along {:.3}", out.upper, out.direction);

    let freed = Pose::from_translation(DVec3::X * 1.7 + out.direction * (out.upper + 1e-9))?;
    assert!(!ball.at(freed).intersects(&ball));
    assert!(deep.lower <= out.upper);
    Ok(())
}
