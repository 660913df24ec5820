//! What several test files use: a folder for the files they write, and a writer of binary STL.

use std::fs;
use std::path::{Path, PathBuf};

/// A folder that is removed with its files when the test is done.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// `name` must be unique among the tests of this crate.
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("elbowroom-io-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder for the test");
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, bytes).expect("a file for the test");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What stays behind in the system's temporary folder does no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A binary STL with these corners and this count in its header.
pub(crate) fn binary_stl(count: u32, triangles: &[[[f32; 3]; 3]]) -> Vec<u8> {
    let mut bytes = vec![b' '; 80];
    bytes[..5].copy_from_slice(b"solid");
    bytes.extend(count.to_le_bytes());
    for triangle in triangles {
        bytes.extend([0; 12]);
        bytes.extend(triangle.iter().flatten().flat_map(|x| x.to_le_bytes()));
        bytes.extend([7, 7]);
    }
    bytes
}
