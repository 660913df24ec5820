//! Motion graphs and the crowd that wanders on one.

#![allow(
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "numbers of samples are small"
)]

use std::sync::Arc;

use elbowroom::internal::math::planar::Planar;
use elbowroom_motion::space_time::{Config, Kind, TraceErrorKind, Tracked, Workspace, collide};
use elbowroom_papers::mobb::crowd::Crowd;
use elbowroom_papers::mobb::graph::{Cloud, Graph, GraphClip};
use elbowroom_testkit::motion;
use elbowroom_testkit::random::Random;
use elbowroom_tests::motion_common::trace;
use glam::DVec2;

/// A body of five joints at a place, looking somewhere, with one foot before the other.
fn pose(at: DVec2, heading: DVec2, stride: f64) -> Cloud {
    let left = heading.perp();
    let ground = vec![
        at,
        at + 0.3 * left + stride * heading,
        at - 0.3 * left - stride * heading,
        at + 0.1 * heading,
        at,
    ];
    Cloud { ground, height: vec![1.0, 0.1, 0.1, 1.5, 1.7] }
}

/// Walks whose ends look along the way; some end in another stride.
fn clips(kind: Kind, count: usize, radius: f64) -> Vec<GraphClip> {
    let mut random = Random::new(60);
    (0..count)
        .map(|k| {
            let samples = random.range(45, 80) as usize;
            let walk = motion::walk(&mut random, samples, 1.0 / 30.0, 1.3, 1.0);
            let mut walk = walk;
            for s in &mut walk.samples {
                s[2] = radius;
            }
            let trace = trace(&walk);
            let ends = |i: usize, j: usize| {
                (trace.sample(j).center - trace.sample(i).center)
                    .try_normalize()
                    .unwrap_or(DVec2::X)
            };
            let last = trace.len() - 1;
            let (first, end) = (trace.sample(0).center, trace.sample(last).center);
            let (looks, ends_looking) = (ends(0, 5), ends(last - 25, last));
            let stride = if k % 3 == 0 { 0.5 } else { 0.2 };
            GraphClip {
                first: pose(first, looks, 0.2),
                last: pose(end, ends_looking, stride),
                clip: Arc::new(Tracked::new(trace, Config::paper(kind)).unwrap()),
            }
        })
        .collect()
}

#[test]
fn the_best_alignment_is_found() {
    let mut random = Random::new(61);
    let cloud = |random: &mut Random| Cloud {
        ground: (0..9)
            .map(|_| DVec2::new(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0)))
            .collect(),
        height: (0..9).map(|_| random.uniform(0.0, 2.0)).collect(),
    };
    for _ in 0..200 {
        let here = cloud(&mut random);
        let at = Planar::from_angle(
            random.uniform(-3.0, 3.0),
            DVec2::new(random.uniform(-9.0, 9.0), 2.0),
        )
        .unwrap();
        let moved =
            Cloud { ground: here.ground.iter().map(|&p| at.apply(p)).collect(), ..here.clone() };
        let (back, distance) = moved.align(&here);
        assert!(distance < 1e-13 && back.apply(DVec2::X).distance(at.apply(DVec2::X)) < 1e-12);
        // No other turn or shift is better.
        let there = cloud(&mut random);
        let (best, least) = here.align(&there);
        for _ in 0..20 {
            let nudge = Planar::from_angle(
                random.uniform(-0.2, 0.2),
                0.1 * DVec2::new(random.unit(), random.unit()),
            )
            .unwrap();
            let other = nudge.after(&best);
            let squares: f64 = (0..9)
                .map(|k| {
                    here.ground[k].distance_squared(other.apply(there.ground[k]))
                        + (here.height[k] - there.height[k]).powi(2)
                })
                .sum();
            assert!((squares / 9.0).sqrt() >= least - 1e-12);
        }
    }
    let point = Cloud { ground: vec![DVec2::ONE; 3], height: vec![0.0; 3] };
    assert!(point.align(&point).1 < 1e-15);
}

#[test]
fn clips_connect_where_poses_are_alike() {
    let graph = Graph::new(clips(Kind::Mobb, 12, 0.4), 0.05).unwrap();
    for (k, _) in graph.clips().iter().enumerate() {
        let next = graph.following(k);
        // A stride of half a metre is like none of the first poses.
        if k % 3 == 0 {
            assert!(next.len() == 1 && next[0].is_forced && next[0].distance > 0.05);
        } else {
            assert!(
                next.len() == 12 && next.iter().all(|edge| !edge.is_forced && edge.distance < 1e-9)
            );
        }
    }
    assert_eq!(graph.edges(), 8 * 12);
    // Along a way through the graph the body never jumps.
    let way = [4, 5, 7, 1, 2, 4, 8, 10, 1, 1];
    let sequence = graph.sequence(1, &way).unwrap();
    let whole = sequence.trace().unwrap();
    let far = whole
        .samples()
        .zip(whole.samples().skip(1))
        .map(|(p, q)| p.center.distance(q.center))
        .fold(0.0, f64::max);
    assert!(sequence.len() == 11 && far < 0.1, "{far}");

    assert!(matches!(Graph::new(vec![], 1.0).unwrap_err().kind(), TraceErrorKind::Empty));
    let mut odd = clips(Kind::Mobb, 2, 0.4);
    odd[1].last.ground.pop();
    assert!(matches!(
        Graph::new(odd, 1.0).unwrap_err().kind(),
        TraceErrorKind::DifferentSkeletons { clip: 1, .. }
    ));
}

/// All trees give one crowd: equal choices and queries, other counts. What was free is free.
#[test]
fn a_crowd_is_the_same_on_every_tree() {
    let crowd = Crowd { agents: 30, size: DVec2::new(20.0, 20.0), seconds: 20.0, seed: 3 };
    let mut workspace = Workspace::new();
    let runs: Vec<_> = Kind::ALL
        .into_iter()
        .map(|kind| {
            let graph = Graph::new(clips(kind, 20, 0.6), 0.6).unwrap();
            crowd.wander(&graph, &mut workspace)
        })
        .collect();
    for run in &runs {
        assert_eq!(
            (&run.steps, run.queries, run.hits),
            (&runs[0].steps, runs[0].queries, runs[0].hits)
        );
        assert_eq!(run.asked.len() as u64, run.queries);
    }
    let first = &runs[0];
    assert!(
        first.steps.len() > 200 && first.queries > 5_000 && first.hits > 100,
        "{} {} {}",
        first.steps.len(),
        first.queries,
        first.hits
    );
    // Fewer samples with a tree than with one box, and fewer still with free boxes.
    assert!(runs[0].tally.primitives > 3 * runs[2].tally.primitives);
    assert!(runs[3].tally.primitives <= runs[2].tally.primitives);
    assert!(
        first.clear_at_root > first.queries / 2,
        "{} of {}",
        first.clear_at_root,
        first.queries
    );
    // Clips that were chosen freely collide with nothing that was going on.
    let graph = Graph::new(clips(Kind::Mobb, 20, 0.6), 0.6).unwrap();
    let clip = |k: usize| &graph.clips()[k].clip;
    let (mut current, mut checked, mut forced) = (vec![None; 30], 0, 0);
    for step in &first.steps {
        let entered = current[step.agent].is_some();
        for other in
            current.iter().enumerate().filter(|&(k, _)| k != step.agent).filter_map(|(_, o)| *o)
        {
            let (c, at): (usize, _) = other;
            if entered && !step.is_forced {
                assert!(!collide(clip(step.clip), &step.placed, clip(c), &at, &mut workspace));
                checked += 1;
            }
        }
        forced += usize::from(step.is_forced);
        current[step.agent] = Some((step.clip, step.placed));
        let trace = clip(step.clip).trace();
        let end = step.placed.at().apply(trace.sample(trace.len() - 1).center);
        let outside = end.distance(end.clamp(DVec2::ZERO, crowd.size));
        assert!(step.is_forced || !entered || outside == 0.0);
    }
    println!(
        "{} steps, {forced} forced, {} queries, {} hits, {checked} checked",
        first.steps.len(),
        first.queries,
        first.hits
    );
    assert!(checked > 2_000, "{checked}");
}
