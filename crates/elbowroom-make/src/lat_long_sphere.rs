//! A sphere by latitude and longitude: fine at the poles, coarse at the equator.

use std::f64::consts::PI;

use elbowroom::Mesh;
use glam::DVec3;

use crate::circle::on_circle;
use crate::sheet::{assert_countable, between_poles};

/// A sphere of radius 1 around the origin, poles on the y axis, with `2 (bands − 1) sectors`
/// triangles.
///
/// Bands of equal latitude are cut by meridians into quads of two triangles; the two bands at the
/// poles are single triangles, so none is degenerate. 101 bands of 160 sectors make the 32,000
/// triangles of the experiments on the OBB tree.
///
/// # Panics
/// With fewer than 2 bands or 3 sectors, or more than u32 can number.
pub fn lat_long_sphere(bands: u32, sectors: u32) -> Mesh {
    assert!(
        bands >= 2 && sectors >= 3,
        "a sphere takes 2 bands and 3 sectors at least, not {bands} and {sectors}"
    );
    assert_countable(u64::from(bands) * u64::from(sectors));
    let mut vertices = vec![DVec3::Y];
    for ring in 1..bands {
        let polar = PI * f64::from(ring) / f64::from(bands);
        let (height, radius) = (libm::cos(polar), libm::sin(polar));
        vertices.extend((0..sectors).map(|sector| {
            let (cos, sin) = on_circle(sector, sectors);
            DVec3::new(radius * cos, height, -radius * sin)
        }));
    }
    vertices.push(DVec3::NEG_Y);
    crate::mesh(vertices, between_poles(bands - 1, sectors))
}
