//! Leaves in strides: the answers of leaves compared sample by sample, with fewer tests.

#![allow(clippy::cast_sign_loss, reason = "numbers of samples are small")]

use elbowroom_motion::space_time::{
    BetweenSamples, Config, Kind, Leaf, Workspace, collide_counted, colliding_samples,
};
use elbowroom_testkit::motion::{self, Motion};
use elbowroom_testkit::random::Random;
use elbowroom_tests::motion_common::{placed, scatter, tracked};

fn walks(random: &mut Random, round: usize) -> [Motion; 2] {
    let mut walks = [0, 1].map(|side| {
        let count = random.range(1, if round.is_multiple_of(10) { 400 } else { 60 }) as usize;
        let dt = if side == 1 && round.is_multiple_of(7) { 1.0 / 24.0 } else { 1.0 / 30.0 };
        let mut walk = motion::walk(random, count, dt, 1.4, [0.3, 1.85, 0.0][round % 3]);
        if round.is_multiple_of(4) {
            // A person who stands, in disks of one size.
            walk.samples.iter_mut().for_each(|sample| *sample = [0.0, 0.0, 0.3]);
        }
        walk
    });
    for walk in &mut walks {
        scatter(walk, random, 2.5, 1.0);
    }
    walks
}

#[test]
fn strides_change_no_answer() {
    let (mut random, mut workspace) = (Random::new(70), Workspace::new());
    let (mut hits, mut asked, mut pairs, mut tests) = (0, 0, 0, [0_u64; 2]);
    for round in 0..4_000 {
        let [a, b] = walks(&mut random, round);
        let between = if round % 5 == 0 { BetweenSamples::Linear } else { BetweenSamples::Held };
        let config = |leaf| Config {
            n_min: 1 + round % 50,
            touching: round % 2 == 0,
            between,
            leaf,
            ..Config::paper(Kind::ALL[round % 6])
        };
        let (pa, pb) = (placed(&a), placed(&b));
        let [every, stride] = [Leaf::Every, Leaf::Stride]
            .map(|leaf| [tracked(&a, config(leaf)), tracked(&b, config(leaf))]);
        let (truth, slow) = collide_counted(&every[0], &pa, &every[1], &pb, &mut workspace);
        let (answer, fast) = collide_counted(&stride[0], &pa, &stride[1], &pb, &mut workspace);
        assert_eq!(answer, truth, "{round}");
        assert_eq!(slow.volumes() > 0, fast.volumes() > 0);
        if between == BetweenSamples::Held {
            assert_eq!(truth, motion::collide(&a, &b, round % 2 == 0), "{round}");
        }
        let all = colliding_samples(&every[0], &pa, &every[1], &pb, &mut workspace);
        assert_eq!(colliding_samples(&stride[0], &pa, &stride[1], &pb, &mut workspace), all);
        hits += usize::from(truth);
        asked += 1;
        pairs += all.len();
        tests = [tests[0] + slow.primitives, tests[1] + fast.primitives];
    }
    println!("{hits} of {asked}, {pairs} pairs, {tests:?} tests");
    assert!(hits > 400 && hits < 3_600 && pairs > 4_000, "{hits} {pairs}");
    assert!(tests[0] > 2 * tests[1], "{tests:?}");
}

/// One of the two says that every sample is to be looked at: so it is.
#[test]
fn both_must_stride() {
    let mut random = Random::new(71);
    let mut walk = motion::walk(&mut random, 40, 1.0 / 30.0, 1.4, 0.3);
    let near = Motion { shift: [0.0, 1.5], ..walk.clone() };
    walk.shift = [0.0, 0.0];
    let clip = |leaf| tracked(&walk, Config { leaf, n_min: 40, ..Config::default() });
    let (every, stride) = (clip(Leaf::Every), clip(Leaf::Stride));
    let (pa, pb) = (placed(&walk), placed(&near));
    let tests = [(&every, &every), (&every, &stride), (&stride, &stride)]
        .map(|(a, b)| collide_counted(a, &pa, b, &pb, &mut Workspace::new()).1.primitives);
    assert!(tests[0] == 40 && tests[1] == 40 && tests[2] < 10, "{tests:?}");
}
