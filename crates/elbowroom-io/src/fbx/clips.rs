//! Animation stacks as clips: their curves and layers baked to straight lines at the file's rate.

use std::collections::HashMap;

use elbowroom_motion::body::{Clip, Interpolation, JointId, Target, Track};
use ufbx::{
    AnimCurve, AnimStack, BakeOpts, BakeStepHandling, BakedElement, BakedNode, BakedVec3,
    Extrapolation, ExtrapolationMode, Scene,
};

use crate::error::Fault;
use crate::odd::{LEFT_OUT, Notes, too_large};
use crate::text::quote;

use super::morphs::{Channel, Mover};
use super::parts::Parts;
use super::{Budget, limited};

/// How many pieces one segment between two keys may be baked to: two minutes at 30 frames a second.
const MOST_PIECES: usize = 3600;

/// All stacks of the file, of which the one with that name is active; point caches play in each,
/// and by themselves if there is none.
pub(super) fn read(
    scene: &Scene,
    active: Option<&[u8]>,
    parts: &Parts,
    budget: &mut Budget,
    notes: &mut Notes,
) -> Result<Vec<Clip>, Fault> {
    let mut clips = Vec::new();
    for stack in &scene.anim_stacks {
        let is_active = active == Some(stack.element.name.as_bytes());
        let clip = clip(scene, stack, parts, budget)?.with_active(is_active);
        if clip.seconds() == 0.0 && has_lost_keys(stack) {
            let name = quote(stack.element.name.as_bytes());
            notes.add(|| {
                format!("animation stack {name} has keys but a length of 0 s, so that its motion is {LEFT_OUT}; export it again with a time range")
            });
        }
        if goes_on(stack) {
            let name = quote(stack.element.name.as_bytes());
            notes.add(|| {
                format!("animation stack {name} goes on beyond the keys of its curves (extrapolation), and that is {LEFT_OUT}; bake the motion and export it again")
            });
        }
        clips.push(clip);
    }
    if clips.is_empty() {
        let mut tracks = Vec::new();
        add_morphs(&HashMap::new(), parts, &mut tracks, budget)?;
        if !tracks.is_empty() {
            let clip = Clip::new("cache".to_owned(), tracks);
            clips.push(clip.map_err(|error| Fault::whole(format!("the point cache: {error}")))?);
        }
    }
    Ok(clips)
}

/// Whether a stack says that it has no length while its curves move something.
fn has_lost_keys(stack: &AnimStack) -> bool {
    let moves =
        |curve: &AnimCurve| curve.max_time > curve.min_time && curve.max_value > curve.min_value;
    let values = (&stack.layers).into_iter().flat_map(|layer| &layer.anim_values);
    let mut curves = values.flat_map(|value| value.curves.iter().flatten());
    stack.time_end <= stack.time_begin && curves.any(|curve| moves(curve))
}

/// Whether curves repeat or go on in the time of the stack before their first keys or after their
/// last.
fn goes_on(stack: &AnimStack) -> bool {
    let is_held = |of: &Extrapolation| of.mode == ExtrapolationMode::Constant;
    let goes_on = |curve: &AnimCurve| {
        curve.max_value > curve.min_value
            && ((!is_held(&curve.pre_extrapolation) && stack.time_begin < curve.min_time)
                || (!is_held(&curve.post_extrapolation) && stack.time_end > curve.max_time))
    };
    let values = (&stack.layers).into_iter().flat_map(|layer| &layer.anim_values);
    values.flat_map(|value| value.curves.iter().flatten()).any(|curve| goes_on(curve))
}

fn clip(
    scene: &Scene,
    stack: &AnimStack,
    parts: &Parts,
    budget: &mut Budget,
) -> Result<Clip, Fault> {
    let name = stack.element.name.to_string();
    let place = format!("animation stack {}", quote(name.as_bytes()));
    let limit = limited(budget.left);
    let given = Some(scene.settings.frames_per_second).filter(|rate| (1.0..=1000.0).contains(rate));
    let rate = given.unwrap_or(30.0);
    let opts = BakeOpts {
        temp_allocator: limit(),
        result_allocator: limit(),
        resample_rate: rate,
        minimum_sample_rate: rate,
        max_keyframe_segments: MOST_PIECES,
        step_handling: BakeStepHandling::IdenticalTime,
        ..BakeOpts::default()
    };
    let baked = ufbx::bake_anim(scene, &stack.anim, opts).map_err(|error| match error.type_ {
        ufbx::ErrorType::MemoryLimit | ufbx::ErrorType::AllocationLimit => too_large(budget.limit),
        _ => Fault::whole(format!(
            "{place} cannot be read ({}); export the file again",
            &*error.description
        )),
    })?;
    budget.spend(baked.metadata.result_memory_used)?;
    let mut tracks = Vec::new();
    for node in &*baked.nodes {
        add_node(scene, node, &mut tracks);
    }
    add_morphs(&moving(scene, &baked.elements), parts, &mut tracks, budget)?;
    let clip = Clip::new(name, tracks);
    let clip = clip.map_err(|error| Fault::whole(format!("{place}: {error}")))?;
    Ok(match given {
        Some(fps) => clip.with_fps(fps),
        None => clip,
    })
}

/// Adds the tracks of a node, without those that only say what it does at rest.
fn add_node(scene: &Scene, node: &BakedNode, tracks: &mut Vec<Track>) {
    let joint = JointId(node.typed_id);
    let rest = &scene.nodes[node.typed_id as usize].local_transform;
    let vector = |v: ufbx::Vec3| [v.x, v.y, v.z];
    let turn = |q: ufbx::Quat| [q.x, q.y, q.z, q.w];
    let moved = node.translation_keys.iter().map(|key| (key.time, vector(key.value)));
    let turned = node.rotation_keys.iter().map(|key| (key.time, turn(key.value)));
    let sized = node.scale_keys.iter().map(|key| (key.time, vector(key.value)));
    tracks.extend(track(Target::Translation(joint), moved, vector(rest.translation)));
    tracks.extend(track(Target::Rotation(joint), turned, turn(rest.rotation)));
    tracks.extend(track(Target::Scale(joint), sized, vector(rest.scale)));
}

fn track<const N: usize>(
    target: Target,
    keys: impl Iterator<Item = (f64, [f64; N])>,
    rest: [f64; N],
) -> Option<Track> {
    let (mut times, mut values) = (Vec::new(), Vec::new());
    let mut moves = false;
    for (time, value) in keys {
        moves |= value != rest;
        times.push(time);
        values.extend(value);
    }
    moves.then_some(Track { target, interpolation: Interpolation::Linear, times, values })
}

/// The keys of blend channels. Files before version 6 have them at the mesh, each under the name of
/// its channel.
fn moving<'b>(scene: &Scene, elements: &'b [BakedElement]) -> HashMap<u32, &'b [BakedVec3]> {
    let mut moving: HashMap<u32, &[BakedVec3]> = HashMap::new();
    for element in elements {
        let percent = element.props.iter().find(|prop| &*prop.name == "DeformPercent");
        moving.extend(percent.map(|prop| (element.element_id, &*prop.keys)));
    }
    let baked: HashMap<u32, &BakedElement> =
        elements.iter().map(|element| (element.element_id, element)).collect();
    for mesh in &scene.meshes {
        let Some(own) = baked.get(&mesh.element.element_id) else { continue };
        let channels = (&mesh.blend_deformers).into_iter().flat_map(|deformer| &deformer.channels);
        for channel in channels {
            let prop = own.props.iter().find(|prop| *prop.name == *channel.element.name);
            if let Some(prop) = prop {
                moving.entry(channel.element.element_id).or_insert(&*prop.keys);
            }
        }
    }
    moving
}

/// Adds a track for each part whose blend channels or caches move: all its morphs at all times at
/// which one of them bends.
fn add_morphs(
    moving: &HashMap<u32, &[BakedVec3]>,
    parts: &Parts,
    tracks: &mut Vec<Track>,
    budget: &mut Budget,
) -> Result<(), Fault> {
    for (index, movers) in parts.movers.iter().enumerate() {
        let mut times: Vec<f64> = Vec::new();
        let mut moves = false;
        for mover in movers {
            match mover {
                Mover::Channel(channel) => {
                    let keys = moving.get(&channel.element).copied().unwrap_or_default();
                    moves |= !keys.is_empty();
                    add_times(channel, keys, &mut times);
                }
                Mover::Cache(cache) => {
                    moves = true;
                    times.extend_from_slice(&cache.times);
                }
            }
        }
        times.sort_by(f64::total_cmp);
        times.dedup();
        if !moves {
            continue;
        }
        let rest = &parts.parts[index].morph_weights;
        // Twice, for steps.
        budget.spend(times.len().saturating_mul(2 * (rest.len() + 1) * size_of::<f64>()))?;
        let row = |time: f64, side: Side| -> Vec<f64> {
            let mut row = Vec::with_capacity(rest.len());
            for mover in movers {
                match mover {
                    Mover::Cache(cache) => cache.weights(time, &mut row),
                    Mover::Channel(channel) => match moving.get(&channel.element) {
                        Some(keys) if !keys.is_empty() => {
                            channel.weights(weight(keys, time, side), &mut row);
                        }
                        _ => row.extend_from_slice(&rest[row.len()..][..channel.shapes()]),
                    },
                }
            }
            row
        };
        let (mut keys, mut values) = (Vec::new(), Vec::new());
        for time in times {
            let (before, after) = (row(time, Side::Before), row(time, Side::After));
            // A step is two keys at one time.
            for value in if before == after { vec![before] } else { vec![before, after] } {
                keys.push(time);
                values.extend(value);
            }
        }
        let target = Target::Weights(index as u32);
        tracks.push(Track { target, interpolation: Interpolation::Linear, times: keys, values });
    }
    Ok(())
}

/// The times of a channel's keys, and those at which it passes a shape in between.
fn add_times(channel: &Channel, keys: &[BakedVec3], times: &mut Vec<f64>) {
    times.extend(keys.iter().map(|key| key.time));
    for pair in keys.windows(2) {
        let (from, to) = (pair[0].value.x / 100.0, pair[1].value.x / 100.0);
        let at =
            |bend: f64| pair[0].time + (pair[1].time - pair[0].time) * (bend - from) / (to - from);
        times.extend(channel.bends(from, to).map(at));
    }
}

/// From which side a time is come to, which matters where a channel steps.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Before,
    After,
}

/// The weight of a channel at a time, of which the file tells hundredths.
fn weight(keys: &[BakedVec3], time: f64, side: Side) -> f64 {
    let passed = match side {
        Side::Before => keys.partition_point(|key| key.time < time),
        Side::After => keys.partition_point(|key| key.time <= time),
    };
    let (a, b) = (&keys[passed.saturating_sub(1)], &keys[passed.min(keys.len() - 1)]);
    let length = b.time - a.time;
    let fraction = if length > 0.0 { ((time - a.time) / length).clamp(0.0, 1.0) } else { 0.0 };
    (a.value.x + (b.value.x - a.value.x) * fraction) / 100.0
}
