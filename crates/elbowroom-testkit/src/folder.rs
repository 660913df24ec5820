//! A folder for the files that a test writes.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder that is removed with its files when the test is done.
pub struct Folder(PathBuf);

impl Folder {
    /// A new folder among the system's temporary ones; the name is for people who look there.
    ///
    /// # Panics
    /// If the folder cannot be made.
    pub fn new(name: &str) -> Self {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let (process, number) = (std::process::id(), MADE.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(format!("elbowroom-{name}-{process}-{number}"));
        fs::create_dir_all(&path).expect("a folder for the test");
        Self(path)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file, and the folders that it lies in; where it is.
    ///
    /// # Panics
    /// If the file cannot be written.
    pub fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder for the test");
        fs::write(&path, bytes).expect("a file for the test");
        path
    }

    /// A message without the path of this folder.
    pub fn plain(&self, message: &str) -> String {
        message.replace(&format!("{}/", self.0.display()), "")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What stays behind in the system's temporary folder does no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The JSON files of a directory, by name: the stem of each and its text.
///
/// # Errors
///
/// Names what cannot be read.
pub(crate) fn json_files(directory: &Path) -> Result<Vec<(String, String)>, String> {
    let entries =
        std::fs::read_dir(directory).map_err(|e| format!("{}: {e}", directory.display()))?;
    let mut files: Vec<PathBuf> =
        entries.filter_map(|entry| entry.ok().map(|e| e.path())).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "json"));
    // The order of a directory is not the same everywhere.
    files.sort();
    let read = |file: &PathBuf| {
        let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
        Ok((file.file_stem().unwrap_or_default().to_string_lossy().into_owned(), text))
    };
    files.iter().map(read).collect()
}
