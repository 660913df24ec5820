//! How questions about distance are put to two trees.
//!
//! A [`Seek`] says how far it cares, and takes gaps between triangles. On packed trees it first
//! gets a glimpse of each pair, a span in f32 that the distance is in, and says whether that was
//! enough: the least distance needs the true gap of few pairs, at the end. Models without packed
//! trees, and those so far apart for their size that f32 cannot tell near from far, are answered by
//! the binary trees.
//!
//! Invariant: what is not shown to a seeker is farther apart than its limit, and so is the rounded
//! distance of it ([`Gap::distance`]). So answers do not depend on trees, lanes or order.

mod binary;

use std::ops::ControlFlow;

use glam::DVec3;

use super::packed::{Stand, standing};
use crate::internal::arch::SimdLevel;
use crate::internal::bvh::Packed;
use crate::internal::exact::{Gap, PlacedTriangle, gap};
use crate::internal::math::pose::Pose;
use crate::internal::model::Model;
use crate::internal::traverse::nearest::{Near, descend_near};
use crate::internal::traverse::{Tally, Workspace};

/// What to do with a pair of which a glimpse was seen.
pub(super) enum Glimpse {
    /// Nothing before all others have been seen.
    Later,
    /// Find out its gap.
    Now,
    /// All is known.
    Enough,
}

/// Who asks.
pub(super) trait Seek {
    /// Nothing farther than this matters. It never grows.
    fn limit(&self) -> f64;

    /// A pair is at least and at most so far apart; at least nothing, if f32 sees no gap.
    fn glimpse(&mut self, low: f64, high: f64) -> Glimpse;

    /// Receives two sets of triangles, all copies of one and of another, and their gap: `None` if
    /// they meet.
    fn found(&mut self, a: &[u32], b: &[u32], gap: Option<Gap>) -> ControlFlow<()>;
}

/// One of two things that stand somewhere.
#[derive(Clone, Copy)]
pub(super) struct Side<'a> {
    pub(super) pose: &'a Pose,
    pub(super) shape: Shape<'a>,
}

#[derive(Clone, Copy)]
pub(super) enum Shape<'a> {
    Model(&'a Model),
    Point(DVec3, &'a Packed),
}

impl<'a> Side<'a> {
    pub(super) fn new(model: &'a Model, pose: &'a Pose) -> Self {
        Self { pose, shape: Shape::Model(model) }
    }

    fn packed(&self) -> Option<&'a Packed> {
        match self.shape {
            Shape::Model(model) => model.packed(),
            Shape::Point(_, packed) => Some(packed),
        }
    }

    fn reach(&self) -> f64 {
        match self.shape {
            Shape::Model(model) => model.reach(),
            Shape::Point(point, _) => point.abs().element_sum(),
        }
    }

    fn triangle(&self, index: u32) -> PlacedTriangle<'a> {
        let corners = match self.shape {
            Shape::Model(model) => model.mesh().triangle(index as usize),
            Shape::Point(point, _) => [point; 3],
        };
        PlacedTriangle::new(self.pose, corners)
    }
}

/// The gap between two triangles. `None` if they meet.
pub(super) fn gap_of([a, b]: &[Side; 2], i: u32, j: u32) -> Option<Gap> {
    gap(&a.triangle(i), &b.triangle(j))
}

/// Shows a seeker everything within its limit, or as much as it wants to see.
pub(super) fn seek(sides: [Side; 2], seeker: &mut dyn Seek, workspace: &mut Workspace) {
    // A broken search has found what was sought.
    let _ = match on_packed(&sides, seeker, workspace) {
        Some(flow) => flow,
        None => binary::seek(&sides, seeker, workspace),
    };
}

/// On packed trees, if there are two that f32 is good enough for.
fn on_packed(
    sides: &[Side; 2],
    seeker: &mut dyn Seek,
    workspace: &mut Workspace,
) -> Option<ControlFlow<()>> {
    let [a, b] = sides.each_ref().map(|side| {
        let packed = side.packed()?;
        Some(Stand { packed, pose: side.pose, reach: side.reach() })
    });
    let (a, b) = (a?, b?);
    if !(b.pose.translation() - a.pose.translation()).is_finite() {
        return None;
    }
    let size = a.packed.main().reach + b.packed.main().reach;
    let packed = [a.packed, b.packed];
    let Some(bodies) = standing([a, b], seeker.limit()) else {
        return Some(ControlFlow::Continue(()));
    };
    // What f32 cannot tell is to be small beside the two; and squares of that are to be normal
    // numbers.
    let is_fine = f64::from(bodies.main.b_in_a.slack()) <= COARSE * size && size >= SMALLEST;
    if !is_fine {
        return None;
    }
    let Workspace { queues, nearby, .. } = workspace;
    nearby.clear();
    let mut spans = Spans { sides, packed, seeker, limit: 0.0, nearby, full: 1024 };
    spans.shrink();
    let mut tally = Tally::default();
    let flow = descend_near(&bodies, SimdLevel::best(), &mut spans, queues, &mut tally);
    Some(if flow.is_continue() { spans.finish() } else { flow })
}

/// The slack of a traversal as a part of the sizes: with more, boxes hardly tell near from far. 2⁻⁸
/// is two models a thousand times their size apart.
const COARSE: f64 = 1.0 / 256.0;

/// 2⁻⁴⁰.
const SMALLEST: f64 = 1.0 / (1_u64 << 40) as f64;

/// Hands spans of packed triangles to a seeker.
struct Spans<'a> {
    sides: &'a [Side<'a>; 2],
    packed: [&'a Packed; 2],
    seeker: &'a mut dyn Seek,
    /// The seeker's limit, rounded up.
    limit: f32,
    nearby: &'a mut Vec<(f32, u32, u32)>,
    /// How many may wait before those that have become too far are looked for.
    full: usize,
}

impl Spans<'_> {
    fn shrink(&mut self) {
        self.limit = (self.seeker.limit() as f32).next_up();
    }

    #[inline(never)]
    fn decide(&mut self, a: u32, b: u32) -> ControlFlow<()> {
        let (a, b) = (self.packed[0].triangles(a), self.packed[1].triangles(b));
        let flow = self.seeker.found(a, b, gap_of(self.sides, a[0], b[0]));
        self.shrink();
        flow
    }

    #[inline(never)]
    fn put_off(&mut self, low: f32, a: u32, b: u32) {
        if self.nearby.len() >= self.full {
            let limit = self.limit;
            self.nearby.retain(|waiting| waiting.0 <= limit);
            self.full = (2 * self.nearby.len()).max(1024);
        }
        self.nearby.push((low, a, b));
    }

    /// What was put off, that which can be nearest first: it makes most others too far.
    fn finish(&mut self) -> ControlFlow<()> {
        let least = self.nearby.iter().enumerate().min_by(|x, y| x.1.0.total_cmp(&y.1.0));
        if let Some((first, _)) = least {
            self.nearby.swap(0, first);
        }
        for i in 0..self.nearby.len() {
            let (low, a, b) = self.nearby[i];
            if low <= self.limit {
                self.decide(a, b)?;
            }
        }
        ControlFlow::Continue(())
    }
}

impl Near for Spans<'_> {
    #[inline]
    fn limit(&self) -> f32 {
        self.limit
    }

    #[inline]
    fn pair(&mut self, a: u32, b: u32, low: f32, high: f32) -> ControlFlow<()> {
        if low > self.limit {
            return ControlFlow::Continue(());
        }
        match self.seeker.glimpse(f64::from(low), f64::from(high)) {
            Glimpse::Now => self.decide(a, b),
            Glimpse::Enough => ControlFlow::Break(()),
            Glimpse::Later => {
                self.shrink();
                self.put_off(low, a, b);
                ControlFlow::Continue(())
            }
        }
    }
}
