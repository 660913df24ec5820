//! A character with a clip, posed sample by sample where it is asked for.
//!
//! Invariants: the disk of a sample holds the posed body, seen from above, with a billionth to
//! spare for rounding; z is up, and the ground's axes are those of the trace.

use std::sync::OnceLock;

use glam::{DAffine3, DMat3, DVec3};

use super::stance::{Stance, moving_root, stances};
use crate::body::{Clip, JointId, Poser, Rig, SkeletonPose};
use crate::footprint::{Footprint, FootprintConfig};
use crate::space_time::{
    Config, Reach, Sample, Taking, Trace, TraceError, TraceErrorKind, Tracked,
};
use elbowroom::internal::geom::mesh::Mesh;
use elbowroom::internal::math::planar::Planar;
use elbowroom::internal::model::Model;

/// What a disk is enlarged by, for each unit of its own numbers: far above what both kinds of poses
/// lose to rounding.
const SPARE: f64 = 1e-9;

/// A character and what it does.
///
/// ```
/// use elbowroom_motion::crowd::Performer;
/// use elbowroom_motion::footprint::FootprintConfig;
/// use elbowroom_motion::space_time::Taking;
///
/// let man = elbowroom_make::body::male();
/// let walk = Performer::new(&man, &man.clips[0], &Taking::default(), FootprintConfig::default())?;
/// let sample = walk.tracked().trace().sample(5);
/// assert!((0.2..1.2).contains(&sample.radius));
/// let (low, high) = walk.posed(5).footprint().height();
/// assert!(low < 0.1 && high > 1.7);
/// # Ok::<(), elbowroom_motion::space_time::TraceError>(())
/// ```
#[derive(Debug)]
pub struct Performer<'a> {
    rig: &'a Rig,
    clip: &'a Clip,
    taking: Taking,
    footprints: FootprintConfig,
    tracked: Tracked,
    /// What is taken out of every sample, for one that stays in place.
    stances: Option<Vec<Stance>>,
    loops: bool,
    /// When the first sample is, on the clip's own clock.
    start: f64,
    posed: Vec<OnceLock<PosedPerformer>>,
}

/// A character at one moment: all its parts in one mesh, z up.
#[derive(Debug)]
pub struct PosedPerformer {
    mesh: Mesh,
    footprints: FootprintConfig,
    footprint: OnceLock<Footprint>,
    model: OnceLock<Model>,
}

impl PosedPerformer {
    /// The skin.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// The footprint: the body seen from above, made at the first call.
    pub fn footprint(&self) -> &Footprint {
        self.footprint.get_or_init(|| Footprint::of_mesh(&self.mesh, &self.footprints))
    }

    /// The skin with a tree, made at the first call.
    pub fn model(&self) -> &Model {
        self.model.get_or_init(|| Model::new(self.mesh.clone()))
    }
}

impl<'a> Performer<'a> {
    /// A character of which every part counts. The disks always reach to the farthest vertex.
    ///
    /// # Errors
    /// As [`Trace::from_rig`], and if the rig has no triangles.
    ///
    /// # Panics
    /// If the rig does not [`validate`](Rig::validate).
    pub fn new(
        rig: &'a Rig,
        clip: &'a Clip,
        taking: &Taking,
        footprints: FootprintConfig,
    ) -> Result<Self, TraceError> {
        let taking = Taking { reach: Reach::Farthest, ..*taking };
        Self::with(rig, clip, taking, footprints, false)
    }

    /// A character whose path comes from elsewhere: its root stays at the origin and it faces along
    /// the ground's first axis, whatever the clip does to the ground (y up: the body's z
    /// becomes the first axis). Where [`Taking::root`](field@Taking::root) says nothing, the root
    /// is the first joint that the clip moves. It [loops](Self::looping).
    ///
    /// ```
    /// use elbowroom_motion::crowd::Performer;
    /// use elbowroom_motion::footprint::FootprintConfig;
    /// use elbowroom_motion::space_time::Taking;
    ///
    /// let man = elbowroom_make::body::male();
    /// let walk = Performer::in_place(&man, &man.clips[0], &Taking::default(), FootprintConfig::default())?;
    /// let middle = walk.posed(12).footprint().whole().center;
    /// assert!(middle.length() < 0.3, "{middle}");
    /// // Times go round.
    /// assert_eq!(walk.sample_at(0.1), 3);
    /// assert_eq!(walk.sample_at(0.1 - walk.seconds()), 3);
    /// # Ok::<(), elbowroom_motion::space_time::TraceError>(())
    /// ```
    ///
    /// # Errors
    /// As [`new`](Self::new).
    ///
    /// # Panics
    /// As [`new`](Self::new).
    pub fn in_place(
        rig: &'a Rig,
        clip: &'a Clip,
        taking: &Taking,
        footprints: FootprintConfig,
    ) -> Result<Self, TraceError> {
        let root = taking.root.or_else(|| moving_root(&rig.skeleton, clip));
        let taking = Taking { reach: Reach::Farthest, root, ..*taking };
        Self::with(rig, clip, taking, footprints, true)
    }

    fn with(
        rig: &'a Rig,
        clip: &'a Clip,
        taking: Taking,
        footprints: FootprintConfig,
        in_place: bool,
    ) -> Result<Self, TraceError> {
        if rig.parts.iter().all(|part| part.mesh.triangles().is_empty()) {
            return Err(TraceErrorKind::NoTriangles.into());
        }
        let trace = Trace::from_rig(rig, clip, &taking)?;
        let stances = in_place.then(|| {
            // Without a root of its own, a skeleton's first joint is it, as for a trace.
            let first = || rig.skeleton.joints().iter().position(|joint| joint.parent.is_none());
            let root = taking.root.unwrap_or_else(|| JointId(first().unwrap_or(0) as u32));
            stances(rig, clip, &taking, root, trace.len())
        });
        let roomy = |sample: Sample| {
            let size = sample.center.abs().element_sum() + sample.radius;
            let center = if in_place { glam::DVec2::ZERO } else { sample.center };
            Sample { radius: sample.radius + SPARE * size, center }
        };
        let samples: Vec<Sample> = trace.samples().map(roomy).collect();
        let trace = Trace::new(&samples, trace.dt())?;
        let posed = (0..trace.len()).map(|_| OnceLock::new()).collect();
        let config = Config { touching: true, ..Config::default() };
        let tracked = Tracked::new(trace, config)?;
        let (start, loops) = (taking.moment(clip, 0), in_place);
        Ok(Self { rig, clip, taking, footprints, tracked, stances, loops, start, posed })
    }

    /// Sets whether the performer loops at the end of its clip, or stays in its last pose.
    #[must_use]
    pub fn looping(mut self, loops: bool) -> Self {
        self.loops = loops;
        self
    }

    /// The character.
    pub fn rig(&self) -> &'a Rig {
        self.rig
    }

    /// The clip.
    pub fn clip(&self) -> &'a Clip {
        self.clip
    }

    /// The configuration of the footprints.
    pub fn footprints(&self) -> &FootprintConfig {
        &self.footprints
    }

    /// The duration, from the first sample to the end of the clip.
    pub fn seconds(&self) -> f64 {
        self.clip.end() - self.start
    }

    /// The sample that is held at a time, in seconds from the first one: the last one that is not
    /// later. Before and after the clip it goes round or stays at the end. A millionth of a
    /// sample is forgiven, so that `k / 30.0` means sample k. At what is no number, the first.
    pub fn sample_at(&self, time: f64) -> usize {
        let seconds = self.seconds();
        let (dt, last) = (self.tracked.trace().dt(), self.posed.len() - 1);
        let is_round = self.loops && seconds > 0.0 && time.is_finite();
        let time = if is_round { time.rem_euclid(seconds) } else { time };
        let sample = time / dt + 1e-6;
        // The end of a round is its beginning.
        if is_round && sample >= seconds / dt {
            return 0;
        }
        // Casts stop at 0, for NaN too, and at the largest number.
        #[expect(clippy::cast_sign_loss, reason = "what is below zero is the first")]
        let sample = sample as usize;
        sample.min(last)
    }

    /// The disks of the motion, with their trees.
    pub fn tracked(&self) -> &Tracked {
        &self.tracked
    }

    /// The body of a sample, posed when first asked.
    ///
    /// # Panics
    /// If there is no such sample.
    pub fn posed(&self, sample: usize) -> &PosedPerformer {
        self.posed[sample].get_or_init(|| {
            let (mesh, footprints) = (self.mesh(sample), self.footprints);
            PosedPerformer { mesh, footprints, footprint: OnceLock::new(), model: OnceLock::new() }
        })
    }

    /// Whether the model of a sample is there already.
    pub(super) fn is_posed(&self, sample: usize) -> bool {
        self.posed[sample].get().is_some_and(|posed| posed.model.get().is_some())
    }

    /// Computes the skin in a sample.
    ///
    /// # Panics
    /// If there is no such sample.
    pub fn mesh(&self, sample: usize) -> Mesh {
        assert!(sample < self.posed.len(), "{sample} of {} samples", self.posed.len());
        let (mut pose, mut poser) = (self.rig.rest_pose(), Poser::new());
        let (mut points, mut triangles, mut part) = (Vec::new(), Vec::new(), Vec::new());
        self.pose(sample, &mut pose);
        poser.set(self.rig, &pose);
        for (index, of) in self.rig.parts.iter().enumerate() {
            poser.part(self.rig, index, &mut part);
            let first = points.len() as u32;
            points.extend(part.iter().map(|&p| self.upright(sample, p)));
            triangles.extend(of.mesh.triangles().iter().map(|t| t.map(|corner| corner + first)));
        }
        Mesh::new(points, triangles).expect("what a trace was taken of is finite")
    }

    /// The clip's pose in a sample, over what is in the pose already: begin with
    /// [`Rig::rest_pose`].
    pub fn pose(&self, sample: usize, pose: &mut SkeletonPose) {
        let moment = self.start + sample as f64 * self.tracked.trace().dt();
        self.clip.sample(moment, pose);
    }

    /// Where the rig stands in the world in a sample if the performer stands somewhere on the
    /// ground: for what is posed in place and not placed afterwards. The two
    /// differ by roundings.
    ///
    /// # Panics
    /// If there is no such sample.
    pub fn world_from_rig(&self, sample: usize, at: &Planar) -> DAffine3 {
        let up = self.taking.up;
        let [x, y, z] = DVec3::AXES.map(|axis| up.ground(axis).extend(up.height(axis)));
        let standing = DMat3::from_cols(x, y, z) * self.taking.scale;
        let in_place = match &self.stances {
            None => DAffine3::from_mat3(standing),
            Some(stances) => stances[sample].affine() * DAffine3::from_mat3(standing),
        };
        let (cos, sin) = at.turn();
        let turn =
            DMat3::from_cols(DVec3::new(cos, sin, 0.0), DVec3::new(-sin, cos, 0.0), DVec3::Z);
        DAffine3 { matrix3: turn, translation: at.translation().extend(0.0) } * in_place
    }

    /// A point of the rig in the performer's frame: z up, in place if it is one that stays.
    fn upright(&self, sample: usize, p: DVec3) -> DVec3 {
        let up = self.taking.up;
        let standing = up.ground(p).extend(up.height(p)) * self.taking.scale;
        match &self.stances {
            None => standing,
            Some(stances) => stances[sample].apply(standing.truncate()).extend(standing.z),
        }
    }
}
