//! A ring with folds: many nearly parallel triangles, so that bounding boxes are seldom tight.

use std::f64::consts::TAU;

use elbowroom::Mesh;

use crate::torus::tube;

/// A torus about 2 m across with folds in its tube and a six-fold wave in its ring; `2 around
/// along` triangles. 100 by 100 steps make the 20,000 triangles of the workloads.
///
/// # Panics
/// With fewer than 3 steps either way, or more than u32 can number.
pub fn wrinkled_torus(around: u32, along: u32) -> Mesh {
    tube(around, along, |i, j| {
        let u = TAU * f64::from(i) / f64::from(around);
        let v = TAU * f64::from(j) / f64::from(along);
        let major = 0.75 + 0.04 * libm::cos(6.0 * u);
        let folds = 0.03 * libm::sin(9.0 * u + 2.0 * v) + 0.015 * libm::sin(7.0 * v - 5.0 * u);
        (major, 0.28 + folds)
    })
}
