//! Bounding cylinder hierarchies beyond the footprint that crowds use: bodies in slabs of height,
//! bodies that move, and the area that a hierarchy covers.

mod animated;
pub mod area;
mod sliced;
mod tree;

pub use animated::{Animated, AnimatedConfig, AnimatedError, AnimatedErrorKind};
pub use sliced::{
    Sliced, Slices, SlicesError, SlicesErrorKind, Stand, are_above, ask_sliced, ask_standing,
};
pub use tree::CylinderHierarchy;
