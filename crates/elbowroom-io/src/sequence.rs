//! Vertices over time with one topology: numbered mesh files, or an NPZ archive.
//!
//! Simulations and artists export a moving mesh as one file a frame: `cloth.0001.obj`,
//! `cloth.0002.obj`, … A pattern names them all: `cloth.####.obj` (a sign a digit, or a single one
//! for any number of digits) or `cloth.%04d.obj`. The first frame gives the mesh; every other must
//! have the same vertices and faces by number, and is read when it is asked for, so that memory is
//! for one frame.
//!
//! A face with more than three corners may bend from frame to frame, and would be cut into
//! triangles in another way then; the cut of the first frame holds for all.

mod pattern;

use std::path::{Path, PathBuf};

use elbowroom::Mesh;
use glam::DVec3;

use crate::document::ReadOptions;
use crate::error::ReadError;
use crate::memory;
use crate::mesh_file::MeshFile;
use crate::mesh_in::read_mesh_with;
use crate::npz;
use crate::odd::LEFT_OUT;
use crate::text::counted;

pub use pattern::is_pattern;

/// A mesh whose vertices move, read frame by frame.
#[derive(Debug)]
pub struct VertexFrames {
    mesh: Mesh,
    source: Frames,
    fps: Option<f64>,
    first_number: i64,
    notes: Vec<String>,
}

#[derive(Debug)]
enum Frames {
    Files { files: Vec<(u64, PathBuf)>, faces: usize, options: ReadOptions },
    Archive { path: PathBuf, frames: Box<npz::Frames> },
    Memory { path: PathBuf, frames: memory::Frames },
}

impl VertexFrames {
    /// Opens an `.npz` archive, or the files that a pattern like `cloth.####.obj` names, and reads
    /// the first frame.
    ///
    /// # Errors
    /// Names the file and what is wrong with it, or says that no file fits the pattern.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        Self::open_with(path, &ReadOptions::default())
    }

    /// Opens as [`VertexFrames::open`] does, with limits of the caller's.
    ///
    /// # Errors
    /// As [`VertexFrames::open`].
    pub fn open_with(path: &Path, options: &ReadOptions) -> Result<Self, ReadError> {
        if let Some(frames) = options.memory.frames(path) {
            let (mesh, fps, first_number) = (frames.mesh.clone(), frames.fps, frames.first_number);
            let source = Frames::Memory { path: path.to_owned(), frames: frames.clone() };
            return Ok(Self { mesh, source, fps, first_number, notes: Vec::new() });
        }
        if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("npz")) {
            let opened = npz::open(path, npz::Given::default(), options)?;
            let source = Frames::Archive { path: path.to_owned(), frames: Box::new(opened.frames) };
            let (mesh, fps, first_number) = (opened.mesh, opened.fps, opened.first_frame);
            return Ok(Self { mesh, source, fps, first_number, notes: opened.notes });
        }
        // Frames are read from any place in an archive, which cannot be done through gzip.
        if path.to_string_lossy().to_ascii_lowercase().ends_with(".npz.gz") {
            let message =
                "is an archive, compressed already, and compressed again; run gunzip on it first";
            return Err(ReadError::file(path, message));
        }
        let files = pattern::files(path)?;
        let mut notes = gaps(&files);
        let first = read_mesh_with(&files[0].1, options)?;
        if let objects @ 2.. = first.objects.len() {
            notes.push(format!(
                "the {objects} objects of its files are one object here, and are not compared with each other; --self does it"
            ));
        }
        let first_number = i64::try_from(files[0].0).unwrap_or(i64::MAX);
        let source = Frames::Files { files, faces: first.faces, options: options.clone() };
        Ok(Self { mesh: first.mesh, source, fps: None, first_number, notes })
    }

    /// The mesh of the first frame; its triangles are those of all.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// The number of frames, at least one.
    #[expect(clippy::len_without_is_empty, reason = "it never is")]
    pub fn len(&self) -> usize {
        match &self.source {
            Frames::Files { files, .. } => files.len(),
            Frames::Archive { frames, .. } => frames.len(),
            Frames::Memory { frames, .. } => frames.count,
        }
    }

    /// The number of the first frame on the timeline of its shot: as in its file's name, or as the
    /// archive gives it (`first_frame`), else 0.
    pub fn first_number(&self) -> i64 {
        self.first_number
    }

    /// The number of a frame: as in its file's name, or its place in the archive behind the first.
    pub fn number(&self, frame: usize) -> Option<i64> {
        match &self.source {
            Frames::Files { files, .. } => {
                files.get(frame).and_then(|(number, _)| i64::try_from(*number).ok())
            }
            Frames::Archive { .. } | Frames::Memory { .. } => (frame < self.len())
                .then(|| self.first_number.saturating_add_unsigned(frame as u64)),
        }
    }

    /// The count of numbers from the first frame's to the last frame's.
    pub fn span_len(&self) -> usize {
        match &self.source {
            Frames::Files { files, .. } => match (files.first(), files.last()) {
                (Some((first, _)), Some((last, _))) => {
                    usize::try_from(last - first).unwrap_or(usize::MAX).saturating_add(1)
                }
                _ => 1,
            },
            Frames::Archive { .. } | Frames::Memory { .. } => self.len(),
        }
    }

    /// The frame that is shown at a number, counted from the first: where no file has it, the one
    /// before.
    pub fn at_number(&self, number: usize) -> usize {
        match &self.source {
            Frames::Files { files, .. } => {
                let wanted = files[0].0.saturating_add(number as u64);
                files.partition_point(|(number, _)| *number <= wanted).saturating_sub(1)
            }
            Frames::Archive { .. } | Frames::Memory { .. } => number,
        }
    }

    /// Frames in a second, where the file says so.
    pub fn fps(&self) -> Option<f64> {
        self.fps
    }

    /// Notes on missing numbers.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Puts the vertices of a frame into `out`.
    ///
    /// # Errors
    /// Names the file and what is wrong with it: it cannot be read, or its faces are not those of
    /// the first frame.
    ///
    /// # Panics
    /// If there is no such frame.
    pub fn read(&mut self, frame: usize, out: &mut Vec<DVec3>) -> Result<(), ReadError> {
        assert!(frame < self.len(), "frame {frame} of {}", self.len());
        match &mut self.source {
            Frames::Archive { path, frames } => {
                frames.read(frame, out).map_err(|fault| ReadError::content(path, fault.in_bytes()))
            }
            Frames::Memory { path, frames } => frames
                .source
                .read(frame, out)
                .map_err(|problem| ReadError::file(path, format!("frame {frame}: {problem}"))),
            Frames::Files { files, faces, options } => {
                let path = &files[frame].1;
                let file = read_mesh_with(path, options)?;
                same_topology(&self.mesh, *faces, &file).map_err(|problem| {
                    ReadError::file(
                        path,
                        format!("{problem}; all frames need the faces of {}", files[0].1.display()),
                    )
                })?;
                out.clear();
                out.extend_from_slice(file.mesh.vertices());
                Ok(())
            }
        }
    }
}

impl elbowroom_motion::scene::Vertices for VertexFrames {
    fn mesh(&self) -> &Mesh {
        self.mesh()
    }

    /// Arrays can be read in any order; files are read one after the other.
    fn is_at_hand(&self) -> bool {
        matches!(self.source, Frames::Memory { .. })
    }

    /// Frames go by their numbers.
    fn frames(&self) -> usize {
        self.span_len()
    }

    fn read(
        &mut self,
        frame: usize,
        out: &mut Vec<DVec3>,
    ) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        Self::read(self, self.at_number(frame), out).map_err(Into::into)
    }
}

/// Whether a frame has the vertices and faces of the first, by number.
fn same_topology(first: &Mesh, faces: usize, file: &MeshFile) -> Result<(), String> {
    let (vertices, expected) = (file.mesh.vertices().len(), first.vertices().len());
    if vertices != expected {
        let (vertices, expected) =
            (counted(vertices, "vertex", "vertices"), counted(expected, "vertex", "vertices"));
        return Err(format!("this frame has {vertices}, not {expected}"));
    }
    if file.faces != faces {
        let (found, expected) =
            (counted(file.faces, "face", "faces"), counted(faces, "face", "faces"));
        return Err(format!("this frame has {found}, not {expected}"));
    }
    if first.triangles() == file.mesh.triangles() {
        return Ok(());
    }
    // Cut otherwise, perhaps, but of the same corners?
    match (0..faces).zip(corners(first).zip(corners(&file.mesh))).find(|(_, (a, b))| a != b) {
        Some((face, _)) => Err(format!("face {face} of this frame joins other vertices")),
        None => Ok(()),
    }
}

/// The vertices of each face, sorted.
fn corners(mesh: &Mesh) -> impl Iterator<Item = Vec<u32>> + '_ {
    let mut triangle = 0;
    std::iter::from_fn(move || {
        let count = mesh.triangles().len();
        if triangle >= count {
            return None;
        }
        let face = mesh.face_of(triangle);
        let mut corners = Vec::new();
        while triangle < count && mesh.face_of(triangle) == face {
            corners.extend(mesh.triangles()[triangle]);
            triangle += 1;
        }
        corners.sort_unstable();
        corners.dedup();
        Some(corners)
    })
}

/// A sentence about numbers between the first and the last that have no file.
fn gaps(files: &[(u64, PathBuf)]) -> Vec<String> {
    let [(first, _), .., (last, _)] = files else { return Vec::new() };
    let missing = (last - first + 1) - files.len() as u64;
    let jump = files.windows(2).find(|pair| pair[1].0 > pair[0].0 + 1);
    match jump {
        Some([(before, _), (after, _)]) => vec![format!(
            "{missing} of the numbers from {first} to {last} have no file, the first of them between {before} and {after}; what they show is {LEFT_OUT}, and the frame before holds there"
        )],
        _ => Vec::new(),
    }
}
