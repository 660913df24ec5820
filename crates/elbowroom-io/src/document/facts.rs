//! What a file states about its unit and its up axis, and what a caller gives where it states
//! nothing.
//!
//! A file that states its unit is believed: a length that is given for many files at once must not
//! shrink a robot a thousandfold because a bare mesh beside it is in millimetres. What is given for
//! one file alone is refused where the file states another.

use std::path::{Path, PathBuf};

use super::{Axis, ReadOptions, Source, Units, Up};
use crate::units::{is_same_unit, unit_name};

/// Options of one file, given by the caller.
#[derive(Debug, Clone, PartialEq)]
pub struct FileOptions {
    /// The file, by the path under which it is read.
    pub path: PathBuf,
    /// Metres in a unit of the file.
    pub units: Option<f64>,
    /// The axis that points up in the file.
    pub up: Option<Axis>,
}

/// The unit and the up axis of a file that was read, and where they are known from.
#[derive(Debug, Clone, PartialEq)]
pub struct FileFacts {
    /// The file.
    pub path: PathBuf,
    /// The unit of the file.
    pub units: Units,
    /// The up axis of the file.
    pub up: Up,
}

impl ReadOptions {
    /// The options for this file alone.
    pub fn of_file(&self, path: &Path) -> Option<&FileOptions> {
        self.of_files.iter().find(|given| given.path == path)
    }

    /// The options for one file: what is given for it alone replaces what is given for all.
    #[must_use]
    pub fn at(&self, path: &Path) -> Self {
        let own = self.of_file(path);
        Self {
            units: own.and_then(|own| own.units).or(self.units),
            up: own.and_then(|own| own.up).or(self.up),
            of_files: Vec::new(),
            ..self.clone()
        }
    }

    /// The unit and the up axis of a file that cannot state any, such as vertices over time.
    pub fn facts_of(&self, path: &Path, assumed_up: Axis) -> FileFacts {
        let Self { units, up, .. } = self.at(path);
        let source = |is_given| if is_given { Source::Said } else { Source::Assumed };
        FileFacts {
            path: path.to_owned(),
            units: Units { metres_per_unit: units.unwrap_or(1.0), source: source(units.is_some()) },
            up: Up { axis: up.unwrap_or(assumed_up), source: source(up.is_some()) },
        }
    }
}

impl Units {
    /// With what a caller gives for this file alone, and for all that do not state theirs.
    ///
    /// # Errors
    /// If the file states another unit than is given for it alone.
    pub fn given(self, own: Option<f64>, others: Option<f64>) -> Result<Self, String> {
        if self.source == Source::File {
            return match own.filter(|metres| !is_same_unit(*metres, self.metres_per_unit)) {
                None => Ok(self),
                Some(metres) => Err(format!(
                    "states its unit, {}, and is not read in {}; leave the unit out, or give the object a `scale` in a scene file",
                    unit_name(self.metres_per_unit),
                    unit_name(metres)
                )),
            };
        }
        let given =
            own.or(others).map(|metres_per_unit| Self { metres_per_unit, source: Source::Said });
        Ok(given.unwrap_or(self))
    }

    /// A sentence on a unit that is assumed.
    pub fn note(self) -> Option<String> {
        let unit = unit_name(self.metres_per_unit);
        (self.source == Source::Assumed).then(|| {
            format!("the file does not state its unit; {unit} is assumed, give another with --units, or FILE@mm for this file")
        })
    }
}

impl Up {
    /// With what a caller gives for this file alone, and for all that do not state theirs.
    ///
    /// # Errors
    /// If the file states another axis than is given for it alone.
    pub fn given(self, own: Option<Axis>, others: Option<Axis>) -> Result<Self, String> {
        if self.source == Source::File {
            return match own.filter(|axis| *axis != self.axis) {
                None => Ok(self),
                Some(axis) => Err(format!(
                    "states that {:?} points up, and is not read with {axis:?} up; leave the axis out, or give the object a `rotation` in a scene file",
                    self.axis
                )),
            };
        }
        Ok(own.or(others).map_or(self, |axis| Self { axis, source: Source::Said }))
    }

    /// A sentence on an axis that is assumed.
    pub fn note(self) -> Option<String> {
        let axis = self.axis;
        (self.source == Source::Assumed).then(|| {
            format!("the file does not state its up axis; {axis:?} is assumed, give another with --up, or FILE@{} for this file", format!("{axis:?}").to_lowercase())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_states_its_unit_is_believed() {
        let of = |metres_per_unit, source| Units { metres_per_unit, source };
        let stated = of(1.0, Source::File);
        assert_eq!(stated.given(None, Some(0.001)), Ok(stated));
        assert_eq!(stated.given(Some(1.0), None), Ok(stated));
        let refused = stated.given(Some(0.001), None).unwrap_err();
        assert!(refused.contains("states its unit, m, and is not read in mm"), "{refused}");
        let bare = of(1.0, Source::Assumed);
        assert_eq!(bare.given(None, Some(0.01)), Ok(of(0.01, Source::Said)));
        assert_eq!(bare.given(Some(0.001), Some(0.01)), Ok(of(0.001, Source::Said)));
        assert_eq!(bare.given(None, None), Ok(bare));
        assert!(bare.note().is_some() && stated.note().is_none());
        let up = Up { axis: Axis::Y, source: Source::File };
        assert_eq!(up.given(None, Some(Axis::Z)), Ok(up));
        assert!(up.given(Some(Axis::Z), None).is_err());
    }
}
