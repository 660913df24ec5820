//! A character that is skinned only when a query needs its mesh.
//!
//! Posing moves its joints and the boxes around its clusters ([`Bounds`]); the vertices, and the
//! tree over them, follow when the boxes of two characters meet. The tree is one of boxes along the
//! world's axes ([`DeformableBvh`]), refitted where the character stands: there all characters
//! share their directions, and a test is three intervals. Clones share what does not move.
//!
//! Invariant: what is asked is asked of the vertices as [`Poser`] rounds them in the world.

use std::sync::Arc;

use glam::DAffine3;

use crate::body::{Bounds, JointId, Poser, Rig, SkeletonPose, joints_of_triangles};
use crate::space_time::{TraceError, TraceErrorKind};
use elbowroom::internal::geom::mesh::{Mesh, MeshError};
use elbowroom::internal::model::DeformableBvh;

/// A posed character, all parts in one mesh.
///
/// ```
/// use elbowroom_motion::crowd::{Skinned, between};
/// use elbowroom::internal::traverse::Workspace;
/// use glam::{DAffine3, DVec3};
///
/// let (man, woman) = (elbowroom_make::body::male(), elbowroom_make::body::female());
/// let (mut a, mut b) = (Skinned::new(&man)?, Skinned::new(&woman)?);
/// let mut pose = man.rest_pose();
/// man.clips[0].sample(0.2, &mut pose);
/// a.pose(&pose, &DAffine3::IDENTITY);
/// // She stands to his left, arms out.
/// b.pose(&woman.rest_pose(), &DAffine3::from_translation(DVec3::new(0.9, 0.0, 0.0)));
/// let contacts = between(&mut a, &mut b, &mut Workspace::default())?;
/// let name = |rig: &elbowroom_motion::body::Rig, joint: elbowroom_motion::body::JointId| {
///     rig.skeleton.joints()[joint.index()].name.clone()
/// };
/// assert!(!contacts.is_empty());
/// let named: Vec<_> = contacts
///     .iter()
///     .map(|c| (name(&man, c.joints[0]), name(&woman, c.joints[1]), c.triangles))
///     .collect();
/// assert!(named.iter().any(|(_, hers, _)| hers.starts_with("Right")), "{named:?}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Skinned<'a> {
    rig: &'a Rig,
    bounds: Bounds,
    poser: Poser,
    model: DeformableBvh,
    /// By triangle.
    joints: Arc<[JointId]>,
    is_up_to_date: bool,
}

impl<'a> Skinned<'a> {
    /// A character at rest at the origin. The tree is grown over it as it is then.
    ///
    /// # Errors
    /// If it has no triangles, or is not finite at rest.
    ///
    /// # Panics
    /// If the rig does not [`validate`](Rig::validate).
    pub fn new(rig: &'a Rig) -> Result<Self, TraceError> {
        let mut poser = Poser::new();
        poser.set(rig, &rig.rest_pose());
        let (mut part, mut points, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
        for (index, of) in rig.parts.iter().enumerate() {
            poser.part(rig, index, &mut part);
            let first = points.len() as u32;
            points.extend_from_slice(&part);
            triangles.extend(of.mesh.triangles().iter().map(|t| t.map(|corner| corner + first)));
        }
        if triangles.is_empty() {
            return Err(TraceErrorKind::NoTriangles.into());
        }
        let Ok(model) = Mesh::new(points, triangles).and_then(|mesh| DeformableBvh::new(&mesh))
        else {
            let value = f64::INFINITY;
            return Err(TraceErrorKind::Size { sample: 0, name: "vertex", value }.into());
        };
        let joints = rig.parts.iter().flat_map(joints_of_triangles).collect();
        let mut bounds = Bounds::new(rig);
        bounds.pose(poser.world());
        Ok(Self { rig, bounds, poser, model, joints, is_up_to_date: true })
    }

    /// Moves joints and boxes; vertices wait. Nothing is allocated once it is warm.
    pub fn pose(&mut self, pose: &SkeletonPose, world_from_rig: &DAffine3) {
        self.poser.set_placed(self.rig, pose, world_from_rig);
        self.bounds.pose_morphed(self.poser.world(), &pose.weights);
        self.is_up_to_date = false;
    }

    /// The boxes around its clusters, as it is posed.
    pub fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    /// Skins it and refits its tree, if that has not been done since it was posed.
    ///
    /// # Errors
    /// If a vertex is not finite.
    pub fn skin(&mut self) -> Result<&DeformableBvh, MeshError> {
        if !self.is_up_to_date {
            let Self { rig, poser, model, .. } = self;
            model.refit_with(|mut points| {
                for (index, part) in rig.parts.iter().enumerate() {
                    let (own, others) = points.split_at_mut(part.mesh.vertices().len());
                    poser.part_into(rig, index, own);
                    points = others;
                }
            })?;
            self.is_up_to_date = true;
        }
        Ok(&self.model)
    }

    /// The mesh and tree of the last skinning.
    pub fn model(&self) -> &DeformableBvh {
        &self.model
    }

    /// The joint to whose region each triangle belongs.
    pub fn joints(&self) -> &[JointId] {
        &self.joints
    }
}
