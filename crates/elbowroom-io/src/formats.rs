//! Which formats there are, by the ending of a name and by content.
//!
//! The ending decides, unless the first bytes show for certain that the file is of another kind; a
//! file without a known ending is known by its content alone. Every command gives the same list
//! where it does not know a file, and a line on what to do with the formats that people try most.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;

use crate::bytes::{check_file, is_gzip};
use crate::error::ReadError;
use crate::memory::is_memory;
use crate::text::byte_order_mark;

/// The kinds of files that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// Wavefront OBJ.
    Obj,
    /// STL, text or binary.
    Stl,
    /// PLY, text or binary.
    Ply,
    /// OFF.
    Off,
    /// 3MF.
    ThreeMf,
    /// glTF, as JSON or as GLB; VRM is a GLB.
    Gltf,
    /// FBX, text or binary.
    Fbx,
    /// Biovision motion capture.
    Bvh,
    /// A robot of either kind, known by its first element.
    Robot,
    /// A robot of `MuJoCo`.
    Mjcf,
    /// A robot of the Robot Operating System.
    Urdf,
    /// Vertices over time, as `NumPy` saves them.
    Npz,
    /// Trajectories of people.
    Trajectories,
    /// A scene file.
    Scene,
}

impl Kind {
    /// Whether it is a plain mesh: triangles and no more.
    pub fn is_plain_mesh(self) -> bool {
        matches!(self, Self::Obj | Self::Stl | Self::Ply | Self::Off)
    }

    /// The name of the format.
    pub fn name(self) -> &'static str {
        match self {
            Self::Obj => "OBJ",
            Self::Stl => "STL",
            Self::Ply => "PLY",
            Self::Off => "OFF",
            Self::ThreeMf => "3MF",
            Self::Gltf => "glTF",
            Self::Fbx => "FBX",
            Self::Bvh => "BVH",
            Self::Robot => "robot (XML)",
            Self::Mjcf => "MJCF",
            Self::Urdf => "URDF",
            Self::Npz => "NPZ",
            Self::Trajectories => "trajectories",
            Self::Scene => "scene file",
        }
    }
}

/// The endings that are known, in small letters.
const ENDINGS: [(&str, Kind); 18] = [
    ("obj", Kind::Obj),
    ("stl", Kind::Stl),
    ("ply", Kind::Ply),
    ("off", Kind::Off),
    ("3mf", Kind::ThreeMf),
    ("glb", Kind::Gltf),
    ("gltf", Kind::Gltf),
    ("vrm", Kind::Gltf),
    ("fbx", Kind::Fbx),
    ("bvh", Kind::Bvh),
    ("xml", Kind::Robot),
    ("mjcf", Kind::Mjcf),
    ("urdf", Kind::Urdf),
    ("npz", Kind::Npz),
    ("csv", Kind::Trajectories),
    ("txt", Kind::Trajectories),
    ("tsv", Kind::Trajectories),
    ("toml", Kind::Scene),
];

/// The list that is shown where a file is not known.
pub const KNOWN: &str = "known are .obj .stl .ply .off .3mf, .glb .gltf .vrm .fbx, .bvh, .urdf .mjcf .xml, .npz, name.####.obj, \
     .csv .txt .tsv, .toml, and each but .npz with .gz behind it";

/// Formats that are not read, and what to do instead.
const FOREIGN: [(&[&str], &str); 15] = [
    (&["usd", "usda", "usdc", "usdz"], "USD is not read; export the scene as GLB"),
    (
        &["abc"],
        "Alembic is not read; export as GLB, or a cache of vertices as numbered OBJ files (name.####.obj)",
    ),
    (&["dae"], "COLLADA is not read; export as GLB, or a mesh of a robot as STL or OBJ"),
    (
        &[
            "step",
            "stp",
            "iges",
            "igs",
            "brep",
            "sldprt",
            "sldasm",
            "catpart",
            "catproduct",
            "x_t",
            "ipt",
            "iam",
            "3dm",
            "f3d",
            "fcstd",
        ],
        "a CAD model has no triangles; export it as 3MF, or each part as STL",
    ),
    (&["blend"], "a Blender file is not read; export it as GLB (File > Export > glTF 2.0)"),
    (
        &["max", "ma", "mb", "c4d", "skp", "hip", "lxo"],
        "files of modelling programs are not read; export as GLB or FBX",
    ),
    (&["npy"], "one array has no faces; save both: numpy.savez(\"x.npz\", vertices=v, faces=f)"),
    (
        &["pkl", "pt", "pth"],
        "body models are not read; run the model, and save numpy.savez(\"x.npz\", vertices=v, faces=f)",
    ),
    (&["vtk", "vtp", "vtu"], "VTK is not read; save the surface as PLY or STL"),
    (&["x3d", "wrl"], "X3D and VRML are not read; export as GLB or PLY"),
    (
        &["c3d", "trc", "amc", "asf"],
        "this capture is not read; convert it to BVH, or put it on a character and export as FBX or GLB",
    ),
    (&["srdf"], "a semantic file is read along with the URDF beside it; name that"),
    (&["xacro"], "macros are not read; expand them first: xacro FILE > robot.urdf"),
    (&["sdf", "world"], "SDF is not read; convert it to URDF or MJCF"),
    (&["zip", "7z", "rar", "tar", "tgz"], "archives are not read; unpack it first"),
];

/// The detected format of a file, and what is unusual about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The kind of file.
    pub kind: Kind,
    /// A sentence for people, where the ending is missing, unknown or wrong.
    pub note: Option<String>,
}

/// The ending of a name in small letters, without `.gz`.
pub fn ending(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let stem = name.strip_suffix(".gz").unwrap_or(&name);
    stem.rsplit_once('.').map_or("", |(_, ending)| ending).to_owned()
}

/// The kind that the ending of a name says.
pub fn kind_by_name(path: &Path) -> Option<Kind> {
    let ending = ending(path);
    ENDINGS.iter().find(|(known, _)| *known == ending).map(|(_, kind)| *kind)
}

/// The kind of a file, by its name and its first bytes.
///
/// # Errors
/// If the file cannot be read, or is of no kind that is known: names it, and what to do.
pub fn find(path: &Path) -> Result<Found, ReadError> {
    if is_memory(path) {
        // Arrays over time are what an NPZ holds.
        return Ok(Found { kind: kind_by_name(path).unwrap_or(Kind::Npz), note: None });
    }
    check_file(path)?;
    let by_name = kind_by_name(path);
    let head = head(path);
    let found = match (by_name, marked(&head)) {
        (Some(kind), Some(Mark::Known(other))) if other != kind => {
            let (ending, other_name) = (ending(path), other.name());
            let note = format!(
                "the name ends in .{ending}, but the content is {other_name}; it is read as that"
            );
            Found { kind: other, note: Some(note) }
        }
        (Some(kind), _) => Found { kind, note: None },
        (None, Some(Mark::Known(kind))) => by_content(kind),
        (None, Some(Mark::Foreign(ending))) => return Err(unknown_as(path, ending)),
        (None, None) => match plausible(&head) {
            // What people try most has a line of its own, whatever its text looks like.
            Some(kind) if foreign(&ending(path)).is_none() => by_content(kind),
            _ => return Err(unknown(path)),
        },
    };
    Ok(found)
}

fn by_content(kind: Kind) -> Found {
    let note =
        format!("the name has no ending that is known; by its content it is {}", kind.name());
    Found { kind, note: Some(note) }
}

/// What is said of a file that is not known.
pub(crate) fn unknown(path: &Path) -> ReadError {
    unknown_as(path, &ending(path))
}

fn unknown_as(path: &Path, ending: &str) -> ReadError {
    if let Some(advice) = foreign(ending) {
        return ReadError::file(path, advice);
    }
    let found =
        if ending.is_empty() { "has no ending".to_owned() } else { format!("ends in .{ending}") };
    ReadError::file(path, format!("the name {found}; {KNOWN}"))
}

fn foreign(ending: &str) -> Option<&'static str> {
    FOREIGN.iter().find(|(endings, _)| endings.contains(&ending)).map(|(_, advice)| *advice)
}

/// The number of bytes that are read for detection.
const HEAD: u64 = 4096;

/// The first bytes of a file, decompressed where they are compressed; none where it cannot be read,
/// which is told later.
fn head(path: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    let read = |bytes: &mut Vec<u8>| -> io::Result<()> {
        File::open(path)?.take(HEAD).read_to_end(bytes)?;
        if is_gzip(bytes) {
            let mut inner = Vec::new();
            // It ends in the middle, and what came out before is enough.
            let _ = MultiGzDecoder::new(&**bytes).take(HEAD).read_to_end(&mut inner);
            *bytes = inner;
        }
        Ok(())
    };
    match read(&mut bytes) {
        Ok(()) => bytes,
        Err(_) => Vec::new(),
    }
}

enum Mark {
    Known(Kind),
    /// The ending of a format that is not read.
    Foreign(&'static str),
}

/// What the first bytes show for certain.
fn marked(head: &[u8]) -> Option<Mark> {
    let marks: [(&[u8], Mark); 14] = [
        (b"glTF", Mark::Known(Kind::Gltf)),
        (b"Kaydara FBX Binary", Mark::Known(Kind::Fbx)),
        (b"; FBX", Mark::Known(Kind::Fbx)),
        (b"ply\n", Mark::Known(Kind::Ply)),
        (b"ply\r", Mark::Known(Kind::Ply)),
        (b"HIERARCHY", Mark::Known(Kind::Bvh)),
        (b"\x93NUMPY", Mark::Foreign("npy")),
        (b"PXR-USDC", Mark::Foreign("usd")),
        (b"#usda", Mark::Foreign("usd")),
        (b"Ogawa", Mark::Foreign("abc")),
        (b"\x89HDF", Mark::Foreign("abc")),
        (b"BLENDER", Mark::Foreign("blend")),
        (b"ISO-10303-21", Mark::Foreign("step")),
        (b"%PDF", Mark::Foreign("pdf")),
    ];
    if let Some(first) = head.strip_prefix(b"PK\x03\x04") {
        return zip_mark(first);
    }
    marks.into_iter().find(|(start, _)| head.starts_with(start)).map(|(_, mark)| mark)
}

/// A zip by the name of its first file, which stands 26 bytes behind the mark.
fn zip_mark(behind: &[u8]) -> Option<Mark> {
    let length = behind.get(22..24).map(|b| usize::from(u16::from_le_bytes([b[0], b[1]])))?;
    let name = behind.get(26..)?;
    let name = String::from_utf8_lossy(&name[..length.min(name.len())]).into_owned();
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let starts = |with: &[&str]| with.iter().any(|start| name.starts_with(start));
    match ending {
        "npy" => Some(Mark::Known(Kind::Npz)),
        "usdc" | "usda" => Some(Mark::Foreign("usd")),
        _ if starts(&["3D/", "_rels/", "[Content_Types]", "Metadata/"]) => {
            Some(Mark::Known(Kind::ThreeMf))
        }
        _ => None,
    }
}

/// What the lines of an OBJ begin with.
const STATEMENTS: [&str; 9] = ["v", "vn", "vt", "f", "o", "g", "s", "mtllib", "usemtl"];

/// What text looks like.
fn plausible(head: &[u8]) -> Option<Kind> {
    let text = &head[byte_order_mark(head)..];
    if text.iter().any(|&byte| byte < b' ' && !byte.is_ascii_whitespace()) {
        return None;
    }
    let text = String::from_utf8_lossy(text);
    let start = text.trim_start();
    if start.starts_with('<') {
        let robot = ["<mujoco", "<robot"].iter().any(|tag| text.contains(tag));
        return robot.then_some(Kind::Robot);
    }
    if start.starts_with('{') {
        return text.contains("\"asset\"").then_some(Kind::Gltf);
    }
    if start.starts_with("solid") && text.contains("facet") {
        return Some(Kind::Stl);
    }
    let first_word = start.split_ascii_whitespace().next().unwrap_or_default();
    if ["OFF", "COFF", "NOFF", "CNOFF", "STOFF"].contains(&first_word) {
        return Some(Kind::Off);
    }
    let words = text.lines().map(|line| line.split_ascii_whitespace().next().unwrap_or_default());
    let mut words = words.filter(|word| !word.is_empty() && !word.starts_with('#'));
    let first = words.next()?;
    (STATEMENTS.contains(&first) && text.lines().any(|line| line.starts_with("v ")))
        .then_some(Kind::Obj)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_names_every_ending() {
        let mut met = 0;
        for (ending, _) in ENDINGS {
            let named = KNOWN.split([' ', ',']).any(|word| word == format!(".{ending}"));
            assert!(named, "{ending}");
            assert!(foreign(ending).is_none(), "{ending}");
            met += 1;
        }
        assert_eq!(met, 18);
    }

    #[test]
    fn endings_ignore_case_and_gzip() {
        for (name, kind) in
            [("a.b.OBJ", Kind::Obj), ("a.STL.gz", Kind::Stl), ("a.glb.GZ", Kind::Gltf)]
        {
            assert_eq!(kind_by_name(Path::new(name)), Some(kind), "{name}");
        }
        for name in ["obj", "a.gz", "a.dae.gz", "a"] {
            assert_eq!(kind_by_name(Path::new(name)), None, "{name}");
        }
    }
}
