//! Floor 0: lanes. Kernels are written once over [`Lane`] and live beside their volume.

mod lane;

pub use lane::Lane;
