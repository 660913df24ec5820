//! Eigenvectors of symmetric 3×3 matrices.
//!
//! A symmetric matrix is turned in one coordinate plane after the other, each time so that the
//! entry of that plane becomes zero, until all entries beside the diagonal are; the turns together
//! are the eigenvectors (Jacobi, *Über ein leichtes Verfahren die in der Theorie der
//! Säcularstörungen vorkommenden Gleichungen numerisch aufzulösen*, 1846; in cyclic order, with the
//! angle as in Rutishauser, *The Jacobi method for real symmetric matrices*, 1966). It converges
//! quadratically, needs no more than a square root, and finds orthogonal vectors even where
//! eigenvalues coincide, where closed forms lose them.
//!
//! Two things are added. The matrix is first scaled by a power of two, so that any finite size will
//! do; and the vectors are made orthonormal once more at the end, because the boxes that stand on
//! them rely on it to a few ulp.

use glam::{DMat3, DVec3};

use super::moments::unit_scale;
use crate::internal::math::sort::few_by;

/// A sweep squares the error, and five do for any 3×3 matrix; more are only a guard.
const MOST_SWEEPS: usize = 24;

/// Eigenvalues, largest first, and eigenvectors as columns in the same order.
///
/// The columns are orthonormal to a few ulp and right-handed. Equal eigenvalues keep the order in
/// which Jacobi's method leaves them, which for a diagonal matrix is that of the axes. Only the
/// entries on and above the diagonal are read. A matrix that is zero or not finite gives zeros and
/// the identity.
///
/// ```
/// use elbowroom::internal::math::eigen::symmetric_eigen;
/// use glam::{DMat3, DVec3};
///
/// let (values, vectors) = symmetric_eigen(DMat3::from_diagonal(DVec3::new(1.0, 3.0, 2.0)));
/// assert_eq!(values, DVec3::new(3.0, 2.0, 1.0));
/// assert_eq!(vectors, DMat3::from_cols(DVec3::Y, DVec3::Z, DVec3::X));
/// ```
pub fn symmetric_eigen(m: DMat3) -> (DVec3, DMat3) {
    let mut a = [[0.0; 3]; 3];
    let mut size: f64 = 0.0;
    for (row, column) in [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)] {
        a[row][column] = m.col(column)[row];
        size = size.max(a[row][column].abs());
        if !a[row][column].is_finite() {
            return (DVec3::ZERO, DMat3::IDENTITY);
        }
    }
    if size == 0.0 {
        return (DVec3::ZERO, DMat3::IDENTITY);
    }
    let scale = unit_scale(size);
    for row in &mut a {
        *row = row.map(|entry| entry * scale);
    }
    let mut vectors = [DVec3::X, DVec3::Y, DVec3::Z];
    for _ in 0..MOST_SWEEPS {
        let turned = [(0, 1), (0, 2), (1, 2)].map(|plane| turn(&mut a, &mut vectors, plane));
        if turned == [false; 3] {
            break;
        }
    }
    let mut order = [0, 1, 2];
    // Stable, so equal ones stay in order.
    few_by(&mut order, |&i, &j| a[j][j].total_cmp(&a[i][i]));
    let values = DVec3::from_array(order.map(|i| a[i][i] / scale));
    (values, orthonormal(order.map(|i| vectors[i])))
}

/// Turns in the plane of two axes so that their common entry becomes zero, and says whether there
/// was anything to turn. Works on the entries above the diagonal.
fn turn(a: &mut [[f64; 3]; 3], vectors: &mut [DVec3; 3], (p, q): (usize, usize)) -> bool {
    let beside = a[p][q];
    let (low, high) = (a[p][p], a[q][q]);
    // Too small to change either eigenvalue, even by rounding.
    if low.abs() + beside.abs() == low.abs() && high.abs() + beside.abs() == high.abs() {
        a[p][q] = 0.0;
        return false;
    }
    // The tangent of the smaller angle; it goes to zero where the cotangent overflows.
    let cotangent = (high - low) / (2.0 * beside);
    let tangent = cotangent.signum() / (cotangent.abs() + (cotangent * cotangent + 1.0).sqrt());
    let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
    let sine = tangent * cosine;
    a[p][p] = low - tangent * beside;
    a[q][q] = high + tangent * beside;
    a[p][q] = 0.0;
    // The third axis, whose entries with the two mix.
    let k = 3 - p - q;
    let at = |axis: usize| (axis.min(k), axis.max(k));
    let ((pi, pj), (qi, qj)) = (at(p), at(q));
    let (with_p, with_q) = (a[pi][pj], a[qi][qj]);
    a[pi][pj] = cosine * with_p - sine * with_q;
    a[qi][qj] = sine * with_p + cosine * with_q;
    let (u, v) = (vectors[p], vectors[q]);
    vectors[p] = cosine * u - sine * v;
    vectors[q] = sine * u + cosine * v;
    true
}

/// The nearly orthonormal vectors made orthonormal to rounding; the third follows from the first
/// two.
fn orthonormal([e0, e1, _]: [DVec3; 3]) -> DMat3 {
    let e0 = e0 / e0.length();
    let e1 = e1 - e0.dot(e1) * e0;
    let e1 = e1 / e1.length();
    let e2 = e0.cross(e1);
    // Plus zero turns a negative zero into a positive one: axes print and compare alike.
    DMat3::from_cols(e0, e1, e2 / e2.length()) + DMat3::ZERO
}

#[cfg(test)]
mod tests {
    use elbowroom_testkit::random::Random;

    use super::*;

    fn largest(m: DMat3) -> f64 {
        m.to_cols_array().iter().fold(0.0, |most: f64, entry| most.max(entry.abs()))
    }

    /// Asserts all that is promised, with the residual relative to the size of the matrix.
    fn check(m: DMat3) -> (DVec3, DMat3) {
        let (values, vectors) = symmetric_eigen(m);
        let scale = unit_scale(largest(m));
        let residual = (m * scale) * vectors - vectors * DMat3::from_diagonal(values * scale);
        assert!(largest(residual) < 1e-14, "{m} leaves {}", largest(residual));
        let error = largest(vectors.transpose() * vectors - DMat3::IDENTITY);
        assert!(error < 1e-15, "{m} gives columns off by {error}");
        assert!(vectors.determinant() > 0.0);
        assert!(values.x >= values.y && values.y >= values.z, "{values}");
        (values, vectors)
    }

    fn symmetric(entry: &mut impl FnMut() -> f64) -> DMat3 {
        let [xx, yy, zz, yz, zx, xy] = std::array::from_fn(|_| entry());
        DMat3::from_cols(DVec3::new(xx, xy, zx), DVec3::new(xy, yy, yz), DVec3::new(zx, yz, zz))
    }

    #[test]
    fn random_matrices_of_every_kind() {
        let mut random = Random::new(21);
        let mut repeated = 0;
        for _ in 0..20_000 {
            check(symmetric(&mut || random.uniform(-1.0, 1.0)));
            check(symmetric(&mut || {
                random.uniform(-1.0, 1.0) * 10_f64.powi(random.range(-20, 0) as i32)
            }));
            let (values, _) = check(symmetric(&mut || random.range(-1, 1) as f64));
            repeated += usize::from((values.x - values.y).min(values.y - values.z) < 1e-14);
        }
        assert!(repeated > 1500, "{repeated}");
    }

    /// Rank one, as for points in a line, at sizes where squares leave the f64 range.
    #[test]
    fn lines_of_any_size() {
        let mut random = Random::new(22);
        for size in [1e300, 1.0, 1e-150, 1e-300] {
            for _ in 0..100 {
                let line = DVec3::from_array(std::array::from_fn(|_| random.uniform(-1.0, 1.0)));
                let m = DMat3::from_cols(line * line.x, line * line.y, line * line.z) * size;
                let (values, vectors) = check(m);
                assert!(vectors.x_axis.cross(line).length() < 1e-15);
                assert!(values.y.abs() < 1e-15 * size && values.z.abs() < 1e-15 * size);
            }
        }
    }

    #[test]
    fn diagonal_matrices_keep_their_axes() {
        let axes = |x, y, z| symmetric_eigen(DMat3::from_diagonal(DVec3::new(x, y, z))).1;
        assert_eq!(axes(1.0, 1.0, 1.0), DMat3::IDENTITY);
        assert_eq!(axes(3.0, 2.0, 2.0), DMat3::IDENTITY);
        assert_eq!(axes(1.0, 2.0, 3.0), DMat3::from_cols(DVec3::Z, DVec3::Y, -DVec3::X));
        assert_eq!(axes(0.0, 0.0, -1.0), DMat3::IDENTITY);
    }

    #[test]
    fn nothing_and_nonsense_give_the_identity() {
        assert_eq!(symmetric_eigen(DMat3::ZERO), (DVec3::ZERO, DMat3::IDENTITY));
        for bad in [f64::NAN, f64::INFINITY] {
            let m = DMat3::from_diagonal(DVec3::new(1.0, bad, 1.0));
            assert_eq!(symmetric_eigen(m), (DVec3::ZERO, DMat3::IDENTITY));
        }
    }
}
