//! What was found so far: counts, incidents, and where all of it goes.
//!
//! Frames come in order. Each is counted, handed to the streams, and merged into incidents;
//! contacts are kept only where an output needs all of them at the end. From time to time all of
//! this is put on record, so that an interrupted run can be gone on with.

use std::collections::HashSet;
use std::sync::Arc;

use elbowroom_motion::scene::{ContactSummary, Incidents, Meeting};

use crate::check::record::{Record, Recorder};
use crate::check::report::Halt;
use crate::messages::{Refusal, grouped};
use crate::outcome::Outcome;
use crate::output::Mark;
use crate::output::{Stream, Targets};
use crate::result::cast::Cast;
use crate::result::frame::{Ended, FrameReport, Passing};
use crate::result::incident::{MOST_INCIDENTS, Saved};
use crate::result::spans::Spans;
use crate::result::totals::{Counts, Unreadable};

/// Those who write what is told at the end find it here.
pub(crate) use crate::result::totals::Account;

/// The most contacts that are kept. One takes some 200 bytes, and 24 more for each pair of parts;
/// one that shares what is known of copies 24.
const MOST_KEPT: usize = 10_000_000;

/// The most pairs of triangles that are kept for listing, at 12 bytes each. A small file can ask
/// for far more: 60,000 equal faces meet 60,000 others in 3.6 billion pairs.
const MOST_LISTED: u64 = 50_000_000;

/// What was found so far.
pub(crate) struct Ledger<'a> {
    cast: &'a Cast,
    keeps: bool,
    /// How much of what is between frames is kept at least, to be shown.
    shown: usize,
    is_continuous: bool,
    counts: Counts,
    incidents: Incidents,
    contacts: Vec<Meeting>,
    /// Pairs of triangles in the lists of contacts that are kept, and who of them is shared.
    listed: u64,
    shared: HashSet<*const ContactSummary>,
    between: Vec<Passing>,
    /// Whether there is to be a page that tells in which frames parts meet.
    has_page: bool,
    spans: Spans,
    streams: Vec<Box<dyn Stream>>,
    recorder: Option<Recorder>,
}

/// What a ledger needs to know besides the cast.
pub(crate) struct Terms<'a> {
    pub(crate) targets: &'a Targets,
    pub(crate) is_continuous: bool,
    /// The most lines of a table; 0 for all.
    pub(crate) top: usize,
    pub(crate) recorder: Option<Recorder>,
    /// Whether a page is made at the end.
    pub(crate) has_page: bool,
    /// Where an earlier run had come to.
    pub(crate) record: Option<Record>,
}

impl<'a> Ledger<'a> {
    /// Opens all that is written while the work goes on.
    ///
    /// # Errors
    /// If a file cannot be opened.
    pub(crate) fn open(cast: &'a Cast, terms: Terms<'_>) -> Result<Self, Halt> {
        let Terms { targets, is_continuous, top, recorder, has_page, record } = terms;
        let marks = record.as_ref().map(|record| record.marks.as_slice());
        let streams = targets.open(cast, is_continuous, marks).map_err(Halt::Unwritten)?;
        let record = record.unwrap_or_default();
        let incidents = record.incidents.resume(cast.gap);
        let mut new = Self {
            cast,
            keeps: targets.keeps(),
            shown: if top == 0 { usize::MAX } else { top },
            is_continuous,
            counts: record.counts,
            incidents: incidents.unwrap_or_else(|| Incidents::new(cast.gap)),
            contacts: Vec::new(),
            listed: 0,
            shared: HashSet::new(),
            between: record.between,
            has_page,
            spans: record.spans.resumed(),
            streams,
            recorder,
        };
        new.put_on_record()?;
        Ok(new)
    }

    /// How many frames were given.
    pub(crate) fn steps(&self) -> usize {
        self.counts.steps
    }

    /// Takes the next frame.
    ///
    /// # Errors
    /// If it cannot be written, or there is no room for more.
    pub(crate) fn frame(&mut self, report: FrameReport) -> Result<(), Halt> {
        for stream in &mut self.streams {
            stream.frame(self.cast, &report).map_err(|error| unwritten(&error))?;
        }
        self.incidents.frame(&report.found.meetings);
        self.counts.add(&report);
        if self.has_page {
            self.spans.frame(report.frame, &report.found.meetings);
        }
        let room =
            if self.keeps { usize::MAX } else { self.shown.saturating_sub(self.between.len()) };
        self.between.extend(report.between.into_iter().take(room));
        if self.keeps {
            // A list that is shared takes room once.
            for Meeting { contact, .. } in &report.found.meetings {
                let is_new = contact.triangles.is_empty()
                    || Arc::strong_count(contact) == 1
                    || self.shared.insert(Arc::as_ptr(contact));
                self.listed += if is_new { contact.triangles.len() as u64 } else { 0 };
            }
            self.contacts.extend(report.found.meetings);
        }
        self.check_room()?;
        if self.recorder.as_ref().is_some_and(Recorder::is_due) {
            self.put_on_record()?;
        }
        Ok(())
    }

    fn check_room(&self) -> Result<(), Halt> {
        let kept = self.contacts.len().max(self.between.len());
        let (what, most, hint) = if self.listed > MOST_LISTED {
            let hint =
                "leave out --triangles, check fewer frames at once, or stream them: -o x.ndjson";
            ("pairs of triangles in lists", MOST_LISTED as usize, hint)
        } else if kept > MOST_KEPT {
            let hint = "check fewer objects or frames at once, or stream them: -o x.ndjson";
            ("contacts", MOST_KEPT, hint)
        } else if self.incidents.len() > MOST_INCIDENTS {
            ("incidents", MOST_INCIDENTS, "check fewer objects or frames at once")
        } else {
            return Ok(());
        };
        let most = grouped(most as u64);
        let problems =
            vec![format!("there are more than {most} {what}, too many to keep in memory")];
        let hint = format!("nothing was printed; {hint}");
        Err(Halt::Refused(Outcome::Incomplete, Refusal { problems, hint }))
    }

    /// Puts on record what was found, and how long the files are.
    fn put_on_record(&mut self) -> Result<(), Halt> {
        let Some(recorder) = &mut self.recorder else { return Ok(()) };
        let mut marks: Vec<Mark> = Vec::new();
        for stream in &mut self.streams {
            marks.extend(stream.settle().map_err(|error| unwritten(&error))?);
        }
        let record = Record {
            counts: self.counts.clone(),
            incidents: Saved::of(&self.incidents),
            between: self.between.clone(),
            spans: self.spans.clone(),
            marks,
        };
        recorder.write(&record).map_err(|error| unwritten(&error))?;
        self.streams.iter_mut().for_each(|stream| stream.keep());
        Ok(())
    }

    /// Takes away all that was written.
    pub(crate) fn discard(mut self) {
        self.streams.iter_mut().for_each(|stream| stream.discard());
        if let Some(recorder) = &self.recorder {
            recorder.discard();
        }
    }

    /// The frames that could not be read, if there is nothing else.
    pub(crate) fn nothing_readable(&self) -> Option<&[Unreadable]> {
        let Counts { frames_examined, unreadable, .. } = &self.counts;
        (*frames_examined == 0 && !unreadable.is_empty()).then_some(unreadable)
    }

    /// Whether no pair was examined.
    pub(crate) fn is_empty(&self) -> bool {
        self.counts.pairs_examined == 0
    }

    /// Ends the streams, and gives away what is told at the end, with why nothing was examined, if
    /// nothing was; and the record, to be discarded once all of that is written.
    ///
    /// # Errors
    /// If they cannot be written.
    pub(crate) fn end(
        mut self,
        ended: Ended,
        nothing: Option<String>,
    ) -> Result<(Account, Option<Recorder>), Halt> {
        if ended == Ended::Interrupted {
            self.put_on_record()?;
        }
        let account = Account {
            counts: self.counts,
            incidents: self.incidents.finish(),
            contacts: self.contacts,
            is_continuous: self.is_continuous,
            between: self.between,
            spans: self.spans,
            ended,
            nothing,
        };
        for stream in &mut self.streams {
            stream.end(self.cast, &account).map_err(|error| unwritten(&error))?;
        }
        Ok((account, self.recorder.filter(|_| ended == Ended::Whole)))
    }
}

fn unwritten(error: &std::io::Error) -> Halt {
    if error.kind() == std::io::ErrorKind::BrokenPipe {
        return Halt::Closed;
    }
    Halt::Unwritten(format!("the result could not be written: {error}"))
}
