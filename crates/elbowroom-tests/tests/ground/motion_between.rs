//! Every start offset, and obstacles, of disks that move between samples: against looks at single
//! offsets and at many moments.

#![allow(
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "numbers of samples are small"
)]

use elbowroom::internal::arch::SimdLevel;
use elbowroom::internal::math::planar::Planar;
use elbowroom_motion::space_time::{
    BetweenSamples, Config, OffsetSet, Placed, Tracked, Workspace, collide, nearest_approach,
    offsets, offsets_brute, offsets_into,
};
use elbowroom_papers::mobb::{Obstacle, Obstacles};
use elbowroom_testkit::data::{self, mocap};
use elbowroom_testkit::motion::{self, Motion};
use elbowroom_testkit::random::Random;
use elbowroom_tests::motion_common::{captured, scatter, tracked};
use glam::DVec2;

fn at(motion: &Motion) -> Planar {
    Planar::new(motion.turn[0], motion.turn[1], DVec2::from_array(motion.shift)).unwrap()
}

struct Pair {
    motions: [Motion; 2],
    clips: [Tracked; 2],
    linear: [bool; 2],
}

impl Pair {
    fn new(motions: [Motion; 2], linear: [bool; 2]) -> Self {
        let clips = [0, 1].map(|side| {
            let between = if linear[side] { BetweenSamples::Linear } else { BetweenSamples::Held };
            tracked(&motions[side], Config { between, touching: true, ..Config::default() })
        });
        Self { motions, clips, linear }
    }

    fn offsets(&self, workspace: &mut Workspace) -> OffsetSet {
        let [a, b] = &self.motions;
        offsets(&self.clips[0], &at(a), &self.clips[1], &at(b), workspace)
    }

    fn placed(&self, offset: f64) -> [Placed; 2] {
        let [a, b] = &self.motions;
        [Placed::at_rest(at(a)), Placed::new(at(b), offset).unwrap()]
    }

    fn ask(&self, offset: f64, workspace: &mut Workspace) -> bool {
        let [pa, pb] = self.placed(offset);
        collide(&self.clips[0], &pa, &self.clips[1], &pb, workspace)
    }

    fn gap(&self, offset: f64, workspace: &mut Workspace) -> f64 {
        let [pa, pb] = self.placed(offset);
        let nearest = nearest_approach(&self.clips[0], &pa, &self.clips[1], &pb, workspace);
        nearest.map_or(f64::INFINITY, |nearest| nearest.gap)
    }

    /// The disk of a motion at a moment of its own clock, by plain interpolation.
    fn disk(&self, side: usize, time: f64) -> [f64; 3] {
        let motion = &self.motions[side];
        let last = motion.samples.len() - 1;
        let steps = time / motion.dt;
        let low = (steps.floor().max(0.0) as usize).min(last);
        let share = if self.linear[side] { (steps - low as f64).clamp(0.0, 1.0) } else { 0.0 };
        let (from, to) = (motion.placed(low), motion.placed((low + 1).min(last)));
        std::array::from_fn(|k| from[k] + share * (to[k] - from[k]))
    }

    /// The least gap over many moments of the common time: not less than the true one.
    fn dense(&self, offset: f64) -> f64 {
        let ends = self.motions.each_ref().map(|m| m.samples.len() as f64 * m.dt);
        let (from, to) = (offset.max(0.0), ends[0].min(ends[1] + offset));
        let count = ((to - from) / self.motions[0].dt * 12.0).max(0.0) as usize;
        (0..count)
            .map(|k| {
                let time = from + (to - from) * (k as f64 + 0.5) / count as f64;
                let ([ax, ay, ar], [bx, by, br]) =
                    (self.disk(0, time), self.disk(1, time - offset));
                (ax - bx).hypot(ay - by) - (ar + br)
            })
            .fold(f64::INFINITY, f64::min)
    }
}

fn walks(random: &mut Random, round: usize) -> [Motion; 2] {
    let radius = [0.3, 0.02, 0.8][round % 3];
    let mut motions = [0, 1].map(|side| {
        let count = random.range(1, if round.is_multiple_of(8) { 300 } else { 60 }) as usize;
        let dt = if side == 1 && round.is_multiple_of(5) { 1.0 / 24.0 } else { 1.0 / 30.0 };
        // Few samples a second and long paths, so that much happens between them.
        let mut walk = motion::walk(random, count, dt, [1.4, 12.0][round % 2], radius);
        if round.is_multiple_of(4) {
            walk.samples.iter_mut().for_each(|sample| sample[2] = radius);
        }
        walk
    });
    let seconds = motions.iter().map(|m| m.samples.len() as f64 * m.dt).fold(0.0, f64::max);
    for m in &mut motions {
        scatter(m, random, 0.3 + 0.3 * seconds, 0.0);
    }
    motions
}

/// No offset that collides is left out, and none is let in at which the disks stay apart by more
/// than rounding.
#[test]
fn moving_offsets_agree_with_a_query_for_each() {
    let mut random = Random::new(60);
    let mut workspace = Workspace::new();
    let (mut inside, mut outside, mut ends, mut between, mut dense) = (0, 0, 0, 0, 0);
    for round in 0..150 {
        let linear = [[true, true], [true, false], [false, true]][round % 3];
        let pair = Pair::new(walks(&mut random, round), linear);
        let set = pair.offsets(&mut workspace);
        let [a, b] = pair.motions.each_ref().map(|m| m.samples.len() as f64 * m.dt);
        let mut points: Vec<f64> = (0..150).map(|_| random.uniform(-b - 0.1, a + 0.1)).collect();
        let [na, nb] = pair.motions.each_ref().map(|m| m.samples.len() as i64);
        points.extend((-nb..=na).map(|k| k as f64 / 30.0));
        for interval in set.intervals() {
            for end in [interval.from, interval.to] {
                points.extend([end, end - 1e-10, end + 1e-10, end - 1e-4, end + 1e-4]);
                between += usize::from(((end * 30.0).round() - end * 30.0).abs() > 1e-9);
                ends += 1;
            }
        }
        for &offset in &points {
            let (contained, hit) = (set.contains(offset), pair.ask(offset, &mut workspace));
            assert!(contained || !hit, "{round} {offset}: left out");
            if contained {
                inside += 1;
                // Speeds are below 12 m/s each, so that 1e-12 of a second is some 1e-11 m.
                assert!(
                    hit || pair.gap(offset, &mut workspace) < 1e-10,
                    "{round} {offset}: let in"
                );
            } else {
                outside += 1;
            }
        }
        for &offset in points.iter().take(40) {
            dense += usize::from(pair.dense(offset) < -1e-9);
            assert!(set.contains(offset) || pair.dense(offset) > -1e-9, "{round} {offset}");
        }
    }
    println!(
        "{inside} inside, {outside} outside, {ends} ends, {between} off the grid, {dense} seen"
    );
    assert!(inside > 4_000 && outside > 4_000 && ends > 150 && between > 100 && dense > 500);
}

/// Every instruction set gives the same set, swapped motions its mirror image, and without circles
/// it is the same but for the last bits.
#[test]
fn moving_offsets_are_one_set() {
    let mut random = Random::new(61);
    let mut spaces: Vec<Workspace> = SimdLevel::ALL
        .into_iter()
        .filter(|level| level.is_here())
        .map(Workspace::with_level)
        .collect();
    let (mut intervals, mut other) = (0, OffsetSet::default());
    for round in 0..60 {
        let pair = Pair::new(walks(&mut random, round), [true, round % 2 == 0]);
        let set = pair.offsets(&mut spaces[0]);
        let ([a, b], places) = (&pair.clips, pair.motions.each_ref().map(at));
        for space in &mut spaces {
            offsets_into(a, &places[0], b, &places[1], space, &mut other);
            assert!(set == other);
        }
        offsets_into(b, &places[1], a, &places[0], &mut spaces[0], &mut other);
        let list = |set: &OffsetSet| set.intervals().map(|i| (i.from, i.to)).collect::<Vec<_>>();
        let mirrored: Vec<_> = other.intervals().rev().map(|i| (-i.to, -i.from)).collect();
        assert_eq!(list(&set), mirrored, "{round}");
        if round < 20 {
            offsets_brute(a, &places[0], b, &places[1], &mut spaces[0], &mut other);
            let (some, all) = (list(&set), list(&other));
            assert_eq!(some.len(), all.len(), "{round}");
            for (x, y) in some.iter().zip(&all) {
                assert!((x.0 - y.0).abs() < 1e-11 && (x.1 - y.1).abs() < 1e-11, "{x:?} {y:?}");
            }
        }
        intervals += set.len();
    }
    println!("{intervals} intervals");
    assert!(intervals > 25, "{intervals}");
}

/// Captured walks, swept densely; held samples miss what happens between them.
#[test]
fn captured_walks_between_samples() {
    let Some(shared) = data::shared_dir() else {
        return data::skip_note("captured_walks_between_samples");
    };
    let walks: Vec<Motion> =
        mocap::load(&shared, "long").iter().map(|c| captured(c, 0.4)).collect();
    let (mut random, mut workspace) = (Random::new(62), Workspace::new());
    let (mut inside, mut outside, mut beyond_held) = (0, 0, 0);
    for round in 0..10 {
        let mut motions = [walks[round].clone(), walks[(round + 5) % walks.len()].clone()];
        for m in &mut motions {
            scatter(m, &mut random, 3.0, 0.0);
        }
        let held = Pair::new(motions.clone(), [false; 2]).offsets(&mut workspace);
        let pair = Pair::new(motions, [true; 2]);
        let set = pair.offsets(&mut workspace);
        let (dt, count) = (pair.motions[0].dt, pair.motions[0].samples.len() as f64);
        let mut offset = -count * dt;
        while offset < count * dt {
            let expected = pair.ask(offset, &mut workspace);
            assert_eq!(set.contains(offset), expected, "{round} {offset}");
            beyond_held += usize::from(expected != held.contains(offset));
            *(if expected { &mut inside } else { &mut outside }) += 1;
            offset += 0.71 * dt;
        }
    }
    println!("{inside} inside, {outside} outside, {beyond_held} other than held");
    assert!(inside > 1_000 && outside > 1_000 && beyond_held > 0, "{inside} {outside}");
}

/// Obstacles against many looks on every way.
#[test]
fn obstacles_are_hit_between_samples() {
    const LOOKS: usize = 400;
    let (mut random, workspace) = (Random::new(63), Workspace::new());
    let (mut hits, mut clear, mut missed_held) = (0, 0, 0);
    for round in 0..600 {
        let mut spot = || DVec2::new(random.uniform(-4.0, 4.0), random.uniform(-4.0, 4.0));
        let shape = match round % 3 {
            0 => Obstacle::Disk { center: spot(), radius: 0.3 },
            1 => Obstacle::Segment { from: spot(), to: spot() },
            _ => {
                let (corner, side) = (spot(), DVec2::new(0.2, 0.1));
                Obstacle::Polygon(vec![corner, corner + side, corner + side + side.perp()])
            }
        };
        let room = Obstacles::new(vec![shape.clone()]).unwrap();
        // Steps of some 40 cm.
        let mut walk = motion::walk(&mut random, 40, 1.0 / 30.0, 12.0, 0.1);
        scatter(&mut walk, &mut random, 3.0, 0.0);
        let found = |between| {
            let clip = tracked(&walk, Config { between, ..Config::default() });
            room.first_hit(&clip, &at(&walk), &workspace).map(|(sample, _)| sample)
        };
        let (held, moving) = (found(BetweenSamples::Held), found(BetweenSamples::Linear));
        // On the way: seen with these disks it is there; not even seen with slightly larger ones it
        // is not.
        let seen = |more: f64| {
            (0..40).find(|&k| {
                let (from, to) = (walk.placed(k), walk.placed((k + 1).min(39)));
                (0..=LOOKS).any(|look| {
                    let share = look as f64 / LOOKS as f64;
                    let [x, y, r]: [f64; 3] =
                        std::array::from_fn(|n| from[n] + share * (to[n] - from[n]));
                    distance(&shape, DVec2::new(x, y)) < r + more
                })
            })
        };
        let (sure, perhaps) = (seen(0.0), seen(0.45 / LOOKS as f64));
        assert!(sure.is_none_or(|k| moving.is_some_and(|found| found <= k)), "{round}");
        assert!(moving.is_none_or(|k| perhaps.is_some_and(|seen| seen <= k)), "{round} {moving:?}");
        assert!(held.is_none_or(|k| moving.is_some_and(|found| found <= k)));
        missed_held += usize::from(held.is_none() && moving.is_some());
        *(if moving.is_some() { &mut hits } else { &mut clear }) += 1;
    }
    println!("{hits} hits, {clear} clear, {missed_held} only on the way");
    assert!(hits > 50 && clear > 100 && missed_held > 10, "{hits} {clear} {missed_held}");
}

fn distance(shape: &Obstacle, p: DVec2) -> f64 {
    let from_segment = |a: DVec2, b: DVec2| {
        let share = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
        p.distance(a + share * (b - a))
    };
    match shape {
        Obstacle::Disk { center, radius } => p.distance(*center) - radius,
        Obstacle::Segment { from, to } => from_segment(*from, *to),
        Obstacle::Polygon(ring) => {
            let edges = || (0..3).map(|k| (ring[k], ring[(k + 1) % 3]));
            if edges().all(|(a, b)| (b - a).perp_dot(p - a) > 0.0) {
                -1.0
            } else {
                edges().map(|(a, b)| from_segment(a, b)).fold(f64::INFINITY, f64::min)
            }
        }
    }
}

/// Nothing moves, everything is tiny or huge, one sample: no panic, and no offset that collides is
/// left out.
#[test]
fn odd_motions_have_offsets_too() {
    let mut workspace = Workspace::new();
    let mut asked = 0;
    for size in [0.0, 1e-200, 1e-9, 1.0, 1e9, 1e80] {
        for dt in [1e-60, 1e-3, 1.0, 1e60] {
            let line = |step: f64| {
                Motion::new(
                    (0..4).map(|k| [f64::from(k) * step, 0.5 * step, 0.4 * size]).collect(),
                    dt,
                )
            };
            for motions in
                [[line(size), line(-size)], [line(0.0), line(size)], [line(size), line(size)]]
            {
                let pair = Pair::new(motions, [true; 2]);
                let set = pair.offsets(&mut workspace);
                for steps in [-5.0, -4.0, -2.5, -1.0, -0.1, 0.0, 0.3, 1.0, 2.0, 3.9, 4.0] {
                    let offset = steps * dt;
                    assert!(
                        set.contains(offset) || !pair.ask(offset, &mut workspace),
                        "{size} {dt} {steps}"
                    );
                    asked += 1;
                }
            }
        }
    }
    assert_eq!(asked, 6 * 4 * 3 * 11);
}
