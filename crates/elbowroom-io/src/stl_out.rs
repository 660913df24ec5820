//! STL out: triangles without shared vertices, as records of 50 bytes or as text.
//!
//! A binary file holds f32, so coordinates are rounded once; [`rounding`] says how far. A text file
//! has as few digits as give the same f64 back, and a solid for each group. Normals are those of
//! the corners, and zero where a triangle has no area.
//!
//! ```text
//! binary   80 bytes of anything | count: u32 | count × (normal, 3 corners: 12 × f32 | 2 bytes of zero), little-endian
//! ```

use std::fmt::Write;

use glam::DVec3;

use crate::mesh_out::{MeshOut, WriteError, one_line, push_point};
use crate::ply_out::Encoding;

/// Writes an STL file. Which vertices triangles share is lost, and in a binary one the names of
/// groups.
///
/// # Errors
/// If a coordinate is too large for the f32 of a binary file.
pub fn to_bytes(mesh: &MeshOut, encoding: Encoding) -> Result<Vec<u8>, WriteError> {
    match encoding {
        Encoding::Binary => binary(mesh),
        Encoding::Text => Ok(text(mesh).into_bytes()),
    }
}

/// The farthest that f32 moves a coordinate: nothing where all of them are f32 already.
pub fn rounding(vertices: &[DVec3]) -> f64 {
    let moved = |value: f64| (f64::from(value as f32) - value).abs();
    vertices.iter().flat_map(DVec3::to_array).map(moved).fold(0.0, f64::max)
}

fn normal([a, b, c]: [DVec3; 3]) -> DVec3 {
    // Sides are brought to a common size first, so that no product overflows or vanishes.
    let (ab, ac) = (b - a, c - a);
    let size = ab.abs().max(ac.abs()).max_element();
    if !(size.is_finite() && size > 0.0) {
        return DVec3::ZERO;
    }
    (ab / size).cross(ac / size).normalize_or_zero()
}

fn binary(mesh: &MeshOut) -> Result<Vec<u8>, WriteError> {
    let mut bytes = Vec::with_capacity(84 + 50 * mesh.triangles().len());
    // Not "solid", which text files begin with.
    bytes.extend_from_slice(b"elbowroom, binary STL");
    bytes.resize(80, b' ');
    bytes.extend((mesh.triangles().len() as u32).to_le_bytes());
    for triangle in 0..mesh.triangles().len() {
        let corners = mesh.corners(triangle);
        for value in [normal(corners)].into_iter().chain(corners).flat_map(|p| p.to_array()) {
            let single = value as f32;
            if !single.is_finite() {
                return Err(WriteError(format!(
                    "triangle {triangle}: the coordinate {value:e} is too large for the f32 of a binary STL file"
                )));
            }
            bytes.extend(single.to_le_bytes());
        }
        bytes.extend([0, 0]);
    }
    Ok(bytes)
}

fn text(mesh: &MeshOut) -> String {
    let mut text = String::new();
    let mut at = 0;
    for group in mesh.groups() {
        solid(&mut text, "", mesh, at..group.triangles.start);
        solid(&mut text, &one_line(&group.name), mesh, group.triangles.clone());
        at = group.triangles.end;
    }
    solid(&mut text, "", mesh, at..mesh.triangles().len());
    text
}

fn solid(text: &mut String, name: &str, mesh: &MeshOut, triangles: std::ops::Range<usize>) {
    if triangles.is_empty() {
        return;
    }
    let name = if name.is_empty() { String::new() } else { format!(" {name}") };
    let _ = writeln!(text, "solid{name}");
    for triangle in triangles {
        let corners = mesh.corners(triangle);
        text.push_str("  facet normal");
        push_point(text, normal(corners));
        text.push_str("\n    outer loop\n");
        for corner in corners {
            text.push_str("      vertex");
            push_point(text, corner);
            text.push('\n');
        }
        text.push_str("    endloop\n  endfacet\n");
    }
    let _ = writeln!(text, "endsolid{name}");
}
