//! Floor 2: meshes, axis-aligned boxes, hulls, smallest enclosing spheres and circles, contours.

pub mod aabb;
pub mod circle;
pub mod contour;
pub mod enclosing_sphere;
pub mod hull;
pub mod mesh;
mod polygon;
mod seams;
mod shell;

pub use aabb::Aabb;
pub use contour::Contour;
pub use seams::Seams;
pub use shell::Parts;
pub use shell::Shell;
