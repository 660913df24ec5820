//! The files that were opened for reading, so that a program never writes over one of them.
//!
//! A file that a user names may name others: a scene file its meshes, trajectories and poses, a
//! glTF its buffers, a robot its meshes and includes, a pattern all numbered files that fit. Every
//! reader of this crate passes here, so no command needs a list of its own. Nothing is kept until
//! a program calls [`keep`]: a library inside a server should not remember every file of a year.
//!
//! Files are compared by identity (device and inode on Unix, the canonical path elsewhere), so
//! that a link to an input is the input.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

static LOG: Mutex<Option<Log>> = Mutex::new(None);

#[derive(Default)]
struct Log {
    seen: HashSet<PathBuf>,
    /// Noted since the identities were last looked up: a sequence names thousands of files, and
    /// most programs never ask.
    pending: Vec<PathBuf>,
    /// The name under which each file was read first.
    known: HashMap<Identity, PathBuf>,
}

#[cfg(unix)]
type Identity = (u64, u64);
#[cfg(not(unix))]
type Identity = PathBuf;

/// What tells a file from all others, whatever it is called; `None` if it is not there.
fn identity(path: &Path) -> Option<Identity> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let about = std::fs::metadata(path).ok()?;
        Some((about.dev(), about.ino()))
    }
    #[cfg(not(unix))]
    {
        path.canonicalize().ok()
    }
}

fn log() -> MutexGuard<'static, Option<Log>> {
    // A reader that panicked left a whole list behind.
    LOG.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts to keep the list. A program calls this once, before it reads anything.
pub fn keep() {
    log().get_or_insert_default();
}

/// How many calls keep the list at once.
static CALLS: AtomicUsize = AtomicUsize::new(0);

/// Keeps the list while a call of a longer program lasts: what one call read, another may write.
#[derive(Debug)]
pub struct Kept(());

/// Starts to keep the list until the guard goes, with all calls that are under way.
#[must_use]
pub fn begin() -> Kept {
    let mut log = log();
    if CALLS.fetch_add(1, Ordering::Relaxed) == 0 {
        *log = Some(Log::default());
    }
    Kept(())
}

impl Drop for Kept {
    fn drop(&mut self) {
        let mut log = log();
        if CALLS.fetch_sub(1, Ordering::Relaxed) == 1 {
            *log = None;
        }
    }
}

/// Adds a file to the list. The readers of this crate do so themselves.
pub fn note(path: &Path) {
    if let Some(log) = &mut *log()
        && !log.seen.contains(path)
    {
        log.seen.insert(path.to_owned());
        log.pending.push(path.to_owned());
    }
}

/// The name under which a file was opened for reading; `None` if it was not.
///
/// ```
/// use elbowroom_io::opened;
///
/// opened::keep();
/// opened::note("Cargo.toml".as_ref());
/// assert_eq!(opened::find("./src/../Cargo.toml".as_ref()).as_deref(), Some("Cargo.toml".as_ref()));
/// assert_eq!(opened::find("src/lib.rs".as_ref()), None);
/// ```
#[must_use]
pub fn find(path: &Path) -> Option<PathBuf> {
    let mut log = log();
    let log = log.as_mut()?;
    for path in log.pending.drain(..) {
        if let Some(identity) = identity(&path) {
            log.known.entry(identity).or_insert(path);
        }
    }
    log.known.get(&identity(path)?).cloned()
}
