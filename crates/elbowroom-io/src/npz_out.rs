//! NPZ out: posed vertices `(T, N, 3)` with faces `(M, 3)` and a frame rate, as `numpy.load` reads
//! them.
//!
//! A zip of `.npy` arrays that are not packed, so that any frame can be reached at once. Frames are
//! written as they come, in memory for one.
//!
//! Source: the `NumPy` manual, the NPY format, version 1. Vertices are f64, so nothing is rounded;
//! faces are u32.

use std::io::{Seek, Write};

use glam::DVec3;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::mesh_out::WriteError;

/// Writes an archive frame by frame.
///
/// ```
/// use elbowroom_io::npz_out::Archive;
/// use glam::DVec3;
///
/// let mut bytes = std::io::Cursor::new(Vec::new());
/// let mut archive = Archive::new(&mut bytes, 2, 3)?;
/// for height in [0.0, 1.0] {
///     archive.frame(&[DVec3::ZERO, DVec3::X, DVec3::Y * height])?;
/// }
/// archive.finish(&[[0, 1, 2]], Some(30.0))?;
/// assert_eq!(elbowroom_io::npz::check(bytes.get_ref())?, (2, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Archive<W: Write + Seek> {
    zip: ZipWriter<W>,
    frames_left: usize,
    vertices: usize,
    first_frame: i64,
    buffer: Vec<u8>,
}

impl<W: Write + Seek> std::fmt::Debug for Archive<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Archive")
            .field("frames_left", &self.frames_left)
            .field("vertices", &self.vertices)
            .finish_non_exhaustive()
    }
}

fn failed(error: impl std::fmt::Display) -> WriteError {
    WriteError(format!("the archive cannot be written: {error}"))
}

impl<W: Write + Seek> Archive<W> {
    /// Begins an archive, given its numbers of frames and vertices.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn new(out: W, frames: usize, vertices: usize) -> Result<Self, WriteError> {
        let mut zip = ZipWriter::new(out);
        let size = (frames as u64).saturating_mul(vertices as u64).saturating_mul(24);
        begin(&mut zip, "vertices", size)?;
        let header = header("<f8", &format!("({frames}, {vertices}, 3)"));
        zip.write_all(&header).map_err(failed)?;
        Ok(Self { zip, frames_left: frames, vertices, first_frame: 0, buffer: Vec::new() })
    }

    /// Sets the number of the first frame on the timeline of the shot, 0 otherwise: frame n is at n
    /// / fps seconds.
    pub fn begin_at(&mut self, first_frame: i64) {
        self.first_frame = first_frame;
    }

    /// Writes the next frame.
    ///
    /// # Errors
    /// If it cannot be written, there are more frames than announced, or more or fewer vertices.
    pub fn frame(&mut self, vertices: &[DVec3]) -> Result<(), WriteError> {
        let expected = self.vertices;
        if vertices.len() != expected || self.frames_left == 0 {
            let (found, left) = (vertices.len(), self.frames_left);
            return Err(WriteError(format!(
                "a frame of {found} vertices where {left} more of {expected} each were announced"
            )));
        }
        self.frames_left -= 1;
        self.buffer.clear();
        let numbers = vertices.iter().flat_map(DVec3::to_array);
        self.buffer.extend(numbers.flat_map(f64::to_le_bytes));
        self.zip.write_all(&self.buffer).map_err(failed)
    }

    /// Writes the faces, the rate and the first frame, and ends the archive.
    ///
    /// # Errors
    /// If it cannot be written, or frames are missing.
    pub fn finish(mut self, triangles: &[[u32; 3]], fps: Option<f64>) -> Result<(), WriteError> {
        if self.frames_left > 0 {
            return Err(WriteError(format!("{} announced frames are missing", self.frames_left)));
        }
        begin(&mut self.zip, "faces", triangles.len() as u64 * 12)?;
        let mut bytes = header("<u4", &format!("({}, 3)", triangles.len()));
        bytes.extend(triangles.as_flattened().iter().flat_map(|corner| corner.to_le_bytes()));
        self.zip.write_all(&bytes).map_err(failed)?;
        if let Some(fps) = fps {
            begin(&mut self.zip, "fps", 8)?;
            let mut bytes = header("<f8", "()");
            bytes.extend(fps.to_le_bytes());
            self.zip.write_all(&bytes).map_err(failed)?;
        }
        if self.first_frame != 0 {
            begin(&mut self.zip, "first_frame", 8)?;
            let mut bytes = header("<i8", "()");
            bytes.extend(self.first_frame.to_le_bytes());
            self.zip.write_all(&bytes).map_err(failed)?;
        }
        self.zip.finish().map(|_| ()).map_err(failed)
    }
}

fn begin<W: Write + Seek>(
    zip: &mut ZipWriter<W>,
    name: &str,
    bytes: u64,
) -> Result<(), WriteError> {
    // Sizes above 4 GiB need the longer form; the header takes some of it.
    let large = bytes > u64::from(u32::MAX) - 1024;
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .large_file(large);
    zip.start_file(format!("{name}.npy"), options).map_err(failed)
}

/// Magic, version, length and a dictionary, padded so that the numbers begin at a multiple of 64.
fn header(descr: &str, shape: &str) -> Vec<u8> {
    let mut text =
        format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}").into_bytes();
    let length = (10 + text.len() + 1).next_multiple_of(64) - 10;
    text.resize(length - 1, b' ');
    text.push(b'\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((length as u16).to_le_bytes());
    bytes.extend(text);
    bytes
}
