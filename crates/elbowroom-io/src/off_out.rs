//! OFF out: counts, a line a vertex, a line a triangle.
//!
//! Coordinates have as few digits as give the same f64 back. The names of groups have no place in
//! the format.

use std::fmt::Write;

use crate::mesh_out::{MeshOut, push_number};

/// Writes the text of an OFF file. The names of groups are lost.
pub fn to_bytes(mesh: &MeshOut) -> Vec<u8> {
    let mut text = String::from("OFF\n");
    let _ = writeln!(text, "{} {} 0", mesh.vertices().len(), mesh.triangles().len());
    for &vertex in mesh.vertices() {
        push_number(&mut text, vertex.x);
        for value in [vertex.y, vertex.z] {
            text.push(' ');
            push_number(&mut text, value);
        }
        text.push('\n');
    }
    for [a, b, c] in mesh.triangles() {
        let _ = writeln!(text, "3 {a} {b} {c}");
    }
    text.into_bytes()
}
