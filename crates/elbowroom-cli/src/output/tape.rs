//! A file that grows at its end, and can be taken up where it was.
//!
//! It grows as a [`Draft`] beside its place, so that an earlier result stays until the new one is
//! whole. A mark says how far it had come, under which name and with which checksum: going on
//! takes up the draft, or the beginning of the file that was put in its place when the run was
//! stopped, and only if they hold the very bytes that were written.

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::output::Mark;
use crate::save::{Draft, Failure, Sum, copy};

/// A file, or stdout, and what was written to it.
pub(super) struct Tape {
    out: BufWriter<Box<dyn Write>>,
    /// Nothing for stdout.
    draft: Option<Draft>,
    path: PathBuf,
    bytes: u64,
    sum: Sum,
}

impl Tape {
    pub(super) fn stdout() -> Self {
        let out = BufWriter::new(Box::new(io::stdout()) as Box<dyn Write>);
        Self { out, draft: None, path: PathBuf::new(), bytes: 0, sum: Sum::default() }
    }

    /// A new file, or one that was begun, cut back to its mark. Whether it is new.
    pub(super) fn open(path: &Path, marks: Option<&[Mark]>) -> io::Result<(Self, bool)> {
        let name = path.to_string_lossy();
        let (draft, bytes, sum) = match marks {
            None => (Draft::new(path).map_err(failed)?, 0, Sum::default()),
            Some(marks) => {
                let mark = marks.iter().find(|mark| mark.path == name);
                let mark =
                    mark.ok_or_else(|| io::Error::other("it is not in the record of progress"))?;
                (taken_up(path, mark)?, mark.bytes, Sum(mark.sum))
            }
        };
        let out = BufWriter::new(Box::new(draft.file.try_clone()?) as Box<dyn Write>);
        let path = path.to_owned();
        Ok((Self { out, draft: Some(draft), path, bytes, sum }, marks.is_none()))
    }

    /// Hands all to the system, and says what was written, for a record.
    pub(super) fn settle(&mut self) -> io::Result<Option<Mark>> {
        self.flush()?;
        let Some(draft) = &self.draft else { return Ok(None) };
        let (path, part) = (self.path.to_string_lossy().into_owned(), draft.name());
        Ok(Some(Mark { path, part, bytes: self.bytes, sum: self.sum.0 }))
    }

    /// Lets the file stay however the run ends: it is on record.
    pub(super) fn keep(&mut self) {
        self.draft.iter_mut().for_each(Draft::keep);
    }

    /// Puts the file in its place.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        self.flush()?;
        self.draft.take().map_or(Ok(()), |draft| draft.finish().map_err(failed))
    }

    /// What was written so far, to be read.
    #[cfg(feature = "parquet")]
    pub(super) fn reader(&mut self) -> io::Result<File> {
        self.flush()?;
        let draft = self.draft.as_ref().ok_or_else(|| io::Error::other("stdout is not read"))?;
        let mut file = draft.file.try_clone()?;
        file.seek(SeekFrom::Start(0))?;
        Ok(file)
    }

    /// Takes the file away.
    pub(super) fn discard(&mut self) {
        if let Some(draft) = self.draft.take() {
            draft.discard();
        }
    }

    /// An error with the name that the user gave; that of a closed pipe has none.
    fn named(&self, error: io::Error) -> io::Error {
        if self.draft.is_none() {
            return error;
        }
        named(&self.path)(error)
    }
}

impl Write for Tape {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes).map_err(|error| self.named(error))?;
        self.bytes += written as u64;
        self.sum.add(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush().map_err(|error| self.named(error))
    }
}

/// An error in writing a file, with its name.
pub(super) fn named(path: &Path) -> impl Fn(io::Error) -> io::Error + '_ {
    |error| io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

pub(super) fn failed(failure: Failure) -> io::Error {
    io::Error::other(failure.text())
}

/// What an interrupted run has written, cut back to its mark: its draft, else a copy of what was
/// put in its place.
fn taken_up(path: &Path, mark: &Mark) -> io::Result<Draft> {
    let check = |(bytes, sum): (u64, Sum)| {
        if (bytes, sum.0) == (mark.bytes, mark.sum) {
            return Ok(());
        }
        Err(io::Error::other("differs from its record of progress; start again without --resume"))
    };
    match Draft::take_up(path, &mark.part) {
        Ok(mut draft) => {
            check(copy(&mut draft.file, None, mark.bytes)?)?;
            draft.file.set_len(mark.bytes)?;
            draft.file.seek(SeekFrom::End(0))?;
            Ok(draft)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let mut draft = Draft::new(path).map_err(failed)?;
            check(copy(&mut File::open(path)?, Some(&mut draft.file), mark.bytes)?)?;
            Ok(draft)
        }
        Err(error) => Err(error),
    }
}
