//! What an update takes in each way: `cargo bench --bench articulated [frames]`.
//!
//! Two chains of eight links, six times as long as wide, swing; all ways take turns frame by frame,
//! so that what else the machine does falls on all alike. Printed is the median time of an update
//! and its ratio to CAB's. With one frame and the name of a way, only that one runs: for counting
//! instructions.

use std::sync::Arc;
use std::time::Instant;

use elbowroom_make::{Chain, chain};
use elbowroom_papers::cab::{ArticulatedBody, CabAxis, CabHierarchy, RefitMethod};
use glam::DAffine3;

fn main() {
    let mut words = std::env::args().skip(1).filter(|word| word != "--bench");
    let frames: u32 = words.next().and_then(|word| word.parse().ok()).unwrap_or(2000);
    let only = words.next();
    let rig = chain(&Chain { aspect: 6.0, ..Chain::default() });
    let articulation = Arc::new(ArticulatedBody::of_rig(&rig).expect("a chain has links"));
    let mut pose = rig.rest_pose();
    let poses: Vec<Vec<DAffine3>> = (0..frames)
        .map(|frame| {
            rig.clips[0].sample(f64::from(frame) * 0.01, &mut pose);
            let mut world = Vec::new();
            rig.skeleton.world(&pose, &mut world);
            world
        })
        .collect();
    let is_asked = |keep: &RefitMethod| only.as_deref().is_none_or(|name| keep.name() == name);
    let mut bodies: Vec<(CabHierarchy, Vec<f64>)> = RefitMethod::ALL
        .into_iter()
        .filter(is_asked)
        .map(|keep| (CabHierarchy::new(Arc::clone(&articulation), keep), Vec::new()))
        .collect();
    for world in &poses {
        for (body, times) in &mut bodies {
            let start = Instant::now();
            // Many at once, because a clock does not tell a microsecond well.
            for _ in 0..20 {
                body.update(world).expect("a chain swings rigidly");
            }
            times.push(start.elapsed().as_secs_f64() / 20.0);
        }
    }
    let medians: Vec<(RefitMethod, f64)> = bodies
        .into_iter()
        .map(|(body, mut times)| {
            times.sort_by(f64::total_cmp);
            (body.keep(), times[times.len() / 2])
        })
        .collect();
    let cab = medians.iter().find(|(keep, _)| *keep == RefitMethod::Cab(CabAxis::Longest));
    println!("{:>14} {:>10} {:>8}", "way", "update ns", "to cab");
    for (keep, seconds) in &medians {
        let ratio = cab.map_or(f64::NAN, |(_, cab)| seconds / cab);
        println!("{:>14} {:>10.0} {ratio:>8.2}", keep.name(), seconds * 1e9);
    }
}
