//! The farthest point of a volume from a surface.
//!
//! Tightness is a largest distance over all points of a volume. The volume is seen as the image of
//! the cube from −1 to 1, searched on a lattice and then by steps along the cube's axes that halve
//! until they are too small to matter. On the smooth distances of the lab's patches, whose largest
//! values lie at corners, in the middle of faces or in between, that finds the largest to about a
//! millionth of itself.

use elbowroom::internal::volume::{Obb, Sphere};
use glam::DVec3;

/// The largest value over the cube.
fn largest(at: impl Fn(DVec3) -> f64) -> f64 {
    let mut best = DVec3::ZERO;
    let mut value = at(best);
    // 5 × 5 × 5 places, corners included.
    for i in 0..125_u8 {
        let place =
            DVec3::new(f64::from(i / 25), f64::from(i / 5 % 5), f64::from(i % 5)) * 0.5 - 1.0;
        let new = at(place);
        if new > value {
            (best, value) = (place, new);
        }
    }
    let mut step = 0.25;
    while step > 1e-3 {
        let moves = DVec3::AXES.into_iter().flat_map(|axis| [axis * step, axis * -step]);
        let places = moves.map(|way| (best + way).clamp(DVec3::NEG_ONE, DVec3::ONE));
        match places.map(|place| (place, at(place))).find(|&(_, new)| new > value) {
            Some(better) => (best, value) = better,
            None => step *= 0.5,
        }
    }
    value
}

/// The largest distance of a point of a box.
pub(super) fn farthest_in_box(bounds: &Obb, distance: impl Fn(DVec3) -> f64) -> f64 {
    largest(|place| distance(bounds.center + bounds.axes * (bounds.half * place)))
}

/// The largest distance of a point of a ball.
pub(super) fn farthest_in_ball(ball: &Sphere, distance: impl Fn(DVec3) -> f64) -> f64 {
    // What of the cube is outside the ball stands for the ball's boundary.
    largest(|place| distance(ball.center + place * (ball.radius / place.length().max(1.0))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_farthest_points() {
        let bounds = Obb::of_points(&[DVec3::NEG_ONE, DVec3::splat(3.0)], glam::DMat3::IDENTITY);
        let to_origin = |p: DVec3| p.length();
        assert!((farthest_in_box(&bounds, to_origin) - 27.0_f64.sqrt()).abs() < 1e-12);
        let ball = Sphere { center: DVec3::X, radius: 2.0 };
        assert!((farthest_in_ball(&ball, to_origin) - 3.0).abs() < 1e-12);
        // Inside: the farthest from the unit sphere is its centre.
        let within = |p: DVec3| 1.0 - p.length().min(1.0);
        assert!((farthest_in_box(&bounds, within) - 1.0).abs() < 1e-2);
    }
}
