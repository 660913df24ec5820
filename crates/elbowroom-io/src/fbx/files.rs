//! Files that an FBX names: point caches. Only those in its own folder are opened, unless the
//! caller allows more.

use std::fs::File;
use std::path::Path;

use ufbx::{OpenFileInfo, OpenFileType, Stream};

use crate::opened;
use crate::robot::beside::leads_out;

/// Where a file lies, and what it may open.
pub(super) struct Files<'a> {
    pub(super) folder: Option<&'a Path>,
    pub(super) allow_outside: bool,
}

impl Files<'_> {
    /// The name under which the library knows the file, so that it finds others beside it.
    pub(super) fn name(&self) -> Option<String> {
        Some(self.folder?.join("file.fbx").to_str()?.to_owned())
    }

    /// Opens a cache, if it may be.
    pub(super) fn open(&self, path: &str, info: &OpenFileInfo) -> Option<Stream> {
        if info.type_ != OpenFileType::GeometryCache {
            return None;
        }
        let path = Path::new(path);
        let inside = path.strip_prefix(self.folder?).is_ok_and(|rest| !leads_out(rest));
        if !(inside || self.allow_outside) || !path.is_file() {
            return None;
        }
        // What is read is never written over.
        opened::note(path);
        File::open(path).ok().map(Stream::File)
    }
}
