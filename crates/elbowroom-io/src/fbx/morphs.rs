//! Blend shapes and point caches as morphs.
//!
//! A blend channel may have shapes in between: at each weight the two nearest are mixed. Each shape
//! becomes a morph of its own, and the weight of a channel the weights of its morphs
//! ([`Channel::weights`]). The frames of a point cache become morphs that are in one after the
//! other.

use elbowroom_motion::body::{Morph, Part};
use glam::DVec3;
use ufbx::{BlendShape, CacheChannel, CacheInterpretation, GeometryCacheDataOpts};

use crate::error::Fault;
use crate::odd::{LEFT_OUT, Notes};

use super::files::Files;
use super::{Budget, vector};

/// What moves some morphs of a part, one after the other.
pub(super) enum Mover {
    Channel(Channel),
    Cache(Cache),
}

/// A blend channel: its element, and the weight at which each of its shapes is in fully, in rising
/// order.
pub(super) struct Channel {
    pub(super) element: u32,
    targets: Vec<f64>,
}

/// A point cache: when each of its frames is.
pub(super) struct Cache {
    pub(super) times: Vec<f64>,
}

impl Channel {
    /// The weights of the morphs at a weight of the channel: a straight line between the nearest
    /// two shapes, of which the one at zero is the mesh itself; beyond the last, the line goes
    /// on.
    pub(super) fn weights(&self, weight: f64, out: &mut Vec<f64>) {
        let start = out.len();
        out.resize(start + self.targets.len(), 0.0);
        // The targets with the mesh itself among them.
        let below = self.targets.partition_point(|&target| target < 0.0);
        let above = below + self.targets[below..].partition_point(|&target| target <= 0.0);
        let mut knots: Vec<(f64, Option<usize>)> = Vec::with_capacity(self.targets.len() + 1);
        knots.extend((0..below).map(|i| (self.targets[i], Some(i))));
        knots.push((0.0, None));
        knots.extend((above..self.targets.len()).map(|i| (self.targets[i], Some(i))));
        if knots.len() < 2 {
            return;
        }
        let next = knots.partition_point(|(target, _)| *target <= weight).clamp(1, knots.len() - 1);
        let ((low, before), (high, after)) = (knots[next - 1], knots[next]);
        let share = if high > low { (weight - low) / (high - low) } else { 1.0 };
        for (shape, share) in [(before, 1.0 - share), (after, share)] {
            if let Some(shape) = shape {
                out[start + shape] += share;
            }
        }
    }

    /// How many shapes it has.
    pub(super) fn shapes(&self) -> usize {
        self.targets.len()
    }

    /// Where between two weights the line bends: at every shape.
    pub(super) fn bends(&self, from: f64, to: f64) -> impl Iterator<Item = f64> {
        let (low, high) = (from.min(to), from.max(to));
        let is_between = move |target: &f64| low < *target && *target < high;
        self.targets.iter().copied().chain([0.0]).filter(is_between)
    }
}

impl Cache {
    /// The weights of the morphs at a time: a straight line between the nearest two frames; the
    /// first and the last hold.
    pub(super) fn weights(&self, time: f64, out: &mut Vec<f64>) {
        let start = out.len();
        let count = self.times.len();
        out.resize(start + count, 0.0);
        let next = self.times.partition_point(|&frame| frame <= time);
        if next == 0 || next == count {
            out[start + next.min(count - 1)] = 1.0;
            return;
        }
        let (low, high) = (self.times[next - 1], self.times[next]);
        let share = (time - low) / (high - low);
        out[start + next - 1] = 1.0 - share;
        out[start + next] = share;
    }
}

/// Adds the morphs of a mesh to a part: those of its point cache, or else of its blend channels.
pub(super) fn add(
    source: &ufbx::Mesh,
    part: &mut Part,
    files: &Files<'_>,
    place: &str,
    budget: &mut Budget,
    notes: &mut Notes,
) -> Result<Vec<Mover>, Fault> {
    if let Some(cache) = cache(source, part, files, place, budget, notes)? {
        return Ok(vec![Mover::Cache(cache)]);
    }
    let mut movers = Vec::new();
    for channel in (&source.blend_deformers).into_iter().flat_map(|deformer| &deformer.channels) {
        let mut keys: Vec<(f64, &BlendShape)> =
            channel.keyframes.iter().map(|key| (key.target_weight, &*key.shape)).collect();
        keys.retain(|(target, _)| target.is_finite() && *target != 0.0);
        keys.sort_by(|a, b| a.0.total_cmp(&b.0));
        if keys.is_empty() {
            continue;
        }
        let name = channel.element.name.to_string();
        for (_, shape) in &keys {
            let is_only = keys.len() == 1;
            let own = shape.element.name.to_string();
            let name = if is_only { name.clone() } else { format!("{name}: {own}") };
            part.morphs.push(Morph { name, offsets: offsets(shape, part, budget)? });
        }
        let targets = keys.into_iter().map(|(target, _)| target).collect();
        let channel_of = Channel { element: channel.element.element_id, targets };
        channel_of.weights(channel.weight, &mut part.morph_weights);
        movers.push(Mover::Channel(channel_of));
    }
    Ok(movers)
}

fn offsets(shape: &BlendShape, part: &Part, budget: &mut Budget) -> Result<Vec<DVec3>, Fault> {
    let vertices = part.mesh.vertices().len();
    budget.spend(vertices.saturating_mul(size_of::<DVec3>()))?;
    let mut offsets = vec![DVec3::ZERO; vertices];
    let moved = shape.offset_vertices.iter().zip(shape.position_offsets.iter());
    for (i, (&vertex, &offset)) in moved.enumerate() {
        if let Some(own) = offsets.get_mut(vertex as usize) {
            let share = shape.offset_weights.get(i).copied().unwrap_or(1.0);
            *own += vector(offset) * share;
        }
    }
    Ok(offsets)
}

fn channel_of(source: &ufbx::Mesh) -> Option<&CacheChannel> {
    let channels = (&source.cache_deformers).into_iter();
    let mut channels = channels.filter_map(|deformer| deformer.external_channel.as_deref());
    channels.find(|channel| {
        let is_place = matches!(
            channel.interpretation,
            CacheInterpretation::VertexPosition | CacheInterpretation::Points
        );
        is_place && !channel.frames.is_empty()
    })
}

/// The frames of a point cache. `None` if there is none, or if it cannot be read; then a note says
/// so.
fn cache(
    source: &ufbx::Mesh,
    part: &mut Part,
    files: &Files<'_>,
    place: &str,
    budget: &mut Budget,
    notes: &mut Notes,
) -> Result<Option<Cache>, Fault> {
    if source.cache_deformers.is_empty() {
        return Ok(None);
    }
    let mut left_out = |why: &str| {
        notes.add(|| {
            format!("{place}: its point cache is {LEFT_OUT} ({why}), so that it does not move as it should")
        });
        Ok(None)
    };
    let Some(channel) = channel_of(source) else {
        return left_out("its file is not beside the FBX, or cannot be read");
    };
    let rest = part.mesh.vertices().to_vec();
    let (mut morphs, mut times) = (Vec::new(), Vec::new());
    let open = |path: &str, info: &ufbx::OpenFileInfo| files.open(path, info);
    let mut frames: Vec<_> = channel.frames.iter().collect();
    frames.sort_by(|a, b| a.time.total_cmp(&b.time));
    frames.dedup_by(|a, b| a.time.total_cmp(&b.time).is_eq());
    // Each key of a track has a weight for every frame.
    budget.spend(frames.len().saturating_mul(frames.len()).saturating_mul(size_of::<f64>()))?;
    for frame in frames {
        budget.spend(rest.len().saturating_mul(2 * size_of::<DVec3>()))?;
        let mut points = vec![ufbx::Vec3 { x: 0.0, y: 0.0, z: 0.0 }; rest.len()];
        let opts = GeometryCacheDataOpts {
            open_file_cb: ufbx::OpenFileCb::Ref(&open),
            ..GeometryCacheDataOpts::default()
        };
        let read = ufbx::read_geometry_cache_vec3(frame, &mut points, opts);
        if read != rest.len() || frame.data_count as usize != rest.len() || !frame.time.is_finite()
        {
            return left_out("a frame has another number of vertices");
        }
        let offsets = points.iter().zip(&rest).map(|(&point, rest)| vector(point) - *rest);
        let name = format!("cache {}", times.len());
        morphs.push(Morph { name, offsets: offsets.collect() });
        times.push(frame.time);
    }
    part.morph_weights = vec![0.0; morphs.len()];
    part.morphs = morphs;
    Ok(Some(Cache { times }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_in_between_are_mixed_with_their_neighbours() {
        let weights = |targets: &[f64], weight: f64| {
            let mut out = vec![9.0];
            Channel { element: 0, targets: targets.to_vec() }.weights(weight, &mut out);
            out[1..].to_vec()
        };
        for (weight, expected) in [
            (0.0, [0.0, 0.0]),
            (0.25, [0.5, 0.0]),
            (0.5, [1.0, 0.0]),
            (0.75, [0.5, 0.5]),
            (1.0, [0.0, 1.0]),
            (1.5, [-1.0, 2.0]),
            (-0.5, [-1.0, 0.0]),
        ] {
            assert_eq!(weights(&[0.5, 1.0], weight), expected, "{weight}");
        }
        assert_eq!(weights(&[-1.0, 1.0], -0.25), [0.25, 0.0]);
        assert_eq!(weights(&[-1.0, 1.0], 0.25), [0.0, 0.25]);
        assert_eq!(weights(&[1.0], 1.25), [1.25]);
        let channel = Channel { element: 0, targets: vec![0.5, 1.0] };
        assert_eq!(channel.bends(0.75, -0.5).collect::<Vec<_>>(), [0.5, 0.0]);
    }

    #[test]
    fn frames_of_a_cache_follow_each_other() {
        let cache = Cache { times: vec![1.0, 2.0, 4.0] };
        let weights = |time: f64| {
            let mut out = Vec::new();
            cache.weights(time, &mut out);
            out
        };
        assert_eq!(weights(0.0), [1.0, 0.0, 0.0]);
        assert_eq!(weights(2.0), [0.0, 1.0, 0.0]);
        assert_eq!(weights(3.0), [0.0, 0.5, 0.5]);
        assert_eq!(weights(9.0), [0.0, 0.0, 1.0]);
    }
}
