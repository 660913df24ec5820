//! What a clip does to the ground under a body: where its root goes, and which way it faces.
//!
//! A body whose path comes from elsewhere must not walk away by itself, nor turn. So for every
//! sample this finds the ground point of the root and the heading, and takes both out:
//!
//! ```text
//!     in the clip            in place
//!       o  o                    o
//!      /|  |\  →  →             |   → heading 0: the ground's first axis
//!     root path               root at the origin
//! ```
//!
//! The heading of a pose is the turn about the vertical of its root against the root at rest (the
//! twist of a swing-twist decomposition), because that is there for people who step sideways or
//! stand, where the path says nothing. It is averaged over a second: hips that sway while walking
//! keep swaying, and only turning goes.
//!
//! Without being told, the root is the first joint, parents first, that the clip moves: files have
//! nodes above the hips that stand still.

use glam::{DAffine3, DMat3, DQuat, DVec2, DVec3};

use crate::body::{Clip, JointId, Rig, Skeleton, Target, Track};
use crate::space_time::{Taking, Up};

/// Headings are averaged over this number of seconds before and after.
const HALF_WINDOW: f64 = 0.5;

/// What changes by less has stood still: files round to f32.
const STILL: f64 = 1e-6;

/// Where the root of a sample is on the ground, and which way the body faces: what is taken out of
/// it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stance {
    pub(super) center: DVec2,
    pub(super) cos: f64,
    sin: f64,
}

impl Stance {
    /// A ground point of the clip as it is for a body in place.
    pub(super) fn apply(&self, point: DVec2) -> DVec2 {
        let p = point - self.center;
        DVec2::new(self.cos * p.x + self.sin * p.y, self.cos * p.y - self.sin * p.x)
    }

    /// Part of the way to another, which is close.
    pub(super) fn towards(&self, other: &Self, share: f64) -> Self {
        let (own, theirs) = (DVec2::new(self.cos, self.sin), DVec2::new(other.cos, other.sin));
        let facing = own.lerp(theirs, share).try_normalize().unwrap_or(own);
        let center = self.center.lerp(other.center, share);
        Self { center, cos: facing.x, sin: facing.y }
    }

    /// The stance as a transform, z up.
    pub(super) fn affine(&self) -> DAffine3 {
        let turn = DMat3::from_cols(
            DVec3::new(self.cos, -self.sin, 0.0),
            DVec3::new(self.sin, self.cos, 0.0),
            DVec3::Z,
        );
        DAffine3 { matrix3: turn, translation: -(turn * self.center.extend(0.0)) }
    }
}

/// The joint that carries the body: the first that the clip moves.
pub(super) fn moving_root(skeleton: &Skeleton, clip: &Clip) -> Option<JointId> {
    // Exporters write tracks for what stands still, too.
    let changes = |track: &Track| {
        let differs = |key: usize| {
            track.value(key).iter().zip(track.value(0)).any(|(a, b)| (a - b).abs() > STILL)
        };
        (1..track.times.len()).any(differs)
    };
    let moved: Vec<JointId> = clip
        .tracks()
        .iter()
        .filter_map(|track| match track.target {
            Target::Translation(joint) | Target::Rotation(joint) => changes(track).then_some(joint),
            _ => None,
        })
        .collect();
    skeleton.parents_first().find(|joint| moved.contains(joint))
}

/// The stances of all samples.
pub(super) fn stances(
    rig: &Rig,
    clip: &Clip,
    taking: &Taking,
    root: JointId,
    count: usize,
) -> Vec<Stance> {
    let (mut pose, mut world) = (rig.rest_pose(), Vec::<DAffine3>::new());
    rig.skeleton.world(&pose, &mut world);
    let rest = world[root.index()];
    let (mut centers, mut facing) = (Vec::with_capacity(count), Vec::with_capacity(count));
    for sample in 0..count {
        clip.sample(taking.moment(clip, sample), &mut pose);
        rig.skeleton.world(&pose, &mut world);
        let now = &world[root.index()];
        centers.push(taking.up.ground(now.translation) * taking.scale);
        facing.push(turn(taking.up, &rest, now));
    }
    #[expect(clippy::cast_sign_loss, reason = "at least 0")]
    let reach = (HALF_WINDOW / taking.dt(clip)).clamp(0.0, count as f64) as usize;
    let stance = |sample: usize| {
        let window = sample.saturating_sub(reach)..(sample + reach + 1).min(count);
        let sum: DVec2 = facing[window].iter().sum();
        // Who turns all the way round within a second faces nowhere in the mean.
        let facing = sum.try_normalize().unwrap_or(facing[sample]);
        Stance { center: centers[sample], cos: facing.x, sin: facing.y }
    };
    (0..count).map(stance).collect()
}

/// The direction into which the first axis of the ground is turned, as (cosine, sine).
fn turn(up: Up, rest: &DAffine3, now: &DAffine3) -> DVec2 {
    let Some((rest, now)) = rotation(rest).zip(rotation(now)) else { return DVec2::X };
    let turned = now * rest.inverse();
    let along = up.height(DVec3::new(turned.x, turned.y, turned.z));
    // The quaternion of the twist is (along, w): half the angle.
    let Some(half) = DVec2::new(turned.w, along).try_normalize() else { return DVec2::X };
    DVec2::new(half.x * half.x - half.y * half.y, 2.0 * half.x * half.y)
}

/// The turn in a joint's matrix, whatever its scale; none if an axis has no length.
fn rotation(joint: &DAffine3) -> Option<DQuat> {
    let DMat3 { x_axis, y_axis, .. } = joint.matrix3;
    let x = x_axis.try_normalize()?;
    let y = (y_axis - x * x.dot(y_axis)).try_normalize()?;
    Some(DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y))))
}
