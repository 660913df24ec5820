//! Opens a mesh file and chooses its reader.

use std::path::Path;

use crate::bytes::read_bytes;
use crate::document::ReadOptions;
use crate::error::ReadError;
use crate::formats::{self, Found, Kind};
use crate::mesh_file::MeshFile;
use crate::{obj, off, ply, stl, threemf};

/// Reads a mesh from an OBJ, STL, PLY, OFF or 3MF file, plain or compressed with gzip (`.obj.gz`).
///
/// # Errors
/// Names the file, the place in it where there is one, what is wrong and what to do: the file is
/// missing, a directory, of a kind that is not known, too large once decompressed, or damaged in
/// any way that its format can be.
pub fn read_mesh(path: &Path) -> Result<MeshFile, ReadError> {
    read_mesh_with(path, &ReadOptions::default())
}

/// Reads a mesh as [`read_mesh`] does, with limits of the caller's.
///
/// # Errors
/// As [`read_mesh`].
pub fn read_mesh_with(path: &Path, options: &ReadOptions) -> Result<MeshFile, ReadError> {
    let Found { kind, note } = formats::find(path)?;
    let bytes = || read_bytes(path, options);
    let file = match kind {
        Kind::Obj => obj::parse(&bytes()?),
        Kind::Stl => stl::parse(&bytes()?),
        Kind::Ply => ply::parse(&bytes()?),
        Kind::Off => off::parse(&bytes()?),
        Kind::ThreeMf => threemf::parse_with(&bytes()?, options),
        other => {
            let (name, wanted) = (other.name(), "an OBJ, STL, PLY, OFF or 3MF");
            let message = format!("is {name}, where a plain mesh is needed; export it as {wanted}");
            return Err(ReadError::file(path, message));
        }
    };
    let mut file = file.map_err(|error| ReadError::content(path, error))?;
    file.notes.extend(note);
    Ok(file)
}
