//! Bounding cylinder hierarchy: may two people touch, by level of detail?
//!
//!     cargo run -p elbowroom-papers --example bch

use elbowroom_motion::Planar;
use elbowroom_papers::bch::{Config, CylinderHierarchy};
use glam::DVec2;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A person looks along z and stands on y = 0; seen from above, the vertical is z.
    let person = elbowroom_make::body::male().parts[0].mesh.clone();
    let upright = person.vertices().iter().map(|p| glam::DVec3::new(p.z, p.x, p.y));
    let person = person.with_vertices(upright.collect())?;
    let tree = CylinderHierarchy::build(&person, &Config::paper());
    let beside = Planar::from_angle(0.0, DVec2::new(0.42, 0.0))?;
    for level in [Some(0), Some(2), Some(4), Some(6), None] {
        let found = tree.intersect(&Planar::IDENTITY, &tree, &beside, level);
        println!("level {level:?}: {:?}, {} circle tests", found.verdict, found.nodes_visited());
    }
    assert!(!tree.intersect(&Planar::IDENTITY, &tree, &beside, Some(0)).is_clear());
    Ok(())
}
