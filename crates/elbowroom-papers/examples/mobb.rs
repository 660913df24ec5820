//! MOBB trees: do two motion clips collide in space and time? The six kinds of the paper.
//!
//!     cargo run -p elbowroom-papers --example mobb

use elbowroom_motion::Planar;
use elbowroom_papers::mobb::{Kind, MobbTree, Placed, Sample, Trace};
use glam::DVec2;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let walk = |k: u32| {
        let time = f64::from(k) / 30.0;
        Sample::new(1.2 * time, 0.3 * (2.0 * time).sin(), 0.3)
    };
    let trace = Trace::new(&(0..300).map(walk).collect::<Vec<_>>(), 1.0 / 30.0)?;
    let across = Placed::new(Planar::from_angle(1.5, DVec2::new(6.0, -6.0))?, 0.0)?;
    let mut answers = Vec::new();
    for kind in Kind::ALL {
        let tree = MobbTree::build(trace.clone(), kind)?;
        let found = tree.intersect(&Placed::ORIGIN, &tree, &across);
        let (boxes, samples) = (found.nodes_visited(), found.tally.primitives);
        let pairs = found.pairs.len();
        println!("{:>13}: {pairs} pairs, {boxes} box tests, {samples} sample tests", kind.name());
        answers.push(found.pairs);
    }
    assert!(answers.iter().all(|answer| *answer == answers[0]));
    Ok(())
}
