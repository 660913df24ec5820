//! A clip that travels, played on the spot: where it takes the body over the ground, at any moment,
//! to be taken out.
//!
//! [`Performer`](super::Performer) does the same for its samples; both take it from [`stances`].

use glam::{DAffine3, DMat3, DVec3};

use super::stance::{Stance, moving_root, stances};
use crate::body::{Clip, Rig};
use crate::space_time::{Taking, Up};

/// Samples of the clip per second; between them the path is straight.
const RATE: f64 = 120.0;

/// A clip is on the spot while its root stays within this of the origin, in units of the rig: hips
/// sway.
const SWAY: f64 = 0.3;

/// The cosine of the turn that a clip on the spot stays within.
const LEAST_COSINE: f64 = 0.7;

/// What a clip does to the ground under a body.
///
/// ```
/// use elbowroom_motion::body::{Clip, Interpolation, Joint, JointId, Local, Rig, Skeleton, Target, Track};
/// use elbowroom_motion::crowd::InPlace;
/// use elbowroom_motion::space_time::Up;
/// use glam::DVec3;
///
/// let root = Joint { name: "hips".into(), parent: None, rest: Local::IDENTITY };
/// let rig = Rig::new("man", Skeleton::new(vec![root])?);
/// let track = Track {
///     target: Target::Translation(JointId(0)),
///     interpolation: Interpolation::Linear,
///     times: vec![0.0, 2.0],
///     values: vec![0.0, 1.0, 0.0, 0.0, 1.0, 3.0],
/// };
/// let walk = Clip::new("walk".into(), vec![track])?;
/// let in_place = InPlace::of(&rig, &walk, Up::Y).expect("it goes 3 m");
/// assert!((in_place.travel() - 3.0).abs() < 1e-12);
/// let hips = in_place.at(1.0).transform_point3(DVec3::new(0.0, 1.0, 1.5));
/// assert!((hips - DVec3::Y).length() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct InPlace {
    start: f64,
    dt: f64,
    stances: Vec<Stance>,
    /// From the axes of the rig to z up.
    standing: DMat3,
}

impl InPlace {
    /// Of a clip of a rig; `None` if it stays on the spot, facing as the rig does at rest.
    pub fn of(rig: &Rig, clip: &Clip, up: Up) -> Option<Self> {
        let root = moving_root(&rig.skeleton, clip)?;
        let steps = (clip.seconds() * RATE).ceil().clamp(1.0, 1e5);
        let fps = if clip.seconds() > 0.0 { steps / clip.seconds() } else { RATE };
        let taking = Taking { up, fps: Some(fps), ..Taking::default() };
        #[expect(clippy::cast_sign_loss, reason = "at least 1")]
        let stances = stances(rig, clip, &taking, root, steps as usize + 1);
        let [x, y, z] = DVec3::AXES.map(|axis| up.ground(axis).extend(up.height(axis)));
        let standing = DMat3::from_cols(x, y, z);
        let stays = |stance: &Stance| stance.center.length() <= SWAY && stance.cos > LEAST_COSINE;
        let is_on_spot = stances.iter().all(stays);
        let (start, dt) = (clip.start(), 1.0 / fps);
        (!is_on_spot).then_some(Self { start, dt, stances, standing })
    }

    /// How far the clip goes over the ground from its first key to its last, as the crow flies.
    pub fn travel(&self) -> f64 {
        let [first, .., last] = &self.stances[..] else { return 0.0 };
        first.center.distance(last.center)
    }

    /// What brings the body back to the origin, facing as the rig does at rest, at a moment on the
    /// clip's own clock.
    pub fn at(&self, clip_secs: f64) -> DAffine3 {
        let last = self.stances.len() - 1;
        let exact = ((clip_secs - self.start) / self.dt).clamp(0.0, last as f64);
        #[expect(clippy::cast_sign_loss, reason = "not below 0; NaN is 0")]
        let before = (exact as usize).min(last);
        let [a, b] = [&self.stances[before], &self.stances[(before + 1).min(last)]];
        let stance = a.towards(b, exact - before as f64);
        let back = self.standing.transpose();
        DAffine3::from_mat3(back) * stance.affine() * DAffine3::from_mat3(self.standing)
    }
}
