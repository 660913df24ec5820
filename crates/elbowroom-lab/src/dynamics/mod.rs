//! Rigid bodies that fall and bounce: a simple dynamics to exercise collision queries.
//!
//! A body has a mass and moves; where it meets something it is given an impulse at each contact,
//! and then the clock goes on. There is no friction, and nothing is pulled apart: a body that is
//! found inside another is only kept from going deeper.
//!
//! ```text
//!   contacts of this moment ──> an impulse at each, one after the other ──> a step in time
//! ```
//!
//! * [`Mass`] is worked out from a closed mesh, as a solid of one density: sums over tetrahedra
//!   between its triangles and one point (Mirtich, *Fast and accurate computation of polyhedral
//!   mass properties*, 1996, in its plainest form).
//! * [`Body`] keeps its momenta, linear and angular, so that neither changes where nothing acts. A
//!   step is velocity Verlet for the place, which is exact in a uniform field, and a turn by the
//!   spin of the step's middle.
//! * [`Bounce`] gives an impulse along a direction (Newton's restitution). With a restitution of at
//!   most 1 no impulse adds energy, but for the least speed of parting, which keeps a body that
//!   rests from sinking.
//!
//! Invariant: the same bits on every system. Sines come from one library in plain Rust, nothing is
//! fused, and contacts are taken in the order of their triangles.

mod body;
mod field;
mod impulse;
mod mass;

pub(crate) use body::Body;
pub(crate) use field::Field;
pub(crate) use impulse::{Bounce, Touch, parting};
pub(crate) use mass::Mass;

#[cfg(test)]
mod tests;
