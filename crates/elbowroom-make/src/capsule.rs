//! A rod with round ends.

use std::f64::consts::FRAC_PI_2;

use elbowroom::Mesh;
use glam::DVec3;

use crate::circle::on_circle;
use crate::sheet::{assert_countable, between_poles};

/// A capsule: all that is within `radius` of the segment between two points, with
/// `4 cap_bands sectors` triangles.
///
/// Each end is half a sphere of `cap_bands` bands; one long band lies between them.
///
/// # Panics
/// If the points coincide or are not finite, the radius is not positive, there is no band or fewer
/// than 3 sectors, or there are more than u32 can number.
pub fn capsule(from: DVec3, to: DVec3, radius: f64, cap_bands: u32, sectors: u32) -> Mesh {
    assert!(
        cap_bands >= 1 && sectors >= 3,
        "a capsule takes 1 band a cap and 3 sectors at least, not {cap_bands} and {sectors}"
    );
    assert!(radius > 0.0, "a capsule has a positive radius, not {radius}");
    assert!(from != to, "a capsule has two different ends, not {from} twice");
    assert_countable(2 * u64::from(cap_bands) * u64::from(sectors));
    let axis = (from - to) / (from - to).length();
    let [u, v] = across(axis);

    let ring = |centre: DVec3, (up, out): (f64, f64)| {
        (0..sectors).map(move |sector| {
            let (cos, sin) = on_circle(sector, sectors);
            centre + radius * (axis * up + (u * cos + v * sin) * out)
        })
    };
    // How far up and out a ring of the cap lies: 1, 0 at the pole and 0, 1 at the rim.
    let cap = |band: u32| {
        let polar = FRAC_PI_2 * f64::from(band) / f64::from(cap_bands);
        (libm::cos(polar), libm::sin(polar))
    };
    let mut vertices = vec![from + axis * radius];
    for band in 1..=cap_bands {
        vertices.extend(ring(from, cap(band)));
    }
    for band in (1..=cap_bands).rev() {
        let (up, out) = cap(band);
        vertices.extend(ring(to, (-up, out)));
    }
    vertices.push(to - axis * radius);
    crate::mesh(vertices, between_poles(2 * cap_bands, sectors))
}

/// Two unit vectors that make, with the axis as the third, a right-handed frame `u`, `v`, `axis`.
pub(crate) fn across(axis: DVec3) -> [DVec3; 2] {
    // The coordinate axis that is farthest from parallel; the first of equals.
    let sizes = axis.abs();
    let helper = if sizes.x <= sizes.y && sizes.x <= sizes.z {
        DVec3::X
    } else if sizes.y <= sizes.z {
        DVec3::Y
    } else {
        DVec3::Z
    };
    let v = axis.cross(helper);
    let v = v / v.length();
    [v.cross(axis), v]
}
