//! Several bodies over time in one array of `NumPy`: `(T, P, N, 3)`, as data sets of two people
//! have it, or `(B, T, N, 3)`, as generated batches have it; also `(T, N, 3)` and `(N, 3)`.
//!
//! A file is an NPZ archive or a single `.npy`. Faces are those of the archive, or of another file
//! ([`read_faces`]). An array `parts` of the archive, with a number for each vertex or each face,
//! labels the parts of the body.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use elbowroom::Mesh;
use elbowroom_motion::metrics::face_labels;
use glam::DVec3;

use crate::document::ReadOptions;
use crate::error::{Fault, ReadError};
use crate::memory::FrameSource;
use crate::mesh_in::read_mesh_with;
use crate::npz;

/// Body models by their number of vertices.
const MODELS: [(usize, &str); 5] =
    [(778, "MANO"), (5023, "FLAME"), (6890, "SMPL or SMPL-H"), (10_475, "SMPL-X"), (18_439, "MHR")];

/// An array of bodies.
#[derive(Debug)]
pub struct BodyArray {
    /// The mesh of the first body in the first frame.
    pub mesh: Mesh,
    /// The axes before those of the vertices, at most two.
    pub axes: Vec<usize>,
    /// Frames in a second, if the archive says so.
    pub fps: Option<f64>,
    /// A label for each face, if the archive has parts.
    pub parts: Option<Vec<u32>>,
    /// Notes on arrays that are not read.
    pub notes: Vec<String>,
    path: PathBuf,
    frames: Mutex<npz::Frames>,
}

/// Whether the name of a file is that of an array or an archive of arrays.
pub fn is_array(path: &Path) -> bool {
    let is = |ending: &str| path.extension().is_some_and(|own| own.eq_ignore_ascii_case(ending));
    is("npz") || is("npy")
}

/// Reads the triangles of a file for arrays that have none: a mesh, an NPZ archive with `faces`, or
/// an array `(M, 3)`.
///
/// # Errors
/// Names the file and what is wrong with it.
pub fn read_faces(path: &Path, options: &ReadOptions) -> Result<Vec<[u32; 3]>, ReadError> {
    if is_array(path) {
        return npz::triangles(path, options);
    }
    Ok(read_mesh_with(path, options)?.mesh.triangles().to_vec())
}

impl BodyArray {
    /// Opens a file and reads its first frame, with faces of its own or those given.
    ///
    /// # Errors
    /// Names the file, the array, and what is wrong with it.
    pub fn open(
        path: &Path,
        faces: Option<&[[u32; 3]]>,
        options: &ReadOptions,
    ) -> Result<Self, ReadError> {
        let given = npz::Given { faces, two_axes: true };
        let opened = npz::open(path, given, options)?;
        let refuse = |text: String| ReadError::content(path, Fault::whole(text).in_bytes());
        let (triangles, vertices) = (opened.mesh.triangles(), opened.mesh.vertices().len());
        let highest = triangles.iter().flatten().max().map_or(0, |&at| at as usize + 1);
        if let (Some(found), Some(named)) = (model(vertices), model(highest))
            && found != named
        {
            return Err(refuse(format!(
                "{vertices} vertices are those of {found}, and the faces are those of {named} \
                 ({highest} vertices); give the faces of {found}"
            )));
        }
        let parts = match opened.parts {
            None => None,
            Some(parts) if parts.len() == triangles.len() => Some(parts),
            Some(parts) if parts.len() == vertices => Some(face_labels(triangles, &parts)),
            Some(parts) => {
                return Err(refuse(format!(
                    "array parts has {} labels for {vertices} vertices and {} faces; give one for \
                     each vertex or face",
                    parts.len(),
                    triangles.len()
                )));
            }
        };
        let npz::Opened { frames, axes, mesh, fps, mut notes, .. } = opened;
        if parts.is_some() {
            notes.clear();
        }
        let (path, frames) = (path.to_owned(), Mutex::new(frames));
        Ok(Self { mesh, axes, fps, parts, notes, path, frames })
    }

    /// Puts the vertices at a place of the axes before those of the vertices into `out`, the last
    /// axis first.
    ///
    /// # Errors
    /// Names the file, the frame and what is wrong with it.
    pub fn read(&self, index: usize, out: &mut Vec<DVec3>) -> Result<(), ReadError> {
        let mut frames = self.frames.lock().unwrap_or_else(PoisonError::into_inner);
        let read = frames.read(index, out);
        read.map_err(|fault| ReadError::content(&self.path, fault.in_bytes()))
    }
}

fn model(vertices: usize) -> Option<&'static str> {
    MODELS.iter().find(|(count, _)| *count == vertices).map(|(_, name)| *name)
}

/// One body of an array: some of its frames, at equal steps.
#[derive(Debug)]
pub struct OneBody {
    /// The array; the bodies of one array share it, so that it is read once.
    pub array: Arc<BodyArray>,
    /// The place of its first frame.
    pub first: usize,
    /// How far apart its frames are.
    pub step: usize,
}

impl FrameSource for OneBody {
    fn read(&self, frame: usize, out: &mut Vec<DVec3>) -> Result<(), String> {
        let at = self.first + frame * self.step;
        self.array.read(at, out).map_err(|error| error.message().to_owned())
    }
}
