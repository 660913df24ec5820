//! From a body that moves to a disk on the ground.
//!
//! The centre is where the root joint stands, seen from above; the radius is one for all samples,
//! or reaches to the farthest joint, or to the farthest vertex of a character with skin, sample by
//! sample.
//!
//! Source: Sung, Chenney and Gleicher, *Detecting collisions in graph-driven motion synthesis*,
//! section 3.

use glam::{DAffine3, DVec2, DVec3};

use super::error::{TraceError, TraceErrorKind, positive};
use super::trace::{Sample, Trace, frames};
use crate::body::{Clip, JointId, Poser, Rig, Skeleton};

/// The axis that points up. The ground's axes are right-handed, seen from above.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Up {
    /// x up: the ground is (y, z).
    X,
    /// y up, as in glTF and most captures: the ground is (z, x).
    #[default]
    Y,
    /// z up: the ground is (x, y).
    Z,
}

impl Up {
    /// A point seen from above.
    pub fn ground(self, p: DVec3) -> DVec2 {
        match self {
            Self::X => DVec2::new(p.y, p.z),
            Self::Y => DVec2::new(p.z, p.x),
            Self::Z => DVec2::new(p.x, p.y),
        }
    }

    /// The height of a point.
    pub fn height(self, p: DVec3) -> f64 {
        match self {
            Self::X => p.x,
            Self::Y => p.y,
            Self::Z => p.z,
        }
    }
}

/// The radii of the disks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reach {
    /// All of one radius, in the trace's unit.
    Fixed(f64),
    /// To the point that is farthest from the root, seen from above, in each sample.
    Farthest,
}

/// Options of taking a trace from a clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Taking {
    /// The axis that points up.
    pub up: Up,
    /// The radii of the disks.
    pub reach: Reach,
    /// Samples a second; nothing for those of the clip's own keys.
    pub fps: Option<f64>,
    /// The joint under which the disk stands; nothing for the first that has no parent.
    pub root: Option<JointId>,
    /// Length of one unit of the clip in units of the trace.
    pub scale: f64,
    /// Keys at the beginning that are left out: captures often begin with a rest pose.
    pub skip: usize,
}

impl Default for Taking {
    /// y up, to the farthest joint or vertex, 30 samples a second, from the root, as it is.
    fn default() -> Self {
        Self { up: Up::Y, reach: Reach::Farthest, fps: Some(30.0), root: None, scale: 1.0, skip: 0 }
    }
}

/// The times of the samples.
pub struct Times {
    pub start: f64,
    pub dt: f64,
    pub count: usize,
}

impl Times {
    pub fn new(clip: &Clip, taking: &Taking) -> Result<Self, TraceError> {
        // The track with most keys says how often the clip was sampled.
        let times = clip.tracks().iter().map(|track| &track.times).max_by_key(|times| times.len());
        let keys = times.map_or(0, Vec::len);
        let own = if keys > 1 { clip.seconds() / (keys - 1) as f64 } else { 1.0 / 30.0 };
        let start = (clip.start() + taking.skip as f64 * own).min(clip.end());
        let fps = taking.fps.unwrap_or(1.0 / own);
        positive("rate", fps)?;
        let dt = if taking.fps.is_some() { 1.0 / fps } else { own };
        Ok(Self { start, dt, count: frames(clip.end() - start, fps)? })
    }
}

impl Taking {
    /// When a sample is, on the clip's own clock. Of a clip from which no trace could be taken, its
    /// start.
    pub(crate) fn moment(&self, clip: &Clip, sample: usize) -> f64 {
        Times::new(clip, self).map_or(clip.start(), |times| times.start + sample as f64 * times.dt)
    }

    /// The time from one sample to the next; as long as a frame of film for a clip from which no
    /// trace could be taken.
    pub(crate) fn dt(&self, clip: &Clip) -> f64 {
        Times::new(clip, self).map_or(1.0 / 30.0, |times| times.dt)
    }

    fn root(&self, skeleton: &Skeleton) -> Result<usize, TraceError> {
        let first = || skeleton.joints().iter().position(|joint| joint.parent.is_none());
        let joint = self.root.map_or_else(|| first().unwrap_or(0), JointId::index);
        let joints = skeleton.len();
        if joint < joints {
            Ok(joint)
        } else {
            Err(TraceErrorKind::NoSuchJoint { joint: joint as u32, joints }.into())
        }
    }

    /// The disk of a pose.
    fn sample(&self, root: DVec3, points: impl Iterator<Item = DVec3>) -> Sample {
        let center = self.up.ground(root) * self.scale;
        let radius = match self.reach {
            Reach::Fixed(radius) => radius,
            Reach::Farthest => points
                .map(|point| (self.up.ground(point) * self.scale).distance(center))
                .fold(0.0, f64::max),
        };
        Sample { center, radius }
    }
}

impl Trace {
    /// The disk of a skeleton in motion: reaches to the farthest joint, unless its radius is fixed.
    ///
    /// ```
    /// use elbowroom_motion::body::{Clip, Interpolation, Joint, JointId, Local, Skeleton, Target, Track};
    /// use elbowroom_motion::space_time::{Reach, Taking, Trace};
    ///
    /// let root = Joint { name: "hips".into(), parent: None, rest: Local::IDENTITY };
    /// let track = Track {
    ///     target: Target::Translation(JointId(0)),
    ///     interpolation: Interpolation::Linear,
    ///     times: vec![0.0, 2.0],
    ///     values: vec![0.0, 1.0, 0.0, 0.0, 1.0, 3.0],
    /// };
    /// let clip = Clip::new("walk".into(), vec![track])?;
    /// let taking = Taking { reach: Reach::Fixed(0.5), ..Taking::default() };
    /// let trace = Trace::from_clip(&Skeleton::new(vec![root])?, &clip, &taking)?;
    /// // Two seconds at 30 a second, the last frame included; z is the ground's x.
    /// assert_eq!(trace.len(), 61);
    /// assert_eq!(trace.sample(60).center.x, 3.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the root is not a joint of the skeleton, the rate or the scale is not a positive number,
    /// or what comes out is no trace.
    pub fn from_clip(
        skeleton: &Skeleton,
        clip: &Clip,
        taking: &Taking,
    ) -> Result<Self, TraceError> {
        positive("scale", taking.scale)?;
        let root = taking.root(skeleton)?;
        let times = Times::new(clip, taking)?;
        let (mut pose, mut world) = (skeleton.rest_pose(), Vec::<DAffine3>::new());
        let mut samples = Vec::with_capacity(times.count);
        for frame in 0..times.count {
            clip.sample(times.start + frame as f64 * times.dt, &mut pose);
            skeleton.world(&pose, &mut world);
            let joints = world.iter().map(|joint| joint.translation);
            samples.push(taking.sample(world[root].translation, joints));
        }
        Self::new(&samples, times.dt)
    }

    /// The disk of a character in motion: reaches to the farthest vertex of all its parts, unless
    /// its radius is fixed.
    ///
    /// # Errors
    /// As [`Trace::from_clip`].
    ///
    /// # Panics
    /// If the rig does not [`validate`](Rig::validate).
    pub fn from_rig(rig: &Rig, clip: &Clip, taking: &Taking) -> Result<Self, TraceError> {
        positive("scale", taking.scale)?;
        let root = taking.root(&rig.skeleton)?;
        let times = Times::new(clip, taking)?;
        let (mut pose, mut poser) = (rig.rest_pose(), Poser::new());
        let (mut part, mut points) = (Vec::new(), Vec::new());
        let mut samples = Vec::with_capacity(times.count);
        for frame in 0..times.count {
            clip.sample(times.start + frame as f64 * times.dt, &mut pose);
            poser.set(rig, &pose);
            points.clear();
            if taking.reach == Reach::Farthest {
                for index in 0..rig.parts.len() {
                    poser.part(rig, index, &mut part);
                    points.extend_from_slice(&part);
                }
            }
            let at = poser.world()[root].translation;
            samples.push(taking.sample(at, points.iter().copied()));
        }
        Self::new(&samples, times.dt)
    }
}
