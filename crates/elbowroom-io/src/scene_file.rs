//! The scene file: who is in a shot, where, and what they do; in TOML.
//!
//! `docs/scene-file.md` describes the format for those who write it, and `docs/scene.schema.json`
//! for their editors. Reading takes two steps: [`Outline::parse`] checks the text by itself,
//! without opening a file; [`read_scene`] then reads what is named and makes the scene.
//!
//! Why not `serde`: its errors name the last line of a table or none, and know nothing of the key
//! that was meant. Here every value is taken with its place in the text.
//!
//! Invariants: an error points at a line and column of the scene file, unless the file itself
//! cannot be read. Names are taken from the folder of the scene file, and none leads out of it
//! unless the caller allows it: neither by its letters nor by a link.

mod build;
mod crowd;
mod fields;
mod outline;
mod resolve;

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

use elbowroom_motion::scene::Scene;

use crate::bytes::read_bytes;
use crate::document::{Axis, FileFacts, ReadOptions};
use crate::error::line_at;
use crate::limits;
use crate::shot::{Doubt, Plays};

pub use outline::Outline;

/// The contents of a scene file.
#[derive(Debug)]
#[non_exhaustive]
pub struct SceneFile {
    /// The scene, in metres.
    pub scene: Scene,
    /// The axis that points up in it.
    pub up: Axis,
    /// The file that each object comes from; nothing for what was made.
    pub sources: Vec<Option<PathBuf>>,
    /// The motion of each object; `None` for objects that are at rest or move by a list of poses.
    pub plays: Vec<Option<Plays>>,
    /// Notes on what was unusual about the files and how they were read.
    pub notes: Vec<String>,
    /// The unit and the up axis of each file, and where they are known from.
    pub facts: Vec<FileFacts>,
    /// Doubts about what a result means.
    pub doubts: Vec<Doubt>,
    /// Entries that are not in the scene because a file of theirs cannot be read; none unless that
    /// was [allowed](read_scene_partly).
    pub left_out: Vec<LeftOut>,
}

/// An entry of a scene file that is not in the scene.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftOut {
    /// The file that cannot be read.
    pub file: PathBuf,
    /// The error, with the place where the file is named.
    pub error: SceneFileError,
}

/// Why a scene file was refused: the file, the place and the problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneFileError {
    path: PathBuf,
    place: Option<(usize, usize)>,
    message: String,
}

impl SceneFileError {
    /// The line and column of the problem, from 1. `None` if the problem is the file as a whole.
    pub fn place(&self) -> Option<(usize, usize)> {
        self.place
    }

    /// What is wrong and what to do, without file and place.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for SceneFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.path.display())?;
        if let Some((line, column)) = self.place {
            write!(f, "{line}:{column}:")?;
        }
        write!(f, " {}", self.message)
    }
}

impl std::error::Error for SceneFileError {}

/// A problem at some bytes of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    span: Range<usize>,
    message: String,
    /// The file that cannot be read, if that is all that is wrong.
    file: Option<PathBuf>,
}

impl Trouble {
    fn new(span: &Range<usize>, message: impl Into<String>) -> Self {
        Self { span: span.clone(), message: message.into(), file: None }
    }

    /// A file that is named there cannot be read.
    fn of_file(span: &Range<usize>, file: &Path, message: impl Into<String>) -> Self {
        Self { file: Some(file.to_owned()), ..Self::new(span, message) }
    }

    /// The line and column where it begins, from 1; columns are letters.
    pub fn place(&self, text: &str) -> (usize, usize) {
        let at = self.span.start.min(text.len());
        let before = text.get(..at).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        (line_at(text.as_bytes(), at), 1 + before[line_start..].chars().count())
    }

    /// What is wrong and what to do.
    pub fn message(&self) -> &str {
        &self.message
    }

    fn in_file(self, path: &Path, text: &str) -> SceneFileError {
        let place = Some(self.place(text));
        SceneFileError { path: path.to_owned(), place, message: self.message }
    }
}

/// Reads a scene file and all files that it names.
///
/// # Errors
/// Names the scene file, the line and column, what is wrong and what to do: a key that is not
/// known, a value of the wrong kind, a file that is not there or is bad itself, a clip that its
/// file does not have, a pair that may touch and names nothing.
pub fn read_scene(path: &Path, options: &ReadOptions) -> Result<SceneFile, SceneFileError> {
    read(path, options, false)
}

/// Reads a scene file and all files that it names. Entries whose files cannot be read are [left
/// out](SceneFile::left_out), together with allowed pairs that name only them.
///
/// # Errors
/// As [`read_scene`], for what is wrong with the scene file itself; and if nothing is left.
pub fn read_scene_partly(path: &Path, options: &ReadOptions) -> Result<SceneFile, SceneFileError> {
    read(path, options, true)
}

fn read(path: &Path, options: &ReadOptions, partly: bool) -> Result<SceneFile, SceneFileError> {
    let whole = |message: String| SceneFileError { path: path.to_owned(), place: None, message };
    let size = std::fs::metadata(path).map_or(0, |data| data.len());
    let most = limits::SCENE_FILE_BYTES;
    let too_large = || whole(format!("is larger than {}; is it a scene file?", limits::size(most)));
    if size > most {
        return Err(too_large());
    }
    let own = ReadOptions { max_decompressed_bytes: Some(most), ..options.clone() };
    let bytes = read_bytes(path, &own).map_err(|error| whole(error.message().to_owned()))?;
    if bytes.len() as u64 > most {
        return Err(too_large());
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let start = error.utf8_error().valid_up_to();
        let line = line_at(error.as_bytes(), start);
        whole(format!("line {line} is not UTF-8; save the file as UTF-8"))
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let outline = Outline::parse(text).map_err(|trouble| trouble.in_file(path, text))?;
    let built = build::scene(&outline, path, options, partly);
    let (mut file, troubles) = built.map_err(|trouble| trouble.in_file(path, text))?;
    file.left_out = troubles
        .into_iter()
        .map(|trouble| LeftOut {
            file: trouble.file.clone().unwrap_or_default(),
            error: trouble.in_file(path, text),
        })
        .collect();
    Ok(file)
}
