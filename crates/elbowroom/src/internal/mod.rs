//! The floors below the front. No promise is made about anything in here: it is public for the
//! crates of this workspace alone.
//!
//! Folders are floors, and a module uses only lower ones: `arch` and `math`, then `exact`, `geom`,
//! `volume` and `convex`, `bvh`, `traverse` and `broad_phase`, `model`, `query`.

pub mod arch;
pub mod broad_phase;
pub mod bvh;
pub mod convex;
pub mod exact;
pub mod geom;
pub mod math;
pub mod model;
pub mod query;
pub mod traverse;
pub mod volume;
