//! Floor 7: the questions about meshes.

mod sweep;

pub use sweep::{TrianglePair, collide};
