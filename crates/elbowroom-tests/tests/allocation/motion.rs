//! A warm query about motions allocates nothing.

#![allow(
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "numbers of samples are small"
)]

use std::sync::Arc;

use elbowroom::internal::math::planar::Planar;
use elbowroom_motion::space_time::{
    BetweenSamples, Config, Kind, Leaf, OffsetSet, Placed, Tracked, Workspace, collide,
    collide_brute, collide_counted, contacts_into, nearest_approach, offsets_into,
};
use elbowroom_papers::mobb::{Sequence, collide_many};
use elbowroom_testkit::motion;
use elbowroom_testkit::random::Random;
use elbowroom_tests::motion_common::tracked;
use glam::DVec2;

use crate::counter::Region;

#[test]
fn a_warm_query_allocates_nothing() {
    let mut random = Random::new(70);
    let paper = Config::paper(Kind::MobbThenUmobb);
    let moving = Config { between: BetweenSamples::Linear, leaf: Leaf::Stride, ..paper };
    let clips: Vec<Tracked> =
        [(1.0 / 30.0, paper), (1.0 / 30.0, paper), (1.0 / 24.0, paper), (1.0 / 30.0, moving)]
            .map(|(dt, config)| tracked(&motion::walk(&mut random, 900, dt, 1.3, 0.5), config))
            .into();
    let mut chain = Sequence::new();
    for clip in clips[..2].iter().cycle().take(9) {
        chain.push(Arc::new(clip.clone()), Planar::IDENTITY).unwrap();
    }
    let places: Vec<Placed> = (0..50)
        .map(|_| {
            let shift = DVec2::new(random.uniform(-3.0, 3.0), random.uniform(-3.0, 3.0));
            let at = Planar::from_angle(random.uniform(-3.0, 3.0), shift).unwrap();
            Placed::new(at, random.uniform(-9.0, 9.0)).unwrap()
        })
        .collect();
    let mut workspace = Workspace::new();
    let (mut set, mut contacts, mut hits) = (OffsetSet::default(), Vec::new(), Vec::new());
    let others: Vec<(&Tracked, Placed)> = places.iter().map(|&at| (&clips[1], at)).collect();
    let mut round = |set: &mut OffsetSet| {
        let mut found = 0;
        for at in &places {
            for other in &clips {
                let ours = (&clips[0], &Placed::ORIGIN);
                found += usize::from(collide(ours.0, ours.1, other, at, &mut workspace));
                found += usize::from(collide_brute(ours.0, ours.1, other, at, &workspace));
                found += usize::from(collide_counted(ours.0, ours.1, other, at, &mut workspace).0);
                contacts_into(ours.0, ours.1, other, at, &mut workspace, &mut contacts);
                found += contacts.len();
                let near = nearest_approach(ours.0, ours.1, other, at, &mut workspace);
                found += usize::from(near.is_some());
                offsets_into(ours.0, &Planar::IDENTITY, other, &at.at(), &mut workspace, set);
                found += set.len();
            }
            found += usize::from(chain.collide(&Placed::ORIGIN, &chain, at, &mut workspace));
        }
        collide_many(&clips[0], &Placed::ORIGIN, &others, &mut workspace, &mut hits);
        found
    };
    let cold = round(&mut set);
    let region = Region::new();
    let warm = round(&mut set);
    let change = region.change();
    assert_eq!((change.allocations, change.reallocations), (0, 0));
    assert!(cold == warm && warm > 300, "{warm}");
}
