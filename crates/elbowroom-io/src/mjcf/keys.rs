//! Keyframes: named poses, as clips of a single key.

use elbowroom_motion::body::{Clip, FreedomKind, Interpolation, JointId, Rig, Target, Track};

use super::built::Variable;
use super::model::Model;
use super::rigs::Home;
use super::tree::Files;
use crate::error::Fault;

/// Gives each rig a clip for every key of the model.
pub(super) fn read(
    model: &Model,
    variables: &[Variable],
    homes: &[Home],
    rigs: &mut [Rig],
    files: &Files,
) -> Result<(), Fault> {
    let width: usize = variables.iter().map(|variable| variable.kind.width()).sum();
    let keys = model.root.children("keyframe").flat_map(|frame| frame.children("key"));
    for (number, key) in keys.enumerate() {
        let Some(text) = key.attribute("qpos") else { continue };
        let qpos = files.numbers(key.place, "qpos", text)?;
        if width == 0 && !qpos.is_empty() {
            let message = "this key sets joints, and the model has none; read the model that includes this file";
            return Err(files.fault(key.place, message));
        }
        if qpos.len() != width {
            let found = qpos.len();
            let message = format!(
                "\"qpos\" of this key has {found} numbers, but the joints take {width} (hinge and slide 1, ball 4, free 7)"
            );
            return Err(files.fault(key.place, message));
        }
        let values = split(&qpos, variables, homes, rigs.len());
        let name = key.attribute("name").map_or_else(|| format!("key {number}"), str::to_owned);
        for (rig, values) in rigs.iter_mut().zip(values) {
            if rig.freedoms.is_empty() {
                continue;
            }
            let clip = clip(&name, rig, &values).map_err(|problem| {
                files.fault(key.place, format!("this key makes no pose: {problem}"))
            })?;
            rig.clips.push(clip);
        }
    }
    Ok(())
}

/// The values of each rig's freedoms, in their order of numbers.
fn split(qpos: &[f64], variables: &[Variable], homes: &[Home], rigs: usize) -> Vec<Vec<f64>> {
    let mut values = vec![Vec::new(); rigs];
    let mut rest = qpos;
    for variable in variables {
        let (own, behind) = rest.split_at(variable.kind.width());
        rest = behind;
        let out = &mut values[homes[variable.body].0];
        match (variable.kind, own) {
            (FreedomKind::Hinge | FreedomKind::Slide, &[value]) => {
                out.push(value - variable.reference);
            }
            // The real part comes first in the file, last in a rig.
            (FreedomKind::Ball, &[w, x, y, z]) => out.extend([x, y, z, w]),
            (FreedomKind::Free, &[tx, ty, tz, w, x, y, z]) => out.extend([tx, ty, tz, x, y, z, w]),
            _ => {}
        }
    }
    values
}

fn clip(name: &str, rig: &Rig, values: &[f64]) -> Result<Clip, String> {
    let pose = rig.pose_of(values).map_err(|error| error.to_string())?;
    let mut tracks = Vec::new();
    for (joint, local) in pose.locals.iter().enumerate() {
        let rest = &rig.skeleton.joints()[joint].rest;
        let joint = JointId(joint as u32);
        let track = |target, values| Track {
            target,
            interpolation: Interpolation::Step,
            times: vec![0.0],
            values,
        };
        if local.translation != rest.translation {
            tracks.push(track(Target::Translation(joint), local.translation.to_array().to_vec()));
        }
        if local.rotation != rest.rotation {
            tracks.push(track(Target::Rotation(joint), local.rotation.to_array().to_vec()));
        }
    }
    Clip::new(name.to_owned(), tracks).map_err(|error| error.to_string())
}
