//! What the test programs in `tests/` share. Brute force and oracles that know nothing of the
//! library are in `elbowroom-testkit`; here is what needs its types.

#![allow(missing_docs, clippy::missing_panics_doc, reason = "a test that panics has failed")]

pub mod common;
pub mod dyadic;
pub mod footprint_common;
pub mod holds;
pub mod motion_common;
