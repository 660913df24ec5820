//! The door for real bodies.
//!
//! Experiments run on generated bodies, so that they run everywhere. Where real ones are at hand,
//! some take these as well. The lab reads no file: the caller of an experiment hands it a [`Data`],
//! which is asked for a body by its place in the folder of data when it is needed. What is not
//! there is no failure; the report says so.

use std::fmt;

use elbowroom::Mesh;
use elbowroom_motion::body::{Poser, Rig, SkeletonPose};
use glam::DQuat;

/// The robot's hand of Table 5.
pub(crate) const SHADOW_HAND: &str = "meshes/robots/shadow_hand/right_hand.xml";
/// The monkey's head.
pub(crate) const SUZANNE: &str = "meshes/suzanne.obj";
/// A helicopter with a rotor.
pub(crate) const HELICOPTER: &str = "meshes/helicopter_AW101.glb";

/// Gives real bodies.
///
/// ```
/// use elbowroom_motion::body::Rig;
/// use elbowroom_lab::{Absent, Context, Data, Silent, find};
///
/// /// Takes a generated hand for the robot's.
/// struct Hands;
///
/// impl Data for Hands {
///     fn rig(&self, name: &str) -> Result<Rig, Absent> {
///         if name.ends_with("right_hand.xml") {
///             Ok(elbowroom_make::hand(1))
///         } else {
///             Err(Absent::new(format!("{name}: only hands are here")))
///         }
///     }
/// }
///
/// let context = Context { quick: true, progress: &Silent, data: &Hands };
/// let report = find("cab-table5").unwrap().run(&context);
/// assert!(report.claims.iter().any(|claim| claim.id == "CAB-T5-shadow-counts"));
/// ```
pub trait Data {
    /// The body that a file describes, by its place in the folder: a robot with its joint variables
    /// and the pairs that may touch, a character or captured motion with its clips; a plain
    /// mesh is a rig of one joint. Lengths are metres.
    ///
    /// # Errors
    /// Says why there is none.
    fn rig(&self, name: &str) -> Result<Rig, Absent>;

    /// Single poses that a file lists, by its place in the folder.
    ///
    /// # Errors
    /// Says why there are none.
    fn stills(&self, name: &str) -> Result<Vec<Still>, Absent> {
        Err(Absent::new(format!("{name}: there are no single poses here")))
    }
}

/// A pose by the names of joints, for bodies that rest as the one that it was taken from does.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Still {
    /// Each joint's turn against its parent; as at rest where a joint is not named.
    pub turns: Vec<(String, DQuat)>,
}

impl Still {
    /// The pose of this body.
    ///
    /// # Errors
    /// If it has none of the joints.
    pub(crate) fn pose(&self, rig: &Rig) -> Result<SkeletonPose, Absent> {
        let mut pose = rig.rest_pose();
        let mut known = 0;
        for (joint, local) in rig.skeleton.joints().iter().zip(&mut pose.locals) {
            if let Some((_, turn)) = self.turns.iter().find(|(name, _)| *name == joint.name) {
                local.rotation = turn.normalize();
                known += 1;
            }
        }
        if known == 0 {
            return Err(Absent::new(format!("{}: has none of the joints of the pose", rig.name)));
        }
        Ok(pose)
    }
}

/// Nothing but what is generated.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoData;

impl Data for NoData {
    fn rig(&self, name: &str) -> Result<Rig, Absent> {
        Err(Absent::new(format!("{name}: there is no data")))
    }
}

/// Why a body is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Absent(String);

impl Absent {
    /// In one line: the file, what is wrong, what to do.
    pub fn new(why: impl Into<String>) -> Self {
        Self(why.into())
    }
}

impl fmt::Display for Absent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Absent {}

/// What a report says where the real body is not there.
pub(crate) fn without(what: &str, why: &Absent) -> String {
    format!("Without {what}, the generated one counts alone ({why}).")
}

/// The parts of a rig at rest, where they stand.
pub(crate) fn at_rest(rig: &Rig) -> Result<Vec<Mesh>, Absent> {
    rig.validate().map_err(|error| Absent::new(format!("{}: {error}", rig.name)))?;
    let (pose, mut poser) = (rig.rest_pose(), Poser::default());
    let parts = (0..rig.parts.len()).map(|part| {
        let mut vertices = Vec::new();
        rig.posed(&pose, part, &mut poser, &mut vertices);
        Mesh::new(vertices, rig.parts[part].mesh.triangles().to_vec())
            .map_err(|error| Absent::new(format!("{}: {error}", rig.name)))
    });
    let parts: Vec<Mesh> = parts.collect::<Result<_, _>>()?;
    if parts.is_empty() {
        return Err(Absent::new(format!("{}: has no mesh", rig.name)));
    }
    Ok(parts)
}
