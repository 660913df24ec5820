//! What reports need to know about the objects, whichever way they were checked.

use std::path::PathBuf;

use crate::args::Touching;
use crate::meaning::Wanted;

/// The objects of a check, and how it was made.
#[derive(Debug)]
pub(crate) struct Cast {
    pub(crate) entries: Vec<Entry>,
    /// Whether there may be more frames than one.
    pub(crate) moves: bool,
    /// Frames in a second; nothing where frames have no time.
    pub(crate) fps: Option<f64>,
    pub(crate) touching: Touching,
    pub(crate) wanted: Wanted,
}

/// An object.
#[derive(Debug)]
pub(crate) struct Entry {
    /// Unlike that of any other object.
    pub(crate) name: String,
    /// Where it was read from; nothing if it was generated.
    pub(crate) path: Option<PathBuf>,
    pub(crate) vertices: usize,
    pub(crate) triangles: usize,
    /// The names of its parts; none where parts are not told apart.
    pub(crate) parts: Vec<String>,
}
