//! Trees as GLB: the mesh, and the volumes of each level as a part of its own.

use elbowroom::Mesh;
use elbowroom_io::{Axis, glb_out};
use elbowroom_motion::body::{Hold, Joint, JointId, Local, Part, Rig, Skeleton};
use glam::DVec3;

use super::Findings;
use super::built::{Built, Planted};
use super::subject::Subject;

/// Levels with more nodes are left out.
const MOST_NODES: usize = 5000;

/// The bytes of the file, or why there are none.
pub(super) fn glb(findings: &Findings) -> Result<Vec<u8>, String> {
    let (subject, trees) = (&findings.subjects[0], &findings.trees[0]);
    let joint = Joint { name: subject.name.clone(), parent: None, rest: Local::IDENTITY };
    let skeleton = Skeleton::new(vec![joint]).map_err(|error| error.to_string())?;
    let mut rig = Rig::new(subject.name.clone(), skeleton);
    if let Some(mesh) = &subject.mesh {
        let points = mesh.vertices().iter().map(|&p| placed(subject, p)).collect();
        let mesh = mesh.with_vertices(points).map_err(|error| error.to_string())?;
        rig.parts.push(Part::new("mesh", mesh, Hold::Rigid(JointId(0))));
    }
    for tree in trees {
        for level in 0..=tree.levels.deepest() {
            let is_shown = findings.level.is_none_or(|only| only == level);
            if is_shown && let Some(mesh) = volumes(subject, tree, level)? {
                let name = format!("{} level {level}", tree.named.name);
                rig.parts.push(Part::new(name, mesh, Hold::Rigid(JointId(0))));
            }
        }
    }
    glb_out::to_bytes(&[rig]).map_err(|error| error.to_string())
}

/// The volumes of a level as one mesh; `None` if there are none, or too many.
fn volumes(subject: &Subject, tree: &Planted, level: u32) -> Result<Option<Mesh>, String> {
    if tree.levels.cut(level).count() > MOST_NODES {
        return Ok(None);
    }
    let is_upright = matches!(tree.tree, Built::Circles(_) | Built::Motion(_));
    let place = |p: DVec3| if is_upright { upright(p) } else { placed(subject, p) };
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for bound in tree.levels.cut(level).filter_map(|node| node.bound) {
        for face in bound.shape.faces() {
            let first = points.len() as u32;
            let count = face.len() as u32;
            points.extend(face.into_iter().map(place));
            triangles.extend((2..count).map(|k| [first, first + k - 1, first + k]));
        }
    }
    if triangles.is_empty() {
        return Ok(None);
    }
    Mesh::new(points, triangles).map(Some).map_err(|error| error.to_string())
}

/// From z up to y up, as glTF has it.
fn upright(p: DVec3) -> DVec3 {
    DVec3::new(p.y, p.z, p.x)
}

fn placed(subject: &Subject, p: DVec3) -> DVec3 {
    match subject.up {
        Axis::X => DVec3::new(p.z, p.x, p.y),
        Axis::Y => p,
        Axis::Z => upright(p),
    }
}
