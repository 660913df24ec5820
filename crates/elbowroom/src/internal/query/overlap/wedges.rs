//! How much of a triangle lies where, given the segments along which winding numbers change in it.
//!
//! From a point of the triangle whose winding numbers are known, the apex, everything is seen along
//! rays. Each segment changes the numbers of all that lies behind it:
//!
//! ```text
//!        a ─────────── b        rays through the ends of the segments cut the triangle into wedges; in a wedge,
//!         ╲  ────╲╲   ╱         segments lie one behind the other, and what is between two of them
//!          ╲ 1   ╲ ╲ ╱          has one set of numbers
//!           ╲  0  ╲ ╱
//!            ╲     ╱            with q = apex + x (a − apex) + y (b − apex), a ray is τ = y / (x + y),
//!             apex              and along a segment 1/ρ, ρ = x + y, is linear in τ
//! ```
//!
//! A segment between two rays cuts off a triangle of ρ₀ ρ₁ (τ₁ − τ₀) of the whole. So all areas are
//! sums of such products, nothing is joined to anything, and a segment that rounding has moved by δ
//! moves no more than δ times its length from one part to another.

use glam::DVec2;

use crate::interrupt::checkpoint;

/// Winding numbers behind and before a triangle: of its own solid, and of the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Numbers {
    pub(super) own: [i32; 2],
    pub(super) other: [i32; 2],
}

impl Numbers {
    /// How they change behind a segment.
    fn change(&mut self, by: &Self) {
        for side in 0..2 {
            self.own[side] += by.own[side];
            self.other[side] += by.other[side];
        }
    }

    fn negated(self) -> Self {
        Self { own: self.own.map(|n| -n), other: self.other.map(|n| -n) }
    }

    /// How much of an area here is of the boundary of the triangle's own solid, and of it how much
    /// faces as the triangle does.
    ///
    /// Where several triangles lie in one place, m as this one and r the other way round, the
    /// number changes by m − r across all of them. If that makes a boundary, it is one, and
    /// each of them has a share: 1/(m − r) of the area for the m, −1/(m − r) for the r; all face
    /// the boundary's way with what they add.
    fn share(&self) -> Part {
        let [behind, before] = self.own;
        if (behind > 0) == (before > 0) {
            return Part::default();
        }
        let area = 1.0 / f64::from(behind - before);
        Part { area, facing: area.abs() }
    }
}

/// A directed segment, in coordinates of the triangle: the first corner is 0, the others are X and
/// Y.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    pub(super) ends: [DVec2; 2],
    /// How the numbers change from its right to its left.
    pub(super) to_left: Numbers,
}

/// A part of a triangle's area: how much counts as area, and how much as area that faces where the
/// triangle does.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Part {
    pub(super) area: f64,
    pub(super) facing: f64,
}

impl Part {
    fn add(&mut self, share: Self, size: f64) {
        self.area += share.area * size;
        self.facing += share.facing * size;
    }
}

/// Parts of a triangle that are of the boundary of its own solid, as fractions of its area.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Parts {
    /// Within the other solid.
    pub(super) inside: Part,
    /// On the other's boundary, with both solids behind.
    pub(super) shared: Part,
    /// On the other's boundary, with the other solid before it.
    pub(super) against: Part,
}

impl Parts {
    fn add(&mut self, numbers: &Numbers, size: f64) {
        let share = numbers.share();
        // A triangle that is the wrong way round has its solid before it.
        let is_turned = numbers.own[0] < numbers.own[1];
        match numbers.other.map(|number| number > 0) {
            [true, true] => self.inside.add(share, size),
            [false, false] => {}
            [behind, _] if behind != is_turned => self.shared.add(share, size),
            _ => self.against.add(share, size),
        }
    }
}

/// A segment as it is seen from the apex, in the direction in which τ grows.
#[derive(Clone, Copy, Debug)]
struct Seen {
    /// From one ray to another.
    from: f64,
    to: f64,
    /// 1/ρ there.
    near: [f64; 2],
    /// What changes behind it.
    behind: Numbers,
}

impl Seen {
    fn at(&self, ray: f64) -> f64 {
        let [p, q] = self.near;
        if ray <= self.from {
            p
        } else if ray >= self.to {
            q
        } else {
            p + (q - p) * ((ray - self.from) / (self.to - self.from))
        }
    }
}

/// Memory that is used again.
#[derive(Clone, Debug, Default)]
pub(super) struct Wedges {
    pub(super) segments: Vec<Segment>,
    seen: Vec<Seen>,
    rays: Vec<f64>,
    active: Vec<(f64, f64, f64, usize)>,
}

/// The corners in their own coordinates.
pub(super) const CORNERS: [DVec2; 3] = [DVec2::ZERO, DVec2::X, DVec2::Y];

impl Wedges {
    /// How far the nearest segment is from a point, in coordinates of the triangle.
    pub(super) fn clearance(&self, point: DVec2) -> f64 {
        let distance = |segment: &Segment| {
            let [p, q] = segment.ends;
            let way = q - p;
            let fraction = ((point - p).dot(way) / way.length_squared()).clamp(0.0, 1.0);
            let fraction = if fraction.is_nan() { 0.0 } else { fraction };
            (p + way * fraction).distance(point)
        };
        self.segments.iter().map(distance).fold(f64::INFINITY, f64::min)
    }

    /// The parts of the triangle, from an apex and the numbers there. Segments may cross each other
    /// only if that is said.
    pub(super) fn parts(&mut self, apex: DVec2, numbers: Numbers, may_cross: bool) -> Parts {
        let mut parts = Parts::default();
        for side in 0..3 {
            let (a, b) = (CORNERS[side], CORNERS[(side + 1) % 3]);
            let area = (a - apex).perp_dot(b - apex);
            // The sides at an apex in a corner.
            if area > 0.0 {
                self.look(apex, [a, b], may_cross);
                self.sum(numbers, area, &mut parts);
            }
        }
        parts
    }

    /// How the segments are seen from the apex in a triangle of it and two more corners.
    fn look(&mut self, apex: DVec2, [a, b]: [DVec2; 2], may_cross: bool) {
        let (to_a, to_b) = (a - apex, b - apex);
        let area = to_a.perp_dot(to_b);
        let enter = |p: DVec2| {
            let step = p - apex;
            DVec2::new(step.perp_dot(to_b) / area, to_a.perp_dot(step) / area)
        };
        self.seen.clear();
        self.rays.clear();
        self.rays.extend([0.0, 1.0]);
        for segment in &self.segments {
            let Some([p, q]) = clipped(segment.ends.map(enter)) else { continue };
            let ray = |p: DVec2| (p.y / (p.x + p.y)).clamp(0.0, 1.0);
            let (from, to) = (ray(p), ray(q));
            let near = [p, q].map(|p| (p.x + p.y).recip());
            // Rays turn to the left, and what is left of a segment in that direction is the apex.
            let seen = if from < to {
                Seen { from, to, near, behind: segment.to_left.negated() }
            } else {
                Seen { from: to, to: from, near: [near[1], near[0]], behind: segment.to_left }
            };
            if seen.from < seen.to && near.iter().all(|near| near.is_finite()) {
                self.rays.extend([seen.from, seen.to]);
                self.seen.push(seen);
            }
        }
        if may_cross {
            self.cross();
        }
        self.rays.sort_by(f64::total_cmp);
        self.rays.dedup();
        self.seen.sort_by(|s, t| s.from.total_cmp(&t.from));
    }

    /// Adds the rays through the points where segments cross.
    fn cross(&mut self) {
        for (i, s) in self.seen.iter().enumerate() {
            checkpoint();
            for t in &self.seen[i + 1..] {
                let (from, to) = (s.from.max(t.from), s.to.min(t.to));
                let (before, after) = (s.at(from) - t.at(from), s.at(to) - t.at(to));
                if from < to && before * after < 0.0 {
                    self.rays.push(from + (to - from) * (before / (before - after)));
                }
            }
        }
    }

    /// Adds up what lies where.
    fn sum(&mut self, numbers: Numbers, area: f64, parts: &mut Parts) {
        let mut next = 0;
        self.active.clear();
        for wedge in self.rays.windows(2) {
            checkpoint();
            let &[from, to] = wedge else { continue };
            let width = (to - from) * area;
            while next < self.seen.len() && self.seen[next].from <= from {
                self.active.push((0.0, 0.0, 0.0, next));
                next += 1;
            }
            let seen = &self.seen;
            self.active.retain(|&(.., i)| seen[i].to > from);
            for (middle, first, last, i) in &mut self.active {
                (*first, *last) = (seen[*i].at(from), seen[*i].at(to));
                *middle = *first + *last;
            }
            // The nearest first; of those in one place, in the order of their ends, so that it is
            // the same always.
            self.active.sort_by(|s, t| t.0.total_cmp(&s.0).then(s.3.cmp(&t.3)));
            let (mut numbers, mut before) = (numbers, 0.0);
            for &(_, first, last, i) in &self.active {
                let until = 1.0 / (first * last);
                parts.add(&numbers, (until - before) * width);
                numbers.change(&seen[i].behind);
                before = until;
            }
            parts.add(&numbers, (1.0 - before) * width);
        }
    }
}

/// The part of a segment in the triangle x ≥ 0, y ≥ 0, x + y ≤ 1.
fn clipped([mut p, mut q]: [DVec2; 2]) -> Option<[DVec2; 2]> {
    let sides: [fn(DVec2) -> f64; 3] = [|p| p.x, |p| p.y, |p| (1.0 - p.x) - p.y];
    for side in sides {
        let (at_p, at_q) = (side(p), side(q));
        if at_p < 0.0 && at_q < 0.0 {
            return None;
        }
        if at_p < 0.0 {
            p += (q - p) * (at_p / (at_p - at_q));
        } else if at_q < 0.0 {
            q = p + (q - p) * (at_p / (at_p - at_q));
        }
    }
    Some([p, q])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square within the triangle, as segments with the square on their left.
    fn square(low: f64, high: f64) -> Vec<Segment> {
        let corners = [(low, low), (high, low), (high, high), (low, high)].map(DVec2::from);
        let to_left = Numbers { own: [0; 2], other: [1; 2] };
        (0..4).map(|i| Segment { ends: [corners[i], corners[(i + 1) % 4]], to_left }).collect()
    }

    #[test]
    fn a_square_has_its_area_from_every_apex() {
        let outside = Numbers { own: [1, 0], other: [0; 2] };
        let inside = Numbers { own: [1, 0], other: [1; 2] };
        let segments = square(0.125, 0.375);
        let mut wedges = Wedges { segments, ..Wedges::default() };
        for (apex, numbers) in [
            (DVec2::ZERO, outside),
            (DVec2::X, outside),
            (DVec2::new(0.5, 0.4), outside),
            (DVec2::new(0.25, 0.3), inside),
        ] {
            let parts = wedges.parts(apex, numbers, false);
            // The triangle has half the area of the coordinates' unit.
            assert!((parts.inside.area - 0.125).abs() < 1e-15, "{apex}: {parts:?}");
            assert_eq!((parts.shared, parts.against), (Part::default(), Part::default()));
        }
        // Where two overlap, what is wound twice counts once; beyond the triangle there is nothing.
        wedges.segments.extend(square(0.25, 0.5));
        wedges.segments.extend(square(0.7, 0.9));
        let both = wedges.parts(DVec2::X, outside, true).inside.area;
        assert!((both - 2.0 * (0.0625 + 0.0625 - 0.015_625)).abs() < 1e-15, "{both}");
    }
}
