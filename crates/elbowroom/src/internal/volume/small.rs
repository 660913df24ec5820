//! An oriented box in f32, as packed nodes hold it.
//!
//! The box is the set of points p with |aᵢ·(p − o − c)| ≤ hᵢ, where o is the origin of the model it
//! belongs to and a, c, h are the f32 numbers as they are: the axes are orthonormal only to
//! rounding, so the extents are measured against the rounded axes, from the rounded centre, in f64,
//! and rounded outward. The longest extent comes first.

use glam::{DMat3, DVec3, Vec3};

use crate::internal::math::sort::few_by;

/// An oriented box in f32 around a model's origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SmallObb {
    /// The axes, orthonormal to f32 rounding, longest first.
    pub axes: [Vec3; 3],
    /// The centre.
    pub centre: Vec3,
    /// Half its extents, in descending order.
    pub half: Vec3,
}

impl SmallObb {
    /// The smallest along given axes around points, which are f64 offsets from the model's origin.
    /// At least one point.
    pub fn of_points(axes: DMat3, points: impl Iterator<Item = DVec3> + Clone) -> Self {
        let axes = [axes.x_axis, axes.y_axis, axes.z_axis].map(DVec3::as_vec3);
        let turn = DMat3::from_cols_array_2d(&axes.map(|axis| axis.as_dvec3().to_array()));
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for point in points {
            let at =
                DVec3::new(turn.x_axis.dot(point), turn.y_axis.dot(point), turn.z_axis.dot(point));
            low = low.min(at);
            high = high.max(at);
        }
        Self::of_span(axes, low, high)
    }

    /// Along given axes, from the lowest and highest projections on them.
    pub fn of_span(axes: [Vec3; 3], low: DVec3, high: DVec3) -> Self {
        let turn = axes.map(Vec3::as_dvec3);
        let middle = 0.5 * (low + high);
        let centre = (turn[0] * middle.x + turn[1] * middle.y + turn[2] * middle.z).as_vec3();
        let at = turn.map(|axis| axis.dot(centre.as_dvec3()));
        let half = std::array::from_fn(|i| {
            let reach = (high[i] - at[i]).max(at[i] - low[i]);
            // The projections are off by a few f64 roundings of the coordinates.
            let room = 16.0 * f64::EPSILON * (low[i].abs() + high[i].abs() + size(centre));
            up(reach + room)
        });
        Self::sorted(axes, centre, half)
    }

    fn sorted(axes: [Vec3; 3], centre: Vec3, half: [f32; 3]) -> Self {
        let mut order = [0, 1, 2];
        few_by(&mut order, |&i, &j| half[j].total_cmp(&half[i]));
        Self {
            axes: order.map(|i| axes[i]),
            centre,
            half: Vec3::from_array(order.map(|i| half[i])),
        }
    }

    /// Surface area.
    pub fn area(&self) -> f32 {
        let h = self.half;
        8.0 * (h.x * h.y + h.y * h.z + h.z * h.x)
    }

    /// Whether an offset from the origin lies in the box, up to a few f64 roundings of its
    /// coordinates.
    pub fn contains(&self, point: DVec3) -> bool {
        let from_centre = point - self.centre.as_dvec3();
        (0..3).all(|i| {
            let at = self.axes[i].as_dvec3().dot(from_centre).abs();
            at <= f64::from(self.half[i]) + 8.0 * f64::EPSILON * point.abs().element_sum()
        })
    }

    /// Bounds the sum of the magnitudes of the coordinates of its centre and its extents: what the
    /// slack of a batch goes by.
    pub fn reach(&self) -> f64 {
        size(self.centre) + self.half.as_dvec3().element_sum()
    }
}

fn size(v: Vec3) -> f64 {
    v.as_dvec3().abs().element_sum()
}

/// The f32 at or above.
fn up(value: f64) -> f32 {
    let near = value as f32;
    if f64::from(near) < value { near.next_up() } else { near }
}
