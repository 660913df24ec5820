//! Numbers in few bits: points as 16 bits an axis within a box, rotations as the three smallest
//! components of a quaternion.
//!
//! A point is within half a step on each axis, a rotation within 1.3e-4 radians.
//! `viewer/src/quantise.ts` is the other side.

use std::f64::consts::{SQRT_2, TAU};

use glam::{DMat3, DQuat, DVec3};
use serde::Serialize;

/// How numbers are points: `min + step · q`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Box3 {
    pub(super) min: [f64; 3],
    pub(super) step: [f64; 3],
}

/// Points as numbers on a grid around them.
pub(super) fn grid(points: impl Iterator<Item = DVec3> + Clone) -> (Box3, Vec<u16>) {
    let low = points.clone().fold(DVec3::INFINITY, DVec3::min);
    let high = points.clone().fold(DVec3::NEG_INFINITY, DVec3::max);
    if !low.is_finite() || !high.is_finite() {
        return (Box3 { min: [0.0; 3], step: [0.0; 3] }, Vec::new());
    }
    // Divided first, for the extent of what is finite need not be.
    let step = high / 65_535.0 - low / 65_535.0;
    let number = |value: f64, low: f64, step: f64| {
        let steps = if step > 0.0 { ((value - low) / step).round() } else { 0.0 };
        #[expect(clippy::cast_sign_loss, reason = "it is not below 0")]
        let steps = steps.clamp(0.0, 65_535.0) as u16;
        steps
    };
    let numbers =
        points.flat_map(|point| [0, 1, 2].map(|axis| number(point[axis], low[axis], step[axis])));
    let numbers = numbers.collect();
    (Box3 { min: low.to_array(), step: step.to_array() }, numbers)
}

/// The largest component is left out and positive; which it was is in the last bits of the first
/// two numbers.
pub(super) fn smallest_three(rotation: DQuat) -> [i16; 3] {
    let q = rotation.to_array();
    let mut largest = 0;
    for i in 1..4 {
        if q[i].abs() > q[largest].abs() {
            largest = i;
        }
    }
    let sign = if q[largest] < 0.0 { -1.0 } else { 1.0 };
    let mut kept = [0, 1, 2, 3].into_iter().filter(|&i| i != largest);
    [0_u32, 1, 2].map(|place| {
        let i = kept.next().unwrap_or_default();
        let exact = sign * q[i] * SQRT_2 * 32_767.0;
        if place == 2 {
            return exact.round().clamp(-32_767.0, 32_767.0) as i16;
        }
        let bit = f64::from((largest >> place & 1) as u32);
        // The nearest number with that last bit; the bounds are an odd and an even one, so that
        // clamping keeps it.
        let nearest = 2.0 * ((exact - bit) / 2.0).round() + bit;
        nearest.clamp(bit - 32_766.0 - 2.0 * bit, 32_766.0 + bit) as i16
    })
}

/// A turn to the left about an axis, as 65,536 parts; `None` if the rotation is about another one.
pub(super) fn turn_about(axis: DVec3, rotation: DQuat) -> Option<u16> {
    let off_axis = rotation.xyz() - axis * rotation.xyz().dot(axis);
    if off_axis.length() > 1e-6 {
        return None;
    }
    let angle = 2.0 * libm::atan2(rotation.xyz().dot(axis), rotation.w);
    // Once around is where it began.
    #[expect(clippy::cast_sign_loss, reason = "the remainder is not below 0")]
    Some(((angle / TAU * 65_536.0).round().rem_euclid(65_536.0)) as u16)
}

/// How far, entry by entry, a matrix may be from a rotation times a scale: half a millimetre at the
/// end of an arm.
const SHEAR: f64 = 1e-3;

/// The rotation of a matrix and its scale; `None` if it shears, mirrors or stretches along one
/// axis.
pub(super) fn turn_and_scale(matrix: DMat3) -> Option<(DQuat, f64)> {
    let determinant = matrix.determinant();
    if !(determinant.is_finite() && determinant > 0.0) {
        return None;
    }
    let scale = libm::cbrt(determinant);
    let rotation = matrix * scale.recip();
    let off = rotation.transpose() * rotation - DMat3::IDENTITY;
    let is_rotation = off.to_cols_array().iter().all(|entry| entry.abs() < SHEAR);
    is_rotation.then(|| (DQuat::from_mat3(&rotation).normalize(), scale))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_within_half_a_step() {
        let points: Vec<DVec3> =
            (0..50).map(|i| DVec3::new(f64::from(i * i % 17), 3.0, f64::from(i) * 0.1)).collect();
        let (grid, numbers) = super::grid(points.iter().copied());
        for (index, point) in points.iter().enumerate() {
            for axis in 0..3 {
                let back = grid.min[axis] + grid.step[axis] * f64::from(numbers[3 * index + axis]);
                assert!((back - point[axis]).abs() <= 0.5001 * grid.step[axis], "{index}");
            }
        }
        assert!(super::grid([DVec3::NAN].into_iter()).1.is_empty());
    }

    /// As docs/report-data.md says it.
    fn restored(numbers: [i16; 3]) -> DQuat {
        let [a, b, c] = numbers.map(|number| f64::from(number) / 32_767.0 / SQRT_2);
        let rest = (1.0 - a * a - b * b - c * c).max(0.0).sqrt();
        let largest = (numbers[0] & 1) | ((numbers[1] & 1) << 1);
        let q = match largest {
            0 => [rest, a, b, c],
            1 => [a, rest, b, c],
            2 => [a, b, rest, c],
            _ => [a, b, c, rest],
        };
        DQuat::from_array(q)
    }

    #[test]
    fn rotations_come_back() {
        let mut largest = [0; 4];
        for i in 0..4000_u32 {
            let part = |k: u32| libm::sin(f64::from(i * (2 * k + 1)) * 0.37 + f64::from(k));
            let q = DQuat::from_xyzw(part(0), part(1), part(2), part(3)).normalize();
            let back = restored(smallest_three(q));
            assert!(back.normalize().angle_between(q) < 1.4e-4, "{q} {back}");
            let sizes = q.to_array().map(f64::abs);
            largest[(0..4).fold(0, |best, k| if sizes[k] > sizes[best] { k } else { best })] += 1;
        }
        assert!(largest.iter().all(|&count| count > 300), "{largest:?}");
        // On the edges of what the numbers can say.
        for q in [[1.0, 0.0, 0.0, 1.0], [-1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, -1.0], [1.0; 4]] {
            let q = DQuat::from_array(q).normalize();
            assert!(restored(smallest_three(q)).normalize().angle_between(q) < 1.4e-4, "{q}");
        }
    }

    #[test]
    fn turns_and_what_is_none() {
        for angle in [0.0, 0.5, 3.1, -3.1, -0.5] {
            let turn = turn_about(DVec3::Y, DQuat::from_rotation_y(angle)).expect("about y");
            let back = f64::from(turn) / 65_536.0 * TAU;
            assert!(libm::sin(0.5 * (back - angle)).abs() < 3e-5, "{angle} {back}");
        }
        assert_eq!(turn_about(DVec3::Y, DQuat::from_rotation_x(0.1)), None);
        let (turn, scale) =
            turn_and_scale(DMat3::from_rotation_z(1.0) * 0.01).expect("a rotation and a scale");
        assert!(
            (scale - 0.01).abs() < 1e-15 && turn.angle_between(DQuat::from_rotation_z(1.0)) < 1e-7
        );
        for bad in [
            DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0)),
            DMat3::from_diagonal(DVec3::new(1.0, 1.1, 1.0)),
            DMat3::from_cols(DVec3::X, DVec3::new(0.2, 1.0, 0.0), DVec3::Z),
            DMat3::ZERO,
            DMat3::NAN,
        ] {
            assert!(turn_and_scale(bad).is_none(), "{bad}");
        }
    }
}
