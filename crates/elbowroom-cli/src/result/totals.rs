//! What a check came to: counts, incidents, and what is told at the end.

use elbowroom::internal::query::ContactKind;
use elbowroom_motion::scene::{Incident, Meeting};
use serde::{Deserialize, Serialize};

use crate::result::cast::Cast;
use crate::result::frame::{Ended, FrameReport, Passing};
use crate::result::spans::Spans;
use crate::result::work::WorkSum;

/// A frame that could not be read, and why.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Unreadable {
    pub(crate) frame: usize,
    pub(crate) error: String,
}

/// How much was examined and found.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Counts {
    /// Frames that were given, those that could not be read among them.
    pub(crate) steps: usize,
    pub(crate) frames_examined: u64,
    /// Pairs of objects, counted once per frame.
    pub(crate) pairs_examined: u64,
    /// Pairs of parts of objects that are compared with themselves, counted once per frame.
    pub(crate) part_pairs_examined: u64,
    /// Pairs of triangles that were left out because they meet at rest, counted once per frame.
    pub(crate) rest_left_out: u64,
    /// What finding took; `None` if no frame could be read.
    pub(crate) work: Option<WorkSum>,
    pub(crate) last_frame: Option<usize>,
    /// Contacts by kind, the weakest first.
    by_kind: [u64; 6],
    /// What comes together between frames, and what of it no frame shows.
    pub(crate) passings: u64,
    pub(crate) unseen: u64,
    pub(crate) unreadable: Vec<Unreadable>,
}

impl Counts {
    /// Contacts of a kind.
    pub(crate) fn of_kind(&self, kind: ContactKind) -> u64 {
        self.by_kind[kind as usize]
    }

    /// All contacts.
    pub(crate) fn contacts(&self) -> u64 {
        self.by_kind.iter().sum()
    }

    pub(crate) fn add(&mut self, report: &FrameReport) {
        self.steps += 1;
        self.last_frame = Some(report.frame);
        if let Some(error) = &report.unreadable {
            self.unreadable.push(Unreadable { frame: report.frame, error: error.clone() });
            return;
        }
        self.frames_examined += 1;
        self.pairs_examined += report.found.pairs_examined;
        self.part_pairs_examined += report.found.part_pairs_examined;
        self.rest_left_out += report.found.rest_left_out;
        self.work = Some(WorkSum::plus(self.work, report.found.work));
        for contact in &report.found.meetings {
            self.by_kind[contact.kind as usize] += 1;
        }
        self.passings += report.between.len() as u64;
        self.unseen += report.between.iter().filter(|passing| !passing.stays).count() as u64;
    }
}

/// All that is told at the end.
pub(crate) struct Account {
    pub(crate) counts: Counts,
    /// The worst first.
    pub(crate) incidents: Vec<Incident>,
    /// By frame, then by objects; none unless they were kept.
    pub(crate) contacts: Vec<Meeting>,
    /// Whether it was looked between frames; all that was found there, or as much as is shown.
    pub(crate) is_continuous: bool,
    pub(crate) between: Vec<Passing>,
    /// In which frames parts meet; empty unless there is to be a page.
    pub(crate) spans: Spans,
    pub(crate) ended: Ended,
    /// Why there was nothing to examine, if so: that is no clean result.
    pub(crate) nothing: Option<String>,
}

impl Account {
    pub(crate) fn was_interrupted(&self) -> bool {
        self.ended == Ended::Interrupted
    }

    /// Whether all was examined that was asked for.
    pub(crate) fn is_complete(&self, cast: &Cast) -> bool {
        !self.was_interrupted()
            && self.counts.unreadable.is_empty()
            && cast.is_whole()
            && self.nothing.is_none()
    }

    /// Whether nothing meets.
    pub(crate) fn is_clean(&self) -> bool {
        self.counts.contacts() == 0 && self.counts.passings == 0
    }
}
