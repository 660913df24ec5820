//! Where a joint stands relative to its parent, and where all of them do.
//!
//! A [`Local`] is scaled first, then turned, then moved (T·R·S), as glTF, FBX and game engines have
//! it. A quaternion of any length but zero means the rotation of its direction: files store them
//! rounded to f32 or less, and a matrix made of one as it is would scale the body a little.

use glam::{DAffine3, DMat3, DQuat, DVec3};

/// A joint relative to its parent: the point `p` stands at `rotation * (scale * p) + translation`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Local {
    /// The position of the origin.
    pub translation: DVec3,
    /// The turn. Its length does not matter; a zero or non-finite one turns nothing.
    pub rotation: DQuat,
    /// Stretching along the joint's own axes, before the turn. May be negative.
    pub scale: DVec3,
}

impl Default for Local {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Local {
    /// A joint that stands where its parent stands.
    pub const IDENTITY: Self =
        Self { translation: DVec3::ZERO, rotation: DQuat::IDENTITY, scale: DVec3::ONE };

    /// How far, in radians, the axes of a matrix may be from square to each other before
    /// [`Local::from_affine`] calls it sheared.
    ///
    /// Products of a few f32 matrices are off by up to some 1e-6. A shear of 1e-5 moves no point of
    /// a body by more than 1e-5 of its height.
    pub const SHEAR_TOLERANCE: f64 = 1e-5;

    /// Moved, not turned.
    pub const fn from_translation(translation: DVec3) -> Self {
        Self { translation, ..Self::IDENTITY }
    }

    /// Moved and turned.
    pub const fn from_rotation_translation(rotation: DQuat, translation: DVec3) -> Self {
        Self { translation, rotation, ..Self::IDENTITY }
    }

    /// The matrix `parent_from_joint`.
    pub fn affine(&self) -> DAffine3 {
        let r = rotation_matrix(self.rotation);
        let matrix3 = DMat3::from_cols(
            r.x_axis * self.scale.x,
            r.y_axis * self.scale.y,
            r.z_axis * self.scale.z,
        );
        DAffine3 { matrix3, translation: self.translation }
    }

    /// Takes a matrix apart; `None` when it is sheared or not finite.
    ///
    /// A mirroring becomes a negative x scale. An axis that is scaled to nothing gets a direction
    /// that is square to the others.
    pub fn from_affine(parent_from_joint: DAffine3) -> Option<Self> {
        if !parent_from_joint.is_finite() {
            return None;
        }
        let columns = [
            parent_from_joint.matrix3.x_axis,
            parent_from_joint.matrix3.y_axis,
            parent_from_joint.matrix3.z_axis,
        ];
        let mut scale = columns.map(DVec3::length);
        let mut axes = [0, 1, 2].map(|i| columns[i].try_normalize());
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            if let (Some(a), Some(b)) = (axes[i], axes[j])
                && a.dot(b).abs() > Self::SHEAR_TOLERANCE
            {
                return None;
            }
        }
        let mut axes = complete(&mut axes);
        if axes[0].cross(axes[1]).dot(axes[2]) < 0.0 {
            axes[0] = -axes[0];
            scale[0] = -scale[0];
        }
        let rotation = DQuat::from_mat3(&DMat3::from_cols(axes[0], axes[1], axes[2])).normalize();
        let translation = parent_from_joint.translation;
        Some(Self { translation, rotation, scale: DVec3::from_array(scale) })
    }

    /// Whether every number is finite.
    pub fn is_finite(&self) -> bool {
        self.translation.is_finite() && self.rotation.is_finite() && self.scale.is_finite()
    }
}

/// Fills in axes that are missing, square to those that are there and right-handed with them.
fn complete(axes: &mut [Option<DVec3>; 3]) -> [DVec3; 3] {
    for i in 0..3 {
        if axes[i].is_none() {
            let (next, last) = (axes[(i + 1) % 3], axes[(i + 2) % 3]);
            axes[i] = Some(match (next, last) {
                (Some(next), Some(last)) => next.cross(last).normalize(),
                (Some(one), None) | (None, Some(one)) => one.any_orthonormal_vector(),
                (None, None) => DVec3::AXES[i],
            });
        }
    }
    axes.map(|axis| axis.unwrap_or(DVec3::X))
}

/// The rotation that a quaternion of any length means; none for zero and for what is not finite.
pub(super) fn rotation_matrix(q: DQuat) -> DMat3 {
    let unit = unit(q);
    DMat3::from_quat(unit)
}

/// The quaternion at length one; the identity for zero and for what is not finite.
pub fn unit(q: DQuat) -> DQuat {
    // The largest entry goes first, so that no square overflows or vanishes.
    let largest = q.x.abs().max(q.y.abs()).max(q.z.abs()).max(q.w.abs());
    if !q.is_finite() || largest == 0.0 {
        return DQuat::IDENTITY;
    }
    // Lengths that are one already stay as they are, bit for bit.
    let length_squared = q.length_squared();
    if (length_squared - 1.0).abs() <= 4.0 * f64::EPSILON {
        return q;
    }
    let even = if (0.5..=2.0).contains(&length_squared) { q } else { q / largest };
    even / even.length()
}

/// Where every joint of a skeleton stands relative to its parent, and how far every morph is in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkeletonPose {
    /// One for each joint, in the skeleton's order. Joints beyond the end are at rest.
    pub locals: Vec<Local>,
    /// Morph weights by part of the rig. Parts beyond the end have their own
    /// [`morph_weights`](super::Part::morph_weights).
    pub weights: Vec<Vec<f64>>,
}
