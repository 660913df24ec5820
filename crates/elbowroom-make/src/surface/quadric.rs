//! Sums of squared distances from planes and points, as a function of where a vertex is put.
//!
//! Garland and Heckbert, Surface simplification using quadric error metrics, 1997. The sum is kept
//! about the origin as a symmetric matrix A, a vector b and a number c: the error at p is p·Ap − 2
//! b·p + c.

use glam::{DMat3, DVec3};

/// The error of a vertex as a function of its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quadric {
    a: DMat3,
    b: DVec3,
    c: f64,
}

impl Quadric {
    pub(super) const ZERO: Self = Self { a: DMat3::ZERO, b: DVec3::ZERO, c: 0.0 };

    /// Squared distance from the plane through a point, times a weight.
    pub(super) fn plane(unit_normal: DVec3, point: DVec3, weight: f64) -> Self {
        let n = unit_normal;
        let offset = n.dot(point);
        let a = DMat3::from_cols(n * n.x, n * n.y, n * n.z) * weight;
        Self { a, b: n * (offset * weight), c: offset * offset * weight }
    }

    /// Squared distance from a point, times a weight.
    pub(super) fn point(point: DVec3, weight: f64) -> Self {
        Self {
            a: DMat3::from_diagonal(DVec3::splat(weight)),
            b: point * weight,
            c: point.length_squared() * weight,
        }
    }

    pub(super) fn plus(&self, other: &Self) -> Self {
        Self { a: self.a + other.a, b: self.b + other.b, c: self.c + other.c }
    }

    pub(super) fn error(&self, at: DVec3) -> f64 {
        // Rounding may turn a sum of squares slightly negative.
        (at.dot(self.a * at) - 2.0 * self.b.dot(at) + self.c).max(0.0)
    }

    /// Where the error is least; none if that is not one clear place.
    pub(super) fn best(&self) -> Option<DVec3> {
        let determinant = self.a.determinant();
        let scale = self.a.x_axis.x + self.a.y_axis.y + self.a.z_axis.z;
        (determinant > 1e-9 * scale * scale * scale).then(|| self.a.inverse() * self.b)
    }

    /// Where in the plane x = 0 the error is least; none if that is not one clear place.
    pub(super) fn best_in_plane(&self) -> Option<DVec3> {
        let (yy, yz, zz) = (self.a.y_axis.y, self.a.y_axis.z, self.a.z_axis.z);
        let determinant = yy * zz - yz * yz;
        (determinant > 1e-9 * (yy + zz) * (yy + zz)).then(|| {
            let y = (self.b.y * zz - self.b.z * yz) / determinant;
            let z = (self.b.z * yy - self.b.y * yz) / determinant;
            DVec3::new(0.0, y, z)
        })
    }
}
