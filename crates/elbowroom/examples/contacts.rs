//! All pairs of triangles that meet, the kind of contact, and the curve in which surfaces cross.
//!
//!     cargo run -p elbowroom --example contacts

use elbowroom::{ContactKind, Model, Pose, QueryOptions};
use glam::DVec3;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ball = Model::new(elbowroom_make::icosphere(4));
    let pose = Pose::from_translation(DVec3::new(1.5, 0.2, 0.1))?;

    let contacts = ball.at(pose).contacts(&ball);
    println!("{:?}: {} pairs of triangles", contacts.kind, contacts.pairs.len());

    let where_ = ball.at(pose).query(&ball, &QueryOptions::KIND.solid().regions());
    for region in &where_.regions {
        let (point, length) = (region.point, region.length);
        println!("around {point:.3}, along a curve of length {length:.3}");
    }
    assert_eq!(contacts.kind, Some(ContactKind::Crossing));
    assert_eq!(where_.regions.len(), 1);
    Ok(())
}
