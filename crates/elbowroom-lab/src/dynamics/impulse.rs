//! Impulses between bodies that meet.

use glam::DVec3;

use super::Body;

/// Where two bodies touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Touch {
    pub(crate) point: DVec3,
    /// A unit vector along which the second leaves the first.
    pub(crate) normal: DVec3,
}

/// How bodies bounce.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounce {
    /// Speed of parting over speed of meeting.
    pub(crate) restitution: f64,
    /// Bodies that touch part at least so fast: a body at rest would otherwise sink by what it
    /// falls in a step.
    pub(crate) least: f64,
}

impl Bounce {
    /// Gives both bodies an impulse at a touch, unless they part there already. Says how strong it
    /// was.
    pub(crate) fn between(&self, first: &mut Body, second: &mut Body, touch: &Touch) -> f64 {
        let Touch { point, normal } = *touch;
        let parting = (second.velocity_at(point) - first.velocity_at(point)).dot(normal);
        let wanted = (-self.restitution * parting).max(self.least);
        let ease = first.ease(point, normal) + second.ease(point, normal);
        if parting >= wanted || ease <= 0.0 {
            return 0.0;
        }
        let strength = (wanted - parting) / ease;
        first.push(point, -strength * normal);
        second.push(point, strength * normal);
        strength
    }
}

/// Along which way the second leaves the first, by the triangles that meet: off the first one's
/// outer side and away from the second one's. Where both face the same way, nothing says how they
/// got there.
pub(crate) fn parting(first: [DVec3; 3], second: [DVec3; 3]) -> Option<DVec3> {
    let outward = |[a, b, c]: [DVec3; 3]| (b - a).cross(c - a).try_normalize();
    let way = outward(first)? - outward(second)?;
    // Less is mostly rounding.
    (way.length_squared() > 1e-6).then(|| way.normalize())
}
