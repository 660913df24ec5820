//! PLY out: a header that describes its own tables, then vertices as doubles and triangles as lists
//! of three.
//!
//! Binary in the little order, or text with as few digits as give the same f64 back. The names of
//! groups have no place in the format.

use std::fmt::Write;

use crate::mesh_out::{MeshOut, push_number};

/// The encoding of the tables.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// Binary: small and fast.
    #[default]
    Binary,
    /// Text: large, and readable.
    Text,
}

/// Writes a PLY file. The names of groups are lost.
pub fn to_bytes(mesh: &MeshOut, encoding: Encoding) -> Vec<u8> {
    let mut header = String::from("ply\n");
    header.push_str(match encoding {
        Encoding::Binary => "format binary_little_endian 1.0\n",
        Encoding::Text => "format ascii 1.0\n",
    });
    let _ = write!(
        header,
        "comment elbowroom\nelement vertex {}\nproperty double x\nproperty double y\n\
         property double z\nelement face {}\nproperty list uchar uint vertex_indices\nend_header\n",
        mesh.vertices().len(),
        mesh.triangles().len()
    );
    match encoding {
        Encoding::Binary => binary(mesh, header.into_bytes()),
        Encoding::Text => text(mesh, header).into_bytes(),
    }
}

fn binary(mesh: &MeshOut, mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.reserve(24 * mesh.vertices().len() + 13 * mesh.triangles().len());
    for value in mesh.vertices().iter().flat_map(glam::DVec3::to_array) {
        bytes.extend(value.to_le_bytes());
    }
    for triangle in mesh.triangles() {
        bytes.push(3);
        bytes.extend(triangle.iter().flat_map(|corner| corner.to_le_bytes()));
    }
    bytes
}

fn text(mesh: &MeshOut, mut text: String) -> String {
    for vertex in mesh.vertices() {
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
    text
}
