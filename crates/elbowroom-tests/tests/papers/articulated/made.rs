//! The chains and the hand of the paper, as they are made: the counts that it prints have its
//! order.

use std::sync::Arc;

use elbowroom::internal::query::intersects;
use elbowroom_make::{Chain, chain, hand};
use elbowroom_motion::body::Rig;
use elbowroom_papers::cab::{Allowed, LinkQuestion, Work, Workspace, between, within};
use elbowroom_papers::cab::{ArticulatedBody, CabHierarchy, RefitMethod};
use glam::{DAffine3, DVec3};

/// `world_from_joint` of a rig's first clip at a time, the rig standing somewhere.
fn swung(rig: &Rig, time_secs: f64, at: DVec3) -> Vec<DAffine3> {
    let mut pose = rig.rest_pose();
    rig.clips[0].sample(time_secs, &mut pose);
    let mut world = Vec::new();
    rig.skeleton.world_placed(&pose, &DAffine3::from_translation(at), &mut world);
    world
}

#[test]
fn two_chains_swing() {
    let rigs = [1, 2].map(|seed| chain(&Chain { aspect: 6.0, seed, ..Chain::default() }));
    let bodies = rigs.each_ref().map(|rig| Arc::new(ArticulatedBody::of_rig(rig).expect("links")));
    let places = [DVec3::ZERO, DVec3::X * 0.08];
    let mut workspace = Workspace::new();
    let mut total = [Work::default(); RefitMethod::ALL.len()];
    for (keep, work) in RefitMethod::ALL.into_iter().zip(&mut total) {
        let mut both = bodies.each_ref().map(|body| CabHierarchy::new(Arc::clone(body), keep));
        for frame in 0..200 {
            for i in 0..2 {
                let world = swung(&rigs[i], f64::from(frame) * 0.05, places[i]);
                both[i].update(&world).expect("rigid");
                *work += both[i].work();
                let allowed = Allowed::adjacent(&bodies[i]);
                let found =
                    within(&mut both[i], &allowed, &LinkQuestion::default(), &mut workspace);
                *work += found.work;
            }
            let [a, b] = &mut both;
            *work += between(a, b, &LinkQuestion::default(), &mut workspace).work;
        }
    }
    let [brute, vertices, corners, centre, covariance, cab, sum] = total;
    assert!(brute.hits > 50, "{brute:?}");
    assert!(total.iter().all(|work| work.hits == brute.hits), "{total:?}");
    // All pairs of sixteen links but fourteen neighbours, in every frame.
    assert_eq!(brute.calls, 200 * (16 * 15 / 2 - 14));
    assert_eq!((cab.calls, sum.calls), (covariance.calls, covariance.calls));
    assert!(corners.calls > vertices.calls && vertices.calls > covariance.calls, "{total:?}");
    assert_eq!(corners.calls, centre.calls);
    assert!(cab.box_tests >= covariance.box_tests);
    assert!(cab.box_tests * 10 <= covariance.box_tests * 17, "{cab:?} {covariance:?}");
    assert_eq!(cab.boxes_refitted, 200 * 2 * 15);
    assert!(vertices.vertices_visited > 10 * corners.vertices_visited);
}

/// The hand closes: every way finds what asking about every pair finds.
#[test]
fn a_hand_closes() {
    let rig = hand(1);
    let articulation = Arc::new(ArticulatedBody::of_rig(&rig).expect("links"));
    let allowed = Allowed::of_rig(&articulation, &rig);
    let links = articulation.links();
    let mut workspace = Workspace::new();
    let mut met = 0;
    for frame in 0..12 {
        let world = swung(&rig, f64::from(frame) * 0.25, DVec3::ZERO);
        let mut brute = CabHierarchy::new(Arc::clone(&articulation), RefitMethod::Brute);
        brute.update(&world).expect("rigid");
        let place = brute.placements();
        let expected: Vec<(u32, u32)> = (0..links.len() as u32)
            .flat_map(|i| (i + 1..links.len() as u32).map(move |j| (i, j)))
            .filter(|&(i, j)| !allowed.has(i, j))
            .filter(|&(i, j)| {
                let (i, j) = (i as usize, j as usize);
                intersects(&links[i].model, &place[i], &links[j].model, &place[j])
            })
            .collect();
        met += expected.len();
        for keep in RefitMethod::ALL {
            let mut body = CabHierarchy::new(Arc::clone(&articulation), keep);
            body.update(&world).expect("rigid");
            let found = within(&mut body, &allowed, &LinkQuestion::default(), &mut workspace);
            let shown: Vec<_> = found.contacts.iter().map(|c| (c.a, c.b)).collect();
            assert_eq!(shown, expected, "{keep:?} in frame {frame}");
        }
    }
    println!("{met} pairs of links met");
}
