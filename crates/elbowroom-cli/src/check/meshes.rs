//! The work on plain meshes: every pair of objects at every frame.
//!
//! Pairs are never written down, for there may be billions: each object asks for those after it that
//! are near it ([`Broad`]), and the others are certainly clear. Pairs in which nothing moves are examined
//! once, and what was found holds in every frame.
//!
//! Invariants: a pair counts as examined however it was told apart. There is a result, or there are too many
//! findings for memory and there is none: nothing is left out silently.

use elbowroom::internal::broad_phase::{Broad, Method};
use elbowroom::interrupt::{Interrupted, checkpoint};

use crate::check::between;
use crate::check::examine::{Examiner, MOST_LISTED, Pair};
use crate::check::finding::Contact;
use crate::check::plan::Plan;
use crate::check::report::{Ended, FrameReport, Halt, How, Taker};
use crate::messages::{Refusal, grouped};
use crate::outcome::Outcome;
use crate::progress::Progress;

/// The most contacts of a frame. One takes 32 bytes, and some 300 as an incident: with 10 million, that is 3 GB. A short command line can ask for
/// far more: 100,000 copies of one file meet in 5 billion pairs.
pub(crate) const MOST_CONTACTS: usize = 10_000_000;

/// How much is found at most.
struct Limits {
    /// In a frame.
    contacts: usize,
    /// Pairs of triangles in lists; a list that is shared counts once.
    listed: u64,
}

/// Examines all that is planned, and gives it away frame by frame.
///
/// # Errors
/// If more is found than there should be memory for, or nobody takes it.
pub(crate) fn check(plan: &Plan, how: &How<'_>, taker: &mut Taker<'_>) -> Result<Ended, Halt> {
    check_within(&Limits { contacts: MOST_CONTACTS, listed: MOST_LISTED }, plan, how, taker)
}

fn check_within(
    limits: &Limits,
    plan: &Plan,
    how: &How<'_>,
    taker: &mut Taker<'_>,
) -> Result<Ended, Halt> {
    let left = plan.frames.len().saturating_sub(how.from) as u64;
    let work = Work {
        plan,
        examiner: Examiner::new(plan, limits.listed),
        most_contacts: limits.contacts,
        progress: Progress::new(pairs_of(plan.scene.objects().len()) * left, how.quiet),
        how: *how,
    };
    work.run(taker)
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
    how: How<'a>,
}

impl Work<'_> {
    fn run(mut self, taker: &mut Taker<'_>) -> Result<Ended, Halt> {
        let still = self.still_objects();
        let full = |refusal| Halt::Refused(Outcome::Incomplete, refusal);
        let stop = self.how.stop;
        let at_rest = match stop.run(|| self.examine_still(&still)) {
            Ok(at_rest) => at_rest.map_err(full)?,
            Err(Interrupted::Raised) => return Ok(Ended::Interrupted),
            Err(Interrupted::Full) => return Err(full(self.examiner.no_room())),
        };
        let ended = match self.plan.mover() {
            Some(mover) => self.examine_moving(mover, &still, &at_rest, taker)?,
            None if self.how.from > 0 => Ended::Whole,
            None => {
                let pairs_examined = pairs_of(self.plan.scene.objects().len());
                taker(FrameReport { pairs_examined, contacts: at_rest, ..FrameReport::default() })?;
                Ended::Whole
            }
        };
        self.progress.finish();
        Ok(ended)
    }

    /// The boxes in which the objects that do not move stay, by the objects' numbers.
    fn still_objects(&self) -> Broad {
        let mut still = Broad::new(Method::Tree);
        let mover = self.plan.mover();
        for index in (0..self.plan.scene.objects().len()).filter(|&index| mover != Some(index)) {
            let set = still.set(index as u32, self.plan.bounds(index, 0));
            set.expect("the box of a support is finite");
        }
        still.refresh();
        still
    }

    /// The contacts in the first frame of objects that do not move.
    fn examine_still(&mut self, still: &Broad) -> Result<Vec<Contact>, Refusal> {
        let (mut contacts, mut others) = (Vec::new(), Vec::new());
        let mut after = still.len();
        for a in 0..self.plan.scene.objects().len() {
            checkpoint();
            if let Some(bounds) = still.get(a as u32) {
                after -= 1;
                let reach = self.plan.cast.wanted.reach(bounds);
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
        taker: &mut Taker<'_>,
    ) -> Result<Ended, Halt> {
        let listed_at_rest = self.examiner.listed();
        let pairs_examined = pairs_of(self.plan.scene.objects().len());
        let mut ways = self.plan.continuous.then(|| between::Ways::new(self.plan, mover));
        // What comes together on the way to the first frame is asked of the one before.
        let first = if ways.is_some() { self.how.from.saturating_sub(1) } else { self.how.from };
        let mut before: Vec<Contact> = Vec::new();
        for frame in first..self.plan.frames.len() {
            self.examiner.begin_frame(self.how.keeps, listed_at_rest);
            let stop = self.how.stop;
            let examined = stop.run(|| -> Result<_, Refusal> {
                let contacts = self.examine_frame(frame, mover, still, at_rest)?;
                let step = |ways: &mut between::Ways<'_>| {
                    let kept = std::mem::replace(&mut before, contacts.clone());
                    if frame == first { Vec::new() } else { ways.step(frame, &kept, &contacts) }
                };
                let between = ways.as_mut().map(step).unwrap_or_default();
                Ok((contacts, between))
            });
            let full = |refusal| Halt::Refused(Outcome::Incomplete, refusal);
            let (contacts, between) = match examined {
                Ok(examined) => examined.map_err(full)?,
                // A frame that was cut short was not examined.
                Err(Interrupted::Raised) => return Ok(Ended::Interrupted),
                Err(Interrupted::Full) => return Err(full(self.examiner.no_room())),
            };
            if frame >= self.how.from {
                let report = FrameReport { frame, pairs_examined, ..FrameReport::default() };
                taker(FrameReport { contacts, between, ..report })?;
            }
        }
        Ok(Ended::Whole)
    }

    /// The contacts of a frame in order.
    fn examine_frame(
        &mut self,
        frame: usize,
        mover: usize,
        still: &Broad,
        at_rest: &[Contact],
    ) -> Result<Vec<Contact>, Refusal> {
        let (mut contacts, mut others) = (Vec::new(), Vec::new());
        for contact in at_rest {
            self.keep(Contact { frame, ..contact.clone() }, &mut contacts)?;
        }
        if frame > 0 {
            self.progress.advance(pairs_of(still.len()));
        }
        let bounds = self.plan.bounds(mover, frame);
        still.near(&self.plan.cast.wanted.reach(&bounds), &mut others);
        let pair = |other: usize| (mover.min(other), mover.max(other));
        self.examine_all(frame, (still.len(), &others), pair, &mut contacts)?;
        contacts.sort_unstable_by_key(|contact| (contact.a, contact.b));
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
            checkpoint();
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
        let most = grouped(self.most_contacts as u64);
        Err(Refusal {
            problems: vec![format!(
                "there are more than {most} contacts, too many to keep in memory"
            )],
            hint: "nothing was printed; check fewer objects at once".to_owned(),
        })
    }
}

#[cfg(test)]
mod tests;
