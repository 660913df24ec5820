//! Mesh files in, as [`elbowroom::Mesh`].
//!
//! One file per format ([`obj`], [`stl`]), each with a `parse` from bytes; [`read_mesh`] opens a file and chooses the
//! format by the ending of its name. A bad file is refused with the place and what to do about it.
//!
//! Invariants of every reader here:
//! * Coordinates are the f64 nearest to what is written; nothing is welded, scaled, turned or dropped.
//! * Faces are numbered from 0 in file order, and triangles follow the order of their faces.
//! * Memory is at most a small multiple of the bytes read: a count in a header is compared with the size of the file, and never
//!   sizes an allocation before.
//! * Any bytes give a mesh or an error; no reader panics.

mod error;
mod mesh_file;
pub mod obj;
mod read;
pub mod stl;
mod text;

pub use error::{ParseError, ReadError};
pub use mesh_file::{Format, Ignored, MeshFile, Part};
pub use read::{MAX_UNPACKED_BYTES, read_mesh};
