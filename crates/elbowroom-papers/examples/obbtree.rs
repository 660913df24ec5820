//! The OBB tree: the same answer from every family, and what each costs.
//!
//!     cargo run -p elbowroom-papers --example obbtree

use elbowroom::Pose;
use elbowroom_papers::grammar::{Config, Family};
use elbowroom_papers::obbtree::ObbTree;
use glam::DVec3;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mesh = elbowroom_make::bumpy_sphere(8, 0.2, 3);
    let beside = Pose::from_translation(DVec3::X * 2.0)?;
    let mut answers = Vec::new();
    for family in [Family::Obb, Family::Aabb, Family::Sphere, Family::Kdop18] {
        let config = Config::obbtree().with_family(family);
        let tree = ObbTree::with_config(mesh.clone(), &config);
        let found = tree.intersect(&Pose::IDENTITY, &tree, &beside);
        let (volumes, triangles) = (found.tally.volumes(), found.tally.primitives);
        println!("{family:?}: {volumes} volume tests, {triangles} triangle tests");
        answers.push(found.pairs);
    }
    assert!(answers.iter().all(|pairs| *pairs == answers[0]));
    Ok(())
}
