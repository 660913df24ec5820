//! Any file that is known, read by what it is.
//!
//! Three kinds of things come out: a document of rigs, a mesh over frames, the trajectories of a
//! crowd. A plain mesh is a document with a rig of one joint; what only its file knows (the kind of
//! file, the groups of faces) is kept beside it.

use std::path::Path;

use elbowroom_io::formats::{self, Kind};
use elbowroom_io::trajectory::Trajectories;
use elbowroom_io::{
    Axis, Document, FileFacts, Format, MeshFile, ReadOptions, Source, Up, VertexFrames, is_made,
    read_document, read_mesh_with, read_trajectories_with, sequence,
};

/// What a file holds.
#[derive(Debug)]
pub(crate) struct Loaded {
    /// The kind of file, for people.
    pub(crate) format: &'static str,
    pub(crate) what: What,
    /// The unit and up axis.
    pub(crate) facts: FileFacts,
}

#[derive(Debug)]
pub(crate) enum What {
    /// Rigs; and the mesh as its file has it, if it is a plain one.
    Document(Document, Option<Box<MeshFile>>),
    Frames(Box<VertexFrames>),
    Ways(Trajectories),
}

impl Loaded {
    /// The frame rate of trajectories, where the caller says one.
    pub(crate) fn with_fps(mut self, fps: Option<f64>) -> Self {
        if let (What::Ways(ways), Some(fps)) = (&mut self.what, fps) {
            ways.set_rate(fps);
            self.facts.units = ways.units;
        }
        self
    }
}

/// Reads a file, or the files that a pattern names.
///
/// # Errors
/// One line: the file, the place, what is wrong and what to do.
pub(crate) fn load(path: &Path, options: &ReadOptions) -> Result<Loaded, String> {
    if sequence::is_pattern(path) {
        return frames(path, options, "numbered meshes");
    }
    let document = |format| {
        let document = read_document(path, options).map_err(|error| error.to_string())?;
        let facts = facts(path, &document);
        Ok(Loaded { format, what: What::Document(document, None), facts })
    };
    if path.to_str().is_some_and(is_made) {
        return document("made");
    }
    match formats::find(path).map_err(|error| error.to_string())?.kind {
        kind if kind.is_plain_mesh() => mesh(path, options),
        Kind::Gltf if formats::ending(path) == "gltf" => document("glTF"),
        Kind::Gltf => document("glTF binary (GLB)"),
        Kind::Fbx => document("FBX"),
        Kind::ThreeMf => document("3MF"),
        Kind::Bvh => document("Biovision mocap"),
        Kind::Mjcf => document("MuJoCo robot (MJCF)"),
        Kind::Urdf => document("URDF robot"),
        Kind::Robot => document("robot (XML)"),
        Kind::Npz => frames(path, options, "NumPy archive of vertices"),
        Kind::Trajectories => ways(path, options),
        Kind::Scene => Err(format!(
            "{}: is a scene file, which this command does not read; `elbowroom check {}` examines it",
            path.display(),
            path.display()
        )),
        other => Err(format!(
            "{}: is {}, which this command does not read",
            path.display(),
            other.name()
        )),
    }
}

fn facts(path: &Path, document: &Document) -> FileFacts {
    FileFacts { path: path.to_owned(), units: document.units, up: document.up }
}

fn frames(path: &Path, options: &ReadOptions, format: &'static str) -> Result<Loaded, String> {
    let frames = VertexFrames::open_with(path, options).map_err(|error| error.to_string())?;
    let facts = options.facts_of(path, Axis::Y);
    Ok(Loaded { format, what: What::Frames(Box::new(frames)), facts })
}

fn mesh(path: &Path, options: &ReadOptions) -> Result<Loaded, String> {
    let file = read_mesh_with(path, options).map_err(|error| error.to_string())?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.split('.').next().unwrap_or_default();
    let document = Document::of_file(name, file.clone(), &options.at(path))
        .map_err(|error| format!("{}: {error}", path.display()))?;
    let format = match file.format {
        Format::Obj => "Wavefront OBJ",
        Format::StlAscii => "STL, text",
        Format::StlBinary => "STL, binary",
        Format::PlyAscii => "PLY, text",
        Format::PlyBinary => "PLY, binary",
        Format::Off => "OFF",
        _ => "mesh",
    };
    let facts = facts(path, &document);
    Ok(Loaded { format, what: What::Document(document, Some(Box::new(file))), facts })
}

fn ways(path: &Path, options: &ReadOptions) -> Result<Loaded, String> {
    let mut ways = read_trajectories_with(path, options).map_err(|error| error.to_string())?;
    let own = options.of_file(path).and_then(|own| own.units);
    let given = ways.units.given(own, options.units);
    ways.units = given.map_err(|problem| format!("{}: {problem}", path.display()))?;
    if ways.units.source == Source::Said {
        ways.notes.retain(|note| !note.contains("--units"));
    }
    let up = Up { axis: Axis::Z, source: Source::File };
    let facts = FileFacts { path: path.to_owned(), units: ways.units, up };
    Ok(Loaded { format: "trajectories", what: What::Ways(ways), facts })
}
