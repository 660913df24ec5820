//! Mass, centre and inertia of a solid.

use elbowroom::{Aabb, Mesh};
use glam::{DMat3, DVec3};

/// How a solid weighs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mass {
    pub(crate) whole: f64,
    /// Of mass, where the mesh is.
    pub(crate) centre: DVec3,
    /// About that centre, along the mesh's axes.
    pub(crate) inertia: DMat3,
}

impl Mass {
    /// Of what a closed mesh encloses, where a unit of volume weighs `density`. Parts that lie in
    /// each other weigh twice.
    pub(crate) fn of_solid(mesh: &Mesh, density: f64) -> Self {
        let Aabb { min: low, max: high } = mesh.bounds();
        // Far from the origin the tetrahedra would be long and their sums would cancel.
        let origin = 0.5 * (low + high);
        let (mut six_volumes, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
        for i in 0..mesh.triangles().len() {
            let [a, b, c] = mesh.triangle(i).map(|corner| corner - origin);
            let weight = a.dot(b.cross(c));
            let sum = a + b + c;
            six_volumes += weight;
            first += weight * sum;
            second += weight * (outer(a) + outer(b) + outer(c) + outer(sum));
        }
        let mass = density * six_volumes / 6.0;
        let from_origin = first * (density / 24.0) / mass;
        let spread = second * (density / 120.0) - outer(from_origin) * mass;
        let trace = spread.x_axis.x + spread.y_axis.y + spread.z_axis.z;
        Self {
            whole: mass,
            centre: origin + from_origin,
            inertia: DMat3::from_diagonal(DVec3::splat(trace)) - spread,
        }
    }
}

/// p pᵀ.
fn outer(p: DVec3) -> DMat3 {
    DMat3::from_cols(p * p.x, p * p.y, p * p.z)
}
