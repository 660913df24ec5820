//! The triangle test in f32, sixteen pairs to a SIMD batch, as far as f32 can tell.
//!
//! A triangle is kept as its first corner in f64, which is exact, and two edges in f32. The step
//! from one triangle's corner to the other's is worked out in f64 and only then rounded, so that
//! all numbers after it are as small as the triangles themselves and f32 is good for nearly every
//! sign: what it cannot tell is handed to [`relate`](super::relate).
//!
//! The signs are those of Guigue and Devillers, as in [`relate`](super::relate), but none of them
//! may be in doubt here: a pair is *apart* or *crossing* for certain, or *unsure*. A sign is
//! certain where the determinant is above its bound; the bounds are derived in
//! `docs/notes/triangle-batches.md`.

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

use glam::{DMat3, DVec3};

use crate::internal::arch::{F32xN, PackedTriangle, TransformF64};

/// A triangle as a batch reads it: a corner in f64, and the edges from it to the next and to the
/// last in f32.
///
/// The corner is that opposite the longest edge, because bounds grow with the product of the two
/// edges.
pub fn pack_triangle([p, q, r]: [DVec3; 3]) -> PackedTriangle {
    let [to_p, to_q, to_r] = [(r - q), (p - r), (q - p)].map(DVec3::length_squared);
    // Read from a place instead of chosen: which edge is longest cannot be guessed, and a tree
    // makes a record of every triangle.
    let round = [p, q, r, p, q];
    let is_q = to_q > to_p && to_q >= to_r;
    let is_r = !is_q && to_r > to_p;
    let first = usize::from(is_q) | usize::from(is_r) << 1;
    let [p, q, r] = [round[first], round[first + 1], round[first + 2]];
    let words = |x: f64| [x.to_bits() as u32, (x.to_bits() >> 32) as u32];
    let ([x, y, z], e, f) = (p.to_array().map(words), q - p, r - p);
    let edge = |v: f64| (v as f32).to_bits();
    PackedTriangle([
        [x[0], x[1], y[0], y[1]],
        [z[0], z[1], edge(e.x), edge(e.y)],
        [edge(e.z), edge(f.x), edge(f.y), edge(f.z)],
    ])
}

/// How the second mesh's triangles are seen from the first mesh's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriangleTransform {
    pub(super) shift: TransformF64,
    pub(super) rotation: [[f32; 3]; 3],
    /// How far the step between two corners may be off before it is rounded to f32.
    pub(super) rounding: f32,
}

impl TriangleTransform {
    /// From the pose of the second mesh relative to the first, whose entries are known but for a
    /// few roundings, and a bound for the sum of the coordinates' magnitudes in both meshes and
    /// the translation.
    pub fn new(rotation: DMat3, translation: DVec3, reach: f64) -> Self {
        let rows = [0, 1, 2].map(|i| rotation.row(i).to_array());
        Self {
            shift: TransformF64 { rotation: rows, translation: translation.to_array() },
            rotation: rows.map(|row| row.map(|x| x as f32)),
            rounding: (reach * (64.0 * super::chain::U)) as f32 + f32::MIN_POSITIVE,
        }
    }
}

/// What is known of sixteen pairs, one bit each. What is in neither is apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Relations {
    /// They cross: interiors meet, and they are not in one plane.
    pub crossing: u32,
    /// They may be apart, touch or cross.
    pub unsure: u32,
}

/// 256u of f32.
const PLANE: f32 = 1.0 / 65_536.0;
/// 1,024u of f32.
const EDGES: f32 = 1.0 / 16_384.0;
/// What products of three numbers below the normal ones can lose: 2⁻¹¹⁰.
const LOST: f32 = f32::from_bits((127 - 110) << 23);

/// The triangle whose plane is tested first. For surfaces that lie side by side, the planes of one
/// separate it from almost everything near it, and those of the other do not: an inner sphere is on
/// one side of all planes of the outer one. So the plane that separated the last pairs is tested
/// first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Plane {
    /// That of the first triangle.
    #[default]
    OfA,
    /// That of the second.
    OfB,
}

/// The relations of the triangles with these ids, pair by pair; of the first `count` pairs at
/// least. They do not depend on which plane is tested first.
#[inline(always)]
pub fn relate_batch<W: F32xN>(
    [a, b]: [&[PackedTriangle]; 2],
    [ids_a, ids_b]: [&[u32; 16]; 2],
    count: usize,
    transform: &TriangleTransform,
    first_plane: &mut Plane,
) -> Relations {
    let mut found = Relations::default();
    let mut first = 0;
    while first < count {
        let (p, e) = W::records(a, ids_a, first);
        let (q, [g, h]) = W::records(b, ids_b, first);
        let d = W::shift(&p, &q, &transform.shift);
        let f = [turn(&transform.rotation, g), turn(&transform.rotation, h)];
        let relations = Pair::<W> { e, f, d }.relate(transform.rounding, first_plane);
        found.crossing |= relations.crossing << first;
        found.unsure |= relations.unsure << first;
        first += W::LANES;
    }
    found
}

#[inline(always)]
pub(super) fn turn<W: F32xN>(rows: &[[f32; 3]; 3], v: [W; 3]) -> [W; 3] {
    [turn_row(&rows[0], v), turn_row(&rows[1], v), turn_row(&rows[2], v)]
}

#[inline(always)]
fn turn_row<W: F32xN>(row: &[f32; 3], v: [W; 3]) -> W {
    let sum = W::splat(row[0]) * v[0];
    W::splat(row[2]).times_plus(v[2], W::splat(row[1]).times_plus(v[1], sum))
}

#[inline(always)]
pub(super) fn dot<W: F32xN>(a: [W; 3], b: [W; 3]) -> W {
    a[2].times_plus(b[2], a[1].times_plus(b[1], a[0] * b[0]))
}

#[inline(always)]
pub(super) fn cross<W: F32xN>(a: [W; 3], b: [W; 3]) -> [W; 3] {
    [
        a[2].times_from(b[1], a[1] * b[2]),
        a[0].times_from(b[2], a[2] * b[0]),
        a[1].times_from(b[0], a[0] * b[1]),
    ]
}

#[inline(always)]
pub(super) fn sub<W: F32xN>(a: [W; 3], b: [W; 3]) -> [W; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
pub(super) fn add<W: F32xN>(a: [W; 3], b: [W; 3]) -> [W; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[inline(always)]
pub(super) fn select<W: F32xN>(bits: u32, yes: [W; 3], no: [W; 3]) -> [W; 3] {
    let mask = W::mask(bits);
    [W::select(mask, yes[0], no[0]), W::select(mask, yes[1], no[1]), W::select(mask, yes[2], no[2])]
}

/// The largest magnitude of a coordinate.
#[inline(always)]
pub(super) fn size<W: F32xN>(v: [W; 3]) -> W {
    v[0].abs().max(v[1].abs()).max(v[2].abs())
}

/// Two triangles in each lane, seen from the first corner of the first: that is at the origin, and
/// its edges are `e`; the first corner of the second is at `d`, and its edges are `f`.
struct Pair<W> {
    e: [[W; 3]; 2],
    f: [[W; 3]; 2],
    d: [W; 3],
}

/// Three signs in each lane, as bits.
struct Sides {
    /// The sign bits of the three.
    negative: [u32; 3],
    /// Where all three are certain.
    sure: u32,
    /// Where all three are certain and the same.
    one_side: u32,
}

impl Sides {
    #[inline(always)]
    fn new<W: F32xN>(dets: [W; 3], bound: W) -> Self {
        let sure = [
            W::bits(dets[0].abs().greater(bound)),
            W::bits(dets[1].abs().greater(bound)),
            W::bits(dets[2].abs().greater(bound)),
        ];
        let negative = [dets[0].signs(), dets[1].signs(), dets[2].signs()];
        let sure = sure[0] & sure[1] & sure[2];
        let differ = (negative[0] ^ negative[1]) | (negative[0] ^ negative[2]);
        Self { negative, sure, one_side: sure & !differ }
    }

    /// Where corner 1, and where corner 2, is alone on its side; and where the lone one is below.
    #[inline(always)]
    fn lone(&self) -> (u32, u32, u32) {
        let [a, b, c] = self.negative;
        let one = !(a ^ c);
        let two = !(a ^ b);
        (one, two, (one & b) | (two & c) | (!(one | two) & a))
    }
}

/// The largest magnitudes of coordinates: of each edge, of the edges together, and of the step
/// between the triangles.
#[derive(Clone, Copy)]
struct Sizes<W> {
    e: [W; 2],
    f: [W; 2],
    large_e: W,
    large_f: W,
    large_d: W,
    /// What the step may be off by, eight times.
    rounding: W,
}

impl<W: F32xN> Pair<W> {
    #[inline(always)]
    fn sizes(&self, rounding: f32) -> Sizes<W> {
        let (e, f) = ([size(self.e[0]), size(self.e[1])], [size(self.f[0]), size(self.f[1])]);
        let (large_e, large_f) = (e[0].max(e[1]), f[0].max(f[1]));
        Sizes { e, f, large_e, large_f, large_d: size(self.d), rounding: W::splat(8.0 * rounding) }
    }

    /// On which sides of the first triangle's plane the corners of the second are.
    #[inline(always)]
    fn sides_of_a(&self, sizes: &Sizes<W>) -> Sides {
        let Self { e, f, d } = self;
        let normal = cross(e[0], e[1]);
        let q0 = dot(normal, *d);
        let q_to_p = [q0, q0 + dot(normal, f[0]), q0 + dot(normal, f[1])];
        let off = W::splat(PLANE).times_plus(sizes.large_d + sizes.large_f, sizes.rounding);
        Sides::new(q_to_p, (sizes.e[0] * sizes.e[1]).times_plus(off, W::splat(LOST)))
    }

    /// On which sides of the second triangle's plane the corners of the first are.
    #[inline(always)]
    fn sides_of_b(&self, sizes: &Sizes<W>) -> Sides {
        let Self { e, f, d } = self;
        let normal = cross(f[0], f[1]);
        let p0 = W::splat(0.0) - dot(normal, *d);
        let p_to_q = [p0, p0 + dot(normal, e[0]), p0 + dot(normal, e[1])];
        let off = W::splat(PLANE).times_plus(sizes.large_d + sizes.large_e, sizes.rounding);
        Sides::new(p_to_q, (sizes.f[0] * sizes.f[1]).times_plus(off, W::splat(LOST)))
    }

    #[inline(always)]
    fn relate(&self, rounding: f32, first_plane: &mut Plane) -> Relations {
        let all = ((1_u64 << W::LANES) - 1) as u32;
        let sizes = self.sizes(rounding);
        let (q_to_p, p_to_q);
        if *first_plane == Plane::OfA {
            q_to_p = self.sides_of_a(&sizes);
            if q_to_p.one_side == all {
                return Relations::default();
            }
            p_to_q = self.sides_of_b(&sizes);
            if p_to_q.one_side == all {
                *first_plane = Plane::OfB;
                return Relations::default();
            }
        } else {
            p_to_q = self.sides_of_b(&sizes);
            if p_to_q.one_side == all {
                return Relations::default();
            }
            q_to_p = self.sides_of_a(&sizes);
            if q_to_p.one_side == all {
                *first_plane = Plane::OfA;
                return Relations::default();
            }
        }
        let left = all & !(q_to_p.one_side | p_to_q.one_side);
        if left == 0 {
            return Relations::default();
        }
        let unsure = left & !(q_to_p.sure & p_to_q.sure);
        let Sizes { large_e, large_f, large_d, rounding, .. } = sizes;
        let off = W::splat(EDGES).times_plus(large_d + large_e + large_f, W::splat(4.0) * rounding);
        let bound = (large_e * large_f).times_plus(off, W::splat(LOST));
        let (crossing, doubtful) = self.overlap(&p_to_q, &q_to_p, bound);
        let open = left & !unsure;
        Relations { crossing: open & crossing, unsure: unsure | (open & doubtful) }
    }

    /// Where the intervals on the line of both planes overlap for certain, and where that is in
    /// doubt.
    #[inline(always)]
    fn overlap(&self, p_to_q: &Sides, q_to_p: &Sides, bound: W) -> (u32, u32) {
        let Self { e, f, d } = self;
        let (p_one, p_two, flip_q) = p_to_q.lone();
        let (q_one, q_two, flip_p) = q_to_p.lone();
        let (u1, u2) = from_apex(*e, p_one, p_two, flip_p);
        let (v1, v2) = from_apex(*f, q_one, q_two, flip_q);
        let zero = [W::splat(0.0); 3];
        let p = select(p_two, e[1], select(p_one, e[0], zero));
        let q = select(q_two, f[1], select(q_one, f[0], zero));
        let w = sub(add(*d, q), p);
        let i_to_k = dot(v1, cross(u1, w));
        let l_to_j = dot(v2, cross(u2, w));
        let below = W::splat(0.0) - bound;
        let apart = W::bits(i_to_k.greater(bound)) | W::bits(below.greater(l_to_j));
        let meet = W::bits(below.greater(i_to_k)) & W::bits(l_to_j.greater(bound));
        (meet, !(apart | meet))
    }
}

/// The edges from the lone corner to the next and to the last, swapped where the triangle is to be
/// turned over.
#[inline(always)]
fn from_apex<W: F32xN>(e: [[W; 3]; 2], one: u32, two: u32, flip: u32) -> ([W; 3], [W; 3]) {
    let zero = [W::splat(0.0); 3];
    let third = sub(e[1], e[0]);
    let next = select(two, sub(zero, e[1]), select(one, third, e[0]));
    let last = select(two, sub(zero, third), select(one, sub(zero, e[0]), e[1]));
    (select(flip, last, next), select(flip, next, last))
}
