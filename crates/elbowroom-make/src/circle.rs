//! Points around a circle, the same bits on every system.

use std::f64::consts::TAU;

/// Cosine and sine of `step` of the `steps` equal steps around a circle.
pub(crate) fn on_circle(step: u32, steps: u32) -> (f64, f64) {
    let angle = TAU * f64::from(step) / f64::from(steps);
    (libm::cos(angle), libm::sin(angle))
}
