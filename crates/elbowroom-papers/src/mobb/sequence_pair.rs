//! Two sequences in a query.
//!
//! With one sampling time the circles of both are visited as those of two motions, and a run of
//! samples that may meet is cut where clips begin and end: each piece is of one clip on either
//! side. With different ones clips are gone through along both sequences at once, those whose boxes
//! may meet as motions by themselves.

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

use std::cmp::Ordering;
use std::ops::ControlFlow;

use crate::mobb::sequence::Sequence;
use elbowroom::internal::arch;
use elbowroom::internal::arch::{F32xN, Kernel};
use elbowroom::internal::volume::TimeSpace;
use elbowroom_motion::space_time::clock::{Clock, Lags};
use elbowroom_motion::space_time::query::{Placed, Workspace, any_meet, collide_at};
use elbowroom_motion::space_time::rings;
use elbowroom_motion::space_time::rings::{CHUNK, Visitor};
use elbowroom_motion::space_time::side::{Side, Sides};

impl Sequence {
    /// Whether two sequences collide.
    pub fn collide(
        &self,
        placed: &Placed,
        other: &Self,
        other_placed: &Placed,
        workspace: &mut Workspace,
    ) -> bool {
        let Some(two) = Two::new((self, placed), (other, other_placed)) else { return false };
        let Some(lags) = two.a.clock.lags(&two.b.clock) else {
            return two.clips_collide(workspace);
        };
        let together = lags.low < self.samples() as i64 && lags.high > -(other.samples() as i64);
        together && arch::run(workspace.level, Runs { two: &two, lags })
    }
}

/// A sequence in a query.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    pub(super) sequence: &'a Sequence,
    placed: &'a Placed,
    pub(super) clock: Clock,
}

impl<'a> Part<'a> {
    /// One of its clips.
    pub(super) fn side(&self, number: usize) -> Side<'a> {
        let item = &self.sequence.items[number];
        let first = self.sequence.firsts[number];
        let clock = Clock { first, ..self.clock };
        Side { clip: &item.clip, inner: item.at, outer: self.placed.at(), clock }
    }

    /// The clip that has a sample.
    fn clip_of(&self, sample: i64) -> usize {
        let mut number = self.sequence.clip_of[sample as usize / CHUNK] as usize;
        while self.sequence.firsts[number + 1] <= sample {
            number += 1;
        }
        number
    }
}

/// Two sequences in a query.
pub(super) struct Two<'a> {
    pub(super) a: Part<'a>,
    pub(super) b: Part<'a>,
}

impl<'a> Two<'a> {
    /// `None` if one of them is empty.
    pub(super) fn new(
        (a, placed_a): (&'a Sequence, &'a Placed),
        (b, placed_b): (&'a Sequence, &'a Placed),
    ) -> Option<Self> {
        let part = |sequence: &'a Sequence, placed: &'a Placed| {
            let clock = Clock { start: placed.start(), dt: sequence.dt()?, first: 0 };
            Some(Part { sequence, placed, clock })
        };
        Some(Self { a: part(a, placed_a)?, b: part(b, placed_b)? })
    }

    /// The space of boxes in the frames of both; free ones have this many metres a second.
    pub(super) fn space(&self, time_scale: f64) -> TimeSpace {
        let (a, b) = (&self.a, &self.b);
        TimeSpace::new(
            (&a.placed.at(), a.sequence.reach, a.placed.start()),
            (&b.placed.at(), b.sequence.reach, b.placed.start()),
            time_scale,
        )
    }

    /// Different sampling times: clips that are held at a common moment, along both sequences.
    fn clips_collide(&self, workspace: &mut Workspace) -> bool {
        let space = self.space(1.0);
        let [one, two] = [&self.a, &self.b];
        let (mut a, mut b) = (0, 0);
        while a < one.sequence.len() && b < two.sequence.len() {
            let [ends_a, ends_b] =
                [(one, a), (two, b)].map(|(part, k)| part.sequence.firsts[k + 1]);
            let [box_a, box_b] =
                [(one, a), (two, b)].map(|(part, k)| &part.sequence.items[k].bounds);
            if box_a.may_cross(box_b, &space)
                && collide_at(&Sides::new(one.side(a), two.side(b)), None, workspace)
            {
                return true;
            }
            // Whichever is over first gives way to the next.
            match one.clock.compare(ends_a, &two.clock, ends_b) {
                Ordering::Less => a += 1,
                Ordering::Greater => b += 1,
                Ordering::Equal => (a, b) = (a + 1, b + 1),
            }
        }
        false
    }
}

struct Runs<'a> {
    two: &'a Two<'a>,
    lags: Lags,
}

impl Kernel for Runs<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<W: F32xN>(mut self) -> bool {
        let (space, lags) = (self.two.space(1.0), self.lags);
        let [a, b] = [&self.two.a, &self.two.b].map(|part| &part.sequence.rings);
        rings::visit(a, b, lags, &space, &mut self).is_break()
    }
}

impl Visitor for Runs<'_> {
    #[inline(always)]
    fn margin(&self) -> f64 {
        0.0
    }

    #[inline(always)]
    fn chunk(&mut self, chunk: usize) -> ControlFlow<()> {
        let (a, b) = (&self.two.a, &self.two.b);
        let [len_a, len_b] = [a, b].map(|part| part.sequence.samples() as i64);
        let from = (chunk * CHUNK) as i64;
        for lag in self.lags.low..=self.lags.high {
            let mut at = from.max(lag);
            let to = (from + CHUNK as i64).min(len_a).min(len_b + lag);
            while at < to {
                let (clip_a, clip_b) = (a.clip_of(at), b.clip_of(at - lag));
                let sides = Sides::new(a.side(clip_a), b.side(clip_b));
                let [firsts_a, firsts_b] = [a, b].map(|part| &part.sequence.firsts);
                let end = to.min(firsts_a[clip_a + 1]).min(firsts_b[clip_b + 1] + lag);
                // Within the clips samples are numbered from their first.
                let shift = firsts_a[clip_a];
                let lag = lag + firsts_b[clip_b] - shift;
                if any_meet(&sides, at - shift, end - shift, lag) {
                    return ControlFlow::Break(());
                }
                at = end;
            }
        }
        ControlFlow::Continue(())
    }
}
