//! What a format has no place for, a sentence each.

use elbowroom_io::{Axis, Document, MeshFile, MeshOut, stl_out};
use elbowroom_motion::body::{Hold, Part};

use crate::messages::{count, grouped};
use crate::save::{MeshKind, Target};

/// What a mesh at one moment does not keep of a document.
pub(super) fn from_document(
    document: &Document,
    target: &Target,
    file: Option<&MeshFile>,
) -> Vec<String> {
    let mut notes = Vec::new();
    notes.extend(file.and_then(polygons));
    if file.is_some() {
        return notes;
    }
    let rigs = || document.rigs.iter();
    let skins = || rigs().flat_map(|rig| &rig.parts).filter(|part| is_skinned(part));
    let mut left = Vec::new();
    let joints: usize = rigs().map(|rig| rig.skeleton.len()).sum();
    let clips: usize = rigs().map(|rig| rig.clips.len()).sum();
    let morphs: usize = rigs().flat_map(|rig| &rig.parts).map(|part| part.morphs.len()).sum();
    let freedoms: usize = rigs().map(|rig| rig.freedoms.len()).sum();
    for (number, noun) in [
        (joints, "joint"),
        (skins().count(), "skin"),
        (morphs, "morph"),
        (clips, "clip"),
        (freedoms, "joint variable"),
    ] {
        if number > 0 {
            left.push(count(number as u64, noun));
        }
    }
    if joints > rigs().count() || left.len() > 1 {
        notes.push(format!("left out of a posed mesh as {}: {}", target.name(), left.join(", ")));
    }
    notes
}

fn is_skinned(part: &Part) -> bool {
    matches!(part.hold, Hold::Skinned(_))
}

/// What GLB does not keep of a document.
pub(super) fn in_glb(document: &Document) -> Vec<String> {
    let mut notes = Vec::new();
    let metres = document.units.metres_per_unit;
    if metres != 1.0 {
        notes.push(format!("glTF is in metres: lengths are multiplied by {metres}"));
    }
    if document.up.axis != Axis::Y {
        notes.push(format!(
            "glTF has Y up: a joint above all others turns {:?} to Y",
            document.up.axis
        ));
    }
    let rigs = || document.rigs.iter();
    for clip in rigs().flat_map(|rig| &rig.clips).filter(|clip| clip.start() < 0.0) {
        notes.push(format!(
            "glTF has no times below 0: the clip {:?} begins at {:.3} s and is shifted to 0",
            clip.name(),
            clip.start()
        ));
    }
    let freedoms: usize = rigs().map(|rig| rig.freedoms.len()).sum();
    let allowed: usize = rigs().map(|rig| rig.allowed.len()).sum();
    let parts = || rigs().flat_map(|rig| &rig.parts);
    let solids = parts().filter(|part| part.primitive.is_some()).count();
    if freedoms > 0 {
        let left = count(freedoms as u64, "joint variable");
        notes.push(format!("left out, because glTF has no place for it: {left} and their ranges"));
    }
    if allowed > 0 {
        let left = count(allowed as u64, "pair");
        notes.push(format!(
            "left out, because glTF has no place for it: {left} of joints that may touch"
        ));
    }
    if solids > 0 {
        let solids = count(solids as u64, "solid");
        notes.push(format!(
            "{solids} (spheres, capsules, boxes) are written as meshes that stand for them"
        ));
    }
    let vertices: Vec<_> =
        parts().flat_map(|part| part.mesh.vertices()).map(|&vertex| vertex * metres).collect();
    notes.extend(rounding("GLB", stl_out::rounding(&vertices)));
    notes
}

/// What a mesh format does not keep of a mesh.
pub(super) fn in_mesh(mesh: &MeshOut, kind: MeshKind, ascii: bool) -> Vec<String> {
    let mut notes = Vec::new();
    if kind == MeshKind::Stl {
        if !ascii {
            let moved = stl_out::rounding(mesh.vertices());
            notes.extend(
                rounding("a binary STL", moved).map(|note| note + "; --ascii keeps all digits"),
            );
        }
        if mesh.vertices().len() < 3 * mesh.triangles().len() {
            notes
                .push("STL has no shared vertices: each triangle gets three of its own".to_owned());
        }
    }
    let named = kind == MeshKind::Obj || (kind == MeshKind::Stl && ascii);
    if !named {
        notes.extend(groups(mesh, kind.name()));
    }
    notes
}

/// Names that are lost; a single one is that of the file, more or less.
pub(super) fn groups(mesh: &MeshOut, format: &str) -> Option<String> {
    let groups = mesh.groups().len();
    (groups > 1).then(|| {
        let groups = grouped(groups as u64);
        format!("the names of {groups} parts are left out: {format} has no place for them")
    })
}

fn polygons(file: &MeshFile) -> Option<String> {
    let triangles = file.mesh.triangles().len();
    (file.faces < triangles).then(|| {
        let (faces, triangles) = (count(file.faces as u64, "face"), grouped(triangles as u64));
        format!("{faces} are written as {triangles} triangles")
    })
}

pub(super) fn rounding(format: &str, farthest: f64) -> Option<String> {
    (farthest > 0.0)
        .then(|| format!("{format} holds f32: coordinates are rounded, by {farthest:.1e} at most"))
}
