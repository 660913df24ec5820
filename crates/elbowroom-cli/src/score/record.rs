//! What was scored so far, beside the output: a line for each item, in the order in which they were
//! done.
//!
//! A run that was killed leaves whole lines and perhaps the beginning of one, which does not count.
//! The first line says what is scored and how; another run goes on only if it is the same. Outputs
//! are made of the record in the order of the items, so that they are the same bytes however often
//! the work was interrupted.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::work::Scored;
use crate::output::rows::Cell;

/// The record of a run.
pub(super) struct Record {
    path: PathBuf,
    file: File,
    /// Where the line of each item begins, and how long it is.
    lines: BTreeMap<usize, (u64, usize)>,
    end: u64,
}

impl Record {
    /// Begins a record, or goes on with one.
    ///
    /// # Errors
    /// If it cannot be read or written, or is of another run.
    pub(super) fn open(
        path: &Path,
        what: &str,
        resume: bool,
    ) -> Result<(Self, Vec<Scored>), String> {
        let failed = |error: io::Error| format!("{}: {error}", path.display());
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(!resume);
        let file = options.open(path).map_err(failed)?;
        let mut record = Self { path: path.to_owned(), file, lines: BTreeMap::new(), end: 0 };
        let known = record.read(what).map_err(failed)?;
        record.file.set_len(record.end).map_err(failed)?;
        if record.end == 0 {
            record.line(what.as_bytes()).map_err(failed)?;
        }
        Ok((record, known))
    }

    /// Reads the whole lines of an earlier run.
    fn read(&mut self, what: &str) -> io::Result<Vec<Scored>> {
        let mut reader = BufReader::new(self.file.try_clone()?);
        let (mut line, mut known) = (Vec::new(), Vec::new());
        loop {
            line.clear();
            let length = reader.read_until(b'\n', &mut line)?;
            if line.pop() != Some(b'\n') {
                return Ok(known);
            }
            if self.end == 0 {
                if line != what.as_bytes() {
                    return Err(io::Error::other(
                        "is the record of other clips, files or options; start again without --resume",
                    ));
                }
            } else {
                let Ok(mut scored) = serde_json::from_slice::<Scored>(&line) else {
                    return Ok(known);
                };
                self.lines.insert(scored.item, (self.end, length));
                scored.frames.clear();
                known.push(scored);
            }
            self.end += length as u64;
        }
    }

    fn line(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(self.end))?;
        self.file.write_all(bytes)?;
        self.file.write_all(b"\n")?;
        self.end += bytes.len() as u64 + 1;
        Ok(())
    }

    /// Adds an item.
    pub(super) fn add(&mut self, scored: &Scored) -> io::Result<()> {
        let (begin, bytes) = (self.end, serde_json::to_vec(scored)?);
        self.line(&bytes)?;
        self.lines.insert(scored.item, (begin, bytes.len() + 1));
        Ok(())
    }

    /// The rows of all frames, in the order of the items.
    pub(super) fn frames(&self) -> io::Result<impl Iterator<Item = io::Result<Vec<Cell>>>> {
        let mut file = self.file.try_clone()?;
        let lines: Vec<(u64, usize)> = self.lines.values().copied().collect();
        let rows = move |(begin, length): (u64, usize)| {
            let mut bytes = vec![0; length];
            let read = file.seek(SeekFrom::Start(begin)).and_then(|_| file.read_exact(&mut bytes));
            let scored = read.and_then(|()| Ok(serde_json::from_slice::<Scored>(&bytes)?));
            match scored {
                Ok(scored) => scored.frames.into_iter().map(Ok).collect::<Vec<_>>(),
                Err(error) => vec![Err(error)],
            }
        };
        Ok(lines.into_iter().flat_map(rows))
    }

    /// Takes it away: all is done.
    pub(super) fn remove(self) {
        // What is left over is told of by the next run.
        let _ = std::fs::remove_file(&self.path);
    }
}
