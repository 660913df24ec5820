//! Floor 0: placements and what else is plain arithmetic.

pub mod placement;
