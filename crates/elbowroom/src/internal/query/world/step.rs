//! One step: the pairs of boxes that overlap, asked about.
//!
//! Three ordered lists are walked side by side: the pairs that may meet now, those that were known
//! after the last step, and those of them that touched. A pair of which nothing has moved is taken
//! over as it was; the others are asked about, many at once.

use super::slots::Slots;
use super::{Body, BodyId, World};
use crate::internal::broad_phase::BoxPair;
use crate::internal::query::{
    CollisionRequest, CollisionResult, Placed, TrianglePair, Verdict, collide_pairs,
};
use crate::internal::traverse::Tally;

/// The number of pairs in one batch: enough for all threads, and few enough to hold all answers.
const BATCH: usize = 4096;

/// Two bodies of a [`World`](crate::World) that touch.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct BodyContacts {
    /// The body with the lower number.
    pub a: BodyId,
    /// The other.
    pub b: BodyId,
    /// What was found: never [`Verdict::Clear`].
    #[doc(hidden)]
    pub answer: CollisionResult,
}

impl BodyContacts {
    #[doc(hidden)]
    pub fn new(a: BodyId, b: BodyId, answer: CollisionResult) -> Self {
        Self { a, b, answer }
    }

    /// The pairs of triangles that meet, in order; empty if they were not asked for.
    pub fn pairs(&self) -> &[TrianglePair] {
        &self.answer.pairs
    }
}

/// What a step found, and how much was examined to find it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Step {
    /// The pairs that touch, or that may touch if the question was limited to a level; ordered by
    /// the first body and then by the second.
    pub touching: Vec<BodyContacts>,
    /// How many pairs were examined: their boxes overlap, and they were allowed.
    pub examined: u64,
    /// For how many of them something had moved, or the question was new, so that they were asked
    /// about. The others are as they were.
    pub asked: u64,
    /// The work that was done for those.
    pub tally: Tally,
}

/// What the last step leaves to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Last {
    question: Option<CollisionRequest>,
    /// Every pair that was examined.
    known: Vec<BoxPair>,
    step: Step,
}

impl World {
    /// Finds all bodies that touch.
    pub fn step(&mut self, question: &CollisionRequest) -> &Step {
        self.step_where(question, |_, _| true)
    }

    /// Finds all bodies that touch, of the pairs that are allowed. The rule is asked once for each
    /// pair of boxes that overlap, the lower number first.
    pub fn step_where(
        &mut self,
        question: &CollisionRequest,
        mut is_allowed: impl FnMut(BodyId, BodyId) -> bool,
    ) -> &Step {
        let mut old = std::mem::take(&mut self.last);
        if old.question != Some(*question) {
            old.known.clear();
        }
        let mut kept =
            Kept { known: &old.known, touched: old.step.touching.into_iter().peekable() };
        let mut step = Step::default();
        let (mut known, mut waiting) = (Vec::new(), Vec::new());
        for &pair in self.broad.pairs() {
            let (a, b) = (self.slots.id(pair.0), self.slots.id(pair.1));
            if !is_allowed(a, b) {
                continue;
            }
            known.push(pair);
            let has_changed = self.changed[a.number()] || self.changed[b.number()];
            match kept.find(pair) {
                Some(known) if !has_changed => step.touching.extend(known.touched),
                _ => waiting.push(pair),
            }
        }
        step.examined = known.len() as u64;
        step.asked = waiting.len() as u64;
        for batch in waiting.chunks(BATCH) {
            ask_batch(&self.slots, batch, question, &mut step);
        }
        // Two ordered lists, one after the other: merging them is what a stable sort does with
        // them.
        step.touching.sort_by_key(|touching| (touching.a, touching.b));
        self.changed.fill(false);
        self.last = Last { question: Some(*question), known, step };
        &self.last.step
    }

    /// What the last step found.
    pub fn last_step(&self) -> &Step {
        &self.last.step
    }
}

/// What is known about a pair: that it is clear, or how it touches.
struct Known {
    touched: Option<BodyContacts>,
}

/// What is known about pairs, to be walked through in order.
struct Kept<'a, I: Iterator<Item = BodyContacts>> {
    known: &'a [BoxPair],
    touched: std::iter::Peekable<I>,
}

impl<I: Iterator<Item = BodyContacts>> Kept<'_, I> {
    /// What is known of a pair.
    fn find(&mut self, pair: BoxPair) -> Option<Known> {
        let before = self.known.iter().take_while(|&&known| known < pair).count();
        self.known = &self.known[before..];
        let numbers = |touching: &BodyContacts| (touching.a.slot(), touching.b.slot());
        while self.touched.next_if(|touching| numbers(touching) < pair).is_some() {}
        let touched = self.touched.next_if(|touching| numbers(touching) == pair);
        (self.known.first() == Some(&pair)).then_some(Known { touched })
    }
}

/// Asks about some pairs and adds what is found.
fn ask_batch(slots: &Slots<Body>, batch: &[BoxPair], question: &CollisionRequest, step: &mut Step) {
    let placed = |slot: u32| {
        let body = slots.at(slot);
        body.map(|body| Placed::new(&body.model, &body.pose))
    };
    // Only bodies have boxes, so that none is left out here.
    let pairs: Vec<_> = batch.iter().filter_map(|&(a, b)| placed(a).zip(placed(b))).collect();
    debug_assert_eq!(pairs.len(), batch.len(), "a box without a body");
    for (&(a, b), answer) in batch.iter().zip(collide_pairs(&pairs, question)) {
        step.tally += answer.tally;
        if answer.verdict != Verdict::Clear {
            let (a, b) = (slots.id(a), slots.id(b));
            step.touching.push(BodyContacts { a, b, answer });
        }
    }
}
