//! When motions are in contact, how near they come, what stands in their way; and motions that move
//! between samples.

#![allow(
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "numbers of samples are small"
)]

use elbowroom::internal::math::planar::Planar;
use elbowroom_motion::space_time::{
    BetweenSamples, Config, Kind, Placed, Tracked, Workspace, collide, collide_brute,
    collide_counted, contacts, first_contact, nearest_approach,
};
use elbowroom_papers::mobb::{Obstacle, Obstacles, collide_many};
use elbowroom_testkit::motion::{self, Motion, held_together};
use elbowroom_testkit::random::Random;
use elbowroom_tests::motion_common::{placed, scatter, tracked};
use glam::DVec2;

fn pair(random: &mut Random, round: usize, far: f64) -> [Motion; 2] {
    let mut walks = [0, 1].map(|side| {
        let count = random.range(1, if round.is_multiple_of(6) { 300 } else { 60 }) as usize;
        let dt = if side == 1 && round.is_multiple_of(4) { 1.0 / 24.0 } else { 1.0 / 32.0 };
        motion::walk(random, count, dt, 1.4, 0.3)
    });
    for walk in &mut walks {
        scatter(walk, random, far, 1.0);
    }
    walks
}

/// The contacts cover exactly the moments at which brute force finds a pair.
#[test]
fn contacts_are_when_pairs_collide() {
    let mut random = Random::new(40);
    let mut workspace = Workspace::new();
    let (mut intervals, mut several, mut moments) = (0, 0, [0; 2]);
    for round in 0..1_500 {
        let [a, b] = pair(&mut random, round, 0.8);
        let truth = motion::pairs(&a, &b, false);
        let (x, y) = (tracked(&a, Config::default()), tracked(&b, Config::default()));
        let (pa, pb) = (placed(&a), placed(&b));
        let found = contacts(&x, &pa, &y, &pb, &mut workspace);
        assert_eq!(found.is_empty(), truth.is_empty());
        assert_eq!(first_contact(&x, &pa, &y, &pb, &mut workspace), found.first().map(|c| c.from));
        assert!(found.windows(2).all(|two| two[0].to <= two[1].from));
        // From pair to pair: the middle of every cell is in a contact, and cells of other pairs are
        // not.
        let begin = |i: usize, j: usize| (a.start + i as f64 * a.dt).max(b.start + j as f64 * b.dt);
        let end = |i: usize, j: usize| {
            (a.start + (i + 1) as f64 * a.dt).min(b.start + (j + 1) as f64 * b.dt)
        };
        for i in 0..a.samples.len() {
            for j in 0..b.samples.len() {
                let (from, to) = (begin(i, j), end(i, j));
                if from >= to - 1e-9 || !held_together(&a, i, &b, j) {
                    continue;
                }
                let middle = 0.5 * (from + to);
                let covered = found.iter().any(|c| c.from <= middle && middle < c.to);
                assert_eq!(covered, truth.contains(&(i, j)), "{i} {j} {found:?}");
                moments[usize::from(covered)] += 1;
            }
        }
        intervals += found.len();
        several += usize::from(found.len() > 1);
    }
    println!("{intervals} intervals, {several} of several, {moments:?}");
    assert!(
        intervals > 300 && several > 20 && moments[1] > 3_000,
        "{intervals} {several} {moments:?}"
    );
}

/// A contact over many samples is one interval, on the grid and off it.
#[test]
fn standing_together_is_one_contact() {
    let still = Motion::new(vec![[0.0, 0.0, 0.5]; 100], 0.1);
    let clip = tracked(&still, Config::default());
    let mut workspace = Workspace::new();
    for start in [0.0, 0.3, 0.0333, -2.05, 9.9] {
        let later = Motion { start, ..still.clone() };
        let found = contacts(&clip, &Placed::ORIGIN, &clip, &placed(&later), &mut workspace);
        assert_eq!(found.len(), 1, "{start}");
        assert!((found[0].from - start.max(0.0)).abs() < 1e-12, "{found:?}");
        assert!((found[0].to - (start + 10.0).min(10.0)).abs() < 1e-12, "{found:?}");
    }
}

/// The nearest approach is the least of all pairs, and the earliest of them.
#[test]
fn the_nearest_approach_is_the_least() {
    let mut random = Random::new(41);
    let mut workspace = Workspace::new();
    let (mut near, mut none) = (0, 0);
    for round in 0..3_000 {
        let [a, b] = pair(&mut random, round, 6.0);
        let (x, y) = (tracked(&a, Config::default()), tracked(&b, Config::default()));
        let mut best: Option<(f64, (usize, usize))> = None;
        for i in 0..a.samples.len() {
            let p = a.placed(i);
            for j in 0..b.samples.len() {
                let q = b.placed(j);
                let (dx, dy) = (p[0] - q[0], p[1] - q[1]);
                let gap = (dx * dx + dy * dy).sqrt() - (p[2] + q[2]);
                if best.is_none_or(|(least, _)| gap < least) && held_together(&a, i, &b, j) {
                    best = Some((gap, (i, j)));
                }
            }
        }
        let found = nearest_approach(&x, &placed(&a), &y, &placed(&b), &mut workspace);
        assert_eq!(found.map(|f| (f.gap, f.samples)), best, "{a:?} {b:?}");
        let back = nearest_approach(&y, &placed(&b), &x, &placed(&a), &mut workspace);
        assert_eq!(back.map(|f| f.gap), best.map(|f| f.0));
        if best.is_some() { near += 1 } else { none += 1 }
    }
    assert!(near > 1_500 && none > 50, "{near} {none}");
}

/// Moving disks against a dense look at the motion between samples; every tree and brute force
/// agree.
#[test]
fn linear_motion_is_looked_at_between_samples() {
    let mut random = Random::new(42);
    let mut workspace = Workspace::new();
    let (mut hits, mut more, mut clear) = (0, 0, 0);
    for round in 0..2_000 {
        let mut walks = [0, 1].map(|_| {
            let count = random.range(1, 12) as usize;
            // Fast and thin, so that disks jump over each other from sample to sample.
            motion::walk(&mut random, count, 0.25, 2.0, 0.1)
        });
        for walk in &mut walks {
            scatter(walk, &mut random, 0.6, 0.5);
        }
        let [a, b] = &walks;
        let linear = |kind| Config { between: BetweenSamples::Linear, ..Config::paper(kind) };
        let (x, y) = (tracked(a, linear(Kind::Mobb)), tracked(b, linear(Kind::Umobb)));
        let (pa, pb) = (placed(a), placed(b));
        let fast = collide(&x, &pa, &y, &pb, &mut workspace);
        for kind in Kind::ALL {
            let (x, y) = (tracked(a, linear(kind)), tracked(b, linear(kind)));
            assert_eq!(
                collide_counted(&x, &pa, &y, &pb, &mut workspace).0,
                fast,
                "{kind:?} {round}"
            );
        }
        assert_eq!(collide_brute(&x, &pa, &y, &pb, &workspace), fast);
        assert_eq!(collide(&y, &pb, &x, &pa, &mut workspace), fast);
        let gap =
            nearest_approach(&x, &pa, &y, &pb, &mut workspace).map_or(f64::INFINITY, |n| n.gap);
        let dense = dense_gap(a, b);
        assert!((gap - dense).abs() < 2e-3 || gap == dense, "{gap} {dense} {a:?} {b:?}");
        assert!(fast == (gap < 0.0) || gap.abs() < 1e-12);
        let found = contacts(&x, &pa, &y, &pb, &mut workspace);
        assert_eq!(found.is_empty(), !fast);
        for contact in &found {
            let (from, to) = (contact.from, contact.to);
            assert!(from <= to && gap_at(a, b, 0.5 * (from + to)) < 1e-9, "{contact:?}");
        }
        let held = collide(
            &tracked(a, Config::default()),
            &pa,
            &tracked(b, Config::default()),
            &pb,
            &mut workspace,
        );
        more += usize::from(fast && !held);
        if fast { hits += 1 } else { clear += 1 }
    }
    println!("{hits} hits, {more} of them only between samples, {clear} clear");
    assert!(hits > 100 && more > 30 && clear > 500, "{hits} {more} {clear}");
}

fn disk_at(m: &Motion, time: f64) -> Option<[f64; 3]> {
    let place = (time - m.start) / m.dt;
    if place < 0.0 || place >= m.samples.len() as f64 {
        return None;
    }
    let low = place as usize;
    let (p, q) = (m.placed(low), m.placed((low + 1).min(m.samples.len() - 1)));
    let share = place - low as f64;
    Some([0, 1, 2].map(|k| p[k] + share * (q[k] - p[k])))
}

fn gap_at(a: &Motion, b: &Motion, time: f64) -> f64 {
    match disk_at(a, time).zip(disk_at(b, time)) {
        Some((p, q)) => ((p[0] - q[0]).powi(2) + (p[1] - q[1]).powi(2)).sqrt() - p[2] - q[2],
        None => f64::INFINITY,
    }
}

fn dense_gap(a: &Motion, b: &Motion) -> f64 {
    let begin = a.start.max(b.start);
    let end =
        (a.start + a.samples.len() as f64 * a.dt).min(b.start + b.samples.len() as f64 * b.dt);
    let steps = ((end - begin) / 0.0005).ceil().max(1.0) as usize;
    (0..=steps)
        .map(|k| gap_at(a, b, begin + (end - begin) * k as f64 / steps as f64))
        .fold(f64::INFINITY, f64::min)
}

/// One against many is one query each; brute force on the same instructions agrees.
#[test]
fn many_at_once() {
    let mut random = Random::new(43);
    let walks: Vec<Motion> = (0..300)
        .map(|_| {
            let mut walk = motion::walk(&mut random, 90, 1.0 / 30.0, 1.4, 0.4);
            scatter(&mut walk, &mut random, 4.0, 2.0);
            walk
        })
        .collect();
    let clips: Vec<Tracked> = walks.iter().map(|walk| tracked(walk, Config::default())).collect();
    let others: Vec<(&Tracked, Placed)> =
        clips.iter().zip(&walks).map(|(c, w)| (c, placed(w))).collect();
    let (mut workspace, mut out) = (Workspace::new(), Vec::new());
    let mut hits = 0;
    for (clip, at) in &others[..20] {
        collide_many(clip, at, &others, &mut workspace, &mut out);
        #[cfg(feature = "parallel")]
        {
            let mut parallel = Vec::new();
            elbowroom_papers::mobb::collide_many_parallel(clip, at, &others, &mut parallel);
            assert_eq!(out, parallel);
        }
        for ((other, there), &hit) in others.iter().zip(&out) {
            assert_eq!(collide_brute(clip, at, other, there, &workspace), hit);
            hits += usize::from(hit);
        }
    }
    assert!(hits > 300 && hits < 5_000, "{hits}");
}

/// Obstacles against a look at every sample.
#[test]
fn obstacles_are_hit_first_where_they_are() {
    let mut random = Random::new(44);
    let workspace = Workspace::new();
    let (mut hits, mut clear) = (0, 0);
    for _ in 0..400 {
        let mut at = || DVec2::new(random.uniform(-4.0, 4.0), random.uniform(-4.0, 4.0));
        let square = at();
        let shapes = vec![
            Obstacle::Disk { center: at(), radius: 0.3 },
            Obstacle::Segment { from: at(), to: at() },
            Obstacle::Polygon(vec![
                square,
                square + DVec2::X,
                square + DVec2::ONE,
                square + DVec2::Y,
            ]),
            Obstacle::Segment { from: square, to: square },
        ];
        let room = Obstacles::new(shapes).unwrap();
        let mut walk = motion::walk(&mut random, 80, 1.0 / 30.0, 1.4, 0.2);
        scatter(&mut walk, &mut random, 3.0, 0.0);
        let clip = tracked(&walk, Config::default());
        let place = Planar::new(walk.turn[0], walk.turn[1], DVec2::from_array(walk.shift)).unwrap();
        let found = room.first_hit(&clip, &place, &workspace);
        let expected = (0..80).find_map(|k| {
            let [x, y, r] = walk.placed(k);
            room.shapes()
                .iter()
                .position(|shape| distance(shape, DVec2::new(x, y)) < r)
                .map(|s| (k, s))
        });
        assert_eq!(found, expected);
        if found.is_some() { hits += 1 } else { clear += 1 }
    }
    assert!(hits > 80 && clear > 80, "{hits} {clear}");
    assert!(Obstacles::new(vec![Obstacle::Polygon(vec![])]).is_err());
    assert!(Obstacles::new(vec![Obstacle::Disk { center: DVec2::NAN, radius: 1.0 }]).is_err());
    assert!(Obstacles::new(vec![Obstacle::Disk { center: DVec2::ZERO, radius: -1.0 }]).is_err());
}

fn distance(shape: &Obstacle, p: DVec2) -> f64 {
    let from_segment = |a: DVec2, b: DVec2| {
        let share = if a == b {
            0.0
        } else {
            ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0)
        };
        p.distance(a + share * (b - a))
    };
    match shape {
        Obstacle::Disk { center, radius } => p.distance(*center) - radius,
        Obstacle::Segment { from, to } => from_segment(*from, *to),
        Obstacle::Polygon(ring) => {
            let (low, high) = (ring[0], ring[2]);
            if p.cmpge(low).all() && p.cmple(high).all() {
                0.0
            } else {
                (0..4)
                    .map(|k| from_segment(ring[k], ring[(k + 1) % 4]))
                    .fold(f64::INFINITY, f64::min)
            }
        }
    }
}
