//! The samples of two leaves, in strides.
//!
//! A disk that is g away from another cannot meet it within the next n samples if both together
//! move less than g in them. So the pair in the middle of two leaves is tested first, and if it is
//! clear it often speaks for all of them; what it does not speak for is halved again.
//!
//! ```text
//!   samples of the first    ∙ ∙ ∙ ∙ ∙ ∙ ∙ ∙ ∙ ∙
//!                               (─────●─────)          one test, and clear for all in brackets
//!   samples of the second   ∙ ∙ ∙ ∙ ∙ ∙ ∙ ∙ ∙ ∙
//! ```
//!
//! The *pace* of a leaf is how far the rim of its disk moves from one sample to the next at most:
//! the way of the centre and the change of the radius. Off the grid a sample has two partners, one
//! step apart, so that the second's pace counts once more; where disks move between samples both
//! paces do.
//!
//! Source: conservative advancement (Mirtich, *Impulse-based dynamic simulation of rigid body
//! systems*, 1996), from the middle and in both directions. Leaving out is certain: gaps are
//! compared with the paces and the slack of the query, so that a pair left out is one that does not
//! collide as f64 has it.

use std::ops::{ControlFlow, Range};

use super::clock::Lags;
use super::config::BetweenSamples;
use super::side::{Sides, gap};
use super::trace::Trace;
use elbowroom::internal::bvh::Tree;

/// The pace of every leaf, by the number of its node; inner nodes have none, and are never asked.
pub(super) fn paces(trace: &Trace, tree: &Tree, between: BetweenSamples) -> Vec<f64> {
    let [x, y, radius] = trace.columns();
    let pace = |k: usize| {
        let (dx, dy) = (x[k + 1] - x[k], y[k + 1] - y[k]);
        (dx * dx + dy * dy).sqrt() + (radius[k + 1] - radius[k]).abs()
    };
    let beyond = usize::from(between == BetweenSamples::Linear);
    let of_run = |run: Range<usize>| {
        let last = (run.end + beyond).min(trace.len()) - 1;
        let most = (run.start..last).map(pace).fold(0.0, f64::max);
        // Two differences, two squares, two sums and a root; squares may be below the normal
        // numbers.
        most * (1.0 + 8.0 * f64::EPSILON) + 1e-150
    };
    let of_node = |node| if tree.is_leaf(node) { of_run(tree.run(node)) } else { 0.0 };
    tree.nodes().map(of_node).collect()
}

/// How the samples of two leaves are gone through.
pub(super) struct Stride<'a, 's> {
    sides: &'a Sides<'s>,
    lags: Lags,
    /// What both disks move from one sample to the next at most.
    pace: f64,
    /// A gap that is not larger speaks only for its own pair.
    least: f64,
}

impl<'a, 's> Stride<'a, 's> {
    pub(super) fn new(
        sides: &'a Sides<'s>,
        lags: Lags,
        slack: f64,
        (pace_a, pace_b): (f64, f64),
    ) -> Self {
        let pace = pace_a + pace_b;
        let partners = (lags.high - lags.low) as f64 * pace_b;
        let between = if sides.is_linear { pace } else { 0.0 };
        Self { sides, lags, pace, least: slack + partners + between }
    }

    /// Counts the tested pairs and calls a visitor with those that collide, in no particular order,
    /// until the visitor breaks.
    pub(super) fn visit(
        &self,
        run_a: &Range<usize>,
        run_b: &Range<usize>,
        tests: &mut u64,
        found: &mut impl FnMut(usize, usize) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        // Every sample in between has a partner in the other run. Halves are at most half as long:
        // 2²⁵ samples make a stack of 26.
        let mut stack = [(0, 0); 32];
        let (from, to) = (run_a.start as i64, run_a.end as i64);
        stack[0] = (
            from.max(run_b.start as i64 + self.lags.low),
            to.min(run_b.end as i64 + self.lags.high),
        );
        let mut depth = 1;
        while depth > 0 {
            depth -= 1;
            let (from, to) = stack[depth];
            if from >= to {
                continue;
            }
            let middle = from + (to - from) / 2;
            let clear = self.around(middle, run_b, tests, found)?;
            stack[depth] = (middle.saturating_add(clear).saturating_add(1), to);
            stack[depth + 1] = (from, middle.saturating_sub(clear));
            depth += 2;
        }
        ControlFlow::Continue(())
    }

    /// Looks at a sample of the first motion and its partners; gives how many samples before and
    /// behind are clear as well.
    #[inline]
    fn around(
        &self,
        i: i64,
        run_b: &Range<usize>,
        tests: &mut u64,
        found: &mut impl FnMut(usize, usize) -> ControlFlow<()>,
    ) -> ControlFlow<(), i64> {
        let from = (i - self.lags.high).max(run_b.start as i64);
        let to = (i - self.lags.low + 1).min(run_b.end as i64);
        let (i, here) = (i as usize, self.sides.a.disk(i as usize));
        for j in from as usize..to as usize {
            *tests += 1;
            let beyond = gap(here, self.sides.b.disk(j)) - self.least;
            if beyond > 0.0 {
                return ControlFlow::Continue((beyond / self.pace) as i64);
            }
            if self.sides.meet(i, j) {
                found(i, j)?;
            }
        }
        ControlFlow::Continue(0)
    }
}
