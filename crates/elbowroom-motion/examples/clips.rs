//! Two motion clips that cross: whether they collide, when, and at which start offsets.
//!
//!     cargo run -p elbowroom-motion --example clips

use elbowroom_motion::Planar;
use elbowroom_motion::space_time::{Config, Sample, Trace, Tracked, Workspace, offsets};
use glam::DVec2;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A walk of four seconds along x, as a disk of radius 0.25 m sampled 32 times a second.
    let walk: Vec<Sample> =
        (0..128).map(|k| Sample::new(f64::from(k - 64) / 32.0, 0.0, 0.25)).collect();
    let walk = Tracked::new(Trace::new(&walk, 1.0 / 32.0)?, Config::default())?;
    let along_y = Planar::new(0.0, 1.0, DVec2::ZERO)?;

    let colliding = offsets(&walk, &Planar::IDENTITY, &walk, &along_y, &mut Workspace::new());
    for interval in colliding.intervals() {
        println!("they collide if the second starts {interval:?} seconds later");
    }
    println!("waiting {:.3} s avoids it", colliding.smallest_wait(0.0));
    assert!(colliding.contains(0.0) && !colliding.contains(1.0));
    Ok(())
}
