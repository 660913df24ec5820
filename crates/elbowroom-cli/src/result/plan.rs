//! What a check examines: everything was read, what is bad was left out, and the work cannot fail.

use elbowroom_motion::scene::Scene;

use crate::frames::Frames;
use crate::result::cast::Cast;

/// What is to be done.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) scene: Scene,
    pub(crate) cast: Cast,
    pub(crate) frames: Frames,
    /// Whether contacts between frames are sought, too.
    pub(crate) continuous: bool,
    /// What people should know before they read the result.
    pub(crate) notes: Vec<String>,
    /// Why none of the frames that were asked for is one of the shot, if so.
    pub(crate) outside: Option<String>,
}

impl Plan {
    /// Whether the objects are plain meshes: rigid, of one part, and without a time.
    pub(crate) fn is_plain(&self) -> bool {
        self.cast.fps.is_none()
    }
}
