//! How two packed trees stand to each other, island by island.
//!
//! Boxes are in f32 around the origins of their islands, so that every two islands have a step of their own between them.
//! It is worked out in f64 from the two placements and rounded once; what that loses, and what the boxes lose, is the
//! slack of the two (`docs/notes/burst-slack.md`). The smaller the islands, the smaller it is.

use glam::{DMat3, DVec3};

use crate::exact::Sight;
use crate::math::placement::Placement;
use crate::tree::packed::Island;
use crate::volume::burst::{Frame, SLACK};

/// Half the distance from 1 to the next number, in f32 and f64.
const U32: f64 = 1.0 / (1_u64 << 24) as f64;
const U64: f64 = 1.0 / (1_u64 << 53) as f64;

/// Two placements, as packed trees need them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stance {
    turn_a: DMat3,
    turn_b: DMat3,
    /// From the one translation to the other.
    step: DVec3,
    /// The first rotation, undone.
    back: DMat3,
    /// The second rotation, seen from the first.
    turn: DMat3,
    deviation: f64,
}

/// How the boxes of two islands are seen from each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frames {
    /// The first one's boxes, seen from the second.
    pub a_in_b: Frame,
    /// The second one's boxes, seen from the first.
    pub b_in_a: Frame,
}

impl Stance {
    /// Of two placements; nothing if the step between them is beyond f64, and so beyond any packed tree.
    #[inline]
    pub fn new(place_a: &Placement, place_b: &Placement) -> Option<Self> {
        let step = place_b.translation() - place_a.translation();
        let (turn_a, turn_b) = (place_a.rotation(), place_b.rotation());
        let back = turn_a.inverse();
        let deviation = place_a.deviation() + place_b.deviation();
        let turn = back * turn_b;
        step.is_finite().then_some(Self { turn_a, turn_b, step, back, turn, deviation })
    }

    /// Whether the balls around two islands are farther apart than a limit: all that most pairs of bodies need to be asked.
    #[inline]
    pub fn is_far(
        place_a: &Placement,
        a: &Island,
        place_b: &Placement,
        b: &Island,
        limit: f64,
    ) -> bool {
        let step = place_b.translation() - place_a.translation();
        let between = step + place_b.rotation() * b.origin - place_a.rotation() * a.origin;
        let far = size(a.origin) + size(b.origin) + size(step);
        are_apart((a, b), (between, far), place_a.deviation() + place_b.deviation(), limit)
    }

    /// How two islands see each other; nothing if the balls around them are farther apart than a limit.
    #[inline]
    pub fn frames(&self, a: &Island, b: &Island, limit: f64) -> Option<Frames> {
        let between = self.step + self.turn_b * b.origin - self.turn_a * a.origin;
        let far = size(a.origin) + size(b.origin) + size(self.step);
        if are_apart((a, b), (between, far), self.deviation, limit) {
            return None;
        }
        let slack = (SLACK * U32 + 12.0 * self.deviation) * (a.reach + b.reach + size(between))
            + 64.0 * U64 * far;
        let between = self.back * between;
        // The way back is the transpose but for the deviations, which the slack knows.
        let turn_back = self.turn.transpose();
        Some(Frames {
            a_in_b: Frame::new(turn_back, turn_back * -between, slack),
            b_in_a: Frame::new(self.turn, between, slack),
        })
    }

    /// How triangles are seen, given how far both meshes reach from their own origins together.
    #[inline]
    pub fn sight(&self, reach: f64) -> Sight {
        Sight::new(self.turn, self.back * self.step, reach + size(self.step))
    }
}

/// Whether the balls around two islands are farther apart than a limit, by where their origins are: the step between them, and the
/// magnitudes that it was worked out from.
///
/// A matrix that is off by δ moves a corner by at most δ of its distance from the origin, and 2⁻²⁰ of the radii is far more than that
/// and all roundings are.
#[inline]
fn are_apart(
    (a, b): (&Island, &Island),
    (between, far): (DVec3, f64),
    deviation: f64,
    limit: f64,
) -> bool {
    let apart = between.length() * (1.0 - 4.0 * deviation) - 64.0 * U64 * far;
    apart > (a.radius + b.radius + limit) * (1.0 + 16.0 * U32)
}

fn size(v: DVec3) -> f64 {
    v.abs().element_sum()
}
