//! The work: every pair of objects at every frame.
//!
//! Pairs are never written down, for there may be billions: each object asks for those after it that
//! are near it ([`Broad`]), and the others are certainly clear. Pairs in which nothing moves are examined
//! once, and what was found holds in every frame.
//!
//! Invariants: a pair counts as examined however it was told apart. There is a result, or there are too many
//! findings for memory and there is none: nothing is left out silently.

use std::collections::HashMap;
use std::rc::Rc;

use elbowroom::Model;
use elbowroom::broad::{Broad, Method, Support};

use crate::between::{self, Passing};
use crate::examine::{Examiner, MOST_LISTED, Pair, Touch};
use crate::plan::Plan;
use crate::progress::Progress;
use crate::words::{Refusal, grouped};

/// The most contacts that are kept. One takes 32 bytes, and up to some 200 while a table is made: with
/// 10 million, that is 2 GB. A short command line can ask for far more: 100,000 copies of one file meet in
/// 5 billion pairs.
const MOST_CONTACTS: usize = 10_000_000;

/// What was found, and how much was examined to find it.
#[derive(Debug)]
pub(crate) struct Findings {
    pub(crate) frames_examined: u64,
    /// Pairs of objects, counted once per frame.
    pub(crate) pairs_examined: u64,
    /// By frame, then by the first object, then by the second.
    pub(crate) contacts: Vec<Contact>,
    /// What comes together between frames, in the same order; nothing if it was not asked for.
    pub(crate) between: Option<Vec<Passing>>,
}

/// Two objects that have a point in common, or are too near each other, in one frame.
#[derive(Clone, Debug)]
pub(crate) struct Contact {
    pub(crate) frame: usize,
    pub(crate) a: usize,
    pub(crate) b: usize,
    /// Shared by the frames of a pair that never moves, and by copies.
    pub(crate) touch: Rc<Touch>,
}

/// How much is kept at most.
struct Limits {
    contacts: usize,
    /// Pairs of triangles in lists; a list that is shared counts once.
    listed: u64,
}

/// Examines all that is planned.
///
/// # Errors
/// If more is found than there should be memory for.
pub(crate) fn check(plan: &Plan, quiet: bool) -> Result<Findings, Refusal> {
    check_within(&Limits { contacts: MOST_CONTACTS, listed: MOST_LISTED }, plan, quiet)
}

fn check_within(limits: &Limits, plan: &Plan, quiet: bool) -> Result<Findings, Refusal> {
    let frames = plan.frames() as u64;
    let pairs_examined = pairs_of(plan.objects.len()) * frames;
    let work = Work {
        plan,
        examiner: Examiner::new(plan, limits.listed),
        most_contacts: limits.contacts,
        progress: Progress::new(pairs_examined, quiet),
    };
    let contacts = work.run()?;
    let between = plan.continuous.then(|| between::of_plain(plan, &contacts));
    Ok(Findings { frames_examined: frames, pairs_examined, contacts, between })
}

/// How many pairs there are of so many.
fn pairs_of(objects: usize) -> u64 {
    let objects = objects as u64;
    objects * objects.saturating_sub(1) / 2
}

struct Work<'a> {
    plan: &'a Plan,
    examiner: Examiner<'a>,
    most_contacts: usize,
    progress: Progress,
}

impl Work<'_> {
    fn run(mut self) -> Result<Vec<Contact>, Refusal> {
        let still = self.still_objects();
        let at_rest = self.examine_still(&still)?;
        let contacts = match self.plan.mover() {
            Some(mover) => self.examine_moving(mover, &still, &at_rest)?,
            None => at_rest,
        };
        self.progress.finish();
        Ok(contacts)
    }

    /// The boxes in which the objects that do not move stay, by the objects' numbers.
    fn still_objects(&self) -> Broad {
        let mut supports: HashMap<*const Model, Support> = HashMap::new();
        let mut still = Broad::new(Method::Tree);
        for (index, object) in self.plan.objects.iter().enumerate() {
            if self.plan.mover() != Some(index) {
                let support = supports
                    .entry(Rc::as_ptr(&object.model))
                    .or_insert_with(|| Support::of_mesh(object.model.mesh()));
                let bounds = support.placed(&object.rest);
                still.set(index as u32, bounds).expect("the box of a support is finite");
            }
        }
        still.refresh();
        still
    }

    /// The contacts in the first frame of objects that do not move.
    fn examine_still(&mut self, still: &Broad) -> Result<Vec<Contact>, Refusal> {
        let (mut contacts, mut others) = (Vec::new(), Vec::new());
        let mut after = still.len();
        for a in 0..self.plan.objects.len() {
            if let Some(bounds) = still.get(a as u32) {
                after -= 1;
                let reach = self.plan.wanted.reach(bounds);
                still.near_from(a as u32 + 1, &reach, &mut others);
                self.examine_all(0, (after, &others), |b| (a, b), &mut contacts)?;
            }
        }
        Ok(contacts)
    }

    /// The contacts in all frames, given those that are there in each.
    fn examine_moving(
        &mut self,
        mover: usize,
        still: &Broad,
        at_rest: &[Contact],
    ) -> Result<Vec<Contact>, Refusal> {
        let support = Support::of_mesh(self.plan.objects[mover].model.mesh());
        let (mut contacts, mut others) = (Vec::new(), Vec::new());
        for frame in 0..self.plan.frames() {
            let start = contacts.len();
            for contact in at_rest {
                self.keep(Contact { frame, ..contact.clone() }, &mut contacts)?;
            }
            if frame > 0 {
                self.progress.advance(pairs_of(still.len()));
            }
            let bounds = support.placed(&self.plan.placement(mover, frame));
            still.near(&self.plan.wanted.reach(&bounds), &mut others);
            self.examiner.forget();
            let pair = |other: usize| (mover.min(other), mover.max(other));
            self.examine_all(frame, (still.len(), &others), pair, &mut contacts)?;
            contacts[start..].sort_unstable_by_key(|contact| (contact.a, contact.b));
        }
        Ok(contacts)
    }

    /// Examines the pairs with those of so many others that are near.
    fn examine_all(
        &mut self,
        frame: usize,
        (others, near): (usize, &[u32]),
        pair: impl Fn(usize) -> Pair,
        contacts: &mut Vec<Contact>,
    ) -> Result<(), Refusal> {
        self.progress.advance((others - near.len()) as u64);
        for (a, b) in near.iter().map(|&other| pair(other as usize)) {
            if let Some(touch) = self.examiner.touch(frame, (a, b))? {
                self.keep(Contact { frame, a, b, touch }, contacts)?;
            }
            self.progress.advance(1);
        }
        Ok(())
    }

    fn keep(&self, contact: Contact, contacts: &mut Vec<Contact>) -> Result<(), Refusal> {
        if contacts.len() < self.most_contacts {
            contacts.push(contact);
            return Ok(());
        }
        let hint = match self.plan.mover() {
            Some(_) => "nothing was printed; check fewer objects or fewer poses at once",
            None => "nothing was printed; check fewer objects at once",
        };
        let most = grouped(self.most_contacts as u64);
        Err(Refusal {
            problems: vec![format!("there are more than {most} contacts, too many to keep")],
            hint: hint.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests;
