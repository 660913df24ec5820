//! A warm body of links allocates nothing, whatever is asked of it.

use std::sync::Arc;

use elbowroom::Pose;
use elbowroom::internal::model::Model;
use elbowroom::internal::query::World;
use elbowroom_make::{Chain, chain, icosphere};
use elbowroom_papers::cab::{Allowed, LinkQuestion, Workspace, against, between, within};
use elbowroom_papers::cab::{ArticulatedBody, CabHierarchy, RefitMethod};
use glam::{DAffine3, DVec3};

use crate::counter::Region;

#[test]
fn a_warm_body_allocates_nothing() {
    let rig = chain(&Chain::default());
    let articulation = Arc::new(ArticulatedBody::of_rig(&rig).unwrap());
    let allowed = Allowed::adjacent(&articulation);
    let mut world = World::new();
    world.add(Model::new(icosphere(2)), Pose::from_translation(DVec3::Y * -1.5).unwrap());
    let mut pose = rig.rest_pose();
    let mut joints = Vec::new();
    let mut met = 0;
    for keep in RefitMethod::ALL {
        let [mut a, mut b] = [0; 2].map(|_| CabHierarchy::new(Arc::clone(&articulation), keep));
        let mut workspace = Workspace::new();
        let mut frame = |frame: u32, near: f64| {
            let time_secs = f64::from(frame) * 0.25;
            rig.clips[0].sample(time_secs, &mut pose);
            rig.skeleton.world(&pose, &mut joints);
            a.update(&joints).unwrap();
            rig.clips[0].sample(time_secs + 3.0, &mut pose);
            let beside = DAffine3::from_translation(DVec3::X * near);
            rig.skeleton.world_placed(&pose, &beside, &mut joints);
            b.update_lazily(&joints).unwrap();
            let question = LinkQuestion::default();
            let mut hits = between(&mut a, &mut b, &question, &mut workspace).work.hits;
            hits += within(&mut a, &allowed, &question, &mut workspace).work.hits;
            hits += against(&mut b, &world, &question, &mut workspace).work.hits;
            hits
        };
        for i in 0..20 {
            frame(i, 0.05 + 0.02 * f64::from(i));
        }
        let region = Region::new();
        for i in 0..20 {
            met += frame(i, 0.05 + 0.02 * f64::from(i));
        }
        let change = region.change();
        assert_eq!((change.allocations, change.reallocations), (0, 0), "{keep:?}");
    }
    assert!(met > 100, "{met}");
}
