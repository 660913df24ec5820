//! The archive: which arrays it holds, and streams of them.
//!
//! An array is read from a stream of its own that starts at its first byte, so that many can be
//! read at once and none has to fit into memory.

use std::fs::File;
use std::io::{BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::PathBuf;

use flate2::read::DeflateDecoder;
use zip::{CompressionMethod, ZipArchive};

use super::array::Header;
use crate::error::Fault;
use crate::limits;

/// Where the bytes of an archive are.
pub(super) enum Store {
    File(PathBuf),
    Bytes(Vec<u8>),
}

/// An array in the archive.
#[derive(Clone)]
pub(super) struct Entry {
    name: String,
    /// The first byte in the archive, and how many it takes there.
    start: u64,
    pub(super) packed_size: u64,
    /// How many bytes it says that it has.
    pub(super) size: u64,
    deflated: bool,
}

impl Entry {
    /// The name without `.npy`.
    pub(super) fn array_name(&self) -> &str {
        self.name.strip_suffix(".npy").unwrap_or(&self.name)
    }

    /// Whether any byte can be reached at once.
    pub(super) fn is_plain(&self) -> bool {
        !self.deflated
    }

    pub(super) fn damaged(&self, error: &std::io::Error) -> Fault {
        Fault::whole(format!(
            "array {} cannot be decompressed ({error}); the file is damaged",
            self.array_name()
        ))
    }
}

trait Source: Read + Seek + Send {}
impl<T: Read + Seek + Send> Source for T {}

impl Store {
    fn source(&self) -> Result<Box<dyn Source + '_>, Fault> {
        match self {
            Self::File(path) => {
                let file = File::open(path)
                    .map_err(|error| Fault::whole(format!("cannot be opened: {error}")))?;
                Ok(Box::new(BufReader::new(file)))
            }
            Self::Bytes(bytes) => Ok(Box::new(Cursor::new(bytes.as_slice()))),
        }
    }

    pub(super) fn entries(&self) -> Result<Vec<Entry>, Fault> {
        let broken = |error: &dyn std::fmt::Display| {
            Fault::whole(format!(
                "cannot be opened as a zip ({error}); it is truncated, damaged or not an NPZ file"
            ))
        };
        if let Some(entry) = self.alone()? {
            return Ok(vec![entry]);
        }
        let mut zip = ZipArchive::new(self.source()?).map_err(|error| broken(&error))?;
        let mut entries = Vec::new();
        for index in 0..zip.len() {
            let file = zip.by_index_raw(index).map_err(|error| broken(&error))?;
            let deflated = match file.compression() {
                CompressionMethod::Stored => false,
                CompressionMethod::Deflated => true,
                // Another array may be packed as it likes.
                _ => continue,
            };
            let Ok(name) = file.name().map(std::borrow::Cow::into_owned) else { continue };
            let start = file.data_start();
            let (packed_size, size) = (file.compressed_size(), file.size());
            if let (Some(start), false) = (start, file.encrypted()) {
                entries.push(Entry { name, start, packed_size, size, deflated });
            }
        }
        Ok(entries)
    }

    /// The array of a file that is one array; it counts as the vertices.
    fn alone(&self) -> Result<Option<Entry>, Fault> {
        let (mut source, mut mark) = (self.source()?, [0; 6]);
        if source.read_exact(&mut mark).is_err() || &mark != b"\x93NUMPY" {
            return Ok(None);
        }
        let size = source.seek(SeekFrom::End(0));
        let size = size.map_err(|error| Fault::whole(format!("cannot be read: {error}")))?;
        let name = "vertices".to_owned();
        Ok(Some(Entry { name, start: 0, packed_size: size, size, deflated: false }))
    }

    pub(super) fn header(&self, entry: &Entry) -> Result<Header, Fault> {
        Header::read(&mut *self.open_at(entry, 0)?, entry)
    }

    /// A stream of an array from a byte on; anything but 0 is for plain ones alone.
    pub(super) fn open_at(&self, entry: &Entry, byte: u64) -> Result<Box<dyn Read + Send>, Fault> {
        let left = entry.packed_size.saturating_sub(byte);
        let start = entry.start.saturating_add(byte);
        let packed: Box<dyn Read + Send> = match self {
            Self::File(path) => {
                let mut file = File::open(path).map_err(|error| entry.damaged(&error))?;
                file.seek(SeekFrom::Start(start)).map_err(|error| entry.damaged(&error))?;
                Box::new(BufReader::new(file).take(left))
            }
            Self::Bytes(bytes) => {
                let start = usize::try_from(start).unwrap_or(usize::MAX).min(bytes.len());
                let end = start
                    .saturating_add(usize::try_from(left).unwrap_or(usize::MAX))
                    .min(bytes.len());
                Box::new(Cursor::new(bytes[start..end].to_vec()))
            }
        };
        Ok(if entry.deflated { Box::new(DeflateDecoder::new(packed)) } else { packed })
    }

    /// The numbers of an array that is to be had whole.
    pub(super) fn read_all(
        &self,
        entry: &Entry,
        header: &Header,
        most: u64,
    ) -> Result<Vec<u8>, Fault> {
        let needed = header.bytes()?;
        if needed > most {
            return Err(Fault::whole(format!(
                "array {} needs more than {}; allow it with --max-size",
                entry.array_name(),
                limits::size(most)
            )));
        }
        let mut reader = self.open_at(entry, 0)?;
        std::io::copy(&mut reader.by_ref().take(header.length), &mut std::io::sink())
            .map_err(|error| entry.damaged(&error))?;
        let mut bytes = Vec::new();
        reader.take(needed).read_to_end(&mut bytes).map_err(|error| entry.damaged(&error))?;
        if (bytes.len() as u64) < needed {
            return Err(Fault::whole(format!(
                "array {} is cut short; the file is truncated",
                entry.array_name()
            )));
        }
        Ok(bytes)
    }
}
