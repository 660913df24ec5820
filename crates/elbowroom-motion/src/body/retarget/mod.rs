//! A motion of one skeleton on another.
//!
//! Joints are matched by what their names mean (`names`, `roles`). Spines and necks of different
//! numbers of joints are matched by how far up they are. What is carried over is how each bone has
//! turned since rest, in the axes of the world: so the skeletons' own axes, which differ from
//! program to program, do not matter. The hips move as the source's do, scaled by the ratio of the
//! legs' lengths, and so high that the floor is at height zero in both; other joints keep their
//! distances. This is the usual way; we add three things. The limbs of the two at rest need not
//! point the same way (one has its arms out, the other hanging): the turn between them goes in
//! front, so that limbs point where the source's do. The two need not face the same way or have the
//! same axis up: bodies are compared by where their legs and head are, and turned by right angles.
//! And a hand, foot or thigh that does not hang on its limb or hips, as in rigs made for
//! inverse kinematics, is carried along with it.
//!
//! Invariant: a skeleton retargeted to itself gives its own motion, up to rounding, for what is
//! matched.

mod frames;
mod names;
pub(crate) use names::has_limbs;
mod plan;
mod roles;

use std::fmt;

use glam::{DAffine3, DQuat, DVec3};

use super::clip::{Clip, Interpolation, Target, Track};
use super::clip_error::ClipError;
use super::interpolate::frame_times;
use super::local::{Local, SkeletonPose, unit};
use super::skeleton::{JointId, Skeleton};
use plan::{Carried, Plan};

/// Options of retargeting: how a motion is carried over to another skeleton.
#[derive(Clone, Debug, PartialEq)]
pub struct RetargetConfig {
    /// What the hips' way over the floor is multiplied by; by default the ratio of the legs'
    /// lengths, as heights always are. Say 1 to keep people who were captured together at
    /// their distances.
    pub root_scale: Option<f64>,
    /// Whether arms and legs are made to point where the source's do. Otherwise they turn from
    /// their own rest as the source's turn from theirs.
    pub align_limbs: bool,
    /// What counts as the source's rest; by default the skeleton's own. Mocap may have a better
    /// one in its first frame.
    pub source_rest: Option<SkeletonPose>,
    /// What counts as the target's rest; by default the skeleton's own.
    pub target_rest: Option<SkeletonPose>,
}

impl Default for RetargetConfig {
    fn default() -> Self {
        Self { root_scale: None, align_limbs: true, source_rest: None, target_rest: None }
    }
}

/// A joint of the source and the joint of the target that follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match {
    /// The joint of the source.
    pub source: JointId,
    /// The joint of the target.
    pub target: JointId,
}

/// A way to carry motions of one skeleton over to another.
///
/// ```
/// use elbowroom_motion::body::{Joint, JointId, Local, Retarget, RetargetConfig, Skeleton};
/// use glam::DVec3;
///
/// let chain = |names: &[&str]| {
///     let joint = |(i, name): (usize, &&str)| Joint {
///         name: name.to_string(),
///         parent: (i as u32).checked_sub(1).map(JointId),
///         rest: Local::from_translation(DVec3::NEG_Y),
///     };
///     Skeleton::new(names.iter().enumerate().map(joint).collect())
/// };
/// let mocap = chain(&["root", "lfemur", "ltibia", "lfoot"])?;
/// let character = chain(&["mixamorig:Hips", "mixamorig:LeftUpLeg", "mixamorig:LeftLeg"])?;
/// let retarget = Retarget::new(&mocap, &character, &RetargetConfig::default())?;
/// assert_eq!(retarget.matched().len(), 3);
/// assert_eq!(retarget.only_in_source(), [JointId(3)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Retarget {
    source: Skeleton,
    target: Skeleton,
    /// What joints that nothing moves keep.
    target_rest: SkeletonPose,
    plan: Plan,
}

impl Retarget {
    /// Matches the joints of two skeletons.
    ///
    /// # Errors
    /// If no name of the one means what a name of the other means.
    pub fn new(
        source: &Skeleton,
        target: &Skeleton,
        config: &RetargetConfig,
    ) -> Result<Self, RetargetError> {
        let plan = Plan::new(source, target, config);
        if plan.carried.is_empty() {
            let first = |skeleton: &Skeleton| {
                skeleton.joints().iter().take(5).map(|joint| joint.name.clone()).collect()
            };
            return Err(RetargetError { source: first(source), target: first(target) });
        }
        let mut target_rest = target.rest_pose();
        if let Some(rest) = &config.target_rest {
            for (local, said) in target_rest.locals.iter_mut().zip(&rest.locals) {
                *local = *said;
            }
        }
        Ok(Self { source: source.clone(), target: target.clone(), target_rest, plan })
    }

    /// The pairs of matched joints, in the order of the target's joints.
    pub fn matched(&self) -> Vec<Match> {
        let pair = |c: &Carried| Match { source: c.source, target: c.target };
        self.plan.carried.iter().map(pair).collect()
    }

    /// The source's joints that nothing follows.
    pub fn only_in_source(&self) -> Vec<JointId> {
        missing(&self.source, self.plan.carried.iter().map(|c| c.source))
    }

    /// The target's joints that follow nothing and keep their rest.
    pub fn only_in_target(&self) -> Vec<JointId> {
        missing(&self.target, self.plan.carried.iter().map(|c| c.target))
    }

    /// The factor of the hips' motion over the floor.
    pub fn root_scale(&self) -> f64 {
        self.plan.root_scale
    }

    /// Carries one pose over. Morph weights are left out: they belong to meshes.
    pub fn pose(&self, source: &SkeletonPose) -> SkeletonPose {
        let mut carrier = Carrier::new(self);
        carrier.carry(source);
        carrier.pose
    }

    /// Carries a clip over, with keys at `fps` frames a second.
    ///
    /// # Errors
    /// If the rate is not a positive number or makes too many values; see [`Clip::resampled`].
    pub fn clip(&self, clip: &Clip, fps: f64) -> Result<Clip, ClipError> {
        let moved: Vec<JointId> = self.plan.moved().collect();
        let times = frame_times(clip, fps, 5 * self.plan.carried.len() + 4 * moved.len())?;
        let key_count = times.len();
        let empty = |width: usize| Vec::with_capacity(width * key_count);
        let mut rotations: Vec<Vec<f64>> = self.plan.carried.iter().map(|_| empty(4)).collect();
        let mut translations: Vec<Vec<f64>> = moved.iter().map(|_| empty(3)).collect();
        let mut carrier = Carrier::new(self);
        let mut pose = self.source.rest_pose();
        for &time in &times {
            clip.sample(time, &mut pose);
            carrier.carry(&pose);
            for (carried, values) in self.plan.carried.iter().zip(&mut rotations) {
                values.extend(carrier.pose.locals[carried.target.index()].rotation.to_array());
            }
            for (joint, values) in moved.iter().zip(&mut translations) {
                values.extend(carrier.pose.locals[joint.index()].translation.to_array());
            }
        }
        let track = |target, values| {
            let (interpolation, times) = (Interpolation::Linear, times.clone());
            Track { target, interpolation, times, values }
        };
        let turned = self.plan.carried.iter().map(|c| Target::Rotation(c.target));
        let moved = moved.into_iter().map(Target::Translation);
        let tracks = turned.zip(rotations).chain(moved.zip(translations));
        clip.with_tracks(tracks.map(|(t, v)| track(t, v)).collect())
    }
}

fn missing(skeleton: &Skeleton, present: impl Iterator<Item = JointId>) -> Vec<JointId> {
    let mut there = vec![false; skeleton.len()];
    for id in present {
        there[id.index()] = true;
    }
    (0..skeleton.len()).filter(|&i| !there[i]).map(|i| JointId(i as u32)).collect()
}

/// Carries pose after pose with the same memory.
struct Carrier<'a> {
    retarget: &'a Retarget,
    source_world: Vec<DAffine3>,
    source_turns: Vec<DQuat>,
    world: Vec<DAffine3>,
    turns: Vec<DQuat>,
    pose: SkeletonPose,
}

impl<'a> Carrier<'a> {
    fn new(retarget: &'a Retarget) -> Self {
        let joints = retarget.target.len();
        Self {
            retarget,
            source_world: Vec::new(),
            source_turns: Vec::new(),
            world: vec![DAffine3::IDENTITY; joints],
            turns: vec![DQuat::IDENTITY; joints],
            pose: retarget.target_rest.clone(),
        }
    }

    fn carry(&mut self, source: &SkeletonPose) {
        let retarget = self.retarget;
        retarget.source.world(source, &mut self.source_world);
        frames::turns(&retarget.source, source, &mut self.source_turns);
        self.pass(false);
        // What goes with a limb that it does not hang on can only stand once the limb does: thighs
        // after the hips, then feet after the shins.
        if !retarget.plan.loose.is_empty() {
            self.pass(true);
            self.pass(true);
        }
    }

    /// Finds every joint of the target, parents first.
    fn pass(&mut self, limbs_stand: bool) {
        let Retarget { target, target_rest, plan, .. } = self.retarget;
        for id in target.parents_first() {
            let joint = &target.joints()[id.index()];
            let rest = &target_rest.locals[id.index()];
            let (world, turn) = joint.parent.map_or((DAffine3::IDENTITY, DQuat::IDENTITY), |p| {
                (self.world[p.index()], self.turns[p.index()])
            });
            let mut local = Local { rotation: unit(rest.rotation), ..*rest };
            if let Some(carried) = plan.carried_by(id) {
                let now = self.source_turns[carried.source.index()];
                let wanted = carried.before * now * carried.after;
                local.rotation = unit(turn.conjugate() * wanted);
            }
            if let Some(place) = self.place(id, limbs_stand) {
                local.translation = world.inverse().transform_point3(place);
            }
            self.turns[id.index()] = unit(turn * local.rotation);
            self.world[id.index()] = world * local.affine();
            self.pose.locals[id.index()] = local;
        }
    }

    /// Where a joint stands that does not simply hang on its parent.
    fn place(&self, id: JointId, limbs_stand: bool) -> Option<DVec3> {
        let plan = &self.retarget.plan;
        if let Some(hips) = plan.hips.as_ref().filter(|hips| hips.target == id) {
            let from = self.source_world[hips.source.index()].translation;
            return Some(plan.hips_at(from));
        }
        let loose = plan.loose.iter().find(|loose| loose.joint == id).filter(|_| limbs_stand)?;
        Some(self.world[loose.limb.index()].transform_point3(loose.in_limb))
    }
}

/// Why a motion cannot be carried over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetargetError {
    source: Vec<String>,
    target: Vec<String>,
}

impl fmt::Display for RetargetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "no joint of the source (its first are {}) means what a joint of the target ({}) means: \
             rename them as CMU, Mixamo or VRM skeletons do, such as Hips, LeftUpLeg, LeftArm",
            self.source.join(", "),
            self.target.join(", ")
        )
    }
}

impl std::error::Error for RetargetError {}
