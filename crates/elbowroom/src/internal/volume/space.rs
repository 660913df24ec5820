//! Where the second of two objects stands, seen from the first.
//!
//! The exact meaning of two poses is in the world: a point `a` of the first and `b` of the second
//! coincide if `Ra·a + ta = Rb·b + tb`. Volumes are compared in the first object's frame instead,
//! where `b` appears at about `Raᵀ·Rb·b + Raᵀ·(tb − ta)`. That is off by rounding, and by as much
//! as Ra and Rb are not quite rotations. Both errors are proportional to the coordinates, so one
//! length, the *slack*, bounds them for a whole query; every volume test adds it to its radii. The
//! derivation is in `docs/notes/volume-slack.md`.

use glam::{DMat3, DVec3};

use crate::internal::math::pose::Pose;

/// The second object's pose in the first one's frame, with what must be added to be certain.
#[derive(Clone, Copy, Debug)]
pub struct Rigid {
    /// Turns the second object's coordinates into the first one's.
    pub rotation: DMat3,
    /// Where the second object's origin is in the first one's frame.
    pub translation: DVec3,
    /// How much more than the slack two volumes must be apart to count as apart.
    pub margin: f64,
    /// Bounds every error of a volume test in this space, as a length.
    pub slack: f64,
}

impl Rigid {
    /// `reach_a` and `reach_b` bound the sum of the coordinates' magnitudes of everything in either
    /// object, in its own frame: of its vertices where volumes are fitted to them, and of its
    /// volumes ([`Spatial::farthest`](super::Spatial::farthest) of the root) where they are
    /// merged.
    pub fn new(a: &Pose, reach_a: f64, b: &Pose, reach_b: f64, margin: f64) -> Self {
        let back = a.rotation().transpose();
        // Halved first, so that the difference of two far away objects cannot overflow.
        let shift = 2.0 * (b.translation() * 0.5 - a.translation() * 0.5);
        // A margin is turned and rounded like a coordinate.
        let size = reach_a + reach_b + shift.abs().element_sum() + margin;
        Self {
            rotation: back * b.rotation(),
            translation: back * shift,
            margin,
            slack: slack(size, a.deviation() + b.deviation()),
        }
    }

    /// Both objects in one frame.
    pub fn common(reach_a: f64, reach_b: f64, margin: f64) -> Self {
        Self::new(&Pose::IDENTITY, reach_a, &Pose::IDENTITY, reach_b, margin)
    }

    /// Margin and slack together: what a test adds to the sum of two radii.
    pub fn allowance(&self) -> f64 {
        self.margin + self.slack
    }

    /// The first object seen from the second. For balls and k-DOPs the slack has room for this
    /// turn; boxes are to be compared in the first one's frame.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.transpose();
        Self { rotation, translation: -(rotation * self.translation), ..*self }
    }

    /// A point of the second object in the first one's frame.
    pub fn apply(&self, point: DVec3) -> DVec3 {
        self.rotation * point + self.translation
    }
}

impl From<&Self> for Rigid {
    fn from(space: &Self) -> Self {
        *space
    }
}

/// 256 roundings of the sum of all coordinates, and four times the deviation from rotations. Where
/// the world's origin is does not matter: the difference of two translations is rounded once.
fn slack(size: f64, deviation: f64) -> f64 {
    const U: f64 = f64::EPSILON / 2.0;
    let slack = size * (256.0 * U + 4.0 * deviation) + f64::MIN_POSITIVE;
    // Beyond f64 nothing is certain.
    if slack.is_nan() { f64::INFINITY } else { slack }
}
