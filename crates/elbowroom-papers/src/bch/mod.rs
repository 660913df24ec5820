//! Bounding cylinder hierarchies (BCH) of virtual characters: Stüvel and others, 2014.
//!
//! [`CylinderHierarchy`] is the paper's structure: a body seen from above, as a tree of circles that
//! answers *clear* (certain) or *may touch* at any level. Crowds use it as
//! [`footprint`](elbowroom_motion::footprint). The other items go beyond the paper: bodies in slabs
//! of height, bodies that move, and the area that a hierarchy covers.

mod animated;
pub mod area;
mod sliced;
mod tree;

pub use animated::{Animated, AnimatedConfig, AnimatedError, AnimatedErrorKind};
pub use sliced::{
    Sliced, Slices, SlicesError, SlicesErrorKind, Stand, are_above, ask_sliced, ask_standing,
};
pub use tree::CylinderHierarchy;
