//! Where an object stands: a rotation matrix and a translation.
//!
//! The matrix is the truth. A placed point is `rotation * point + translation` in exact arithmetic
//! on the f64 entries as they are, even though no f64 matrix but a few is exactly a rotation. A
//! quaternion is turned into a matrix once, on the way in, and forgotten.
//!
//! Scale and shear have no place here: distances would mean different things in different objects.
//! Bake them into the vertices first. So [`Pose::new`] refuses a matrix that is farther than
//! [`Pose::TOLERANCE`] from a rotation.

use glam::{DAffine3, DMat3, DMat4, DQuat, DVec3};

/// A rigid transform (pose, isometry): the point `p` of an object is at
/// `rotation * p + translation`.
///
/// ```
/// use elbowroom::Pose;
/// use glam::{DMat3, DVec3};
///
/// let quarter_turn = DMat3::from_cols(DVec3::Y, -DVec3::X, DVec3::Z);
/// let pose = Pose::new(quarter_turn, DVec3::new(10.0, 0.0, 0.0))?;
/// assert_eq!(pose.apply(DVec3::X), DVec3::new(10.0, 1.0, 0.0));
/// # Ok::<(), elbowroom::PoseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "DAffine3", into = "DAffine3"))]
pub struct Pose {
    rotation: DMat3,
    translation: DVec3,
    /// For each world axis: the row of the matrix is a signed unit vector and nothing is added, so
    /// that placing a point rounds nothing there. All people upright on one floor are of this
    /// kind.
    exact_axes: [bool; 3],
    deviation: f64,
}

impl Pose {
    /// The identity: no rotation and no translation.
    pub const IDENTITY: Self = Self {
        rotation: DMat3::IDENTITY,
        translation: DVec3::ZERO,
        exact_axes: [true; 3],
        deviation: 0.0,
    };

    /// The greatest distance, in Frobenius norm, of an accepted matrix from a rotation.
    ///
    /// Rotations computed in f64 are within a few 1e-16; those that went through f32 or a text file
    /// with six digits are not within 1e-9, and would silently scale the object.
    pub const TOLERANCE: f64 = 1e-9;

    /// A pose from a rotation matrix and a translation. Checks that the numbers are finite and that
    /// the matrix is a rotation.
    ///
    /// ```
    /// use elbowroom::Pose;
    /// use glam::{DMat3, DVec3};
    ///
    /// let error = Pose::new(DMat3::IDENTITY * 2.0, DVec3::ZERO).unwrap_err();
    /// assert!(error.to_string().contains("bake scale and shear into the vertices"));
    /// ```
    ///
    /// # Errors
    /// Names the entry that is not finite, or how far the matrix is from a rotation.
    pub fn new(rotation: DMat3, translation: DVec3) -> Result<Self, PoseError> {
        // What is not finite in the matrix is not near a rotation either: one comparison sees both.
        // NaN also comes from entries that overflow.
        let distance = distance_from_rotation(rotation);
        let is_rigid = distance <= Self::TOLERANCE;
        if !is_rigid || !translation.is_finite() {
            return Err(refused(rotation, translation, distance).into());
        }
        if rotation.determinant() < 0.0 {
            return Err(PoseErrorKind::Reflection.into());
        }
        Ok(Self {
            rotation,
            translation,
            exact_axes: [0, 1, 2]
                .map(|axis| is_signed_unit(rotation.row(axis)) && translation[axis] == 0.0),
            deviation: distance,
        })
    }

    /// A pose without rotation.
    ///
    /// ```
    /// use elbowroom::Pose;
    /// use glam::DVec3;
    ///
    /// assert_eq!(Pose::from_translation(DVec3::X)?.apply(DVec3::Y), DVec3::new(1.0, 1.0, 0.0));
    /// # Ok::<(), elbowroom::PoseError>(())
    /// ```
    ///
    /// # Errors
    /// Names the entry that is not finite.
    pub fn from_translation(translation: DVec3) -> Result<Self, PoseError> {
        Self::new(DMat3::IDENTITY, translation)
    }

    /// A pose from a quaternion. It is normalised and converted to a matrix once; the matrix is
    /// then exact.
    ///
    /// ```
    /// use elbowroom::Pose;
    /// use glam::{DQuat, DVec3};
    ///
    /// let quarter = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2);
    /// let pose = Pose::from_quat(quarter, DVec3::ZERO)?;
    /// assert!(pose.apply(DVec3::X).abs_diff_eq(DVec3::Y, 1e-15));
    /// # Ok::<(), elbowroom::PoseError>(())
    /// ```
    ///
    /// # Errors
    /// If a number is not finite, or the quaternion is zero.
    pub fn from_quat(rotation: DQuat, translation: DVec3) -> Result<Self, PoseError> {
        // Divided by its largest entry first, so that no square over- or underflows.
        let size = [rotation.x, rotation.y, rotation.z, rotation.w]
            .iter()
            .fold(0.0, |size: f64, entry| size.max(entry.abs()));
        let unit = (rotation / size).normalize();
        if !unit.is_finite() {
            return Err(PoseErrorKind::BadQuaternion.into());
        }
        Self::new(DMat3::from_quat(unit), translation)
    }

    /// A pose from a homogeneous 4×4 matrix that acts on column vectors, given row by row.
    ///
    /// ```
    /// use elbowroom::Pose;
    /// use glam::DVec3;
    ///
    /// #[rustfmt::skip]
    /// let pose = Pose::from_row_major(&[
    ///     1.0, 0.0, 0.0, 5.0,
    ///     0.0, 1.0, 0.0, 6.0,
    ///     0.0, 0.0, 1.0, 7.0,
    ///     0.0, 0.0, 0.0, 1.0,
    /// ])?;
    /// assert_eq!(pose.translation(), DVec3::new(5.0, 6.0, 7.0));
    /// # Ok::<(), elbowroom::PoseError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Pose::new`]; and if the last row is not 0 0 0 1.
    pub fn from_row_major(m: &[f64; 16]) -> Result<Self, PoseError> {
        for (column, &expected) in [0.0, 0.0, 0.0, 1.0].iter().enumerate() {
            let value = m[12 + column];
            if value != expected {
                return Err(PoseErrorKind::LastRow { column, value }.into());
            }
        }
        let row = |i: usize| DVec3::new(m[4 * i], m[4 * i + 1], m[4 * i + 2]);
        let rotation = DMat3::from_cols(row(0), row(1), row(2)).transpose();
        Self::new(rotation, DVec3::new(m[3], m[7], m[11]))
    }

    /// The matrix.
    pub fn rotation(&self) -> DMat3 {
        self.rotation
    }

    /// The translation, applied after the rotation.
    pub fn translation(&self) -> DVec3 {
        self.translation
    }

    /// The distance of the matrix from a rotation, in Frobenius norm, up to a few roundings.
    pub fn deviation(&self) -> f64 {
        self.deviation
    }

    /// The transformed point, rounded: `((r0·x + r1·y) + r2·z) + t` on each axis, in this order and
    /// without fused multiply-add, so that every path gives the same bits.
    #[inline]
    pub fn apply(&self, point: DVec3) -> DVec3 {
        let [x, y, z] = self.columns();
        ((x * point.x + y * point.y) + z * point.z) + self.translation
    }

    #[inline]
    fn columns(&self) -> [DVec3; 3] {
        [self.rotation.x_axis, self.rotation.y_axis, self.rotation.z_axis]
    }

    /// How far [`apply`](Self::apply) may be from the exact point on each axis, for any of three
    /// points.
    ///
    /// Three products and three sums of at most four magnitudes: each term takes part in at most
    /// four roundings, so the error is below (1+u)⁴−1 of their sum, u = 2⁻⁵³. The factor 5 covers
    /// that and the roundings made here; the last summand covers what is lost below the normal
    /// numbers.
    #[inline]
    pub(crate) fn rounding(&self, points: &[DVec3; 3]) -> DVec3 {
        const FIVE_U: f64 = 5.0 / (1_u64 << 53) as f64;
        const UNDERFLOW: f64 = f64::MIN_POSITIVE * 16.0 * f64::EPSILON;
        let [x, y, z] = self.columns();
        let shift = self.translation.abs();
        let terms = |p: DVec3| (((x * p.x).abs() + (y * p.y).abs()) + (z * p.z).abs()) + shift;
        let most = terms(points[0]).max(terms(points[1])).max(terms(points[2]));
        let lost = most * FIVE_U + UNDERFLOW;
        let on = |axis: usize| if self.exact_axes[axis] { 0.0 } else { lost[axis] };
        DVec3::new(on(0), on(1), on(2))
    }
}

impl Pose {
    /// The pose that undoes this one, to rounding.
    ///
    /// ```
    /// use elbowroom::Pose;
    /// use glam::{DQuat, DVec3};
    ///
    /// let pose = Pose::from_quat(DQuat::from_rotation_z(0.5), DVec3::new(1.0, 2.0, 3.0))?;
    /// let there_and_back = pose.inverse().apply(pose.apply(DVec3::X));
    /// assert!(there_and_back.abs_diff_eq(DVec3::X, 1e-15));
    /// # Ok::<(), elbowroom::PoseError>(())
    /// ```
    #[must_use]
    pub fn inverse(&self) -> Self {
        let back = self.rotation.transpose();
        Self::near(back, -(back * self.translation))
    }

    /// A pose of a matrix that is a rotation but for rounding. What is beyond f64 ends at its
    /// limit.
    fn near(rotation: DMat3, translation: DVec3) -> Self {
        let limit = DVec3::splat(f64::MAX);
        let translation = translation.clamp(-limit, limit);
        if let Ok(pose) = Self::new(rotation, translation) {
            return pose;
        }
        // One step of Newton towards the rotation next to it: the distance is squared.
        let square = rotation.transpose() * rotation;
        let nearer = rotation * (DMat3::IDENTITY * 3.0 - square) * 0.5;
        Self::new(nearer, translation).expect("one step brings what is this near to a rotation")
    }
}

/// The pose of a part, given relative to a body, in the frame of the body: `(a * b).apply(p)` is
/// `a.apply(b.apply(p))` to rounding.
///
/// ```
/// use elbowroom::Pose;
/// use glam::{DQuat, DVec3};
///
/// let body = Pose::from_quat(DQuat::from_rotation_z(1.0), DVec3::X)?;
/// let hand = Pose::from_translation(DVec3::Y)?;
/// let placed = (body * hand).apply(DVec3::Z);
/// assert!(placed.abs_diff_eq(body.apply(hand.apply(DVec3::Z)), 1e-15));
/// # Ok::<(), elbowroom::PoseError>(())
/// ```
impl std::ops::Mul for Pose {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self::near(self.rotation * other.rotation, self.apply(other.translation))
    }
}

impl TryFrom<DAffine3> for Pose {
    type Error = PoseError;

    fn try_from(affine: DAffine3) -> Result<Self, PoseError> {
        Self::new(affine.matrix3, affine.translation)
    }
}

/// From a matrix that acts on column vectors, as those of glam do.
impl TryFrom<DMat4> for Pose {
    type Error = PoseError;

    fn try_from(matrix: DMat4) -> Result<Self, PoseError> {
        Self::from_row_major(&matrix.transpose().to_cols_array())
    }
}

impl From<Pose> for DAffine3 {
    fn from(pose: Pose) -> Self {
        Self { matrix3: pose.rotation, translation: pose.translation }
    }
}

impl From<Pose> for DMat4 {
    fn from(pose: Pose) -> Self {
        DAffine3::from(pose).into()
    }
}

impl Default for Pose {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// Half the Frobenius norm of `RᵀR − I`. For R = Q(I + S) with a rotation Q and a small symmetric S
/// that is the norm of S to first order, and S is what separates R from the rotation next to it.
fn distance_from_rotation(r: DMat3) -> f64 {
    let excess = r.transpose() * r - DMat3::IDENTITY;
    let squares: f64 = (0..3).map(|i| excess.col(i).length_squared()).sum();
    0.5 * squares.sqrt()
}

/// What is wrong with a pose that is not rigid or not finite.
#[cold]
fn refused(rotation: DMat3, translation: DVec3, distance: f64) -> PoseErrorKind {
    for row in 0..3 {
        for column in 0..4 {
            let value = if column < 3 { rotation.col(column)[row] } else { translation[row] };
            if !value.is_finite() {
                return PoseErrorKind::NonFinite { row, column, value };
            }
        }
    }
    PoseErrorKind::NotRigid { distance }
}

fn is_signed_unit(row: DVec3) -> bool {
    let sizes = row.abs();
    // Hardly any row gets past the first comparison.
    sizes.max_element() == 1.0 && (0..3).filter(|&i| sizes[i] == 0.0).count() == 2
}

crate::declare_error! {
    /// Why a pose was refused.
    #[derive(Clone, Debug, PartialEq)]
    pub struct PoseError;

    /// What was wrong with a pose. Rows and columns count from 0; column 3 is the translation.
    #[derive(Clone, Debug, PartialEq)]
    pub enum PoseErrorKind {
        /// An entry is NaN or infinite.
        #[error("entry ({row}, {column}) of the pose is {value}, which is not finite")]
        NonFinite {
            /// The entry's row.
            row: usize,
            /// The entry's column.
            column: usize,
            /// The entry.
            value: f64,
        },
        /// The matrix scales or shears.
        #[error(
            "the matrix is {distance:.1e} away from a rotation (at most {:.0e} is allowed): bake \
             scale and shear into the vertices, and give rotations with all their digits",
            Pose::TOLERANCE
        )]
        NotRigid {
            /// How far it is from a rotation, in Frobenius norm.
            distance: f64,
        },
        /// The matrix mirrors: its determinant is negative.
        #[error(
            "the matrix mirrors (its determinant is negative): bake the mirroring into the \
             vertices"
        )]
        Reflection,
        /// The quaternion is zero or not finite.
        #[error("the quaternion is zero or not finite, so it names no rotation")]
        BadQuaternion,
        /// The last row of a 4×4 matrix is not 0 0 0 1.
        #[error(
            "entry (3, {column}) of the 4x4 matrix is {value}, but the last row must be 0 0 0 1; \
             the matrix is read row by row and acts on column vectors (is yours transposed?)"
        )]
        LastRow {
            /// The entry's column.
            column: usize,
            /// The entry.
            value: f64,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_entry_that_is_not_finite_is_named() {
        let mut rotation = DMat3::IDENTITY;
        rotation.col_mut(2)[1] = f64::NAN;
        let error = Pose::new(rotation, DVec3::ZERO).unwrap_err();
        assert!(error.to_string().contains("entry (1, 2)"), "{error}");
        let error = Pose::from_translation(DVec3::new(0.0, 0.0, f64::INFINITY)).unwrap_err();
        assert_eq!(
            error.kind(),
            &PoseErrorKind::NonFinite { row: 2, column: 3, value: f64::INFINITY }
        );
    }

    #[test]
    fn what_is_no_rotation_is_refused() {
        let refused = |m| Pose::new(m, DVec3::ZERO).unwrap_err().kind().clone();
        assert!(matches!(
            refused(DMat3::IDENTITY * 1.000_000_01),
            PoseErrorKind::NotRigid { distance } if distance > 1e-8
        ));
        assert!(matches!(refused(DMat3::ZERO), PoseErrorKind::NotRigid { .. }));
        assert!(matches!(refused(DMat3::IDENTITY * 1e300), PoseErrorKind::NotRigid { .. }));
        let mirror = DMat3::from_diagonal(DVec3::new(1.0, 1.0, -1.0));
        assert_eq!(refused(mirror), PoseErrorKind::Reflection);
        assert!(Pose::new(DMat3::IDENTITY * (1.0 + 4e-10), DVec3::ZERO).is_ok());
        assert!(Pose::new(DMat3::IDENTITY * (1.0 + 1e-9), DVec3::ZERO).is_err());
        let error = Pose::from_quat(DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), DVec3::ZERO);
        assert_eq!(error.unwrap_err().kind(), &PoseErrorKind::BadQuaternion);
        let nan = Pose::from_quat(DQuat::from_xyzw(0.0, f64::NAN, 0.0, 1.0), DVec3::ZERO);
        assert_eq!(nan.unwrap_err().kind(), &PoseErrorKind::BadQuaternion);
        for scale in [1e-300, 1e-170, 1e200, 1e300] {
            let turned = DQuat::from_xyzw(0.0, 0.6 * scale, 0.0, 0.8 * scale);
            let pose = Pose::from_quat(turned, DVec3::ZERO).unwrap();
            assert!((pose.rotation().col(0).x - 0.28).abs() < 1e-15, "{scale}");
        }
    }

    #[test]
    fn row_major_matrices_act_on_columns() {
        #[rustfmt::skip]
        let m = [
            0.0, -1.0, 0.0, 5.0,
            1.0,  0.0, 0.0, 6.0,
            0.0,  0.0, 1.0, 7.0,
            0.0,  0.0, 0.0, 1.0,
        ];
        let pose = Pose::from_row_major(&m).unwrap();
        assert_eq!(pose.apply(DVec3::X), DVec3::new(5.0, 7.0, 7.0));
        let mut transposed = m;
        transposed[12] = 5.0;
        let error = Pose::from_row_major(&transposed).unwrap_err();
        assert!(error.to_string().contains("entry (3, 0)"), "{error}");
    }

    #[test]
    fn upright_placements_are_exact_on_the_up_axis() {
        let turned = DQuat::from_rotation_y(0.3);
        let upright = Pose::from_quat(turned, DVec3::new(3.0, 0.0, 4.0)).unwrap();
        assert_eq!(upright.rounding(&[DVec3::ONE; 3]).y, 0.0);
        assert!(upright.rounding(&[DVec3::ONE; 3]).x > 0.0);
    }
}
