//! Motions: what moves a joint or a morph over time.
//!
//! A clip is a list of tracks, each a target with keys in time, as in glTF 2.0 (Khronos, 2017),
//! whose rules of interpolation are ours as well: steps, straight lines (great arcs for rotations,
//! the shorter way round), cubic Hermite splines with tangents. Before its first key and after its
//! last a track stands still. We differ in that two keys may have the same time, which is a jump,
//! as exporters write them; and in that tangents of rotations need not be square to them.
//!
//! Invariants, checked once by [`Clip::new`]: at least one key a track; times finite and not
//! falling; as many values as the keys ask for, all finite; no rotation is the zero quaternion.

use super::clip_error::{ClipError, ClipErrorKind};
use super::interpolate;
use super::local::{Local, SkeletonPose};
use super::skeleton::{JointId, Skeleton};

/// The target of a track: what it moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    /// A joint's translation, 3 values a key.
    Translation(JointId),
    /// A joint's rotation, 4 values a key: x, y, z, w.
    Rotation(JointId),
    /// A joint's scale, 3 values a key.
    Scale(JointId),
    /// The morph weights of a part of the rig, as many values a key as it has morphs.
    Weights(u32),
}

/// The interpolation between two keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Interpolation {
    /// The earlier key holds until the next.
    Step,
    /// A straight line; rotations go along the shorter great arc at constant speed.
    Linear,
    /// A cubic Hermite spline. Each key has its in-tangent, its value and its out-tangent, in this
    /// order; tangents are per second. Rotations are brought back to length one.
    Cubic,
}

/// The keys of one target.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// What the track moves.
    pub target: Target,
    /// The interpolation between two keys.
    pub interpolation: Interpolation,
    /// The times of the keys, in seconds, not falling.
    pub times: Vec<f64>,
    /// The values of all keys, one key after the other.
    pub values: Vec<f64>,
}

/// How many values a key's value has; `None` where only the rig knows.
pub(super) fn fixed_width(target: Target) -> Option<usize> {
    match target {
        Target::Translation(_) | Target::Scale(_) => Some(3),
        Target::Rotation(_) => Some(4),
        Target::Weights(_) => None,
    }
}

impl Track {
    /// The number of components of one value: 3, 4, or the number of morphs.
    pub fn width(&self) -> usize {
        fixed_width(self.target).unwrap_or_else(|| {
            self.values.len() / (self.times.len().max(1) * self.values_per_key())
        })
    }

    fn values_per_key(&self) -> usize {
        if self.interpolation == Interpolation::Cubic { 3 } else { 1 }
    }

    /// The value of a key, without its tangents.
    ///
    /// # Panics
    /// If there is no such key.
    pub fn value(&self, key: usize) -> &[f64] {
        let width = self.width();
        let place = match self.interpolation {
            Interpolation::Cubic => 3 * key + 1,
            Interpolation::Step | Interpolation::Linear => key,
        };
        &self.values[place * width..][..width]
    }

    fn check(&self, track: usize) -> Result<(), ClipError> {
        let target = self.target;
        if self.times.is_empty() {
            return Err(ClipErrorKind::NoKeys { track, target }.into());
        }
        let mut before = f64::NEG_INFINITY;
        for (key, &time) in self.times.iter().enumerate() {
            if !time.is_finite() || time < before {
                return Err(ClipErrorKind::BadTime { track, target, key, time, before }.into());
            }
            before = time;
        }
        self.check_values(track)
    }

    fn check_values(&self, track: usize) -> Result<(), ClipError> {
        let (target, keys, values) = (self.target, self.times.len(), self.values.len());
        let width = self.width();
        if width == 0 || width.checked_mul(keys * self.values_per_key()) != Some(values) {
            return Err(ClipErrorKind::ValueCount { track, target, keys, values }.into());
        }
        if let Some(place) = self.values.iter().position(|value| !value.is_finite()) {
            let key = place / (width * self.values_per_key());
            let value = self.values[place];
            return Err(ClipErrorKind::NonFinite { track, target, key, value }.into());
        }
        if let Target::Rotation(_) = target {
            let zero = |&key: &usize| self.value(key).iter().all(|&x| x == 0.0);
            if let Some(key) = (0..keys).find(zero) {
                return Err(ClipErrorKind::ZeroRotation { track, target, key }.into());
            }
        }
        Ok(())
    }
}

/// A named motion.
///
/// ```
/// use elbowroom_motion::body::{Clip, Interpolation, JointId, Local, SkeletonPose, Target, Track};
/// use glam::DVec3;
///
/// let track = Track {
///     target: Target::Translation(JointId(0)),
///     interpolation: Interpolation::Linear,
///     times: vec![1.0, 3.0],
///     values: vec![0.0, 0.0, 0.0, 4.0, 0.0, 0.0],
/// };
/// let clip = Clip::new("slide".into(), vec![track])?;
/// let mut pose = SkeletonPose { locals: vec![Local::IDENTITY], weights: vec![] };
/// clip.sample(1.5, &mut pose);
/// assert_eq!(pose.locals[0].translation, DVec3::X);
/// # Ok::<(), elbowroom_motion::body::ClipError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    name: String,
    tracks: Vec<Track>,
    start: f64,
    end: f64,
    fps: Option<f64>,
    is_active: bool,
}

impl Clip {
    /// The most values that [`Clip::resampled`] makes: 2 GiB of them.
    pub const MOST_VALUES: usize = 1 << 28;

    /// Checks the tracks. A clip without any moves nothing.
    ///
    /// Where two tracks have one target, the later one wins.
    ///
    /// # Errors
    /// Names the track and the key that is not finite, out of order, a zero rotation, or has too
    /// few or too many values.
    pub fn new(name: String, tracks: Vec<Track>) -> Result<Self, ClipError> {
        for (index, track) in tracks.iter().enumerate() {
            track.check(index)?;
        }
        let first = |track: &Track| track.times.first().copied();
        let last = |track: &Track| track.times.last().copied();
        let start = tracks.iter().filter_map(first).reduce(f64::min).unwrap_or(0.0);
        let end = tracks.iter().filter_map(last).reduce(f64::max).unwrap_or(0.0);
        Ok(Self { name, tracks, start, end, fps: None, is_active: false })
    }

    /// A clip with the same name, frame rate and default mark, and other tracks.
    ///
    /// # Errors
    /// As [`Clip::new`].
    pub fn with_tracks(&self, tracks: Vec<Track>) -> Result<Self, ClipError> {
        let new = Self::new(self.name.clone(), tracks)?;
        Ok(Self { fps: self.fps, is_active: self.is_active, ..new })
    }

    /// Sets the frame rate that the file gives. A rate that is not a positive number is ignored.
    #[must_use]
    pub fn with_fps(self, fps: f64) -> Self {
        Self { fps: Some(fps).filter(|fps| fps.is_finite() && *fps > 0.0), ..self }
    }

    /// Sets whether this clip is the one that its file plays by default.
    #[must_use]
    pub fn with_active(self, is_active: bool) -> Self {
        Self { is_active, ..self }
    }

    /// Frames in a second, where the file gives a rate.
    pub fn fps(&self) -> Option<f64> {
        self.fps
    }

    /// Whether the file marks this clip as the one that it plays.
    pub fn is_active(&self) -> bool {
        self.is_active
    }

    /// Whether something moves: a track has two keys that differ.
    pub fn moves(&self) -> bool {
        self.tracks.iter().any(|track| {
            (1..track.times.len()).any(|key| track.value(key) != track.value(0))
                || (track.interpolation == Interpolation::Cubic && track.times.len() > 1)
        })
    }

    /// The name in the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The tracks, as given.
    pub fn tracks(&self) -> &[Track] {
        &self.tracks
    }

    /// The time of the first key. Not always 0: many exporters start at the time of their first
    /// frame.
    pub fn start(&self) -> f64 {
        self.start
    }

    /// The time of the last key.
    pub fn end(&self) -> f64 {
        self.end
    }

    /// The duration from the first key to the last.
    pub fn seconds(&self) -> f64 {
        self.end - self.start
    }

    /// Writes the targets as they are at a time into a pose, and leaves the rest of it alone.
    ///
    /// Times before [`start`](Self::start) and after [`end`](Self::end) give the ends; so does NaN.
    /// Targets that the pose does not have are passed over. Nothing is allocated.
    pub fn sample(&self, time_secs: f64, pose: &mut SkeletonPose) {
        for track in &self.tracks {
            let local = |id: JointId, pose: &mut SkeletonPose, set: &dyn Fn(&mut Local)| {
                if let Some(local) = pose.locals.get_mut(id.index()) {
                    set(local);
                }
            };
            match track.target {
                Target::Translation(id) => {
                    local(id, pose, &|l| l.translation = interpolate::vector(track, time_secs));
                }
                Target::Rotation(id) => {
                    local(id, pose, &|l| l.rotation = interpolate::rotation(track, time_secs));
                }
                Target::Scale(id) => {
                    local(id, pose, &|l| l.scale = interpolate::vector(track, time_secs));
                }
                Target::Weights(part) => {
                    if let Some(weights) = pose.weights.get_mut(part as usize) {
                        interpolate::values(track, time_secs, weights);
                    }
                }
            }
        }
    }

    /// The clip resampled, with keys at `start + i / fps`, and one at the end if the length is not
    /// a whole number of frames.
    ///
    /// Steps stay steps; everything else becomes linear. Tracks of joints that the skeleton does
    /// not have are left out.
    ///
    /// # Errors
    /// If the rate is not a positive number, or so high that there would be more than
    /// [`Clip::MOST_VALUES`] values.
    pub fn resampled(&self, fps: f64, skeleton: &Skeleton) -> Result<Self, ClipError> {
        let present = |track: &&Track| match track.target {
            Target::Translation(id) | Target::Rotation(id) | Target::Scale(id) => {
                id.index() < skeleton.len()
            }
            Target::Weights(_) => true,
        };
        let kept: Vec<&Track> = self.tracks.iter().filter(present).collect();
        let numbers: usize = kept.iter().map(|track| track.width() + 1).sum();
        let times = interpolate::frame_times(self, fps, numbers)?;
        let tracks = kept.into_iter().map(|track| interpolate::resampled(track, &times)).collect();
        self.with_tracks(tracks)
    }
}
