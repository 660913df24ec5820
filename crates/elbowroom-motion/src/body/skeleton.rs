//! A tree of joints, or several trees.
//!
//! Joints keep the order in which they were given, which is the order of files, skins and poses; a
//! parent may come after its child. The order in which they are evaluated, parents first, is found
//! once. Nothing recurses, so that a chain may have as many joints as memory holds.
//!
//! Invariants: every parent exists, following parents ends at a root, all numbers are finite.

use glam::DAffine3;

use super::local::{Local, SkeletonPose};
use elbowroom::internal::math::sort::many_by;

/// A joint's place in its skeleton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JointId(pub u32);

impl JointId {
    /// The joint's number, as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// One joint, or any node of a file's tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// The name in the file. Need not be unique.
    pub name: String,
    /// The parent joint; `None` for a root.
    pub parent: Option<JointId>,
    /// The place relative to the parent in the rest pose.
    pub rest: Local,
}

/// A checked forest of joints.
///
/// ```
/// use elbowroom_motion::body::{Joint, JointId, Local, Skeleton};
///
/// let loops = |name: &str, parent| Joint {
///     name: name.into(),
///     parent: Some(JointId(parent)),
///     rest: Local::IDENTITY,
/// };
/// let error = Skeleton::new(vec![loops("hip", 1), loops("knee", 0)]).unwrap_err();
/// assert!(error.to_string().contains("hip"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Skeleton {
    joints: Vec<Joint>,
    /// Parents before children; otherwise as given.
    order: Vec<u32>,
    /// Joints by name, then by place.
    by_name: Vec<u32>,
}

impl Skeleton {
    /// Checks joints and finds the order of their evaluation.
    ///
    /// # Errors
    /// Names the joint whose parent does not exist, that hangs on itself, or that is not finite.
    pub fn new(joints: Vec<Joint>) -> Result<Self, SkeletonError> {
        if u32::try_from(joints.len()).is_err() {
            return Err(SkeletonErrorKind::TooMany { joints: joints.len() }.into());
        }
        for (index, joint) in joints.iter().enumerate() {
            check_joint(index, joint, joints.len())?;
        }
        let order = parents_first(&joints)?;
        let mut by_name: Vec<u32> = (0..joints.len() as u32).collect();
        many_by(&mut by_name, |&i, &j| joints[i as usize].name.cmp(&joints[j as usize].name));
        Ok(Self { joints, order, by_name })
    }

    /// The joints, as given.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// The number of joints.
    pub fn len(&self) -> usize {
        self.joints.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty()
    }

    /// The first joint of that name, letter for letter.
    pub fn find(&self, name: &str) -> Option<JointId> {
        let place = self.by_name.partition_point(|&i| self.joints[i as usize].name.as_str() < name);
        let &index = self.by_name.get(place)?;
        (self.joints[index as usize].name == name).then_some(JointId(index))
    }

    /// The joints in an order in which parents come before their children.
    pub fn parents_first(&self) -> impl DoubleEndedIterator<Item = JointId> + ExactSizeIterator {
        self.order.iter().map(|&index| JointId(index))
    }

    /// Every joint at rest. There are no morph weights in it, so that every part keeps its own; a
    /// clip that moves morphs wants [`Rig::rest_pose`](super::Rig::rest_pose).
    pub fn rest_pose(&self) -> SkeletonPose {
        SkeletonPose {
            locals: self.joints.iter().map(|joint| joint.rest).collect(),
            weights: Vec::new(),
        }
    }

    /// Forward kinematics: `world_from_joint` for every joint, in the order of the joints.
    ///
    /// Joints beyond the end of the pose are at rest.
    pub fn world(&self, pose: &SkeletonPose, out: &mut Vec<DAffine3>) {
        self.world_placed(pose, &DAffine3::IDENTITY, out);
    }

    /// Forward kinematics of a skeleton that stands somewhere: the roots hang on `world_from_rig`.
    pub fn world_placed(
        &self,
        pose: &SkeletonPose,
        world_from_rig: &DAffine3,
        out: &mut Vec<DAffine3>,
    ) {
        out.clear();
        out.resize(self.joints.len(), DAffine3::IDENTITY);
        // Multiplying by the identity may turn -0 into 0, so it is left out for what is not placed.
        let placed = *world_from_rig != DAffine3::IDENTITY;
        for &index in &self.order {
            let index = index as usize;
            let joint = &self.joints[index];
            let parent_from_joint = pose.locals.get(index).unwrap_or(&joint.rest).affine();
            out[index] = match joint.parent {
                Some(parent) => out[parent.index()] * parent_from_joint,
                None if placed => *world_from_rig * parent_from_joint,
                None => parent_from_joint,
            };
        }
    }
}

fn check_joint(index: usize, joint: &Joint, joints: usize) -> Result<(), SkeletonError> {
    let name = || joint.name.clone();
    if !joint.rest.is_finite() {
        return Err(SkeletonErrorKind::NonFinite { joint: index, name: name() }.into());
    }
    match joint.parent {
        Some(parent) if parent.index() >= joints => {
            let kind =
                SkeletonErrorKind::NoSuchParent { joint: index, name: name(), parent, joints };
            Err(kind.into())
        }
        _ => Ok(()),
    }
}

/// An order in which parents come first: as given where that is one, else level by level.
fn parents_first(joints: &[Joint]) -> Result<Vec<u32>, SkeletonError> {
    let precedes = |(index, joint): (usize, &Joint)| joint.parent.is_none_or(|p| p.index() < index);
    if joints.iter().enumerate().all(precedes) {
        return Ok((0..joints.len() as u32).collect());
    }
    // Children of each joint as runs of one array: counted, then summed, then filled.
    let mut first_child = vec![0_u32; joints.len() + 1];
    for parent in joints.iter().filter_map(|joint| joint.parent) {
        first_child[parent.index() + 1] += 1;
    }
    for i in 1..first_child.len() {
        first_child[i] += first_child[i - 1];
    }
    let mut next = first_child.clone();
    let mut children = vec![0_u32; first_child[joints.len()] as usize];
    let mut order = Vec::with_capacity(joints.len());
    for (index, joint) in joints.iter().enumerate() {
        match joint.parent {
            None => order.push(index as u32),
            Some(parent) => {
                let place = &mut next[parent.index()];
                children[*place as usize] = index as u32;
                *place += 1;
            }
        }
    }
    let mut done = 0;
    while let Some(&joint) = order.get(done) {
        let [from, to] = [joint, joint + 1].map(|j| first_child[j as usize] as usize);
        order.extend_from_slice(&children[from..to]);
        done += 1;
    }
    if order.len() < joints.len() {
        return Err(cycle(joints, &order));
    }
    Ok(order)
}

/// What is not reached from a root hangs on a cycle; following parents from it ends up in one.
fn cycle(joints: &[Joint], reached: &[u32]) -> SkeletonError {
    let mut seen = vec![false; joints.len()];
    for &joint in reached {
        seen[joint as usize] = true;
    }
    let mut joint = seen.iter().position(|&seen| !seen).unwrap_or(0);
    while !seen[joint] {
        seen[joint] = true;
        joint = joints[joint].parent.map_or(joint, JointId::index);
    }
    SkeletonErrorKind::Cycle { joint, name: joints[joint].name.clone() }.into()
}

elbowroom::declare_error! {
    /// Why a skeleton was refused.
    #[derive(Clone, Debug, PartialEq)]
    pub struct SkeletonError;

    /// What was wrong with a skeleton. Joints count from 0.
    #[derive(Clone, Debug, PartialEq)]
    pub enum SkeletonErrorKind {
        /// A joint is its own ancestor.
        #[error("joint {joint} ({name:?}) is its own ancestor")]
        Cycle {
            /// A joint of the cycle.
            joint: usize,
            /// The name.
            name: String,
        },
        /// A joint names a parent that does not exist.
        #[error(
            "joint {joint} ({name:?}) hangs on joint {}, but there are only {joints} (counted from 0)",
            parent.0
        )]
        NoSuchParent {
            /// The joint.
            joint: usize,
            /// The name.
            name: String,
            /// The parent that it names.
            parent: JointId,
            /// How many joints there are.
            joints: usize,
        },
        /// A number of a joint's rest is NaN or infinite.
        #[error("the rest of joint {joint} ({name:?}) holds a number that is not finite")]
        NonFinite {
            /// The joint.
            joint: usize,
            /// The name.
            name: String,
        },
        /// More joints than u32 can number.
        #[error("{joints} joints are more than can be numbered by 32 bits")]
        TooMany {
            /// How many.
            joints: usize,
        },
    }
}
