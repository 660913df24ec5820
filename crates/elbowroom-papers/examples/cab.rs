//! CAB: the boxes of an articulated body follow its pose; two chains of eight links, frame by frame.
//!
//!     cargo run -p elbowroom-papers --example cab

use std::sync::Arc;

use elbowroom_make::{Chain, chain};
use elbowroom_papers::cab::{
    ArticulatedBody, CabAxis, CabHierarchy, LinkQuestion, RefitMethod, Workspace, between,
};
use glam::{DAffine3, DVec3};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rig = chain(&Chain::default());
    let body = Arc::new(ArticulatedBody::of_rig(&rig)?);
    let method = RefitMethod::Cab(CabAxis::Longest);
    let mut a = CabHierarchy::new(Arc::clone(&body), method);
    let mut b = CabHierarchy::new(body, method);
    let (mut pose, mut world, mut workspace) = (rig.rest_pose(), Vec::new(), Workspace::new());
    let beside = DAffine3::from_translation(DVec3::X * 0.15);
    let mut touching = 0;
    for frame in 0..20 {
        rig.clips[0].sample(f64::from(frame) / 10.0, &mut pose);
        rig.skeleton.world(&pose, &mut world);
        a.update(&world)?;
        rig.clips[0].sample(f64::from(frame) / 10.0 + 0.7, &mut pose);
        rig.skeleton.world(&pose, &mut world);
        b.update(&world.iter().map(|joint| beside * *joint).collect::<Vec<_>>())?;
        let found = between(&mut a, &mut b, &LinkQuestion::default(), &mut workspace);
        touching += usize::from(!found.is_clear());
    }
    println!("{} refits: the chains touch in {touching} of 20 frames", method.name());
    Ok(())
}
