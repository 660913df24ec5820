//! A file that grows at its end and can be cut back to where it was.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::record::Mark;

/// A file, or stdout, and how much was written to it.
pub(super) struct Tape {
    out: BufWriter<Box<dyn Write>>,
    /// Nothing for stdout.
    path: Option<PathBuf>,
    bytes: u64,
}

impl Tape {
    pub(super) fn stdout() -> Self {
        Self { out: BufWriter::new(Box::new(io::stdout())), path: None, bytes: 0 }
    }

    /// A new file, or one that is there, cut back to its mark. Whether it is new.
    pub(super) fn open(path: &Path, marks: Option<&[Mark]>) -> io::Result<(Self, bool)> {
        let mark = marks.map(|marks| marks.iter().find(|mark| mark.path == path));
        let (file, bytes) = match mark {
            None => (File::create(path)?, 0),
            Some(None) => return Err(io::Error::other("nothing is on record about it")),
            Some(Some(mark)) => (cut_back(path, mark.bytes)?, mark.bytes),
        };
        let out = BufWriter::new(Box::new(file) as Box<dyn Write>);
        Ok((Self { out, path: Some(path.to_owned()), bytes }, mark.is_none()))
    }

    /// Hands all to the system, and says how long it is.
    pub(super) fn settle(&mut self) -> io::Result<Option<Mark>> {
        self.out.flush()?;
        Ok(self.path.clone().map(|path| Mark { path, bytes: self.bytes }))
    }

    /// Takes the file away.
    pub(super) fn discard(&mut self) {
        if let Some(path) = &self.path {
            // There is nothing more to be done about it.
            let _ = fs::remove_file(path);
        }
    }
}

impl Write for Tape {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn cut_back(path: &Path, bytes: u64) -> io::Result<File> {
    let mut file = OpenOptions::new().write(true).open(path)?;
    if file.metadata()?.len() < bytes {
        return Err(io::Error::other("is shorter than it was; begin anew, without --resume"));
    }
    file.set_len(bytes)?;
    file.seek(SeekFrom::End(0))?;
    Ok(file)
}
