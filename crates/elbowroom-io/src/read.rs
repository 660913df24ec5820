//! Opens a mesh file and chooses its reader by the ending of its name.
//!
//! The whole file is read into memory once; a file packed with gzip is unpacked as it is read, up to a limit, since a small
//! file may unpack to a thousand times its size.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;

use crate::error::{ParseError, ReadError};
use crate::mesh_file::MeshFile;
use crate::{obj, off, opened, ply, stl, threemf};

/// How large a packed file may be once unpacked: 1 GiB.
///
/// The largest scans in use are below it; whoever has more unpacks the file first.
pub const MAX_UNPACKED_BYTES: u64 = 1 << 30;

type Parse = fn(&[u8]) -> Result<MeshFile, ParseError>;

/// The endings that are known, in small letters, and who reads them.
const READERS: [(&str, Parse); 5] = [
    ("obj", obj::parse),
    ("stl", stl::parse),
    ("ply", ply::parse),
    ("off", off::parse),
    ("3mf", threemf::parse),
];

/// Reads a mesh from an OBJ, STL, PLY, OFF or 3MF file, plain or packed with gzip (`.obj.gz`).
///
/// # Errors
/// Names the file, the place in it where there is one, what is wrong and what to do: the file is missing, a directory, of a
/// kind that is not known, too large once unpacked, or damaged in any way that its format can be.
pub fn read_mesh(path: &Path) -> Result<MeshFile, ReadError> {
    check_file(path)?;
    let (parse, packed) = reader_for(path)?;
    let bytes = if packed { read_packed(path, MAX_UNPACKED_BYTES)? } else { read_plain(path)? };
    parse(&bytes).map_err(|error| ReadError::content(path, error))
}

/// Refuses what cannot be read to its end: directories, pipes, devices.
pub(crate) fn check_file(path: &Path) -> Result<(), ReadError> {
    let data = fs::metadata(path).map_err(|error| unreadable(path, error))?;
    opened::note(path);
    if data.is_dir() {
        return Err(ReadError::file(path, "is a directory; name a mesh file in it"));
    }
    if !data.is_file() {
        return Err(ReadError::file(path, "is a pipe or device; save the mesh to a file first"));
    }
    Ok(())
}

fn reader_for(path: &Path) -> Result<(Parse, bool), ReadError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let (stem, packed) = name.strip_suffix(".gz").map_or((&*name, false), |stem| (stem, true));
    let ending = stem.rsplit_once('.').map_or("", |(_, ending)| ending);
    let reader = READERS.iter().find(|(known, _)| *known == ending);
    let (_, parse) = reader.ok_or_else(|| {
        let found = if ending.is_empty() {
            "has no ending".to_owned()
        } else {
            format!("ends in .{ending}")
        };
        ReadError::file(
            path,
            format!("the name {found}; known are .obj, .stl, .ply, .off and .3mf, and each with .gz behind it"),
        )
    })?;
    Ok((*parse, packed))
}

/// The bytes of a file, unpacked where its name ends in `.gz`.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, ReadError> {
    check_file(path)?;
    let packed = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gz"));
    if packed { read_packed(path, MAX_UNPACKED_BYTES) } else { read_plain(path) }
}

pub(crate) fn read_plain(path: &Path) -> Result<Vec<u8>, ReadError> {
    fs::read(path).map_err(|error| unreadable(path, error))
}

pub(crate) fn read_packed(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    let file = File::open(path).map_err(|error| unreadable(path, error))?;
    let mut bytes = Vec::new();
    let read =
        MultiGzDecoder::new(io::BufReader::new(file)).take(limit + 1).read_to_end(&mut bytes);
    match read {
        Ok(read) if read as u64 > limit => {
            let message = format!(
                "unpacks to more than {} MiB; unpack it first, if it is meant to be that large",
                limit >> 20
            );
            Err(ReadError::file(path, message))
        }
        Ok(_) => Ok(bytes),
        Err(error) => {
            let message = format!(
                "cannot be unpacked ({error}); it is truncated, damaged or not packed with gzip"
            );
            Err(ReadError::io(path, message, error))
        }
    }
}

fn unreadable(path: &Path, error: io::Error) -> ReadError {
    let message = match error.kind() {
        io::ErrorKind::NotFound => "no such file; check the name".to_owned(),
        io::ErrorKind::PermissionDenied => "may not be read; check its permissions".to_owned(),
        io::ErrorKind::OutOfMemory => "does not fit into memory".to_owned(),
        _ => format!("cannot be read: {error}"),
    };
    ReadError::io(path, message, error)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::{Compression, write::GzEncoder};

    use super::*;

    fn pack(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn unpacking_stops_at_the_limit() {
        let path =
            std::env::temp_dir().join(format!("elbowroom-bomb-{}.obj.gz", std::process::id()));
        fs::write(&path, pack(&vec![b'#'; 3 << 20])).unwrap();
        assert!(fs::metadata(&path).unwrap().len() < 10_000);
        let message = read_packed(&path, 2 << 20).unwrap_err().to_string();
        let whole = read_packed(&path, 3 << 20).unwrap();
        fs::remove_file(&path).unwrap();
        assert!(message.contains("unpacks to more than 2 MiB; unpack it first"), "{message}");
        assert_eq!(whole.len(), 3 << 20);
    }

    #[test]
    fn the_ending_chooses_the_reader() {
        let known =
            ["a.obj", "a.b.OBJ", "a.stl", "a.STL.gz", "a.obj.GZ", "a.ply", "a.OFF", "a.3mf"];
        for name in known {
            assert_eq!(
                reader_for(Path::new(name)).unwrap().1,
                name.to_lowercase().ends_with("gz"),
                "{name}"
            );
        }
        let unknown = [
            ("a.fbx", "ends in .fbx"),
            ("obj", "has no ending"),
            ("a.gz", "has no ending"),
            ("a.dae.gz", "ends in .dae"),
        ];
        for (name, found) in unknown {
            let message = reader_for(Path::new(name)).unwrap_err().to_string();
            assert_eq!(
                message,
                format!(
                    "{name}: the name {found}; known are .obj, .stl, .ply, .off and .3mf, and each with .gz behind it"
                )
            );
        }
    }
}
