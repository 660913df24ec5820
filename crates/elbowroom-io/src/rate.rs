//! The frame rate of a clip, and which frames of the timeline it covers.
//!
//! FBX gives a rate. Other files hold times, not rates, rounded to f32 and often with keys left out
//! where nothing moves. Their rate is the one on which all keys lie: that of the track with the
//! most keys if they are at equal steps, else a usual rate of cameras and programs. Where there is
//! none, [`USUAL_FPS`] is assumed, and the caller states it.
//!
//! Key times are absolute: frame n of a clip is at n / fps seconds of its file, whatever its first
//! key.

use elbowroom_motion::body::Clip;

/// Rates that programs write.
const USUAL: [f64; 12] =
    [30.0, 24.0, 25.0, 60.0, 120.0, 12.0, 15.0, 48.0, 50.0, 90.0, 100.0, 240.0];

/// Keys as dense as this are frames.
const DENSE: f64 = 12.0;

/// Keys that are less dense than this are poses between which a program interpolates, at no rate of
/// their own.
const SPARSE: f64 = 5.0;

/// Frames in a second where a file does not show any.
pub const USUAL_FPS: f64 = 30.0;

/// How far a key may be from its frame, in frames.
const TOLERANCE: f64 = 0.02;

/// A frame rate, and how many frames a clip has at it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// Frames in a second.
    pub fps: f64,
    /// The number of frames from the first key to the last.
    pub frames: usize,
}

/// The most keys that a track of the clip has.
pub fn most_keys(clip: &Clip) -> usize {
    clip.tracks().iter().map(|track| track.times.len()).max().unwrap_or(0)
}

/// The rate that the file gives, else the one on which all keys lie; `None` if there is no such
/// rate, or the clip has no length.
pub fn rate(clip: &Clip) -> Option<Rate> {
    if let Some(fps) = clip.fps() {
        return Some(Rate { fps, frames: frames(clip.seconds(), fps) });
    }
    let most = clip.tracks().iter().max_by_key(|track| track.times.len())?;
    let seconds = most.times.last()? - most.times.first()?;
    if seconds <= 0.0 {
        return None;
    }
    let own = (most.times.len() - 1) as f64 / seconds;
    // Keys at 29.99999 a second are rounded times of 30.
    let near = USUAL.into_iter().filter(|usual| (own / usual - 1.0).abs() < 1e-4);
    let dense = Some(own).filter(|&own| own >= DENSE);
    let even = Some(own).filter(|&own| own >= SPARSE);
    let mut rates = near.chain(dense).chain(USUAL).chain(even);
    let fitting = rates.find(|&fps| fps.is_finite() && fits(clip, fps))?;
    Some(Rate { fps: fitting, frames: frames(clip.seconds(), fitting) })
}

/// The frame rate, given the seconds between frames in a file: a usual rate if the seconds were
/// rounded and all frames still fit, such as 120 for 0.0083333 s.
pub fn of_step(secs: f64, frames: usize) -> f64 {
    let own = secs.recip();
    let drift = |usual: f64| (own / usual - 1.0).abs() * frames as f64;
    USUAL.into_iter().find(|&usual| drift(usual) < TOLERANCE).unwrap_or(own)
}

/// The rate of a clip, or the usual one.
pub fn rate_or_usual(clip: &Clip) -> f64 {
    rate(clip).map_or(USUAL_FPS, |rate| rate.fps)
}

/// Whether every key is at a frame.
fn fits(clip: &Clip, fps: f64) -> bool {
    let off = |time: &f64| {
        let frame = (time - clip.start()) * fps;
        // Times are f32 in most files.
        let rounding = time.abs() * f64::from(f32::EPSILON) * fps;
        (frame - frame.round()).abs() > TOLERANCE + rounding
    };
    fps > 0.0 && !clip.tracks().iter().flat_map(|track| &track.times).any(off)
}

/// The numbers of the first and the last frame of a stretch of the timeline. The first is at its
/// beginning or before, and the last at its end or behind it, so that nothing of it is left out: a
/// clip holds its last moment.
pub fn frame_span(from_secs: f64, to_secs: f64, fps: f64) -> (f64, f64) {
    let first = (from_secs * fps + TOLERANCE).floor();
    let last = (to_secs * fps - TOLERANCE).ceil();
    (first, last.max(first))
}

/// The number of frames in a time, with its first and its last.
#[expect(clippy::cast_sign_loss, reason = "seconds of a clip are not negative")]
pub fn frames(seconds: f64, fps: f64) -> usize {
    (seconds * fps + TOLERANCE).floor() as usize + 1
}

#[cfg(test)]
mod tests {
    use elbowroom_motion::body::{Interpolation, JointId, Target, Track};

    use super::*;

    fn clip(times: &[&[f64]]) -> Clip {
        let track = |(joint, times): (usize, &&[f64])| Track {
            target: Target::Scale(JointId(joint as u32)),
            interpolation: Interpolation::Step,
            times: times.to_vec(),
            values: vec![1.0; 3 * times.len()],
        };
        Clip::new("c".into(), times.iter().enumerate().map(track).collect()).unwrap()
    }

    #[test]
    fn rates_are_found() {
        let singles: Vec<f64> =
            (0..5000).map(|i| f64::from((f64::from(i) / 120.0) as f32)).collect();
        assert_eq!(rate(&clip(&[&singles])), Some(Rate { fps: 120.0, frames: 5000 }));
        // Two keys an even number of seconds apart are no frames.
        assert_eq!(rate(&clip(&[&[1.0, 3.0]])), Some(Rate { fps: 30.0, frames: 61 }));
        // Keys are missing, and 24 is the first usual rate that has all of them.
        let sparse = [0.0, 1.0 / 24.0, 1.0];
        assert_eq!(rate(&clip(&[&sparse])), Some(Rate { fps: 24.0, frames: 25 }));
        let own = [0.0, 1.0 / 7.0, 2.0 / 7.0];
        assert!(rate(&clip(&[&own])).is_some_and(|rate| (rate.fps - 7.0).abs() < 1e-9));
        assert_eq!(rate(&clip(&[&[0.0, 0.1, 0.234_567]])), None);
        assert_eq!(rate(&clip(&[&[0.0]])), None);
        assert_eq!(rate(&clip(&[])), None);
        assert_eq!((frames(2.0, 30.0), frames(0.0, 30.0), frames(0.9, 1.0)), (61, 1, 1));
        assert_eq!((of_step(0.008_333_3, 4000), of_step(0.1, 9)), (120.0, 10.0));
        assert_eq!(of_step(0.008_333_3, 9000), 1.0 / 0.008_333_3);
        let given = clip(&[&[0.0, 0.1, 0.234_567]]).with_fps(24.0);
        assert_eq!(rate(&given), Some(Rate { fps: 24.0, frames: 6 }));
    }

    #[test]
    fn frames_are_numbered_from_time_zero() {
        let third = f64::from(1.0_f32 / 30.0);
        assert_eq!(frame_span(third, 2.0, 30.0), (1.0, 60.0));
        assert_eq!(frame_span(1001.0 / 24.0, 1100.0 / 24.0, 24.0), (1001.0, 1100.0));
        // Between two frames, a stretch begins with the earlier one and ends with the later one.
        assert_eq!(frame_span(0.05, 0.09, 30.0), (1.0, 3.0));
        assert_eq!(frame_span(0.05, 0.05, 30.0), (1.0, 2.0));
        assert_eq!(frame_span(-0.5, 0.0, 30.0), (-15.0, 0.0));
    }
}
