//! Tetrahedra with whole corners: what two of them have in common, by the half-spaces that they
//! are.
//!
//! What is common to two tetrahedra is the set of points in eight half-spaces. Its corners are
//! among the points in which three of the eight planes meet; there are 56, and Cramer's rule gives
//! each as whole numbers over one. If those that are in all half-spaces do not lie in one plane,
//! the interiors meet. A tetrahedron has something for itself unless all its corners are in the
//! other.

use super::Regions;
use crate::random::Random;

/// A tetrahedron; its corners span a positive volume.
pub type Tetrahedron = [[i64; 3]; 4];

/// The faces, outward.
pub const FACES: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];

/// A random one with corners from 0 to `size`.
pub fn random(random: &mut Random, size: i64) -> Tetrahedron {
    loop {
        let corners: Tetrahedron =
            std::array::from_fn(|_| std::array::from_fn(|_| random.range(0, size)));
        if volume(&corners) > 0 {
            return corners;
        }
    }
}

/// The parts of two tetrahedra.
pub fn regions(a: &Tetrahedron, b: &Tetrahedron) -> Regions {
    let planes: Vec<Plane> = planes(a).into_iter().chain(planes(b)).collect();
    let mut corners: Vec<[i128; 4]> = Vec::new();
    for i in 0..8 {
        for j in 0..i {
            for k in 0..j {
                corners.extend(
                    common(&planes[i], &planes[j], &planes[k])
                        .filter(|p| planes.iter().all(|plane| plane.height(p) <= 0)),
                );
            }
        }
    }
    let outside = |own: &Tetrahedron, planes: &[Plane]| {
        own.iter().any(|c| {
            let point = [c[0], c[1], c[2], 1].map(i128::from);
            planes.iter().any(|plane| plane.height(&point) > 0)
        })
    };
    let both = span(&corners);
    Regions { both, only_a: outside(a, &planes[4..]), only_b: outside(b, &planes[..4]) }
}

/// normal · p ≤ offset is inside.
struct Plane {
    normal: [i128; 3],
    offset: i128,
}

impl Plane {
    /// Above zero outside; of a point over its last, positive coordinate.
    fn height(&self, p: &[i128; 4]) -> i128 {
        let dot: i128 = (0..3).map(|k| self.normal[k] * p[k]).sum();
        dot - self.offset * p[3]
    }
}

fn planes(t: &Tetrahedron) -> Vec<Plane> {
    let plane = |face: &[u32; 3]| {
        let [p, q, r] = face.map(|corner| t[corner as usize].map(i128::from));
        let normal = cross(minus(q, p), minus(r, p));
        Plane { normal, offset: dot(normal, p) }
    };
    FACES.iter().map(plane).collect()
}

/// The point of three planes, over a positive number.
fn common(p: &Plane, q: &Plane, r: &Plane) -> Option<[i128; 4]> {
    let whole = dot(p.normal, cross(q.normal, r.normal));
    let (qr, rp, pq) =
        (cross(q.normal, r.normal), cross(r.normal, p.normal), cross(p.normal, q.normal));
    let at = |k: usize| p.offset * qr[k] + q.offset * rp[k] + r.offset * pq[k];
    let sign = whole.signum();
    (sign != 0).then(|| [at(0) * sign, at(1) * sign, at(2) * sign, whole * sign])
}

/// Whether points do not lie in one plane.
fn span(points: &[[i128; 4]]) -> bool {
    let Some(first) = points.first() else { return false };
    let step = |p: &[i128; 4]| std::array::from_fn(|k| p[k] * first[3] - first[k] * p[3]);
    let steps: Vec<[i128; 3]> = points.iter().map(step).map(reduced).collect();
    let Some(&u) = steps.iter().find(|&&s| s != [0; 3]) else { return false };
    let Some(n) = steps.iter().map(|&v| reduced(cross(u, v))).find(|&n| n != [0; 3]) else {
        return false;
    };
    steps.iter().any(|&w| dot(n, w) != 0)
}

/// Without common factors, so that products stay small.
fn reduced(v: [i128; 3]) -> [i128; 3] {
    let mut factor = 0;
    for mut x in v.map(i128::abs) {
        while x != 0 {
            (factor, x) = (x, factor % x);
        }
    }
    if factor == 0 { v } else { v.map(|x| x / factor) }
}

fn volume(t: &Tetrahedron) -> i128 {
    let [a, b, c, d] = t.map(|corner| corner.map(i128::from));
    dot(minus(d, a), cross(minus(b, a), minus(c, a)))
}

fn minus(p: [i128; 3], q: [i128; 3]) -> [i128; 3] {
    std::array::from_fn(|k| p[k] - q[k])
}

fn dot(p: [i128; 3], q: [i128; 3]) -> i128 {
    (0..3).map(|k| p[k] * q[k]).sum()
}

fn cross(p: [i128; 3], q: [i128; 3]) -> [i128; 3] {
    std::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        p[i] * q[j] - p[j] * q[i]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_positions_have_known_parts() {
        let t = [[0; 3], [4, 0, 0], [0, 4, 0], [0, 0, 4]];
        let parts = |both, only_a, only_b| Regions { both, only_a, only_b };
        assert_eq!(regions(&t, &t), parts(true, false, false));
        assert_eq!(regions(&t, &t.map(|p| p.map(|x| x / 2))), parts(true, true, false));
        assert_eq!(regions(&t, &t.map(|[x, y, z]| [x + 1, y, z])), parts(true, true, true));
        assert_eq!(regions(&t, &t.map(|[x, y, z]| [x + 4, y, z])), parts(false, true, true));
        let below = [[0; 3], [0, 4, 0], [4, 0, 0], [0, 0, -4]];
        assert_eq!(regions(&t, &below), parts(false, true, true));
    }
}
