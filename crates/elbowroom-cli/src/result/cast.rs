//! What reports need to know about the objects, whichever way they were checked.

use std::path::PathBuf;

use elbowroom_io::{Axis, Plays};
use serde::Serialize;

use crate::args::{Refit, Rest, Touching};
use crate::measure::Unit;
use crate::result::options::Wanted;
use crate::warnings::{self, Warning};

/// The objects of a check, and how it was made.
#[derive(Clone, Debug)]
pub(crate) struct Cast {
    pub(crate) entries: Vec<Entry>,
    /// Whether there may be more frames than one.
    pub(crate) moves: bool,
    /// Frames in a second; nothing where frames have no time.
    pub(crate) fps: Option<f64>,
    /// The number of the frame at time 0.
    pub(crate) zero: i64,
    pub(crate) touching: Touching,
    pub(crate) wanted: Wanted,
    /// How many frames were to be examined.
    pub(crate) frames: u64,
    /// The first of them, the last, and every how many.
    pub(crate) range: [u32; 3],
    /// Examined frames without contact that do not end an incident.
    pub(crate) gap: u32,
    /// The axis that points up.
    pub(crate) up: Axis,
    /// The files that were named.
    pub(crate) files: Vec<NamedFile>,
    /// The unit of lengths.
    pub(crate) unit: Unit,
    /// What may make the result mean something else than it seems to.
    pub(crate) warnings: Vec<Warning>,
    /// What the files do not state and was assumed: units, up axes, frame rates.
    pub(crate) assumed: Vec<String>,
    /// Whether a result without what was [left out](warnings::LEFT_OUT) counts as complete.
    pub(crate) allows_left_out: bool,
    /// Whether what meets at rest counts, where objects are compared with themselves; `None` if
    /// none is.
    pub(crate) own: Option<Rest>,
    /// How many pairs of parts of objects that are compared with themselves are not compared:
    /// neighbours on the surface, and such as may touch.
    pub(crate) own_left_out: u64,
    /// How boxes over links are kept.
    pub(crate) refit: Refit,
    /// Whether the cost of finding contacts is reported.
    pub(crate) counts: bool,
}

/// A file that was named, and why it could not be read, if so.
#[derive(Clone, Debug)]
pub(crate) struct NamedFile {
    pub(crate) path: PathBuf,
    pub(crate) error: Option<String>,
}

impl Cast {
    /// Whether all files could be read, with all in them that could touch.
    pub(crate) fn is_whole(&self) -> bool {
        self.files.iter().all(|file| file.error.is_none()) && self.missing().is_none()
    }

    /// How many kinds of things that could touch were not read; `None` if none, or if that is
    /// allowed.
    pub(crate) fn missing(&self) -> Option<usize> {
        warnings::missing(&self.warnings, self.allows_left_out)
    }

    /// Whether parts of bodies are told apart.
    pub(crate) fn has_parts(&self) -> bool {
        self.entries.iter().any(|entry| !entry.parts.is_empty())
    }

    /// When a frame is, in seconds, where frames have a time.
    pub(crate) fn time(&self, frame: usize) -> Option<f64> {
        self.fps.map(|fps| (frame as f64 - self.zero as f64) / fps)
    }
}

/// What an object is, for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Form {
    Character,
    Robot,
    Model,
    /// Vertices over time.
    Cache,
}

/// An object.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// Unlike that of any other object.
    pub(crate) name: String,
    /// Where it was read from; `None` if it was generated.
    pub(crate) path: Option<PathBuf>,
    pub(crate) vertices: usize,
    pub(crate) triangles: usize,
    pub(crate) form: Form,
    /// The names of its parts; none where parts are not told apart.
    pub(crate) parts: Vec<String>,
    /// The clip that the object plays; `None` if it is at rest or moves by a list of poses.
    pub(crate) plays: Option<Plays>,
}
