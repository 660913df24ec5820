//! Nets of control points: halving, flatness, derivatives.
//!
//! Halving takes means of neighbours and nothing else. A mean is rounded by at most one rounding of
//! the larger of the two, means of rounded points are no farther off than the points were, so a net
//! after k levels of halving is within k·degree roundings of the largest coordinate of the exact
//! one.

use glam::DVec3;

use elbowroom::internal::math::moments::unit_scale;

/// The length, at any size: squares of tiny numbers vanish, and flatness must not.
fn length(v: DVec3) -> f64 {
    let scale = unit_scale(v.abs().max_element());
    (v * scale).length() / scale
}

/// The point of a curve, by de Casteljau's rule; the points are used up.
pub(super) fn evaluate(points: &mut [DVec3], t: f64) -> DVec3 {
    for end in (1..points.len()).rev() {
        for i in 0..end {
            // Both products first, so that differences of huge numbers do not overflow.
            points[i] = points[i] * (1.0 - t) + points[i + 1] * t;
        }
    }
    points[0]
}

/// The nets of the two halves of a patch across u (0) or v (1).
pub(super) fn halve(degrees: [usize; 2], net: &[DVec3], direction: usize) -> [Vec<DVec3>; 2] {
    let (mut low, mut high) = (net.to_vec(), net.to_vec());
    let width = degrees[1] + 1;
    let (lines, step, next) =
        if direction == 0 { (width, width, 1) } else { (degrees[0] + 1, 1, width) };
    let degree = degrees[direction];
    for line in 0..lines {
        let at = |i: usize| line * next + i * step;
        // In place in `high`; the first point of each round is the next one of `low`.
        for round in 0..=degree {
            low[at(round)] = high[at(0)];
            for i in 0..degree - round {
                high[at(i)] = 0.5 * high[at(i)] + 0.5 * high[at(i + 1)];
            }
        }
    }
    [low, high]
}

/// The corner points p00, p10, p01, p11.
pub(super) fn corners(degrees: [usize; 2], net: &[DVec3]) -> [DVec3; 4] {
    let (down, along) = (degrees[0] * (degrees[1] + 1), degrees[1]);
    [net[0], net[down], net[along], net[down + along]]
}

/// See [`BezierPatch::flatness`](crate::obbtree::bezier::BezierPatch::flatness).
pub(super) fn flatness(degrees: [usize; 2], net: &[DVec3]) -> f64 {
    let [p00, p10, p01, p11] = corners(degrees, net);
    let share = |i: usize, degree: usize| if degree == 0 { 0.0 } else { i as f64 / degree as f64 };
    let mut most = 0.0_f64;
    for i in 0..=degrees[0] {
        for j in 0..=degrees[1] {
            let (u, v) = (share(i, degrees[0]), share(j, degrees[1]));
            let bilinear =
                (p00 * (1.0 - u) + p10 * u) * (1.0 - v) + (p01 * (1.0 - u) + p11 * u) * v;
            most = most.max(length(net[i * (degrees[1] + 1) + j] - bilinear));
        }
    }
    most + 0.25 * length((p00 - p10) + (p11 - p01))
}

/// Bounds of the second derivatives: along u twice, along u and v, along v twice.
pub(super) fn second_derivatives([m, n]: [usize; 2], net: &[DVec3]) -> [f64; 3] {
    let at = |i: usize, j: usize| net[i * (n + 1) + j];
    let factor = |a: usize, b: usize| (a * b) as f64;
    let mut most = [0.0_f64; 3];
    for i in 0..=m {
        for j in 0..=n {
            if i + 2 <= m {
                let bend = (at(i + 2, j) - at(i + 1, j)) - (at(i + 1, j) - at(i, j));
                most[0] = most[0].max(length(bend) * factor(m, m - 1));
            }
            if i < m && j < n {
                let twist = (at(i + 1, j + 1) - at(i + 1, j)) - (at(i, j + 1) - at(i, j));
                most[1] = most[1].max(length(twist) * factor(m, n));
            }
            if j + 2 <= n {
                let bend = (at(i, j + 2) - at(i, j + 1)) - (at(i, j + 1) - at(i, j));
                most[2] = most[2].max(length(bend) * factor(n, n - 1));
            }
        }
    }
    most
}

/// Across which direction to halve: the one in which the net bends more, else the longer one.
pub(crate) fn direction(degrees: [usize; 2], net: &[DVec3]) -> usize {
    let [bend_u, _, bend_v] = second_derivatives(degrees, net);
    let [p00, p10, p01, p11] = corners(degrees, net);
    let long_u = length(p00 - p10) + length(p01 - p11);
    let long_v = length(p00 - p01) + length(p10 - p11);
    match (degrees, bend_v.total_cmp(&bend_u)) {
        ([0, _], _) => 1,
        ([_, 0], _) => 0,
        (_, order) if order.is_gt() => 1,
        (_, order) if order.is_lt() => 0,
        _ => usize::from(long_v > long_u),
    }
}
