//! What takes part in a scene.

use std::error::Error;
use std::fmt;
use std::sync::{Arc, Mutex};

use glam::{DAffine3, DVec3};

use super::actor::{Actor, Repeat};
use elbowroom::internal::geom::mesh::Mesh;
use elbowroom::internal::math::pose::Pose;
use elbowroom::internal::model::Model;

/// An object's place in its scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId(pub u32);

impl ObjectId {
    /// The object's number, as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A named thing that can touch others.
#[derive(Debug)]
pub struct Object {
    /// Unlike that of any other object.
    pub name: String,
    /// The content of the object.
    pub content: Content,
    /// Names of parts, where the content has none of its own: each with its first triangle, in
    /// order. Triangles before the first name are in a part called as the object is.
    pub parts: Vec<(String, u32)>,
    /// Whether its parts are compared with each other as well; if it has one part only, that with
    /// itself.
    pub with_itself: bool,
}

impl Object {
    /// An object whose parts are not compared with each other.
    pub fn new(name: impl Into<String>, content: Content) -> Self {
        Self { name: name.into(), content, parts: Vec::new(), with_itself: false }
    }
}

/// The content of an object.
#[derive(Debug)]
pub enum Content {
    /// Never moves.
    Still {
        /// The shape. Scale is to be in it.
        model: Arc<Model>,
        /// Where it stands.
        place: Pose,
    },
    /// Moves as one piece.
    Moving {
        /// The shape. Scale is to be in it.
        model: Arc<Model>,
        /// Where it is, one for each frame from frame 0; the last one holds.
        path: Vec<Pose>,
    },
    /// A character or robot, articulated or skinned.
    Actor(Actor),
    /// Vertices that come from outside.
    Vertices(Sequence),
}

/// Vertices over time with one topology, such as a cache that a simulation has written.
pub trait Vertices: Send {
    /// The mesh of which the vertices change; its own are those of some frame.
    fn mesh(&self) -> &Mesh;

    /// How many frames there are, at least one.
    fn frames(&self) -> usize;

    /// Whether frames are at hand in any order, so that several threads may ask for them.
    fn is_at_hand(&self) -> bool {
        false
    }

    /// Puts the vertices of a frame into `out`, as many as the mesh has.
    ///
    /// # Errors
    /// If they cannot be had; in words that name the place.
    fn read(
        &mut self,
        frame: usize,
        out: &mut Vec<DVec3>,
    ) -> Result<(), Box<dyn Error + Send + Sync>>;
}

/// Vertices from outside, and when and where they are shown.
pub struct Sequence {
    /// The source of the vertices. One reader serves all threads, in turn.
    pub source: Mutex<Box<dyn Vertices>>,
    /// Frames of the sequence in a second.
    pub fps: f64,
    /// The second of the scene in which its first frame is shown; it also holds before.
    pub start_secs: f64,
    /// What follows its last frame.
    pub repeat: Repeat,
    /// The transform of its vertices; may scale.
    pub world_from_mesh: DAffine3,
}

impl Sequence {
    /// A sequence that begins at time 0, at the places of its vertices.
    pub fn new(source: Box<dyn Vertices>, fps: f64) -> Self {
        Self {
            source: Mutex::new(source),
            fps,
            start_secs: 0.0,
            repeat: Repeat::Hold,
            world_from_mesh: DAffine3::IDENTITY,
        }
    }

    /// The frame of `frames` that is shown: the one that is nearest in time, the later of two.
    pub(super) fn shown(&self, scene_secs: f64, frames: usize) -> usize {
        // The slack is for times that are half way but for their rounding.
        let exact = (scene_secs - self.start_secs) * self.fps;
        let nearest = (exact + 0.5 + 1e-6).floor().max(0.0);
        #[expect(clippy::cast_sign_loss, reason = "it is not below 0; casts hold at the ends")]
        let frame = nearest as usize;
        match self.repeat {
            Repeat::Hold => frame.min(frames - 1),
            Repeat::Loop => frame % frames,
        }
    }

    /// What is wrong with it, if anything is.
    pub(super) fn check(&self) -> Result<(), String> {
        let size = self.world_from_mesh.matrix3.determinant();
        if !(self.fps.is_finite() && self.fps > 0.0) {
            return Err(format!("has {} frames per second; give a number above 0", self.fps));
        }
        if !self.start_secs.is_finite() {
            return Err(format!("starts at {} s", self.start_secs));
        }
        if !self.world_from_mesh.is_finite() || size == 0.0 || !size.is_finite() {
            return Err("is scaled to nothing, or its place is not finite".into());
        }
        Ok(())
    }
}

impl fmt::Debug for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sequence").field("fps", &self.fps).finish_non_exhaustive()
    }
}
