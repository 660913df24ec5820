//! Whether a plane parts two shapes after all, where the search for their distance got stuck.
//!
//! The nearest point of a thin simplex has lost its digits, but the normals of its sides and the
//! perpendiculars of its edges are made from its corners alone. Each is a direction to ask both
//! shapes along. If none of them parts the shapes, the farthest point of the direction that came
//! closest to it is one more corner, and so on for a few rounds. Of 23,575 pairs of boxes apart,
//! nearly parallel and as thin as 10⁻⁹, 526 get here, and a plane is found for all but two of them,
//! which are 10⁻⁷ apart and will be said to meet.

use glam::DVec3;

use super::{Difference, ROUNDING, Support};

/// The number of tested corners: four of the simplex, and one of every round but the last.
const MOST: usize = 8;

/// Whether one of the directions that the corners suggest parts the shapes by more than rounding.
pub(super) fn is_parted(
    a: &impl Support,
    b: &impl Support,
    corners: impl Iterator<Item = DVec3>,
) -> bool {
    let mut known = [DVec3::ZERO; MOST];
    let mut len = 0;
    for corner in corners {
        known[len] = corner;
        len += 1;
    }
    while len <= MOST {
        match round(a, b, &known[..len]) {
            Round::Parted => return true,
            Round::Closest(corner) if len < MOST && !known[..len].contains(&corner) => {
                known[len] = corner;
                len += 1;
            }
            Round::Closest(_) => return false,
        }
    }
    false
}

/// What asking along all directions gave.
enum Round {
    Parted,
    /// The point that is beyond the origin by least, along its direction.
    Closest(DVec3),
}

fn round(a: &impl Support, b: &impl Support, corners: &[DVec3]) -> Round {
    let mut closest = (f64::NEG_INFINITY, corners[0]);
    let mut is_parted = false;
    let mut ask = |direction: DVec3| {
        let Some(unit) = direction.try_normalize() else { return };
        for unit in [unit, -unit] {
            let found = Difference::against(a, b, unit);
            let along = found.value().dot(unit);
            is_parted |= along > ROUNDING * found.size();
            if along > closest.0 {
                closest = (along, found.value());
            }
        }
    };
    for (i, &p) in corners.iter().enumerate() {
        for (j, &q) in corners[..i].iter().enumerate() {
            let edge = p - q;
            ask(p - edge * (p.dot(edge) / edge.length_squared()));
            for &r in &corners[..j] {
                ask(edge.cross(r - q));
            }
        }
    }
    if is_parted { Round::Parted } else { Round::Closest(closest.1) }
}
