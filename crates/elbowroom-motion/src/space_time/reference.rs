//! Two readable trees, as the paper descends them, with its counts.
//!
//! ```text
//!   inner × inner   times; then the boxes; then all four pairs of children
//!   leaf × inner    times alone, down to the leaves
//!   leaf × leaf     the samples that are held at a common moment: all, or in strides
//! ```
//!
//! Trees are descended side by side, so that two nodes of different levels come from a leaf against
//! an inner node: that is how it is known whether boxes are to be looked at. Times are compared by
//! the numbers of the samples, exactly.
//!
//! Source: Sung, Chenney and Gleicher, *Detecting collisions in graph-driven motion synthesis*,
//! section 3.2.

use std::cmp::Ordering;
use std::ops::{ControlFlow, Range};

use super::clock::{Clock, Lags};
use super::config::{BoxShape, Partners};
use super::leaf::Stride;
use super::side::{Side, Sides};
use elbowroom::internal::bvh::NodeId;
use elbowroom::internal::traverse::{Judge, Path, Rule, Tally, Workspace, pair};
use elbowroom::internal::volume::{Family, TimeObb, TimeSpace};

/// Descends both trees and tells of every pair of samples that collide, in no order that matters,
/// until told to stop.
pub(super) fn descend(
    sides: &Sides<'_>,
    tally: &mut Tally,
    workspace: &mut Workspace,
    mut found: impl FnMut(usize, usize) -> ControlFlow<()>,
) {
    let mut judge =
        Pairs { sides, space: sides.space(), lags: sides.lags(), tally, found: &mut found };
    let path = Path { rule: Rule::Both, level: None };
    let _ = pair(sides.a.clip.tree(), sides.b.clip.tree(), path, &mut judge, workspace);
}

struct Pairs<'a, 's, F> {
    sides: &'a Sides<'s>,
    space: TimeSpace,
    lags: Option<Lags>,
    tally: &'a mut Tally,
    found: &'a mut F,
}

impl<F> Pairs<'_, '_, F> {
    fn times_meet(&self, a: &Range<usize>, b: &Range<usize>) -> bool {
        times_meet((&self.sides.a.clock, a), (&self.sides.b.clock, b), self.lags)
    }

    fn boxes_meet(&mut self, a: NodeId, b: NodeId) -> bool {
        let (side_a, side_b) = (&self.sides.a, &self.sides.b);
        let Some((first, second)) = shape(side_a, a).zip(shape(side_b, b)) else {
            return true;
        };
        let both_upright = (first, second) == (BoxShape::Upright, BoxShape::Upright);
        if both_upright && let (Some(x), Some(y)) = (side_a.clip.upright(), side_b.clip.upright()) {
            self.tally.count_volume(Family::TimeBox);
            return x[a].may_cross(&y[b], &self.space);
        }
        let (x, y) = (free(side_a, a, first), free(side_b, b, second));
        let (Some(x), Some(y)) = (x, y) else { return true };
        let is_flat = x.is_upright && y.is_upright;
        self.tally.count_volume(if is_flat { Family::TimeBox } else { Family::TimeObb });
        x.may_cross(&y, &self.space)
    }

    /// Samples of the second side that one of the first is compared with.
    fn partners(&self, i: usize, among: &Range<usize>) -> Range<usize> {
        let held = partners(self.sides, self.lags, i, among);
        match self.sides.partners {
            Partners::HeldTogether => held,
            Partners::AtItsTime => {
                // The first that is held until after the sample begins, if it is held by then.
                let (ca, cb) = (&self.sides.a.clock, &self.sides.b.clock);
                let is_there = !held.is_empty()
                    && cb.compare(held.start as i64, ca, i as i64) != Ordering::Greater;
                held.start..held.start + usize::from(is_there)
            }
        }
    }

    /// The lags of the samples that are compared.
    fn lags_of_samples(&self) -> Option<Lags> {
        let lags = self.lags?;
        Some(match self.sides.partners {
            Partners::HeldTogether => lags,
            // Of two, the one that is the earlier in the second motion.
            Partners::AtItsTime => Lags { low: lags.high, ..lags },
        })
    }
}

/// Whether two runs of samples are held at a common moment.
pub fn times_meet(
    (ca, a): (&Clock, &Range<usize>),
    (cb, b): (&Clock, &Range<usize>),
    lags: Option<Lags>,
) -> bool {
    // i − j takes every value from the least to the greatest.
    if let Some(Lags { low, high }) = lags {
        let least = a.start as i64 - (b.end as i64 - 1);
        let greatest = a.end as i64 - 1 - b.start as i64;
        return least <= high && low <= greatest;
    }
    ca.compare(a.start as i64, cb, b.end as i64) == Ordering::Less
        && cb.compare(b.start as i64, ca, a.end as i64) == Ordering::Less
}

/// Samples of the second side, among some, that are held while sample i of the first is.
pub fn partners(
    sides: &Sides<'_>,
    lags: Option<Lags>,
    i: usize,
    among: &Range<usize>,
) -> Range<usize> {
    let clamp = |j: i64| j.clamp(among.start as i64, among.end as i64) as usize;
    if let Some(Lags { low, high }) = lags {
        let (from, to) = (clamp(i as i64 - high), clamp(i as i64 - low + 1));
        return from..to.max(from);
    }
    let (ca, cb) = (&sides.a.clock, &sides.b.clock);
    // Not far from there: the exact comparisons below do the rest.
    let guess = |boundary: i64| (ca.at(boundary) - cb.at(0)) / cb.dt;
    let mut from = clamp(guess(i as i64).clamp(-1e15, 1e15) as i64 - 2);
    while from < among.end && cb.compare(from as i64 + 1, ca, i as i64) != Ordering::Greater {
        from += 1;
    }
    while from > among.start && cb.compare(from as i64, ca, i as i64) == Ordering::Greater {
        from -= 1;
    }
    let mut to = from;
    while to < among.end && cb.compare(to as i64, ca, i as i64 + 1) == Ordering::Less {
        to += 1;
    }
    from..to
}

fn shape(side: &Side<'_>, node: NodeId) -> Option<BoxShape> {
    side.clip.config().kind.shape_at(side.clip.tree().level(node))
}

fn free(side: &Side<'_>, node: NodeId, shape: BoxShape) -> Option<TimeObb> {
    let scale = side.clip.config().time_scale;
    match shape {
        BoxShape::Upright => {
            side.clip.upright().map(|column| TimeObb::upright(&column[node], scale))
        }
        BoxShape::Free => side.clip.free().map(|column| column[node]),
    }
}

impl<F: FnMut(usize, usize) -> ControlFlow<()>> Judge for Pairs<'_, '_, F> {
    fn may_meet(&mut self, a: NodeId, b: NodeId) -> bool {
        let (clip_a, clip_b) = (self.sides.a.clip, self.sides.b.clip);
        let (tree_a, tree_b) = (clip_a.tree(), clip_b.tree());
        if !self.times_meet(&tree_a.run(a), &tree_b.run(b)) {
            return false;
        }
        let below_leaf = tree_a.level(a) != tree_b.level(b);
        let asked = clip_a.config().test_below_leaf && clip_b.config().test_below_leaf;
        // Boxes of different time scales cannot be compared.
        let same_scale = clip_a.config().time_scale == clip_b.config().time_scale;
        below_leaf && !asked || !same_scale || self.boxes_meet(a, b)
    }

    fn is_first_larger(&self, a: NodeId, b: NodeId) -> bool {
        let count = |side: &Side<'_>, node| side.clip.tree().run(node).len();
        count(&self.sides.a, a) >= count(&self.sides.b, b)
    }

    fn leaves(&mut self, a: NodeId, b: NodeId) -> ControlFlow<()> {
        let [clip_a, clip_b] = [&self.sides.a, &self.sides.b].map(|side| side.clip);
        let (run_a, run_b) = (clip_a.tree().run(a), clip_b.tree().run(b));
        if let (Some(lags), Some(paces)) =
            (self.lags_of_samples(), clip_a.pace(a).zip(clip_b.pace(b)))
        {
            let stride = Stride::new(self.sides, lags, self.space.slack, paces);
            return stride.visit(&run_a, &run_b, &mut self.tally.primitives, self.found);
        }
        for i in run_a {
            for j in self.partners(i, &run_b) {
                self.tally.primitives += 1;
                if self.sides.meet(i, j) {
                    (self.found)(i, j)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn limit(&mut self, _: NodeId, _: NodeId) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}
