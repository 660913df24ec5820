//! Triangles of every kind that a volume may meet.

use elbowroom_testkit::random::Random;
use glam::{DMat3, DQuat, DVec3};

pub(crate) type Triangle = [DVec3; 3];

pub(crate) fn vector(random: &mut Random) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| random.uniform(-1.0, 1.0)))
}

pub(crate) fn rotation(random: &mut Random) -> DMat3 {
    let part = |random: &mut Random| random.uniform(-1.0, 1.0);
    let [x, y, z, w] = std::array::from_fn(|_| part(random));
    DMat3::from_quat(DQuat::from_xyzw(x, y, z, w + 1.5).normalize())
}

/// What the points of a shape span.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    Point,
    Segment,
    Plane,
    PlaneOfFrame,
    Solid,
    Integers,
}

impl Kind {
    pub(crate) const ALL: [Self; 6] =
        [Self::Point, Self::Segment, Self::Plane, Self::PlaneOfFrame, Self::Solid, Self::Integers];
}

/// A few triangles, some with corners that coincide.
pub(crate) fn triangles(kind: Kind, random: &mut Random) -> Vec<Triangle> {
    let (origin, u, v) = (vector(random), vector(random), vector(random));
    let count = 1 + random.below(8);
    let corner = |random: &mut Random| {
        let at = vector(random);
        match kind {
            Kind::Point => origin,
            Kind::Segment => origin + u * at.x,
            Kind::Plane => origin + u * at.x + v * at.y,
            Kind::PlaneOfFrame => DVec3::new(at.x, origin.y, at.z),
            Kind::Solid => origin + at,
            Kind::Integers => (at * 3.0).round(),
        }
    };
    (0..count)
        .map(|_| {
            let mut triangle: Triangle = std::array::from_fn(|_| corner(random));
            if random.one_in(5) {
                triangle[1] = triangle[0];
            }
            triangle
        })
        .collect()
}

/// Scales that make squares overflow or vanish, and axes of very different size.
pub(crate) const SCALES: [DVec3; 6] = [
    DVec3::ONE,
    DVec3::splat(1e300),
    DVec3::splat(1e-300),
    DVec3::splat(1e-310),
    DVec3::new(1e150, 1.0, 1e-150),
    DVec3::new(1.0, 1e-9, 1e9),
];

pub(crate) fn scaled(triangles: &[Triangle], scale: DVec3) -> Vec<Triangle> {
    triangles.iter().map(|t| t.map(|p| p * scale)).collect()
}
