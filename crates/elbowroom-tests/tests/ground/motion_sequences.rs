//! Clips one after the other give the answers of the trace of the whole.

#![allow(
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "numbers of samples are small"
)]

use std::sync::Arc;

use elbowroom::internal::math::planar::Planar;
use elbowroom::internal::volume::TimeBox;
use elbowroom_motion::space_time::{
    BetweenSamples, Config, Kind, Placed, TraceErrorKind, Tracked, Workspace, collide,
};
use elbowroom_papers::mobb::Sequence;
use elbowroom_testkit::motion::{self, Motion};
use elbowroom_testkit::random::Random;
use elbowroom_tests::motion_common::{placed, scatter, tracked};
use glam::DVec2;

/// Clips joined end to start, each turned by chance.
fn joined(random: &mut Random, clips: &[Arc<Tracked>], count: usize) -> Sequence {
    let mut sequence = Sequence::new();
    let mut end = DVec2::ZERO;
    for _ in 0..count {
        let clip = &clips[random.below(clips.len() as u64) as usize];
        let turn = Planar::from_angle(random.uniform(-3.2, 3.2), DVec2::ZERO).unwrap();
        let shift = end - turn.apply(clip.trace().sample(0).center);
        let at = Planar::new(turn.turn().0, turn.turn().1, shift).unwrap();
        end = at.apply(clip.trace().sample(clip.trace().len() - 1).center);
        sequence.push(clip.clone(), at).unwrap();
    }
    sequence
}

fn clips(random: &mut Random, dt: f64) -> Vec<Arc<Tracked>> {
    (0..12)
        .map(|k| {
            let count = random.range(1, 80) as usize;
            let walk = motion::walk(random, count, dt, 1.4, 0.3);
            Arc::new(tracked(&walk, Config::paper(Kind::ALL[k % 6])))
        })
        .collect()
}

#[test]
fn sequences_answer_as_their_traces() {
    let mut random = Random::new(50);
    let mut workspace = Workspace::new();
    let (mut hits, mut asked) = (0, 0);
    for round in 0..60 {
        let step = |k: usize| if k == 1 && round % 5 == 0 { 1.0 / 24.0 } else { 1.0 / 30.0 };
        let both = [0, 1].map(|k| {
            let clips = clips(&mut random, step(k));
            let count = random.range(1, 25) as usize;
            joined(&mut random, &clips, count)
        });
        let wholes =
            both.each_ref().map(|s| Tracked::new(s.trace().unwrap(), Config::default()).unwrap());
        assert_eq!(both[0].samples(), wholes[0].trace().len());
        for (sequence, whole) in both.iter().zip(&wholes) {
            check_bounds(&sequence.bounds().unwrap(), whole);
        }
        let seconds = both[0].seconds();
        for _ in 0..60 {
            let mut stand = [0, 1].map(|k| Motion::new(vec![[0.0; 3]], step(k)));
            for m in &mut stand {
                scatter(m, &mut random, 3.0, 0.7 * seconds);
            }
            let [pa, pb] = stand.each_ref().map(placed);
            let expected = collide(&wholes[0], &pa, &wholes[1], &pb, &mut workspace);
            assert_eq!(both[0].collide(&pa, &both[1], &pb, &mut workspace), expected);
            assert_eq!(both[1].collide(&pb, &both[0], &pa, &mut workspace), expected);
            hits += usize::from(expected);
            asked += 1;
        }
    }
    println!("{hits} of {asked}");
    assert!(asked == 3_600 && hits > 300 && hits < 3_300, "{hits}");
}

/// Clips that move between samples, and short ones of which many share a circle: as clip by clip.
#[test]
fn moving_clips_answer_as_clip_by_clip() {
    let mut random = Random::new(52);
    let mut workspace = Workspace::new();
    let (mut hits, mut asked) = (0, 0);
    for round in 0..40 {
        let clips: Vec<Arc<Tracked>> = (0..8)
            .map(|k| {
                let count = random.range(1, if round % 2 == 0 { 60 } else { 6 }) as usize;
                let walk = motion::walk(&mut random, count, 1.0 / 30.0, 6.0, 0.15);
                let between =
                    if k % 3 == 0 { BetweenSamples::Held } else { BetweenSamples::Linear };
                Arc::new(tracked(&walk, Config { between, ..Config::default() }))
            })
            .collect();
        let parts = [0, 1].map(|_| {
            let mut at = Planar::IDENTITY;
            let part = |_| {
                let clip = clips[random.below(8) as usize].clone();
                let here = at;
                let end = clip.trace().sample(clip.trace().len() - 1).center;
                at = at.after(&Planar::from_angle(random.uniform(-1.0, 1.0), end).unwrap());
                (clip, here)
            };
            (0..count_of(round)).map(part).collect::<Vec<_>>()
        });
        let both = parts.each_ref().map(|parts| {
            let mut sequence = Sequence::new();
            for (clip, at) in parts {
                sequence.push(clip.clone(), *at).unwrap();
            }
            sequence
        });
        for _ in 0..40 {
            let mut stand = [0, 1].map(|_| Motion::new(vec![[0.0; 3]], 1.0 / 30.0));
            for m in &mut stand {
                scatter(m, &mut random, 2.0, 0.3 * both[0].seconds());
                // Off the grid, where the sums of starts cannot matter.
                m.start += 0.0071;
            }
            let places = stand.each_ref().map(placed);
            let laid = [0, 1].map(|side| in_world(&parts[side], &places[side]));
            let expected = laid[0]
                .iter()
                .any(|(x, px)| laid[1].iter().any(|(y, py)| collide(x, px, y, py, &mut workspace)));
            let found = both[0].collide(&places[0], &both[1], &places[1], &mut workspace);
            assert_eq!(found, expected, "{round}");
            hits += usize::from(expected);
            asked += 1;
        }
    }
    println!("{hits} of {asked}");
    assert!(asked == 1_600 && hits > 60 && hits < 1_500, "{hits}");
}

fn count_of(round: usize) -> usize {
    1 + round % 20
}

/// The clips of a placed sequence, each by itself.
fn in_world(parts: &[(Arc<Tracked>, Planar)], placed: &Placed) -> Vec<(Arc<Tracked>, Placed)> {
    let mut first = 0;
    let place = |(clip, at): &(Arc<Tracked>, Planar)| {
        let start = placed.start() + first as f64 / 30.0;
        first += clip.trace().len();
        (clip.clone(), Placed::new(placed.at().after(at), start).unwrap())
    };
    parts.iter().map(place).collect()
}

fn check_bounds(bounds: &TimeBox, whole: &Tracked) {
    let dt = whole.trace().dt();
    for (k, s) in whole.trace().samples().enumerate() {
        let time = [k, k + 1].map(|k| k as f64 * dt);
        assert!(bounds.contains(s.center, s.radius, time), "{k} {bounds:?}");
    }
}

/// A sequence that grew clip by clip has the boxes of one of any other history, and each push makes
/// few.
#[test]
fn growing_keeps_the_levels() {
    let mut random = Random::new(51);
    let clips = clips(&mut random, 1.0 / 30.0);
    let mut sequence = Sequence::new();
    assert!(sequence.is_empty() && sequence.bounds().is_none() && sequence.trace().is_err());
    assert!(!sequence.collide(&Placed::ORIGIN, &sequence, &Placed::ORIGIN, &mut Workspace::new()));
    for k in 0..70 {
        sequence.push(clips[k % 12].clone(), Planar::IDENTITY).unwrap();
        let whole = Tracked::new(sequence.trace().unwrap(), Config::default()).unwrap();
        check_bounds(&sequence.bounds().unwrap(), &whole);
    }
    assert_eq!(sequence.len(), 70);
    let other = motion::walk(&mut random, 10, 0.1, 1.0, 0.3);
    let error =
        sequence.push(Arc::new(tracked(&other, Config::default())), Planar::IDENTITY).unwrap_err();
    assert!(matches!(error.kind(), TraceErrorKind::DifferentSteps { clip: 70, .. }));
}
