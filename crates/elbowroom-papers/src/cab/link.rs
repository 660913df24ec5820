//! Links, the tree over them, and what is known of both before anything moves.

use std::sync::Arc;

use glam::DAffine3;

use crate::cab::cut;
use crate::cab::error::{ArticulatedBodyError, ArticulatedBodyErrorKind};
use crate::cab::leaf::Leaf;
use elbowroom::internal::bvh::{NodeId, Tree};
use elbowroom::internal::math::pose::Pose;
use elbowroom::internal::model::Model;
use elbowroom_motion::body::{Hold, JointId, Part, Rig, Skeleton};

/// Rigid geometry that is fixed to a joint.
#[derive(Clone, Debug)]
pub struct Link {
    /// The joint that carries it.
    pub joint: JointId,
    /// The geometry, which many links may share.
    pub model: Arc<Model>,
    /// The pose of the geometry in the joint's frame.
    pub joint_from_link: Pose,
    /// The name in the file or of the user. Need not be unique.
    pub name: String,
}

/// The links of a body and the binary tree over them: what does not change while it moves. Build it
/// once, share it by [`Arc`] among all bodies of the kind.
///
/// ```
/// use std::sync::Arc;
/// use elbowroom_papers::cab::{ArticulatedBody, Link};
/// use elbowroom_motion::body::{Joint, JointId, Local, Skeleton};
/// use elbowroom::{Mesh, Pose};
/// use elbowroom::internal::model::Model;
/// use glam::DVec3;
///
/// let joint = |parent: Option<u32>| Joint {
///     name: String::new(),
///     parent: parent.map(JointId),
///     rest: Local::from_translation(DVec3::X),
/// };
/// let skeleton = Skeleton::new(vec![joint(None), joint(Some(0)), joint(Some(1))])?;
/// let bone = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y * 0.1], vec![[0, 1, 2]])?;
/// let model = Arc::new(Model::new(bone));
/// let link = |joint| Link {
///     joint: JointId(joint),
///     model: Arc::clone(&model),
///     joint_from_link: Pose::IDENTITY,
///     name: String::new(),
/// };
/// let arm = ArticulatedBody::new(&skeleton, vec![link(0), link(1), link(2)])?;
/// assert_eq!(arm.adjacent(), [(0, 1), (1, 2)]);
/// assert_eq!(arm.tree().len(), 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ArticulatedBody {
    links: Vec<Link>,
    /// By link: `joint_from_link` as it is multiplied every frame.
    offsets: Vec<DAffine3>,
    leaves: Vec<Leaf>,
    tree: Tree,
    /// By node: where its children meet.
    joints: Vec<Option<JointId>>,
    /// By link: its node.
    node_of: Vec<NodeId>,
    adjacent: Vec<(u32, u32)>,
    /// By joint.
    names: Vec<String>,
}

impl ArticulatedBody {
    /// Fits a box to each link and cuts the links apart at their joints ([`articulated`](super)
    /// says how).
    ///
    /// # Errors
    /// If there are no links, or too many to number, or one is fixed to a joint that is not there.
    pub fn new(skeleton: &Skeleton, links: Vec<Link>) -> Result<Self, ArticulatedBodyError> {
        if links.is_empty() {
            return Err(ArticulatedBodyErrorKind::NoLinks.into());
        }
        // A tree over n links has 2n − 1 nodes.
        if i32::try_from(links.len()).is_err() {
            return Err(ArticulatedBodyErrorKind::TooManyLinks { links: links.len() }.into());
        }
        for (index, link) in links.iter().enumerate() {
            if link.joint.index() >= skeleton.len() {
                let (name, joint) = (link.name.clone(), link.joint);
                let joints = skeleton.len();
                let kind =
                    ArticulatedBodyErrorKind::NoSuchJoint { link: index, name, joint, joints };
                return Err(kind.into());
            }
        }
        let (tree, joints) = cut::binary(skeleton, &links);
        let mut node_of = vec![NodeId::ROOT; links.len()];
        for node in tree.nodes().filter(|&node| tree.is_leaf(node)) {
            node_of[tree.members(node)[0] as usize] = node;
        }
        let offsets = links.iter().map(|link| affine(&link.joint_from_link)).collect();
        let leaves = links.iter().map(|link| Leaf::new(link.model.mesh())).collect();
        let adjacent = adjacent(skeleton, &links);
        let names = skeleton.joints().iter().map(|joint| joint.name.clone()).collect();
        Ok(Self { links, offsets, leaves, tree, joints, node_of, adjacent, names })
    }

    /// The parts of a rig that are held rigidly become links, in their order. Parts that a skin or
    /// morphs deform are passed over.
    ///
    /// # Errors
    /// If there is no rigid part, or one hangs on a joint that is not there.
    pub fn of_rig(rig: &Rig) -> Result<Self, ArticulatedBodyError> {
        let link = |part: &Part| match part.hold {
            Hold::Rigid(joint) if part.morphs.is_empty() => Some(Link {
                joint,
                model: Arc::new(Model::new(part.mesh.clone())),
                joint_from_link: Pose::IDENTITY,
                name: part.name.clone(),
            }),
            _ => None,
        };
        Self::new(&rig.skeleton, rig.parts.iter().filter_map(link).collect())
    }

    /// The links, as given.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// The pairs of links that are joined, the lower number first, in order: links of one joint,
    /// and those of a joint with those of the nearest joint above it that carries any.
    pub fn adjacent(&self) -> &[(u32, u32)] {
        &self.adjacent
    }

    /// The binary tree over the links; every leaf is one.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The joint at which the two children of a node meet; nothing for a leaf, and where roots
    /// meet.
    ///
    /// # Panics
    /// If there is no such node.
    pub fn joint(&self, node: NodeId) -> Option<JointId> {
        self.joints[node.index()]
    }

    /// The leaf of a link.
    ///
    /// # Panics
    /// If there is no such link.
    pub fn node_of(&self, link: u32) -> NodeId {
        self.node_of[link as usize]
    }

    /// The number of joints that a pose must have.
    pub fn joints_len(&self) -> usize {
        self.names.len()
    }

    pub(super) fn leaves(&self) -> &[Leaf] {
        &self.leaves
    }

    /// The links with `joint_from_link`.
    pub(super) fn placed_links(&self) -> impl Iterator<Item = (JointId, &DAffine3)> {
        self.links.iter().map(|link| link.joint).zip(&self.offsets)
    }

    pub(super) fn joint_name(&self, joint: JointId) -> String {
        self.names[joint.index()].clone()
    }
}

fn affine(placement: &Pose) -> DAffine3 {
    DAffine3 { matrix3: placement.rotation(), translation: placement.translation() }
}

fn adjacent(skeleton: &Skeleton, links: &[Link]) -> Vec<(u32, u32)> {
    let mut carried = vec![Vec::new(); skeleton.len()];
    for (index, link) in links.iter().enumerate() {
        carried[link.joint.index()].push(index as u32);
    }
    // By joint: itself if it carries links, else the nearest above it that does.
    let mut nearest: Vec<Option<usize>> = vec![None; skeleton.len()];
    let mut pairs = Vec::new();
    for joint in skeleton.parents_first().map(JointId::index) {
        let above = skeleton.joints()[joint].parent.and_then(|parent| nearest[parent.index()]);
        let own: &[u32] = &carried[joint];
        nearest[joint] = if own.is_empty() { above } else { Some(joint) };
        for (place, &a) in own.iter().enumerate() {
            let others = above.map_or(&[][..], |above| &carried[above]);
            let joined = own[place + 1..].iter().chain(others);
            pairs.extend(joined.map(|&b| (a.min(b), a.max(b))));
        }
    }
    pairs.sort_unstable();
    pairs
}
