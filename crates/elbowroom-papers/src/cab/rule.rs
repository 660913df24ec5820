//! The axes of a box around two limbs that meet at a joint, without eigenvectors.
//!
//! ```text
//!        a₂                 a₁, a₂: each child's longest axis, as long as the child reaches along it,
//!         \                         pointing away from the joint
//!          \   E = a₁ − a₂          E: from the end of one to the end of the other
//!           \
//!     joint  •────────── a₁  the longest of the three is the first axis: a child's own for a bent
//!                            limb (small angle), E for a stretched one (large angle)
//! ```
//!
//! The second axis is a₁ × a₂, across the plane in which the limb bends, and the third follows.
//! Where a₁ and a₂ are parallel there is no such plane, and the box takes all axes of the child
//! that is thicker: whose largest extent beside its longest is larger.
//!
//! Source: Schmidl, Walker and Lin, *CAB: fast update of OBB trees for collision detection between
//! articulated bodies*, 2004, section 3.2. We differ in the parallel test, which asks for the
//! *magnitude* of the cosine: the axes of a straight limb point away from the joint and so from
//! each other, their cosine is −1, and the printed test would go on to divide nothing by nothing.
//! Lengths are compared without squares or roots: with θ the angle between a₁ and a₂, E is the
//! longest if and only if 2·cos θ·longer ≤ shorter, and the shortest if and only if longer < 2·cos
//! θ·shorter. So no size of a body overflows.
//!
//! Ties: E before a₁ before a₂; of equal extents of one child the first; the first child where both
//! are equally thick. A middle that is beside the joint, so that neither direction of an axis is
//! away from it, keeps the axis as it is. A child without extent has no direction and counts as
//! parallel.

use glam::{DMat3, DVec3};

use elbowroom::internal::volume::Obb;

/// How much less than 1 the cosine of parallel axes may be, in the paper: angles below 0.26°.
pub(super) const TOLERANCE: f64 = 1e-5;

/// The axes for a box around two boxes that meet at a joint. `SUM` takes the sum of both axes where
/// they point nearly the same way, so that E is the shortest. Cosines larger than `parallel`, in
/// magnitude, are those of parallel axes.
#[inline]
pub(super) fn axes<const SUM: bool>(a: &Obb, b: &Obb, joint: DVec3, parallel: f64) -> DMat3 {
    let (first, second) = (Major::of(a, joint), Major::of(b, joint));
    let cosine = first.axis.dot(second.axis);
    // Written so that NaN, of boxes that are everywhere, counts as parallel.
    let spans_a_plane = cosine.abs() <= parallel && first.length > 0.0 && second.length > 0.0;
    if !spans_a_plane {
        return if first.thickness >= second.thickness { a.axes } else { b.axes };
    }
    let is_first_longer = first.length >= second.length;
    let (longer, shorter) = if is_first_longer { (&first, &second) } else { (&second, &first) };
    // At most 1, so that what follows is about as long as a unit vector.
    let ratio = shorter.length / longer.length;
    let long = if 2.0 * cosine <= ratio {
        normalized(longer.axis - ratio * shorter.axis)
    } else if SUM && 1.0 < 2.0 * cosine * ratio {
        normalized(longer.axis + ratio * shorter.axis)
    } else {
        longer.axis
    };
    let across = first.axis.cross(second.axis);
    // The cross product of nearly parallel axes is square to them up to a few hundred roundings
    // only.
    let across = normalized(across - long.dot(across) * long);
    DMat3::from_cols(long, across, long.cross(across))
}

/// The longest axis of a box.
struct Major {
    /// Away from the joint.
    axis: DVec3,
    length: f64,
    /// The larger of the other two extents.
    thickness: f64,
}

impl Major {
    #[inline]
    fn of(b: &Obb, joint: DVec3) -> Self {
        let DVec3 { x, y, z } = b.half;
        let (axis, length, thickness) = if x >= y && x >= z {
            (b.axes.x_axis, x, y.max(z))
        } else if y >= z {
            (b.axes.y_axis, y, x.max(z))
        } else {
            (b.axes.z_axis, z, x.max(y))
        };
        let is_towards = axis.dot(b.center - joint) < 0.0;
        Self { axis: if is_towards { -axis } else { axis }, length, thickness }
    }
}

#[inline]
fn normalized(v: DVec3) -> DVec3 {
    v / v.dot(v).sqrt()
}
