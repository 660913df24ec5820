//! Clips as animations.

use std::collections::HashMap;

use elbowroom_motion::body::{Clip, Interpolation, Rig, Target, Track};
use glam::DQuat;
use serde_json::{Value, json};

use super::WriteError;
use super::bin::{Bin, Use, single};

/// The animations of a rig whose joints begin at node `first`; `holders` are the nodes of its
/// parts.
pub(super) fn animations(
    rig: &Rig,
    first: usize,
    holders: &[usize],
    bin: &mut Bin,
) -> Result<Vec<Value>, WriteError> {
    let moving = rig.clips.iter().filter(|clip| !clip.tracks().is_empty());
    moving.map(|clip| animation(clip, first, holders, bin)).collect()
}

fn animation(
    clip: &Clip,
    first: usize,
    holders: &[usize],
    bin: &mut Bin,
) -> Result<Value, WriteError> {
    // Of two tracks with one target the later one wins, and glTF wants one only.
    let last: HashMap<Target, usize> =
        clip.tracks().iter().enumerate().map(|(index, track)| (track.target, index)).collect();
    let winning = clip.tracks().iter().enumerate().filter(|(i, track)| last[&track.target] == *i);
    let (mut channels, mut samplers) = (Vec::new(), Vec::new());
    for (index, track) in winning {
        let place = format!("clip {:?}, track {index}", clip.name());
        let (node, path) = match track.target {
            Target::Translation(joint) => (first + joint.index(), "translation"),
            Target::Rotation(joint) => (first + joint.index(), "rotation"),
            Target::Scale(joint) => (first + joint.index(), "scale"),
            Target::Weights(part) => (holders[part as usize], "weights"),
        };
        channels.push(json!({
            "sampler": samplers.len(),
            "target": { "node": node, "path": path },
        }));
        samplers.push(sampler(track, clip.start().min(0.0), bin, &place)?);
    }
    Ok(json!({ "name": clip.name(), "channels": channels, "samplers": samplers }))
}

fn sampler(track: &Track, start: f64, bin: &mut Bin, place: &str) -> Result<Value, WriteError> {
    let (skipped, times) = rising(track, start, place)?;
    let per_key = track.values.len() / track.times.len();
    let values = unit_rotations(track);
    let values: Vec<f32> = values[skipped * per_key..]
        .iter()
        .map(|&value| single(value, place))
        .collect::<Result<_, _>>()?;
    // A spline has two keys at least; a single one stands still.
    let (name, values) = match track.interpolation {
        Interpolation::Cubic if times.len() == 1 => {
            ("STEP", values[per_key / 3..2 * per_key / 3].to_vec())
        }
        Interpolation::Cubic => ("CUBICSPLINE", values),
        Interpolation::Linear => ("LINEAR", values),
        Interpolation::Step => ("STEP", values),
    };
    let shape = match track.target {
        Target::Translation(_) | Target::Scale(_) => "VEC3",
        Target::Rotation(_) => "VEC4",
        Target::Weights(_) => "SCALAR",
    };
    let input = bin.times(&times);
    let output = bin.floats(shape, Use::Data, &values, false);
    Ok(json!({ "input": input, "interpolation": name, "output": output }))
}

/// The number of keys that had no room, and the times of a track counted from `start`, rising and
/// not negative, of all others.
fn rising(track: &Track, start: f64, place: &str) -> Result<(usize, Vec<f32>), WriteError> {
    let mut times: Vec<f32> =
        track.times.iter().map(|&time| single(time - start, place)).collect::<Result<_, _>>()?;
    for key in (1..times.len()).rev() {
        if times[key - 1] >= times[key] {
            times[key - 1] = times[key].next_down();
        }
    }
    let skipped = times.iter().take_while(|&&time| time < 0.0).count();
    Ok((skipped, times.split_off(skipped)))
}

/// The values of a track, its rotations at length one, as the standard wants them.
fn unit_rotations(track: &Track) -> Vec<f64> {
    let mut values = track.values.clone();
    if !matches!(track.target, Target::Rotation(_)) {
        return values;
    }
    let cubic = track.interpolation == Interpolation::Cubic;
    for (place, value) in values.chunks_exact_mut(4).enumerate() {
        if !cubic || place % 3 == 1 {
            let rotation = super::unit(DQuat::from_slice(value));
            value.copy_from_slice(&rotation.to_array());
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use elbowroom_motion::body::JointId;

    #[test]
    fn times_rise_in_f32() {
        let track = |times: &[f64]| Track {
            target: Target::Scale(JointId(0)),
            interpolation: Interpolation::Step,
            times: times.to_vec(),
            values: vec![1.0; 3 * times.len()],
        };
        let (skipped, times) = rising(&track(&[1.0, 1.0, 1.0 + 1e-12, 2.0]), 0.0, "").unwrap();
        assert_eq!(skipped, 0);
        assert!(times.is_sorted_by(|a, b| a < b) && times[2] == 1.0 && times[0] > 0.999_999);
        let (skipped, times) = rising(&track(&[0.0, 0.0, 1.0]), 0.0, "").unwrap();
        assert_eq!((skipped, times), (1, vec![0.0, 1.0]));
        assert_eq!(rising(&track(&[-1.0, 1.0]), -1.0, "").unwrap().1, [0.0, 2.0]);
    }
}
