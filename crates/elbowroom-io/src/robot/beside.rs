//! Files that a file names.
//!
//! A name is taken from the folder of the file that names it, and may not lead out of it unless the
//! caller allows so: a robot that was downloaded must not make a program open whatever it likes. A
//! file that is absent but there with `.gz` behind its name is taken packed.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use crate::document::ReadOptions;

/// How many folders above its own a file's package may lie: `package/robots/arm/urdf/arm.urdf` and
/// the like.
const PACKAGE_LEVELS: usize = 4;

/// The file that `name` means in `folder`.
///
/// # Errors
/// A sentence that names the file: it is not there, leads out of the folder, or there is no folder.
pub(crate) fn find(
    folder: Option<&Path>,
    name: &str,
    allow_outside: bool,
) -> Result<PathBuf, String> {
    let folder = folder.ok_or_else(|| {
        format!("names the file {name:?}, which bytes without a folder cannot have beside them")
    })?;
    if !allow_outside && leads_out(Path::new(name)) {
        return Err(format!(
            "names the file {name:?}, which leads out of its folder; move it inside, or allow files outside"
        ));
    }
    let path = folder.join(name);
    existing(&path).ok_or_else(|| format!("names the file {}, which is not there", path.display()))
}

/// The file that a `package://name/rest` of the Robot Operating System means: `name/rest` in one of
/// the folders with packages, or `rest` if the folder is the package; else `rest` in the folder of
/// the file or one of those above it, or in a folder `name` in one of them; the nearest counts.
///
/// # Errors
/// A sentence that names the file: it is not there, leads out of its package, or there is no
/// folder.
pub(crate) fn find_in_package(
    folder: Option<&Path>,
    package_path: &str,
    options: &ReadOptions,
) -> Result<PathBuf, String> {
    let shown = format!("package://{package_path}");
    if !options.allow_outside && leads_out(Path::new(package_path)) {
        return Err(format!("names the file {shown:?}, which leads out of its package"));
    }
    let (name, rest) = package_path.split_once('/').unwrap_or(("", package_path));
    let of_packages = options.packages.iter().flat_map(|root| {
        let is_package = root.file_name().is_some_and(|last| last == name);
        [Some(root.join(package_path)), is_package.then(|| root.join(rest))]
    });
    if let Some(path) = of_packages.flatten().find_map(|path| existing(&path)) {
        return Ok(path);
    }
    let folder = folder.ok_or_else(|| {
        format!("names the file {shown:?}, which bytes without a folder cannot have beside them")
    })?;
    // A relative folder has no parents by its name alone.
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let roots = folder.ancestors().take(PACKAGE_LEVELS + 1);
    let places = roots.flat_map(|root| [root.join(rest), root.join(name).join(rest)]);
    places.into_iter().find_map(|path| existing(&path)).ok_or_else(|| {
        format!(
            "names the file {shown:?}; neither {rest:?} nor {package_path:?} is in {} or the {PACKAGE_LEVELS} folders above it: give the folder of its packages with --packages",
            folder.display()
        )
    })
}

/// Whether a name is absolute or climbs above where it starts.
pub(crate) fn leads_out(name: &Path) -> bool {
    let mut depth = 0_usize;
    for component in name.components() {
        match component {
            Component::Normal(_) => depth += 1,
            Component::CurDir => {}
            Component::ParentDir => match depth.checked_sub(1) {
                Some(above) => depth = above,
                None => return true,
            },
            Component::RootDir | Component::Prefix(_) => return true,
        }
    }
    // Backslashes climb on some systems only, and mean nothing in these formats.
    name.to_string_lossy().split('\\').any(|part| part == "..")
}

pub(crate) fn existing(path: &Path) -> Option<PathBuf> {
    if path.is_file() {
        return Some(path.to_owned());
    }
    let mut packed = OsString::from(path);
    packed.push(".gz");
    let packed = PathBuf::from(packed);
    packed.is_file().then_some(packed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_out() {
        for name in ["../a.stl", "/etc/passwd", "a/../../b.stl", "a\\..\\..\\b", "./../x"] {
            assert!(leads_out(Path::new(name)), "{name}");
        }
        for name in ["a.stl", "a/b.stl", "a/../b.stl", "./a", "..a/b..c"] {
            assert!(!leads_out(Path::new(name)), "{name}");
        }
    }
}
