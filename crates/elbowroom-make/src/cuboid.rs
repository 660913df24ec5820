//! A box along the axes.

use elbowroom::Mesh;
use glam::DVec3;

/// A box around the origin that reaches `half` to either side on each axis: 12 triangles, and 8
/// vertices whose coordinates are exactly those of `half`, up to sign.
///
/// # Panics
/// If `half` is not finite.
pub fn cuboid(half: DVec3) -> Mesh {
    let side = |bit: u32, value: f64| if bit == 0 { -value } else { value };
    let corner = |i: u32| DVec3::new(side(i & 1, half.x), side(i & 2, half.y), side(i & 4, half.z));
    // Corner i has x, y, z positive where bits 0, 1, 2 are set.
    let faces: [[u32; 4]; 6] =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
    crate::mesh((0..8).map(corner).collect(), triangles.collect())
}
