//! Wavefront OBJ out: a line a vertex, a line a triangle, an `o` line before the triangles of each
//! group.
//!
//! Coordinates have as few digits as give the same f64 back. Triangles that are in no group and
//! stand behind one are put under an empty `o`, so that they are not taken for the group's.

use std::fmt::Write;

use crate::mesh_out::{MeshOut, one_line, push_point};

/// Writes the text of an OBJ file. Nothing is lost.
pub fn to_bytes(mesh: &MeshOut) -> Vec<u8> {
    let mut text = String::from("# elbowroom\n");
    for &vertex in mesh.vertices() {
        text.push('v');
        push_point(&mut text, vertex);
        text.push('\n');
    }
    let mut groups = mesh.groups().iter().peekable();
    let mut end = None;
    for (index, triangle) in mesh.triangles().iter().enumerate() {
        if let Some(group) = groups.next_if(|group| group.triangles.start == index) {
            let _ = writeln!(text, "o {}", one_line(&group.name));
            end = Some(group.triangles.end);
        } else if end == Some(index) {
            text.push_str("o\n");
        }
        let [a, b, c] = triangle.map(|corner| u64::from(corner) + 1);
        let _ = writeln!(text, "f {a} {b} {c}");
    }
    text.into_bytes()
}
