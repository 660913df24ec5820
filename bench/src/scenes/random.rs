//! The generator of the workspace, and what only the scenes here draw from it.
//!
//! The expected answers of a workload depend on its stream.

pub(super) use elbowroom::internal::math::random::Random;
use glam::DVec3;

/// A whole number in low..high.
pub(super) fn whole(random: &mut Random, low: u32, high: u32) -> u32 {
    low + random.below(u64::from(high - low)) as u32
}

/// A point about the origin, thinning out as a bell does (three uniform numbers added), of that
/// deviation.
pub(super) fn jitter(random: &mut Random, deviation: f64) -> DVec3 {
    // The sum of three from [-1, 1) has variance 1.
    (random.point(-1.0, 1.0) + random.point(-1.0, 1.0) + random.point(-1.0, 1.0)) * deviation
}
