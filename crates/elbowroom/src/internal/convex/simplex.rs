//! The point of a simplex that is nearest to the origin.
//!
//! The signed-volumes method (Montanari, Petrinic and Barbieri, *Improving the GJK algorithm for
//! faster and more reliable distance queries between convex objects*, 2017). A tetrahedron contains
//! the origin if replacing any corner by the origin keeps the sign of its volume; where the sign
//! flips, the origin is beyond the opposite face, and the nearest point lies on one of those faces.
//! On a triangle the same is asked of areas, seen along the axis that shows most of it, with the
//! origin dropped onto its plane; on a segment of lengths. Nothing divides by what may be zero
//! before a sign has said that it is not.
//!
//! How we differ: the paper takes it that the newest corner is always part of the answer, which
//! rounding can break near contact. Here the end of a segment is chosen by sign as well, and a
//! degenerate triangle or tetrahedron, whose signs all fail, is left to all of its sides.

use glam::DVec3;

/// How much of each corner makes up the nearest point: not negative, with sum 1; zero for corners
/// that are not needed.
pub(super) type Weights = [f64; 4];

/// The weights of the point of the simplex nearest to the origin, for one to four corners.
pub(super) fn nearest(corners: &[DVec3]) -> Weights {
    match corners.len() {
        1 => [1.0, 0.0, 0.0, 0.0],
        2 => on_segment(corners, [0, 1]),
        3 => on_triangle(corners, [0, 1, 2]),
        _ => in_tetrahedron(corners),
    }
}

/// The point with these weights.
pub(super) fn combine(points: impl Iterator<Item = DVec3>, weights: Weights) -> DVec3 {
    points.zip(weights).fold(DVec3::ZERO, |sum, (point, weight)| sum + weight * point)
}

fn in_tetrahedron(p: &[DVec3]) -> Weights {
    // Six times the volume with the origin in the place of each corner.
    let volume = |a: DVec3, b: DVec3, c: DVec3| a.dot(b.cross(c));
    let signed = [
        volume(p[1], p[2], p[3]),
        -volume(p[0], p[2], p[3]),
        volume(p[0], p[1], p[3]),
        -volume(p[0], p[1], p[2]),
    ];
    let whole = signed[0] + signed[1] + signed[2] + signed[3];
    if signed.iter().all(|&part| same_sign(part, whole)) {
        return signed.map(|part| part / whole);
    }
    let faces = [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]];
    let beyond = (0..4).filter(|&i| !same_sign(signed[i], whole));
    least(p, beyond.map(|i| on_triangle(p, faces[i])))
}

fn on_triangle(p: &[DVec3], [i, j, k]: [usize; 3]) -> Weights {
    let (a, b, c) = (p[i], p[j], p[k]);
    let normal = (b - a).cross(c - a);
    let foot = normal * (normal.dot(a) / normal.length_squared());
    // Seen along the axis that shows most of the triangle.
    let sizes = normal.abs();
    let axis = largest_axis(sizes);
    let (x, y) = ((axis + 1) % 3, (axis + 2) % 3);
    let area = |p: DVec3, q: DVec3, r: DVec3| {
        (q[x] - p[x]) * (r[y] - p[y]) - (q[y] - p[y]) * (r[x] - p[x])
    };
    let signed = [area(foot, b, c), area(a, foot, c), area(a, b, foot)];
    let whole = normal[axis];
    let mut weights = [0.0; 4];
    if signed.iter().all(|&part| same_sign(part, whole)) {
        let sum = signed[0] + signed[1] + signed[2];
        for (corner, part) in [i, j, k].into_iter().zip(signed) {
            weights[corner] = part / sum;
        }
        return weights;
    }
    let edges = [[j, k], [i, k], [i, j]];
    let beyond = (0..3).filter(|&side| !same_sign(signed[side], whole));
    least(p, beyond.map(|side| on_segment(p, edges[side])))
}

fn on_segment(p: &[DVec3], [i, j]: [usize; 2]) -> Weights {
    let (a, b) = (p[i], p[j]);
    let along = b - a;
    let foot = a - along * (a.dot(along) / along.length_squared());
    let axis = largest_axis(along.abs());
    let (to_foot, whole) = (foot[axis] - a[axis], along[axis]);
    let mut weights = [0.0; 4];
    if !same_sign(to_foot, whole) {
        weights[i] = 1.0;
    } else if !same_sign(whole - to_foot, whole) {
        weights[j] = 1.0;
    } else {
        weights[j] = to_foot / whole;
        weights[i] = 1.0 - weights[j];
    }
    weights
}

/// Both above or both below zero; never for NaN.
fn same_sign(a: f64, b: f64) -> bool {
    (a > 0.0 && b > 0.0) || (a < 0.0 && b < 0.0)
}

fn largest_axis(sizes: DVec3) -> usize {
    if sizes.x >= sizes.y && sizes.x >= sizes.z {
        0
    } else if sizes.y >= sizes.z {
        1
    } else {
        2
    }
}

/// The weights whose point is nearest to the origin.
fn least(p: &[DVec3], candidates: impl Iterator<Item = Weights>) -> Weights {
    let mut best = ([1.0, 0.0, 0.0, 0.0], f64::INFINITY);
    for weights in candidates {
        let squared = combine(p.iter().copied(), weights).length_squared();
        if squared < best.1 {
            best = (weights, squared);
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use elbowroom_testkit::random::Random;

    use super::*;

    /// The nearest point satisfies: no corner is farther along the way back to the origin than it.
    #[test]
    fn nearest_points_satisfy_their_optimality() {
        let mut random = Random::new(51);
        let mut kept = [0; 5];
        for round in 0..40_000 {
            let count = 1 + round % 4;
            let shift = DVec3::splat(random.uniform(-1.0, 1.0));
            let lattice = random.one_in(2);
            let corners: Vec<DVec3> = (0..count)
                .map(|_| {
                    DVec3::from_array(std::array::from_fn(|_| {
                        if lattice { random.range(-2, 2) as f64 } else { random.uniform(-1.0, 1.0) }
                    })) + if lattice { DVec3::ZERO } else { shift }
                })
                .collect();
            let weights = nearest(&corners);
            assert!(weights.iter().all(|&w| (0.0..=1.0).contains(&w)), "{weights:?}");
            assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-14);
            assert!(weights[count..].iter().all(|&w| w == 0.0));
            let v = combine(corners.iter().copied(), weights);
            for &corner in &corners {
                assert!(v.dot(corner) - v.length_squared() > -1e-12, "{corners:?} {weights:?}");
            }
            kept[weights.iter().filter(|&&w| w > 0.0).count()] += 1;
        }
        assert!(kept[1..].iter().all(|&met| met > 500), "{kept:?}");
    }
}
