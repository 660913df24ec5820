//! The rate of a clip's keys, and where a frame of it is.
//!
//! Files hold times, not rates, rounded to f32 and often with keys left out where nothing moves. The rate is the one on which all keys lie:
//! that of the track with the most keys if they are at equal steps, else a usual rate of cameras and programs.

use elbowroom::body::Clip;

/// Rates that programs write.
const USUAL: [f64; 12] =
    [24.0, 25.0, 30.0, 60.0, 120.0, 12.0, 15.0, 48.0, 50.0, 90.0, 100.0, 240.0];

/// How far a key may be from its frame, in frames.
const TOLERANCE: f64 = 0.02;

/// Frames in a second, and how many there are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rate {
    pub(crate) fps: f64,
    pub(crate) frames: usize,
}

/// The most keys that a track of the clip has.
pub(crate) fn most_keys(clip: &Clip) -> usize {
    clip.tracks().iter().map(|track| track.times.len()).max().unwrap_or(0)
}

/// The rate on which all keys lie; none if there is no such rate, or nothing moves.
pub(crate) fn rate(clip: &Clip) -> Option<Rate> {
    let most = clip.tracks().iter().max_by_key(|track| track.times.len())?;
    let seconds = most.times.last()? - most.times.first()?;
    if seconds <= 0.0 {
        return None;
    }
    let own = (most.times.len() - 1) as f64 / seconds;
    // Keys at 29.99999 a second are rounded times of 30.
    let near = USUAL.into_iter().filter(|usual| (own / usual - 1.0).abs() < 1e-4);
    let fitting = near.chain([own]).chain(USUAL).find(|&fps| fps.is_finite() && fits(clip, fps))?;
    Some(Rate { fps: fitting, frames: frames(clip.seconds(), fitting) })
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

/// How many frames a time holds, with its first and its last.
#[expect(clippy::cast_sign_loss, reason = "seconds of a clip are not negative")]
pub(crate) fn frames(seconds: f64, fps: f64) -> usize {
    (seconds * fps + TOLERANCE).floor() as usize + 1
}

#[cfg(test)]
mod tests {
    use elbowroom::body::{Interpolation, JointId, Target, Track};

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
        // Keys are missing, and 24 is the first usual rate that has all of them.
        let sparse = [0.0, 1.0 / 24.0, 1.0];
        assert_eq!(rate(&clip(&[&sparse])), Some(Rate { fps: 24.0, frames: 25 }));
        let own = [0.0, 1.0 / 7.0, 2.0 / 7.0];
        assert!(rate(&clip(&[&own])).is_some_and(|rate| (rate.fps - 7.0).abs() < 1e-9));
        assert_eq!(rate(&clip(&[&[0.0, 0.1, 0.234_567]])), None);
        assert_eq!(rate(&clip(&[&[0.0]])), None);
        assert_eq!(rate(&clip(&[])), None);
        assert_eq!((frames(2.0, 30.0), frames(0.0, 30.0), frames(0.9, 1.0)), (61, 1, 1));
    }
}
