//! CAB: the boxes of an articulated body follow its pose; two chains of eight links, frame by
//! frame.
//!
//!     cargo run -p elbowroom-papers --example cab

use std::sync::Arc;

use elbowroom_make::{Chain, chain};
use elbowroom_papers::cab::{ArticulatedBody, CabHierarchy, Config};
use glam::{DAffine3, DVec3};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rig = chain(&Chain::default());
    let body = Arc::new(ArticulatedBody::of_rig(&rig)?);
    let config = Config::paper();
    let mut a = CabHierarchy::build(Arc::clone(&body), &config);
    let mut b = CabHierarchy::build(body, &config);
    let (mut pose, mut world) = (rig.rest_pose(), Vec::new());
    let beside = DAffine3::from_translation(DVec3::X * 0.15);
    let (mut touching, mut tests, mut exact) = (0, 0, 0);
    for frame in 0..20 {
        rig.clips[0].sample(f64::from(frame) / 10.0, &mut pose);
        rig.skeleton.world(&pose, &mut world);
        a.update(&world)?;
        rig.clips[0].sample(f64::from(frame) / 10.0 + 0.7, &mut pose);
        rig.skeleton.world(&pose, &mut world);
        b.update(&world.iter().map(|joint| beside * *joint).collect::<Vec<_>>())?;
        let found = a.intersect(&mut b);
        touching += usize::from(found.is_contact());
        tests += found.nodes_visited();
        exact += found.tally.primitives;
    }
    println!("{}: the chains touch in {touching} of 20 frames", config.method.name());
    println!("{tests} box tests left {exact} pairs of links for exact queries");
    Ok(())
}
