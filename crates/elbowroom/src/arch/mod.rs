//! Floor 0: lanes. Kernels are written once over [`Lane`] and live beside their volume.

mod counted;
mod lane;

pub use counted::{Counted, Operations};
pub use lane::Lane;
