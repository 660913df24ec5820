//! Files out: the ending of a name says the format, and a file is there whole or not at all.
//!
//! What is written goes to a name of its own beside the file ([`draft`]) and takes its place at the
//! end, so that a full disk or an interrupted run leaves what was there before. Nothing is written
//! over without `--force`, and nothing that was read at all ([`place`]).

mod draft;
mod place;

use std::io::Write;
use std::path::{Path, PathBuf};

use elbowroom_io::ply_out::Encoding;
use elbowroom_io::{MeshOut, WriteError, obj_out, off_out, ply_out, stl_out};

use crate::messages::Refusal;

pub(crate) use draft::{Draft, Sum, copy, sweep};
pub(crate) use place::check_outputs;

/// The switches of every command that writes a file.
// Each switch of a command line is a bool of its own.
#[allow(clippy::struct_excessive_bools)]
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct SaveArgs {
    /// Write STL and PLY as text
    #[arg(long)]
    pub(crate) ascii: bool,

    /// Overwrite an existing file
    #[arg(long)]
    pub(crate) force: bool,

    /// Print errors only
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl SaveArgs {
    pub(crate) fn encoding(&self) -> Encoding {
        if self.ascii { Encoding::Text } else { Encoding::Binary }
    }
}

/// What a name asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Glb,
    Mesh(MeshKind),
    /// Vertices over time.
    Npz,
    /// A mesh file a frame.
    Numbered(Numbered),
    /// Where people walk.
    Csv,
}

/// The formats of plain meshes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MeshKind {
    Obj,
    Stl,
    Ply,
    Off,
}

/// `name.####.obj`: what stands around the number, and how many digits it has at least.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Numbered {
    folder: PathBuf,
    before: String,
    digits: usize,
    after: String,
    pub(crate) kind: MeshKind,
}

impl Numbered {
    /// The file of a frame.
    pub(crate) fn path(&self, frame: usize) -> PathBuf {
        let Self { before, digits, after, .. } = self;
        self.folder.join(format!("{before}{frame:0digits$}{after}"))
    }
}

const ENDINGS: &str = ".glb, .obj, .stl, .ply, .off, .npz or .csv";

impl Target {
    /// From the name of the file that is to be written.
    pub(crate) fn of(path: &Path) -> Result<Self, Refusal> {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let Some(name) = name.filter(|_| !path.is_dir()) else {
            return Err(refusal(path, "is a directory", "name a file to write in it"));
        };
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending).to_lowercase();
        let kind = match ending.as_str() {
            "glb" | "npz" | "csv" | "txt" if name.contains('#') => {
                let what = "a # stands for the number of a frame, and only .obj, .stl, .ply and .off have a file for each frame";
                let hint = "write name.####.obj, or all frames into one .npz";
                return Err(refusal(path, what, hint));
            }
            "glb" => return Ok(Self::Glb),
            "npz" => return Ok(Self::Npz),
            "csv" | "txt" => return Ok(Self::Csv),
            "obj" => MeshKind::Obj,
            "stl" => MeshKind::Stl,
            "ply" => MeshKind::Ply,
            "off" => MeshKind::Off,
            _ => {
                let found = if ending.is_empty() {
                    "has no ending".to_owned()
                } else {
                    format!("ends in .{ending}, which is not written")
                };
                return Err(refusal(path, &found, &format!("let the name end in {ENDINGS}")));
            }
        };
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        Ok(match name.find('#') {
            None => Self::Mesh(kind),
            Some(start) => {
                let digits = name[start..].bytes().take_while(|&byte| byte == b'#').count();
                let (before, after) = (name[..start].to_owned(), name[start + digits..].to_owned());
                Self::Numbered(Numbered { folder, before, digits, after, kind })
            }
        })
    }

    /// What people call it.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Glb => "GLB",
            Self::Mesh(kind) | Self::Numbered(Numbered { kind, .. }) => kind.name(),
            Self::Npz => "NPZ",
            Self::Csv => "CSV",
        }
    }
}

impl MeshKind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Obj => "OBJ",
            Self::Stl => "STL",
            Self::Ply => "PLY",
            Self::Off => "OFF",
        }
    }

    pub(crate) fn bytes(self, mesh: &MeshOut, encoding: Encoding) -> Result<Vec<u8>, WriteError> {
        match self {
            Self::Obj => Ok(obj_out::to_bytes(mesh)),
            Self::Stl => stl_out::to_bytes(mesh, encoding),
            Self::Ply => Ok(ply_out::to_bytes(mesh, encoding)),
            Self::Off => Ok(off_out::to_bytes(mesh)),
        }
    }
}

/// Refuses a place that is taken, was read, or cannot be written to.
pub(crate) fn check_free(path: &Path, force: bool) -> Result<(), Refusal> {
    if path.exists() && !path.is_dir() && !force {
        let what = "exists already, and is not overwritten";
        return Err(refusal(path, what, "choose another name, or add --force"));
    }
    check_outputs([path])
}

/// One problem with one file, and what to do.
pub(crate) fn refusal(path: &Path, what: &str, hint: &str) -> Refusal {
    Refusal { problems: vec![format!("{}: {what}", path.display())], hint: hint.to_owned() }
}

/// Why a file is not there: it was refused before, or the system failed.
#[derive(Debug)]
pub(crate) enum Failure {
    Refused(Refusal),
    Unwritten(String),
}

impl Failure {
    /// All of it in one line.
    pub(crate) fn text(self) -> String {
        match self {
            Self::Refused(refusal) => refusal.text(),
            Self::Unwritten(problem) => problem,
        }
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

pub(crate) fn unwritten(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::Unwritten(format!("{}: could not be written: {error}", path.display()))
}

/// Writes a whole file.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    drafted(path, bytes)?.finish()
}

/// Writes a whole file without waiting for the disk: one of many, or one that is soon written
/// again.
pub(crate) fn write_fast(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    drafted(path, bytes)?.put()
}

fn drafted(path: &Path, bytes: &[u8]) -> Result<Draft, Failure> {
    let mut draft = Draft::new(path)?;
    draft.file.write_all(bytes).map_err(|error| unwritten(path, &error))?;
    Ok(draft)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_the_format() {
        let of = |name: &str| Target::of(Path::new(name)).map_err(|refusal| refusal.problems);
        assert_eq!(of("a/b.GLB"), Ok(Target::Glb));
        assert_eq!(of("b.ply"), Ok(Target::Mesh(MeshKind::Ply)));
        assert_eq!(of("b.npz"), Ok(Target::Npz));
        let Ok(Target::Numbered(numbered)) = of("x/walk.####.obj") else { panic!() };
        assert_eq!(numbered.path(7), Path::new("x/walk.0007.obj"));
        assert_eq!(numbered.path(12_345), Path::new("x/walk.12345.obj"));
        assert_eq!(of("b.fbx").unwrap_err(), ["b.fbx: ends in .fbx, which is not written"]);
        assert!(of("b").is_err());
    }
}
