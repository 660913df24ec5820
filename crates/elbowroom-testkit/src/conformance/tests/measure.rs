//! Distances, winding numbers and random points in plain doubles: independent of everything else,
//! and good enough to catch an answer that is wrong by more than rounding.

use crate::conformance::Body;
use crate::random::Random;

type Vector = [f64; 3];

/// The placed triangles, rounded.
pub(super) fn placed(body: &Body) -> Vec<[Vector; 3]> {
    let soup = body.mesh.baked(&body.pose);
    (0..soup.triangles.len()).map(|i| soup.triangle(i)).collect()
}

fn minus(p: Vector, q: Vector) -> Vector {
    std::array::from_fn(|k| p[k] - q[k])
}

fn along(p: Vector, s: f64, d: Vector) -> Vector {
    std::array::from_fn(|k| p[k] + s * d[k])
}

fn dot(p: Vector, q: Vector) -> f64 {
    p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
}

fn cross(p: Vector, q: Vector) -> Vector {
    [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
}

fn length(p: Vector) -> f64 {
    dot(p, p).sqrt()
}

/// The smallest distance of two meshes over all pairs of triangles; none where squares leave the
/// range of doubles or there are too many pairs to wait for. What crosses may have a distance here:
/// only features are measured.
pub(super) fn distance(a: &Body, b: &Body) -> Option<f64> {
    let (first, second) = (placed(a), placed(b));
    let reach =
        first.iter().chain(&second).flatten().flatten().fold(0.0, |m: f64, x| m.max(x.abs()));
    if !(1e-100..1e100).contains(&reach) || first.len() * second.len() > 300_000 {
        return None;
    }
    let mut best = f64::INFINITY;
    for p in &first {
        for q in &second {
            best = best.min(of_triangles(p, q));
        }
    }
    Some(best)
}

fn of_triangles(p: &[Vector; 3], q: &[Vector; 3]) -> f64 {
    let mut best = f64::INFINITY;
    for i in 0..3 {
        best = best.min(to_face(p[i], q)).min(to_face(q[i], p));
        for j in 0..3 {
            best = best.min(of_segments([p[i], p[(i + 1) % 3]], [q[j], q[(j + 1) % 3]]));
        }
        if pierces([p[i], p[(i + 1) % 3]], q) || pierces([q[i], q[(i + 1) % 3]], p) {
            return 0.0;
        }
    }
    best
}

/// The distance to the plane where the point is above the inside; the edges are measured elsewhere.
fn to_face(p: Vector, t: &[Vector; 3]) -> f64 {
    let normal = cross(minus(t[1], t[0]), minus(t[2], t[0]));
    let size = length(normal);
    let inside = |i: usize| dot(cross(minus(t[(i + 1) % 3], t[i]), minus(p, t[i])), normal) >= 0.0;
    if size > 0.0 && (0..3).all(inside) {
        dot(minus(p, t[0]), normal).abs() / size
    } else {
        f64::INFINITY
    }
}

fn pierces([p, q]: [Vector; 2], t: &[Vector; 3]) -> bool {
    let normal = cross(minus(t[1], t[0]), minus(t[2], t[0]));
    let (above, below) = (dot(minus(p, t[0]), normal), dot(minus(q, t[0]), normal));
    if above * below >= 0.0 {
        return false;
    }
    let at = along(p, above / (above - below), minus(q, p));
    (0..3).all(|i| dot(cross(minus(t[(i + 1) % 3], t[i]), minus(at, t[i])), normal) >= 0.0)
}

/// The distance of two segments, each step being the best for one of them (Ericson, Real-Time
/// Collision Detection, 2005).
fn of_segments([p, q]: [Vector; 2], [r, s]: [Vector; 2]) -> f64 {
    let (u, v, w) = (minus(q, p), minus(s, r), minus(p, r));
    let (a, e, b) = (dot(u, u), dot(v, v), dot(u, v));
    let (c, f) = (dot(u, w), dot(v, w));
    let clamped = |x: f64, d: f64| if d > 0.0 { (x / d).clamp(0.0, 1.0) } else { 0.0 };
    let mut best = f64::INFINITY;
    // The inner solution and all ends: whichever is nearest is the truth.
    let inner = clamped(b * f - c * e, a * e - b * b);
    for start in [inner, 0.0, 1.0] {
        let on_second = clamped(b * start + f, e);
        let on_first = clamped(b * on_second - c, a);
        let gap = minus(along(p, on_first, u), along(r, on_second, v));
        best = best.min(length(gap));
    }
    best
}

/// The winding number of a point, as the sum of solid angles (van Oosterom and Strackee, The solid
/// angle of a plane triangle, 1983).
pub(super) fn winding(triangles: &[[Vector; 3]], at: Vector) -> f64 {
    let mut sum = 0.0;
    for t in triangles {
        let [a, b, c] = t.map(|p| minus(p, at));
        let (la, lb, lc) = (length(a), length(b), length(c));
        let over = dot(a, cross(b, c));
        let under = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
        sum += 2.0 * over.atan2(under);
    }
    sum / (4.0 * std::f64::consts::PI)
}

/// A point of a box that reaches a little beyond both meshes.
pub(super) fn random_point(a: &[[Vector; 3]], b: &[[Vector; 3]], random: &mut Random) -> Vector {
    std::array::from_fn(|k| {
        let coordinates = || a.iter().chain(b).flatten().map(|p| p[k]);
        let low = coordinates().fold(f64::INFINITY, f64::min);
        let high = coordinates().fold(f64::NEG_INFINITY, f64::max);
        low + (high - low) * (random.unit() * 1.02 - 0.01)
    })
}
