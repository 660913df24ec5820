//! Whether two models are one and the same, triangle by triangle.
//!
//! The same triangles, point for point in the world, whatever their order, which corner comes
//! first, which way they are wound, and how vertices are numbered or shared; each as often in one
//! as in the other. Two copies of an object left in one place by mistake are the usual case.
//!
//! Refusing is quick: one triangle of the first must be there in the second. Only then are all
//! compared: by the bits of their corners if both stand in the same way, else by the exact numbers
//! that their poses make of them.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::ControlFlow;

use glam::DVec3;

use super::collide::{Known, visit};
use crate::internal::exact::Vector;
use crate::internal::geom::mesh::Mesh;
use crate::internal::math::pose::Pose;
use crate::internal::math::sort::few_by;
use crate::internal::model::Model;
use crate::internal::traverse::Workspace;

/// Whether two placed models consist of the same triangles, point for point. Exact.
///
/// ```
/// use elbowroom::internal::traverse::Workspace;
/// use elbowroom::{Mesh, Pose};
/// use elbowroom::internal::query;
/// use elbowroom::internal::model::Model;
/// use glam::DVec3;
///
/// let model = |points: [DVec3; 3], corners| Mesh::new(points.to_vec(), vec![corners]).map(Model::new);
/// let a = model([DVec3::ZERO, DVec3::X, DVec3::Y], [0, 1, 2])?;
/// let b = model([DVec3::Y, DVec3::ZERO, DVec3::X], [2, 0, 1])?;
/// let here = Pose::IDENTITY;
/// assert!(query::is_duplicate(&a, &here, &b, &here, &mut Workspace::default()));
/// let raised = Pose::from_translation(DVec3::Z * 1e-300)?;
/// assert!(!query::is_duplicate(&a, &here, &b, &raised, &mut Workspace::default()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn is_duplicate(
    a: &Model,
    pose_a: &Pose,
    b: &Model,
    pose_b: &Pose,
    workspace: &mut Workspace,
) -> bool {
    is_duplicate_known((a, pose_a), (b, pose_b), None, workspace)
}

/// Whether two models are duplicates, as by [`is_duplicate`], with the pairs of triangles that meet
/// if they are known already.
pub(super) fn is_duplicate_known(
    (a, pose_a): (&Model, &Pose),
    (b, pose_b): (&Model, &Pose),
    known: Known,
    workspace: &mut Workspace,
) -> bool {
    a.mesh().triangles().len() == b.mesh().triangles().len()
        && has_first((a, pose_a), (b, pose_b), known, workspace)
        && if pose_a == pose_b {
            are_same([a.mesh(), b.mesh()], [&bits, &bits], sorted)
        } else {
            let name = |pose| move |point| Vector::placed(pose, point).canonical();
            are_same([a.mesh(), b.mesh()], [&name(pose_a), &name(pose_b)], sorted)
        }
}

/// Whether two meshes are the same triangles, wound the same way.
pub(super) fn is_same_surface(
    a: &Model,
    b: &Model,
    pose: &Pose,
    known: Known,
    workspace: &mut Workspace,
) -> bool {
    a.mesh().triangles().len() == b.mesh().triangles().len()
        && has_first((a, pose), (b, pose), known, workspace)
        && are_same([a.mesh(), b.mesh()], [&bits, &bits], first_in_front)
}

/// The bits of a point, with one kind of zero. Whatever the pose, different points of one object
/// stay apart.
fn bits(point: DVec3) -> [u64; 3] {
    (point + DVec3::ZERO).to_array().map(f64::to_bits)
}

/// A key that is equal for triangles with the same corners.
fn sorted(mut corners: [u32; 3]) -> [u32; 3] {
    corners.sort_unstable();
    corners
}

/// A key that is equal for triangles with the same corners and the same orientation.
fn first_in_front([a, b, c]: [u32; 3]) -> [u32; 3] {
    [[a, b, c], [b, c, a], [c, a, b]].into_iter().min().unwrap_or([a, b, c])
}

/// Whether the second model has the first triangle of the first model.
fn has_first(
    (a, pose_a): (&Model, &Pose),
    (b, pose_b): (&Model, &Pose),
    known: Known,
    workspace: &mut Workspace,
) -> bool {
    let corners = a.mesh().triangle(0);
    let name = |pose: &Pose, corners: [DVec3; 3]| {
        let mut names = corners.map(|corner| Vector::placed(pose, corner).canonical());
        few_by(&mut names, Ord::cmp);
        names
    };
    let wanted = name(pose_a, corners);
    let is_wanted =
        |b_triangle: u32| name(pose_b, b.mesh().triangle(b_triangle as usize)) == wanted;
    if let Some(pairs) = known {
        return pairs.iter().any(|pair| pair.a == 0 && is_wanted(pair.b));
    }
    let Ok(lone) = Mesh::new(corners.to_vec(), vec![[0, 1, 2]]) else { return false };
    let flow = visit(&Model::new(lone), pose_a, b, pose_b, workspace, |pair| {
        if is_wanted(pair.b) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    flow.is_break()
}

/// What a mesh's points are called, the same for the same point.
type Naming<'a, Name> = &'a dyn Fn(DVec3) -> Name;

/// Whether two meshes are the same triangles, if points with one name are one, and triangles with
/// one `key` of them.
fn are_same<Name: Eq + Hash>(
    meshes: [&Mesh; 2],
    names: [Naming<Name>; 2],
    key: fn([u32; 3]) -> [u32; 3],
) -> bool {
    let mut numbers: HashMap<Name, u32> = HashMap::new();
    let [a, b] = [0, 1].map(|which| {
        let (mesh, name) = (meshes[which], names[which]);
        let number_of: Vec<u32> = mesh
            .vertices()
            .iter()
            .map(|&point| {
                let next = numbers.len() as u32;
                *numbers.entry(name(point)).or_insert(next)
            })
            .collect();
        let named = |corners: &[u32; 3]| key(corners.map(|corner| number_of[corner as usize]));
        let mut triangles: Vec<[u32; 3]> = mesh.triangles().iter().map(named).collect();
        triangles.sort_unstable();
        triangles
    });
    a == b
}
