//! Clips as the page plays them: poses at equal distances, between which places go straight and
//! rotations by the shorter way.
//!
//! A clip that one actor plays once is taken at the frames that were examined, and nothing lies
//! between. A clip that goes round, or that several play at different times, is taken at its own
//! times, as densely as it takes to be off by [`OFF`] at most in the middle between two.

use elbowroom_motion::body::{Clip, Rig, SkeletonPose};
use glam::DAffine3;

use super::figure::{Figure, Turned};
use super::quantise::{grid, smallest_three};
use super::stock::{self, Stock};

/// How far a joint, or what is [`REACH`] from it, may be from where it should be, in metres.
const OFF: f64 = 2e-4;
const REACH: f64 = 0.3;

/// Poses a second of a clip that is shared: at first, and at most.
const RATES: [f64; 2] = [30.0, 480.0];

/// The most intervals of a shared clip, so that 16 bits tell eight places in each apart.
const MOST_INTERVALS: f64 = 8191.0;

/// What a joint of a pose takes: three numbers for the rotation, three for the place, of 16 bits
/// each.
const JOINT_BYTES: usize = 12;

/// A clip in the stock that goes round or is shared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Round {
    pub(super) clip: usize,
    start_secs: f64,
    samples_per_sec: f64,
    /// The number of steps between two samples.
    per_sample: f64,
}

impl Round {
    /// A moment of the clip as a number, and what the number is in samples.
    pub(super) fn number(&self, clip_secs: f64) -> u16 {
        let sample = (clip_secs - self.start_secs) * self.samples_per_sec;
        #[expect(clippy::cast_sign_loss, reason = "it is not below 0")]
        let number = (sample * self.per_sample).round().clamp(0.0, 65_535.0) as u16;
        number
    }

    pub(super) fn unit(&self) -> f64 {
        self.per_sample.recip()
    }
}

/// The bytes of this many poses of a figure.
pub(super) fn bytes(figure: &Figure, poses: usize) -> usize {
    figure.joints().saturating_mul(JOINT_BYTES).saturating_mul(poses)
}

/// About how many bytes a clip takes that is taken at its own times.
pub(super) fn round_bytes(figure: &Figure, clip: &Clip) -> usize {
    #[expect(clippy::cast_sign_loss, reason = "no clip is shorter than nothing")]
    let poses = (clip.seconds() * 2.0 * RATES[0]).ceil() as usize + 1;
    bytes(figure, poses)
}

/// Poses that were given one by one; `None` if the page cannot show one of them, or there is no
/// room.
pub(super) fn of_poses(
    stock: &mut Stock,
    (figure, rig): (&Figure, &Rig),
    name: &str,
    poses: impl ExactSizeIterator<Item = SkeletonPose>,
) -> Option<usize> {
    if !stock.has_room(bytes(figure, poses.len())) {
        return None;
    }
    let mut world = Vec::new();
    let rows: Option<Vec<Vec<Turned>>> =
        poses.map(|pose| figure.turned(rig, &pose, &mut world)).collect();
    Some(store(stock, name, figure.joints(), &rows?))
}

/// A clip at its own times.
pub(super) fn round(
    stock: &mut Stock,
    (figure, rig): (&Figure, &Rig),
    clip: &Clip,
) -> Option<Round> {
    let mut sampler = Sampler { figure, rig, clip, pose: rig.rest_pose(), world: Vec::new() };
    let seconds = clip.seconds();
    let mut intervals = (seconds * RATES[0]).ceil().clamp(1.0, MOST_INTERVALS);
    loop {
        #[expect(clippy::cast_sign_loss, reason = "it is not below 1")]
        let count = intervals as usize;
        if !stock.has_room(bytes(figure, count + 1)) {
            return None;
        }
        let rows: Option<Vec<Vec<Turned>>> =
            (0..=count).map(|sample| sampler.at(seconds * sample as f64 / intervals)).collect();
        let rows = rows?;
        let denser = 2.0 * intervals;
        let is_last = denser > MOST_INTERVALS || denser > seconds * RATES[1];
        if is_last || sampler.is_dense(&rows, intervals)? {
            return Some(Round {
                clip: store(stock, clip.name(), figure.joints(), &rows),
                start_secs: clip.start(),
                samples_per_sec: if seconds > 0.0 { intervals / seconds } else { 0.0 },
                per_sample: (65_535.0 / intervals).floor(),
            });
        }
        intervals = denser;
    }
}

struct Sampler<'a> {
    figure: &'a Figure,
    rig: &'a Rig,
    clip: &'a Clip,
    pose: SkeletonPose,
    world: Vec<DAffine3>,
}

impl Sampler<'_> {
    /// The joints at this time in the clip, in seconds.
    fn at(&mut self, secs: f64) -> Option<Vec<Turned>> {
        self.clip.sample(self.clip.start() + secs, &mut self.pose);
        self.figure.turned(self.rig, &self.pose, &mut self.world)
    }

    /// Whether what is in the middle between two samples is where the page will put it.
    fn is_dense(&mut self, rows: &[Vec<Turned>], intervals: f64) -> Option<bool> {
        let secs = self.clip.seconds() / intervals;
        for (place, pair) in rows.windows(2).enumerate() {
            let middle = self.at((place as f64 + 0.5) * secs)?;
            let is_near = |((a, b), real): ((&Turned, &Turned), &Turned)| {
                let (mine, other) = (a.rotation, b.rotation);
                let other = if mine.dot(other) < 0.0 { -other } else { other };
                let turned = ((mine + other) * 0.5).normalize().angle_between(real.rotation);
                let off = (0.5 * (a.position + b.position)).distance(real.position);
                off + REACH * turned <= OFF
            };
            if !pair[0].iter().zip(&pair[1]).zip(&middle).all(is_near) {
                return Some(false);
            }
        }
        Some(true)
    }
}

fn store(stock: &mut Stock, name: &str, joints: usize, rows: &[Vec<Turned>]) -> usize {
    let own = stock.clips.len();
    let all = || rows.iter().flatten();
    let rotations: Vec<i16> = all().flat_map(|turned| smallest_three(turned.rotation)).collect();
    let (r#box, places) = grid(all().map(|turned| turned.position));
    let scales: Vec<f32> = all().map(|turned| turned.scale as f32).collect();
    // From pose to pose little changes.
    let delta = Some(3 * joints);
    let scales = scales.iter().any(|scale| (scale - 1.0).abs() > 1e-6).then_some(scales);
    let clip = stock::Clip {
        name: name.to_owned(),
        joints,
        samples: rows.len(),
        wraps: false,
        rotations: stock.arrays.add(format!("clip/{own}/rotations"), &rotations, delta),
        positions: stock.arrays.add(format!("clip/{own}/positions"), &places, delta),
        r#box,
        scales: scales.map(|all| stock.arrays.add(format!("clip/{own}/scales"), &all, None)),
    };
    stock.clips.push(clip);
    own
}
