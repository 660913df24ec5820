//! Boxes that are refitted when they are needed: the same boxes, the same answers, fewer refits of
//! what is apart.

use std::sync::Arc;

use elbowroom::Pose;
use elbowroom::internal::query::World;
use elbowroom_papers::cab::{Allowed, LinkQuestion, Workspace, against, between, within};
use elbowroom_papers::cab::{ArticulatedBody, CabHierarchy, RefitMethod};
use elbowroom_testkit::random::Random;
use glam::DVec3;

use super::{Bend, any_body, bar, link, pose, skeleton};

#[test]
fn lazy_is_the_same() {
    let mut random = Random::new(431);
    let mut workspace = Workspace::new();
    let question = LinkQuestion::default();
    let (mut met, mut boxes, mut stale) = (0, 0, 0);
    for round in 0..40 {
        let (skeleton_a, a) = any_body(&mut random, 3 + round % 8);
        let (skeleton_b, b) = any_body(&mut random, 3 + round % 5);
        let apart = DVec3::X * [0.0, 0.0, 0.3, 2.0, 6.0][round as usize % 5];
        let world_a = pose(&mut random, &skeleton_a, Bend::Any, (DVec3::ZERO, 0.3));
        let world_b = pose(&mut random, &skeleton_b, Bend::Any, (apart, 0.3));
        let allowed = Allowed::adjacent(&a);
        let mut scene = World::new();
        let stone = link(0, bar(1.0, 0.5, 0.5), Pose::IDENTITY).model;
        scene.add(stone, Pose::from_translation(apart).expect("finite"));
        for keep in RefitMethod::ALL {
            let [mut full_a, mut lazy_a] = [0; 2].map(|_| CabHierarchy::new(Arc::clone(&a), keep));
            let [mut full_b, mut lazy_b] = [0; 2].map(|_| CabHierarchy::new(Arc::clone(&b), keep));
            full_a.update(&world_a).expect("rigid");
            full_b.update(&world_b).expect("rigid");
            lazy_a.update_lazily(&world_a).expect("rigid");
            lazy_b.update_lazily(&world_b).expect("rigid");
            let full = between(&mut full_a, &mut full_b, &question, &mut workspace).clone();
            let lazy = between(&mut lazy_a, &mut lazy_b, &question, &mut workspace);
            assert_eq!(lazy.contacts, full.contacts);
            assert_eq!(lazy.work.calls, full.work.calls);
            met += full.contacts.len();
            for node in a.tree().nodes() {
                match lazy_a.oriented(node) {
                    Some(bounds) => {
                        assert_eq!(Some(bounds), full_a.oriented(node), "{keep:?}");
                        boxes += 1;
                    }
                    None => stale += 1,
                }
            }
            lazy_a.validate().expect("what is there holds");
            let full = within(&mut full_a, &allowed, &question, &mut workspace).clone();
            assert_eq!(within(&mut lazy_a, &allowed, &question, &mut workspace), &full);
            let full = against(&mut full_a, &scene, &question, &mut workspace).clone();
            assert_eq!(against(&mut lazy_a, &scene, &question, &mut workspace), &full);
        }
    }
    assert!(met > 60 && boxes > 1000 && stale > 500, "{met} {boxes} {stale}");
}

/// Two chains of eight: far apart, hardly anything is refitted; side by side, nearly everything.
#[test]
fn what_is_apart_is_hardly_refitted() {
    let parents: Vec<Option<u32>> = (0..8).map(|i: u32| i.checked_sub(1)).collect();
    let skeleton = skeleton(&parents, &[DVec3::X; 8]);
    let links = (0..8).map(|joint| link(joint, bar(1.0, 0.2, 0.2), Pose::IDENTITY));
    let chain = Arc::new(ArticulatedBody::new(&skeleton, links.collect()).expect("a chain"));
    let mut random = Random::new(432);
    let mut workspace = Workspace::new();
    for keep in RefitMethod::ALL.into_iter().filter(|&keep| keep != RefitMethod::Brute) {
        let mut refits = |distance: f64| {
            let mut bodies = [0.0, distance].map(|y| {
                let mut body = CabHierarchy::new(Arc::clone(&chain), keep);
                let place = (DVec3::Y * y, 0.0);
                let mut world = pose(&mut random, &skeleton, Bend::Straight, place);
                // Both along x.
                let back = world[0].matrix3.transpose();
                for joint in &mut world {
                    joint.matrix3 = glam::DMat3::IDENTITY;
                    joint.translation = place.0 + back * (joint.translation - place.0);
                }
                body.update_lazily(&world).expect("rigid");
                body
            });
            let [a, b] = &mut bodies;
            between(a, b, &LinkQuestion::default(), &mut workspace);
            a.work().boxes_refitted
        };
        let full = 15;
        assert!(refits(20.0) <= 9, "{keep:?}: leaves and one more");
        assert!(refits(0.1) >= full, "{keep:?}: all boxes overlap");
    }
}
