//! The smallest box for a few triangles, among those that stand on one of them.
//!
//! A flat patch is best boxed along one of its own edges, which the covariance knows nothing of. Eight candidates are
//! measured together, one a lane: the eigenvectors, and the frames of a triangle's normal and one of its two
//! longest edges. Few triangles give all theirs, more give one each, as far as lanes go.

// A kernel must become part of the function that switches the instruction set on.
#![expect(clippy::inline_always)]

use super::corners::Corners;
use crate::arch::Oct;

/// A triangle's longest edge, second longest edge and normal, of length 1; zero where there is none.
pub(super) type Edges = [[f32; 3]; 3];

/// No edges.
const NONE: [f32; 3] = [0.0; 3];

/// The edges and normals of up to eight triangles.
#[inline(always)]
pub(super) fn edges<O: Oct>(corners: &[Corners], out: &mut Vec<Edges>) {
    for eight in corners.chunks(8) {
        let mut columns = [[0.0; 8]; 9];
        for (lane, corners) in eight.iter().enumerate() {
            for k in 0..9 {
                columns[k][lane] = corners.0[k + k / 3];
            }
        }
        let c = columns;
        let point = |k: usize| [O::load(&c[k]), O::load(&c[k + 1]), O::load(&c[k + 2])];
        let (p, q, r) = (point(0), point(3), point(6));
        let (e, f, g) = (minus(q, p), minus(r, p), minus(r, q));
        let n = unit(cross(e, f));
        let (e2, f2, g2) = (dot(e, e), dot(f, f), dot(g, g));
        // Sorts three edges by length.
        let ((e, e2), (f, f2)) = ordered((e, e2), (f, f2));
        let ((first, _), (g, g2)) = ordered((e, e2), (g, g2));
        let ((second, _), _) = ordered((f, f2), (g, g2));
        let (first, second) = (unit(first), unit(second));
        let (first, second, n) = (arrays(first), arrays(second), arrays(n));
        for lane in 0..eight.len() {
            let at = |v: &[[f32; 8]; 3]| [v[0][lane], v[1][lane], v[2][lane]];
            out.push([at(&first), at(&second), at(&n)]);
        }
    }
}

#[inline(always)]
fn arrays<O: Oct>(v: [O; 3]) -> [[f32; 8]; 3] {
    [v[0].to_array(), v[1].to_array(), v[2].to_array()]
}

/// The longer first.
#[inline(always)]
fn ordered<O: Oct>(a: ([O; 3], O), b: ([O; 3], O)) -> (([O; 3], O), ([O; 3], O)) {
    let more = b.1.greater(a.1);
    let pick = |x: O, y: O| (O::select(more, y, x), O::select(more, x, y));
    let (x, y, z, l) =
        (pick(a.0[0], b.0[0]), pick(a.0[1], b.0[1]), pick(a.0[2], b.0[2]), pick(a.1, b.1));
    (([x.0, y.0, z.0], l.0), ([x.1, y.1, z.1], l.1))
}

/// The two directions of the best candidate. `eigen` are two of the eigenvectors. At least two members.
#[inline(always)]
pub(super) fn best<O: Oct>(
    corners: &[Corners],
    edges: &[Edges],
    members: &[u32],
    eigen: [[f32; 3]; 2],
) -> [[f32; 3]; 2] {
    let mut along = [&NONE; 8];
    let mut across = [&NONE; 8];
    (along[0], across[0]) = (&eigen[0], &eigen[1]);
    let each = if members.len() <= 3 { 2 } else { 1 };
    let mut lane = 1;
    for &member in members.iter().take(7) {
        let edges = &edges[member as usize];
        for edge in &edges[..each] {
            (along[lane], across[lane]) = (edge, &edges[2]);
            lane += 1;
        }
    }
    let column = |from: &[&[f32; 3]; 8], k: usize| O::load(&from.map(|v| v[k]));
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
    [*along[chosen], *across[chosen]]
}

#[inline(always)]
fn unit<O: Oct>(v: [O; 3]) -> [O; 3] {
    let length = dot(v, v).sqrt().max(O::splat(1e-15));
    let share = O::splat(1.0).over(length);
    [v[0] * share, v[1] * share, v[2] * share]
}

#[inline(always)]
fn dot<O: Oct>(a: [O; 3], b: [O; 3]) -> O {
    a[2].times_plus(b[2], a[1].times_plus(b[1], a[0] * b[0]))
}

#[inline(always)]
fn minus<O: Oct>(a: [O; 3], b: [O; 3]) -> [O; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
fn cross<O: Oct>(a: [O; 3], b: [O; 3]) -> [O; 3] {
    [
        a[2].times_from(b[1], a[1] * b[2]),
        a[0].times_from(b[2], a[2] * b[0]),
        a[1].times_from(b[0], a[0] * b[1]),
    ]
}
