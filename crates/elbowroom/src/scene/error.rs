//! Why a scene is refused, or a frame of it cannot be posed.

use std::error::Error;
use std::fmt;

/// Why a scene was refused.
#[derive(Debug)]
pub struct SceneError {
    kind: SceneErrorKind,
}

impl SceneError {
    /// What was wrong, for programs.
    pub fn kind(&self) -> &SceneErrorKind {
        &self.kind
    }
}

/// What was wrong with a scene.
#[derive(Debug)]
#[non_exhaustive]
pub enum SceneErrorKind {
    /// The frame rate is not a positive number.
    Fps {
        /// The rate.
        fps: f64,
    },
    /// The last frame comes before the first, or there are more than can be numbered.
    Range {
        /// The first frame.
        first: u32,
        /// The last.
        last: u32,
    },
    /// A frame was asked for that is not in the scene.
    NoSuchFrame {
        /// The frame.
        frame: u32,
        /// The first frame of the scene.
        first: u32,
        /// The last.
        last: u32,
    },
    /// Two objects have one name.
    SameName {
        /// The name.
        name: String,
    },
    /// An object has no name.
    NoName {
        /// Its place in the list.
        object: usize,
    },
    /// There are more objects, pieces or triangles than 32 bits can number.
    TooMany,
    /// An object makes no sense.
    Object {
        /// Its name.
        name: String,
        /// In words.
        what: String,
    },
    /// A pair that may touch names nothing that is there.
    NothingAllowed {
        /// The name or pattern.
        pattern: String,
        /// The name that is most like it, if there is one.
        nearest: Option<String>,
    },
    /// An object could not be posed in a frame.
    Frame {
        /// The object's name.
        name: String,
        /// The frame.
        frame: u32,
        /// Why.
        source: Box<dyn Error + Send + Sync>,
    },
}

impl From<SceneErrorKind> for SceneError {
    fn from(kind: SceneErrorKind) -> Self {
        Self { kind }
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            SceneErrorKind::Fps { fps } => {
                write!(f, "{fps} frames a second are no rate; say a number above 0, such as 30")
            }
            SceneErrorKind::Range { first, last } => {
                write!(
                    f,
                    "the frames go from {first} to {last}; the last may not come before the first"
                )
            }
            SceneErrorKind::NoSuchFrame { frame, first, last } => {
                write!(f, "there is no frame {frame}; the scene goes from {first} to {last}")
            }
            SceneErrorKind::SameName { name } => {
                write!(f, "two objects are called {name:?}; give each its own name")
            }
            SceneErrorKind::NoName { object } => {
                write!(f, "object {object} (counted from 0) has no name")
            }
            SceneErrorKind::TooMany => {
                f.write_str("there are more objects, pieces or triangles than 32 bits can number")
            }
            SceneErrorKind::Object { name, what } => write!(f, "object {name:?} {what}"),
            SceneErrorKind::NothingAllowed { pattern, nearest } => {
                write!(f, "{pattern:?} may touch, but nothing is called so")?;
                match nearest {
                    Some(name) => write!(f, "; is it {name:?}?"),
                    None => Ok(()),
                }
            }
            SceneErrorKind::Frame { name, frame, source } => {
                write!(f, "object {name:?} in frame {frame}: {source}")
            }
        }
    }
}

impl Error for SceneError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.kind {
            SceneErrorKind::Frame { source, .. } => Some(&**source),
            _ => None,
        }
    }
}
