//! Metrics as papers compute them, beside the exact ones, for comparison only.
//!
//! Each is what its published description says, faults included:
//!
//! * the share of one mesh's vertices inside the other, and the non-collision score, which is one
//!   less that share;
//! * the depth as the distance of an inside vertex to the nearest *vertex* of the other mesh: never
//!   below the true distance to its surface, and larger the coarser the mesh;
//! * the volume by voxels (`intersect_vox`, after `ObMan`): the voxels that the surface of one mesh
//!   passes through, counted if their centres are inside the other mesh. These are voxels of a
//!   surface, so the volume goes to zero with the size of a voxel, and it depends on which mesh is
//!   cut into voxels. Voxels are those of trimesh's `voxelized`: triangles are halved until no edge
//!   is longer than half a voxel, and the voxel of each corner counts.

use std::collections::BTreeSet;

use elbowroom::interrupt::checkpoint;
use elbowroom::{Aabb, Model};
use glam::DVec3;

/// The most voxels of one surface.
pub const MOST_VOXELS: f64 = 5e7;

/// What one mesh is to another.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct InOther {
    /// The number of its vertices inside the other.
    pub inside: usize,
    /// The number of its vertices.
    pub vertices: usize,
    /// The largest distance of an inside vertex to the nearest vertex of the other.
    pub depth: f64,
}

impl InOther {
    /// The share of its vertices inside the other.
    pub fn share(&self) -> f64 {
        self.inside as f64 / self.vertices.max(1) as f64
    }

    /// The non-collision score: the share of its vertices not inside the other.
    pub fn non_collision(&self) -> f64 {
        1.0 - self.share()
    }
}

/// Compares the vertices of one mesh with another.
pub fn vertices_in(a: &Model, b: &Model) -> InOther {
    let mut found = InOther { vertices: a.mesh().vertices().len(), ..InOther::default() };
    let Aabb { min: low, max: high } = b.mesh().bounds();
    for &point in a.mesh().vertices() {
        checkpoint();
        let is_near = point.cmpge(low).all() && point.cmple(high).all();
        if !is_near || !b.posed().winding(point).is_inside() {
            continue;
        }
        found.inside += 1;
        let to = |other: &DVec3| point.distance_squared(*other);
        let nearest = b.mesh().vertices().iter().map(to).fold(f64::INFINITY, f64::min);
        found.depth = found.depth.max(nearest.sqrt());
    }
    found
}

/// The volume by voxels of a pitch: those of the first mesh's surface with their centres inside the
/// second. `None` if there are too many.
pub fn surface_voxels(a: &Model, b: &Model, pitch: f64) -> Option<f64> {
    let voxels = voxels(a, pitch)?;
    let Aabb { min: low, max: high } = b.mesh().bounds();
    let is_inside = |voxel: &&[i64; 3]| {
        checkpoint();
        let centre = DVec3::from_array(voxel.map(|at| at as f64)) * pitch;
        centre.cmpge(low).all() && centre.cmple(high).all() && b.posed().winding(centre).is_inside()
    };
    Some(voxels.iter().filter(is_inside).count() as f64 * pitch.powi(3))
}

/// The voxels that a surface passes through.
fn voxels(model: &Model, pitch: f64) -> Option<BTreeSet<[i64; 3]>> {
    let mesh = model.mesh();
    let area: f64 = (0..mesh.triangles().len())
        .map(|at| {
            let [a, b, c] = mesh.triangle(at);
            0.5 * (b - a).cross(c - a).length()
        })
        .sum();
    // A voxel of a surface holds some eight corners of halved triangles.
    let is_few = pitch > 0.0 && area / (pitch * pitch) < MOST_VOXELS / 8.0;
    is_few.then(|| {
        let mut voxels = BTreeSet::new();
        let mut left: Vec<[DVec3; 3]> = Vec::new();
        for at in 0..mesh.triangles().len() {
            left.push(mesh.triangle(at));
            while let Some(triangle) = left.pop() {
                checkpoint();
                cut(triangle, pitch, &mut left, &mut voxels);
            }
        }
        voxels
    })
}

/// Counts the corners of a triangle that is small, and cuts others into four.
fn cut(
    triangle: [DVec3; 3],
    pitch: f64,
    left: &mut Vec<[DVec3; 3]>,
    voxels: &mut BTreeSet<[i64; 3]>,
) {
    let [a, b, c] = triangle;
    let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
    if longest > 0.5 * pitch {
        let [ab, bc, ca] = [0.5 * (a + b), 0.5 * (b + c), 0.5 * (c + a)];
        left.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
        return;
    }
    for corner in triangle {
        // Halves are rounded to even, as NumPy has it.
        voxels.insert((corner / pitch).to_array().map(|at| at.round_ties_even() as i64));
    }
}
