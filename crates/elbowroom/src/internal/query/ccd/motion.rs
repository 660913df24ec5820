//! A body that moves as one piece: a straight way, and an even turn about an axis that moves along.

use glam::{DMat3, DQuat, DVec3};

use crate::internal::math::pose::Pose;

/// The rigid motion of a body from time 0 to time 1: it begins at a pose, travels in a straight
/// line, and turns by an angle about an axis through a centre. The centre is a point of the world
/// at time 0, and travels along. The motion is in real numbers; rounding errors of f64 are
/// accounted for.
///
/// ```
/// use elbowroom::Pose;
/// use elbowroom::internal::query::RigidMotion;
/// use glam::DVec3;
///
/// let spinning = RigidMotion::new(Pose::IDENTITY)
///     .travelling(DVec3::X * 4.0)?
///     .turning(DVec3::Z, std::f64::consts::PI, DVec3::ZERO)?;
/// assert!(spinning.apply(DVec3::X, 1.0).distance(DVec3::X * 3.0) < 1e-12);
/// # Ok::<(), elbowroom::internal::query::RigidMotionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidMotion {
    place: Pose,
    travel: DVec3,
    /// Of length 1, or zero if nothing turns.
    axis: DVec3,
    angle: f64,
    centre: DVec3,
}

impl RigidMotion {
    /// No motion: the body stays at a pose.
    pub fn new(place: Pose) -> Self {
        let zero = DVec3::ZERO;
        Self { place, travel: zero, axis: zero, angle: 0.0, centre: zero }
    }

    /// A motion from one pose to another: the origin of the body moves in a straight line, and the
    /// body turns evenly about it, the shorter way round. At time 1 it is at the second pose to
    /// rounding.
    ///
    /// ```
    /// use elbowroom::{Pose, RigidMotion};
    /// use glam::{DQuat, DVec3};
    ///
    /// let end = Pose::from_quat(DQuat::from_rotation_y(2.0), DVec3::new(1.0, 2.0, 3.0))?;
    /// let motion = RigidMotion::between(&Pose::IDENTITY, &end);
    /// assert!(motion.apply(DVec3::X, 1.0).abs_diff_eq(end.apply(DVec3::X), 1e-12));
    /// # Ok::<(), elbowroom::PoseError>(())
    /// ```
    pub fn between(from: &Pose, to: &Pose) -> Self {
        let turn = DQuat::from_mat3(&(to.rotation() * from.rotation().transpose())).normalize();
        let turn = if turn.w < 0.0 { -turn } else { turn };
        let way = DVec3::new(turn.x, turn.y, turn.z);
        let angle = 2.0 * libm::atan2(way.length(), turn.w);
        let axis = way.normalize_or_zero();
        let angle = if axis == DVec3::ZERO { 0.0 } else { angle };
        let limit = DVec3::splat(f64::MAX);
        let travel = (to.translation() - from.translation()).clamp(-limit, limit);
        Self { place: *from, travel, axis, angle, centre: from.translation() }
    }

    /// Adds a translation to the motion.
    ///
    /// ```
    /// use elbowroom::{Pose, RigidMotion};
    /// use glam::DVec3;
    ///
    /// let motion = RigidMotion::new(Pose::IDENTITY).travelling(DVec3::X * 4.0)?;
    /// assert_eq!(motion.apply(DVec3::ZERO, 0.5), DVec3::X * 2.0);
    /// # Ok::<(), elbowroom::RigidMotionError>(())
    /// ```
    ///
    /// # Errors
    /// If a number is not finite.
    pub fn travelling(self, travel: DVec3) -> Result<Self, RigidMotionError> {
        if !travel.is_finite() {
            return Err(RigidMotionErrorKind::NonFinite { what: "the way" }.into());
        }
        Ok(Self { travel, ..self })
    }

    /// Adds a rotation to the motion, by an angle in radians about an axis through a centre.
    ///
    /// # Errors
    /// If a number is not finite, or the axis has no direction.
    pub fn turning(self, axis: DVec3, angle: f64, centre: DVec3) -> Result<Self, RigidMotionError> {
        let is_finite = axis.is_finite() && angle.is_finite() && centre.is_finite();
        if !is_finite {
            return Err(RigidMotionErrorKind::NonFinite { what: "the turn" }.into());
        }
        let largest = axis.abs().max_element();
        let Some(axis) = (axis / largest).try_normalize() else {
            return Err(RigidMotionErrorKind::NoAxis.into());
        };
        Ok(Self { axis, angle, centre, ..self })
    }

    /// The position of a point of the body at a time, to rounding.
    pub fn apply(&self, point: DVec3, time: f64) -> DVec3 {
        self.carry(&self.turned(time), point, time)
    }

    /// The rotation at a time.
    pub(super) fn turned(&self, time: f64) -> DMat3 {
        let (sine, cosine) = libm::sincos(self.angle * time);
        let axis = self.axis;
        if self.angle == 0.0 {
            return DMat3::IDENTITY;
        }
        // Rodrigues.
        let column =
            |e: DVec3| e * cosine + axis.cross(e) * sine + axis * (axis.dot(e) * (1.0 - cosine));
        DMat3::from_cols(column(DVec3::X), column(DVec3::Y), column(DVec3::Z))
    }

    #[inline]
    pub(super) fn carry(&self, turned: &DMat3, point: DVec3, time: f64) -> DVec3 {
        let placed = self.place.apply(point);
        if self.angle == 0.0 {
            return placed + self.travel * time;
        }
        let from = placed - self.centre;
        let [x, y, z] = [turned.x_axis, turned.y_axis, turned.z_axis];
        self.centre + self.travel * time + ((x * from.x + y * from.y) + z * from.z)
    }

    /// How far a point may be from its chord during a part of the time, and from where it is
    /// computed, if it is at most so far from the axis and its coordinates are at most so
    /// large.
    pub(super) fn off_chord(&self, part: f64, radius: f64) -> f64 {
        // A way x(t) is at most max |x″| h²/8 from its chord, and |x″| is ω²r.
        let turn = self.angle * part;
        turn * turn * radius * (0.125 * (1.0 + 1e-9))
    }

    /// What is lost to rounding where coordinates are at most so large: some thirty operations, and
    /// an angle that is off by a rounding of itself.
    pub(super) fn lost(&self, reach: f64) -> f64 {
        let reach = reach + self.travel.length() + 2.0 * self.centre.length();
        (64.0 + 2.0 * self.angle.abs()) * f64::EPSILON * reach
    }

    /// How far a point of the body is from the axis.
    pub(super) fn radius(&self, point: DVec3) -> f64 {
        self.axis.cross(self.place.apply(point) - self.centre).length()
    }

    pub(super) fn angle(&self) -> f64 {
        self.angle.abs()
    }

    pub(super) fn place(&self) -> &Pose {
        &self.place
    }
}

crate::declare_error! {
    /// Why a motion was refused.
    #[derive(Clone, Debug, PartialEq)]
    pub struct RigidMotionError;

    /// What was wrong with a motion.
    #[derive(Clone, Debug, PartialEq)]
    pub enum RigidMotionErrorKind {
        /// A number is NaN or infinite.
        #[error("{what} of the motion has a number that is not finite")]
        NonFinite {
            /// Of what.
            what: &'static str,
        },
        /// The axis is zero.
        #[error("the axis of the turn is zero: name a direction, or leave out the turn")]
        NoAxis,
    }
}
