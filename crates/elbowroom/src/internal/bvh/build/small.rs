//! The smallest box for a few triangles, among those that stand on one of them.
//!
//! A flat patch is best boxed along one of its own edges, which the covariance knows nothing of.
//! The candidates are the frames of a triangle's normal and one of its two longest edges. Of pairs,
//! which are many, eight are processed together, one a lane, and these four frames are all
//! ([`stand`]). For others, and pairs that have no such frame, eight candidates are measured
//! together, the eigenvectors first ([`best`]): few triangles give all their frames, more give one
//! each, as far as lanes go.

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

use super::corners::Corners;
use crate::internal::arch::F32x8;

/// No edges.
const NONE: [f32; 3] = [0.0; 3];

/// Eight triangles, one a lane: the components of their corners.
pub(super) type Columns = [[f32; 8]; 9];

/// Puts a triangle into a lane.
#[inline(always)]
pub(super) fn put(corners: &Corners, lane: usize, columns: &mut Columns) {
    for k in 0..9 {
        columns[k][lane] = corners.0[k + k / 3];
    }
}

/// The longest edges, second longest edges and normals of eight triangles, of length 1; zero where
/// there is none.
#[inline(always)]
fn edges<O: F32x8>(points: &[[O; 3]; 3]) -> [[O; 3]; 3] {
    let [p, q, r] = *points;
    let (e, f, g) = (minus(q, p), minus(r, p), minus(r, q));
    let n = unit(cross(e, f));
    let (e2, f2, g2) = (dot(e, e), dot(f, f), dot(g, g));
    // Sorts three edges by length.
    let ((e, e2), (f, f2)) = ordered((e, e2), (f, f2));
    let ((first, _), (g, g2)) = ordered((e, e2), (g, g2));
    let ((second, _), _) = ordered((f, f2), (g, g2));
    [unit(first), unit(second), n]
}

#[inline(always)]
fn points<O: F32x8>(c: &Columns) -> [[O; 3]; 3] {
    [
        [O::load(&c[0]), O::load(&c[1]), O::load(&c[2])],
        [O::load(&c[3]), O::load(&c[4]), O::load(&c[5])],
        [O::load(&c[6]), O::load(&c[7]), O::load(&c[8])],
    ]
}

/// The longest edges and the normals of eight triangles, component by component.
#[inline(always)]
pub(super) fn edge_and_normal<O: F32x8>(columns: &Columns) -> [[f32; 8]; 6] {
    let [edge, _, normal] = edges(&points::<O>(columns));
    let ([a, b, c], [d, e, f]) = (arrays(edge), arrays(normal));
    [a, b, c, d, e, f]
}

/// Which way the boxes of eight pairs stand.
pub(super) struct Stand {
    /// An edge and a normal, component by component.
    pub(super) directions: [[f32; 8]; 6],
    /// How far they reach along these and across, and the other way.
    pub(super) row: [[f32; 8]; 6],
}

/// The smallest boxes of eight pairs, among those along a normal and one of the two longest edges
/// of its triangle; infinite where there is no such frame.
#[inline(always)]
pub(super) fn stand<O: F32x8>(pairs: &[Columns; 2]) -> Stand {
    let sides = [points::<O>(&pairs[0]), points::<O>(&pairs[1])];
    let all = [sides[0][0], sides[0][1], sides[0][2], sides[1][0], sides[1][1], sides[1][2]];
    let most = O::splat(f32::INFINITY);
    let mut least = most;
    let mut best = [most; 12];
    for side in &sides {
        let [first, second, normal] = edges(side);
        let (above, below) = span(normal, &all);
        for edge in [first, second] {
            let across = cross(edge, normal);
            let (right, left) = span(across, &all);
            let (front, back) = span(edge, &all);
            let (x, y, z) = (front + back, above + below, right + left);
            let area = x.times_plus(y, z * (x + y));
            // What has no length in a direction is no frame.
            let area = O::select(O::splat(0.5).greater(dot(across, across)), most, area);
            let smaller = least.greater(area);
            least = O::select(smaller, area, least);
            let own = [
                edge[0], edge[1], edge[2], normal[0], normal[1], normal[2], front, above, right,
                back, below, left,
            ];
            for k in 0..12 {
                best[k] = O::select(smaller, own[k], best[k]);
            }
        }
    }
    let mut all = [[0.0; 8]; 12];
    for k in 0..12 {
        all[k] = best[k].to_array();
    }
    let [a, b, c, d, e, f, g, h, i, j, k, l] = all;
    Stand { directions: [a, b, c, d, e, f], row: [g, h, i, j, k, l] }
}

/// How far points reach in a direction, and in the other.
#[inline(always)]
fn span<O: F32x8>(direction: [O; 3], points: &[[O; 3]; 6]) -> (O, O) {
    let first = dot(direction, points[0]);
    let (mut high, mut low) = (first, first);
    for point in &points[1..] {
        let at = dot(direction, *point);
        (high, low) = (high.max(at), low.min(at));
    }
    (high, O::splat(0.0) - low)
}

#[inline(always)]
fn arrays<O: F32x8>(v: [O; 3]) -> [[f32; 8]; 3] {
    [v[0].to_array(), v[1].to_array(), v[2].to_array()]
}

/// The longer first.
#[inline(always)]
fn ordered<O: F32x8>(a: ([O; 3], O), b: ([O; 3], O)) -> (([O; 3], O), ([O; 3], O)) {
    let more = b.1.greater(a.1);
    let pick = |x: O, y: O| (O::select(more, y, x), O::select(more, x, y));
    let (x, y, z, l) =
        (pick(a.0[0], b.0[0]), pick(a.0[1], b.0[1]), pick(a.0[2], b.0[2]), pick(a.1, b.1));
    (([x.0, y.0, z.0], l.0), ([x.1, y.1, z.1], l.1))
}

/// The two directions of the best candidate. `eigen` are two of the eigenvectors. At least two
/// members.
#[inline(always)]
pub(super) fn best<O: F32x8>(
    corners: &[Corners],
    members: &[u32],
    eigen: [[f32; 3]; 2],
) -> [[f32; 3]; 2] {
    let mut columns = [[0.0; 8]; 9];
    for (lane, &member) in members.iter().take(7).enumerate() {
        put(&corners[member as usize], lane, &mut columns);
    }
    let [first, second, normal] = edges(&points::<O>(&columns));
    let (own, normal) = ([arrays(first), arrays(second)], arrays(normal));
    let mut along = [NONE; 8];
    let mut across = [NONE; 8];
    (along[0], across[0]) = (eigen[0], eigen[1]);
    let each = if members.len() <= 3 { 2 } else { 1 };
    let mut lane = 1;
    for member in 0..members.len().min(7) {
        for edge in &own[..each] {
            for k in 0..3 {
                along[lane][k] = edge[k][member];
                across[lane][k] = normal[k][member];
            }
            lane += 1;
        }
    }
    let column = |from: &[[f32; 3]; 8], k: usize| O::load(&from.map(|v| v[k]));
    let u = [column(&along, 0), column(&along, 1), column(&along, 2)];
    let v = [column(&across, 0), column(&across, 1), column(&across, 2)];
    let w = cross(u, v);
    let least = O::splat(f32::INFINITY);
    let most = O::splat(f32::NEG_INFINITY);
    let (mut low, mut high) = ([least; 3], [most; 3]);
    for &member in members {
        let c = &corners[member as usize].0;
        for k in [0, 4, 8] {
            let point = [O::splat(c[k]), O::splat(c[k + 1]), O::splat(c[k + 2])];
            let at = [dot(u, point), dot(v, point), dot(w, point)];
            low = [low[0].min(at[0]), low[1].min(at[1]), low[2].min(at[2])];
            high = [high[0].max(at[0]), high[1].max(at[1]), high[2].max(at[2])];
        }
    }
    let side = minus(high, low);
    let area = side[0].times_plus(side[1], side[2] * (side[0] + side[1]));
    // What has no length in a direction is no frame.
    let frame = O::splat(0.5).greater(dot(w, w));
    let area = O::select(frame, least, area).to_array();
    let smaller = |i: usize, j: usize| if area[j] < area[i] { j } else { i };
    let (a, b, c, d) = (smaller(0, 1), smaller(2, 3), smaller(4, 5), smaller(6, 7));
    let chosen = smaller(smaller(a, b), smaller(c, d));
    [along[chosen], across[chosen]]
}

#[inline(always)]
fn unit<O: F32x8>(v: [O; 3]) -> [O; 3] {
    let length = dot(v, v).sqrt().max(O::splat(1e-15));
    let share = O::splat(1.0).over(length);
    [v[0] * share, v[1] * share, v[2] * share]
}

#[inline(always)]
fn dot<O: F32x8>(a: [O; 3], b: [O; 3]) -> O {
    a[2].times_plus(b[2], a[1].times_plus(b[1], a[0] * b[0]))
}

#[inline(always)]
fn minus<O: F32x8>(a: [O; 3], b: [O; 3]) -> [O; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
fn cross<O: F32x8>(a: [O; 3], b: [O; 3]) -> [O; 3] {
    [
        a[2].times_from(b[1], a[1] * b[2]),
        a[0].times_from(b[2], a[2] * b[0]),
        a[1].times_from(b[0], a[0] * b[1]),
    ]
}
