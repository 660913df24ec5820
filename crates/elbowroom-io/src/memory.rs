//! Data of the caller's own in the place of files: arrays of a script, a table of trajectories.
//!
//! A program that has data and no file gives it a name ([`Memory::add`]) and names it where a file
//! could be named: `memory:NAME`. Readers find it in their [`ReadOptions`](crate::ReadOptions). It
//! is read, checked and told about as a file is; what it is called in a result is `NAME`.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use elbowroom::Mesh;
use glam::DVec3;

/// What names of data in memory begin with.
const PREFIX: &str = "memory:";

/// Whether a name means data in memory.
pub fn is_memory(path: &Path) -> bool {
    name(path).is_some()
}

/// The name of data in memory without what it begins with.
pub(crate) fn name(path: &Path) -> Option<&str> {
    path.to_str()?.strip_prefix(PREFIX)
}

/// The source of the vertices of each frame.
pub trait FrameSource: fmt::Debug + Send + Sync {
    /// Puts the vertices of a frame into `out`, as many as the mesh has.
    ///
    /// # Errors
    /// If they cannot be had; in words.
    fn read(&self, frame: usize, out: &mut Vec<DVec3>) -> Result<(), String>;
}

/// A mesh whose vertices may move.
#[derive(Debug, Clone)]
pub struct Frames {
    /// The mesh of the first frame; its triangles are those of all.
    pub mesh: Mesh,
    /// The number of frames, at least one. One frame is a mesh at rest.
    pub count: usize,
    /// The vertices of every frame.
    pub source: Arc<dyn FrameSource>,
    /// Frames in a second, where that is known.
    pub fps: Option<f64>,
    /// The number of the first frame on the timeline.
    pub first_number: i64,
    /// The names of parts, each with the first triangle of a run; names may come again.
    pub parts: Vec<(String, u32)>,
}

#[derive(Debug)]
enum Entry {
    Frames(Frames),
    Bytes(Vec<u8>),
}

/// Data by name. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    entries: HashMap<PathBuf, Arc<Entry>>,
}

impl PartialEq for Memory {
    fn eq(&self, other: &Self) -> bool {
        let is_there = |(path, entry): (&PathBuf, &Arc<Entry>)| {
            other.entries.get(path).is_some_and(|known| Arc::ptr_eq(known, entry))
        };
        self.entries.len() == other.entries.len() && self.entries.iter().all(is_there)
    }
}

impl Memory {
    /// Adds a mesh over frames, and gives the name that stands for a file. Data that is called the
    /// same is replaced.
    pub fn add(&mut self, name: &str, frames: Frames) -> PathBuf {
        self.put(name, Entry::Frames(frames))
    }

    /// Adds what would be the bytes of a file. The ending of the name says of which kind.
    pub fn add_bytes(&mut self, name: &str, bytes: Vec<u8>) -> PathBuf {
        self.put(name, Entry::Bytes(bytes))
    }

    fn put(&mut self, name: &str, entry: Entry) -> PathBuf {
        let path = PathBuf::from(format!("{PREFIX}{name}"));
        self.entries.insert(path.clone(), Arc::new(entry));
        path
    }

    /// The mesh of that name.
    pub(crate) fn frames(&self, path: &Path) -> Option<&Frames> {
        match &**self.entries.get(path)? {
            Entry::Frames(frames) => Some(frames),
            Entry::Bytes(_) => None,
        }
    }

    /// The bytes of that name.
    pub(crate) fn bytes(&self, path: &Path) -> Option<&[u8]> {
        match &**self.entries.get(path)? {
            Entry::Bytes(bytes) => Some(bytes),
            Entry::Frames(_) => None,
        }
    }
}
