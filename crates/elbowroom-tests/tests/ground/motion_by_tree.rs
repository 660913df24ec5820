//! Contacts and start offsets by the paper's trees are those by circles, whatever the tree.

#![allow(clippy::cast_sign_loss, reason = "numbers of samples are small")]

use elbowroom_motion::space_time::{
    BetweenSamples, Config, Kind, Structure, Tests, Workspace, contacts, contacts_counted, offsets,
    offsets_by_tree,
};
use elbowroom_testkit::motion;
use elbowroom_testkit::random::Random;
use elbowroom_tests::motion_common::{placed, scatter, tracked};

const LEAVES: [usize; 4] = [1, 3, 10, 1_000];

#[test]
fn every_tree_finds_the_contacts_and_offsets_that_circles_find() {
    let mut random = Random::new(310);
    let mut workspace = Workspace::new();
    let (mut met, mut clear, mut mixed, mut sets) = (0, 0, 0, 0);
    let mut least_nodes = u64::MAX;
    let (mut volumes, mut samples) = ([0; 6], [0; 6]);
    for round in 0..400 {
        let is_mixed = round % 4 == 0;
        let mut walks = [0, 1].map(|side| {
            let count = random.range(1, if round % 6 == 0 { 200 } else { 50 }) as usize;
            let dt = if side == 1 && is_mixed { 1.0 / 24.0 } else { 1.0 / 32.0 };
            motion::walk(&mut random, count, dt, 1.4, 0.3)
        });
        for walk in &mut walks {
            scatter(walk, &mut random, 0.6, 0.5);
        }
        let between = if round % 5 == 0 { BetweenSamples::Linear } else { BetweenSamples::Held };
        let plain = Config { between, touching: round % 3 == 0, ..Config::default() };
        let [pa, pb] = walks.each_ref().map(placed);
        let [a, b] = walks.each_ref().map(|walk| tracked(walk, plain));
        let expected = contacts(&a, &pa, &b, &pb, &mut workspace);
        let all = offsets(&a, &pa.at(), &b, &pb.at(), &mut workspace);
        for (place, kind) in Kind::ALL.into_iter().enumerate() {
            let n_min = LEAVES[round % 4];
            let config = Config { kind, n_min, ..plain };
            let [a, b] = walks.each_ref().map(|walk| tracked(walk, config));
            let (found, tests) =
                contacts_counted(&a, &pa, &b, &pb, Structure::Tree, &mut workspace);
            assert_eq!(found, expected, "{kind:?} {n_min}");
            volumes[place] += tests.volumes;
            samples[place] += tests.samples;
            least_nodes = least_nodes.min(a.tree().len() as u64);
            let by_tree = offsets_by_tree(&a, &pa.at(), &b, &pb.at(), &mut workspace);
            let is_known = !is_mixed && between == BetweenSamples::Held;
            assert_eq!(by_tree.is_some(), is_known);
            if let Some((set, tests)) = by_tree {
                assert_eq!(set, all, "{kind:?} {n_min}");
                assert!(
                    tests.volumes >= (walks[0].samples.len() + walks[1].samples.len() - 1) as u64
                );
                sets += 1;
            }
        }
        let (found, tests) = contacts_counted(&a, &pa, &b, &pb, Structure::Circles, &mut workspace);
        assert_eq!(found, expected);
        assert!(found.is_empty() || tests != Tests::default());
        if expected.is_empty() {
            clear += 1
        } else {
            met += 1
        }
        mixed += u32::from(is_mixed);
    }
    println!(
        "{met} met, {clear} clear, {mixed} of two rates, {sets} sets; {volumes:?} {samples:?}"
    );
    assert!(met > 60 && clear > 80 && mixed == 100 && sets > 1_000, "{met} {clear} {sets}");
    assert_eq!(least_nodes, 1);
    // One box needs the fewest tests of boxes and the most of samples.
    assert!(volumes[0] < volumes[2] && samples[0] > samples[2], "{volumes:?} {samples:?}");
}
