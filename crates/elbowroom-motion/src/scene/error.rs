//! Why a scene is refused, or a frame of it cannot be posed.

use std::error::Error;

elbowroom::declare_error! {
    /// Why a scene was refused.
    #[derive(Debug)]
    pub struct SceneError;

    /// What was wrong with a scene.
    #[derive(Debug)]
    pub enum SceneErrorKind {
        /// The frame rate is not a positive number.
        #[error("{fps} frames per second is no rate; give a number above 0, such as 30")]
        Fps {
            /// The rate.
            fps: f64,
        },
        /// The last frame comes before the first, or there are more than can be numbered.
        #[error("the frames go from {first} to {last}; the last may not come before the first")]
        Range {
            /// The first frame.
            first: u32,
            /// The last.
            last: u32,
        },
        /// A frame was asked for that is not in the scene.
        #[error("there is no frame {frame}; the scene goes from {first} to {last}")]
        NoSuchFrame {
            /// The frame.
            frame: u32,
            /// The first frame of the scene.
            first: u32,
            /// The last.
            last: u32,
        },
        /// Two objects have one name.
        #[error("two objects are called {name:?}; give each its own name")]
        SameName {
            /// The name.
            name: String,
        },
        /// An object has no name.
        #[error("object {object} (counted from 0) has no name")]
        NoName {
            /// The place in the list.
            object: usize,
        },
        /// There are more objects, pieces or triangles than 32 bits can number.
        #[error("there are more objects, pieces or triangles than 32 bits can number")]
        TooMany,
        /// An object makes no sense.
        #[error("object {name:?} {what}")]
        Object {
            /// The name.
            name: String,
            /// In words.
            what: String,
        },
        /// A pair that may touch names nothing that is there.
        #[error("{pattern:?} may touch, but nothing is called so{}", suggestion(nearest.as_deref()))]
        NothingAllowed {
            /// The name or pattern.
            pattern: String,
            /// The name that is most like it, if there is one.
            nearest: Option<String>,
        },
        /// An object could not be posed in a frame.
        #[error("object {name:?} in frame {frame}: {source}")]
        Frame {
            /// The object's name.
            name: String,
            /// The frame.
            frame: u32,
            /// Why.
            source: Box<dyn Error + Send + Sync>,
        },
    }

    source = cause;
}

/// The question whether another name was meant, as the end of a sentence.
fn suggestion(nearest: Option<&str>) -> String {
    nearest.map_or(String::new(), |name| format!("; is it {name:?}?"))
}

/// The error that kept an object from being posed.
fn cause(kind: &SceneErrorKind) -> Option<&(dyn Error + 'static)> {
    match kind {
        SceneErrorKind::Frame { source, .. } => Some(&**source),
        _ => None,
    }
}
