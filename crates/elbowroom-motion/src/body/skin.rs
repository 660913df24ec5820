//! Which joints move a vertex, and how much each.
//!
//! A skin keeps its influences as they came, and beside them a packed form for the kernels:
//! vertices with equally many influences stand together in a [`Run`], so that the inner loop has a
//! fixed length and no branches; within a vertex the heaviest influence comes first, ties by joint,
//! and those of weight zero are gone. So the result does not depend on the order in which a file
//! lists influences.
//!
//! Weights come as f32 and are used as f64 that add up to one as nearly as f64 can: a sum that is
//! off by 1e-7 would move a vertex by 0.1 mm on a body that stands a kilometre from the origin.

use glam::DAffine3;

use super::skeleton::JointId;
use super::skin_error::{SkinError, SkinErrorKind};
use elbowroom::internal::math::sort::many_by;

/// The influence of a joint on a vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Influence {
    /// The joint, by its place in [`Skin::joints`].
    pub joint: u16,
    /// The weight.
    pub weight: f32,
}

/// The method that blends the motions of several joints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Blend {
    /// The weighted sum of matrices: what glTF and nearly every engine mean. Twisted limbs become
    /// thin.
    #[default]
    Linear,
    /// The weighted sum of dual quaternions: keeps the volume of twisted limbs.
    DualQuaternion,
}

/// Vertices that have equally many influences.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Run {
    /// How many influences each has.
    pub(super) count: usize,
    /// Which vertices, rising.
    pub(super) vertices: Vec<u32>,
    /// `count` places in [`Skin::joints`] for each vertex, the heaviest first.
    pub(super) joints: Vec<u16>,
    /// The weights of these; they add up to one.
    pub(super) weights: Vec<f64>,
}

/// Checked weights of a mesh's vertices on joints.
#[derive(Clone, Debug, PartialEq)]
pub struct Skin {
    joints: Vec<JointId>,
    inverse_binds: Vec<DAffine3>,
    offsets: Vec<u32>,
    influences: Vec<Influence>,
    blend: Blend,
    renormalised: usize,
    runs: Vec<Run>,
}

impl Skin {
    /// How far the weights of a vertex may be from one in sum before they count as renormalised:
    /// some roundings to f32.
    pub const SUM_TOLERANCE: f64 = 1e-6;

    /// Checks a skin. Vertex `i` has the influences `offsets[i]..offsets[i + 1]`; any number of
    /// them.
    ///
    /// `inverse_binds` are `joint_from_mesh` at the time of binding, one for each joint. Weights
    /// that do not add up to one are divided by their sum; see
    /// [`renormalised`](Self::renormalised).
    ///
    /// # Errors
    /// Names the vertex whose weight is negative or not finite, whose weights are all zero, or that
    /// names a joint that is not there; and what does not fit together.
    pub fn new(
        joints: Vec<JointId>,
        inverse_binds: Vec<DAffine3>,
        offsets: Vec<u32>,
        mut influences: Vec<Influence>,
    ) -> Result<Self, SkinError> {
        check_joints(&joints, &inverse_binds)?;
        check_offsets(&offsets, influences.len())?;
        let (mut renormalised, mut runs, mut room) = (0, Vec::new(), Vec::new());
        for (vertex, ends) in offsets.windows(2).enumerate() {
            let own = &mut influences[ends[0] as usize..ends[1] as usize];
            check_weights(vertex, own, joints.len())?;
            let sum = pack(vertex as u32, own, &mut runs, &mut room);
            if (sum - 1.0).abs() > Self::SUM_TOLERANCE {
                renormalised += 1;
                for influence in own {
                    influence.weight = (f64::from(influence.weight) / sum) as f32;
                }
            }
        }
        let blend = Blend::Linear;
        Ok(Self { joints, inverse_binds, offsets, influences, blend, renormalised, runs })
    }

    /// A skin with the same weights and another blending method.
    #[must_use]
    pub fn with_blend(mut self, blend: Blend) -> Self {
        self.blend = blend;
        self
    }

    /// The method that blends the motions of several joints; [`Blend::Linear`] by default.
    pub fn blend(&self) -> Blend {
        self.blend
    }

    /// The joints that influences name.
    pub fn joints(&self) -> &[JointId] {
        &self.joints
    }

    /// `joint_from_mesh` at the time of binding, for each of [`joints`](Self::joints).
    pub fn inverse_binds(&self) -> &[DAffine3] {
        &self.inverse_binds
    }

    /// The number of vertices.
    pub fn vertices_len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The influences on a vertex, in the order given, renormalised where that was needed.
    ///
    /// # Panics
    /// If there is no such vertex.
    pub fn influences(&self, vertex: u32) -> &[Influence] {
        let vertex = vertex as usize;
        &self.influences[self.offsets[vertex] as usize..self.offsets[vertex + 1] as usize]
    }

    /// The joint that moves a vertex most; of equals the one that comes first in
    /// [`joints`](Self::joints).
    ///
    /// # Panics
    /// If there is no such vertex.
    pub fn dominant(&self, vertex: u32) -> JointId {
        let heavier = |best: Influence, next: &Influence| {
            let wins = next.weight > best.weight
                || (next.weight == best.weight && next.joint < best.joint);
            if wins { *next } else { best }
        };
        let own = self.influences(vertex);
        self.joints[own.iter().fold(own[0], heavier).joint as usize]
    }

    /// The number of vertices whose weights did not add up to one.
    pub fn renormalised(&self) -> usize {
        self.renormalised
    }

    /// The packed form.
    pub(super) fn runs(&self) -> &[Run] {
        &self.runs
    }
}

fn check_joints(joints: &[JointId], inverse_binds: &[DAffine3]) -> Result<(), SkinError> {
    if joints.len() > 1 << 16 {
        return Err(SkinErrorKind::TooManyJoints { joints: joints.len() }.into());
    }
    if joints.len() != inverse_binds.len() {
        let (joints, inverse_binds) = (joints.len(), inverse_binds.len());
        return Err(SkinErrorKind::InverseBindCount { joints, inverse_binds }.into());
    }
    match inverse_binds.iter().position(|matrix| !matrix.is_finite()) {
        Some(joint) => Err(SkinErrorKind::NonFiniteBind { joint }.into()),
        None => Ok(()),
    }
}

fn check_offsets(offsets: &[u32], influences: usize) -> Result<(), SkinError> {
    let ends_fit = offsets.first() == Some(&0)
        && offsets.last().is_some_and(|&last| last as usize == influences);
    if ends_fit && offsets.is_sorted() {
        Ok(())
    } else {
        Err(SkinErrorKind::BadOffsets { influences }.into())
    }
}

fn check_weights(vertex: usize, own: &[Influence], joints: usize) -> Result<(), SkinError> {
    for &Influence { joint, weight } in own {
        if joint as usize >= joints {
            return Err(SkinErrorKind::NoSuchJoint { vertex, joint, joints }.into());
        }
        if !weight.is_finite() || weight < 0.0 {
            return Err(SkinErrorKind::BadWeight { vertex, joint, weight }.into());
        }
    }
    if own.iter().any(|influence| influence.weight > 0.0) {
        Ok(())
    } else {
        Err(SkinErrorKind::NoWeight { vertex }.into())
    }
}

/// Puts a vertex into the run of its kind; gives the sum of its weights, from the heaviest to the
/// lightest.
fn pack(vertex: u32, own: &[Influence], runs: &mut Vec<Run>, room: &mut Vec<Influence>) -> f64 {
    room.clear();
    room.extend(own.iter().filter(|influence| influence.weight > 0.0));
    many_by(room, |a, b| b.weight.total_cmp(&a.weight).then(a.joint.cmp(&b.joint)));
    let count = room.len();
    let place = runs.binary_search_by_key(&count, |run| run.count).unwrap_or_else(|place| {
        let (vertices, joints, weights) = (Vec::new(), Vec::new(), Vec::new());
        runs.insert(place, Run { count, vertices, joints, weights });
        place
    });
    let run = &mut runs[place];
    let sum: f64 = room.iter().map(|influence| f64::from(influence.weight)).sum();
    run.vertices.push(vertex);
    run.joints.extend(room.iter().map(|influence| influence.joint));
    run.weights.extend(room.iter().map(|influence| f64::from(influence.weight) / sum));
    sum
}
