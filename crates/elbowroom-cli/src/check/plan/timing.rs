//! Which frames of a shot there are, what they are called, and when they are.
//!
//! Frame n is at n / fps seconds of the files' time. `--first-frame` calls the first frame
//! otherwise, and a shot that begins before time 0 is numbered from 0, for numbers are not below
//! it; seconds stay those of the files.

use elbowroom_io::rate::{USUAL_FPS, frame_span};
use elbowroom_io::{Doubt, Plays};
use elbowroom_motion::scene::Timing;

use crate::args::CheckArgs;
use crate::frames::Frames;
use crate::messages::{Refusal, short};

/// The most frames that are examined at once: a day at 30 a second and more.
const MOST_FRAMES: f64 = 4_000_000.0;

/// The largest number that a frame is given by its time.
const MOST_NUMBER: f64 = 1e9;

/// The frames from the earliest motion's beginning to the latest one's end; one frame at time 0 if
/// nothing moves.
pub(super) fn of_span(
    span: Option<[f64; 2]>,
    fps: Option<f64>,
    args: &CheckArgs,
) -> Result<Timing, Vec<String>> {
    let fps = fps.or(args.fps).unwrap_or(USUAL_FPS);
    let [from, to] = span.unwrap_or_default();
    let (first, last) = frame_span(from, to, fps);
    if last - first > MOST_FRAMES && args.frames.is_none() {
        return Err(vec![format!(
            "the motions take {} frames at {fps} per second; choose some with --frames",
            last - first + 1.0
        )]);
    }
    // Numbers count from 0 where times would lead out of their range.
    let zero = if (0.0..MOST_NUMBER).contains(&first) { 0.0 } else { -first };
    #[expect(clippy::cast_sign_loss, reason = "they are not below 0")]
    let [first, last] = [first + zero, (last + zero).min(MOST_NUMBER)].map(|frame| frame as u32);
    Ok(Timing { fps, first, last, zero: zero as i64 })
}

/// All frames by the numbers that are asked for, and those of them that are to be examined.
pub(super) fn numbered(timing: Timing, args: &CheckArgs) -> Result<(Timing, Frames), Refusal> {
    let mut all = timing;
    if let Some(first) = args.first_frame {
        let last = first.checked_add(timing.last - timing.first).filter(|&last| last < u32::MAX);
        let Some(last) = last else {
            return Err(Refusal {
                problems: vec![format!(
                    "--first-frame {first} is too large: the last frame would have no number"
                )],
                hint: "nothing was examined; give a smaller number".to_owned(),
            });
        };
        let zero = timing.zero + i64::from(first) - i64::from(timing.first);
        all = Timing { first, last, zero, ..timing };
    }
    let frames = args.frames.unwrap_or(Frames::all(all.first, all.last));
    Ok((all, frames))
}

/// Says which frames there are where it is not plain, and what is doubtful about them.
pub(super) fn look(
    args: &CheckArgs,
    numbers: (Timing, Frames),
    (plays, is_endless): (&[Option<Plays>], bool),
    notes: &mut Vec<String>,
    doubts: &mut Vec<Doubt>,
) {
    let (whole, frames) = numbers;
    let mut doubt = |text: String| doubts.push(Doubt { kind: "time", text });
    let [first, last, _] = frames.range();
    let secs = |frame: u32| format!("{:.3} s", whole.secs(frame));
    let moves = plays.iter().flatten().any(|plays| plays.span[1] > plays.span[0]);
    if moves && (whole.first != 0 || whole.zero != 0) {
        notes.push(format!(
            "frames {first} to {last} are examined, {} to {} of the files' time at {} per second",
            secs(first),
            secs(last),
            short(whole.fps)
        ));
    }
    if moves && frames.len() == 1 && args.frames.is_none() {
        doubt("only one frame is examined, because the motion is shorter than a frame; give a higher --fps".to_owned());
    }
    if moves && first <= whole.last && last > whole.last && !is_endless {
        doubt(format!(
            "frames {} to {last} are behind the end of all motions: everything holds still there",
            whole.last + 1
        ));
    }
    if moves && (first > whole.last || last < whole.first) {
        doubt(format!(
            "frames {first} to {last} are outside of the motions, which take frames {} to {}: everything holds still there",
            whole.first, whole.last
        ));
    }
}
