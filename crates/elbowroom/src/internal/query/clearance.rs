//! Is there enough room between two models?
//!
//! *Nearer* includes *as near as*, so that a clearance of zero asks for contact. All of this goes
//! by the distance that [`distance`](super::distance()) gives, bit for bit: a pair counts exactly
//! if that is at most the clearance. A clearance that is negative or NaN is never met.

use std::ops::ControlFlow;

use super::near::{Glimpse, Seek, Side, seek};
use crate::internal::exact::Gap;
use crate::internal::math::pose::Pose;
use crate::internal::model::Model;
use crate::internal::traverse::Workspace;
use crate::interrupt::{checkpoint, hold_more};

/// Two triangles that are near each other.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct NearPair {
    /// The triangle of the first mesh.
    pub a: u32,
    /// The triangle of the second mesh.
    pub b: u32,
    /// The distance of the triangles, to within 2⁻³⁰ of itself; zero exactly if they meet.
    pub distance: f64,
}

/// Whether two models are as near as a clearance, or nearer. It ends with the first pair that shows
/// it.
///
/// ```
/// use elbowroom::internal::traverse::Workspace;
/// use elbowroom::{Mesh, Pose};
/// use elbowroom::internal::query;
/// use elbowroom::internal::model::Model;
/// use glam::DVec3;
///
/// let model = Model::new(Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?);
/// let (here, above) = (Pose::IDENTITY, Pose::from_translation(DVec3::Z * 0.5)?);
/// let mut workspace = Workspace::default();
/// let mut nearer = |clearance| query::is_nearer(&model, &here, &model, &above, clearance, &mut workspace);
/// assert!(nearer(0.5) && !nearer(0.49));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn is_nearer(
    a: &Model,
    pose_a: &Pose,
    b: &Model,
    pose_b: &Pose,
    clearance: f64,
    workspace: &mut Workspace,
) -> bool {
    let mut any = Any { clearance, is_found: false };
    // Also false for NaN.
    if clearance >= 0.0 {
        seek([Side::new(a, pose_a), Side::new(b, pose_b)], &mut any, workspace);
    }
    any.is_found
}

/// Every pair of triangles that are as near as a clearance, or nearer, ordered by the first mesh's
/// triangle and then by the second's.
pub fn all_nearer(
    a: &Model,
    pose_a: &Pose,
    b: &Model,
    pose_b: &Pose,
    clearance: f64,
    workspace: &mut Workspace,
) -> Vec<NearPair> {
    let mut all = All { clearance, pairs: Vec::new() };
    if clearance >= 0.0 {
        seek([Side::new(a, pose_a), Side::new(b, pose_b)], &mut all, workspace);
    }
    all.pairs.sort_unstable_by_key(|pair| (pair.a, pair.b));
    all.pairs
}

/// The nearest of the pairs of triangles that count, if it is as near as a clearance: `counts` is
/// asked about pairs that are nearer than the nearest so far. Of several that are equally near, the
/// first. A pair that meets is at distance zero.
pub fn nearest_counted(
    (a, pose_a): (&Model, &Pose),
    (b, pose_b): (&Model, &Pose),
    clearance: f64,
    counts: &dyn Fn(u32, u32) -> bool,
    workspace: &mut Workspace,
) -> Option<NearPair> {
    let mut least = Least { limit: clearance, counts, best: None };
    if clearance >= 0.0 {
        seek([Side::new(a, pose_a), Side::new(b, pose_b)], &mut least, workspace);
    }
    least.best
}

struct Least<'a> {
    limit: f64,
    counts: &'a dyn Fn(u32, u32) -> bool,
    best: Option<NearPair>,
}

impl Seek for Least<'_> {
    fn limit(&self) -> f64 {
        self.limit
    }

    fn glimpse(&mut self, _: f64, _: f64) -> Glimpse {
        // Which triangles it is about is only told with their gap.
        Glimpse::Now
    }

    fn found(&mut self, a: &[u32], b: &[u32], gap: Option<Gap>) -> ControlFlow<()> {
        let distance = gap.map_or(0.0, |gap| gap.distance);
        if distance > self.limit {
            return ControlFlow::Continue(());
        }
        for &i in a {
            checkpoint();
            for &j in b.iter().filter(|&&j| (self.counts)(i, j)) {
                let is_first =
                    self.best.is_none_or(|best| (distance, i, j) < (best.distance, best.a, best.b));
                if is_first {
                    self.limit = distance;
                    self.best = Some(NearPair { a: i, b: j, distance });
                }
            }
        }
        ControlFlow::Continue(())
    }
}

struct Any {
    clearance: f64,
    is_found: bool,
}

impl Seek for Any {
    fn limit(&self) -> f64 {
        self.clearance
    }

    fn glimpse(&mut self, _: f64, high: f64) -> Glimpse {
        self.is_found |= high <= self.clearance;
        if self.is_found { Glimpse::Enough } else { Glimpse::Now }
    }

    fn found(&mut self, _: &[u32], _: &[u32], gap: Option<Gap>) -> ControlFlow<()> {
        self.is_found |= gap.is_none_or(|gap| gap.distance <= self.clearance);
        if self.is_found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

struct All {
    clearance: f64,
    pairs: Vec<NearPair>,
}

impl Seek for All {
    fn limit(&self) -> f64 {
        self.clearance
    }

    fn glimpse(&mut self, _: f64, _: f64) -> Glimpse {
        Glimpse::Now
    }

    fn found(&mut self, a: &[u32], b: &[u32], gap: Option<Gap>) -> ControlFlow<()> {
        let distance = gap.map_or(0.0, |gap| gap.distance);
        if distance <= self.clearance {
            for &i in a {
                self.pairs.extend(b.iter().map(|&j| NearPair { a: i, b: j, distance }));
                hold_more(self.pairs.len(), b.len(), size_of::<NearPair>());
            }
        }
        ControlFlow::Continue(())
    }
}
