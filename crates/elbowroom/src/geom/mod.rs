//! Floor 2: meshes, hulls, smallest balls.

pub mod ball;
pub mod hull;
pub mod mesh;
mod polygon;
mod seams;
mod shell;

pub use seams::Seams;
pub(crate) use shell::Parts;
pub use shell::Shell;
