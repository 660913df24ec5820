//! The bounding cylinder hierarchy of Stüvel, Magnenat-Thalmann, Thalmann, Egges and van der
//! Stappen,
//! *Hierarchical structures for collision checking between virtual characters*, 2014.
//!
//! The idea: people on one floor are seen from above, as circles around pieces of their contour.
//!
//! ```text
//!     ╭─────────╮   parts    contour, projected triangles, or one circle      Config::parts
//!     │ ╭──╮╭──╮│   contour  by union or silhouette, with or without holes    .outline, .holes
//!     │ ╰──╯╰──╯│   cut      centroid of segments or area, centre, covariance .cut
//!     ╰─────────╯   stop     a radius below the threshold                     .threshold
//! ```
//!
//! [`CylinderHierarchy`] takes these, and a question takes a level. Beyond it: slabs of height
//! ([`Sliced`], [`Slices`]), bodies that move ([`Animated`]), and the area that circles cover
//! ([`area`]).
//!
//! What differs: the centroid of an open piece of a contour, of which the paper says nothing, is
//! that of its segments ([`Cut::Centroid`]) or of the area between them and their mean
//! ([`Cut::Area`]); a body within the ring of another is found; the larger circle gives way.

mod animated;
pub mod area;
mod ground;
mod sliced;
mod tree;

pub use animated::{Animated, AnimatedConfig, AnimatedError, AnimatedErrorKind};
pub use elbowroom_motion::footprint::{Cut, FootprintConfig as Config, Outline, Parts};
pub use ground::{GroundError, GroundErrorKind, seen_from_above};
pub use sliced::{
    Sliced, Slices, SlicesError, SlicesErrorKind, Stand, are_above, ask_sliced, ask_standing,
};
pub use tree::CylinderHierarchy;
