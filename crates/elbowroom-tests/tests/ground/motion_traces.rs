//! Traces and the boxes around them: what is refused, what encloses what.

#![allow(
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "numbers of samples are small"
)]

use elbowroom::internal::bvh::Source;
use elbowroom::internal::math::planar::Planar;
use elbowroom::internal::volume::time_box::TimeAxis;
use elbowroom::internal::volume::time_space::Disks;
use elbowroom::internal::volume::{Meet, TimeBox, TimeObb, TimeSpace, Volume};
use elbowroom_motion::space_time::{
    BetweenSamples, Config, Kind, Placed, Sample, Samples, Trace, TraceErrorKind, Tracked,
};
use elbowroom_testkit::data::{self, mocap};
use elbowroom_testkit::motion::{self, Motion};
use elbowroom_testkit::random::Random;
use elbowroom_tests::motion_common::{captured, scatter, trace, tracked};
use glam::DVec2;

/// How many nodes there are, and every one of them encloses its samples and the line to the next.
fn check_nodes(clip: &Tracked) -> usize {
    let samples = Samples { trace: clip.trace(), config: clip.config() };
    let dt = clip.trace().dt();
    let mut checked = 0;
    for node in clip.tree().nodes() {
        for &member in clip.tree().members(node) {
            let next = (member as usize + 1).min(clip.trace().len() - 1);
            let (here, there) = (clip.trace().sample(member as usize), clip.trace().sample(next));
            let linear = clip.config().between == BetweenSamples::Linear;
            for share in [0.0, 0.3, 0.7, 1.0] {
                let time = (f64::from(member) + share) * dt;
                let center =
                    if linear { here.center.lerp(there.center, share) } else { here.center };
                let radius = if linear {
                    here.radius + share * (there.radius - here.radius)
                } else {
                    here.radius
                };
                let (centre, radius) = (center, radius * (1.0 - 1e-15));
                if let Some(column) = clip.upright() {
                    assert!(
                        column[node].contains(centre, radius, [time; 2]),
                        "{member} in {node:?}"
                    );
                }
                if let Some(column) = clip.free() {
                    let scale = clip.config().time_scale;
                    assert!(
                        column[node].contains(centre, radius, [time; 2], scale),
                        "{member} in {node:?}"
                    );
                }
            }
            if !linear {
                assert!(
                    clip.upright().is_none_or(|column| samples.is_within(member, &column[node]))
                );
                assert!(clip.free().is_none_or(|column| samples.is_within(member, &column[node])));
            }
            checked += 1;
        }
    }
    checked
}

#[test]
fn every_node_bounds_its_samples() {
    let mut random = Random::new(20);
    let mut checked = 0;
    for round in 0..60 {
        let count = random.range(1, 300) as usize;
        let mut walk = motion::walk(&mut random, count, 1.0 / 30.0, 1.4, 0.4);
        if round % 7 == 0 {
            for s in &mut walk.samples {
                s[0] += 1e8;
            }
        }
        for kind in Kind::ALL {
            let config = Config {
                axis: if round % 2 == 0 { TimeAxis::Chord } else { TimeAxis::Covariance },
                n_min: 1 + round % 11,
                time_scale: [1.0, 3.0, 0.01][round % 3],
                between: if round % 4 < 2 { BetweenSamples::Held } else { BetweenSamples::Linear },
                ..Config::paper(kind)
            };
            checked += check_nodes(&tracked(&walk, config));
        }
    }
    assert!(checked > 200_000, "{checked}");
}

#[test]
fn captured_motions_are_bounded() {
    let Some(shared) = data::shared_dir() else {
        return data::skip_note("captured_motions_are_bounded");
    };
    let captures: Vec<_> =
        ["short", "long"].iter().flat_map(|folder| mocap::load(&shared, folder)).collect();
    assert_eq!(captures.len(), 65);
    let mut checked = 0;
    for (index, capture) in captures.iter().enumerate() {
        let walk = captured(capture, 0.5);
        assert!(walk.samples.len() > 60 && (walk.dt - 1.0 / 30.0).abs() < 1e-4, "{}", capture.name);
        let between = if index % 2 == 0 { BetweenSamples::Held } else { BetweenSamples::Linear };
        for kind in [Kind::Mobb, Kind::Umobb] {
            checked += check_nodes(&tracked(&walk, Config { between, ..Config::paper(kind) }));
        }
    }
    assert!(checked > 200_000, "{checked}");
}

/// A disk's extent along any direction, against the disk's own points: the printed formula,
/// sign-free.
#[test]
fn free_boxes_touch_their_disks() {
    let mut random = Random::new(21);
    let mut touched = 0;
    for _ in 0..300 {
        let (count, radius) = (random.range(2, 12) as usize, random.uniform(0.1, 2.0));
        let walk = motion::walk(&mut random, count, 0.1, random_speed(&mut Random::new(3)), radius);
        let trace = trace(&walk);
        let [x, y, r] = trace.columns();
        let disks = Disks { x, y, radius: r, first: 0, dt: 0.1, towards: None };
        let free = TimeObb::of_disks(&disks, TimeAxis::Chord, 1.0, 0.0);
        if free.is_upright {
            continue;
        }
        assert!(free.axes.y_axis.z == 0.0 && (free.axes.determinant() - 1.0).abs() < 1e-12);
        for axis in 0..3 {
            let d = free.axes.col(axis);
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            for (k, s) in trace.samples().enumerate() {
                for end in [k as f64, k as f64 + 1.0] {
                    for turn in 0..360 {
                        let (sin, cos) = (f64::from(turn) / 180.0 * std::f64::consts::PI).sin_cos();
                        let rim = s.center + s.radius * DVec2::new(cos, sin);
                        let along = d.dot(rim.extend(end * 0.1) - free.center);
                        (low, high) = (low.min(along), high.max(along));
                    }
                }
            }
            let half = free.half[axis];
            assert!(high <= half && low >= -half, "{low} {high} {half}");
            assert!(
                high > half - 1e-3 * radius - 1e-6 && low < -half + 1e-3 * radius + 1e-6,
                "{low} {high} {half}"
            );
            touched += 1;
        }
    }
    assert!(touched > 600, "{touched}");
}

fn random_speed(random: &mut Random) -> f64 {
    random.uniform(0.5, 2.0)
}

/// Boxes that are said to be apart have no disks that meet: in both orders, upright and free.
#[test]
fn apart_is_certain() {
    let mut random = Random::new(22);
    let (mut apart, mut met) = ([0; 2], 0);
    for round in 0..4_000 {
        let mut walks = [0, 1].map(|_| {
            let count = random.range(1, 20) as usize;
            motion::walk(&mut random, count, 0.05, 1.4, 0.3)
        });
        for walk in &mut walks {
            scatter(walk, &mut random, 1.2, 0.6);
        }
        let truth = motion::collide(&walks[0], &walks[1], true);
        met += usize::from(truth);
        let axis = if round % 2 == 0 { TimeAxis::Chord } else { TimeAxis::Covariance };
        let config = Config { axis, ..Config::default() };
        let traces = walks.each_ref().map(trace);
        let reach = |t: &Trace| {
            t.samples().map(|s| s.center.abs().element_sum() + s.radius).fold(0.0, f64::max)
        };
        let stand = |walk: &Motion| {
            Planar::new(walk.turn[0], walk.turn[1], DVec2::from_array(walk.shift)).unwrap()
        };
        let places = walks.each_ref().map(stand);
        for (i, j) in [(0, 1), (1, 0)] {
            let side = |k: usize| (&places[k], reach(&traces[k]), walks[k].start);
            let space = TimeSpace::new(side(i), side(j), 1.0);
            let all = |k: usize| (0..traces[k].len() as u32).collect::<Vec<_>>();
            let source = |k: usize| Samples { trace: &traces[k], config: &config };
            let upright: [TimeBox; 2] = [i, j].map(|k| source(k).fit(&all(k)));
            let free: [TimeObb; 2] = [i, j].map(|k| source(k).fit(&all(k)));
            let meets =
                [upright[0].may_meet(&upright[1], &space), free[0].may_meet(&free[1], &space)];
            for (kind, meets) in meets.into_iter().enumerate() {
                assert!(meets || !truth, "{kind} {walks:?}");
                apart[kind] += usize::from(!meets);
            }
        }
    }
    assert!(met > 300 && apart[0] > 3_000 && apart[1] > apart[0], "{met} {apart:?}");
}

/// Merged and placed boxes enclose what the parts do.
#[test]
fn merged_boxes_enclose_both() {
    let mut random = Random::new(23);
    let mut corners = 0;
    for _ in 0..500 {
        let walks = [0, 1].map(|_| motion::walk(&mut random, 15, 0.05, 1.4, 0.3));
        let clips = walks
            .each_ref()
            .map(|w| [Kind::Mobb, Kind::Umobb].map(|kind| tracked(w, Config::paper(kind))));
        let at = Planar::from_angle(
            random.uniform(-3.0, 3.0),
            DVec2::new(random.uniform(-5.0, 5.0), 1.0),
        )
        .unwrap();
        let (a, b) = (clips[0][0].bounds(), clips[1][0].bounds());
        let moved = b.placed(&at, 0.75);
        let both = a.merged(&moved);
        for (clip, place, delay) in
            [(&clips[0][0], Planar::IDENTITY, 0.0), (&clips[1][0], at, 0.75)]
        {
            for (k, s) in clip.trace().samples().enumerate() {
                let time = [k, k + 1].map(|k| k as f64 * 0.05 + delay);
                assert!(both.contains(place.apply(s.center), s.radius, time));
                corners += 1;
            }
        }
        assert!(
            both.area()
                < 1.6 * (a.area() + moved.area()) + 4.0 * a.center.distance(moved.center) * 5.0
        );
        let free = clips.each_ref().map(|c| c[1].free().unwrap().volumes()[0]);
        let merged = free[0].merged(&free[1]);
        for (k, s) in clips[1][1].trace().samples().enumerate() {
            let time = [k, k + 1].map(|k| k as f64 * 0.05);
            assert!(merged.contains(s.center, s.radius, time, 1.0));
        }
    }
    assert_eq!(corners, 15_000);
}

#[test]
fn what_is_no_motion_is_refused() {
    let one = [Sample::new(0.0, 0.0, 1.0)];
    let kind = |samples: &[Sample], dt| Trace::new(samples, dt).unwrap_err().kind().clone();
    assert_eq!(kind(&[], 0.1), TraceErrorKind::Empty);
    for dt in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-200] {
        assert!(matches!(kind(&one, dt), TraceErrorKind::Positive { name: "sampling time", .. }));
    }
    let bad = |sample| kind(&[one[0], sample], 0.1);
    assert!(matches!(
        bad(Sample::new(f64::NAN, 0.0, 1.0)),
        TraceErrorKind::Size { sample: 1, name: "x", .. }
    ));
    assert!(matches!(
        bad(Sample::new(0.0, 1e91, 1.0)),
        TraceErrorKind::Size { sample: 1, name: "y", .. }
    ));
    assert!(matches!(
        bad(Sample::new(0.0, 0.0, f64::INFINITY)),
        TraceErrorKind::Size { name: "radius", .. }
    ));
    assert!(matches!(
        bad(Sample::new(0.0, 0.0, -1.0)),
        TraceErrorKind::NegativeRadius { sample: 1, .. }
    ));
    assert!(Placed::new(Planar::IDENTITY, f64::NAN).is_err());
    let trace = Trace::new(&one, 0.1).unwrap();
    assert!(trace.resampled(-1.0).is_err());
    let odd = Config { time_scale: 0.0, ..Config::default() };
    assert!(Tracked::new(trace.clone(), odd).is_err());
    assert_eq!(
        Tracked::new(trace, Config { n_min: 0, ..Config::default() }).unwrap().tree().len(),
        1
    );
}

#[test]
fn resampling_keeps_the_path() {
    let mut random = Random::new(24);
    let walk = motion::walk(&mut random, 241, 1.0 / 120.0, 1.4, 0.4);
    let fine = trace(&walk);
    let coarse = fine.resampled(30.0).unwrap();
    assert_eq!((coarse.len(), coarse.dt()), (61, 1.0 / 30.0));
    for (k, s) in coarse.samples().enumerate() {
        let there = fine.sample(4 * k);
        assert!(s.center.distance(there.center) < 1e-12 && (s.radius - there.radius).abs() < 1e-12);
    }
    assert!(fine.resampled(1e9).is_err());
    assert_eq!(
        Trace::new(&[Sample::new(1.0, 2.0, 3.0)], 0.5).unwrap().resampled(7.0).unwrap().len(),
        1
    );
}
