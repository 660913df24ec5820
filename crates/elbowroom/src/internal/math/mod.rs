//! Floor 0: poses and what else is plain arithmetic.

pub mod eigen;
pub mod moments;
pub mod planar;
pub mod pose;
pub mod random;
pub mod sort;
