//! SBBK: spheres at the top, AABBs below, k-DOPs at the bottom, refitted as the mesh deforms, with
//! the front of one question kept for the next.
//!
//!     cargo run -p elbowroom-papers --example sbbk

use elbowroom::Pose;
use elbowroom_papers::grammar::{Family, Front};
use elbowroom_papers::sbbk::{Config, HybridTree, Layers};
use glam::DVec3;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mesh = elbowroom_make::icosphere(8);
    let mut tree = HybridTree::build(mesh.clone(), &Config::paper());
    println!("layers: {}", tree.layering());
    let floor = elbowroom_make::cuboid(DVec3::new(4.0, 0.1, 4.0));
    let boxes = Config::paper().with_layers(Layers::single(Family::Aabb)?);
    let floor = HybridTree::build(floor, &boxes);
    let mut front = Front::default();
    for squeeze in [0.9, 1.0, 1.05, 1.1] {
        let squeezed = mesh.vertices().iter().map(|&p| p * DVec3::new(1.0, squeeze, 1.0));
        tree.refit(&squeezed.collect::<Vec<_>>())?;
        let above = Pose::from_translation(DVec3::Y * 1.15)?;
        let found = tree.intersect(&above, &floor, &Pose::IDENTITY);
        let again = tree.intersect_from(&mut front, &above, &floor, &Pose::IDENTITY);
        assert_eq!(found.pairs, again.pairs);
        let (root, kept) = (found.nodes_visited(), again.nodes_visited());
        println!(
            "{squeeze}: {} pairs; visited {root} from the root, {kept} from the front",
            found.pairs.len()
        );
    }
    Ok(())
}
