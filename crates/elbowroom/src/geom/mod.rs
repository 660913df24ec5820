//! Floor 2: meshes.

pub mod mesh;
mod polygon;
mod seams;

pub use seams::Seams;
