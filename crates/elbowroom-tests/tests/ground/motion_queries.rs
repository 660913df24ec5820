//! Two motions collide or do not, by brute force and by every tree.

#![allow(
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "numbers of samples are small"
)]

use elbowroom::internal::arch::SimdLevel;
use elbowroom::internal::volume::time_box::TimeAxis;
use elbowroom_motion::space_time::{
    Config, Kind, Placed, Tracked, Workspace, collide, collide_counted,
};
use elbowroom_testkit::motion::{self, Motion};
use elbowroom_testkit::random::Random;
use elbowroom_tests::motion_common::{placed, scatter, tracked};

/// One million queries: six kinds of trees and the circles, on and off the grid, equal and
/// different sampling times.
#[test]
fn a_million_queries_agree_with_brute_force() {
    let mut random = Random::new(10);
    let kinds = Kind::ALL;
    let steps = [1.0 / 30.0, 0.03125, 1.0 / 24.0];
    let (mut asked, mut hits, mut on_grid, mut unequal) = (0_u64, 0_u64, 0_u64, 0_u64);
    let mut workspace = Workspace::new();
    for round in 0..250 {
        let mut motions: Vec<(Motion, Vec<Tracked>)> = (0..2)
            .map(|side| {
                let dt = steps[(round + side * usize::from(round % 5 == 0)) % steps.len()];
                let count = random.range(1, if round % 10 == 0 { 400 } else { 40 }) as usize;
                let walk = motion::walk(&mut random, count, dt, 1.4, 0.35);
                let config = |kind| Config {
                    axis: if round % 2 == 0 { TimeAxis::Chord } else { TimeAxis::Covariance },
                    n_min: 1 + round % 12,
                    touching: round % 3 == 0,
                    ..Config::paper(kind)
                };
                let clips = kinds.iter().map(|&kind| tracked(&walk, config(kind))).collect();
                (walk, clips)
            })
            .collect();
        let seconds =
            motions.iter().map(|(m, _)| m.samples.len() as f64 * m.dt).fold(0.0, f64::max);
        let queries = if round % 10 == 0 { 60 } else { 600 };
        for _ in 0..queries {
            for (motion, _) in &mut motions {
                scatter(motion, &mut random, 0.6 + 0.4 * seconds, 0.6 * seconds);
            }
            let [(a, clips_a), (b, clips_b)] = &motions[..] else { unreachable!() };
            let truth = motion::collide(a, b, round % 3 == 0);
            let (pa, pb) = (placed(a), placed(b));
            hits += u64::from(truth);
            unequal += u64::from(a.dt != b.dt);
            on_grid += u64::from(a.dt == b.dt && (a.start / a.dt).fract() == 0.0);
            for (x, y) in clips_a.iter().zip(clips_b) {
                let (counted, tally) = collide_counted(x, &pa, y, &pb, &mut workspace);
                assert_eq!(counted, truth, "{:?} {a:?} {b:?}", x.config().kind);
                assert!(!truth || tally.primitives > 0);
                asked += 1;
            }
            assert_eq!(
                collide(&clips_a[0], &pa, &clips_b[1], &pb, &mut workspace),
                truth,
                "{a:?} {b:?}"
            );
            assert_eq!(
                collide(&clips_b[0], &pb, &clips_a[3], &pa, &mut workspace),
                truth,
                "{a:?} {b:?}"
            );
            asked += 2;
        }
    }
    println!("{asked} queries, {hits} hits, {on_grid} on the grid, {unequal} of unequal steps");
    assert!(asked > 1_000_000, "{asked}");
    assert!(hits > 20_000 && on_grid > 40_000 && unequal > 10_000, "{hits} {on_grid} {unequal}");
}

/// All instruction sets give the same answers, and mixed kinds do.
#[test]
fn every_level_and_any_two_kinds_agree() {
    let mut random = Random::new(11);
    let mut spaces: Vec<Workspace> = SimdLevel::ALL
        .into_iter()
        .filter(|level| level.is_here())
        .map(Workspace::with_level)
        .collect();
    let (mut hits, mut asked) = (0, 0);
    for _ in 0..40 {
        let mut walks =
            [200, 90].map(|count| motion::walk(&mut random, count, 1.0 / 30.0, 1.4, 0.3));
        let clips =
            walks.each_ref().map(|walk| Kind::ALL.map(|kind| tracked(walk, Config::paper(kind))));
        for _ in 0..40 {
            for walk in &mut walks {
                scatter(walk, &mut random, 1.5, 2.0);
            }
            let truth = motion::collide(&walks[0], &walks[1], false);
            let (pa, pb) = (placed(&walks[0]), placed(&walks[1]));
            hits += usize::from(truth);
            for space in &mut spaces {
                assert_eq!(collide(&clips[0][0], &pa, &clips[1][0], &pb, space), truth);
            }
            for x in &clips[0] {
                for y in &clips[1] {
                    assert_eq!(collide_counted(x, &pa, y, &pb, &mut spaces[0]).0, truth);
                    asked += 1;
                }
            }
        }
    }
    assert!(asked == 57_600 && hits > 100 && hits < 1_500, "{hits} of {asked}");
}

/// The paper's first figure: the same place at another time is no collision.
#[test]
fn crossing_at_another_time_is_clear() {
    let walk: Vec<[f64; 3]> = (0..120).map(|k| [0.05 * f64::from(k) - 3.0, 0.0, 0.4]).collect();
    let along = Motion::new(walk, 1.0 / 30.0);
    let across = Motion { turn: [0.0, 1.0], ..along.clone() };
    let mut workspace = Workspace::new();
    for kind in Kind::ALL {
        let clip = tracked(&along, Config::paper(kind));
        for (start, expected) in
            [(0.0, true), (0.3, true), (1.0, false), (-1.0, false), (40.0, false)]
        {
            let there = Motion { start, ..across.clone() };
            let (pa, pb) = (Placed::ORIGIN, placed(&there));
            assert_eq!(collide(&clip, &pa, &clip, &pb, &mut workspace), expected);
            assert_eq!(collide_counted(&clip, &pa, &clip, &pb, &mut workspace).0, expected);
            assert_eq!(motion::collide(&along, &there, false), expected);
        }
    }
}

/// The half-open hold: one step later the first sample is gone, and a hair before it is not.
#[test]
fn holds_are_half_open() {
    let dt = 0.125;
    let here = Motion::new(vec![[0.0, 0.0, 0.5]], dt);
    let clip = tracked(&here, Config::default());
    let mut workspace = Workspace::new();
    let mut ask = |start: f64| {
        let later = Motion { start, ..here.clone() };
        let answer = collide(&clip, &Placed::ORIGIN, &clip, &placed(&later), &mut workspace);
        assert_eq!(answer, motion::collide(&here, &later, false), "{start}");
        answer
    };
    assert!(ask(0.0) && ask(dt.next_down()) && ask(-dt.next_down()) && ask(1e-300));
    assert!(!ask(dt) && !ask(-dt) && !ask(dt.next_up()) && !ask(1e90));
}

/// Touching counts if both say so; disks without radius never collide, but may touch.
#[test]
fn touching_is_a_choice() {
    let mut workspace = Workspace::new();
    let mut ask = |radius: f64, apart: f64, touching: [bool; 2]| {
        let still = Motion::new(vec![[0.0, 0.0, radius]; 40], 0.1);
        let there = Motion { shift: [apart, 0.0], ..still.clone() };
        let [a, b] =
            touching.map(|touching| tracked(&still, Config { touching, ..Config::default() }));
        collide(&a, &placed(&still), &b, &placed(&there), &mut workspace)
    };
    assert!(
        !ask(0.5, 1.0, [false; 2]) && !ask(0.5, 1.0, [true, false]) && ask(0.5, 1.0, [true; 2])
    );
    assert!(ask(0.5, 1.0_f64.next_down(), [false; 2]) && !ask(0.5, 1.0_f64.next_up(), [true; 2]));
    assert!(
        !ask(0.0, 0.0, [false; 2]) && ask(0.0, 0.0, [true; 2]) && !ask(0.0, 5e-324, [false; 2])
    );
}

/// Idle, closed loops, one and two samples, huge and tiny: no panic, and brute force agrees.
#[test]
fn degenerate_motions() {
    let mut random = Random::new(12);
    let mut shapes: Vec<Vec<[f64; 3]>> = vec![
        vec![[0.0, 0.0, 0.3]; 100],
        vec![[1.0, 2.0, 0.0]],
        vec![[0.0, 0.0, 0.3], [1e-300, 0.0, 0.3]],
        (0..101)
            .map(|k| (f64::from(k) / 100.0 * std::f64::consts::TAU).sin_cos())
            .map(|(y, x)| [x, y, 0.2])
            .collect(),
        (0..100).map(|k| [0.02 * f64::from(50 - (k - 50_i32).abs()), 0.0, 0.3]).collect(),
        vec![[5e-324, 5e-324, 0.0], [0.0, 5e-324, 5e-324], [-5e-324, 0.0, 0.0]],
    ];
    for scale in [1e89, 1e-160, 1e12] {
        shapes.push(
            (0..70)
                .map(|k| [scale * 0.1 * f64::from(k), scale * random.unit(), scale * 0.3])
                .collect(),
        );
    }
    let mut workspace = Workspace::new();
    let (mut hits, mut asked) = (0, 0);
    for a in &shapes {
        for b in &shapes {
            for kind in Kind::ALL {
                for linear in [false, true] {
                    let mut sides = [a, b].map(|s| Motion::new(s.clone(), 0.04));
                    let config = Config {
                        between: if linear {
                            elbowroom_motion::space_time::BetweenSamples::Linear
                        } else {
                            elbowroom_motion::space_time::BetweenSamples::Held
                        },
                        touching: random.one_in(2),
                        ..Config::paper(kind)
                    };
                    let clips = sides.each_ref().map(|side| tracked(side, config));
                    for _ in 0..4 {
                        for side in &mut sides {
                            scatter(side, &mut random, 0.5, 1.0);
                        }
                        let (pa, pb) = (placed(&sides[0]), placed(&sides[1]));
                        let fast = collide(&clips[0], &pa, &clips[1], &pb, &mut workspace);
                        let slow =
                            collide_counted(&clips[0], &pa, &clips[1], &pb, &mut workspace).0;
                        assert_eq!(fast, slow, "{sides:?} {config:?}");
                        if !linear {
                            let truth = motion::collide(&sides[0], &sides[1], config.touching);
                            assert_eq!(fast, truth, "{sides:?} {config:?}");
                        }
                        hits += usize::from(fast);
                        asked += 1;
                    }
                }
            }
        }
    }
    assert!(asked == 9 * 9 * 6 * 2 * 4 && hits > 400 && hits < asked - 400, "{hits} of {asked}");
}
