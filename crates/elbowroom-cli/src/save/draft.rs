//! A file in the making: written under a name of its own beside its place, and put there whole.
//!
//! The name is random and the file is created exclusively, so that no other program can prepare it
//! and a left-over never stands in the way. The file is locked while it is written: a left-over of
//! a killed run is not, and [`sweep`] removes it.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::place::{Place, check_unread, read_too};
use super::{Failure, unwritten};

/// What our names end in.
const ENDING: &str = ".part";
/// The digits of a random name.
const DIGITS: usize = 16;
/// The most bytes of an output's own name in that of its draft: systems allow 255 in all.
const MOST_BYTES: usize = 160;
/// The number of random names that are tried.
const TRIES: usize = 8;
/// A file that has no lock this long after it was created is a left-over.
const SETTLED: Duration = Duration::from_mins(1);

/// A file that is being written, and is gone unless it is finished or kept.
#[derive(Debug)]
pub(crate) struct Draft {
    pub(crate) file: File,
    own_path: PathBuf,
    /// As the user named it.
    path: PathBuf,
    real: PathBuf,
    stays: bool,
}

impl Draft {
    /// Creates it beside the place of an output.
    ///
    /// # Errors
    /// If nothing may or can be written there.
    pub(crate) fn new(path: &Path) -> Result<Self, Failure> {
        let Place { real, permissions } = Place::of(path)?;
        let mut tries = 0;
        let (file, own_path) = loop {
            let own_path =
                real.with_file_name(format!("{}{:016x}{ENDING}", start(&real), random()));
            let file = OpenOptions::new().read(true).write(true).create_new(true).open(&own_path);
            match file {
                Ok(file) => break (file, own_path),
                Err(error) if error.kind() == ErrorKind::AlreadyExists && tries < TRIES => {
                    tries += 1;
                }
                Err(error) => return Err(unwritten(path, &error)),
            }
        };
        let path = path.to_owned();
        let new = Self { file, own_path, path, real, stays: false };
        new.lock();
        if let Some(permissions) = permissions {
            let kept = new.file.set_permissions(permissions);
            kept.map_err(|error| unwritten(&new.path, &error))?;
        }
        Ok(new)
    }

    /// Takes up one that an interrupted run left, by the name that it had.
    ///
    /// # Errors
    /// If it is not there, is none of ours, or is being written.
    pub(crate) fn take_up(path: &Path, name: &str) -> io::Result<Self> {
        let real = Place::of(path).map_err(|refusal| io::Error::other(refusal.text()))?.real;
        if !is_ours(name, &start(&real)) {
            return Err(io::Error::other("the record names a file that is none of its own"));
        }
        let own_path = real.with_file_name(name);
        if !fs::symlink_metadata(&own_path)?.is_file() {
            return Err(io::Error::other("the record names something that is no file"));
        }
        let file = OpenOptions::new().read(true).write(true).open(&own_path)?;
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            return Err(io::Error::other("another run is writing it"));
        }
        // If this run cannot go on with it, another may.
        Ok(Self { file, own_path, path: path.to_owned(), real, stays: true })
    }

    /// The name while it is being written.
    pub(crate) fn name(&self) -> String {
        self.own_path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Leaves the file where it is when this is dropped: a record says what is in it.
    pub(crate) fn keep(&mut self) {
        self.stays = true;
    }

    /// Removes the file, kept or not.
    pub(crate) fn discard(mut self) {
        self.stays = false;
    }

    /// Puts the file in its place, once the disk has all of it.
    ///
    /// # Errors
    /// If it cannot be put there; what was there stays.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        self.file.sync_all().map_err(|error| unwritten(&self.path, &error))?;
        let folder = self.real.parent().map(Path::to_owned).unwrap_or_default();
        self.put()?;
        // Not all systems can: the file itself is safe.
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { &folder };
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
        Ok(())
    }

    /// Puts the file in its place like [`Self::finish`], without waiting for the disk: for what can
    /// be made again.
    ///
    /// # Errors
    /// If it cannot be put there; what was there stays.
    pub(crate) fn put(mut self) -> Result<(), Failure> {
        // Files may have been read since this was created.
        check_unread(&self.real).map_err(|read| read_too(&self.path, &read))?;
        let placed = self.file.flush().and_then(|()| fs::rename(&self.own_path, &self.real));
        placed.map_err(|error| unwritten(&self.path, &error))?;
        self.stays = true;
        Ok(())
    }

    fn lock(&self) {
        // Where files cannot be locked, left-overs stay until a user removes them.
        let _ = self.file.try_lock();
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.stays {
            // There is nothing more to be done about it.
            let _ = fs::remove_file(&self.own_path);
        }
    }
}

/// What the drafts of a file are called, up to the random digits.
fn start(real: &Path) -> String {
    let name = real.file_name().unwrap_or_default().to_string_lossy();
    if name.len() <= MOST_BYTES {
        return format!(".{name}.");
    }
    let sum = name.bytes().fold(Sum::default(), Sum::with);
    let end = (0..=MOST_BYTES / 2).rev().find(|&end| name.is_char_boundary(end)).unwrap_or(0);
    format!(".{}~{:016x}.", &name[..end], sum.0)
}

fn is_ours(name: &str, start: &str) -> bool {
    let digits = name.strip_prefix(start).and_then(|rest| rest.strip_suffix(ENDING));
    digits.is_some_and(|digits| {
        digits.len() == DIGITS && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

/// A number that cannot be guessed: the hash of nothing under keys from the system.
fn random() -> u64 {
    RandomState::new().hash_one(())
}

/// Removes what killed runs left of an output: files of our naming that are not locked and that are
/// older than a minute.
pub(crate) fn sweep(path: &Path) {
    let Ok(Place { real, .. }) = Place::of(path) else { return };
    let folder = real.parent().filter(|folder| !folder.as_os_str().is_empty());
    let start = start(&real);
    for entry in fs::read_dir(folder.unwrap_or(Path::new("."))).into_iter().flatten().flatten() {
        if is_ours(&entry.file_name().to_string_lossy(), &start) && is_left_over(&entry.path()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn is_left_over(path: &Path) -> bool {
    let look = || {
        let about = fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file)?;
        let age = about.modified().ok()?.elapsed().ok()?;
        let file = OpenOptions::new().write(true).open(path).ok()?;
        Some(age > SETTLED && file.try_lock().is_ok())
    };
    look().unwrap_or(false)
}

/// A checksum of bytes in order (FNV-1a), to recognise what an earlier run has written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sum(pub(crate) u64);

impl Default for Sum {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Sum {
    fn with(self, byte: u8) -> Self {
        Self((self.0 ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
    }

    pub(crate) fn add(&mut self, bytes: &[u8]) {
        *self = bytes.iter().fold(*self, |sum, &byte| sum.with(byte));
    }
}

/// Copies the first bytes of a file to another, or only reads them; how many there were, and
/// their sum.
pub(crate) fn copy(
    from: &mut File,
    mut to: Option<&mut File>,
    bytes: u64,
) -> io::Result<(u64, Sum)> {
    from.seek(SeekFrom::Start(0))?;
    let (mut left, mut sum, mut some) = (bytes, Sum::default(), vec![0; 1 << 16]);
    while left > 0 {
        let most = usize::try_from(left).unwrap_or(usize::MAX).min(some.len());
        let count = from.read(&mut some[..most])?;
        if count == 0 {
            break;
        }
        sum.add(&some[..count]);
        if let Some(to) = &mut to {
            to.write_all(&some[..count])?;
        }
        left -= count as u64;
    }
    Ok((bytes - left, sum))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
        let mut names: Vec<String> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_draft_is_there_whole_or_not_at_all() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.csv");
        fs::write(&path, "before").expect("written");
        let mut draft = Draft::new(&path).expect("a draft");
        draft.file.write_all(b"half").expect("written");
        assert_eq!(names(folder.path()), [draft.name(), "x.csv".to_owned()]);
        drop(draft);
        assert_eq!(names(folder.path()), ["x.csv"]);
        assert_eq!(fs::read(&path).expect("a file"), b"before");
        let mut draft = Draft::new(&path).expect("a draft");
        draft.file.write_all(b"all").expect("written");
        draft.finish().expect("in its place");
        assert_eq!(names(folder.path()), ["x.csv"]);
        assert_eq!(fs::read(&path).expect("a file"), b"all");
    }

    #[test]
    fn left_overs_go_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.csv");
        let old = std::time::SystemTime::now() - 2 * SETTLED;
        let aged = |name: &str| {
            let file = File::create(folder.path().join(name)).expect("a file");
            file.set_modified(old).expect("an age");
        };
        let others = [
            ".x.csv.0123456789abcdeg.part",
            ".x.csv.0123456789abcde.part",
            ".y.csv.0123456789abcdef.part",
            "x.csv.0123456789abcdef.part",
            ".x.csv.2.part",
        ];
        others.into_iter().for_each(aged);
        aged(".x.csv.0123456789abcdef.part");
        let live = Draft::new(&path).expect("a draft");
        live.file.set_modified(old).expect("an age");
        fs::write(folder.path().join(".x.csv.00000000deadbeef.part"), "new").expect("written");
        sweep(&path);
        let mut expected: Vec<String> = others.map(str::to_owned).into();
        expected.extend([live.name(), ".x.csv.00000000deadbeef.part".to_owned()]);
        expected.sort();
        assert_eq!(names(folder.path()), expected);
    }

    #[test]
    fn long_names_fit() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(format!("{}.csv", "é".repeat(125)));
        Draft::new(&path).expect("a draft").finish().expect("in its place");
        assert!(path.exists());
        let other = start(&folder.path().join(format!("{}f.csv", "é".repeat(124))));
        assert_ne!(start(&path), other);
    }

    #[test]
    fn only_our_own_is_taken_up() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.csv");
        let mut draft = Draft::new(&path).expect("a draft");
        draft.keep();
        let name = draft.name();
        let busy = Draft::take_up(&path, &name).expect_err("it is being written");
        assert!(busy.to_string().contains("another run"), "{busy}");
        drop(draft);
        Draft::take_up(&path, &name).expect("free again").discard();
        assert!(Draft::take_up(&path, &name).is_err());
        for name in ["x.csv", "../x.csv", ".x.csv.0123456789abcdef.part/../y", "y.csv"] {
            let error = Draft::take_up(&path, name).expect_err("none of ours");
            assert!(error.to_string().contains("none of its own"), "{error}");
        }
    }
}
