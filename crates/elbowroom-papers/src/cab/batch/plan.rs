//! What all bodies of a batch share, computed once.

use glam::{DMat3, DVec3};

use crate::cab::batch::error::{BatchError, BatchErrorKind};
use crate::cab::batch::slack;
use crate::cab::batch::slack::{DEEPEST, Doubt};
use elbowroom::internal::math::sort::few_by;
use elbowroom::internal::volume::Obb;
use elbowroom_motion::body::local::Local;
use elbowroom_motion::body::skeleton::{JointId, Skeleton};

/// A box that is fixed to a joint, in the joint's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BatchLeaf {
    /// The joint that it is fixed to.
    pub joint: JointId,
    /// Around the link.
    pub shape: Obb,
}

/// An inner node: two nodes that meet at a joint. Leaves are numbered first, merges after them, in
/// order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Merge {
    /// One node.
    pub a: u32,
    /// The other.
    pub b: u32,
    /// The joint that links what is below them.
    pub joint: JointId,
}

/// One skeleton with the boxes of its links and a tree over them: what
/// [`refit`](crate::cab::batch::refit) needs to know, for any number of bodies.
///
/// Nodes are the leaves as they were given, then the merges; the root is the last.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    rest: Vec<Local>,
    roots: usize,
    first_root: usize,
    steps: Vec<Step>,
    stands: Vec<Stand>,
    joins: Vec<Join>,
    merges: Vec<Merge>,
    /// Half the length below which a box has no direction.
    point: f32,
    roundings: [f32; 3],
}

/// A joint, after its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Step {
    pub(super) joint: u32,
    /// The frame of its parent: 0 is the pose.
    pub(super) parent: u32,
    pub(super) offset: [f32; 3],
}

/// Where a leaf stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stand {
    pub(super) frame: u32,
    pub(super) center: [f32; 3],
    /// The axes of the box, or none if they are those of the joint.
    pub(super) axes: Option<[[f32; 3]; 3]>,
    pub(super) half: [f32; 3],
    /// Without slack, and the slack.
    exact: (DVec3, f64),
}

/// A merge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Join {
    pub(super) below: [u32; 2],
    /// What is known of those that are leaves.
    pub(super) long: [Option<Long>; 2],
    /// The frame of the joint.
    pub(super) frame: u32,
}

/// The longest axis of a leaf.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Long {
    pub(super) axis: u32,
    pub(super) length: f32,
    /// The second largest extent.
    pub(super) second: f32,
}

impl Plan {
    /// With the tree of the skeleton: what hangs on a joint is merged with the joint's own boxes in
    /// order, child by child, each at the joint where the child begins; so are several roots.
    ///
    /// # Errors
    /// Says which leaf or joint cannot be.
    pub fn new(skeleton: &Skeleton, leaves: &[BatchLeaf]) -> Result<Self, BatchError> {
        check_leaves(skeleton, leaves)?;
        Self::with_tree(skeleton, leaves, merges_of(skeleton, leaves))
    }

    /// A plan with any tree: one merge fewer than leaves, each after what it merges.
    ///
    /// # Errors
    /// Says which leaf, joint or merge cannot be.
    pub fn with_tree(
        skeleton: &Skeleton,
        leaves: &[BatchLeaf],
        merges: Vec<Merge>,
    ) -> Result<Self, BatchError> {
        check_leaves(skeleton, leaves)?;
        check_merges(skeleton, leaves.len(), &merges)?;
        let Chains { frames, doubts, steps, roots } = Chains::new(skeleton)?;
        let mut reach: f64 = 0.0;
        let mut stands = Vec::with_capacity(leaves.len());
        for leaf in leaves {
            let frame = frames[leaf.joint.index()];
            let doubt = &doubts[frame as usize];
            reach = reach.max(doubt.reach(leaf.shape.center, leaf.shape.half));
            stands.push(Stand::new(frame, &leaf.shape, doubt));
        }
        if reach.is_nan() || reach > f64::from(1 << 30) {
            return Err(BatchErrorKind::TooLarge { reach }.into());
        }
        let long = |node: u32| stands.get(node as usize).map(Stand::long);
        let join = |merge: &Merge| Join {
            below: [merge.a, merge.b],
            long: [long(merge.a), long(merge.b)],
            frame: frames[merge.joint.index()],
        };
        Ok(Self {
            rest: skeleton.joints().iter().map(|joint| joint.rest).collect(),
            roots: roots.len(),
            first_root: roots.first().map_or(0, |root| root.index()),
            steps,
            joins: merges.iter().map(join).collect(),
            stands,
            merges,
            point: (reach * f64::powi(2.0, -20)).max(f64::powi(2.0, -60)) as f32,
            roundings: slack::inner(1.0),
        })
    }

    /// The number of nodes, leaves and merges.
    pub fn nodes(&self) -> usize {
        self.stands.len() + self.joins.len()
    }

    /// The number of leaves; they are the first nodes.
    pub fn leaves(&self) -> usize {
        self.stands.len()
    }

    /// The tree.
    pub fn merges(&self) -> &[Merge] {
        &self.merges
    }

    /// The node around all of a body.
    pub fn root(&self) -> usize {
        self.nodes() - 1
    }

    /// Scales the slack by a share, to measure how much is needed.
    #[doc(hidden)]
    #[must_use]
    pub fn with_share_of_slack(mut self, share: f64) -> Self {
        self.roundings = slack::inner(share);
        for stand in &mut self.stands {
            let (half, slack) = stand.exact;
            stand.half = (half + DVec3::splat(share * slack)).to_array().map(slack::up);
        }
        for join in &mut self.joins {
            join.long = join.below.map(|node| self.stands.get(node as usize).map(Stand::long));
        }
        self
    }

    pub(super) fn rest(&self) -> &[Local] {
        &self.rest
    }

    pub(super) fn first_root(&self) -> usize {
        self.first_root
    }

    /// The joint that a pose may move: the root, if it is the only one.
    pub(super) fn moving_root(&self) -> Option<usize> {
        (self.roots == 1).then_some(self.first_root)
    }

    pub(super) fn frames(&self) -> usize {
        self.steps.len() + 1
    }

    pub(super) fn steps(&self) -> &[Step] {
        &self.steps
    }

    pub(super) fn stands(&self) -> &[Stand] {
        &self.stands
    }

    pub(super) fn joins(&self) -> &[Join] {
        &self.joins
    }

    pub(super) fn point(&self) -> f32 {
        self.point
    }

    pub(super) fn roundings(&self) -> [f32; 3] {
        self.roundings
    }
}

/// The joints in the order of their evaluation.
struct Chains {
    /// By joint: its frame.
    frames: Vec<u32>,
    /// By frame: how wrong it may be.
    doubts: Vec<Doubt>,
    steps: Vec<Step>,
    roots: Vec<JointId>,
}

impl Chains {
    fn new(skeleton: &Skeleton) -> Result<Self, BatchError> {
        let joints = skeleton.joints();
        let is_root = |id: &JointId| joints[id.index()].parent.is_none();
        let roots: Vec<JointId> = skeleton.parents_first().filter(is_root).collect();
        let start = roots.first().map_or(DVec3::ZERO, |root| joints[root.index()].rest.translation);
        let mut frames = vec![0_u32; skeleton.len()];
        let mut doubts = vec![Doubt::ROOT];
        let mut steps = Vec::with_capacity(skeleton.len());
        for (k, id) in skeleton.parents_first().enumerate() {
            let joint = &joints[id.index()];
            if joint.rest.scale != DVec3::ONE {
                let (joint, name) = (id.index(), joint.name.clone());
                return Err(BatchErrorKind::Scaled { joint, name }.into());
            }
            let parent = joint.parent.map_or(0, |parent| frames[parent.index()]);
            let offset = joint.rest.translation - joint.parent.map_or(start, |_| DVec3::ZERO);
            let doubt = doubts[parent as usize].child(offset);
            if doubt.depth > DEEPEST {
                return Err(BatchErrorKind::TooDeep { joint: id.index() }.into());
            }
            doubts.push(doubt);
            frames[id.index()] = k as u32 + 1;
            steps.push(Step { joint: id.0, parent, offset: offset.as_vec3().to_array() });
        }
        Ok(Self { frames, doubts, steps, roots })
    }
}

impl Stand {
    fn new(frame: u32, shape: &Obb, doubt: &Doubt) -> Self {
        let axes = [shape.axes.x_axis, shape.axes.y_axis, shape.axes.z_axis];
        let slack = doubt.leaf(shape.center, shape.half);
        Self {
            frame,
            center: shape.center.as_vec3().to_array(),
            axes: (shape.axes != DMat3::IDENTITY)
                .then(|| axes.map(|axis| axis.as_vec3().to_array())),
            half: (shape.half + DVec3::splat(slack)).to_array().map(slack::up),
            exact: (shape.half, slack),
        }
    }

    fn long(&self) -> Long {
        let mut order = [0, 1, 2];
        // Stable, so that of equal extents the first is the longest.
        few_by(&mut order, |&i, &j: &usize| self.half[j].total_cmp(&self.half[i]));
        let [axis, second, _] = order;
        Long { axis: axis as u32, length: self.half[axis], second: self.half[second] }
    }
}

fn check_leaves(skeleton: &Skeleton, leaves: &[BatchLeaf]) -> Result<(), BatchError> {
    if leaves.is_empty() {
        return Err(BatchErrorKind::NoLeaves.into());
    }
    for (index, BatchLeaf { joint, shape }) in leaves.iter().enumerate() {
        if joint.index() >= skeleton.len() {
            return Err(
                BatchErrorKind::NoSuchJoint { joint: joint.0, joints: skeleton.len() }.into()
            );
        }
        let square = shape.axes.transpose() * shape.axes;
        // What an f64 matrix loses; it is far below a rounding in f32.
        let orthonormal = square.abs_diff_eq(DMat3::IDENTITY, 1e-12);
        let solid = shape.half.is_finite() && shape.half.min_element() >= 0.0;
        if !(shape.center.is_finite() && orthonormal && solid) {
            return Err(BatchErrorKind::Leaf { leaf: index }.into());
        }
    }
    Ok(())
}

fn check_merges(skeleton: &Skeleton, leaves: usize, merges: &[Merge]) -> Result<(), BatchError> {
    let mut taken = vec![false; leaves + merges.len()];
    for (index, merge) in merges.iter().enumerate() {
        if merge.joint.index() >= skeleton.len() {
            let joint = merge.joint.0;
            return Err(BatchErrorKind::NoSuchJoint { joint, joints: skeleton.len() }.into());
        }
        for node in [merge.a, merge.b] {
            if node as usize >= leaves + index || taken[node as usize] {
                return Err(BatchErrorKind::Merge { merge: index }.into());
            }
            taken[node as usize] = true;
        }
    }
    if merges.len() + 1 != leaves {
        return Err(BatchErrorKind::Merge { merge: merges.len() }.into());
    }
    Ok(())
}

/// The tree of a skeleton.
fn merges_of(skeleton: &Skeleton, leaves: &[BatchLeaf]) -> Vec<Merge> {
    let mut merges = Vec::with_capacity(leaves.len().saturating_sub(1));
    let mut nodes: Vec<Option<u32>> = vec![None; skeleton.len()];
    let mut merge = |tree: &mut Option<u32>, node: u32, joint: JointId| {
        *tree = Some(match *tree {
            None => node,
            Some(a) => {
                merges.push(Merge { a, b: node, joint });
                (leaves.len() + merges.len() - 1) as u32
            }
        });
    };
    let mut children: Vec<Vec<JointId>> = vec![Vec::new(); skeleton.len()];
    let mut owned: Vec<Vec<u32>> = vec![Vec::new(); skeleton.len()];
    let mut roots = Vec::new();
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let id = JointId(index as u32);
        joint.parent.map_or(&mut roots, |parent| &mut children[parent.index()]).push(id);
    }
    for (index, leaf) in leaves.iter().enumerate() {
        owned[leaf.joint.index()].push(index as u32);
    }
    for id in skeleton.parents_first().rev() {
        let mut tree = None;
        for &leaf in &owned[id.index()] {
            merge(&mut tree, leaf, id);
        }
        for child in &children[id.index()] {
            if let Some(node) = nodes[child.index()] {
                merge(&mut tree, node, *child);
            }
        }
        nodes[id.index()] = tree;
    }
    let mut tree = None;
    for root in roots {
        if let Some(node) = nodes[root.index()] {
            merge(&mut tree, node, root);
        }
    }
    merges
}
