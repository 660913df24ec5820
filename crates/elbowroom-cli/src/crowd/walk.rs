//! How a person walks who is only a dot in a file: the heading, and how far the feet have gone.
//!
//! Speed and heading are those between the places half a second before and after: over less, a head
//! sways more than it goes. Who hardly moves stands, and faces the way they last went. The way is
//! the sum of these speeds, so that neither sway nor the noise of a tracker makes feet run.
//!
//! All of it is worked out at the samples of the file and interpolated, so that a frame looks the
//! same whichever others are examined. Someone who was not seen for a while is not there meanwhile.

use std::f64::consts::TAU;

use elbowroom_io::trajectory::Trajectory;
use glam::DVec2;

use super::ways::people_text;
use crate::messages::{count, short};

/// Seconds before and after the moment that are averaged.
const HALF_WINDOW: f64 = 0.5;
/// Slower than this, in metres a second, people stand and shift their weight.
const STANDING: f64 = 0.25;
/// Who was not seen for longer than this, in seconds, and than four usual steps of the file, was
/// not there.
const LONGEST_GAP: f64 = 2.0;

/// How long a person may be unseen in a file, in frames.
pub(super) fn longest_gap(people: &[Trajectory], fps: f64) -> f64 {
    let steps = |person: &Trajectory| {
        person.frames.windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<i64>>()
    };
    let mut steps: Vec<i64> = people.iter().flat_map(steps).collect();
    steps.sort_unstable();
    let usual = steps.get(steps.len() / 2).map_or(1.0, |&step| step as f64);
    (LONGEST_GAP * fps).max(4.0 * usual)
}

/// A sentence on people who are taken for absent because they were not seen for long, within the
/// examined frames.
pub(super) fn gap_note(
    people: &[Trajectory],
    frames: &[i64],
    (fps, gap): (f64, f64),
) -> Option<String> {
    let is_missed = |pair: &&[i64]| {
        let first = frames.partition_point(|&frame| frame <= pair[0]);
        (pair[1] - pair[0]) as f64 > gap && frames.get(first).is_some_and(|&frame| frame < pair[1])
    };
    let gaps = |person: &Trajectory| person.frames.windows(2).filter(is_missed).count() as u64;
    let (mut who, mut total) = (0, 0);
    for of in people.iter().map(gaps).filter(|&of| of > 0) {
        who += 1;
        total += of;
    }
    (total > 0).then(|| {
        format!(
            "{} {} not seen for more than {} s in {}; they are assumed to be absent then, and touch nobody",
            people_text(who),
            if who == 1 { "was" } else { "were" },
            short(gap / fps),
            count(total, "gap")
        )
    })
}

/// A person at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stance {
    pub(super) at: DVec2,
    /// Radians from x towards y.
    pub(super) heading: f64,
    /// Metres since they were first seen.
    pub(super) way: f64,
    pub(super) stands: bool,
}

/// A person over the examined frames.
#[derive(Debug)]
pub(super) struct Walker {
    pub(super) id: i64,
    /// The first examined frame that may have them, by its place in the list.
    pub(super) first: usize,
    /// One for each frame from there on; nothing where they were not seen.
    pub(super) stances: Vec<Option<Stance>>,
}

impl Walker {
    /// A person, absent while unseen for longer than a gap, in frames.
    pub(super) fn new(person: &Trajectory, frames: &[i64], (fps, gap): (f64, f64)) -> Self {
        let (Some(&from), Some(&to)) = (person.frames.first(), person.frames.last()) else {
            return Self { id: person.id, first: 0, stances: Vec::new() };
        };
        let first = frames.partition_point(|&frame| frame < from);
        let end = frames.partition_point(|&frame| frame <= to);
        let track = Track::new(person, fps, gap);
        let stances = frames[first..end.max(first)].iter().map(|&frame| track.at(frame)).collect();
        Self { id: person.id, first, stances }
    }

    /// Where they are in an examined frame.
    pub(super) fn at(&self, frame: usize) -> Option<Stance> {
        *self.stances.get(frame.checked_sub(self.first)?)?
    }
}

/// What is known at every sample.
struct Track<'a> {
    person: &'a Trajectory,
    fps: f64,
    /// How long a person may be unseen, in frames.
    gap: f64,
    speeds: Vec<f64>,
    headings: Vec<f64>,
    ways: Vec<f64>,
}

impl<'a> Track<'a> {
    fn new(person: &'a Trajectory, fps: f64, gap: f64) -> Self {
        let mut track = Self { person, fps, gap, speeds: vec![], headings: vec![], ways: vec![] };
        let velocities: Vec<DVec2> = (0..person.frames.len()).map(|k| track.velocity(k)).collect();
        track.speeds = velocities.iter().map(|velocity| velocity.length()).collect();
        track.headings = headings(&velocities, &person.headings);
        let mut way = 0.0;
        for k in 0..person.frames.len() {
            if k > 0 && !track.is_gap(k - 1) {
                let secs = (person.frames[k] - person.frames[k - 1]) as f64 / fps;
                way += 0.5 * (track.speeds[k - 1] + track.speeds[k]) * secs;
            }
            track.ways.push(way);
        }
        track
    }

    /// Whether they were gone between a sample and the next.
    fn is_gap(&self, k: usize) -> bool {
        (self.person.frames[k + 1] - self.person.frames[k]) as f64 > self.gap
    }

    /// The mean velocity around a sample, from what was seen without a gap.
    fn velocity(&self, k: usize) -> DVec2 {
        let (frames, half) = (&self.person.frames, HALF_WINDOW * self.fps);
        let now = frames[k] as f64;
        let (mut before, mut after) = (k, k);
        while before > 0 && now - (frames[before] as f64) < half && !self.is_gap(before - 1) {
            before -= 1;
        }
        while after + 1 < frames.len() && (frames[after] as f64) - now < half && !self.is_gap(after)
        {
            after += 1;
        }
        // The ends of the window lie between samples.
        let (from, to) =
            ((now - half).max(frames[before] as f64), (now + half).min(frames[after] as f64));
        let (Some(p), Some(q)) = (self.person.at(from), self.person.at(to)) else {
            return DVec2::ZERO;
        };
        if to > from { (q - p).truncate() * (self.fps / (to - from)) } else { DVec2::ZERO }
    }

    fn at(&self, frame: i64) -> Option<Stance> {
        let frames = &self.person.frames;
        let after = frames.partition_point(|&known| known <= frame);
        let before = after.checked_sub(1)?;
        let share = if frames[before] == frame {
            0.0
        } else if after == frames.len() || self.is_gap(before) {
            return None;
        } else {
            (frame - frames[before]) as f64 / (frames[after] - frames[before]) as f64
        };
        let after = after.min(frames.len() - 1);
        let between = |values: &[f64]| values[before] + share * (values[after] - values[before]);
        let place = self.person.positions[before].lerp(self.person.positions[after], share);
        let turn = self.headings[after] - self.headings[before];
        // The shorter way round.
        let turn = turn - TAU * (turn / TAU).round();
        Some(Stance {
            at: place.truncate(),
            heading: self.headings[before] + share * turn,
            way: between(&self.ways),
            stands: between(&self.speeds) < STANDING,
        })
    }
}

/// Those of the file, or the directions they walk; a person who stands keeps the last one, and who
/// has not gone yet has the first one.
fn headings(velocities: &[DVec2], said: &[f64]) -> Vec<f64> {
    if said.len() == velocities.len() {
        return said.to_vec();
    }
    let going = |velocity: &DVec2| {
        (velocity.length() >= STANDING).then(|| libm::atan2(velocity.y, velocity.x))
    };
    let mut last = velocities.iter().find_map(going).unwrap_or(0.0);
    let mut keep = |velocity: &DVec2| {
        last = going(velocity).unwrap_or(last);
        last
    };
    velocities.iter().map(&mut keep).collect()
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{FRAC_PI_2, PI};

    use glam::DVec3;

    use super::*;

    fn person(samples: &[(i64, f64, f64)]) -> Trajectory {
        Trajectory {
            id: 7,
            frames: samples.iter().map(|sample| sample.0).collect(),
            positions: samples.iter().map(|&(_, x, y)| DVec3::new(x, y, 1.7)).collect(),
            ..Trajectory::default()
        }
    }

    #[test]
    fn people_face_where_they_go_and_keep_it_where_they_stand() {
        // Along y at 1 m/s for four seconds, then nowhere for four.
        let at = |frame: i64| (frame, 0.0, (frame as f64 * 0.1).min(4.0));
        let samples: Vec<_> = (0..=80).map(at).collect();
        let frames: Vec<i64> = (-5..=90).collect();
        let walker = Walker::new(&person(&samples), &frames, (10.0, 20.0));
        assert_eq!((walker.first, walker.stances.len()), (5, 81));
        let stance = |frame: usize| walker.at(frame + 5).expect("seen");
        for frame in 0..=80 {
            assert!((stance(frame).heading - FRAC_PI_2).abs() < 1e-12, "{frame}");
            assert_eq!(stance(frame).stands, frame >= 43, "{frame}");
        }
        assert!((stance(20).way - 2.0).abs() < 1e-9 && (stance(80).way - 4.0).abs() < 0.03);
        assert!(walker.at(0).is_none() && walker.at(95).is_none());
    }

    #[test]
    fn a_frame_is_the_same_whichever_others_are_examined() {
        let samples: Vec<_> =
            (0..40).map(|k| (10 * k, libm::cos(0.1 * k as f64), 0.4 * k as f64)).collect();
        let all: Vec<i64> = (0..=390).collect();
        let (whole, one) = (
            Walker::new(&person(&samples), &all, (25.0, 50.0)),
            Walker::new(&person(&samples), &[137], (25.0, 50.0)),
        );
        assert_eq!(one.at(0), whole.at(137));
        assert!(one.at(0).is_some());
    }

    #[test]
    fn who_was_not_seen_is_not_there() {
        // Seen for a second, gone for ten, back elsewhere, going the other way.
        let samples: Vec<_> = (0..=10)
            .map(|k| (k, 0.1 * k as f64, 0.0))
            .chain((110..=120).map(|k| (k, 50.0 - 0.1 * k as f64, 9.0)))
            .collect();
        let frames: Vec<i64> = (0..=120).collect();
        let walker = Walker::new(&person(&samples), &frames, (10.0, 20.0));
        let seen: Vec<usize> = (0..=120).filter(|&frame| walker.at(frame).is_some()).collect();
        assert_eq!(seen, (0..=10).chain(110..=120).collect::<Vec<_>>());
        let (before, after) = (walker.at(10).expect("seen"), walker.at(110).expect("seen"));
        assert!(before.heading.abs() < 1e-9 && (after.heading.abs() - PI).abs() < 1e-9);
        assert!((before.way - 1.0).abs() < 1e-9 && (after.way - 1.0).abs() < 1e-9);
    }

    #[test]
    fn gaps_are_long_against_the_usual_step() {
        let often: Vec<_> = [0, 1, 2, 3, 150].map(|frame| (frame, 0.0, 0.0)).to_vec();
        let (often, rare) = (person(&often), person(&[(0, 0.0, 0.0), (100, 0.0, 0.0)]));
        assert_eq!(longest_gap(&[often, rare.clone()], 10.0), 20.0);
        assert_eq!((longest_gap(&[rare], 10.0), longest_gap(&[], 25.0)), (400.0, 50.0));
    }

    #[test]
    fn one_sample_stands() {
        let walker = Walker::new(&person(&[(3, 1.0, 2.0)]), &[1, 2, 3, 4], (25.0, 50.0));
        let stance = walker.at(2).expect("seen");
        assert!(stance.stands && stance.heading == 0.0 && stance.at == DVec2::new(1.0, 2.0));
        assert_eq!([0, 1, 3].map(|frame| walker.at(frame)), [None; 3]);
    }

    #[test]
    fn headings_of_the_file_are_kept_and_turn_the_shorter_way() {
        let mut person = person(&[(0, 0.0, 0.0), (10, 1.0, 0.0)]);
        person.headings = vec![3.0, -3.0];
        let walker = Walker::new(&person, &[0, 5], (10.0, 20.0));
        assert_eq!(walker.at(0).expect("seen").heading, 3.0);
        assert!((walker.at(1).expect("seen").heading - PI).abs() < 1e-12);
    }
}
