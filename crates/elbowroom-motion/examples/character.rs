//! A skinned character that walks into a room: in which frames does it touch the wall?
//!
//!     cargo run -p elbowroom-motion --example character

use elbowroom::{Mesh, Model, Pose};
use elbowroom_motion::body::Poser;
use glam::DVec3;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let man = elbowroom_make::body::male();
    let (skin, walk) = (&man.parts[0].mesh, &man.clips[0]);
    let wall = elbowroom_make::cuboid(DVec3::new(3.0, 3.0, 0.05));
    let pose = Pose::from_translation(DVec3::Z * 0.4)?;
    let placed = wall.vertices().iter().map(|&corner| pose.apply(corner)).collect();
    let wall = Model::new(Mesh::new(placed, wall.triangles().to_vec())?);

    let mut character = Model::deformable(skin.clone());
    let (mut stance, mut poser) = (man.rest_pose(), Poser::new());
    let (mut vertices, mut frames) = (Vec::new(), Vec::new());
    for frame in 0..30 {
        walk.sample(f64::from(frame) / 30.0, &mut stance);
        poser.set(&man, &stance);
        poser.part(&man, 0, &mut vertices);
        character.refit(&vertices)?;
        if character.intersects(&wall) {
            frames.push(frame);
        }
    }
    println!("touches the wall in frames {frames:?}");
    assert!(!frames.is_empty() && frames.len() < 30);
    Ok(())
}
