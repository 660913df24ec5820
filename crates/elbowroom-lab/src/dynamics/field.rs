//! What pulls.

use glam::DVec3;

/// A field of gravity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Field {
    /// A field that is equal everywhere.
    Uniform(DVec3),
    /// Towards the origin, as strong everywhere but within `core` of it, where it falls to nothing
    /// in proportion to the distance, as it does within a ball of matter.
    Inward { pull: f64, core: f64 },
}

impl Field {
    /// The acceleration at a place.
    pub(crate) fn at(&self, place: DVec3) -> DVec3 {
        match *self {
            Self::Uniform(pull) => pull,
            Self::Inward { pull, core } => place * (-pull / place.length().max(core)),
        }
    }

    /// Energy of a unit of mass at a place; only differences mean something.
    pub(crate) fn potential(&self, place: DVec3) -> f64 {
        match *self {
            Self::Uniform(pull) => -pull.dot(place),
            Self::Inward { pull, core } => {
                let distance = place.length();
                if distance > core {
                    pull * (distance - 0.5 * core)
                } else {
                    0.5 * pull * distance * distance / core
                }
            }
        }
    }
}
