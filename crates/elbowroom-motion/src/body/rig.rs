//! A skeleton, the meshes that hang on it, and its motions.

use glam::DVec3;

use super::clip::{Clip, Target, Track};
use super::freedom::{Freedom, FreedomKind};
use super::local::SkeletonPose;
use super::part::{Hold, Part};
use super::poser::Poser;
use super::rig_error::{RigError, RigErrorKind};
use super::skeleton::{JointId, Skeleton};

/// A rig: the skeleton, meshes and clips of an animated file, in one form for all formats.
#[derive(Clone, Debug, PartialEq)]
pub struct Rig {
    /// The name in the file.
    pub name: String,
    /// The joints.
    pub skeleton: Skeleton,
    /// The meshes.
    pub parts: Vec<Part>,
    /// The motions.
    pub clips: Vec<Clip>,
    /// A robot's joint variables, in the order of [`Rig::pose_of`]'s values.
    pub freedoms: Vec<Freedom>,
    /// Pairs of joints whose parts may touch, by their places in the skeleton.
    pub allowed: Vec<(u32, u32)>,
}

impl Rig {
    /// A skeleton on which nothing hangs yet.
    pub fn new(name: impl Into<String>, skeleton: Skeleton) -> Self {
        Self {
            name: name.into(),
            skeleton,
            parts: Vec::new(),
            clips: Vec::new(),
            freedoms: Vec::new(),
            allowed: Vec::new(),
        }
    }

    /// Every joint at rest, every part's morphs as far in as the part says.
    pub fn rest_pose(&self) -> SkeletonPose {
        let weights = self.parts.iter().map(|part| part.morph_weights.clone()).collect();
        SkeletonPose { weights, ..self.skeleton.rest_pose() }
    }

    /// The vertices of a part in a pose: morphed, then skinned or carried rigidly, in the rig's own
    /// world.
    ///
    /// For several parts of one pose, or a rig that stands somewhere, [`Poser::set`] and
    /// [`Poser::part`] find the joints only once.
    ///
    /// # Panics
    /// If there is no such part, or the rig does not [`validate`](Self::validate).
    pub fn posed(&self, pose: &SkeletonPose, part: usize, poser: &mut Poser, out: &mut Vec<DVec3>) {
        poser.set(self, pose);
        poser.part(self, part, out);
    }

    /// Checks that everything refers to what is there.
    ///
    /// # Errors
    /// Names the part, clip or freedom and what it refers to.
    pub fn validate(&self) -> Result<(), RigError> {
        for (index, part) in self.parts.iter().enumerate() {
            let name = part.name.clone();
            self.check_part(part).map_err(|what| RigErrorKind::Part { part: index, name, what })?;
        }
        for (clip, of) in self.clips.iter().enumerate() {
            for (track, moves) in of.tracks().iter().enumerate() {
                self.check_track(moves).map_err(|what| {
                    let name = of.name().to_owned();
                    RigErrorKind::Track { clip, name, track, target: moves.target, what }
                })?;
            }
        }
        for (index, freedom) in self.freedoms.iter().enumerate() {
            let name = freedom.name.clone();
            self.check_freedom(freedom).map_err(|what| RigErrorKind::Freedom {
                freedom: index,
                name,
                what,
            })?;
        }
        self.check_mimics()?;
        let absent = |&&(a, b): &&(u32, u32)| a.max(b) as usize >= self.skeleton.len();
        match self.allowed.iter().find(absent) {
            Some(&(a, b)) => {
                Err(RigErrorKind::Allowed { a, b, joints: self.skeleton.len() }.into())
            }
            None => Ok(()),
        }
    }

    fn check_joint(&self, JointId(joint): JointId) -> Result<(), String> {
        let joints = self.skeleton.len();
        if (joint as usize) < joints {
            Ok(())
        } else {
            Err(format!("names joint {joint}, but there are only {joints} (counted from 0)"))
        }
    }

    fn check_part(&self, part: &Part) -> Result<(), String> {
        let vertices = part.mesh.vertices().len();
        match &part.hold {
            Hold::Rigid(joint) => self.check_joint(*joint)?,
            Hold::Skinned(skin) => {
                skin.joints().iter().try_for_each(|&joint| self.check_joint(joint))?;
                let skinned = skin.vertices_len();
                if skinned != vertices {
                    return Err(format!("has {vertices} vertices, but its skin has {skinned}"));
                }
            }
        }
        for morph in &part.morphs {
            let (name, offsets) = (&morph.name, morph.offsets.len());
            if offsets != vertices {
                return Err(format!(
                    "has {vertices} vertices, but its morph {name:?} moves {offsets}"
                ));
            }
            if let Some(vertex) = morph.offsets.iter().position(|offset| !offset.is_finite()) {
                return Err(format!("has a morph {name:?} that is not finite at vertex {vertex}"));
            }
        }
        let (weights, morphs) = (part.morph_weights.len(), part.morphs.len());
        if weights != morphs || part.morph_weights.iter().any(|weight| !weight.is_finite()) {
            return Err(format!(
                "has {weights} morph weights for {morphs} morphs: one finite number each is needed"
            ));
        }
        match &part.primitive {
            Some((local, primitive)) if !(local.is_finite() && primitive.is_valid()) => {
                Err("has a primitive with a measure that is negative or not finite".into())
            }
            _ => Ok(()),
        }
    }

    fn check_track(&self, track: &Track) -> Result<(), String> {
        match track.target {
            Target::Translation(joint) | Target::Rotation(joint) | Target::Scale(joint) => {
                self.check_joint(joint)
            }
            Target::Weights(part) => {
                let Some(part) = self.parts.get(part as usize) else {
                    return Err(format!("but there are only {} parts", self.parts.len()));
                };
                let (width, morphs) = (track.width(), part.morphs.len());
                if width == morphs {
                    return Ok(());
                }
                Err(format!("has {width} weights a key, but the part has {morphs} morphs"))
            }
        }
    }

    fn check_freedom(&self, freedom: &Freedom) -> Result<(), String> {
        self.check_joint(freedom.joint)?;
        let has_axis = matches!(freedom.kind, FreedomKind::Hinge | FreedomKind::Slide);
        if has_axis && freedom.axis.try_normalize().is_none() {
            return Err(format!("has the axis {}, which has no direction", freedom.axis));
        }
        if !freedom.anchor.is_finite() {
            return Err("has an anchor that is not finite".into());
        }
        match freedom.range {
            // An end may be infinite, but not NaN.
            Some((low, high)) if low > high || low.is_nan() || high.is_nan() => {
                Err(format!("has a range from {low} to {high}, which is none"))
            }
            _ => Ok(()),
        }
    }

    fn check_mimics(&self) -> Result<(), RigError> {
        // Where following leads, it leads for the next one too: each freedom is followed once.
        let mut ends = vec![false; self.freedoms.len()];
        for start in 0..self.freedoms.len() {
            let mut path = Vec::new();
            let mut at = start;
            while !ends[at] {
                path.push(at);
                let Some(mimic) = self.freedoms[at].mimic else { break };
                let followed = self.freedoms.get(mimic.of);
                let single = |freedom: &Freedom| freedom.kind.width() == 1;
                let fits = followed.is_some_and(single) && single(&self.freedoms[at]);
                let finite = mimic.factor.is_finite() && mimic.offset.is_finite();
                if !fits || !finite || path.len() > self.freedoms.len() {
                    let name = self.freedoms[at].name.clone();
                    let what =
                        "follows itself, nothing with a single value, or by a number that is \
                                not finite"
                            .into();
                    return Err(RigErrorKind::Freedom { freedom: at, name, what }.into());
                }
                at = mimic.of;
            }
            for at in path {
                ends[at] = true;
            }
        }
        Ok(())
    }
}
