//! Between the keys.
//!
//! A time lies at a key, between two, or beyond an end; at a key the value is the key's own, bit
//! for bit (rotations brought to length one). Of several keys at one time the last counts.
//!
//! Great arcs are Shoemake's slerp (Animating rotation with quaternion curves, 1985), the shorter
//! way round. We take the angle from the chord by an arc tangent, which keeps all digits for small
//! angles, where the usual arc cosine loses half of them. Sines and arc tangents come from the
//! `libm` crate, so that every machine gets the same bits.

use glam::{DQuat, DVec3};

use super::clip::{Clip, Interpolation, Target, Track};
use super::clip_error::{ClipError, ClipErrorKind};
use super::local::unit;

/// Where a time lies among the keys.
struct Span {
    key: usize,
    /// How far on towards the next key, in 0..1; 0 at the key itself and beyond the ends.
    fraction: f64,
    /// From the key to the next.
    seconds: f64,
}

fn span(times: &[f64], time: f64) -> Span {
    let after = after(times, time);
    let key = after.saturating_sub(1);
    if after == 0 || after == times.len() {
        return Span { key, fraction: 0.0, seconds: 0.0 };
    }
    let seconds = times[after] - times[key];
    Span { key, fraction: (time - times[key]) / seconds, seconds }
}

/// How many keys are not after a time. NaN is after no key, and so gives 0.
fn after(times: &[f64], time: f64) -> usize {
    let (first, last) = (times[0], times[times.len() - 1]);
    // Most clips have their keys at equal steps: where those say is tried first.
    let guess = (time - first) / (last - first) * (times.len() - 1) as f64;
    if guess >= 0.0 && guess < times.len() as f64 {
        // The rounding of the product may be on the wrong side of a key, so the next one is tried
        // as well.
        #[expect(clippy::cast_sign_loss, reason = "not negative, see above")]
        let key = guess as u32 as usize;
        for key in key.saturating_sub(1)..(key + 2).min(times.len() - 1) {
            if times[key] <= time && time < times[key + 1] {
                return key + 1;
            }
        }
    }
    times.partition_point(|&key| key <= time)
}

/// Times of keys are f32 in most files: a frame this much before a key is at it, in seconds. Of a
/// shot of twenty minutes the rounding is 6e-5 s, and a frame is never so short.
const ROUNDED: f64 = 1e-4;

/// One number of a value between two keys; not for linear rotations.
#[inline]
fn component(track: &Track, span: &Span, width: usize, i: usize) -> f64 {
    let value = |block: usize| track.values[block * width + i];
    let (key, u) = (span.key, span.fraction);
    match track.interpolation {
        // A key that f32 rounded up is reached by the frame that it was set for.
        Interpolation::Step if u > 0.0 && (1.0 - u) * span.seconds < ROUNDED => value(key + 1),
        Interpolation::Step => value(key),
        Interpolation::Linear if u == 0.0 => value(key),
        Interpolation::Linear => (1.0 - u) * value(key) + u * value(key + 1),
        Interpolation::Cubic if u == 0.0 => value(3 * key + 1),
        Interpolation::Cubic => {
            let (u2, u3) = (u * u, u * u * u);
            let (from, to) = (value(3 * key + 1), value(3 * key + 4));
            let (out, into) = (value(3 * key + 2), value(3 * key + 3));
            (2.0 * u3 - 3.0 * u2 + 1.0) * from
                + span.seconds * (u3 - 2.0 * u2 + u) * out
                + (3.0 * u2 - 2.0 * u3) * to
                + span.seconds * (u3 - u2) * into
        }
    }
}

/// A translation or scale at a time.
pub(super) fn vector(track: &Track, time: f64) -> DVec3 {
    let span = span(&track.times, time);
    DVec3::from_array([0, 1, 2].map(|i| component(track, &span, 3, i)))
}

/// A rotation at a time, of length one.
pub(super) fn rotation(track: &Track, time: f64) -> DQuat {
    let span = span(&track.times, time);
    if track.interpolation == Interpolation::Linear && span.fraction > 0.0 {
        let key = |key: usize| {
            let q = &track.values[4 * key..][..4];
            unit(DQuat::from_xyzw(q[0], q[1], q[2], q[3]))
        };
        return slerp(key(span.key), key(span.key + 1), span.fraction);
    }
    unit(DQuat::from_array([0, 1, 2, 3].map(|i| component(track, &span, 4, i))))
}

/// Morph weights at a time, as many as `out` has room for.
pub(super) fn values(track: &Track, time: f64, out: &mut [f64]) {
    let (span, width) = (span(&track.times, time), track.width());
    for (i, out) in out.iter_mut().enumerate().take(width) {
        *out = component(track, &span, width, i);
    }
}

/// The rotation a fraction of the shorter way from one to another, both of length one.
pub(super) fn slerp(from: DQuat, to: DQuat, fraction: f64) -> DQuat {
    let to = if from.dot(to) < 0.0 { -to } else { to };
    // Twice the sine and twice the cosine of half the angle.
    let (across, along) = ((to - from).length(), (to + from).length());
    let angle = 2.0 * libm::atan2(across, along);
    // The chord is the arc to all digits here: they differ by the cube of the angle.
    if angle < 1e-6 {
        return unit(from * (1.0 - fraction) + to * fraction);
    }
    let (sin, cos) = libm::sincos(fraction * angle);
    // The sine of what is left is that of a difference, of which both sines and cosines are known.
    let (whole_sin, whole_cos) = (0.5 * across * along, 1.0 - 0.5 * across * across);
    unit((from * (whole_sin * cos - whole_cos * sin) + to * sin) / whole_sin)
}

/// A track with keys at the times given.
pub(super) fn resampled(track: &Track, times: &[f64]) -> Track {
    let width = track.width();
    let mut values = vec![0.0; width * times.len()];
    for (&time, out) in times.iter().zip(values.chunks_exact_mut(width)) {
        match track.target {
            Target::Rotation(_) => out.copy_from_slice(&rotation(track, time).to_array()),
            _ => self::values(track, time, out),
        }
    }
    let interpolation = match track.interpolation {
        Interpolation::Step => Interpolation::Step,
        Interpolation::Linear | Interpolation::Cubic => Interpolation::Linear,
    };
    Track { target: track.target, interpolation, times: times.to_vec(), values }
}

/// When the frames of a clip at a rate are; `numbers` is how many are stored for each.
pub(super) fn frame_times(clip: &Clip, fps: f64, numbers: usize) -> Result<Vec<f64>, ClipError> {
    if !(fps.is_finite() && fps > 0.0) {
        return Err(ClipErrorKind::BadRate { fps }.into());
    }
    let length = clip.seconds() * fps;
    if (length + 2.0) * numbers.max(1) as f64 > Clip::MOST_VALUES as f64 {
        return Err(ClipErrorKind::TooManyValues { fps }.into());
    }
    // A length of 0.999,999,9 frames is one that was rounded on the way.
    let frames = (length + 1e-6).floor();
    let mut times: Vec<f64> = std::iter::successors(Some(0.0), |frame| Some(frame + 1.0))
        .take_while(|&frame| frame <= frames)
        .map(|frame| (clip.start() + frame / fps).min(clip.end()))
        .collect();
    if length - frames > 1e-6 {
        times.push(clip.end());
    } else if let Some(last) = times.last_mut() {
        *last = clip.end();
    }
    Ok(times)
}
