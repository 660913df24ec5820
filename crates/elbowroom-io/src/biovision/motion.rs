//! The second half of the file: a line of numbers a frame.

use elbowroom_motion::body::{Clip, Interpolation, JointId, Target, Track};
use glam::{DQuat, DVec3};

use super::Motion;
use super::hierarchy::{Channel, is};
use crate::error::Fault;
use crate::rate;
use crate::robot::about;
use crate::text::{Word, Words, counted, grouped, parse_f64, quote};

/// Frame 0 is a rest pose put in front where the joints turn by more than this to frame 1, 5° on
/// average, …
const REST_TURN: f64 = 5.0 * std::f64::consts::PI / 180.0;

/// … by more than this many times what they turn in the middle one of the steps behind it, …
///
/// The middle one, because captures have glitches in which a joint jumps; and the average, because
/// a single joint may be fast.
const REST_RATIO: f64 = 3.0;

/// … and where frame 0 is nearer than this part of the jump to the pose of the offsets.
///
/// Without it a clip that happens to begin with a glitch would lose a frame: of the 119,000 steps
/// within 79 captures of CMU, 250 look like a rest frame by the jump alone, and none with it, while
/// all 79 rest frames are found, at every rate down to 15 frames a second.
const REST_NEAR: f64 = 0.5;

/// The number of frames that are sampled for that.
const REST_FRAMES: usize = 24;

/// Reads behind the word `MOTION`, and gives the rig its clip.
pub(super) fn read(
    words: &mut Words<'_>,
    size: usize,
    channels: &[Vec<Channel>],
    skip_rest_frame: bool,
    motion: &mut Motion,
) -> Result<(), Fault> {
    let (frames, frame_secs, place) = header(words, size)?;
    let width: usize = channels.iter().map(Vec::len).sum();
    let left = (size - words.offset()) as u64;
    // A digit and a blank a number.
    if frames.saturating_mul(2 * width as u64) > left + 1 {
        let message = format!(
            "\"Frames: {}\" of {} each cannot be in the {} that are left; the file is truncated or the number is wrong",
            grouped(frames),
            counted(width, "number", "numbers"),
            counted(left as usize, "byte", "bytes"),
        );
        return Err(Fault::at(place, message));
    }
    motion.frame_secs = frame_secs;
    let frames = if width == 0 { 0 } else { frames as usize };
    let mut tracks = Tracks::new(channels, motion);
    for frame in 0..frames {
        tracks.frame(words, size, frame, frames)?;
    }
    if let Some(word) = words.next() {
        let message = format!(
            "{} behind the last of {}; the number of frames or a CHANNELS line is wrong",
            quote(word.bytes),
            counted(frames, "frame", "frames")
        );
        return Err(Fault::at(word.offset, message));
    }
    motion.frames = frames;
    motion.rest_frame = tracks.rest_frame(frames);
    tracks.finish(frames, skip_rest_frame, motion)
}

/// The number of frames, the seconds of each, and where the number stands.
fn header(words: &mut Words<'_>, size: usize) -> Result<(u64, f64, usize), Fault> {
    let frames = labelled(words, size, &["Frames:"], "Frames: 120")?;
    let digits = std::str::from_utf8(frames.bytes).ok();
    let count = digits.and_then(|digits| digits.parse::<u64>().ok()).ok_or_else(|| {
        Fault::at(frames.offset, format!("{} is not a number of frames", quote(frames.bytes)))
    })?;
    let time = labelled(words, size, &["Frame", "Time:"], "Frame Time: 0.0083333")?;
    let secs = parse_f64(time.bytes).filter(|secs| secs.is_finite() && *secs > 0.0);
    let secs = secs.ok_or_else(|| {
        let message =
            format!("frame time {} is not a number of seconds above 0", quote(time.bytes));
        Fault::at(time.offset, message)
    })?;
    Ok((count, secs, frames.offset))
}

/// The word behind a label; the last word of the label may be run together with it.
fn labelled<'a>(
    words: &mut Words<'a>,
    size: usize,
    label: &[&str],
    like: &str,
) -> Result<Word<'a>, Fault> {
    let missing = |offset| Fault::at(offset, format!("a line like \"{like}\" should stand here"));
    let (last, front) = label.split_last().ok_or_else(|| missing(0))?;
    for expected in front {
        let word = words.next().ok_or_else(|| missing(size))?;
        if !is(word, expected) {
            return Err(missing(word.offset));
        }
    }
    let word = words.next().ok_or_else(|| missing(size))?;
    let (head, tail) = word.bytes.split_at(word.bytes.len().min(last.len()));
    let bare = last.trim_end_matches(':');
    if head.eq_ignore_ascii_case(last.as_bytes()) {
        if tail.is_empty() {
            return words.next().ok_or_else(|| missing(size));
        }
        return Ok(Word { offset: word.offset + last.len(), bytes: tail });
    }
    // "Frames : 120"
    let colon = words.next().filter(|colon| is(word, bare) && colon.bytes == b":");
    colon.and_then(|_| words.next()).ok_or_else(|| missing(word.offset))
}

/// The keys of every joint that moves.
struct Tracks<'c> {
    channels: &'c [Vec<Channel>],
    joints: Vec<Keys>,
}

struct Keys {
    /// What a frame without position channels means.
    offset: DVec3,
    is_root: bool,
    turns: Vec<DQuat>,
    moves: Vec<DVec3>,
}

impl<'c> Tracks<'c> {
    fn new(channels: &'c [Vec<Channel>], motion: &mut Motion) -> Self {
        let keys = |joint: &elbowroom_motion::body::Joint| Keys {
            offset: joint.rest.translation,
            is_root: joint.parent.is_none(),
            turns: Vec::new(),
            moves: Vec::new(),
        };
        let joints: Vec<Keys> = motion.rig.skeleton.joints().iter().map(keys).collect();
        let moved = channels.iter().zip(&joints).filter(|(channels, keys)| {
            !keys.is_root && channels.iter().any(|channel| matches!(channel, Channel::Position(_)))
        });
        let moved = moved.count();
        if moved > 0 {
            motion.notes.push(format!(
                "{} below the root have position channels; they are read in the place of their offsets",
                counted(moved, "joint", "joints")
            ));
        }
        Self { channels, joints }
    }

    fn frame(
        &mut self,
        words: &mut Words<'_>,
        size: usize,
        frame: usize,
        frames: usize,
    ) -> Result<(), Fault> {
        for (keys, channels) in self.joints.iter_mut().zip(self.channels) {
            let (mut turn, mut position) = (DQuat::IDENTITY, keys.offset);
            let (mut turns, mut moves) = (false, false);
            for channel in channels {
                let value = value(words, size, frame, frames)?;
                match *channel {
                    Channel::Rotation(axis) => {
                        turn *= about(DVec3::AXES[axis], value.to_radians());
                        turns = true;
                    }
                    Channel::Position(axis) => {
                        position[axis] =
                            if keys.is_root { keys.offset[axis] + value } else { value };
                        moves = true;
                    }
                }
            }
            if turns {
                keys.turns.push(turn.normalize());
            }
            if moves {
                keys.moves.push(position);
            }
        }
        Ok(())
    }

    /// The average turn from frame 0 to frame 1, where frame 0 is a rest pose put in front.
    fn rest_frame(&self, frames: usize) -> Option<f64> {
        if frames < 3 {
            return None;
        }
        let step =
            |from: usize| self.average_turn(|keys| Some((keys.get(from)?, keys.get(from + 1)?)));
        let from_rest = self.average_turn(|keys| Some((&DQuat::IDENTITY, keys.first()?)));
        let mut steps: Vec<f64> = (1..(frames - 1).min(REST_FRAMES)).map(step).collect();
        steps.sort_by(f64::total_cmp);
        let (jump, usual) = (step(0), steps[steps.len() / 2]);
        let stands_apart = jump > REST_TURN && jump > REST_RATIO * usual;
        (stands_apart && from_rest < REST_NEAR * jump).then_some(jump)
    }

    /// The turn between two rotations of a joint, on average over the joints that turn.
    fn average_turn(&self, pair: impl Fn(&[DQuat]) -> Option<(&DQuat, &DQuat)>) -> f64 {
        let turns = self.joints.iter().filter_map(|keys| pair(&keys.turns));
        let (sum, count) = turns
            .fold((0.0, 0), |(sum, count), (from, to)| (sum + from.angle_between(*to), count + 1));
        sum / f64::from(count.max(1))
    }

    fn finish(
        self,
        frames: usize,
        skip_rest_frame: bool,
        motion: &mut Motion,
    ) -> Result<(), Fault> {
        let skipped = match (motion.rest_frame, skip_rest_frame) {
            (Some(angle), skip) => {
                let end = if skip {
                    "it is left out"
                } else {
                    "it is kept, and can be left out by asking so"
                };
                motion.notes.push(format!(
                    "frame 0 is {:.0}° a joint from frame 1 and looks like a rest pose put in front; {end}",
                    angle.to_degrees()
                ));
                usize::from(skip)
            }
            (None, true) => {
                motion
                    .notes
                    .push("frame 0 is no rest pose put in front, so it was kept".to_owned());
                0
            }
            (None, false) => 0,
        };
        if frames == 0 {
            motion.notes.push("the file has no frames of motion".to_owned());
            return Ok(());
        }
        let secs = motion.frame_secs;
        // What is left out does not move the others in time: captures of one take stay in step.
        let times: Vec<f64> = (skipped..frames).map(|frame| frame as f64 * secs).collect();
        let mut tracks = Vec::new();
        for (joint, keys) in self.joints.iter().enumerate() {
            let joint = JointId(joint as u32);
            let track = |target, values: Vec<f64>| Track {
                target,
                interpolation: Interpolation::Linear,
                times: times.clone(),
                values,
            };
            if !keys.moves.is_empty() {
                let values = keys.moves[skipped..].iter().flat_map(DVec3::to_array).collect();
                tracks.push(track(Target::Translation(joint), values));
            }
            if !keys.turns.is_empty() {
                let values = keys.turns[skipped..].iter().flat_map(DQuat::to_array).collect();
                tracks.push(track(Target::Rotation(joint), values));
            }
        }
        let clip = Clip::new("motion".to_owned(), tracks)
            .map_err(|error| Fault::whole(error.to_string()))?;
        motion.rig.clips.push(clip.with_fps(rate::of_step(secs, frames)));
        Ok(())
    }
}

fn value(words: &mut Words<'_>, size: usize, frame: usize, frames: usize) -> Result<f64, Fault> {
    let Some(word) = words.next() else {
        let message = format!(
            "the file ends in frame {} of {}; it is truncated or the number of frames is wrong",
            grouped(frame as u64 + 1),
            grouped(frames as u64)
        );
        return Err(Fault::at(size, message));
    };
    parse_f64(word.bytes).filter(|value| value.is_finite()).ok_or_else(|| {
        let message = format!("{} in frame {frame} is not a finite number", quote(word.bytes));
        Fault::at(word.offset, message)
    })
}
