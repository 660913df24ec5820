//! How large a convex solid is that is given by slabs.

use elbowroom::internal::geom::hull::{Hull, hull};
use glam::{DMat3, DVec3};

/// All points p with low ≤ d·p ≤ high, for each direction d; the axes must be among the directions.
pub(super) fn volume(slabs: &[(DVec3, [f64; 2])]) -> f64 {
    if slabs.iter().any(|(_, [low, high])| low >= high) {
        return 0.0;
    }
    let size = slabs.iter().map(|(_, [low, high])| high - low).fold(0.0, f64::max);
    let planes: Vec<(DVec3, f64)> =
        slabs.iter().flat_map(|&(d, [low, high])| [(d, high), (-d, -low)]).collect();
    let is_in = |p: DVec3| planes.iter().all(|&(d, height)| d.dot(p) - height <= 1e-9 * size);
    let mut corners = Vec::new();
    for (i, &(d, x)) in planes.iter().enumerate() {
        for (j, &(e, y)) in planes[i + 1..].iter().enumerate() {
            for &(f, z) in &planes[i + j + 2..] {
                let normals = DMat3::from_cols(d, e, f).transpose();
                // The directions have components 0 and ±1, so that a determinant is whole.
                if normals.determinant().abs() > 0.5 {
                    let corner = normals.inverse() * DVec3::new(x, y, z);
                    corners.extend(is_in(corner).then_some(corner));
                }
            }
        }
    }
    if corners.is_empty() { 0.0 } else { of_hull(&corners) }
}

/// The volume of the convex hull.
pub(super) fn of_hull(points: &[DVec3]) -> f64 {
    let Hull::Solid(triangles) = hull(points) else { return 0.0 };
    let middle = points[0];
    triangles.iter().map(|[a, b, c]| (a - middle).dot((b - middle).cross(c - middle))).sum::<f64>()
        / 6.0
}

#[cfg(test)]
mod tests {
    use elbowroom::internal::volume::Kdop18;

    use super::*;

    #[test]
    fn boxes_and_cut_boxes() {
        let unit = DVec3::AXES.map(|axis| (axis, [0.0, 1.0]));
        assert!((volume(&unit) - 1.0).abs() < 1e-12);
        // A corner of height ½ less: 1/48.
        let cut = [unit[0], unit[1], unit[2], (DVec3::ONE, [0.5, 3.0])];
        assert!((volume(&cut) - 47.0 / 48.0).abs() < 1e-12);
        let none = [unit[0], unit[1], unit[2], (DVec3::ONE, [4.0, 5.0])];
        assert_eq!(volume(&none), 0.0);
        let cross: Vec<DVec3> = DVec3::AXES.iter().flat_map(|&axis| [axis, -axis]).collect();
        let tight = Kdop18::of_points(&cross);
        let slabs: Vec<_> = Kdop18::DIRECTIONS.into_iter().zip(tight.slabs).collect();
        // Around an octahedron of volume 4/3: |x| + |y| ≤ 1 and so on leave a rhombic dodecahedron
        // of volume 2.
        assert!((volume(&slabs) - 2.0).abs() < 1e-9, "{}", volume(&slabs));
        assert!((of_hull(&cross) - 4.0 / 3.0).abs() < 1e-12);
    }
}
