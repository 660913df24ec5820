//! Any file that is known, read by the ending of its name.
//!
//! Three kinds of things come out: a document of rigs, a mesh over frames, the ways of a crowd. A plain mesh is a document with a rig of one
//! joint; what only its file knows (the kind of file, the groups of faces) is kept beside it.

use std::path::Path;

use elbowroom_io::trajectory::{Rate, Trajectories};
use elbowroom_io::{
    Document, Format, MeshFile, ReadOptions, Source, Units, VertexFrames, read_document, read_mesh,
    read_trajectories, sequence,
};

/// What a file holds.
#[derive(Debug)]
pub(crate) struct Loaded {
    /// The kind of file, for people.
    pub(crate) format: &'static str,
    pub(crate) what: What,
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
            ways.rate = Rate { fps, source: Source::Said };
            ways.notes.retain(|note| !note.contains("--fps"));
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
        let frames = VertexFrames::open(path).map_err(|error| error.to_string())?;
        return Ok(Loaded { format: "numbered meshes", what: What::Frames(Box::new(frames)) });
    }
    let ending = ending(path);
    let document = |format| {
        let document = read_document(path, options).map_err(|error| error.to_string())?;
        Ok(Loaded { format, what: What::Document(document, None) })
    };
    match ending.as_str() {
        "obj" | "stl" | "ply" | "off" => mesh(path, options),
        "glb" => document("glTF binary (GLB)"),
        "gltf" => document("glTF"),
        "fbx" => document("FBX"),
        "3mf" => document("3MF"),
        "bvh" => document("Biovision mocap"),
        "mjcf" => document("MuJoCo robot (MJCF)"),
        "urdf" => document("URDF robot"),
        "xml" => document("robot (XML)"),
        "npz" => {
            let frames = VertexFrames::open(path).map_err(|error| error.to_string())?;
            Ok(Loaded { format: "NumPy archive of vertices", what: What::Frames(Box::new(frames)) })
        }
        "csv" | "txt" | "tsv" => ways(path, options),
        _ if path.is_dir() => Err(format!("{}: is a directory; name a file in it", path.display())),
        _ if !path.exists() => Err(format!("{}: no such file; check the name", path.display())),
        other => Err(unknown(path, other)),
    }
}

/// The ending of a name in small letters, without `.gz`.
fn ending(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let stem = name.strip_suffix(".gz").unwrap_or(&name);
    stem.rsplit_once('.').map_or("", |(_, ending)| ending).to_owned()
}

fn mesh(path: &Path, options: &ReadOptions) -> Result<Loaded, String> {
    let file = read_mesh(path).map_err(|error| error.to_string())?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.split('.').next().unwrap_or_default();
    let document = Document::of_mesh(name, file.mesh.clone(), options)
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
    Ok(Loaded { format, what: What::Document(document, Some(Box::new(file))) })
}

fn ways(path: &Path, options: &ReadOptions) -> Result<Loaded, String> {
    let mut ways = read_trajectories(path).map_err(|error| error.to_string())?;
    if let Some(metres_per_unit) = options.units {
        ways.units = Units { metres_per_unit, source: Source::Said };
        ways.notes.retain(|note| !note.contains("--units"));
    }
    Ok(Loaded { format: "trajectories", what: What::Ways(ways) })
}

fn unknown(path: &Path, ending: &str) -> String {
    let found =
        if ending.is_empty() { "has no ending".to_owned() } else { format!("ends in .{ending}") };
    format!(
        "{}: the name {found}; known are .glb .gltf .fbx .obj .stl .ply .off .3mf, .bvh, .mjcf .urdf .xml, .npz, name.####.obj, .csv .txt, and \
         each with .gz behind it",
        path.display()
    )
}
