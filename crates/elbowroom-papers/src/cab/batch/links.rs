//! The plan of an articulated body: its links' boxes and its tree.

use glam::DVec3;

use crate::cab::batch::error::BatchError;
use crate::cab::batch::plan::{BatchLeaf, Merge, Plan};
use crate::cab::{ArticulatedBody, Link};
use elbowroom::internal::volume::{Fit, Obb, Spatial};
use elbowroom_motion::body::skeleton::{JointId, Skeleton};

impl Plan {
    /// The links of an articulated body under its own tree. Leaves are its links, in order; the
    /// other nodes follow from the last to the first, so that the root is the last. Where roots
    /// meet, they meet at the joint of the second.
    ///
    /// ```
    /// use elbowroom_papers::cab::batch::{Boxes, Plan, Poses, BatchWorkspace, refit};
    /// use elbowroom_papers::cab::ArticulatedBody;
    /// use elbowroom_motion::body::{Hold, Joint, JointId, Local, Part, Rig, Skeleton};
    /// use elbowroom::Mesh;
    /// use glam::{DQuat, DVec3};
    ///
    /// let joint = |parent: Option<u32>| Joint {
    ///     name: String::new(),
    ///     parent: parent.map(JointId),
    ///     rest: Local::from_translation(DVec3::X),
    /// };
    /// let mut rig = Rig::new("arm", Skeleton::new(vec![joint(None), joint(Some(0))])?);
    /// let bone = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y * 0.1], vec![[0, 1, 2]])?;
    /// rig.parts.push(Part::new("upper", bone.clone(), Hold::Rigid(JointId(0))));
    /// rig.parts.push(Part::new("lower", bone, Hold::Rigid(JointId(1))));
    ///
    /// let articulation = ArticulatedBody::of_rig(&rig)?;
    /// let plan = Plan::of_articulation(&rig.skeleton, &articulation)?;
    /// let mut poses = Poses::new(&plan, 1000);
    /// for body in 0..1000 {
    ///     let place = (DQuat::IDENTITY, DVec3::Z * body as f64);
    ///     poses.set(&plan, body, &rig.rest_pose(), place)?;
    /// }
    /// let mut boxes = Boxes::new();
    /// refit(&plan, &poses, &mut BatchWorkspace::new(), &mut boxes);
    /// assert!((0.99..1.1).contains(&boxes.obb(7, plan.root()).half.max_element()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the body is too large or too deep, or a joint is scaled at rest.
    ///
    /// # Panics
    /// If the skeleton is not the one of the body.
    pub fn of_articulation(
        skeleton: &Skeleton,
        articulation: &ArticulatedBody,
    ) -> Result<Self, BatchError> {
        let (links, tree) = (articulation.links(), articulation.tree());
        assert_eq!(skeleton.len(), articulation.joints_len(), "joints of skeleton and body");
        let leaves: Vec<BatchLeaf> =
            links.iter().map(|link| BatchLeaf { joint: link.joint, shape: shape(link) }).collect();
        let mut merges = Vec::with_capacity(links.len() - 1);
        let mut number = vec![0_u32; tree.len()];
        // Children come after their parents.
        for node in tree.nodes().rev() {
            number[node.index()] = match tree.children(node) {
                None => tree.members(node)[0],
                Some(children) => {
                    let [a, b] = children.map(|child| number[child.index()]);
                    let second = tree.members(children[1])[0];
                    let joint = articulation.joint(node);
                    let joint = joint.unwrap_or_else(|| root_of(skeleton, &links[second as usize]));
                    merges.push(Merge { a, b, joint });
                    (links.len() + merges.len() - 1) as u32
                }
            };
        }
        Self::with_tree(skeleton, &leaves, merges)
    }
}

/// A box around a link in the frame of its joint. What f64 loses here is far below a rounding in
/// f32, of which leaves have some to spare.
fn shape(link: &Link) -> Obb {
    let mesh = link.model.mesh();
    let placed = |triangle: usize| mesh.triangle(triangle).map(|p| link.joint_from_link.apply(p));
    let triangles: Vec<[DVec3; 3]> = (0..mesh.triangles().len()).map(placed).collect();
    if triangles.is_empty() {
        let at = link.joint_from_link.translation();
        return Obb::of_points(&[at], glam::DMat3::IDENTITY);
    }
    Obb::of_triangles(&triangles, Fit::Dito14)
}

/// The root that a link hangs on.
fn root_of(skeleton: &Skeleton, link: &Link) -> JointId {
    let mut joint = link.joint;
    while let Some(parent) = skeleton.joints()[joint.index()].parent {
        joint = parent;
    }
    joint
}
