//! SBBK: spheres at the top, AABBs below, k-DOPs at the bottom, refitted as the mesh deforms.
//!
//!     cargo run -p elbowroom-papers --example sbbk

use elbowroom::Pose;
use elbowroom_papers::grammar::{Config, Family};
use elbowroom_papers::sbbk::{HybridTree, Layers};
use glam::DVec3;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mesh = elbowroom_make::icosphere(8);
    let mut tree = HybridTree::new(mesh.clone(), &Layers::sbbk(18, 1, 5)?, &Config::default());
    println!("layers: {}", tree.layering());
    let floor = HybridTree::new(
        elbowroom_make::cuboid(DVec3::new(4.0, 0.1, 4.0)),
        &Layers::single(Family::Aabb)?,
        &Config::default(),
    );
    for squeeze in [0.9, 1.0, 1.1] {
        let squeezed = mesh.vertices().iter().map(|&p| p * DVec3::new(1.0, squeeze, 1.0));
        tree.refit(&squeezed.collect::<Vec<_>>())?;
        let above = Pose::from_translation(DVec3::Y * 1.15)?;
        let found = tree.intersect(&above, &floor, &Pose::IDENTITY);
        println!("{squeeze}: {} pairs, {} volume tests", found.pairs.len(), found.tally.volumes());
    }
    Ok(())
}
