//! One JSON object a line: a header, then contacts, what comes together between frames and frames
//! that could not be read, in the order of time; then incidents, the worst first, and an end with
//! counts. A text without an end is not whole.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use serde_json::Serializer;

use super::Stream;
use super::tape::Tape;
use crate::output::Mark;
use crate::output::json::{self, Ending, Header};
use crate::output::json_format::Flat;
use crate::result::between::PassingEntry;
use crate::result::cast::Cast;
use crate::result::frame::FrameReport;
use crate::result::incident;
use crate::result::totals::{Account, Unreadable};

/// A line says first what it is.
#[derive(Serialize)]
struct Line<T> {
    r#type: &'static str,
    #[serde(flatten)]
    what: T,
}

pub(super) struct Ndjson {
    tape: Tape,
    /// Whether a reader may be waiting for lines.
    is_read: bool,
}

impl Ndjson {
    pub(super) fn to_stdout(cast: &Cast) -> io::Result<Self> {
        let mut new = Self { tape: Tape::stdout(), is_read: true };
        new.line("header", Header::of(cast))?;
        Ok(new)
    }

    pub(super) fn open(cast: &Cast, path: &Path, marks: Option<&[Mark]>) -> io::Result<Self> {
        let (tape, is_new) = Tape::open(path, marks)?;
        let mut new = Self { tape, is_read: false };
        if is_new {
            new.line("header", Header::of(cast))?;
        }
        Ok(new)
    }

    fn line(&mut self, r#type: &'static str, what: impl Serialize) -> io::Result<()> {
        let mut serializer = Serializer::with_formatter(&mut self.tape, Flat);
        Line { r#type, what }.serialize(&mut serializer)?;
        self.tape.write_all(b"\n")
    }
}

impl Stream for Ndjson {
    fn frame(&mut self, cast: &Cast, report: &FrameReport) -> io::Result<()> {
        if let Some(error) = &report.unreadable {
            self.line("unreadable", Unreadable { frame: report.frame, error: error.clone() })?;
        }
        for passing in &report.between {
            self.line("between", PassingEntry::of(cast, passing))?;
        }
        for contact in &report.found.meetings {
            self.line("contact", json::entry(cast, contact))?;
        }
        if self.is_read { self.tape.flush() } else { Ok(()) }
    }

    fn settle(&mut self) -> io::Result<Vec<Mark>> {
        Ok(self.tape.settle()?.into_iter().collect())
    }

    fn keep(&mut self) {
        self.tape.keep();
    }

    fn end(&mut self, cast: &Cast, account: &Account) -> io::Result<()> {
        for entry in incident::entries(cast, &account.incidents) {
            self.line("incident", entry)?;
        }
        self.line("end", Ending::of(cast, account))?;
        self.tape.finish()
    }

    fn discard(&mut self) {
        self.tape.discard();
    }
}
