//! The OBB tree of Gottschalk, Lin and Manocha, *OBBTree: a hierarchical structure for rapid
//! interference detection*, 1996; and what the paper names beside it: the operation counts of the
//! separating axis test, linear programming and edge tests as rivals, view frusta and Bézier
//! patches.
//!
//! The idea: boxes turned to fit their triangles close in on a surface with the square of their
//! size, so that surfaces along each other need fewer tests than with spheres or aligned boxes.
//!
//! ```text
//!      ╱╲      fit    axes of the covariance of hull, triangles or vertices    Config::grow.fit
//!     ╱╲╱╲     split  at the mean across the longest axis, else the next       .split, .failed
//!    ╱╱╲ ╲╲    stop   one triangle, or a group that no axis cuts               .leaf
//! ```
//!
//! Parameters: [`Config::paper`], [`Config::rapid`], [`Config::with_family`] for the spheres and
//! boxes that the paper compares itself with, [`Config::with_rule`] for the traversal (the larger
//! box gives way).
//!
//! What differs: the sums of the printed covariance run one term too far and are mended; a hull
//! without volume falls back to the triangles; what lies on a cut goes left; touching is contact,
//! decided exactly, so that the margin of 10⁻⁶ that RAPID adds to the matrix is not needed.

mod bezier;
mod counted;
pub mod edges;
mod frustum;
pub mod linear;
#[cfg(test)]
mod tests;
mod tree;

pub use bezier::{
    BezierError, BezierErrorKind, BezierPatch, Closeness, Near, Nearness, PatchQuestion, Rectangle,
    meet_patches,
};
pub use counted::{Counted, Operations};
pub use frustum::{Culled, Frustum, FrustumError, FrustumErrorKind, View, cull};
pub use tree::{Config, ObbTree};
