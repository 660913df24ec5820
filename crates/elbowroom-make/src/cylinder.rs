//! A rod with flat ends.

use elbowroom::Mesh;
use glam::DVec3;

use crate::capsule::across;
use crate::circle::on_circle;
use crate::sheet::{assert_countable, between_poles};

/// A cylinder of `4 sectors` triangles: its vertices lie on the two rims and in the middle of the
/// two ends.
///
/// The rims are inscribed: between two vertices the true wall is up to `radius (1 − cos(π /
/// sectors))` farther out.
///
/// # Panics
/// If the points coincide or are not finite, the radius is not positive, there are fewer than 3
/// sectors, or more than u32 can number.
pub fn cylinder(from: DVec3, to: DVec3, radius: f64, sectors: u32) -> Mesh {
    assert!(sectors >= 3, "a cylinder takes 3 sectors at least, not {sectors}");
    assert!(radius > 0.0, "a cylinder has a positive radius, not {radius}");
    assert!(from != to, "a cylinder has two different ends, not {from} twice");
    assert_countable(2 * u64::from(sectors));
    let axis = (from - to) / (from - to).length();
    let [u, v] = across(axis);
    let rim = |centre: DVec3| {
        (0..sectors).map(move |sector| {
            let (cos, sin) = on_circle(sector, sectors);
            centre + radius * (u * cos + v * sin)
        })
    };
    let vertices = [from].into_iter().chain(rim(from)).chain(rim(to)).chain([to]).collect();
    crate::mesh(vertices, between_poles(2, sectors))
}
