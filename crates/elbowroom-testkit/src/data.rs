//! The published benchmarks with known answers, as plain soups.
//!
//! The data is not part of the repository. It is looked for in the directory named by `ELBOWROOM_DATA`, else in
//! `../shared/data` beside the workspace; a test that needs it calls [`skip_note`] where [`shared_dir`] is `None`.
//!
//! Loaders panic on malformed files and name them: they are called by tests alone, on files whose content is fixed.

use std::io::Read;
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

/// The directory of the data, where it is present.
pub fn shared_dir() -> Option<PathBuf> {
    let directory = std::env::var_os("ELBOWROOM_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    directory.join("benchmarks").is_dir().then_some(directory)
}

/// Says that a test was skipped because the data is absent.
pub fn skip_note(test_name: &str) {
    eprintln!(
        "{test_name}: SKIPPED, no benchmark data (set ELBOWROOM_DATA, or place it in ../shared/data)"
    );
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
