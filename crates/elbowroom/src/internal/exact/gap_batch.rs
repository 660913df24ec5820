//! Sixteen gaps between triangles at a time, from below and from above, in f32.
//!
//! Triangles are read and brought together as in [`batch`](super::triangle_batch). Of nine pairs of
//! edges and six corners above faces the closest points are taken. Their weights are within 0 and
//! 1, so that they are points of the triangles and bound the distance from above however badly they
//! were found. From below it is bounded by what lies between the two triangles along any direction:
//! that from point to point, and both normals. What f32 has lost is added and taken off at the end;
//! then the span holds the exact distance, and what [`gap`](super::gap()) makes of it
//! (`docs/notes/distance-bounds.md`).

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

use super::triangle_batch::{TriangleTransform, add, cross, dot, select, size, sub, turn};
use crate::internal::arch::{F32xN, PackedTriangle};

/// What the distances of sixteen pairs are between.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Span {
    /// At least so far; zero where f32 sees no gap.
    pub low: [f32; 16],
    /// At most so far.
    pub high: [f32; 16],
}

/// 64u of f32: what all roundings together cost, as a part of the sizes.
const LOST: f32 = 1.0 / (1_u32 << 18) as f32;
/// 1 + 64u: what a product and a root may lose beside that.
const MORE: f32 = 1.0 + 1.0 / (1_u32 << 18) as f32;
/// What squares and products below the normal numbers can lose, as a length: 2⁻⁷⁰.
const VANISHED: f32 = f32::from_bits((127 - 70) << 23);
/// Squares of directions below this are not trusted: 2⁻¹⁰⁰.
const SMALLEST: f32 = f32::from_bits((127 - 100) << 23);

/// The spans of the triangles with these ids, pair by pair; of the first `count` pairs at least.
#[inline(always)]
pub fn gap_batch<W: F32xN>(
    a: &[PackedTriangle],
    ids_a: &[u32; 16],
    b: &[PackedTriangle],
    ids_b: &[u32; 16],
    count: usize,
    transform: &TriangleTransform,
) -> Span {
    let mut span = Span::default();
    let mut first = 0;
    while first < count {
        let pair = Pair::<W>::read(a, ids_a, b, ids_b, first, transform);
        let (low, high) = pair.span(transform.rounding);
        store(low, first, &mut span.low);
        store(high, first, &mut span.high);
        first += W::LANES;
    }
    span
}

/// Which of the first `count` pairs of triangles with these ids may be within a limit: those that
/// three directions do not part by more, so that closest points are worth looking for.
#[inline(always)]
pub fn near_batch<W: F32xN>(
    a: &[PackedTriangle],
    ids_a: &[u32; 16],
    b: &[PackedTriangle],
    ids_b: &[u32; 16],
    count: usize,
    transform: &TriangleTransform,
    limit: f32,
) -> u32 {
    let (mut near, mut first) = (0, 0);
    while first < count {
        let pair = Pair::<W>::read(a, ids_a, b, ids_b, first, transform);
        let far = W::bits(pair.is_beyond(transform.rounding, limit));
        near |= (!far & ((1_u64 << W::LANES) - 1) as u32) << first;
        first += W::LANES;
    }
    near & ((1_u64 << count) - 1) as u32
}

#[inline(always)]
fn store<W: F32xN>(lanes: W, first: usize, out: &mut [f32; 16]) {
    let mut bits = [0; 16];
    lanes.compress(((1_u64 << W::LANES) - 1) as u32, &mut bits);
    for i in 0..W::LANES {
        out[first + i] = f32::from_bits(bits[i]);
    }
}

/// Corners, and sides: two from the first corner, and one from the second to the third.
struct Pair<W> {
    a: [[W; 3]; 3],
    b: [[W; 3]; 3],
    a_sides: [[W; 3]; 3],
    b_sides: [[W; 3]; 3],
}

/// The shortest step from the first triangle to the second so far.
struct Shortest<W> {
    square: W,
    step: [W; 3],
}

impl<W: F32xN> Shortest<W> {
    #[inline(always)]
    fn offer(&mut self, step: [W; 3], known: u32) {
        let square = dot(step, step);
        let shorter = W::bits(self.square.greater(square)) & known;
        self.step = select(shorter, step, self.step);
        self.square = W::select(W::mask(shorter), square, self.square);
    }
}

/// Within 0 and 1; 0 if it is no number.
#[inline(always)]
fn clamped<W: F32xN>(x: W) -> W {
    let (zero, one) = (W::splat(0.0), W::splat(1.0));
    let x = x.max(zero);
    W::select(x.greater(one), one, x)
}

#[inline(always)]
fn least<W: F32xN>(x: W, y: W) -> W {
    W::select(x.greater(y), y, x)
}

#[inline(always)]
fn moved<W: F32xN>(point: [W; 3], way: [W; 3], part: W) -> [W; 3] {
    [
        way[0].times_plus(part, point[0]),
        way[1].times_plus(part, point[1]),
        way[2].times_plus(part, point[2]),
    ]
}

impl<W: F32xN> Pair<W> {
    /// Brings as many pairs together as fill the lanes, from the one numbered `first` on.
    #[inline(always)]
    fn read(
        a: &[PackedTriangle],
        ids_a: &[u32; 16],
        b: &[PackedTriangle],
        ids_b: &[u32; 16],
        first: usize,
        transform: &TriangleTransform,
    ) -> Self {
        let (p, [e, f]) = W::records(a, ids_a, first);
        let (q, [g, h]) = W::records(b, ids_b, first);
        let step = W::shift(&p, &q, &transform.shift);
        let (g, h) = (turn(&transform.rotation, g), turn(&transform.rotation, h));
        Self {
            a: [[W::splat(0.0); 3], e, f],
            b: [step, add(step, g), add(step, h)],
            a_sides: [e, f, sub(f, e)],
            b_sides: [g, h, sub(h, g)],
        }
    }

    /// What f32 may have lost.
    #[inline(always)]
    fn lost(&self, rounding: f32) -> W {
        let a = size(self.a_sides[0]).max(size(self.a_sides[1]));
        let b = size(self.b_sides[0]).max(size(self.b_sides[1]));
        let sizes = a + b + size(self.b[0]);
        sizes.times_plus(W::splat(LOST), W::splat(2.0 * rounding + VANISHED))
    }

    #[inline(always)]
    fn normals(&self) -> [[W; 3]; 2] {
        [cross(self.a_sides[0], self.a_sides[1]), cross(self.b_sides[0], self.b_sides[1])]
    }

    #[inline(always)]
    fn is_beyond(&self, rounding: f32, limit: f32) -> W::Mask {
        let reach = (self.lost(rounding) + W::splat(limit)) * W::splat(MORE);
        let [of_a, of_b] = self.normals();
        let mut far = self.is_parted(of_a, reach);
        far = far | self.is_parted(of_b, reach);
        far | self.is_parted(self.middles(), reach)
    }

    /// Whether more than so much lies between the triangles along a direction. Without a division:
    /// everything but the length of a direction that is not too short stays above 2⁻¹²⁰.
    #[inline(always)]
    fn is_parted(&self, direction: [W; 3], reach: W) -> W::Mask {
        let (between, square) = self.between(direction);
        let needed = reach * square.sqrt();
        let is_short = W::splat(SMALLEST).greater(square);
        W::select(is_short, W::splat(-1.0), between).greater(needed)
    }

    #[inline(always)]
    fn span(&self, rounding: f32) -> (W, W) {
        let (zero, infinity) = (W::splat(0.0), W::splat(f32::INFINITY));
        let lost = self.lost(rounding);
        let normals = self.normals();
        let mut shortest = Shortest { square: infinity, step: self.b[0] };
        self.between_edges(&mut shortest);
        Self::above_face(&self.a, &self.a_sides, normals[0], &self.b, false, &mut shortest);
        Self::above_face(&self.b, &self.b_sides, normals[1], &self.a, true, &mut shortest);
        let low = self.parted_along(normals[0]).max(zero);
        let low = self.parted_along(normals[1]).max(low);
        let low = self.parted_along(shortest.step).max(low);
        ((low - lost).max(zero), shortest.square.sqrt() + lost)
    }

    /// Three times the step from the middle of the first triangle to that of the second.
    #[inline(always)]
    fn middles(&self) -> [W; 3] {
        sub(add(add(self.b[0], self.b[1]), self.b[2]), add(self.a[1], self.a[2]))
    }

    #[inline(always)]
    fn between_edges(&self, shortest: &mut Shortest<W>) {
        let one = W::splat(1.0);
        let [d0, d1, d2] = self.a_sides;
        let squares_a = [dot(d0, d0), dot(d1, d1), dot(d2, d2)];
        let inverse_a = [one.over(squares_a[0]), one.over(squares_a[1]), one.over(squares_a[2])];
        let [e0, e1, e2] = self.b_sides;
        let squares_b = [dot(e0, e0), dot(e1, e1), dot(e2, e2)];
        let inverse_b = [one.over(squares_b[0]), one.over(squares_b[1]), one.over(squares_b[2])];
        for i in 0..3 {
            for j in 0..3 {
                let (d, e) = (self.a_sides[i], self.b_sides[j]);
                let step = sub(self.b[j / 2], self.a[i / 2]);
                let (across, c, f) = (dot(d, e), dot(d, step), dot(e, step));
                let whole = across.times_from(across, squares_a[i] * squares_b[j]);
                let part = across.times_from(f, c * squares_b[j]).over(whole);
                let s = clamped(part);
                let t = clamped((across * s - f) * inverse_b[j]);
                let s = clamped(across.times_plus(t, c) * inverse_a[i]);
                let minus_s = W::splat(0.0) - s;
                shortest.offer(moved(moved(step, e, t), d, minus_s), u32::MAX);
            }
        }
    }

    /// Three points above or below a face.
    #[inline(always)]
    fn above_face(
        face: &[[W; 3]; 3],
        sides: &[[W; 3]; 3],
        normal: [W; 3],
        points: &[[W; 3]; 3],
        is_from_points: bool,
        shortest: &mut Shortest<W>,
    ) {
        let (zero, one) = (W::splat(0.0), W::splat(1.0));
        let inverse = one.over(dot(normal, normal));
        let (across_u, across_v) = (cross(sides[1], normal), cross(normal, sides[0]));
        for &point in points {
            let from = sub(point, face[0]);
            let along_u = dot(from, across_u) * inverse;
            let along_v = dot(from, across_v) * inverse;
            let outside = zero.greater(along_u) | zero.greater(along_v);
            let outside = outside | (along_u + along_v).greater(one);
            // What is no number is not inside either.
            let known = W::bits((along_u + along_v).greater(W::splat(-1.0)));
            let minus = [zero - along_u, zero - along_v];
            let step = moved(moved(from, sides[0], minus[0]), sides[1], minus[1]);
            let step = if is_from_points {
                [zero - step[0], zero - step[1], zero - step[2]]
            } else {
                step
            };
            shortest.offer(step, known & !W::bits(outside));
        }
    }

    /// The gap between the triangles along a direction, in either sense; `None` if it has no
    /// length.
    #[inline(always)]
    fn parted_along(&self, direction: [W; 3]) -> W {
        let (between, square) = self.between(direction);
        let parted = between.over(square.sqrt());
        W::select(square.greater(W::splat(SMALLEST)), parted, W::splat(0.0))
    }

    /// What lies between the triangles along a direction, times its length, and the square of that.
    #[inline(always)]
    fn between(&self, direction: [W; 3]) -> (W, W) {
        let zero = W::splat(0.0);
        let (e, f) = (dot(self.a[1], direction), dot(self.a[2], direction));
        let (low_a, high_a) = (least(zero, least(e, f)), zero.max(e.max(f)));
        let (p, q) = (dot(self.b[0], direction), dot(self.b[1], direction));
        let r = dot(self.b[2], direction);
        let (low_b, high_b) = (least(p, least(q, r)), p.max(q.max(r)));
        ((low_b - high_a).max(low_a - high_b), dot(direction, direction))
    }
}
