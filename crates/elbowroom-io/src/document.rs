//! What comes out of any file: rigs, and what is known of their units and their up axis.
//!
//! A reader keeps the numbers of its file. How long its unit is and which way is up are facts that
//! a [`Document`] states, with where they come from; [`Document::to_metres`] and
//! [`Document::turned`] bake them in when the caller wants it.
//!
//! A plain mesh file becomes a rig of one joint that holds one part, so a program that takes
//! documents takes every file.

use std::path::{Path, PathBuf};

use elbowroom::Mesh;
use elbowroom_motion::body::{Hold, Joint, JointId, Local, Part, Rig, Skeleton, SkeletonError};

use crate::error::ReadError;
use crate::limits;
use crate::memory::Memory;
use crate::mesh_file::MeshFile;
use crate::split::{self, Pieces, Split};
use crate::text::counted;

mod change;
mod facts;

pub use change::ChangeError;
pub(crate) use change::turn;
pub use facts::{FileFacts, FileOptions};

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
    /// Assumed: neither the file nor the caller states it.
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
    /// Metres in a unit of files that do not state theirs, as OBJ, STL, PLY, OFF, NPZ and BVH. It
    /// never overrules a file.
    pub units: Option<f64>,
    /// The axis that points up in files that do not state theirs.
    pub up: Option<Axis>,
    /// What is given for single files. Unlike the two above, it is an error if the file states
    /// something else.
    pub of_files: Vec<FileOptions>,
    /// The most bytes that the data of a file may take once decoded: 2 GiB by default.
    ///
    /// A file of a few kilobytes may name one mesh a million times; this is where that ends.
    pub max_decoded_bytes: u64,
    /// The most bytes that a compressed file may decompress to.
    ///
    /// `None` is 1 GiB, and beyond 64 MiB no more than 100 times the compressed size ([`limits`]).
    pub max_decompressed_bytes: Option<u64>,
    /// Whether the first frame of a mocap clip is left out where it is a rest pose.
    pub skip_rest_frame: bool,
    /// Whether a file may name others that lie outside its own folder.
    pub allow_outside: bool,
    /// Folders with packages of the Robot Operating System, in which `package://name/rest` is looked
    /// for before the folders above the file.
    pub packages: Vec<PathBuf>,
    /// How the meshes of a file are split into objects.
    pub split: Split,
    /// Data that is named where a file could be.
    pub memory: Memory,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            units: None,
            up: None,
            of_files: Vec::new(),
            max_decoded_bytes: limits::DECODED_BYTES,
            max_decompressed_bytes: None,
            skip_rest_frame: false,
            allow_outside: false,
            packages: Vec::new(),
            split: Split::None,
            memory: Memory::default(),
        }
    }
}

impl Document {
    /// A document whose file says nothing about units and axes: metres and Y up are assumed, and a
    /// note says so.
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
        Ok(Self::assumed(vec![rig]).given(options))
    }

    /// With what the caller gives about a plain mesh, which states nothing that could be overruled.
    fn given(mut self, options: &ReadOptions) -> Self {
        self.units = self.units.given(None, options.units).unwrap_or(self.units);
        self.up = self.up.given(None, options.up).unwrap_or(self.up);
        self.noted()
    }

    /// A plain mesh file as a rig that does not move, split as the caller says, a joint for each
    /// piece.
    ///
    /// # Errors
    /// If it would be split into too many pieces.
    pub fn of_file(name: &str, file: MeshFile, options: &ReadOptions) -> Result<Self, String> {
        Ok(Self::of_plain(name, file, options)?.given(options))
    }

    /// As [`Document::of_file`], before anything is known of its unit and axis.
    pub(crate) fn of_plain(
        name: &str,
        mut file: MeshFile,
        options: &ReadOptions,
    ) -> Result<Self, String> {
        let mut notes = std::mem::take(&mut file.notes);
        notes.extend(file.ignored_note());
        let Pieces { pieces, note } = split::pieces(file, name, options.split)?;
        let mut document = Self::assumed(vec![split::rig(name, pieces)?]);
        document.notes.extend(notes.into_iter().chain(note));
        Ok(document)
    }

    /// Says it where an object consists of shells that are not compared with each other.
    pub(crate) fn with_shells_note(mut self) -> Self {
        let parts: Vec<&Part> = self.rigs.iter().flat_map(|rig| &rig.parts).collect();
        let shells: usize = parts.iter().map(|part| split::shell_count(&part.mesh)).sum();
        if shells > parts.len() {
            let parts = counted(parts.len(), "object", "objects");
            self.notes.push(format!(
                "has {shells} shells in {parts}; --split shells checks them against each other"
            ));
        }
        self
    }

    /// Splits what moves no joints of its own into shells, and says what is left whole.
    pub(crate) fn into_shells(mut self) -> Result<Self, String> {
        let is_robot = |rig: &Rig| !(rig.freedoms.is_empty() && rig.allowed.is_empty());
        let is_skinned = |part: &Part| matches!(part.hold, Hold::Skinned(_));
        if self.rigs.iter().any(is_robot) {
            self.notes.push("a robot is one object, which --split leaves whole".to_owned());
        }
        if self.rigs.iter().flat_map(|rig| &rig.parts).any(is_skinned) {
            self.notes.push("skinned meshes are left whole by --split".to_owned());
        }
        self.rigs = self.rigs.into_iter().map(split::split_rig).collect::<Result<_, _>>()?;
        Ok(self)
    }

    /// What the caller gives fills in what the file does not state.
    pub(crate) fn told(mut self, path: &Path, options: &ReadOptions) -> Result<Self, ReadError> {
        let own = options.of_file(path);
        let refused = |message| ReadError::file(path, message);
        self.units = self.units.given(own.and_then(|o| o.units), options.units).map_err(refused)?;
        self.up = self.up.given(own.and_then(|o| o.up), options.up).map_err(refused)?;
        Ok(self.noted())
    }

    /// With a note on what remains assumed.
    fn noted(mut self) -> Self {
        self.notes.extend(self.units.note());
        self.notes.extend(self.up.note());
        self
    }
}

/// The name of a file without folder and endings.
pub(crate) fn stem(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.split('.').next().unwrap_or_default().to_owned()
}

/// A rig of one joint, at rest at the origin, that holds one mesh.
fn rig_of_mesh(name: &str, mesh: Mesh) -> Result<Rig, SkeletonError> {
    let joint = Joint { name: name.to_owned(), parent: None, rest: Local::IDENTITY };
    let mut rig = Rig::new(name, Skeleton::new(vec![joint])?);
    rig.parts.push(Part::new(name, mesh, Hold::Rigid(JointId(0))));
    Ok(rig)
}
