//! A ring.

use elbowroom::Mesh;
use glam::DVec3;

use crate::circle::on_circle;
use crate::sheet::{assert_countable, wrapped};

/// A torus around the y axis with `2 around along` triangles: a tube of radius `minor`, cut into
/// `along` strips, whose centre runs at distance `major`, in `around` steps.
///
/// With `minor` above `major` the tube passes through itself; that is allowed.
///
/// # Panics
/// With fewer than 3 steps either way, more than u32 can number, or radii that are not finite.
pub fn torus(major: f64, minor: f64, around: u32, along: u32) -> Mesh {
    tube(around, along, |_, _| (major, minor))
}

/// A torus whose two radii depend on where on it one is: `radii(step around, step along)`.
pub(crate) fn tube(around: u32, along: u32, radii: impl Fn(u32, u32) -> (f64, f64)) -> Mesh {
    assert!(
        around >= 3 && along >= 3,
        "a torus takes 3 steps both ways at least, not {around} and {along}"
    );
    assert_countable(u64::from(around) * u64::from(along));
    let mut vertices = Vec::with_capacity(around as usize * along as usize);
    for i in 0..around {
        let (cos_u, sin_u) = on_circle(i, around);
        vertices.extend((0..along).map(|j| {
            let (cos_v, sin_v) = on_circle(j, along);
            let (major, minor) = radii(i, j);
            let out = major + minor * cos_v;
            DVec3::new(out * cos_u, minor * sin_v, -out * sin_u)
        }));
    }
    crate::mesh(vertices, wrapped(around, along))
}
