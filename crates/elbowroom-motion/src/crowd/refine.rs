//! From disks that collide to skins that meet.
//!
//! ```text
//!   pairs of samples whose disks collide ──▶ footprints, to a level ──▶ exact meshes
//!                                            clear: certain            every contact there is
//! ```
//!
//! Samples are held as in [`motion::query`](mod@elbowroom_motion::space_time::query): two bodies
//! are compared in the poses of two samples that are held at a common moment. Each step only leaves
//! out what is certainly clear, so the answer is the one that the meshes of all samples would give.

use super::Performer;
use crate::footprint::{Look, Nearness, Work, ask};
use crate::space_time::{Placed, Workspace, colliding_samples};
use elbowroom::internal::math::planar::Planar;
use elbowroom::internal::math::pose::{Pose, PoseError};
use elbowroom::internal::query::intersects;
use glam::{DMat3, DVec3};

/// The level of detail for two performers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Refining {
    /// The level to which footprints are compared; nothing for all of them.
    pub level: Option<u32>,
    /// Whether the first contact is enough.
    pub first_only: bool,
}

/// Two samples whose bodies touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkinMeeting {
    /// The two samples.
    pub samples: [u32; 2],
    /// The time from which both are held, on the common clock, in seconds.
    pub from: f64,
    /// Until when.
    pub to: f64,
}

/// The result of a refinement.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Refined {
    /// Bodies that touch, in order of time.
    pub meetings: Vec<SkinMeeting>,
    /// Pairs of samples whose disks collide.
    pub disks: u64,
    /// The number of pairs that the footprints found clear.
    pub cleared: u64,
    /// The number of pairs whose meshes were compared.
    pub compared: u64,
}

impl Refined {
    /// Whether the bodies touch.
    pub fn is_contact(&self) -> bool {
        !self.meetings.is_empty()
    }
}

/// The contacts of two performers, exactly.
///
/// ```
/// use elbowroom_motion::crowd::{Performer, Refining, refine};
/// use elbowroom_motion::footprint::FootprintConfig;
/// use elbowroom::internal::math::planar::Planar;
/// use elbowroom_motion::space_time::{Placed, Taking, Workspace};
/// use glam::DVec2;
///
/// let (man, woman) = (elbowroom_make::body::male(), elbowroom_make::body::female());
/// let taking = Taking { fps: Some(10.0), ..Taking::default() };
/// let new = |rig| Performer::new(rig, &rig.clips[0], &taking, FootprintConfig::default());
/// let (a, b) = (new(&man)?, new(&woman)?);
/// // She stands before him, half a metre to the side: disks cannot tell.
/// let beside = Placed::new(Planar::new(-1.0, 0.0, DVec2::new(0.0, 0.5))?, 0.0)?;
/// let refined = refine(&a, &Placed::ORIGIN, &b, &beside, &Refining::default(), &mut Workspace::new())?;
/// assert!(refined.is_contact() && refined.disks == 11 && refined.cleared > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If a place is too far away to be a [`Pose`].
pub fn refine(
    a: &Performer<'_>,
    pa: &Placed,
    b: &Performer<'_>,
    pb: &Placed,
    refining: &Refining,
    workspace: &mut Workspace,
) -> Result<Refined, PoseError> {
    let (upright_a, upright_b) = (upright(&pa.at())?, upright(&pb.at())?);
    let pairs = colliding_samples(a.tracked(), pa, b.tracked(), pb, workspace);
    let mut refined = Refined { disks: pairs.len() as u64, ..Refined::default() };
    let look = Look { level: refining.level, margin: 0.0 };
    let mut work = Work::default();
    for (i, j) in pairs {
        let (body_a, body_b) = (a.posed(i as usize), b.posed(j as usize));
        let (print_a, print_b) = (body_a.footprint(), body_b.footprint());
        if ask(print_a, &pa.at(), print_b, &pb.at(), &look, &mut work) == Nearness::Clear {
            refined.cleared += 1;
            continue;
        }
        refined.compared += 1;
        if intersects(body_a.model(), &upright_a, body_b.model(), &upright_b) {
            let held = |performer: &Performer<'_>, placed: &Placed, sample: u32| {
                let dt = performer.tracked().trace().dt();
                let at = |k: u32| placed.start() + f64::from(k) * dt;
                (at(sample), at(sample + 1))
            };
            let (from_a, to_a) = held(a, pa, i);
            let (from_b, to_b) = held(b, pb, j);
            let (from, to) = (from_a.max(from_b), to_a.min(to_b));
            refined.meetings.push(SkinMeeting { samples: [i, j], from, to });
            if refining.first_only {
                break;
            }
        }
    }
    Ok(refined)
}

/// A place on the ground as one in space: a turn about z.
pub(super) fn upright(at: &Planar) -> Result<Pose, PoseError> {
    let (cos, sin) = at.turn();
    let turn = DMat3::from_cols(DVec3::new(cos, sin, 0.0), DVec3::new(-sin, cos, 0.0), DVec3::Z);
    Pose::new(turn, at.translation().extend(0.0))
}
