//! The published benchmarks with known answers, as plain soups.
//!
//! The data is not part of the repository. It is looked for in the directory named by
//! `ELBOWROOM_DATA`, else in `../shared/data` beside the workspace; a test that needs it calls
//! [`skip_note`] where [`shared_dir`] is `None`.
//!
//! Loaders panic on malformed files and name them: they are called by tests alone, on files whose
//! content is fixed.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};

pub mod ball;
pub mod ccd;
pub mod cloth;
pub mod fcl;
pub mod humans;
mod mesh;
pub mod mocap;
pub mod ompl;
pub mod swarm;

pub use mesh::obj;

/// Where the data is looked for.
fn directory() -> PathBuf {
    std::env::var_os("ELBOWROOM_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    )
}

/// The directory of the data, where it is present.
pub fn shared_dir() -> Option<PathBuf> {
    let directory = directory();
    directory.join("benchmarks").is_dir().then_some(directory)
}

/// Says that a test was skipped because the data is absent, and counts it (see [`skipped`]).
pub fn skip_note(test_name: &str) {
    skipped(test_name, &directory());
}

/// Says that a test was skipped for want of a file or folder, and appends a line to the list of
/// skipped tests, whose lines `scripts/test` counts: the test, a tab, and what it missed.
///
/// The list is the file that `ELBOWROOM_SKIPPED` names, else `skipped-tests.txt` in the target
/// directory.
pub fn skipped(test_name: &str, missing: &Path) {
    let missing = missing.display();
    eprintln!(
        "{test_name}: SKIPPED, no {missing} (set ELBOWROOM_DATA, or place the data in ../shared/data)"
    );
    let Some(list) = list_of_skipped() else { return };
    let program = std::env::current_exe().ok();
    let program = program.as_deref().and_then(Path::file_stem).unwrap_or_default();
    let program = program.to_string_lossy();
    // Without the hash that cargo gives it.
    let program = program.rsplit_once('-').map_or(&*program, |(name, _)| name);
    // The harness names a thread by the test that it runs; with one thread for all it is the main
    // one.
    let thread = std::thread::current();
    let test = thread.name().filter(|&name| name != "main").unwrap_or(test_name);
    let line = format!("{program} {test}\t{missing}\n");
    let file = std::fs::OpenOptions::new().create(true).append(true).open(&list);
    if let Err(error) = file.and_then(|mut file| file.write_all(line.as_bytes())) {
        eprintln!("{}: {error}", list.display());
    }
}

/// The target directory is the one with cargo's tag among those that the test program lies in.
fn list_of_skipped() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("ELBOWROOM_SKIPPED") {
        return Some(named.into());
    }
    let program = std::env::current_exe().ok()?;
    let target = program.ancestors().find(|folder| folder.join("CACHEDIR.TAG").is_file())?;
    Some(target.join("skipped-tests.txt"))
}

/// The bytes of a file, unpacked if its name ends in `.gz`.
fn read(path: &Path) -> Vec<u8> {
    let packed = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    if path.extension().is_none_or(|e| e != "gz") {
        return packed;
    }
    let mut bytes = Vec::new();
    flate2::read::MultiGzDecoder::new(packed.as_slice())
        .read_to_end(&mut bytes)
        .unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    bytes
}

/// The text of a file, unpacked if its name ends in `.gz`.
fn read_text(path: &Path) -> String {
    String::from_utf8(read(path)).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// A JSON file, unpacked if its name ends in `.gz`.
fn read_json<T: serde::de::DeserializeOwned>(path: &Path) -> T {
    serde_json::from_slice(&read(path)).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

#[cfg(test)]
mod tests;
