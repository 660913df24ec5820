//! Where an output goes, and what may not be there.
//!
//! An output never takes the place of a file that was read, whatever name or link leads to it. A
//! link as output is followed: the file that it leads to is replaced, in its own folder, and the
//! link stays. A link to nothing, a pipe, a device and a read-only file are refused.

use std::fs::{self, Permissions};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use elbowroom_io::opened;

use super::{Draft, Failure, refusal};
use crate::messages::Refusal;

/// Where an output is put.
#[derive(Debug)]
pub(crate) struct Place {
    /// The file itself, behind any link.
    pub(super) real: PathBuf,
    /// Those of the file that is there, if there is one.
    pub(super) permissions: Option<Permissions>,
}

impl Place {
    /// Looks up where a name leads.
    ///
    /// # Errors
    /// If a file cannot or must not be written there.
    pub(super) fn of(path: &Path) -> Result<Self, Refusal> {
        let about = match fs::symlink_metadata(path) {
            Ok(about) => about,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Ok(Self { real: path.to_owned(), permissions: None });
            }
            Err(error) => {
                return Err(refusal(
                    path,
                    &format!("cannot be reached: {error}"),
                    "check the name",
                ));
            }
        };
        let (real, about) = if about.is_symlink() {
            let followed = path.canonicalize().and_then(|real| Ok((fs::metadata(&real)?, real)));
            let (about, real) = followed.map_err(|error| {
                let what = format!("is a link that leads to no file ({error})");
                refusal(path, &what, "remove the link, or name the file to write")
            })?;
            (real, about)
        } else {
            (path.to_owned(), about)
        };
        if about.is_dir() {
            return Err(refusal(path, "is a directory", "name a file to write in it"));
        }
        if !about.is_file() {
            let what = "is a pipe or a device, and writing a file would replace it";
            return Err(refusal(path, what, "name a file, or print with --json or --ndjson"));
        }
        check_unread(&real).map_err(|read| read_too(path, &read))?;
        let permissions = about.permissions();
        if permissions.readonly() {
            let what = "is read-only, and is not overwritten";
            return Err(refusal(path, what, "make it writable, or choose another name"));
        }
        Ok(Self { real, permissions: Some(permissions) })
    }
}

/// Where a file was read from, if it was.
pub(super) fn check_unread(path: &Path) -> Result<(), PathBuf> {
    opened::find(path).map_or(Ok(()), Err)
}

/// An output that is an input.
pub(super) fn read_too(path: &Path, read: &Path) -> Refusal {
    let what = if read == path {
        "is an input, and cannot be an output as well".to_owned()
    } else {
        format!("is the same file as the input {}", read.display())
    };
    refusal(path, &what, "name another output file")
}

/// Refuses outputs that were read, or that cannot be written; for all that a command may write,
/// before its work begins.
///
/// # Errors
/// Names the first such file.
pub(crate) fn check_outputs<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Result<(), Refusal> {
    paths.into_iter().try_for_each(check_output)
}

/// Whether a file can be written: there, by us, and without harm.
fn check_output(path: &Path) -> Result<(), Refusal> {
    Place::of(path)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        let what = format!("the folder {} does not exist", folder.display());
        return Err(refusal(path, &what, "make it first"));
    }
    // The only sure way to learn whether a file can be created is to create one.
    match Draft::new(path) {
        Ok(_) => Ok(()),
        Err(Failure::Refused(refusal)) => Err(refusal),
        Err(Failure::Unwritten(problem)) => {
            let hint = "choose a folder that can be written to, or make room on its disk";
            Err(Refusal { problems: vec![problem], hint: hint.to_owned() })
        }
    }
}
