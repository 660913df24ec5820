//! The segment that a ray is, checked at the door.

use glam::DVec3;

use crate::internal::math::pose::Pose;
use crate::internal::model::Model;
use crate::internal::query::contact::direction;

/// A ray: a directed segment in the world. Its ends may coincide; then it is a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    pub(super) from: DVec3,
    pub(super) to: DVec3,
}

impl Ray {
    /// A ray from one point to another.
    ///
    /// ```
    /// use elbowroom::Ray;
    /// use glam::DVec3;
    ///
    /// let ray = Ray::new(DVec3::ZERO, DVec3::X * 4.0)?;
    /// assert_eq!(ray.at(0.25), DVec3::X);
    /// # Ok::<(), elbowroom::RayError>(())
    /// ```
    ///
    /// # Errors
    /// Names the coordinate that is not finite.
    pub fn new(from: DVec3, to: DVec3) -> Result<Self, RayError> {
        finite("beginning", from)?;
        finite("end", to)?;
        Ok(Self { from, to })
    }

    /// A ray from a point in a direction, far enough to pass a whole model: to twice the farthest
    /// that anything of the model can be from the origin. The end is rounded to f64, and the ray is
    /// exact from there on.
    ///
    /// ```
    /// use elbowroom::{Mesh, Model, Pose, Ray};
    /// use glam::DVec3;
    ///
    /// let mesh = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
    /// let model = Model::new(mesh);
    /// let from = DVec3::new(0.2, 0.2, 9.0);
    /// let down = Ray::towards(from, DVec3::NEG_Z, &model, &Pose::IDENTITY)?;
    /// assert!(model.posed().ray_cast(&down).is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Names the coordinate that is not finite; or if the direction is zero, or the end beyond f64.
    pub fn towards(
        origin: DVec3,
        way: DVec3,
        model: &Model,
        pose: &Pose,
    ) -> Result<Self, RayError> {
        finite("origin", origin)?;
        finite("direction", way)?;
        let way = direction(way).ok_or(RayErrorKind::NoDirection)?;
        // Sums of magnitudes bound lengths, and no pose stretches by a thousandth.
        let sizes = origin.abs().element_sum() + pose.translation().abs().element_sum();
        let to = origin + way * (2.0 * (sizes + 1.001 * model.reach()));
        if !to.is_finite() {
            return Err(RayErrorKind::TooFar.into());
        }
        Ok(Self { from: origin, to })
    }

    /// The beginning of the ray.
    pub fn from(&self) -> DVec3 {
        self.from
    }

    /// The end of the ray.
    pub fn to(&self) -> DVec3 {
        self.to
    }

    /// The point at a fraction of the ray; exactly its ends at 0 and 1.
    pub fn at(&self, fraction: f64) -> DVec3 {
        self.from * (1.0 - fraction) + self.to * fraction
    }

    /// Bounds the sum of the magnitudes of its points' coordinates.
    pub(super) fn reach(&self) -> f64 {
        self.from.abs().element_sum().max(self.to.abs().element_sum())
    }
}

fn finite(what: &'static str, point: DVec3) -> Result<(), RayError> {
    match (0..3).find(|&axis| !point[axis].is_finite()) {
        None => Ok(()),
        Some(axis) => Err(RayErrorKind::NonFinite { what, axis, value: point[axis] }.into()),
    }
}

crate::declare_error! {
    /// Why a ray was refused.
    #[derive(Clone, Debug, PartialEq)]
    pub struct RayError;

    /// What was wrong with a ray.
    #[derive(Clone, Debug, PartialEq)]
    pub enum RayErrorKind {
        /// A coordinate is NaN or infinite.
        #[error("{} of the ray's {what} is {value}, which is not finite", ["x", "y", "z"][*axis])]
        NonFinite {
            /// Of what.
            what: &'static str,
            /// 0, 1 or 2 for x, y or z.
            axis: usize,
            /// The coordinate.
            value: f64,
        },
        /// The direction is zero.
        #[error("the ray's direction is zero: it points nowhere")]
        NoDirection,
        /// A ray past the whole model would end beyond f64.
        #[error(
            "a ray past the whole model would end beyond the largest number: give its two ends"
        )]
        TooFar,
    }
}
