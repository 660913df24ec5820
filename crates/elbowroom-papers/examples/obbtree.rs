//! The OBB tree: the same answer from the paper's tree, RAPID's and every other family, and what
//! each costs.
//!
//!     cargo run -p elbowroom-papers --example obbtree

use elbowroom::Pose;
use elbowroom_papers::grammar::Family;
use elbowroom_papers::obbtree::{Config, ObbTree};
use glam::DVec3;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mesh = elbowroom_make::bumpy_sphere(8, 0.2, 3);
    let beside = Pose::from_translation(DVec3::X * 2.0)?;
    let mut answers = Vec::new();
    for (name, config) in [
        ("obbtree", Config::paper()),
        ("rapid", Config::rapid()),
        ("aabb", Config::paper().with_family(Family::Aabb)),
        ("sphere", Config::paper().with_family(Family::Sphere)),
        ("18-dop", Config::paper().with_family(Family::Kdop18)),
    ] {
        let tree = ObbTree::build(mesh.clone(), &config);
        let found = tree.intersect(&Pose::IDENTITY, &tree, &beside);
        let (visited, triangles) = (found.nodes_visited(), found.tally.primitives);
        println!("{name:>8}: {visited} pairs of nodes, {triangles} triangle tests");
        answers.push(found.pairs);
    }
    assert!(answers.iter().all(|pairs| *pairs == answers[0]));
    let levels = ObbTree::build(mesh, &Config::paper()).levels();
    for row in levels.rows().iter().take(6) {
        println!("level {}: {} boxes, τ {:.4}", row.level, row.nodes, row.tightness.unwrap_or(0.0));
    }
    Ok(())
}
