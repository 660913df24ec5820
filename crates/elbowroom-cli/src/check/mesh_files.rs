//! Plain meshes that are checked against each other.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use elbowroom::Pose;
use elbowroom::internal::model::Model;
use elbowroom_io::names::{self, Unique};
use elbowroom_io::split::{self, Pieces};
use elbowroom_io::{Ignored, ReadError, ReadOptions, read_mesh_with};

use crate::messages::count;

/// A model with a name and a place.
#[derive(Debug)]
pub(crate) struct Object {
    /// Unlike that of any other object.
    pub(crate) name: String,
    /// Where it was read from.
    pub(crate) path: Option<PathBuf>,
    pub(crate) model: Rc<Model>,
    /// Where it stands unless poses move it.
    pub(crate) rest: Pose,
}

/// Objects, and what people should know about them.
#[derive(Debug)]
pub(crate) struct Scene {
    pub(crate) objects: Vec<Object>,
    pub(crate) notes: Vec<String>,
    /// What could not be read.
    pub(crate) errors: Vec<ReadError>,
}

/// Reads all files, each once, splits them as the options say, and leaves out every one that is bad.
pub(crate) fn read(paths: &[PathBuf], options: &ReadOptions) -> Scene {
    // What stands behind the name of the file in that of a piece, and the piece.
    let mut models: HashMap<&Path, Vec<(String, Rc<Model>)>> = HashMap::new();
    let mut seen = HashSet::new();
    let mut notes = Vec::new();
    let mut errors = Vec::new();
    for path in paths.iter().filter(|path| seen.insert(path.as_path())) {
        let file = match read_mesh_with(path, options) {
            Ok(file) => file,
            Err(error) => {
                errors.push(error);
                continue;
            }
        };
        let name = path.display();
        notes.extend(ignored_note(path, &file.ignored));
        notes.extend(file.notes.iter().map(|note| format!("{name}: {note}")));
        match split::pieces(file, "", options.split) {
            Ok(Pieces { pieces, note }) => {
                notes.extend(note.map(|note| format!("{name}: {note}")));
                let pieces = pieces.into_iter().map(|p| (p.name, Rc::new(Model::new(p.mesh))));
                models.insert(path, pieces.collect());
            }
            Err(problem) => errors.push(ReadError::file(path, problem)),
        }
    }
    let mut unique = Unique::default();
    let names = names::of_files(paths);
    let mut objects = Vec::new();
    for (path, name) in paths.iter().zip(names) {
        for (suffix, model) in models.get(path.as_path()).into_iter().flatten() {
            objects.push(Object {
                name: unique.name(format!("{name}{suffix}")),
                path: Some(path.clone()),
                model: Rc::clone(model),
                rest: Pose::IDENTITY,
            });
        }
    }
    Scene { objects, notes, errors }
}

fn ignored_note(path: &Path, ignored: &Ignored) -> Option<String> {
    let mut parts = Vec::new();
    if ignored.lines > 0 {
        parts.push(count(ignored.lines as u64, "line element"));
    }
    if ignored.points > 0 {
        parts.push(count(ignored.points as u64, "point element"));
    }
    if ignored.other > 0 {
        let first = ignored.first_other_line.unwrap_or_default();
        let unknown = count(ignored.other as u64, "unknown statement");
        parts.push(format!("{unknown} (the first in line {first})"));
    }
    (!parts.is_empty()).then(|| {
        let parts = parts.join(", ");
        format!("{}: not checked, for they are no faces: {parts}", path.display())
    })
}
