//! The meshes that nodes hold, cut into triangles, with their blend shapes as morphs.
//!
//! Vertices are the file's control points, so that a closed mesh stays closed however its corners
//! differ in texture and normals.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use elbowroom::Mesh;
use elbowroom_motion::body::{Hold, Part};
use glam::DVec3;
use ufbx::Scene;

use crate::error::Fault;
use crate::odd::{LEFT_OUT, Notes};
use crate::text::counted;

use super::files::Files;
use super::morphs::{self, Mover};
use super::{Budget, id, place, skin, vector};

/// All parts, and what moves their morphs.
pub(super) struct Parts {
    pub(super) parts: Vec<Part>,
    /// What moves the morphs of each part, in their order.
    pub(super) movers: Vec<Vec<Mover>>,
}

impl Parts {
    pub(super) fn read(
        scene: &Scene,
        files: &Files<'_>,
        budget: &mut Budget,
        notes: &mut Notes,
    ) -> Result<Self, Fault> {
        let mut found = Self { parts: Vec::new(), movers: Vec::new() };
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
            if is_subdivided(source) {
                notes.add(|| {
                    format!("{place} is a subdivision surface; what is compared is its cage, and the surface is {LEFT_OUT}: apply the subdivision and export it again")
                });
            }
            let mut part = Part::new(super::name(node), mesh.clone(), Hold::Rigid(id(node)));
            let movers = morphs::add(source, &mut part, files, &place, budget, notes)?;
            // A cache has the vertices as the skin has moved them.
            let is_cached = movers.iter().any(|mover| matches!(mover, Mover::Cache(_)));
            let skin =
                if is_cached { None } else { skin::read(node, source, &place, budget, notes)? };
            if let Some(skin) = skin {
                part.hold = Hold::Skinned(skin);
            }
            found.movers.push(movers);
            found.parts.push(part);
        }
        note_curved(scene, notes);
        Ok(found)
    }
}

/// Whether the file shows a smooth surface in place of the polygons of a mesh.
fn is_subdivided(mesh: &ufbx::Mesh) -> bool {
    use ufbx::SubdivisionDisplayMode::{Hull, HullAndSmooth, Smooth};
    let is_shown = matches!(mesh.subdivision_display_mode, Hull | HullAndSmooth | Smooth);
    is_shown && mesh.subdivision_preview_levels.max(mesh.subdivision_render_levels) > 0
}

/// Notes surfaces that are no polygons.
fn note_curved(scene: &Scene, notes: &mut Notes) {
    let rows = [
        (scene.nurbs_surfaces.len(), "NURBS surface", "NURBS surfaces"),
        (scene.procedural_geometries.len(), "procedural surface", "procedural surfaces"),
    ];
    for (count, one, many) in rows {
        if count > 0 {
            notes.add(|| {
                let surfaces = counted(count, one, many);
                format!(
                    "not polygons, and {LEFT_OUT}: {surfaces}; convert to polygons and export again"
                )
            });
        }
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
