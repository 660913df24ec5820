//! Plain meshes that are checked against each other.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use elbowroom::{Model, Placement};
use elbowroom_io::names::{self, Unique};
use elbowroom_io::{Ignored, ReadError, read_mesh};

use crate::words::count;

/// A model with a name and a place.
#[derive(Debug)]
pub(crate) struct Object {
    /// Unlike that of any other object.
    pub(crate) name: String,
    /// Where it was read from.
    pub(crate) path: Option<PathBuf>,
    pub(crate) model: Rc<Model>,
    /// Where it stands unless poses move it.
    pub(crate) rest: Placement,
}

/// Objects, and what people should know about them.
#[derive(Debug)]
pub(crate) struct Scene {
    pub(crate) objects: Vec<Object>,
    pub(crate) notes: Vec<String>,
    /// What could not be read.
    pub(crate) errors: Vec<ReadError>,
}

/// Reads all files, each once, and leaves out every one that is bad.
pub(crate) fn read(paths: &[PathBuf]) -> Scene {
    let mut models: HashMap<&Path, Rc<Model>> = HashMap::new();
    let mut seen = HashSet::new();
    let mut notes = Vec::new();
    let mut errors = Vec::new();
    for path in paths.iter().filter(|path| seen.insert(path.as_path())) {
        match read_mesh(path) {
            Ok(file) => {
                notes.extend(ignored_note(path, &file.ignored));
                models.insert(path, Rc::new(Model::new(file.mesh)));
            }
            Err(error) => errors.push(error),
        }
    }
    let mut unique = Unique::default();
    let names = names::of_files(paths).into_iter().map(|name| unique.name(name));
    let objects = paths.iter().zip(names).filter_map(|(path, name)| {
        let model = Rc::clone(models.get(path.as_path())?);
        Some(Object { name, path: Some(path.clone()), model, rest: Placement::IDENTITY })
    });
    Scene { objects: objects.collect(), notes, errors }
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
