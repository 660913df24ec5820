//! Rigs from files, each file once: in metres, and with one axis up.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use elbowroom_motion::body::Rig;
use elbowroom_motion::scene::Axes;
use glam::{DAffine3, DVec3};

use crate::document::{Axis, FileFacts, FileOptions, ReadOptions, turn};
use crate::error::ReadError;
use crate::read::read_document;
use crate::split::Split;

/// A file, and what was said about it.
type Key = (PathBuf, Option<u64>, Option<Axis>, bool, Split);

/// The rigs of a file, shared.
pub(crate) type Rigs = Arc<[Arc<Rig>]>;

/// Reads files, and remembers them.
pub(crate) struct Loader {
    up: Axis,
    options: ReadOptions,
    known: HashMap<Key, Rigs>,
    /// What was odd, each file once.
    pub(crate) notes: Vec<String>,
    /// The unit and up axis of each file with something that can touch.
    pub(crate) facts: Vec<FileFacts>,
}

impl Loader {
    /// Everything will have this axis up.
    pub(crate) fn new(up: Axis, options: ReadOptions) -> Self {
        Self { up, options, known: HashMap::new(), notes: Vec::new(), facts: Vec::new() }
    }

    /// How files are read.
    pub(crate) fn options(&self) -> &ReadOptions {
        &self.options
    }

    /// The rigs of a file. A unit and an up axis that are given must not be others than those that
    /// the file states.
    pub(crate) fn rigs(
        &mut self,
        path: &Path,
        units: Option<f64>,
        up: Option<Axis>,
    ) -> Result<Rigs, ReadError> {
        let skips = self.options.skip_rest_frame;
        let key = (path.to_owned(), units.map(f64::to_bits), up, skips, self.options.split);
        if let Some(known) = self.known.get(&key) {
            return Ok(Arc::clone(known));
        }
        let mut options = self.options.clone();
        if units.is_some() || up.is_some() {
            options.of_files.insert(0, FileOptions { path: path.to_owned(), units, up });
        }
        let document = read_document(path, &options)?;
        let name = path.display();
        self.notes.extend(document.notes.iter().map(|note| format!("{name}: {note}")));
        if document.rigs.iter().any(|rig| !rig.parts.is_empty()) {
            let (units, up) = (document.units, document.up);
            self.facts.push(FileFacts { path: path.to_owned(), units, up });
        }
        let changed = document.to_metres().and_then(|document| document.turned(self.up));
        let document = changed.map_err(|error| ReadError::file(path, error.to_string()))?;
        let rigs: Rigs = document.rigs.into_iter().map(Arc::new).collect();
        self.known.insert(key, Arc::clone(&rigs));
        Ok(rigs)
    }
}

impl Loader {
    /// From here on, a mesh of several named objects is one object without a note.
    pub(crate) fn take_whole(&mut self) {
        self.options.split = Split::None;
    }

    /// From here on, a note says where a mesh of several named objects is one object.
    pub(crate) fn note_whole(&mut self) {
        self.options.split = Split::Whole;
    }

    /// The rigs of a file whose meshes are split into objects.
    pub(crate) fn split_rigs(
        &mut self,
        path: &Path,
        units: Option<f64>,
        up: Option<Axis>,
        split: Split,
    ) -> Result<Rigs, ReadError> {
        let before = std::mem::replace(&mut self.options.split, split);
        let rigs = self.rigs(path, units, up);
        self.options.split = before;
        rigs
    }

    /// The rigs of a file of motions; its first frame is left out where it is a rest pose and that
    /// is asked for.
    pub(crate) fn motions(
        &mut self,
        path: &Path,
        skip_rest_frame: bool,
    ) -> Result<Rigs, ReadError> {
        let before = std::mem::replace(&mut self.options.skip_rest_frame, skip_rest_frame);
        // What is given for the other files does not hold for these, which guess their unit from
        // the skeleton.
        let (units, up) = (self.options.units.take(), self.options.up.take());
        let facts = self.facts.len();
        let rigs = self.rigs(path, None, None);
        // A motion has no size of its own: it is carried over by the proportions of the skeletons.
        self.facts.truncate(facts);
        (self.options.units, self.options.up) = (units, up);
        self.options.skip_rest_frame = before;
        rigs
    }
}

/// The axes of a scene with this axis up.
pub(crate) fn axes(up: Axis) -> Axes {
    match up {
        Axis::X => Axes::X_UP,
        Axis::Y => Axes::Y_UP,
        Axis::Z => Axes::Z_UP,
    }
}

/// From the unit and up axis of a file to metres and another up axis.
pub(crate) fn world_from_file(metres_per_unit: f64, from: Axis, to: Axis) -> DAffine3 {
    DAffine3 { matrix3: turn(from, to) * metres_per_unit, translation: DVec3::ZERO }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DMat3, DQuat};

    #[test]
    fn quarter_turns_are_those_of_documents() {
        let mut met = 0;
        for from in [Axis::X, Axis::Y, Axis::Z] {
            for to in [Axis::X, Axis::Y, Axis::Z] {
                let exact = turn(from, to);
                let arc = DQuat::from_rotation_arc(from.vector(), to.vector());
                assert!(exact.abs_diff_eq(DMat3::from_quat(arc), 1e-14), "{from:?} {to:?}");
                assert_eq!(exact.determinant(), 1.0);
                met += 1;
            }
        }
        assert_eq!(met, 9);
    }

    #[test]
    fn a_front_is_where_a_turned_person_looks() {
        for up in [Axis::X, Axis::Y, Axis::Z] {
            assert_eq!(turn(Axis::Y, up) * DVec3::Z, axes(up).front());
        }
    }

    #[test]
    fn what_is_made_and_what_not() {
        let mut loader = Loader::new(Axis::Z, ReadOptions::default());
        let man = loader.rigs("make:man".as_ref(), None, None).unwrap();
        assert_eq!((man.len(), man[0].clips.len()), (1, 9));
        assert!(loader.notes.is_empty());
        let again = loader.rigs("make:man".as_ref(), None, None).unwrap();
        assert!(Arc::ptr_eq(&man, &again));
        for name in ["cube", "ball"] {
            assert!(loader.rigs(format!("make:{name}").as_ref(), None, None).is_ok());
        }
        let error = loader.rigs("make:dragon".as_ref(), None, None).unwrap_err().to_string();
        assert!(error.contains("make:man, make:woman, make:cube, make:ball"), "{error}");
    }
}
