//! Rays: the first hit, all hits, and the point of a surface nearest to another point.
//!
//!     cargo run -p elbowroom --example rays

use elbowroom::{Model, Ray};
use glam::DVec3;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ring = Model::new(elbowroom_make::torus(2.0, 0.5, 64, 32));
    let ring = ring.posed();
    let through = Ray::new(DVec3::new(-5.0, 0.01, 0.02), DVec3::new(5.0, 0.01, 0.02))?;

    let first = ring.ray_cast(&through).ok_or("it must hit")?;
    println!("triangle {} at {:.3}", first.triangle, first.point);
    println!("{} surfaces on the way", ring.ray_cast_all(&through).len());
    let closest = ring.closest_point(DVec3::ZERO).ok_or("finite")?;
    println!("the hole has a radius of {:.3}", closest.distance);
    assert_eq!(ring.ray_cast_all(&through).len(), 4);
    Ok(())
}
