//! Animations as clips: every channel a track, with the times and values of its sampler.

use elbowroom_motion::body::{Clip, Interpolation, JointId, Target, Track};

use crate::error::Fault;
use crate::odd::{LEFT_OUT, Notes};
use crate::text::quote;

use super::accessor::{Accessors, Wanted};
use super::parts::Parts;
use super::schema::{Animation, Channel, Sampler, named};

/// All animations of the file.
pub(super) fn read(
    accessors: &Accessors<'_>,
    parts: &Parts,
    notes: &mut Notes,
) -> Result<Vec<Clip>, Fault> {
    let animations = accessors.root.animations.iter().enumerate();
    animations.map(|(index, animation)| clip(index, animation, accessors, parts, notes)).collect()
}

fn clip(
    index: usize,
    animation: &Animation,
    accessors: &Accessors<'_>,
    parts: &Parts,
    notes: &mut Notes,
) -> Result<Clip, Fault> {
    let given = animation.name.clone().filter(|name| !name.is_empty());
    let name = given.unwrap_or_else(|| format!("clip_{index}"));
    let place = format!("animation {index} {}", quote(name.as_bytes()));
    let mut tracks = Vec::new();
    for (number, channel) in animation.channels.iter().enumerate() {
        let place = format!("channel {number} of {place}");
        let sampler = named(&animation.samplers, channel.sampler, ("sampler", "samplers"), &place)?;
        for target in targets(channel, accessors, parts, &place, notes)? {
            tracks.push(track(target, sampler, accessors, &place)?);
        }
    }
    Clip::new(name, tracks).map_err(|error| Fault::whole(format!("{place}: {error}")))
}

/// What a channel moves: nothing that we know, one joint, or the morphs of all parts of a node.
fn targets(
    channel: &Channel,
    accessors: &Accessors<'_>,
    parts: &Parts,
    place: &str,
    notes: &mut Notes,
) -> Result<Vec<Target>, Fault> {
    let Some(node) = channel.target.node else {
        match channel.target.pointer() {
            Some(pointer) if !is_of_looks(pointer) => notes.add(|| {
                let pointer = quote(pointer.as_bytes());
                format!("{place} moves {pointer} by KHR_animation_pointer and is {LEFT_OUT}")
            }),
            _ => notes.add(|| format!("{place} moves no node and was left out")),
        }
        return Ok(Vec::new());
    };
    accessors.root.node(node, place)?;
    let joint = JointId(node as u32);
    Ok(match channel.target.path.as_str() {
        "translation" => vec![Target::Translation(joint)],
        "rotation" => vec![Target::Rotation(joint)],
        "scale" => vec![Target::Scale(joint)],
        "weights" => {
            let morphing = parts.of_node(node).filter(|&part| !parts.parts[part].morphs.is_empty());
            morphing.map(|part| Target::Weights(part as u32)).collect()
        }
        other => {
            let path = quote(other.as_bytes());
            notes.add(|| format!("{place} moves {path}, which is not known, and is {LEFT_OUT}"));
            Vec::new()
        }
    })
}

/// Whether what a pointer leads to says how things look, not where they are.
fn is_of_looks(pointer: &str) -> bool {
    const LOOKS: [&str; 5] = ["materials", "cameras", "textures", "images", "extensions"];
    let first = pointer.trim_start_matches('/').split('/').next().unwrap_or_default();
    LOOKS.contains(&first)
}

fn track(
    target: Target,
    sampler: &Sampler,
    accessors: &Accessors<'_>,
    place: &str,
) -> Result<Track, Fault> {
    let interpolation = match sampler.interpolation.as_deref() {
        None | Some("LINEAR") => Interpolation::Linear,
        Some("STEP") => Interpolation::Step,
        Some("CUBICSPLINE") => Interpolation::Cubic,
        Some(other) => {
            let other = quote(other.as_bytes());
            return Err(Fault::whole(format!(
                "{place} interpolates by {other}, which does not exist; export the file again"
            )));
        }
    };
    let times = accessors.read(sampler.input, Wanted::TIME, &format!("times of {place}"))?;
    let wanted = match target {
        Target::Rotation(_) => Wanted::TURN,
        Target::Weights(_) => Wanted::WEIGHT,
        Target::Translation(_) | Target::Scale(_) => Wanted::POINT,
    };
    let values = accessors.read(sampler.output, wanted, &format!("values of {place}"))?;
    Ok(Track { target, interpolation, times, values })
}
