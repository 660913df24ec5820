//! Merged motion trees: the trees of short clips as the tree of a sequence, beside one built from
//! scratch.
//!
//!     cargo run -p elbowroom-papers --example merged

use std::sync::Arc;

use elbowroom_motion::Planar;
use elbowroom_motion::space_time::{
    Config, Kind, Placed, Sample, Trace, Tracked, Workspace, collide_counted,
};
use elbowroom_papers::mobb::Sequence;
use glam::DVec2;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Two seconds of a walk that bends to the left, then twelve of them one after the other.
    let walk = (0..60).map(|k| f64::from(k) / 30.0);
    let samples: Vec<Sample> = walk.map(|t| Sample::new(1.2 * t, 0.1 * t * t, 0.3)).collect();
    let trace = Trace::new(&samples, 1.0 / 30.0)?;
    let next = Planar::from_angle(0.3, DVec2::new(2.4, 0.4))?;
    let across = Placed::new(Planar::from_angle(1.0, DVec2::new(2.0, -9.0))?, 0.0)?;
    for kind in Kind::ALL {
        let clip = Arc::new(Tracked::new(trace.clone(), Config::paper(kind))?);
        let (mut walk, mut at) = (Sequence::new(), Planar::IDENTITY);
        for _ in 0..12 {
            walk.push(Arc::clone(&clip), at)?;
            at = at.after(&next).tidied();
        }
        let (hit, merged) = walk.collide_counted(&Placed::ORIGIN, &walk, &across);
        let whole = Tracked::new(walk.trace()?, Config::paper(kind))?;
        let (expected, anew) =
            collide_counted(&whole, &Placed::ORIGIN, &whole, &across, &mut Workspace::new());
        assert_eq!(hit, expected);
        let [merged, anew] = [merged, anew].map(|tally| tally.volumes() + tally.primitives);
        println!("{:>14}: {hit}, {merged} tests merged, {anew} anew", kind.name());
    }
    Ok(())
}
