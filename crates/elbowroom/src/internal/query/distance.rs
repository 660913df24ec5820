//! How far apart are two models, and where are they nearest?
//!
//! The distance is that of the nearest two triangles, as
//! [`exact::gap`](crate::internal::exact::gap()) has it: within 2⁻³⁰ of the exact one, and
//! zero exactly if the models have a point in common. Of several pairs that are equally near, that
//! with the smallest numbers is named. So the answer is the same, bit for bit, whatever the trees,
//! the lanes and the last answer; swapping the models swaps it, but that of equally near pairs
//! another may be named.

use std::ops::ControlFlow;

use glam::DVec3;

use super::collide::{TrianglePair, visit};
use super::contact::contact;
use super::near::{Glimpse, Seek, Side, gap_of, seek};
use crate::internal::exact::Gap;
use crate::internal::math::pose::Pose;
use crate::internal::model::Model;
use crate::internal::traverse::Workspace;

/// The closest points of two models, and their distance.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ClosestPoints {
    /// The distance, to within 2⁻³⁰ of itself; zero exactly if the models have a point in common.
    pub distance: f64,
    /// The triangle of the first mesh.
    pub a: u32,
    /// The triangle of the second mesh.
    pub b: u32,
    /// The point of the first mesh that is nearest to the second, in the world: to rounding.
    pub point_a: DVec3,
    /// The point of the second mesh that is nearest to the first. If they meet, both are one
    /// common point.
    pub point_b: DVec3,
}

/// The closest points of two models. `None` if they are farther apart than a limit, which may be
/// infinite.
///
/// A limit saves work: ask for no more than you need. Nothing is within a limit that is negative or
/// NaN. With a workspace that is kept, nothing is allocated, but for gaps so narrow that f64 cannot
/// measure them.
///
/// ```
/// use elbowroom::internal::traverse::Workspace;
/// use elbowroom::{Mesh, Pose};
/// use elbowroom::internal::query;
/// use elbowroom::internal::model::Model;
/// use glam::DVec3;
///
/// let floor = vec![DVec3::ZERO, DVec3::X * 4.0, DVec3::Y * 4.0];
/// let pin = vec![DVec3::new(1.0, 1.0, 0.25), DVec3::new(0.5, 1.0, 1.0), DVec3::new(1.5, 1.0, 1.0)];
/// let [floor, pin] = [floor, pin].map(|corners| Mesh::new(corners, vec![[0, 1, 2]]).map(Model::new));
/// let (floor, pin, here) = (floor?, pin?, Pose::IDENTITY);
/// let mut workspace = Workspace::default();
/// let nearest = query::distance(&floor, &here, &pin, &here, f64::INFINITY, &mut workspace);
/// let nearest = nearest.expect("nothing is farther than infinity");
/// assert_eq!(nearest.distance, 0.25);
/// assert_eq!(nearest.point_a, DVec3::new(1.0, 1.0, 0.0));
/// assert_eq!(query::distance(&floor, &here, &pin, &here, 0.2, &mut workspace), None);
/// # Ok::<(), elbowroom::MeshError>(())
/// ```
pub fn distance(
    a: &Model,
    pose_a: &Pose,
    b: &Model,
    pose_b: &Pose,
    limit: f64,
    workspace: &mut Workspace,
) -> Option<ClosestPoints> {
    let mut last = None;
    distance_again(a, pose_a, b, pose_b, limit, &mut last, workspace)
}

/// The closest points of two models that move: `last` is the pair of triangles of the last answer,
/// which is measured first and mostly leaves little to search. It is updated.
///
/// The answer does not depend on it. A pair of other models is no harm.
pub fn distance_again(
    a: &Model,
    pose_a: &Pose,
    b: &Model,
    pose_b: &Pose,
    limit: f64,
    last: &mut Option<(u32, u32)>,
    workspace: &mut Workspace,
) -> Option<ClosestPoints> {
    let sides = [Side::new(a, pose_a), Side::new(b, pose_b)];
    let mut seeker = Least::within(limit)?;
    let known = |model: &Model, triangle: u32| (triangle as usize) < model.mesh().triangles().len();
    let tried = last.take().filter(|&(i, j)| known(a, i) && known(b, j));
    let still_met = tried.is_some_and(|(i, j)| {
        let gap = gap_of(&sides, i, j);
        seeker.found(&[i], &[j], gap).is_break()
    });
    if !still_met {
        seek(sides, &mut seeker, workspace);
    }
    let nearest = if seeker.is_contact {
        Some(first_contact(a, pose_a, b, pose_b, workspace))
    } else {
        seeker.best
    };
    *last = nearest.map(|nearest| (nearest.a, nearest.b));
    nearest
}

/// The contact with the smallest numbers, of two models that meet.
fn first_contact(
    a: &Model,
    pose_a: &Pose,
    b: &Model,
    pose_b: &Pose,
    workspace: &mut Workspace,
) -> ClosestPoints {
    let mut first: Option<TrianglePair> = None;
    // The visitor never breaks it off.
    let _ = visit(a, pose_a, b, pose_b, workspace, |pair| {
        first = Some(first.map_or(pair, |first| first.min(pair)));
        ControlFlow::Continue(())
    });
    first.map_or(
        ClosestPoints { distance: 0.0, a: 0, b: 0, point_a: DVec3::ZERO, point_b: DVec3::ZERO },
        |pair| {
            let point = contact(a, pose_a, b, pose_b, pair).point;
            ClosestPoints { distance: 0.0, a: pair.a, b: pair.b, point_a: point, point_b: point }
        },
    )
}

/// Seeks the least distance.
pub(super) struct Least {
    /// Something is known to be as near as this, or it is the limit.
    upper: f64,
    pub(super) best: Option<ClosestPoints>,
    /// Whether something meets.
    is_contact: bool,
    /// What counts as the gap of triangles that meet. If there is nothing, they end the search.
    meeting: Option<Gap>,
}

impl Least {
    /// `None` if no distance can be within the limit.
    pub(super) fn within(limit: f64) -> Option<Self> {
        (limit >= 0.0).then_some(Self {
            upper: limit,
            best: None,
            is_contact: false,
            meeting: None,
        })
    }

    /// Of what meets, seeks the smallest numbers; all of it meets in one point.
    pub(super) fn meeting_at(self, point: DVec3) -> Self {
        Self { meeting: Some(Gap { distance: 0.0, points: [point; 2] }), ..self }
    }
}

impl Seek for Least {
    fn limit(&self) -> f64 {
        self.upper
    }

    fn glimpse(&mut self, low: f64, high: f64) -> Glimpse {
        self.upper = self.upper.min(high);
        if low > 0.0 { Glimpse::Later } else { Glimpse::Now }
    }

    fn found(&mut self, a: &[u32], b: &[u32], gap: Option<Gap>) -> ControlFlow<()> {
        let Some(Gap { distance, points: [point_a, point_b] }) = gap.or(self.meeting) else {
            self.is_contact = true;
            return ControlFlow::Break(());
        };
        // Copies that a tree had cut apart need not be in order.
        let least = |copies: &[u32]| copies.iter().copied().min().unwrap_or_default();
        let (a, b) = (least(a), least(b));
        let better = |best: ClosestPoints| (distance, a, b) < (best.distance, best.a, best.b);
        if distance <= self.upper && self.best.is_none_or(better) {
            self.upper = distance;
            self.best = Some(ClosestPoints { distance, a, b, point_a, point_b });
        }
        ControlFlow::Continue(())
    }
}
