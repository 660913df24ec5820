//! Liu, Wang and Yang, *A three-layer hybrid bounding volume hierarchy for collision detection*,
//! 2017: SBBK, spheres at the root, boxes along the axes below, k-DOPs at the bottom.
//!
//! The paper gives neither k nor the levels at which layers begin. Here k is 18, boxes begin at
//! level 1 and k-DOPs at level 4, unless a table says otherwise.

pub(crate) mod descent;
pub(crate) mod families;
pub(crate) mod front;
pub(crate) mod helicopter;
pub(crate) mod monkeys;
pub(crate) mod scene;
mod solid;
