//! A crowd lists all pairs that touch, at every detail, whatever the order, the threads and the
//! past.

use std::collections::BTreeSet;

use elbowroom::Pose;
use elbowroom::internal::math::planar::Planar;
use elbowroom::internal::query;
use elbowroom_make::body::{Gait, Move, female, male};
use elbowroom_motion::body::Rig;
use elbowroom_motion::crowd::{
    Crowd, CrowdConfig, CrowdErrorKind, Detail, Member, Near, Performer, Verdict,
};
use elbowroom_motion::footprint::FootprintConfig;
use elbowroom_motion::space_time::Taking;
use elbowroom_testkit::random::Random;
use glam::{DMat3, DVec2, DVec3};

const EYE: DVec3 = DVec3::new(0.5, -1.0, 1.7);

/// A man who walks, a woman who walks and one who does something else.
fn cast<'a>(man: &'a Rig, woman: &'a Rig) -> Vec<Performer<'a>> {
    let taking = Taking { fps: Some(10.0), ..Taking::default() };
    let play = |rig: &'a Rig, clip: usize| {
        Performer::in_place(rig, &rig.clips[clip], &taking, FootprintConfig::default())
            .expect("a clip")
    };
    vec![play(man, 0), play(woman, 0), play(woman, 3)]
}

fn details() -> Vec<Detail> {
    let mut details: Vec<Detail> = [0, 1, 2, 3, 5, 9].map(Detail::Level).to_vec();
    details.extend([Detail::Full, Detail::Exact]);
    details.extend([0.0, 1.0, f64::INFINITY].map(|exact_within| Detail::Camera {
        eye: EYE,
        angle: 0.03,
        exact_within,
    }));
    details.push(Detail::Density { sparse: 6, dense: 1, neighbours: 8 });
    details.push(Detail::Density { sparse: 0, dense: 9, neighbours: 4 });
    details.extend(
        [(0, 0), (300, 5), (u64::MAX, 3), (u64::MAX, u64::MAX)]
            .map(|(tests, exact)| Detail::Budget { eye: EYE, tests, exact }),
    );
    details
}

fn member(random: &mut Random, size: f64) -> Member {
    let at = DVec2::new(random.uniform(-size, size), random.uniform(-size, size));
    let at = Planar::from_angle(random.uniform(-4.0, 4.0), at).expect("a place");
    Member { performer: random.below(3) as u32, at, time: random.uniform(-3.0, 3.0) }
}

/// Who touches, by the meshes of all pairs.
fn by_force(crowd: &Crowd<'_>, ids: &[u32]) -> BTreeSet<[u32; 2]> {
    let performers: Vec<_> = crowd.performers().collect();
    let mut touching = BTreeSet::new();
    for (i, &a) in ids.iter().enumerate() {
        for &b in &ids[i + 1..] {
            let [(body_a, place_a), (body_b, place_b)] = [a, b].map(|id| {
                let Member { performer, at, time } = *crowd.get(id).expect("a member");
                let performer = performers[performer as usize];
                (performer.posed(performer.sample_at(time)).model(), upright(&at))
            });
            if query::intersects(body_a, &place_a, body_b, &place_b) {
                touching.insert([a.min(b), a.max(b)]);
            }
        }
    }
    touching
}

fn upright(at: &Planar) -> Pose {
    let (cos, sin) = at.turn();
    let turn = DMat3::from_cols(DVec3::new(cos, sin, 0.0), DVec3::new(-sin, cos, 0.0), DVec3::Z);
    Pose::new(turn, at.translation().extend(0.0)).expect("a turn")
}

fn ids(near: &[Near]) -> BTreeSet<[u32; 2]> {
    assert!(near.is_sorted_by(|a, b| a.ids < b.ids), "sorted, and nobody twice");
    assert!(near.iter().all(|near| near.ids[0] < near.ids[1]));
    near.iter().map(|near| near.ids).collect()
}

#[test]
fn whoever_touches_is_listed_at_every_detail() {
    let (man, woman) = (male(), female());
    let mut random = Random::new(3);
    let (mut touching, mut cleared, mut exact_pairs) = (0, 0, 0);
    let (mut whole, mut leaves) = (0, 0);
    for (round, interval) in [0.0, 0.1, 0.3, 100.0, 0.2].into_iter().enumerate() {
        let mut crowd =
            Crowd::new(cast(&man, &woman), &CrowdConfig { interval, ..CrowdConfig::default() });
        let all: Vec<u32> = (0..16).map(|k| k * 7919 % 1000).collect();
        for &id in &all {
            crowd.set(id, member(&mut random, 1.3)).expect("a member");
        }
        // Two copies on one spot, and one who stands a stride ahead of another.
        let copy = *crowd.get(all[0]).expect("a member");
        crowd.set(all[1], copy).expect("a member");
        let ahead = Planar::from_angle(0.0, copy.at.apply(DVec2::new(0.4, 0.1))).expect("a place");
        crowd.set(all[2], Member { at: ahead, ..copy }).expect("a member");
        let expected = by_force(&crowd, &all);
        touching += expected.len();
        for detail in details() {
            let near = crowd.pairs(&detail).to_vec();
            let listed = ids(&near);
            assert!(expected.is_subset(&listed), "round {round}: {detail:?}");
            let known = near.iter().filter(|near| near.verdict == Verdict::Touching);
            assert!(known.clone().all(|near| expected.contains(&near.ids)), "{detail:?}");
            exact_pairs += known.count();
            let counts = crowd.counts();
            assert!(counts.broad >= counts.near && counts.near >= near.len() as u64, "{counts:?}");
            match detail {
                Detail::Exact => assert_eq!(listed, expected, "round {round}"),
                Detail::Camera { exact_within: f64::INFINITY, .. }
                | Detail::Budget { exact: u64::MAX, .. } => assert_eq!(listed, expected),
                Detail::Budget { exact, .. } => assert!(counts.exact <= exact),
                Detail::Level(0) => whole += near.len(),
                Detail::Full => leaves += near.len(),
                _ => {}
            }
            cleared += (120 - listed.len()) * usize::from(detail == Detail::Full);
        }
    }
    // A single pair may be cleared on one level and not on the next, but not many.
    assert!(whole > leaves && leaves >= touching, "{whole} {leaves} {touching}");
    assert!(
        touching > 60 && cleared > 100 && exact_pairs > 200,
        "{touching} {cleared} {exact_pairs}"
    );
}

#[test]
fn footprints_of_intervals_bound_every_sample() {
    let (man, woman) = (male(), female());
    let crowds = [0.0, 100.0].map(|interval| {
        Crowd::new(cast(&man, &woman), &CrowdConfig { interval, ..CrowdConfig::default() })
    });
    let [mut each, mut whole] = crowds;
    let mut random = Random::new(8);
    let (mut more, mut alike) = (0, 0);
    for _ in 0..300 {
        for id in 0..8 {
            let member = member(&mut random, 0.9);
            each.set(id, member).expect("a member");
            whole.set(id, member).expect("a member");
        }
        for detail in [Detail::Level(0), Detail::Level(4), Detail::Full] {
            let (fine, coarse) = (ids(each.pairs(&detail)), ids(whole.pairs(&detail)));
            // On inner levels circles are cut differently, and only the leaves compare.
            if detail == Detail::Full {
                let lost = fine.difference(&coarse).count();
                assert!(lost * 20 <= fine.len(), "leaves differ by their size at most: {lost}");
                more += coarse.len() - fine.len().min(coarse.len());
                alike += fine.intersection(&coarse).count();
            }
        }
        assert_eq!(ids(each.pairs(&Detail::Exact)), ids(whole.pairs(&Detail::Exact)));
    }
    assert!(more > 100 && alike > 1000, "{more} {alike}");
}

#[test]
fn disks_are_those_of_all_pairs() {
    let (man, woman) = (male(), female());
    let mut crowd = Crowd::new(cast(&man, &woman), &CrowdConfig::default());
    let mut random = Random::new(4);
    for id in 0..200 {
        crowd.set(id, member(&mut random, 6.0)).expect("a member");
    }
    let mut met = 0;
    for radius in [0.25, 0.4, 1.7, 40.0, f64::INFINITY, 0.0, -1.0, f64::NAN] {
        let listed = ids(crowd.pairs(&Detail::Disk(radius)));
        let mut expected = BTreeSet::new();
        for a in 0..200 {
            for b in a + 1..200 {
                let [p, q] = [a, b].map(|id| crowd.get(id).expect("a member").at.translation());
                if p.distance_squared(q) <= (2.0 * radius.max(0.0)).powi(2) {
                    expected.insert([a, b]);
                }
            }
        }
        assert_eq!(listed, expected, "{radius}");
        assert_eq!(crowd.counts().made, 0);
        met += listed.len();
    }
    assert!(met > 2 * 19_900, "{met}");
}

#[test]
fn neither_order_nor_past_nor_threads_change_anything() {
    let (man, woman) = (male(), female());
    let mut random = Random::new(6);
    let make = || Crowd::new(cast(&man, &woman), &CrowdConfig::default());
    let (mut old, mut new) = (make(), make());
    let (mut listed, mut changed) = (0, 0);
    #[cfg(feature = "parallel")]
    let pools = [1, 2, 3].map(|threads| {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads")
    });
    for step in 0..1200 {
        for _ in 0..3 {
            let id = random.below(40) as u32 * 101;
            if random.below(5) == 0 {
                let was_there = old.get(id).is_some();
                assert_eq!(old.remove(id), was_there);
            } else {
                old.set(id, member(&mut random, 3.0)).expect("a member");
            }
            changed += 1;
        }
        let detail = details()[step % details().len()];
        if step % 420 == 0 {
            new = make();
        }
        (0..40).for_each(|k| {
            new.remove(k * 101);
        });
        let mut there: Vec<u32> =
            (0..40).map(|k| k * 101).filter(|&id| old.get(id).is_some()).collect();
        for place in (1..there.len()).rev() {
            there.swap(place, random.below(place as u64 + 1) as usize);
        }
        for &id in &there {
            new.set(id, *old.get(id).expect("a member")).expect("a member");
        }
        assert_eq!(new.len(), old.len());
        let expected = new.pairs(&detail).to_vec();
        assert_eq!(old.pairs(&detail), expected, "step {step}: {detail:?}");
        let (o, n) = (old.counts(), new.counts());
        assert_eq!([o.broad, o.tests, o.near, o.exact], [n.broad, n.tests, n.near, n.exact]);
        listed += expected.len();
        #[cfg(feature = "parallel")]
        for pool in pools.iter().filter(|_| step % 5 == 0) {
            pool.install(|| assert_eq!(new.pairs_parallel(&detail), expected, "{detail:?}"));
            let t = new.counts();
            assert_eq!([o.broad, o.tests, o.near, o.exact], [t.broad, t.tests, t.near, t.exact]);
        }
    }
    assert!(listed > 2000 && changed == 3600, "{listed} {changed}");
}

#[test]
fn the_door_names_what_is_wrong() {
    let (man, woman) = (male(), female());
    let mut crowd = Crowd::new(
        cast(&man, &woman),
        &CrowdConfig { interval: f64::NAN, ..CrowdConfig::default() },
    );
    let good = Member { performer: 0, at: Planar::IDENTITY, time: 0.0 };
    let mut kind = |member: Member| crowd.set(9, member).err().map(|error| error.kind().clone());
    assert_eq!(kind(good), None);
    let none = CrowdErrorKind::NoSuchPerformer { id: 9, performer: 3, performers: 3 };
    assert_eq!(kind(Member { performer: 3, ..good }), Some(none));
    for time in [f64::NAN, f64::INFINITY] {
        assert!(matches!(kind(Member { time, ..good }), Some(CrowdErrorKind::Time { id: 9, .. })));
    }
    let far = Planar::new(1.0, 0.0, DVec2::new(0.0, -1e80)).expect("planar");
    let error = kind(Member { at: far, ..good });
    assert!(matches!(error, Some(CrowdErrorKind::TooFar { axis: 'y', .. })), "{error:?}");
    // What was refused has changed nothing.
    assert_eq!(crowd.get(9), Some(&good));
    assert!(crowd.remove(9) && !crowd.remove(9) && crowd.is_empty());
    assert!(crowd.pairs(&Detail::Exact).is_empty());
    let mut nobody = Crowd::new(Vec::new(), &CrowdConfig::default());
    assert!(nobody.set(0, good).is_err() && nobody.pairs(&Detail::Full).is_empty());
}

#[test]
fn far_away_and_at_hostile_numbers_it_stays_a_bound() {
    let (man, woman) = (male(), female());
    let mut crowd = Crowd::new(cast(&man, &woman), &CrowdConfig::default());
    let mut random = Random::new(12);
    let mut touching = 0;
    for far in [1e3, 1e6, 1e9, -1e9] {
        let all: Vec<u32> = (0..8).collect();
        for &id in &all {
            let mut somebody = member(&mut random, 0.7);
            let (cos, sin) = somebody.at.turn();
            let there = somebody.at.translation() + DVec2::new(far, -far);
            somebody.at = Planar::new(cos, sin, there).expect("a place");
            somebody.time = [1e300, -1e300, 1e-300, 0.0][id as usize % 4];
            crowd.set(u32::MAX - id, somebody).expect("a member");
        }
        let all: Vec<u32> = all.iter().map(|id| u32::MAX - id).collect();
        let expected = by_force(&crowd, &all);
        let odd = [
            Detail::Camera { eye: DVec3::NAN, angle: f64::NAN, exact_within: f64::NAN },
            Detail::Camera { eye: DVec3::splat(1e300), angle: 1e300, exact_within: 1e300 },
            Detail::Camera { eye: DVec3::ZERO, angle: -1.0, exact_within: -1.0 },
            Detail::Density { sparse: u32::MAX, dense: 0, neighbours: 0 },
            Detail::Budget { eye: DVec3::NAN, tests: 1, exact: 1 },
            Detail::Level(u32::MAX),
        ];
        for detail in details().into_iter().chain(odd) {
            let listed = ids(crowd.pairs(&detail));
            assert!(expected.is_subset(&listed), "{far}: {detail:?}");
        }
        assert_eq!(ids(crowd.pairs(&Detail::Exact)), expected);
        touching += expected.len();
    }
    assert!(touching > 20, "{touching}");
}

#[test]
fn a_body_in_place_stays_there_whatever_its_clip_does() {
    let man = male();
    let taking = Taking { fps: Some(30.0), ..Taking::default() };
    let mut compared = 0;
    for motion in [Move::Walk, Move::TurnLeft, Move::StepRight] {
        let gait = Gait::of(&man.skeleton, motion).expect("one of our own");
        let travelling = gait.travelling(6.0);
        let play = |clip| {
            Performer::in_place(&man, clip, &taking, FootprintConfig::default()).expect("a clip")
        };
        let (still, moving) = (play(&gait.clip), play(&travelling));
        assert!(moving.tracked().trace().samples().all(|s| s.center == DVec2::ZERO));
        for sample in [20, 60, 100, 150] {
            let here = still.mesh(still.sample_at(sample as f64 / 30.0));
            let there = moving.mesh(sample);
            let radius = moving.tracked().trace().sample(sample).radius;
            for (p, q) in here.vertices().iter().zip(there.vertices()) {
                // Up to a sample of the motion, and to how headings are averaged at the ends of the
                // short clip.
                assert!(p.distance(*q) < 0.2, "{motion:?} {sample}: {p} {q}");
                assert!(q.truncate().length() <= radius);
                compared += 1;
            }
        }
        // Forward is along the first axis: toes are before heels.
        let feet = still.mesh(0);
        let low = feet.vertices().iter().filter(|v| v.z < 0.1).map(|v| v.x);
        assert!(low.fold(f64::NEG_INFINITY, f64::max) > 0.15, "{motion:?}");
    }
    assert!(compared > 10_000, "{compared}");
}
