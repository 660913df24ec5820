//! Floor 2: meshes, hulls, smallest balls.

pub mod ball;
pub mod hull;
pub mod mesh;
mod polygon;
mod seams;

pub use seams::Seams;
