//! Where captured people walked: the root of each skeleton, frame by frame.
//!
//! Of a Biovision file only the motion is read: the first three numbers of a frame are the root's
//! position, y up. Lengths become metres. The first frame is a rest pose somewhere else and is left
//! out.

use std::path::{Path, PathBuf};

/// One captured motion.
#[derive(Clone, Debug)]
pub struct Capture {
    /// The name of the file, without endings.
    pub name: String,
    /// Seconds from frame to frame.
    pub dt: f64,
    /// Positions of the root in metres: x, y up, z.
    pub roots: Vec<[f64; 3]>,
}

/// Metres in one unit of the files.
pub const METRES: f64 = 0.056_444;

/// All captures of a folder of `mocap` (`short`, `long`, `two_person`), in order of their names.
///
/// # Panics
/// If a file is not what it should be.
pub fn load(shared: &Path, folder: &str) -> Vec<Capture> {
    let directory = shared.join("mocap").join(folder);
    let entries =
        std::fs::read_dir(&directory).unwrap_or_else(|e| panic!("{}: {e}", directory.display()));
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.to_string_lossy().ends_with(".bvh.gz"));
    files.sort();
    files.iter().map(|path| read(path)).collect()
}

fn read(path: &Path) -> Capture {
    let text = super::read_text(path);
    let (_, motion) = text
        .split_once("Frame Time:")
        .unwrap_or_else(|| panic!("{}: no frame time", path.display()));
    let mut lines = motion.lines();
    let number = |word: &str| -> f64 {
        word.parse().unwrap_or_else(|e| panic!("{}: {word}: {e}", path.display()))
    };
    let dt = number(lines.next().unwrap_or_default().trim());
    let root = |line: &str| {
        let mut words = line.split_whitespace();
        [(); 3].map(|()| METRES * number(words.next().unwrap_or_default()))
    };
    let roots = lines.filter(|line| !line.trim().is_empty()).skip(1).map(root).collect();
    let name = path.file_name().unwrap_or_default().to_string_lossy().replace(".bvh.gz", "");
    Capture { name, dt, roots }
}
