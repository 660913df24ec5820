//! Axes from a few extremal points: DiTO-14.
//!
//! Along seven fixed directions the outermost points, at most fourteen, stand for the whole shape.
//! The two of one direction that are farthest apart and the point farthest from their line make a
//! large triangle; the points farthest above and below it make two tetrahedra on it, the
//! *ditetrahedron*. Each edge of each of its seven triangles, with the triangle's normal, gives a
//! candidate box, and the one with the smallest surface around the fourteen points wins. In the end
//! it must still beat the box along the frame's axes around all points.
//!
//! Source: Larsson and Källberg, *Fast computation of tight-fitting oriented bounding boxes*, Game
//! Engine Gems 2, 2011. We differ in what counts as degenerate: points come scaled to about 1, and
//! what is below 1e-14 is rounding.

use glam::{DMat3, DVec3};

use super::fit::frame;

/// The axes and the diagonals of a cube.
const DIRECTIONS: [DVec3; 7] = [
    DVec3::X,
    DVec3::Y,
    DVec3::Z,
    DVec3::ONE,
    DVec3::new(1.0, 1.0, -1.0),
    DVec3::new(1.0, -1.0, 1.0),
    DVec3::new(1.0, -1.0, -1.0),
];

/// Shorter than this is rounding.
const NOTHING: f64 = 1e-14;

/// The axes for a box around points that are about 1 in size.
pub(super) fn axes(points: &[DVec3]) -> DMat3 {
    let pairs = DIRECTIONS.map(|direction| extremes(points, direction));
    let chosen = pairs.as_flattened();
    let mut best = Best { points: chosen, axes: DMat3::IDENTITY, cost: f64::INFINITY };
    candidates(&pairs, &mut best);
    if cost(points, best.axes) < cost(points, DMat3::IDENTITY) {
        best.axes
    } else {
        DMat3::IDENTITY
    }
}

fn candidates(pairs: &[[DVec3; 2]; 7], best: &mut Best) {
    let Some(&[p, q]) = farthest(pairs, |[p, q]| p.distance_squared(*q)) else {
        return;
    };
    let long = q - p;
    let Some(&r) = farthest(best.points, |&r| long.cross(r - p).length_squared()) else {
        return;
    };
    let normal = long.cross(r - p);
    if normal.length() <= NOTHING * long.length() {
        best.consider(frame(long, long.any_orthogonal_vector()));
        return;
    }
    best.consider_triangle([p, q, r]);
    let height = |s: &DVec3| normal.dot(*s - p);
    for side in [1.0, -1.0] {
        let Some(&tip) = farthest(best.points, |s| side * height(s)) else {
            return;
        };
        if side * height(&tip) > NOTHING * normal.length() {
            for [u, v] in [[p, q], [q, r], [r, p]] {
                best.consider_triangle([u, v, tip]);
            }
        }
    }
}

/// The points with the smallest and the largest component; the first ones if equal.
fn extremes(points: &[DVec3], direction: DVec3) -> [DVec3; 2] {
    let mut low = (f64::INFINITY, DVec3::ZERO);
    let mut high = (f64::NEG_INFINITY, DVec3::ZERO);
    for &p in points {
        let at = direction.dot(p);
        if at < low.0 {
            low = (at, p);
        }
        if at > high.0 {
            high = (at, p);
        }
    }
    [low.1, high.1]
}

/// The item with the largest measure; the first one if equal.
fn farthest<T>(items: &[T], measure: impl Fn(&T) -> f64) -> Option<&T> {
    items.iter().rev().max_by(|p, q| measure(p).total_cmp(&measure(q)))
}

/// The cheapest axes so far.
struct Best<'a> {
    points: &'a [DVec3],
    axes: DMat3,
    cost: f64,
}

impl Best<'_> {
    fn consider(&mut self, axes: DMat3) {
        let cost = cost(self.points, axes);
        if cost < self.cost {
            (self.axes, self.cost) = (axes, cost);
        }
    }

    fn consider_triangle(&mut self, [p, q, r]: [DVec3; 3]) {
        let normal = (q - p).cross(r - p);
        // The square of what is too thin to have a normal.
        if normal.length() <= NOTHING * NOTHING {
            return;
        }
        for edge in [q - p, r - q, p - r] {
            if edge.length() > NOTHING {
                self.consider(frame(edge, normal));
            }
        }
    }
}

/// Half the surface of the box around points along axes.
fn cost(points: &[DVec3], axes: DMat3) -> f64 {
    let turn = axes.transpose();
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for &p in points {
        let at = turn * p;
        low = low.min(at);
        high = high.max(at);
    }
    let size = high - low;
    size.x * size.y + size.y * size.z + size.z * size.x
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::*;

    #[test]
    fn finds_a_turned_cuboid() {
        let turn = DMat3::from_quat(DQuat::from_xyzw(0.3, -0.1, 0.5, 0.8).normalize());
        let corners: Vec<_> = (0..8)
            .map(|i| {
                let sign = |bit: i32| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
                turn * DVec3::new(1.0 * sign(0), 0.5 * sign(1), 0.2 * sign(2))
            })
            .collect();
        let found = cost(&corners, axes(&corners));
        let least = 4.0 * (0.5 + 0.1 + 0.2);
        assert!((found / least - 1.0).abs() < 1e-12, "{found} is not {least}");
        assert!(cost(&corners, DMat3::IDENTITY) > 1.5 * least);
    }

    #[test]
    fn lines_and_planes() {
        let along = DVec3::new(0.6, 0.0, 0.8);
        let line = [along, -along, along * 0.3];
        assert!(axes(&line).x_axis.dot(along).abs() > 1.0 - 1e-12);
        let flat = [along, -along, DVec3::Y, along * 0.5 - DVec3::Y];
        assert!(cost(&flat, axes(&flat)) < 4.0 + 1e-12);
        assert_eq!(axes(&[DVec3::X, DVec3::Y, DVec3::ZERO, DVec3::X + DVec3::Y]), DMat3::IDENTITY);
    }
}
