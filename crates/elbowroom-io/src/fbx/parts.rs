//! The meshes that nodes hold, cut into triangles, with their blend shapes as morphs.
//!
//! Vertices are the file's control points, so that a closed mesh stays closed however its corners differ in texture and normals.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use elbowroom::Mesh;
use elbowroom::body::{Hold, Morph, Part};
use glam::DVec3;
use ufbx::{BlendChannel, Scene};

use crate::error::Fault;
use crate::odd::Notes;
use crate::text::counted;

use super::{Budget, id, place, skin, vector};

/// All parts, and the blend channels behind their morphs.
pub(super) struct Parts {
    pub(super) parts: Vec<Part>,
    /// The element of the channel of each morph, by part.
    pub(super) channels: Vec<Vec<u32>>,
}

impl Parts {
    pub(super) fn read(
        scene: &Scene,
        budget: &mut Budget,
        notes: &mut Notes,
    ) -> Result<Self, Fault> {
        let mut found = Self { parts: Vec::new(), channels: Vec::new() };
        // A mesh is cut once for all nodes that hold it.
        let mut cut: HashMap<u32, Option<Mesh>> = HashMap::new();
        for node in &scene.nodes {
            let Some(source) = &node.mesh else {
                continue;
            };
            let place = place(node);
            let key = source.element.element_id;
            let mesh = match cut.entry(key) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(free) => free.insert(triangulated(source, &place, budget, notes)?),
            };
            let Some(mesh) = mesh else {
                continue;
            };
            let copied = size_of_val(mesh.vertices()) + size_of_val(mesh.triangles());
            budget.spend(size_of::<Part>() + copied)?;
            let hold = match skin::read(node, source, &place, budget, notes)? {
                Some(skin) => Hold::Skinned(skin),
                None => Hold::Rigid(id(node)),
            };
            let mut part = Part::new(super::name(node), mesh.clone(), hold);
            found.channels.push(add_morphs(source, &mut part, budget)?);
            found.parts.push(part);
        }
        Ok(found)
    }
}

/// The faces of a mesh as triangles; `None` if it has none.
fn triangulated(
    source: &ufbx::Mesh,
    place: &str,
    budget: &mut Budget,
    notes: &mut Notes,
) -> Result<Option<Mesh>, Fault> {
    let corners: &[u32] = &source.vertex_indices;
    let vertices = source.vertices.len();
    // A face of n corners becomes n − 2 triangles, which the library has counted.
    budget.spend(source.num_triangles.saturating_mul(size_of::<[u32; 4]>()))?;
    budget.spend(vertices.saturating_mul(size_of::<DVec3>()))?;
    let mut polygons: Vec<&[u32]> = Vec::with_capacity(source.faces.len());
    for (index, face) in source.faces.iter().enumerate() {
        let start = face.index_begin as usize;
        let polygon = &corners[start..start + face.num_indices as usize];
        if let Some(bad) = polygon.iter().find(|&&corner| corner as usize >= vertices) {
            let held = counted(vertices, "vertex", "vertices");
            return Err(Fault::whole(format!(
                "{place}: face {index} has a corner beyond the last vertex ({bad}); the mesh has {held}, so export the file again"
            )));
        }
        if polygon.len() >= 3 {
            polygons.push(polygon);
        }
    }
    let loose = source.faces.len() - polygons.len();
    if loose > 0 {
        let loose = counted(
            loose,
            "face of fewer than three corners was",
            "faces of fewer than three corners were",
        );
        notes.add(|| format!("{place}: {loose} left out"));
    }
    if polygons.is_empty() {
        notes.add(|| format!("{place} has a mesh without faces, which was left out"));
        return Ok(None);
    }
    let points = source.vertices.iter().map(|&point| vector(point)).collect();
    let mesh = Mesh::from_polygons(points, polygons)
        .map_err(|error| Fault::whole(format!("{place}: {error}")))?;
    Ok(Some(mesh))
}

/// Adds a morph for each blend channel of a mesh; their elements. Channels with shapes in between go straight to the last.
fn add_morphs(
    source: &ufbx::Mesh,
    part: &mut Part,
    budget: &mut Budget,
) -> Result<Vec<u32>, Fault> {
    let vertices = part.mesh.vertices().len();
    let mut channels = Vec::new();
    for channel in (&source.blend_deformers).into_iter().flat_map(|deformer| &deformer.channels) {
        let Some(shape) = &channel.target_shape else {
            continue;
        };
        budget.spend(vertices.saturating_mul(size_of::<DVec3>()))?;
        let mut offsets = vec![DVec3::ZERO; vertices];
        let moved = shape.offset_vertices.iter().zip(shape.position_offsets.iter());
        for (i, (&vertex, &offset)) in moved.enumerate() {
            if let Some(own) = offsets.get_mut(vertex as usize) {
                let share = shape.offset_weights.get(i).copied().unwrap_or(1.0);
                *own += vector(offset) * share;
            }
        }
        part.morphs.push(Morph { name: channel_name(channel), offsets });
        part.morph_weights.push(channel.weight);
        channels.push(channel.element.element_id);
    }
    Ok(channels)
}

fn channel_name(channel: &BlendChannel) -> String {
    channel.element.name.to_string()
}
