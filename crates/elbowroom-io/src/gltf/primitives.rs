//! The primitives of a mesh as one soup of triangles, with its morphs and the raw weights of its
//! vertices.

use elbowroom::Mesh;
use elbowroom_motion::body::{Morph, Part};
use glam::DVec3;

use crate::error::Fault;
use crate::odd::Notes;
use crate::text::{counted, quote};

use super::accessor::{Accessors, Wanted, as_index};
use super::schema::{self, Primitive};
use super::weights::Weights;

/// Primitives joined: the vertices of one behind those of the other.
pub(super) struct Shape {
    pub(super) mesh: Mesh,
    pub(super) morphs: Vec<Morph>,
    /// The weights of the vertices, if all its primitives have some and they were asked for.
    pub(super) weights: Option<Weights>,
}

impl Shape {
    /// What a part with a copy of it takes, roughly.
    pub(super) fn bytes(&self) -> usize {
        let vertices = self.mesh.vertices().len() * (1 + self.morphs.len()) * size_of::<DVec3>();
        let triangles = size_of_val(self.mesh.triangles());
        let weights = self.weights.as_ref().map_or(0, Weights::bytes);
        size_of::<Part>() + vertices + triangles + weights
    }
}

/// The shapes of a mesh: one, or where some primitives have weights and some have not, one of each.
pub(super) fn shapes(
    index: usize,
    skinned: bool,
    accessors: &Accessors<'_>,
    notes: &mut Notes,
) -> Result<Vec<Shape>, Fault> {
    let mesh = &accessors.root.meshes[index];
    let place = format!("mesh {index} {}", quote(mesh.name.as_deref().unwrap_or("").as_bytes()));
    let mut open = [Open::default(), Open::default()];
    for (number, primitive) in mesh.primitives.iter().enumerate() {
        let place = format!("{place}, primitive {number}");
        if primitive.mode < 4 {
            let kind = ["points", "lines", "a line loop", "a line strip"][primitive.mode as usize];
            notes.add(|| format!("{place} is {kind} and was left out"));
            continue;
        }
        let weighted = skinned && primitive.attributes.contains_key("JOINTS_0");
        open[usize::from(weighted)].add(primitive, weighted, accessors, &place, notes)?;
    }
    let named = |morph: usize| {
        mesh.target_name(morph).map_or_else(|| format!("morph_{morph}"), str::to_owned)
    };
    let filled = open.into_iter().filter(|open| !open.triangles.is_empty());
    filled.map(|open| open.close(&place, &named)).collect()
}

/// A shape that primitives are added to.
#[derive(Default)]
struct Open {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    /// By morph, then by vertex.
    offsets: Vec<Vec<DVec3>>,
    weights: Option<Weights>,
}

impl Open {
    fn add(
        &mut self,
        primitive: &Primitive,
        weighted: bool,
        accessors: &Accessors<'_>,
        place: &str,
        notes: &mut Notes,
    ) -> Result<(), Fault> {
        let Some(&position) = primitive.attributes.get("POSITION") else {
            notes.add(|| format!("{place} has no positions and was left out"));
            return Ok(());
        };
        decompress(primitive, position, accessors, place)?;
        let points = accessors.read(position, Wanted::POINT, &format!("positions of {place}"))?;
        let count = points.len() / 3;
        let corners = corners(primitive, count, accessors, place)?;
        let triangles = triangles(primitive.mode, &corners, place, notes)?;
        if triangles.is_empty() {
            return Ok(());
        }
        self.add_morphs(primitive, count, accessors, place)?;
        if weighted {
            let weights = self.weights.get_or_insert_default();
            weights.add(primitive, count, accessors, place)?;
        }
        let first = self.vertices.len() as u32;
        self.vertices.extend(points.chunks_exact(3).map(DVec3::from_slice));
        self.triangles.extend(triangles.iter().map(|triangle| triangle.map(|i| i + first)));
        Ok(())
    }

    fn add_morphs(
        &mut self,
        primitive: &Primitive,
        count: usize,
        accessors: &Accessors<'_>,
        place: &str,
    ) -> Result<(), Fault> {
        if self.triangles.is_empty() {
            self.offsets.resize(primitive.targets.len(), Vec::new());
        }
        if primitive.targets.len() != self.offsets.len() {
            return Err(Fault::whole(format!(
                "{place} has {} but the one before it has {}; all primitives of a mesh must have the same, so export it again",
                counted(primitive.targets.len(), "morph target", "morph targets"),
                self.offsets.len(),
            )));
        }
        for (morph, (target, offsets)) in
            primitive.targets.iter().zip(&mut self.offsets).enumerate()
        {
            accessors.spend(count.saturating_mul(size_of::<DVec3>()))?;
            let Some(position) = target.position else {
                offsets.resize(offsets.len() + count, DVec3::ZERO);
                continue;
            };
            let user = format!("morph target {morph} of {place}");
            same_count(accessors.count(position, &user)?, count, &user)?;
            let values = accessors.read(position, Wanted::POINT, &user)?;
            offsets.extend(values.chunks_exact(3).map(DVec3::from_slice));
        }
        Ok(())
    }

    fn close(self, place: &str, name: &dyn Fn(usize) -> String) -> Result<Shape, Fault> {
        let mesh = Mesh::new(self.vertices, self.triangles)
            .map_err(|error| Fault::whole(format!("{place}: {error}")))?;
        let offsets = self.offsets.into_iter().enumerate();
        let morphs = offsets.map(|(i, offsets)| Morph { name: name(i), offsets }).collect();
        Ok(Shape { mesh, morphs, weights: self.weights })
    }
}

/// Checks that every attribute has one element for each position.
pub(super) fn same_count(found: usize, vertices: usize, user: &str) -> Result<(), Fault> {
    if found == vertices {
        return Ok(());
    }
    let (found, vertices) =
        (counted(found, "element", "elements"), counted(vertices, "vertex", "vertices"));
    Err(Fault::whole(format!("{user}: {found} for {vertices}; export the file again")))
}

/// Decodes a primitive that is compressed with Draco. One whose positions are in the file without
/// it as well is read from these.
fn decompress(
    primitive: &Primitive,
    position: usize,
    accessors: &Accessors<'_>,
    place: &str,
) -> Result<(), Fault> {
    let draco = primitive.extensions.as_ref().and_then(|extensions| extensions.draco.as_ref());
    let Some(draco) = draco else { return Ok(()) };
    if accessors.root.accessor(position, place)?.buffer_view.is_some() {
        return Ok(());
    }
    super::draco::supply(draco, primitive, accessors, place)
}

/// The vertices in the order in which the primitive names them.
fn corners(
    primitive: &schema::Primitive,
    vertices: usize,
    accessors: &Accessors<'_>,
    place: &str,
) -> Result<Vec<u32>, Fault> {
    let Some(indices) = primitive.indices else {
        return Ok((0..vertices as u32).collect());
    };
    let user = format!("indices of {place}");
    let corners: Vec<u32> =
        accessors.read(indices, Wanted::INDEX, &user)?.into_iter().map(as_index).collect();
    if let Some(at) = corners.iter().position(|&corner| corner as usize >= vertices) {
        let vertices = counted(vertices, "vertex", "vertices");
        return Err(Fault::whole(format!(
            "{user}: index {at} is {}, but the primitive has {vertices}; export the file again",
            corners[at]
        )));
    }
    Ok(corners)
}

/// The triangles that the corners make in a mode.
fn triangles(
    mode: u32,
    corners: &[u32],
    place: &str,
    notes: &mut Notes,
) -> Result<Vec<[u32; 3]>, Fault> {
    let chain = |triangle: fn(usize, &[u32]) -> [u32; 3]| -> Vec<[u32; 3]> {
        let all = (0..corners.len().saturating_sub(2)).map(|i| triangle(i, corners));
        // Corners are repeated in a strip to get from one place to another; what lies between is
        // not meant to be there.
        all.filter(|[a, b, c]| a != b && b != c && c != a).collect()
    };
    match mode {
        4 => {
            let (triangles, left) = corners.as_chunks::<3>();
            if !left.is_empty() {
                let left = counted(left.len(), "corner was", "corners were");
                notes.add(|| format!("{place}: {left} left over behind the last triangle"));
            }
            Ok(triangles.to_vec())
        }
        5 => Ok(chain(|i, c| [c[i], c[i + 1 + i % 2], c[i + 2 - i % 2]])),
        6 => Ok(chain(|i, c| [c[i + 1], c[i + 2], c[0]])),
        _ => Err(Fault::whole(format!(
            "{place} has the mode {mode}, which does not exist; export the file again"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_and_fans_keep_their_orientation() {
        let mut notes = Notes::default();
        let mut made = |mode, corners: &[u32]| triangles(mode, corners, "p", &mut notes).unwrap();
        assert_eq!(made(5, &[0, 1, 2, 3]), [[0, 1, 2], [1, 3, 2]]);
        assert_eq!(made(6, &[0, 1, 2, 3]), [[1, 2, 0], [2, 3, 0]]);
        assert_eq!(made(5, &[0, 1, 2, 2, 7, 7, 8, 9]), [[0, 1, 2], [7, 9, 8]]);
        assert!(made(5, &[0, 1]).is_empty());
        assert_eq!(made(4, &[0, 1, 2, 3]), [[0, 1, 2]]);
        assert_eq!(notes.0.len(), 1);
        assert!(triangles(7, &[], "p", &mut notes).is_err());
    }
}
