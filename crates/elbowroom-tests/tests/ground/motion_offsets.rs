//! Every start offset at once, against a query for each.

#![allow(
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "numbers of samples are small"
)]

use elbowroom::internal::arch::SimdLevel;
use elbowroom::internal::math::planar::Planar;
use elbowroom_motion::space_time::{
    Config, OffsetSet, Placed, Tracked, Workspace, collide, offsets, offsets_brute, offsets_into,
};
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
    touching: bool,
}

impl Pair {
    fn new(motions: [Motion; 2], touching: bool) -> Self {
        let config = Config { touching, ..Config::default() };
        let clips = motions.each_ref().map(|m| tracked(m, config));
        Self { motions, clips, touching }
    }

    fn offsets(&self, workspace: &mut Workspace) -> OffsetSet {
        let [a, b] = &self.motions;
        offsets(&self.clips[0], &at(a), &self.clips[1], &at(b), workspace)
    }

    fn ask(&self, offset: f64, workspace: &mut Workspace) -> bool {
        let [a, b] = &self.motions;
        let later = Placed::new(at(b), offset).unwrap();
        collide(&self.clips[0], &Placed::at_rest(at(a)), &self.clips[1], &later, workspace)
    }

    fn truth(&self, offset: f64) -> bool {
        let [a, b] = &self.motions;
        let (a, b) = (Motion { start: 0.0, ..a.clone() }, Motion { start: offset, ..b.clone() });
        motion::collide(&a, &b, self.touching)
    }
}

/// Random walks; every grid point, points between, the ends of all intervals and their neighbours.
#[test]
fn offsets_agree_with_a_query_for_each() {
    let mut random = Random::new(30);
    let mut workspace = Workspace::new();
    let (mut inside, mut outside, mut ends, mut touching_points) = (0, 0, 0, 0);
    for round in 0..120 {
        let dt = if round % 2 == 0 { 1.0 / 30.0 } else { 0.03125 };
        let radius = [0.3, 0.05, 1.0][round % 3];
        let mut motions = [0, 1].map(|side| {
            let count = random.range(1, if round % 8 == 0 { 300 } else { 70 }) as usize;
            let dt = if side == 1 && round % 5 == 0 { 1.0 / 24.0 } else { dt };
            motion::walk(&mut random, count, dt, 1.4, radius)
        });
        let seconds = motions.iter().map(|m| m.samples.len() as f64 * m.dt).fold(0.0, f64::max);
        for m in &mut motions {
            scatter(m, &mut random, 0.3 + 0.3 * seconds, 0.0);
        }
        let pair = Pair::new(motions, round % 4 == 0);
        let set = pair.offsets(&mut workspace);
        let (na, nb) = (pair.motions[0].samples.len() as i64, pair.motions[1].samples.len() as i64);
        let mut points: Vec<f64> =
            (-nb - 2..na + 2).flat_map(|k| [k as f64 * dt, (k as f64 + 0.37) * dt]).collect();
        for interval in set.intervals() {
            for end in [interval.from, interval.to] {
                points.extend([end, end.next_up(), end.next_down()]);
                ends += 1;
            }
        }
        for offset in points {
            let contained = set.contains(offset);
            assert_eq!(contained, pair.ask(offset, &mut workspace), "{offset} {:?}", pair.motions);
            assert_eq!(contained, pair.truth(offset), "{offset} {:?}", pair.motions);
            if contained {
                inside += 1;
            } else {
                outside += 1;
            }
            let (wait, free) = (set.smallest_wait(offset), set.nearest_free(offset));
            assert!(!set.contains(wait) && !set.contains(free) && wait >= offset);
            assert!(
                (free - offset).abs() <= wait - offset
                    && (contained || wait == offset && free == offset)
            );
            assert!(!contained || wait > offset && set.contains(wait.next_down()) || set.len() > 1);
        }
        let runs: Vec<_> = set.intervals().collect();
        for two in runs.windows(2) {
            assert!(two[0].from < two[0].to && two[0].to <= two[1].from);
            touching_points += usize::from(two[0].to == two[1].from);
        }
    }
    println!("{inside} inside, {outside} outside, {ends} ends, {touching_points} touching");
    assert!(inside > 2_000 && outside > 4_000 && ends > 100, "{inside} {outside} {ends}");
}

/// Circles, brute force and every instruction set give the same set, bit for bit; and swapped
/// motions its mirror image.
#[test]
fn all_ways_give_one_set() {
    let mut random = Random::new(31);
    let mut spaces: Vec<Workspace> = SimdLevel::ALL
        .into_iter()
        .filter(|level| level.is_here())
        .map(Workspace::with_level)
        .collect();
    let (mut sets, mut intervals) = (0, 0);
    let (mut other, mut third) = (OffsetSet::default(), OffsetSet::default());
    for round in 0..150 {
        let radius = [0.2, 1.85, 0.0, 0.6][round % 4];
        let counts = [[700, 500], [1, 300], [130, 16], [128, 256], [17, 129]][round % 5];
        let mut motions =
            counts.map(|count| motion::walk(&mut random, count, 1.0 / 30.0, 1.4, radius));
        for m in &mut motions {
            scatter(m, &mut random, 3.0, 0.0);
        }
        let pair = Pair::new(motions, round % 3 == 0);
        let set = pair.offsets(&mut spaces[0]);
        let ([a, b], places) = (&pair.clips, pair.motions.each_ref().map(at));
        for space in &mut spaces {
            offsets_into(a, &places[0], b, &places[1], space, &mut other);
            offsets_brute(a, &places[0], b, &places[1], space, &mut third);
            assert!(set == other && set == third, "{:?}", pair.motions);
        }
        offsets_into(b, &places[1], a, &places[0], &mut spaces[0], &mut other);
        let mirrored: Vec<_> = other.intervals().rev().map(|i| (-i.to, -i.from)).collect();
        assert_eq!(set.intervals().map(|i| (i.from, i.to)).collect::<Vec<_>>(), mirrored);
        sets += 1;
        intervals += set.len();
    }
    println!("{intervals} intervals in {sets} sets");
    assert!(intervals > 80, "{intervals}");
}

/// Captured walks of three quarters of a minute.
#[test]
fn captured_walks_agree_with_a_dense_sweep() {
    let Some(shared) = data::shared_dir() else {
        return data::skip_note("captured_walks_agree_with_a_dense_sweep");
    };
    let walks: Vec<Motion> =
        mocap::load(&shared, "long").iter().map(|c| captured(c, 0.4)).collect();
    let mut random = Random::new(32);
    let mut workspace = Workspace::new();
    let (mut inside, mut outside) = (0, 0);
    for round in 0..14 {
        let mut motions = [walks[round].clone(), walks[(round + 5) % walks.len()].clone()];
        for m in &mut motions {
            scatter(m, &mut random, 3.0, 0.0);
        }
        let pair = Pair::new(motions, false);
        let set = pair.offsets(&mut workspace);
        let (dt, count) = (pair.motions[0].dt, pair.motions[0].samples.len() as f64);
        let mut offset = -count * dt;
        while offset < count * dt {
            let expected = pair.ask(offset, &mut workspace);
            assert_eq!(set.contains(offset), expected);
            if expected {
                inside += 1;
            } else {
                outside += 1;
            }
            offset += 0.71 * dt;
        }
    }
    println!("{inside} inside, {outside} outside");
    assert!(inside > 1_000 && outside > 1_000, "{inside} {outside}");
}
