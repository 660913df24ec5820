//! The OBB tree and what its paper names beside it: the operation counts of the separating axis
//! test, linear programming and edge tests as rivals, view frusta and Bézier patches.

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
pub use tree::ObbTree;
