//! How a body's boxes are kept, as the paper has it or otherwise.

use crate::cab::keep::{CabAxis, RefitMethod};
use crate::cab::rule::TOLERANCE;

/// How the boxes of an articulated body are kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config {
    /// Which boxes, and how they follow a pose.
    pub method: RefitMethod,
    /// Axes of two limbs count as parallel if the cosine of their angle is less than this from 1
    /// or −1.
    pub parallel_tolerance: f64,
}

impl Config {
    /// The paper's CAB: the longest of three candidates is the first axis; axes are parallel if
    /// their cosine is larger than 1 − 10⁻⁵.
    pub const fn paper() -> Self {
        let method = RefitMethod::Cab(CabAxis::Longest);
        Self { method, parallel_tolerance: TOLERANCE }
    }

    /// A configuration with another method: the paper's baselines are [`RefitMethod::AabbVertices`]
    /// (AABB⁺), [`RefitMethod::AabbCorners`] (AABB*) and [`RefitMethod::Covariance`] (OBB).
    #[must_use]
    pub const fn with_method(self, method: RefitMethod) -> Self {
        Self { method, ..self }
    }
}

impl Default for Config {
    fn default() -> Self {
        Self::paper()
    }
}
