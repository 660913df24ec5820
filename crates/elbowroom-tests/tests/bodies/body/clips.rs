//! Clips at keys, between them and beyond the ends.

use elbowroom_motion::body::{
    Clip, ClipError, Interpolation, JointId, Local, SkeletonPose, Target, Track,
};
use elbowroom_testkit::random::Random;
use glam::{DQuat, DVec3};

use super::{any_point, any_rotation, chain};

fn track(target: Target, interpolation: Interpolation, times: &[f64], values: &[f64]) -> Track {
    Track { target, interpolation, times: times.to_vec(), values: values.to_vec() }
}

fn clip(tracks: Vec<Track>) -> Clip {
    Clip::new("clip".into(), tracks).expect("a good clip")
}

fn sampled(clip: &Clip, time: f64) -> Local {
    let mut pose = SkeletonPose { locals: vec![Local::IDENTITY], weights: vec![] };
    clip.sample(time, &mut pose);
    pose.locals[0]
}

const MOVE: Target = Target::Translation(JointId(0));
const TURN: Target = Target::Rotation(JointId(0));

#[test]
fn steps_and_lines_at_keys_between_and_beyond() {
    let (times, values) = ([1.0, 2.0, 4.0], [1.0, 0.0, 0.0, 3.0, 0.0, 0.0, 7.0, 0.0, 0.0]);
    let steps = clip(vec![track(MOVE, Interpolation::Step, &times, &values)]);
    let lines = clip(vec![track(MOVE, Interpolation::Linear, &times, &values)]);
    let cases = [
        (f64::NEG_INFINITY, 1.0, 1.0),
        (0.0, 1.0, 1.0),
        (1.0, 1.0, 1.0),
        (1.5, 1.0, 2.0),
        (2.0, 3.0, 3.0),
        (3.0, 3.0, 5.0),
        (3.999, 3.0, 6.998),
        (4.0, 7.0, 7.0),
        (9.0, 7.0, 7.0),
        (f64::INFINITY, 7.0, 7.0),
        (f64::NAN, 1.0, 1.0),
    ];
    for (time, step, line) in cases {
        assert_eq!(sampled(&steps, time).translation.x, step, "{time}");
        assert!((sampled(&lines, time).translation.x - line).abs() < 1e-14, "{time}");
    }
    assert_eq!((lines.start(), lines.end(), lines.seconds()), (1.0, 4.0, 3.0));
    let still = clip(vec![]);
    assert_eq!((still.start(), still.seconds()), (0.0, 0.0));
    assert_eq!(sampled(&still, 1.0), Local::IDENTITY);
}

#[test]
fn of_keys_at_one_time_the_last_counts() {
    let times = [0.0, 1.0, 1.0, 1.0, 2.0];
    let values = [0.0, 9.0, 5.0, 4.0, 6.0].map(|x| [x, 0.0, 0.0]).concat();
    let jump = clip(vec![track(MOVE, Interpolation::Linear, &times, &values)]);
    assert_eq!(sampled(&jump, 1.0).translation.x, 4.0);
    assert_eq!(sampled(&jump, 1.5).translation.x, 5.0);
    assert!((sampled(&jump, 1.0 - 1e-9).translation.x - 9.0).abs() < 1e-7);
    let one = clip(vec![track(MOVE, Interpolation::Cubic, &[3.0], &[0.0; 9])]);
    assert_eq!(sampled(&one, 3.0).translation, DVec3::ZERO);
}

#[test]
fn any_spacing_of_keys_is_searched_rightly() {
    let mut random = Random::new(21);
    let mut met = 0;
    for round in 0..300 {
        let keys = 1 + random.below(40) as usize;
        let mut at = random.uniform(-5.0, 5.0);
        let mut times = Vec::new();
        for _ in 0..keys {
            times.push(at);
            at += match round % 3 {
                0 => 1.0 / 30.0,
                1 => random.uniform(0.0, 1.0),
                _ => f64::powi(10.0, random.range(-6, 3) as i32) * random.below(2) as f64,
            };
        }
        let values: Vec<f64> = (0..keys).flat_map(|i| [i as f64, 0.0, 0.0]).collect();
        let steps = clip(vec![track(MOVE, Interpolation::Step, &times, &values)]);
        let (low, high) = (times[0] - 0.1, times[keys - 1] + 0.1);
        let mut asked: Vec<f64> = (0..50).map(|_| random.uniform(low, high)).collect();
        asked.extend(times.iter().flat_map(|t| [*t, t.next_up(), t.next_down()]));
        for time in asked {
            let held = times.iter().rposition(|&key| key <= time).unwrap_or(0);
            // A time just before a key counts as at it: files round keys to f32.
            let is_between = times[held] < time && held + 1 < keys;
            let is_next = is_between && times[held + 1] - time < 1e-4;
            let expected = held + usize::from(is_next);
            assert_eq!(sampled(&steps, time).translation.x, expected as f64, "{time} in {times:?}");
            met += 1;
        }
    }
    assert!(met > 20_000, "{met}");
}

#[test]
fn cubic_tracks_are_the_polynomials_that_their_tangents_say() {
    let mut random = Random::new(22);
    let mut met = 0;
    for _ in 0..200 {
        let [a, b, c, d] = std::array::from_fn(|_| any_point(&mut random));
        let at = |t: f64| a + b * t + c * t * t + d * t * t * t;
        let slope = |t: f64| b + 2.0 * c * t + 3.0 * d * t * t;
        let times = [-0.5, 0.2, 1.0, 1.1];
        let key = |&t: &f64| [slope(t), at(t), slope(t)].map(|v| v.to_array()).concat();
        let values: Vec<f64> = times.iter().flat_map(key).collect();
        let cubic = clip(vec![track(MOVE, Interpolation::Cubic, &times, &values)]);
        for _ in 0..20 {
            let time = random.uniform(-0.5, 1.1);
            let found = sampled(&cubic, time).translation;
            assert!(found.abs_diff_eq(at(time), 1e-13), "{found} {}", at(time));
            met += 1;
        }
        for time in times {
            assert_eq!(sampled(&cubic, time).translation, at(time));
        }
    }
    assert_eq!(met, 4000);
    // In and out tangents of one key may differ: a corner.
    let values = [0.0, 0.0, 3.0, -2.0, 1.0, 5.0, 0.0, 0.0, 0.0].map(|x| [x, x, x]).concat();
    let corner = clip(vec![track(MOVE, Interpolation::Cubic, &[0.0, 2.0, 3.0], &values)]);
    // Hermite at one half: (0 + 1) / 2 + 2 · (3 − (−2)) / 8.
    assert!((sampled(&corner, 1.0).translation.x - 1.75).abs() < 1e-15);
    // (1 + 0) / 2 + 1 · (5 − 0) / 8.
    assert!((sampled(&corner, 2.5).translation.x - 1.125).abs() < 1e-15);
}

#[test]
fn rotations_go_the_shorter_way_at_constant_speed() {
    let mut random = Random::new(23);
    let (mut met, mut negated) = (0, 0);
    for _ in 0..500 {
        let from = any_rotation(&mut random);
        let axis = any_point(&mut random).normalize();
        let angle = match random.below(4) {
            0 => random.uniform(0.0, 1e-7),
            1 => random.uniform(0.0, 1e-3),
            2 => random.uniform(3.1, 3.13),
            _ => random.uniform(0.0, 3.1),
        };
        let mut to = DQuat::from_axis_angle(axis, angle) * from;
        if random.one_in(2) {
            to = -to;
            negated += 1;
        }
        // Lengths are read as written, and do not matter.
        let values = [(from * 1.5).to_array(), (to * 0.7).to_array()].concat();
        let arc = clip(vec![track(TURN, Interpolation::Linear, &[0.0, 1.0], &values)]);
        for _ in 0..5 {
            let part = random.unit();
            let found = sampled(&arc, part).rotation;
            let expected = DQuat::from_axis_angle(axis, part * angle) * from;
            let off = (found - expected).length().min((found + expected).length());
            assert!(off < 2e-15 && (found.length() - 1.0).abs() < 1e-15, "{off} at {angle}");
            met += 1;
        }
    }
    assert!(met == 2500 && negated > 200, "{met} {negated}");
}

#[test]
fn cubic_rotations_have_length_one() {
    let mut random = Random::new(24);
    let key = |q: DQuat, t: DQuat| [t.to_array(), q.to_array(), t.to_array()].concat();
    let [a, b, s, t] = std::array::from_fn(|_| any_rotation(&mut random));
    let values = [key(a, s), key(b, t)].concat();
    let cubic = clip(vec![track(TURN, Interpolation::Cubic, &[0.0, 0.5], &values)]);
    for i in 0..=10 {
        let (u, dt) = (f64::from(i) / 10.0, 0.5);
        let found = sampled(&cubic, u * dt).rotation;
        let (u2, u3) = (u * u, u * u * u);
        let expected = a * (2.0 * u3 - 3.0 * u2 + 1.0)
            + s * (dt * (u3 - 2.0 * u2 + u))
            + b * (3.0 * u2 - 2.0 * u3)
            + t * (dt * (u3 - u2));
        assert!(found.abs_diff_eq(expected.normalize(), 1e-14), "{found} {expected}");
    }
}

#[test]
fn morph_weights_and_absent_targets() {
    let weights =
        track(Target::Weights(1), Interpolation::Linear, &[0.0, 1.0], &[0.0, 1.0, 1.0, 3.0]);
    let absent = track(Target::Scale(JointId(9)), Interpolation::Step, &[0.0], &[2.0; 3]);
    let clip = clip(vec![weights, absent]);
    assert_eq!(clip.tracks()[0].width(), 2);
    assert_eq!(clip.tracks()[0].value(1), [1.0, 3.0]);
    let mut pose = SkeletonPose {
        locals: vec![Local::IDENTITY],
        weights: vec![vec![7.0], vec![7.0, 7.0, 7.0]],
    };
    clip.sample(0.5, &mut pose);
    assert_eq!(pose.weights, [vec![7.0], vec![0.5, 2.0, 7.0]]);
    assert_eq!(pose.locals, [Local::IDENTITY]);
    let mut without = SkeletonPose::default();
    clip.sample(0.5, &mut without);
    assert_eq!(without, SkeletonPose::default());
}

#[test]
fn bad_clips_are_refused_by_track_and_key() {
    let refused =
        |tracks: Vec<Track>| -> ClipError { Clip::new("bad".into(), tracks).unwrap_err() };
    let good = track(MOVE, Interpolation::Step, &[0.0], &[0.0; 3]);
    let nan = f64::NAN;
    let cases = [
        (
            track(MOVE, Interpolation::Step, &[], &[]),
            "track 1 (translation of joint 0) has no keys",
        ),
        (track(MOVE, Interpolation::Step, &[0.0, -1.0], &[0.0; 6]), "key 1 of track 1"),
        (track(MOVE, Interpolation::Step, &[nan], &[0.0; 3]), "not finite"),
        (track(MOVE, Interpolation::Step, &[0.0], &[0.0; 4]), "4 values for 1 keys"),
        (track(MOVE, Interpolation::Cubic, &[0.0], &[0.0; 3]), "3 values for 1 keys"),
        (track(TURN, Interpolation::Linear, &[0.0], &[0.0; 3]), "each needs 4"),
        (
            track(
                TURN,
                Interpolation::Linear,
                &[0.0, 1.0],
                &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0],
            ),
            "key 1 of track 1 (rotation of joint 0) is the zero quaternion",
        ),
        (
            track(MOVE, Interpolation::Linear, &[0.0, 1.0], &[0.0, 0.0, 0.0, 0.0, nan, 0.0]),
            "key 1 of track 1 (translation of joint 0) holds NaN",
        ),
        (
            track(Target::Weights(3), Interpolation::Linear, &[0.0, 1.0], &[0.0; 3]),
            "morph weights of part 3",
        ),
        (track(Target::Weights(3), Interpolation::Linear, &[0.0], &[]), "0 values"),
    ];
    let count = cases.len();
    let mut met = 0;
    for (bad, words) in cases {
        let error = refused(vec![good.clone(), bad]).to_string();
        assert!(error.contains(words), "{error}");
        met += 1;
    }
    assert_eq!(met, count);
}

#[test]
fn resampled_clips_agree_at_their_keys_and_keep_their_ends() {
    let skeleton = chain(1);
    let mut random = Random::new(25);
    let times = [0.25, 0.3, 0.75, 1.0, 1.37];
    let points: Vec<f64> = (0..15).map(|_| random.uniform(-1.0, 1.0)).collect();
    let turns: Vec<f64> = (0..5).flat_map(|_| any_rotation(&mut random).to_array()).collect();
    let original = clip(vec![
        track(MOVE, Interpolation::Linear, &times, &points),
        track(TURN, Interpolation::Linear, &times, &turns),
        track(Target::Scale(JointId(0)), Interpolation::Step, &times, &points),
        track(Target::Scale(JointId(5)), Interpolation::Step, &times, &points),
    ]);
    let mut met = 0;
    for fps in [24.0, 30.0, 120.0, 1.0 / 1.12, 0.1] {
        let again = original.resampled(fps, &skeleton).unwrap();
        assert_eq!(again.tracks().len(), 3, "the track of a joint that is not there is left out");
        assert_eq!((again.start(), again.end()), (original.start(), original.end()));
        assert_eq!(again.tracks()[2].interpolation, Interpolation::Step);
        for (i, &time) in again.tracks()[0].times.iter().enumerate() {
            let frame = original.start() + i as f64 / fps;
            assert!((time - frame).abs() < 1e-9 || time == original.end());
            let (a, b) = (sampled(&original, time), sampled(&again, time));
            assert!(a.translation == b.translation && a.scale == b.scale);
            assert!(a.rotation.abs_diff_eq(b.rotation, 1e-15));
            met += 1;
        }
    }
    assert!(met > 190, "{met}");
    for fps in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(original.resampled(fps, &skeleton).unwrap_err().to_string().contains("rate"));
    }
    assert!(original.resampled(1e9, &skeleton).unwrap_err().to_string().contains("lower rate"));
    let endless = clip(vec![track(MOVE, Interpolation::Step, &[-1e308, 1e308], &[0.0; 6])]);
    assert!(endless.resampled(30.0, &skeleton).is_err());
}
