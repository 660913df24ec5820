//! The characters and meshes that people use: every GLB of the data folder loads, with the counts
//! that its list says.

use std::fs;
use std::path::{Path, PathBuf};

use elbowroom_io::{ReadOptions, read_document};
use elbowroom_motion::body::{Clip, Hold, Part, Rig};
use elbowroom_testkit::data::{shared_dir, skip_note};

/// All `.glb` files of the data, sorted; `None` where the data is absent.
pub(crate) fn glb_files(test: &str) -> Option<(PathBuf, Vec<PathBuf>)> {
    let Some(folder) = shared_dir() else {
        skip_note(test);
        return None;
    };
    let mut files = Vec::new();
    for part in ["characters", "meshes"] {
        for entry in fs::read_dir(folder.join(part)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|ending| ending == "glb") {
                files.push(path);
            }
        }
    }
    files.sort();
    assert_eq!(files.len(), 35);
    Some((folder, files))
}

pub(crate) fn read_rig(path: &Path) -> (Rig, Vec<String>) {
    let mut document =
        read_document(path, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(document.rigs.len(), 1);
    (document.rigs.remove(0), document.notes)
}

/// The number before a word in a row of the list: `41` before ` joints`.
fn listed(row: &str, word: &str) -> Option<f64> {
    let before = row.split_once(word)?.0;
    let start = before.rfind(|c: char| !c.is_ascii_digit() && c != '.').map_or(0, |at| at + 1);
    before[start..].parse().ok()
}

#[test]
fn every_glb_of_the_data_folder_loads() {
    let Some((folder, files)) = glb_files("every_glb_of_the_data_folder_loads") else {
        return;
    };
    let manifest = fs::read_to_string(folder.join("MANIFEST.md")).unwrap();
    let [mut skinned, mut clips, mut triangles, mut morphs] = [0; 4];
    for path in &files {
        let name = path.strip_prefix(&folder).unwrap().to_str().unwrap();
        let row = manifest.lines().find(|line| line.starts_with(&format!("| {name} |"))).unwrap();
        let (rig, notes) = read_rig(path);
        let count = |of: fn(&Part) -> usize| rig.parts.iter().map(of).sum::<usize>();
        let tri = count(|part| part.mesh.triangles().len());
        assert_eq!(Some(tri as f64), listed(row, " tri,"), "{name}");
        assert_eq!(
            Some(count(|part| part.mesh.vertices().len()) as f64),
            listed(row, " v"),
            "{name}"
        );
        let skins = rig.parts.iter().filter_map(|part| match &part.hold {
            Hold::Skinned(skin) => Some(skin.joints().len()),
            Hold::Rigid(_) => None,
        });
        let joints = skins.max();
        assert_eq!(joints.map(|joints| joints as f64), listed(row, " joints"), "{name}");
        let seconds: f64 = rig.clips.iter().map(Clip::end).sum();
        assert_eq!(rig.clips.len() as f64, listed(row, " clips/").unwrap_or(0.0), "{name}");
        let expected = row.split_once(" clips/").and_then(|(_, rest)| listed(rest, " s"));
        assert!((seconds - expected.unwrap_or(0.0)).abs() < 0.15, "{name}: {seconds} s");
        // All notes are about weights that were rounded on their way into the file.
        assert!(notes.iter().all(|note| note.contains("did not add up to one")), "{notes:?}");
        skinned += usize::from(joints.is_some());
        clips += rig.clips.len();
        triangles += tri;
        morphs += count(|part| part.morphs.len());
    }
    assert_eq!((files.len(), skinned, clips, triangles, morphs), (35, 29, 261, 176_429, 3));
}
