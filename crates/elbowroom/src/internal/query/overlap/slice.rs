//! Where a solid's triangles cut the plane of another triangle, so that winding numbers change.
//!
//! A triangle lies on the boundary of its own solid, and what is asked is what is next to it on
//! both sides. So the plane is moved by nothing, in thought, behind and before itself: a corner of
//! the other surface that is in the plane is before it in the first case and behind it in the
//! second. Then no corner is in it, every triangle that is cut is cut in a segment, and the
//! segments of a closed surface close, whatever lies in the plane. (Edelsbrunner and Mücke,
//! *Simulation of simplicity*, 1990, move every point; here it is one plane, along its normal.)
//!
//! Signs are exact. Where the segments end is rounded, but the same for both triangles on an edge.

use glam::{DVec2, DVec3};

use super::wedges::{Numbers, Segment};
use crate::internal::exact::closest::precedes;
use crate::internal::exact::{PlacedTriangle, Sign, orient3d};

/// A triangle as the plane that others are cut by, in the frame in which everything is measured.
pub(super) struct Plane<'a> {
    placed: PlacedTriangle<'a>,
    origin: DVec3,
    /// Twice the area, along the normal.
    pub(super) normal: DVec3,
    /// What x and y of the triangle's own coordinates are.
    dual: [DVec3; 2],
    sides: [f64; 2],
}

impl<'a> Plane<'a> {
    /// The corners are those of the triangle, in the frame.
    pub(super) fn new(placed: PlacedTriangle<'a>, [a, b, c]: [DVec3; 3]) -> Self {
        let (first, second) = (b - a, c - a);
        let normal = first.cross(second);
        let square = normal.length_squared();
        let dual = [second.cross(normal) / square, normal.cross(first) / square];
        Self { placed, origin: a, normal, dual, sides: [first.length(), second.length()] }
    }

    /// Whether it has an area that numbers can be divided by.
    pub(super) fn is_wide(&self) -> bool {
        self.dual.iter().all(|dual| dual.is_finite())
    }

    fn enter(&self, point: DVec3) -> DVec2 {
        let step = point - self.origin;
        DVec2::new(step.dot(self.dual[0]), step.dot(self.dual[1]))
    }

    fn height(&self, point: DVec3) -> f64 {
        (point - self.origin).dot(self.normal)
    }

    /// Cuts a triangle, given also in the frame, and adds the segments. The numbers that change, of
    /// which surface, are told by `change`, from how they change behind and before the plane.
    /// How far rounding may have moved what, in area of the frame, for points that are off by
    /// `lost`.
    pub(super) fn cut(
        &self,
        other: &PlacedTriangle,
        corners: [DVec3; 3],
        lost: f64,
        change: fn([i32; 2]) -> Numbers,
        segments: &mut Vec<Segment>,
    ) -> f64 {
        let signs = [3, 4, 5].map(|i| orient3d(&self.placed, other, [0, 1, 2, i]));
        let is_simple = !signs.contains(&Sign::Zero);
        let before = segments.len();
        if is_simple {
            self.add(signs, corners, change([1, 1]), segments);
        } else {
            let instead = |sign: Sign| signs.map(|own| if own == Sign::Zero { sign } else { own });
            self.add(instead(Sign::Positive), corners, change([1, 0]), segments);
            self.add(instead(Sign::Negative), corners, change([0, 1]), segments);
        }
        if segments.len() == before {
            return 0.0;
        }
        let across = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        let sine = self.normal.cross(across).length() / (self.normal.length() * across.length());
        let longest = self.sides[0].max(self.sides[1]);
        // The line in which two planes meet moves by more than the planes do, the more the flatter
        // they meet.
        let moved = (lost / sine).min(longest);
        2.0 * if moved.is_finite() { moved } else { longest } * longest
    }

    /// Adds the segment in which the plane cuts a triangle, if it does. What is inside is on its
    /// left.
    fn add(
        &self,
        signs: [Sign; 3],
        corners: [DVec3; 3],
        to_left: Numbers,
        segments: &mut Vec<Segment>,
    ) {
        let (mut down, mut up) = (None, None);
        for i in 0..3 {
            let j = (i + 1) % 3;
            let through = || self.enter(self.pierced([corners[i], corners[j]]));
            match (signs[i], signs[j]) {
                (Sign::Positive, Sign::Negative) => down = Some(through()),
                (Sign::Negative, Sign::Positive) => up = Some(through()),
                _ => {}
            }
        }
        if let (Some(down), Some(up)) = (down, up) {
            segments.push(Segment { ends: [down, up], to_left });
        }
    }

    /// Where an edge with ends on both sides goes through.
    fn pierced(&self, [p, q]: [DVec3; 2]) -> DVec3 {
        let [p, q] = if precedes(q, p) { [q, p] } else { [p, q] };
        let (at_p, at_q) = (self.height(p), self.height(q));
        let fraction = at_p / (at_p - at_q);
        // Heights that rounding has on one side are both as good as nothing.
        if fraction > 0.0 { p + (q - p) * fraction.min(1.0) } else { p }
    }
}
