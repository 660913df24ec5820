//! A crowd on one floor: who may touch whom, from one circle a person down to skin against skin.
//!
//!     cargo run --release -p elbowroom-motion --example crowd

use elbowroom_motion::Planar;
use elbowroom_motion::crowd::{Crowd, CrowdConfig, Detail, Member, Performer};
use elbowroom_motion::footprint::FootprintConfig;
use elbowroom_motion::space_time::Taking;
use glam::DVec2;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let man = elbowroom_make::body::male();
    let footprints = FootprintConfig::default();
    let walk = Performer::in_place(&man, &man.clips[0], &Taking::default(), footprints)?;
    let mut crowd = Crowd::new(vec![walk], &CrowdConfig::default());
    for id in 0..400 {
        let along = |step: f64| 16.0 * (0.5 + step * f64::from(id)).fract();
        let place = DVec2::new(along(0.754_878), along(0.569_84));
        let at = Planar::from_angle(f64::from(id), place)?;
        crowd.set(id, Member { performer: 0, at, time: 0.01 * f64::from(id) })?;
    }
    let mut counts = Vec::new();
    for detail in [Detail::Level(0), Detail::Level(3), Detail::Full, Detail::Exact] {
        counts.push(crowd.pairs(&detail).len());
        println!("{detail:?}: {} pairs", counts[counts.len() - 1]);
    }
    // Each level is a bound of the next one: a pair that touches is never missed.
    assert!(counts.is_sorted_by(|a, b| a >= b) && counts[3] > 0);
    Ok(())
}
