//! Which file a name in a scene file means.

use std::path::{Path, PathBuf};

use super::Trouble;
use super::fields::Said;
use crate::made::is_made;
use crate::robot::beside::{existing, leads_out};
use crate::sequence::is_pattern;

/// The file that a name means, from the folder of the scene file. Names of our own makes mean
/// themselves.
pub(super) fn file(
    folder: &Path,
    name: &Said<String>,
    allow_outside: bool,
) -> Result<PathBuf, Trouble> {
    if is_made(&name.value) {
        return Ok(PathBuf::from(&name.value));
    }
    let outside = || {
        let message = format!(
            "{:?} leads out of the folder of the scene file; move it inside, or add --allow-outside",
            name.value
        );
        Trouble::new(&name.span, message)
    };
    if !allow_outside && leads_out(Path::new(&name.value)) {
        return Err(outside());
    }
    let path = folder.join(&name.value);
    let is_numbered = is_pattern(&path);
    let path = if is_numbered { Some(path) } else { existing(&path) };
    let path = path.ok_or_else(|| {
        let shown = folder.join(&name.value);
        let message = format!("there is no file {}; check the name", shown.display());
        Trouble::of_file(&name.span, &shown, message)
    })?;
    // A link may lead out where its name does not.
    let real = if is_numbered { path.parent().unwrap_or(folder) } else { path.as_path() };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    if !allow_outside
        && let (Ok(folder), Ok(real)) = (folder.canonicalize(), real.canonicalize())
        && !real.starts_with(folder)
    {
        return Err(outside());
    }
    Ok(path)
}
