//! The merged tree of a sequence answers as brute force does on the whole, and what it costs beside
//! a tree that is built from scratch.

#![allow(clippy::cast_sign_loss, reason = "numbers of samples are small")]

use std::sync::Arc;

use elbowroom::internal::bvh::NodeId;
use elbowroom::internal::math::planar::Planar;
use elbowroom::internal::volume::Family;
use elbowroom_motion::space_time::{
    BetweenSamples, Config, Kind, Placed, Tracked, Workspace, collide_brute, collide_counted,
};
use elbowroom_papers::mobb::{Bound, Sequence};
use elbowroom_testkit::motion::{self, Motion};
use elbowroom_testkit::random::Random;
use elbowroom_tests::motion_common::{placed, scatter, tracked};
use glam::DVec2;

/// Short clips joined end to start, each turned a little.
fn joined(random: &mut Random, clips: &[Arc<Tracked>], count: usize) -> Sequence {
    let mut sequence = Sequence::new();
    let (mut end, mut heading) = (DVec2::ZERO, 0.0);
    for _ in 0..count {
        let clip = &clips[random.below(clips.len() as u64) as usize];
        heading += random.uniform(-0.7, 0.7);
        let turn = Planar::from_angle(heading, DVec2::ZERO).unwrap();
        let shift = end - turn.apply(clip.trace().sample(0).center);
        let at = Planar::new(turn.turn().0, turn.turn().1, shift).unwrap();
        end = at.apply(clip.trace().sample(clip.trace().len() - 1).center);
        sequence.push(clip.clone(), at).unwrap();
    }
    sequence
}

fn clips(random: &mut Random, dt: f64, longest: i64, config: Config) -> Vec<Arc<Tracked>> {
    let clip = |_| {
        let count = random.range(1, longest) as usize;
        Arc::new(tracked(&motion::walk(random, count, dt, 1.4, 0.3), config))
    };
    (0..10).map(clip).collect()
}

#[test]
fn merged_trees_answer_as_brute_force_on_the_whole() {
    let mut random = Random::new(311);
    let mut workspace = Workspace::new();
    let (mut hits, mut asked, mut of_two_rates) = (0, 0, 0);
    let (mut merged, mut rebuilt) = ([0_u64; 6], [0_u64; 6]);
    for round in 0..90 {
        let place = round % 6;
        let n_min = [10, 1, 4][round / 6 % 3];
        let config = Config { n_min, ..Config::paper(Kind::ALL[place]) };
        let step = |k: usize| if k == 1 && round % 5 == 0 { 1.0 / 24.0 } else { 1.0 / 30.0 };
        let both = [0, 1].map(|k| {
            let clips = clips(&mut random, step(k), 60, config);
            let count = random.range(1, 24) as usize;
            joined(&mut random, &clips, count)
        });
        let wholes = both.each_ref().map(|s| Tracked::new(s.trace().unwrap(), config).unwrap());
        let seconds = both[0].seconds();
        for _ in 0..40 {
            let mut stand = [0, 1].map(|k| Motion::new(vec![[0.0; 3]], step(k)));
            for m in &mut stand {
                scatter(m, &mut random, 1.5, 0.3 * seconds);
            }
            let [pa, pb] = stand.each_ref().map(placed);
            let expected = collide_brute(&wholes[0], &pa, &wholes[1], &pb, &workspace);
            let (found, tally) = both[0].collide_counted(&pa, &both[1], &pb);
            assert_eq!(found, expected, "{:?}", config.kind);
            assert_eq!(both[1].collide_counted(&pb, &both[0], &pa).0, expected);
            assert_eq!(both[0].collide(&pa, &both[1], &pb, &mut workspace), expected);
            let (_, other) = collide_counted(&wholes[0], &pa, &wholes[1], &pb, &mut workspace);
            merged[place] += tally.volumes() + tally.primitives;
            rebuilt[place] += other.volumes() + other.primitives;
            hits += usize::from(expected);
            of_two_rates += usize::from(round % 5 == 0);
            asked += 1;
        }
    }
    println!(
        "{hits} of {asked}, {of_two_rates} of two rates; merged {merged:?} rebuilt {rebuilt:?}"
    );
    assert!(asked == 3_600 && of_two_rates == 720 && (250..3_200).contains(&hits), "{hits}");
    // Boxes of boxes are looser and are cut where clips end; that takes no more than twice as many
    // tests.
    for (merged, rebuilt) in merged.into_iter().zip(rebuilt).skip(2) {
        assert!(merged > 1_000 && merged < 2 * rebuilt, "{merged} {rebuilt}");
    }
    // One box around a whole sequence says little; one for each clip much more.
    assert!(merged[0] < rebuilt[0] / 2 && merged[1] < rebuilt[1] / 2, "{merged:?} {rebuilt:?}");
}

/// Boxes that are made: one for each clip and one a level above, whatever the clips hold; a tree
/// that is built from scratch is fitted to every sample on every level.
#[test]
fn pushing_a_clip_makes_the_boxes_above_it_and_no_others() {
    let mut random = Random::new(312);
    for kind in [Kind::Mobb, Kind::Umobb] {
        let clips = clips(&mut random, 1.0 / 30.0, 60, Config::paper(kind));
        let mut sequence = Sequence::new();
        let mut before = 0;
        for count in 1..=100_u64 {
            let clip = clips[random.below(10) as usize].clone();
            sequence.push(clip, Planar::IDENTITY).unwrap();
            let made = sequence.tree().made() - before;
            before += made;
            assert!(made <= 2 + u64::from(count.ilog2()), "{count}: {made}");
            let top = sequence.tree().levels().last().unwrap();
            assert_eq!(top.len(), 1);
        }
        let levels: Vec<usize> = sequence.tree().levels().iter().map(Vec::len).collect();
        assert_eq!(levels, [100, 50, 25, 13, 7, 4, 2, 1]);
        // 100 around clips, and at most seven above each.
        assert!(before < 800, "{before}");
        let nodes: usize = clips.iter().map(|clip| clip.tree().len()).sum();
        assert!(nodes > 20, "{nodes}");
    }
}

/// Every disk of every sample is in all the boxes above it.
#[test]
fn every_level_holds_every_sample() {
    let mut random = Random::new(313);
    let mut held = 0;
    for kind in Kind::ALL {
        let sequence = {
            let clips = clips(&mut random, 1.0 / 30.0, 40, Config::paper(kind));
            joined(&mut random, &clips, 21)
        };
        let whole = sequence.trace().unwrap();
        let dt = whole.dt();
        for (k, s) in whole.samples().enumerate().step_by(3) {
            let time = [k, k + 1].map(|k| k as f64 * dt);
            for row in sequence.tree().levels() {
                let holds = |bound: &Bound| match bound {
                    Bound::Upright(flat) => flat.contains(s.center, s.radius, time),
                    Bound::Free(free) => free.contains(s.center, s.radius, time, 1.0),
                };
                assert!(row.iter().any(holds), "{kind:?} sample {k}");
                held += 1;
            }
        }
    }
    assert!(held > 2_000, "{held}");
}

/// How much looser the root is, and that free boxes are tested where clips have any.
#[test]
fn the_root_is_looser_than_one_that_is_fitted() {
    let mut random = Random::new(314);
    for (kind, family) in [(Kind::Mobb, Family::TimeBox), (Kind::Umobb, Family::TimeObb)] {
        let (mut ratios, mut tested) = (Vec::new(), 0);
        for _ in 0..50 {
            let clips = clips(&mut random, 1.0 / 30.0, 60, Config::paper(kind));
            let sequence = joined(&mut random, &clips, 16);
            let whole = Tracked::new(sequence.trace().unwrap(), Config::paper(kind)).unwrap();
            let fitted = match (whole.upright(), whole.free()) {
                (Some(column), _) => Bound::Upright(column[NodeId::ROOT]),
                (_, Some(column)) => Bound::Free(column[NodeId::ROOT]),
                _ => unreachable!("{kind:?} has boxes"),
            };
            let root = sequence.tree().levels().last().unwrap()[0];
            ratios.push(root.size(1.0) / fitted.size(1.0));
            let (hit, tally) =
                sequence.collide_counted(&Placed::ORIGIN, &sequence, &Placed::ORIGIN);
            assert!(hit);
            tested += tally.of_family(family);
        }
        ratios.sort_by(f64::total_cmp);
        println!(
            "{kind:?}: root merged to fitted {:.3} to {:.3}, median {:.3}",
            ratios[0], ratios[49], ratios[25]
        );
        assert!(ratios[25] > 1.0 && ratios[25] < 6.0 && tested > 0, "{ratios:?} {tested}");
    }
}

/// Clips that move between samples, of one sample, of different kinds and time scales, and no clips
/// at all.
#[test]
fn odd_sequences_answer_too() {
    let mut random = Random::new(315);
    let mut workspace = Workspace::new();
    let nothing = Sequence::new();
    assert!(nothing.tree().levels().is_empty());
    let empty = nothing.collide_counted(&Placed::ORIGIN, &nothing, &Placed::ORIGIN);
    assert!(!empty.0 && empty.1.volumes() == 0);
    let (mut hits, mut asked) = (0, 0);
    for round in 0..60 {
        let between = if round % 2 == 0 { BetweenSamples::Linear } else { BetweenSamples::Held };
        let both = [0, 1].map(|side| {
            let clips: Vec<Arc<Tracked>> = (0..6)
                .map(|k| {
                    let count = if k == 0 { 1 } else { random.range(1, 30) as usize };
                    let walk = motion::walk(&mut random, count, 1.0 / 30.0, 3.0, 0.2);
                    let time_scale = [1.0, 0.5][usize::from(k == 3 && side == 0 || round % 7 == 0)];
                    let kind = Kind::ALL[(k + round) % 6];
                    Arc::new(tracked(&walk, Config { between, time_scale, ..Config::paper(kind) }))
                })
                .collect();
            joined(&mut random, &clips, 1 + round % 12)
        });
        for _ in 0..30 {
            let mut stand = [0, 1].map(|_| Motion::new(vec![[0.0; 3]], 1.0 / 30.0));
            for m in &mut stand {
                scatter(m, &mut random, 0.5, 0.3 * both[0].seconds());
                m.start += 0.0071;
            }
            let [pa, pb] = stand.each_ref().map(placed);
            let expected = both[0].collide(&pa, &both[1], &pb, &mut workspace);
            assert_eq!(both[0].collide_counted(&pa, &both[1], &pb).0, expected);
            hits += usize::from(expected);
            asked += 1;
        }
    }
    println!("{hits} of {asked}");
    assert!(asked == 1_800 && hits > 100 && hits < 1_700, "{hits}");
}
