//! What comes out of any file: rigs, and what is known of their units and their up axis.
//!
//! A reader keeps the numbers of its file. How long its unit is and which way is up are facts that a [`Document`] states, with where they come
//! from; [`Document::to_metres`] and [`Document::turned`] bake them in when the caller wants it.
//!
//! [`read_document`] chooses the reader by the ending of the name. A plain mesh file becomes a rig of one joint that holds
//! one part, so that whoever takes documents takes every file.

use std::path::Path;

use elbowroom::Mesh;
use elbowroom::body::{Hold, Joint, JointId, Local, Part, Rig, Skeleton, SkeletonError};

use crate::error::{ParseError, ReadError};
use crate::read::{MAX_UNPACKED_BYTES, check_file, read_mesh, read_packed, read_plain};
use crate::{biovision, fbx, gltf, mjcf, robot, threemf, urdf};

mod change;

pub use change::ChangeError;

/// Everything that a file holds that can touch something.
#[derive(Debug, Clone)]
pub struct Document {
    /// The rigs, in the units and axes of the file.
    pub rigs: Vec<Rig>,
    /// How long the unit of the numbers is.
    pub units: Units,
    /// Which way is up.
    pub up: Up,
    /// What was odd about the file and how it was read, a sentence each.
    pub notes: Vec<String>,
}

/// How long a unit is, and who says so.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Units {
    /// Metres in a unit of the document's numbers.
    pub metres_per_unit: f64,
    /// Where that is known from.
    pub source: Source,
}

/// Which way is up, and who says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Up {
    /// The axis that points up.
    pub axis: Axis,
    /// Where that is known from.
    pub source: Source,
}

/// Where a fact about a document comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Source {
    /// The caller said it, in [`ReadOptions`].
    Said,
    /// The file, or the standard of its format.
    File,
    /// Nobody: it is a guess.
    Assumed,
}

/// An axis, in its positive direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Axis {
    /// (1, 0, 0)
    X,
    /// (0, 1, 0)
    Y,
    /// (0, 0, 1)
    Z,
}

/// What a caller may say about a file, and how much it may cost.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadOptions {
    /// Metres in a unit of the file, where the caller knows better than the file.
    pub units: Option<f64>,
    /// The axis that points up, where the caller knows better than the file.
    pub up: Option<Axis>,
    /// How many bytes the read data may take once it is decoded: 2 GiB unless said otherwise.
    ///
    /// A file of a few kilobytes may name one mesh a million times; this is where that ends.
    pub max_decoded_bytes: u64,
    /// Whether the first frame of a mocap clip is left out where it is a rest pose.
    pub skip_rest_frame: bool,
    /// Whether a file may name others that lie outside its own folder.
    pub allow_outside: bool,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            units: None,
            up: None,
            max_decoded_bytes: 2 << 30,
            skip_rest_frame: false,
            allow_outside: false,
        }
    }
}

impl Document {
    /// A document whose file says nothing about units and axes: metres and Y up are assumed, and a note says so.
    pub(crate) fn assumed(rigs: Vec<Rig>) -> Self {
        Self {
            rigs,
            units: Units { metres_per_unit: 1.0, source: Source::Assumed },
            up: Up { axis: Axis::Y, source: Source::Assumed },
            notes: Vec::new(),
        }
    }

    /// A plain mesh as a rig of one joint, with what the caller says about it.
    ///
    /// # Errors
    /// Never for a mesh of its own; the skeleton is checked as any other.
    pub fn of_mesh(name: &str, mesh: Mesh, options: &ReadOptions) -> Result<Self, ChangeError> {
        let rig = rig_of_mesh(name, mesh).map_err(|error| change::because(&error))?;
        Ok(Self::assumed(vec![rig]).told(options))
    }

    /// What the caller said takes the place of what the file said; what remains assumed is noted.
    fn told(mut self, options: &ReadOptions) -> Self {
        if let Some(metres_per_unit) = options.units {
            self.units = Units { metres_per_unit, source: Source::Said };
        }
        if let Some(axis) = options.up {
            self.up = Up { axis, source: Source::Said };
        }
        if self.units.source == Source::Assumed {
            let metres = self.units.metres_per_unit;
            self.notes.push(format!(
                "the file does not say its unit; {metres} m is assumed, say another with --units"
            ));
        }
        if self.up.source == Source::Assumed {
            let axis = self.up.axis;
            self.notes.push(format!(
                "the file does not say which way is up; {axis:?} is assumed, say another with --up"
            ));
        }
        self
    }
}

/// Reads the bytes of a file that lies in a folder, which is `None` when the bytes are all there is.
pub(crate) type Parse = fn(&[u8], Option<&Path>, &ReadOptions) -> Result<Document, ParseError>;

/// The endings that are known besides those of plain meshes, in small letters, and who reads them.
const READERS: &[(&str, Parse)] = &[
    ("glb", gltf::parse),
    ("gltf", gltf::parse),
    ("fbx", fbx::parse),
    ("3mf", threemf::document),
    ("bvh", biovision::parse),
    ("xml", robot::parse),
    ("mjcf", mjcf::parse),
    ("urdf", urdf::parse),
];

/// Reads any file that is known, plain or packed with gzip (`.glb.gz`).
///
/// # Errors
/// Names the file, the place in it where there is one, what is wrong and what to do; also where the options make no sense.
///
/// # Example
/// ```no_run
/// use elbowroom_io::{ReadOptions, read_document};
///
/// let document = read_document("walk.glb".as_ref(), &ReadOptions::default())?;
/// for clip in &document.rigs[0].clips {
///     println!("{}: {} s", clip.name(), clip.seconds());
/// }
/// # Ok::<(), elbowroom_io::ReadError>(())
/// ```
pub fn read_document(path: &Path, options: &ReadOptions) -> Result<Document, ReadError> {
    if let Some(metres) = options.units.filter(|metres| !(metres.is_finite() && *metres > 0.0)) {
        let message = format!("a unit of {metres} m was asked for; a unit is longer than nothing");
        return Err(ReadError::file(path, message));
    }
    let (ending, packed) = ending(path);
    let document = match READERS.iter().find(|(known, _)| *known == ending) {
        Some((_, parse)) => {
            check_file(path)?;
            let limit = options.max_decoded_bytes.min(MAX_UNPACKED_BYTES);
            let bytes = if packed { read_packed(path, limit)? } else { read_plain(path)? };
            parse(&bytes, path.parent(), options)
                .map_err(|error| ReadError::content(path, error))?
        }
        None => mesh_document(path)?,
    };
    Ok(document.told(options))
}

/// The ending of a name in small letters, and whether `.gz` stands behind it.
fn ending(path: &Path) -> (String, bool) {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let (stem, packed) = name.strip_suffix(".gz").map_or((&*name, false), |stem| (stem, true));
    (stem.rsplit_once('.').map_or("", |(_, ending)| ending).to_owned(), packed)
}

/// A plain mesh file as a rig of one joint.
fn mesh_document(path: &Path) -> Result<Document, ReadError> {
    let file = read_mesh(path)?;
    let stem = path.file_name().unwrap_or_default().to_string_lossy();
    let name = stem.split('.').next().unwrap_or_default();
    let rig =
        rig_of_mesh(name, file.mesh).map_err(|error| ReadError::file(path, error.to_string()))?;
    Ok(Document::assumed(vec![rig]))
}

/// A rig of one joint, at rest at the origin, that holds one mesh.
fn rig_of_mesh(name: &str, mesh: Mesh) -> Result<Rig, SkeletonError> {
    let joint = Joint { name: name.to_owned(), parent: None, rest: Local::IDENTITY };
    let mut rig = Rig::new(name, Skeleton::new(vec![joint])?);
    rig.parts.push(Part::new(name, mesh, Hold::Rigid(JointId(0))));
    Ok(rig)
}
