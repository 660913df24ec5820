//! A body that moves.

use elbowroom::Pose;
use glam::{DMat3, DQuat, DVec3};

use super::{Field, Mass};

/// A rigid body. Its mesh has the centre of mass at its origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Body {
    /// Of the centre of mass.
    pub(crate) place: DVec3,
    pub(crate) turn: DQuat,
    pub(crate) momentum: DVec3,
    /// About the centre of mass, in the world.
    pub(crate) angular_momentum: DVec3,
    mass: f64,
    /// Zero for what nothing can move.
    inverse_mass: f64,
    /// In the body's own frame.
    inverse_inertia: DMat3,
}

impl Body {
    /// At rest.
    pub(crate) fn new(mass: &Mass, place: DVec3, turn: DQuat) -> Self {
        Self {
            place,
            turn,
            momentum: DVec3::ZERO,
            angular_momentum: DVec3::ZERO,
            mass: mass.whole,
            inverse_mass: 1.0 / mass.whole,
            inverse_inertia: mass.inertia.inverse(),
        }
    }

    /// What nothing can move.
    pub(crate) fn fixed() -> Self {
        Self {
            place: DVec3::ZERO,
            turn: DQuat::IDENTITY,
            momentum: DVec3::ZERO,
            angular_momentum: DVec3::ZERO,
            mass: 0.0,
            inverse_mass: 0.0,
            inverse_inertia: DMat3::ZERO,
        }
    }

    /// A body with a velocity.
    pub(crate) fn with_motion(self, velocity: DVec3, spin: DVec3) -> Self {
        let rotation = self.rotation();
        let inertia = self.inverse_inertia.inverse();
        let angular_momentum = rotation * (inertia * (rotation.transpose() * spin));
        Self { momentum: velocity * self.mass, angular_momentum, ..self }
    }

    pub(crate) fn rotation(&self) -> DMat3 {
        DMat3::from_quat(self.turn)
    }

    /// Where its mesh stands.
    pub(crate) fn placement(&self) -> Pose {
        Pose::new(self.rotation(), self.place).expect("a unit quaternion is a rotation")
    }

    pub(crate) fn velocity(&self) -> DVec3 {
        self.momentum * self.inverse_mass
    }

    /// Angular velocity, in the world.
    pub(crate) fn spin(&self) -> DVec3 {
        self.yields(self.angular_momentum)
    }

    /// The velocity of the body's point that is there.
    pub(crate) fn velocity_at(&self, point: DVec3) -> DVec3 {
        self.velocity() + self.spin().cross(point - self.place)
    }

    /// The spin that an angular momentum amounts to, as the body lies.
    fn yields(&self, angular_momentum: DVec3) -> DVec3 {
        let rotation = self.rotation();
        rotation * (self.inverse_inertia * (rotation.transpose() * angular_momentum))
    }

    /// How much faster along a unit vector its point there becomes by a unit of impulse along it.
    pub(crate) fn ease(&self, point: DVec3, way: DVec3) -> f64 {
        let lever = (point - self.place).cross(way);
        self.inverse_mass + lever.dot(self.yields(lever))
    }

    /// An impulse at a point.
    pub(crate) fn push(&mut self, point: DVec3, impulse: DVec3) {
        if self.inverse_mass > 0.0 {
            self.momentum += impulse;
            self.angular_momentum += (point - self.place).cross(impulse);
        }
    }

    /// Of motion, and in the field.
    pub(crate) fn energy(&self, field: &Field) -> f64 {
        let motion = 0.5 * self.momentum.dot(self.velocity());
        let turning = 0.5 * self.angular_momentum.dot(self.spin());
        motion + turning + self.mass * field.potential(self.place)
    }

    /// A step in time, free but for the field.
    pub(crate) fn advance(&mut self, field: &Field, secs: f64) {
        if self.inverse_mass == 0.0 {
            return;
        }
        let before = field.at(self.place);
        self.place += (self.velocity() + before * (0.5 * secs)) * secs;
        self.momentum += (before + field.at(self.place)) * (0.5 * secs * self.mass);
        // The spin changes as the body turns under a fixed angular momentum; that of the middle
        // speaks for the step.
        let middle = Self { turn: turned(self.turn, self.spin(), 0.5 * secs), ..*self };
        self.turn = turned(self.turn, middle.spin(), secs);
    }
}

/// A turn, turned on by a spin in the world.
fn turned(turn: DQuat, spin: DVec3, secs: f64) -> DQuat {
    let rate = spin.length();
    if rate == 0.0 {
        return turn;
    }
    let half = 0.5 * rate * secs;
    let axis = spin * (libm::sin(half) / rate);
    (DQuat::from_xyzw(axis.x, axis.y, axis.z, libm::cos(half)) * turn).normalize()
}
