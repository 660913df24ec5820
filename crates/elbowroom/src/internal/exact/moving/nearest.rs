//! Closest points of a point and a triangle, and of two segments, as f64 finds them.
//!
//! Nothing is proved here: a bad answer is noticed by who uses it, and costs time.

use glam::DVec3;

/// The closest points, of the first and of the second, and what else may part the two.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near {
    pub(super) points: [DVec3; 2],
    /// A direction that may be better than the step from one point to the other, which is rough
    /// where they are near.
    pub(super) normal: DVec3,
    /// The edge that one of them lies on, if the other is a corner.
    pub(super) edge: Option<Edge>,
}

/// An edge of the first or of the second set, from a corner to the next.
#[derive(Clone, Copy, Debug)]
pub(super) enum Edge {
    First(usize),
    Second(usize),
}

/// The point of a segment that is closest to a point. A segment without length is its beginning.
#[inline]
fn on_segment(point: DVec3, p: DVec3, q: DVec3) -> DVec3 {
    let way = q - p;
    let fraction = (point - p).dot(way) / way.length_squared();
    // NaN is not above zero.
    if fraction > 0.0 { p + way * fraction.min(1.0) } else { p }
}

pub(super) fn point_triangle([a]: &[DVec3; 1], &[p, q, r]: &[DVec3; 3]) -> Near {
    let (u, v, from) = (q - p, r - p, *a - p);
    let normal = u.cross(v);
    let square = normal.length_squared();
    let along_u = from.cross(v).dot(normal) / square;
    let along_v = u.cross(from).dot(normal) / square;
    // False if the triangle is degenerate.
    if along_u >= 0.0 && along_v >= 0.0 && along_u + along_v <= 1.0 {
        // A point of the triangle, even where the normal is rough.
        let foot = p + u * along_u + v * along_v;
        return Near { points: [*a, foot], normal, edge: None };
    }
    let mut best = (f64::INFINITY, p, 0);
    for (i, (start, end)) in [(p, q), (q, r), (r, p)].into_iter().enumerate() {
        let point = on_segment(*a, start, end);
        let distance = point.distance_squared(*a);
        if distance < best.0 {
            best = (distance, point, i);
        }
    }
    Near { points: [*a, best.1], normal, edge: Some(Edge::Second(best.2)) }
}

pub(super) fn segments(a: &[DVec3; 2], b: &[DVec3; 2]) -> Near {
    let (d, e, step) = (a[1] - a[0], b[1] - b[0], b[0] - a[0]);
    let normal = d.cross(e);
    let square = normal.length_squared();
    let (s, t) = (step.cross(e).dot(normal) / square, step.cross(d).dot(normal) / square);
    // Parallel lines give NaN.
    if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
        return Near { points: [a[0] + d * s, b[0] + e * t], normal, edge: None };
    }
    let mut best = (f64::INFINITY, [a[0], b[0]], Edge::First(0));
    let mut offer = |points: [DVec3; 2], edge: Edge| {
        let distance = points[0].distance_squared(points[1]);
        if distance < best.0 {
            best = (distance, points, edge);
        }
    };
    for point in *b {
        offer([on_segment(point, a[0], a[1]), point], Edge::First(0));
    }
    for point in *a {
        offer([point, on_segment(point, b[0], b[1])], Edge::Second(0));
    }
    Near { points: best.1, normal, edge: Some(best.2) }
}

/// The closest points of two triangles that do not meet: of a corner and a face, or of two edges.
pub(super) fn triangles(a: &[DVec3; 3], b: &[DVec3; 3]) -> Near {
    let mut best: Option<(f64, Near)> = None;
    let mut offer = |near: Near| {
        let square = near.points[0].distance_squared(near.points[1]);
        if best.is_none_or(|(least, _)| square < least) {
            best = Some((square, near));
        }
    };
    for (i, &corner) in a.iter().enumerate() {
        offer(point_triangle(&[corner], b));
        for j in 0..3 {
            let near = segments(&[corner, a[(i + 1) % 3]], &[b[j], b[(j + 1) % 3]]);
            let edge = near.edge.map(|edge| match edge {
                Edge::First(_) => Edge::First(i),
                Edge::Second(_) => Edge::Second(j),
            });
            offer(Near { edge, ..near });
        }
    }
    for &corner in b {
        let Near { points: [q, p], normal, edge } = point_triangle(&[corner], a);
        let edge = edge.map(|edge| match edge {
            Edge::First(i) | Edge::Second(i) => Edge::First(i),
        });
        offer(Near { points: [p, q], normal, edge });
    }
    best.expect("the first offer is taken").1
}
