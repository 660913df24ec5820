//! A segment and a triangle with area: the common case of [`relate`](super::relate) for edges
//! against faces.
//!
//! `relate` takes a segment for a triangle whose plane it cannot find, and needs exact arithmetic
//! to learn so. Here it is known which is which.

use super::Relation;
use super::chain::{Chain, PlacedTriangle};
use super::relate::{shown_along, triangle_segment};
use crate::interrupt::checkpoint;

/// Whether a segment, given as a triangle whose second and third corners are one, meets a triangle
/// with area. Exact.
pub(crate) fn meets_segment(triangle: &PlacedTriangle, segment: &PlacedTriangle) -> bool {
    checkpoint();
    let ((low, high), (below, above)) = (triangle.bounds(), segment.bounds());
    if below.cmpgt(high).any() || above.cmplt(low).any() {
        return false;
    }
    let mut chain = Chain::new(triangle, segment);
    triangle_segment(&mut chain, [0, 1, 2], shown_along, [3, 4]) != Relation::Apart
}

#[cfg(test)]
mod tests {
    use elbowroom_testkit::random::Random;
    use glam::DVec3;

    use super::super::{relate, turn};
    use super::*;
    use crate::Pose;
    use crate::internal::exact::Sign;

    #[test]
    fn agrees_with_relate() {
        let mut random = Random::new(8);
        let (mut met, mut missed) = (0, 0);
        let place = Pose::from_quat(
            glam::DQuat::from_rotation_y(0.3) * glam::DQuat::from_rotation_x(1.0),
            DVec3::new(0.1, 0.2, 0.3),
        )
        .unwrap();
        for _ in 0..4000 {
            let mut point =
                || DVec3::from_array(std::array::from_fn(|_| random.range(0, 3) as f64));
            let (corners, [p, q]) = ([(); 3].map(|()| point()), [(); 2].map(|()| point()));
            if p == q || (0..3).all(|axis| turn(axis, corners) == Sign::Zero) {
                continue;
            }
            for pose in [&Pose::IDENTITY, &place] {
                let triangle = PlacedTriangle::new(pose, corners);
                let segment = PlacedTriangle::new(pose, [p, q, q]);
                let expected = relate(&triangle, &segment) != Relation::Apart;
                assert_eq!(meets_segment(&triangle, &segment), expected, "{corners:?} {p} {q}");
                met += u32::from(expected);
                missed += u32::from(!expected);
            }
        }
        assert!(met > 1000 && missed > 1000, "{met} {missed}");
    }
}
