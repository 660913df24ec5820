//! A sphere that is stretched along the axes.

use elbowroom::Mesh;
use glam::DVec3;

/// An ellipsoid around the origin that reaches `half` to either side on each axis, with `20
/// frequency²` triangles.
///
/// The vertices lie on the true surface, so the mesh is inscribed.
///
/// # Panics
/// If a half axis is not positive and finite, or the frequency is 0 or too large for u32 to number
/// the vertices.
pub fn ellipsoid(half: DVec3, frequency: u32) -> Mesh {
    assert!(half.min_element() > 0.0, "an ellipsoid has positive half axes, not {half}");
    let ball = crate::icosphere(frequency);
    let vertices = ball.vertices().iter().map(|&vertex| vertex * half).collect();
    crate::mesh(vertices, ball.triangles().to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cylinder;

    /// Six times the enclosed volume; positive where triangles face out.
    fn volume(mesh: &Mesh) -> f64 {
        let sum: f64 = (0..mesh.triangles().len())
            .map(|i| mesh.triangle(i))
            .map(|[a, b, c]| a.dot(b.cross(c)))
            .sum();
        sum / 6.0
    }

    #[test]
    fn closed_and_nearly_as_large_as_the_true_shapes() {
        use std::f64::consts::PI;
        let half = DVec3::new(0.3, 0.4, 0.2);
        let egg = ellipsoid(half, 5);
        let rod = cylinder(DVec3::new(1.0, 0.0, 2.0), DVec3::new(1.0, 3.0, 2.0), 0.5, 24);
        let truths = [4.0 / 3.0 * PI * 0.024, PI * 0.25 * 3.0];
        for (mesh, (truth, triangles)) in [egg, rod].iter().zip(truths.into_iter().zip([500, 96])) {
            assert_eq!(mesh.triangles().len(), triangles);
            assert!(mesh.seams().is_closed());
            let found = volume(mesh);
            assert!(found < truth && found > 0.97 * truth, "{found} {truth}");
        }
    }

    #[test]
    fn vertices_lie_on_the_surface() {
        let half = DVec3::new(3.0, 0.1, 7.0);
        let off = |v: &DVec3| ((*v / half).length() - 1.0).abs();
        assert!(ellipsoid(half, 4).vertices().iter().all(|v| off(v) < 1e-12));
    }
}
