//! The bytes of a file.
//!
//! The whole file is read into memory once; a file compressed with gzip is decompressed as it is
//! read, up to a limit, since a small file may decompress to a thousand times its size.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;

use crate::document::ReadOptions;
use crate::error::ReadError;
use crate::{limits, opened};

/// Refuses what cannot be read to its end: directories, pipes, devices.
pub(crate) fn check_file(path: &Path) -> Result<(), ReadError> {
    if path.as_os_str() == "-" {
        let message = "standard input is not read; save it to a file first: `… > mesh.obj`";
        return Err(ReadError::file(path, message));
    }
    let data = fs::metadata(path).map_err(|error| unreadable(path, error))?;
    opened::note(path);
    if data.is_dir() {
        return Err(ReadError::file(path, "is a directory; name a file in it"));
    }
    if !data.is_file() {
        return Err(ReadError::file(
            path,
            "is a pipe or device, which is not read; save it to a file first",
        ));
    }
    Ok(())
}

/// The bytes of a file, decompressed where its name ends in `.gz` or it begins as gzip does.
pub(crate) fn read_bytes(path: &Path, options: &ReadOptions) -> Result<Vec<u8>, ReadError> {
    if let Some(bytes) = options.memory.bytes(path) {
        return Ok(bytes.to_vec());
    }
    check_file(path)?;
    if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gz")) {
        return decompress(path, options);
    }
    let bytes = fs::read(path).map_err(|error| unreadable(path, error))?;
    if is_gzip(&bytes) { decompress(path, options) } else { Ok(bytes) }
}

/// Whether bytes begin as gzip does.
pub(crate) fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x1f\x8b\x08")
}

/// How far something compressed may grow: by its own size, unless the caller says how far.
pub(crate) struct Growth {
    /// The most bytes that may come out.
    pub(crate) most: u64,
    /// Whether the compressed size sets it.
    pub(crate) by_expansion: bool,
}

impl Growth {
    /// The allowed growth, given a number of compressed bytes.
    pub(crate) fn of(compressed: u64, options: &ReadOptions) -> Self {
        if let Some(most) = options.max_decompressed_bytes {
            return Self { most, by_expansion: false };
        }
        let expanded = compressed.saturating_mul(limits::EXPANSION);
        let expanded = expanded.max(limits::EXPANSION_FREE_BYTES);
        let most = options.max_decoded_bytes.min(limits::DECOMPRESSED_BYTES);
        Self { most: most.min(expanded), by_expansion: expanded < most }
    }

    /// What is wrong with more than that, and what to do.
    pub(crate) fn exceeded(&self) -> String {
        let most = limits::size(self.most);
        let why = if self.by_expansion {
            format!(" and to more than {} times its compressed size", limits::EXPANSION)
        } else {
            String::new()
        };
        format!(
            "decompresses to more than {most}{why}; allow it with --max-size if it is meant to be that large"
        )
    }
}

fn decompress(path: &Path, options: &ReadOptions) -> Result<Vec<u8>, ReadError> {
    let file = File::open(path).map_err(|error| unreadable(path, error))?;
    let length = file.metadata().map_or(0, |data| data.len());
    let growth = Growth::of(length, options);
    let mut bytes = Vec::new();
    let decoder = MultiGzDecoder::new(io::BufReader::new(file));
    match decoder.take(growth.most.saturating_add(1)).read_to_end(&mut bytes) {
        Ok(read) if read as u64 > growth.most => Err(ReadError::file(path, growth.exceeded())),
        Ok(_) => Ok(bytes),
        Err(error) => {
            let message = format!(
                "cannot be decompressed ({error}); it is truncated, damaged or not compressed with gzip"
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
    fn decompression_stops_at_the_limit() {
        let path =
            std::env::temp_dir().join(format!("elbowroom-bomb-{}.obj.gz", std::process::id()));
        let read = |most| {
            let options = ReadOptions { max_decompressed_bytes: most, ..ReadOptions::default() };
            decompress(&path, &options)
        };
        fs::write(&path, pack(&vec![b'#'; 3 << 20])).unwrap();
        assert!(fs::metadata(&path).unwrap().len() < 10_000);
        let by_option = read(Some(2 << 20)).unwrap_err().to_string();
        let whole = read(Some(3 << 20)).unwrap();
        let small = read(None).unwrap();
        fs::write(&path, pack(&vec![b'#'; 65 << 20])).unwrap();
        let by_expansion = read(None).unwrap_err().to_string();
        let allowed = read(Some(65 << 20)).unwrap().len();
        fs::remove_file(&path).unwrap();
        assert!(by_option.contains("decompresses to more than 2 MiB; allow it"), "{by_option}");
        assert_eq!((whole.len(), small.len(), allowed), (3 << 20, 3 << 20, 65 << 20));
        assert!(
            by_expansion.contains("decompresses to more than 64 MiB and to more than 100 times"),
            "{by_expansion}"
        );
    }

    #[test]
    fn growth_is_bounded_by_the_compressed_size_and_by_a_maximum() {
        let most = |compressed| Growth::of(compressed, &ReadOptions::default()).most;
        let free = limits::EXPANSION_FREE_BYTES;
        assert_eq!([most(0), most(1000), most(1 << 20)], [free, free, limits::EXPANSION << 20]);
        assert_eq!([most(1 << 30), most(u64::MAX)], [limits::DECOMPRESSED_BYTES; 2]);
    }
}
