//! A folder with a scene file in it.

use std::fs;
use std::path::PathBuf;

use elbowroom_io::{ReadOptions, SceneFile, SceneFileError, read_scene};

pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    pub(crate) fn put(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, text).expect("written");
        path
    }

    pub(crate) fn path(&self) -> &std::path::Path {
        self.0.path()
    }

    pub(crate) fn read(&self, scene: &str) -> Result<SceneFile, SceneFileError> {
        read_scene(&self.put("scene.toml", scene), &ReadOptions::default())
    }
}

/// The example of the document, and the ways that it names.
pub(crate) fn example() -> String {
    let text = include_str!("../../../../../docs/scene-file.md");
    let (_, rest) = text.split_once("```toml\n").expect("an example");
    rest.split_once("```").expect("its end").0.to_owned()
}

pub(crate) const WAYS: &str = "\
# framerate: 10
id,frame,x,y
1,0,-2,0
1,20,2,0
2,5,0,-2
2,15,0,2
";

pub(crate) const CUBE: &str = "\
v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1
f 1 2 3 4\nf 5 6 7 8\nf 1 2 6 5\nf 4 3 7 8\nf 1 4 8 5\nf 2 3 7 6\n";
