//! Characters and robots: a rig, how it moves, and where it is.

use std::sync::Arc;

use glam::DAffine3;

use super::path::Path;
use crate::body::{Clip, Rig, SkeletonPose, Target};
use crate::crowd::InPlace;

/// A rig that takes part in a scene. The rig, its models and its clips are shared by all who play
/// them.
#[derive(Clone, Debug)]
pub struct Actor {
    /// The character.
    pub rig: Arc<Rig>,
    /// The parts of the rig, if a file holds several objects in one rig; `None` for all.
    pub parts: Option<Vec<u32>>,
    /// The motion.
    pub motion: Motion,
    /// The place.
    pub whereabouts: Whereabouts,
}

impl Actor {
    /// All of a rig, at rest, where the rig puts itself.
    pub fn new(rig: Arc<Rig>) -> Self {
        let whereabouts = Whereabouts::Fixed(DAffine3::IDENTITY);
        Self { rig, parts: None, motion: Motion::Rest, whereabouts }
    }

    /// The pose of the actor at a time of the scene, and the time of its clip. `None` if the actor
    /// is absent.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use elbowroom_motion::body::{Joint, Local, Rig, Skeleton};
    /// use elbowroom_motion::scene::Actor;
    ///
    /// let root = Joint { name: "root".into(), parent: None, rest: Local::IDENTITY };
    /// let actor = Actor::new(Arc::new(Rig::new("post", Skeleton::new(vec![root])?)));
    /// let moment = actor.at(0.5).expect("it always stands there");
    /// assert_eq!((moment.world_from_rig, moment.clip_secs), (glam::DAffine3::IDENTITY, None));
    /// # Ok::<(), elbowroom_motion::body::SkeletonError>(())
    /// ```
    pub fn at(&self, scene_secs: f64) -> Option<Moment> {
        let (place, covered, in_place) = match &self.whereabouts {
            Whereabouts::Fixed(place) => (*place, 0.0, None),
            Whereabouts::Walk { path, scale, in_place, .. } => {
                let at = path.at(scene_secs)?;
                let place = path.axes().placed(at.position, at.heading, *scale);
                (place, at.covered, in_place.as_ref())
            }
        };
        let clip_secs = match (&self.motion, &self.whereabouts) {
            (Motion::Clip(playback), Whereabouts::Walk { stride: Some(stride), .. }) => {
                let rounds = covered / stride;
                Some(playback.played(playback.clip.seconds() * rounds - playback.start_secs))
            }
            (Motion::Clip(playback), _) => Some(playback.clip_time(scene_secs)),
            _ => None,
        };
        let world_from_rig = match in_place.zip(clip_secs) {
            Some((in_place, clip_secs)) => place * in_place.at(clip_secs),
            None => place,
        };
        Some(Moment { world_from_rig, clip_secs })
    }
}

/// An actor at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// The place, with rotation and scale.
    pub world_from_rig: DAffine3,
    /// The time in its clip, in seconds. `None` if it plays no clip.
    pub clip_secs: Option<f64>,
}

/// The motion of an actor.
#[derive(Clone, Debug)]
pub enum Motion {
    /// The rest pose.
    Rest,
    /// One pose, such as that of [`Rig::pose_of`] for a robot.
    Pose(SkeletonPose),
    /// A list of poses, one for each frame from frame 0; the last one holds.
    Poses(Vec<SkeletonPose>),
    /// A clip, its own or one that was [retargeted](crate::body::Retarget) to it.
    Clip(Playback),
}

/// The playback of a clip: start, speed and end.
#[derive(Clone, Debug)]
pub struct Playback {
    /// The clip. Joints that it does not move stay in the rest pose.
    pub clip: Arc<Clip>,
    /// The second of the scene at which its first key is. Before it, the first pose holds. Below
    /// zero, the clip has already begun.
    pub start_secs: f64,
    /// Seconds of the clip in a second of the scene, above 0.
    pub speed: f64,
    /// What follows its end.
    pub repeat: Repeat,
}

impl Playback {
    /// A clip from its first key, at its own speed.
    pub fn new(clip: Arc<Clip>, repeat: Repeat) -> Self {
        Self { clip, start_secs: 0.0, speed: 1.0, repeat }
    }

    /// A clip whose time 0 is time 0 of the scene, at its own speed: its first key is where its
    /// file has it, and its first moment holds before.
    pub fn on_timeline(clip: Arc<Clip>, repeat: Repeat) -> Self {
        Self { start_secs: clip.start(), ..Self::new(clip, repeat) }
    }

    /// The time in the clip at a time in the scene.
    fn clip_time(&self, scene_secs: f64) -> f64 {
        self.played((scene_secs - self.start_secs) * self.speed)
    }

    /// The time in the clip after a number of seconds.
    fn played(&self, secs: f64) -> f64 {
        let (start, length) = (self.clip.start(), self.clip.seconds());
        match self.repeat {
            Repeat::Hold => start + secs.clamp(0.0, length),
            Repeat::Loop if length > 0.0 => start + secs.max(0.0) % length,
            Repeat::Loop => start,
        }
    }
}

/// What follows the end of a clip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Repeat {
    /// The last pose holds.
    #[default]
    Hold,
    /// The clip starts again.
    Loop,
}

/// The place of an actor.
#[derive(Clone, Debug)]
pub enum Whereabouts {
    /// Always in one place: `world_from_rig`, which may scale.
    Fixed(DAffine3),
    /// On its way, and nowhere before and after.
    Walk {
        /// The way.
        path: Arc<Path>,
        /// How much larger than the rig the actor is.
        scale: f64,
        /// How far one round of the clip carries, in metres, so that feet stay where they stand;
        /// the clip goes by the clock if nothing is said.
        stride: Option<f64>,
        /// What the clip does to the floor, which is taken out of it; `None` for a clip that is in
        /// place already.
        in_place: Option<Arc<InPlace>>,
    },
}

impl Whereabouts {
    /// What is wrong with it, if anything is.
    pub(super) fn check(&self) -> Result<(), String> {
        match self {
            Self::Fixed(world_from_rig) => {
                if !world_from_rig.is_finite() {
                    return Err("has a place that is not finite".into());
                }
                let size = world_from_rig.matrix3.determinant();
                if size == 0.0 || !size.is_finite() {
                    return Err("is scaled to nothing, or beyond all numbers".into());
                }
                Ok(())
            }
            Self::Walk { scale, stride, .. } => {
                let is_good = |length: f64| length.is_finite() && length > 0.0;
                if !is_good(*scale) {
                    return Err(format!("has the scale {scale}; give a number above 0"));
                }
                match stride {
                    Some(stride) if !is_good(*stride) => {
                        Err(format!("has a stride of {stride} m; give a number above 0"))
                    }
                    _ => Ok(()),
                }
            }
        }
    }
}

impl Motion {
    /// What is wrong with it, if anything is.
    pub(super) fn check(&self, rig: &Rig) -> Result<(), String> {
        match self {
            Self::Rest => Ok(()),
            Self::Pose(pose) => check_pose(rig, pose),
            Self::Poses(poses) if poses.is_empty() => Err("moves by a list of no poses".into()),
            Self::Poses(poses) => poses.iter().try_for_each(|pose| check_pose(rig, pose)),
            Self::Clip(playback) => playback.check(rig),
        }
    }

    /// Whether nothing ever changes.
    pub(super) fn is_still(&self) -> bool {
        match self {
            Self::Rest | Self::Pose(_) => true,
            Self::Poses(poses) => poses.len() == 1,
            Self::Clip(playback) => playback.clip.seconds() == 0.0,
        }
    }
}

impl Playback {
    fn check(&self, rig: &Rig) -> Result<(), String> {
        let name = self.clip.name();
        if !(self.speed.is_finite() && self.speed > 0.0) {
            return Err(format!(
                "plays {name:?} at the speed {}; give a number above 0",
                self.speed
            ));
        }
        if !self.start_secs.is_finite() {
            return Err(format!("starts {name:?} at {} s", self.start_secs));
        }
        for track in self.clip.tracks() {
            let fits = match track.target {
                Target::Translation(joint) | Target::Rotation(joint) | Target::Scale(joint) => {
                    joint.index() < rig.skeleton.len()
                }
                Target::Weights(part) => {
                    let part = rig.parts.get(part as usize);
                    part.is_some_and(|part| part.morphs.len() == track.width())
                }
            };
            if !fits {
                return Err(format!(
                    "plays {name:?}, which moves what its rig does not have; retarget it first"
                ));
            }
        }
        Ok(())
    }
}

fn check_pose(rig: &Rig, pose: &SkeletonPose) -> Result<(), String> {
    let (locals, joints) = (pose.locals.len(), rig.skeleton.len());
    if locals > joints {
        return Err(format!("has a pose of {locals} joints, but its rig has {joints}"));
    }
    let is_finite = pose.locals.iter().all(crate::body::Local::is_finite)
        && pose.weights.iter().flatten().all(|weight| weight.is_finite());
    if is_finite { Ok(()) } else { Err("has a pose that is not finite".into()) }
}
