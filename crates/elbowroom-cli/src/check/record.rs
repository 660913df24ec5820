//! How far an interrupted check had come, in a file beside its first output: `x.ndjson.progress`.
//!
//! The record says which check it is of (a fingerprint of what was read and asked), how many frames
//! were examined, what they came to, and how long each output was then, with a checksum. Going on
//! cuts the outputs back to that length, so that it does not matter how the program ended. The
//! record takes the place of the one before in one step, after the outputs were handed to the
//! system; so it never promises more than there is, unless the system itself goes down, and then
//! the outputs are found incomplete and the check is refused.

use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::args::CheckArgs;
use crate::messages::Refusal;
use crate::output::{Mark, path_beside};
use crate::result::frame::Passing;
use crate::result::incident::Saved;
use crate::result::spans::Spans;
use crate::result::totals::Counts;
use crate::save;

/// How often it is written, and how much of the time that may take: as one part in this number.
const EVERY: Duration = Duration::from_millis(500);
const SHARE: u32 = 20;

/// What is kept of a check that may be gone on with.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(crate) counts: Counts,
    pub(crate) incidents: Saved,
    pub(crate) between: Vec<Passing>,
    pub(crate) spans: Spans,
    pub(crate) marks: Vec<Mark>,
}

/// What every record begins with.
const START: &[u8; 20] = b"{\"elbowroom_version\"";

/// A record and the check that it is of.
#[derive(Serialize, Deserialize)]
struct Page<R> {
    elbowroom_version: String,
    fingerprint: u64,
    record: R,
}

/// Writes records.
#[derive(Debug)]
pub(crate) struct Recorder {
    /// The output beside which it is, for people.
    output: PathBuf,
    path: PathBuf,
    fingerprint: u64,
    every: Duration,
    /// When it was written last, and when it is due.
    due: Instant,
}

impl Recorder {
    /// Beside an output.
    pub(crate) fn new(output: &Path, fingerprint: u64) -> Self {
        let (path, output) = (path_beside(output), output.to_owned());
        Self { output, path, fingerprint, every: EVERY, due: Instant::now() }
    }

    /// Writes it after every frame.
    #[cfg(test)]
    pub(crate) fn always(self) -> Self {
        Self { every: Duration::ZERO, ..self }
    }

    pub(crate) fn is_due(&self) -> bool {
        Instant::now() >= self.due
    }

    pub(crate) fn write(&mut self, record: &Record) -> io::Result<()> {
        let start = Instant::now();
        let elbowroom_version = env!("CARGO_PKG_VERSION").to_owned();
        let page = Page { elbowroom_version, fingerprint: self.fingerprint, record };
        let text = serde_json::to_vec(&page)?;
        save::write_fast(&self.path, &text).map_err(|failure| {
            // People know the output that they named.
            let (output, text) = (self.output.display(), failure.text());
            let own = format!("{}: ", self.path.display());
            let text = text.strip_prefix(&own).unwrap_or(&text);
            io::Error::other(format!("{output}: its record of progress {text}"))
        })?;
        self.due = Instant::now() + self.every.max(start.elapsed() * SHARE).min(self.every * 120);
        Ok(())
    }

    /// Refuses to take the place of a file that is no record.
    ///
    /// # Errors
    /// If something else is there.
    pub(crate) fn check_place(&self) -> Result<(), Refusal> {
        let mut start = [0; START.len()];
        let read = File::open(&self.path).and_then(|mut file| file.read_exact(&mut start));
        match read {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Ok(()) if start == *START => Ok(()),
            _ => {
                let what = "would be replaced by the record of progress, and is not one";
                Err(save::refusal(&self.path, what, "move it away, or name another output"))
            }
        }
    }

    /// What an earlier run has left; `None` if it left nothing.
    ///
    /// # Errors
    /// If it is of another check.
    pub(crate) fn read(&self) -> Result<Option<Record>, Refusal> {
        let text = match std::fs::read(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(self.refused(&format!("cannot be read: {error}"))),
        };
        let page: Page<Record> = serde_json::from_slice(&text)
            .map_err(|error| self.refused(&format!("is not a record of a check: {error}")))?;
        if page.elbowroom_version != env!("CARGO_PKG_VERSION") {
            return Err(
                self.refused(&format!("is from version {} of elbowroom", page.elbowroom_version))
            );
        }
        if page.fingerprint != self.fingerprint {
            return Err(self.refused("is from another check: files or options have changed"));
        }
        Ok(Some(page.record))
    }

    fn refused(&self, what: &str) -> Refusal {
        let hint = "leave out --resume to start at the first frame; nothing was changed";
        save::refusal(&self.path, what, hint)
    }

    /// Takes the record away.
    pub(crate) fn discard(&self) {
        // If it stays, it is of a check that would find nothing left to do.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Tells a check from others: what was asked, the files by length and time, and whatever else its
/// objects say.
pub(crate) fn fingerprint(args: &CheckArgs, objects: impl FnOnce(&mut DefaultHasher)) -> u64 {
    let mut hasher = DefaultHasher::new();
    let asked = (&args.files, &args.poses, &args.clip, args.fps, args.frames);
    let how = (args.solid, args.clearance, args.places, args.continuous, args.depth);
    let more = (args.with_itself, args.rest, args.touching, args.triangles, args.gap, &args.read);
    let more = (more, args.report_unit, args.refit, args.counts);
    format!("{asked:?} {how:?} {more:?} {:?}", args.outputs).hash(&mut hasher);
    for path in args.files.iter().chain(&args.poses) {
        if let Ok(about) = std::fs::metadata(path) {
            (about.len(), about.modified().ok()).hash(&mut hasher);
        }
    }
    objects(&mut hasher);
    hasher.finish()
}
