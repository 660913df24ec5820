//! Floor 0: placements and what else is plain arithmetic.

pub mod eigen;
pub mod moments;
pub mod placement;
pub mod planar;
pub mod sort;
