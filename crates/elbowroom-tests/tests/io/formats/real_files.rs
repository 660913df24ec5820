//! The files that people use: everything under characters, meshes, mocap and crowds loads, with
//! what its list says, or fails with the right reason.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use elbowroom_io::{ReadError, ReadOptions, read_document, read_trajectories, threemf};

use super::common::data;

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

/// The rows `| file | bytes | N tri, M v…` of the list; one of them has no vertices.
fn listed(manifest: &str) -> HashMap<&str, (usize, Option<usize>)> {
    manifest
        .lines()
        .filter_map(|line| {
            let mut cells = line.split('|').map(str::trim).skip(1);
            let (file, content) = (cells.next()?, cells.nth(1)?);
            let (triangles, rest) = content.split_once(" tri, ")?;
            let vertices = rest.split_once(" v").and_then(|(vertices, _)| vertices.parse().ok());
            Some((file, (triangles.parse().ok()?, vertices)))
        })
        .collect()
}

/// What is right to refuse, and what the message must say.
const REFUSED: [(&str, &str); 16] = [
    ("benchmarks/motionbenchmaker/panda.urdf", "names the file \"package://meshes/collision/"),
    ("characters/mujoco_22_humanoids.xml", "humanoid.xml, which is not there"),
    ("characters/mujoco_100_humanoids.xml", "humanoid.xml, which is not there"),
    ("meshes/robots/shadow_hand/keyframes.xml", "this key sets joints, and the model has none"),
    ("crowds/ucy_students03/H.txt", "3 columns without names"),
    ("crowds/ucy_students03/groups.txt", "1 column without names"),
    ("crowds/ucy_zara01/H.txt", "3 columns without names"),
    ("crowds/ucy_zara01/destinations.txt", "2 columns without names"),
    ("crowds/ucy_zara01/groups.txt", "2 columns without names"),
    ("crowds/ucy_zara01/map.xml", "an XML file of <Trial>, which is no robot"),
    ("crowds/ucy_zara01/static.txt", "2 columns without names"),
    ("crowds/ucy_zara02/H.txt", "3 columns without names"),
    ("crowds/ucy_zara02/destinations.txt", "2 columns without names"),
    ("crowds/ucy_zara02/groups.txt", "2 columns without names"),
    ("crowds/ucy_zara02/map.xml", "an XML file of <Trial>, which is no robot"),
    ("crowds/ucy_zara02/static.txt", "2 columns without names"),
];

/// What is no model, motion or crowd: terms of use, an index, a table of poses, and a format that
/// is not read. It is refused by its ending.
const OTHER: [(&str, usize); 3] = [("dae", 16), ("json", 1), ("txt", 2)];

/// What is said of them.
const OTHER_SAYS: [&str; 3] = ["known are .obj", "holds no mesh; if it has", "COLLADA is not read"];

/// How many files of each ending load.
const LOADED: [(&str, usize); 10] = [
    ("3mf", 2),
    ("bvh", 79),
    ("glb", 35),
    ("obj", 47),
    ("off", 2),
    ("ply", 25),
    ("stl", 44),
    ("txt", 8),
    ("urdf", 2),
    ("xml", 9),
];

/// All files of the folders that people bring, and of the benchmarks those that a reader might be
/// asked for.
fn all_files(data: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for part in ["characters", "meshes", "mocap", "crowds"] {
        files(&data.join(part), &mut found);
    }
    let mut benchmarks = Vec::new();
    files(&data.join("benchmarks"), &mut benchmarks);
    let asked = ["obj", "stl", "ply", "dae", "urdf"];
    found.extend(benchmarks.into_iter().filter(|path| asked.contains(&&*ending(path))));
    found
}

/// The ending of a name in small letters, without `.gz`.
fn ending(path: &Path) -> String {
    let name = path.file_name().unwrap().to_str().unwrap().to_lowercase();
    name.trim_end_matches(".gz").rsplit('.').next().unwrap().to_owned()
}

/// Reads a file as a user would. Returns the numbers of triangles and vertices.
fn load(path: &Path) -> Result<(usize, usize), ReadError> {
    if ending(path) == "txt" && path.components().any(|part| part.as_os_str() == "crowds") {
        return read_trajectories(path).map(|crowd| (0, crowd.samples()));
    }
    let document = read_document(path, &ReadOptions::default())?;
    assert!(!document.rigs.is_empty(), "{}", path.display());
    let meshes = || document.rigs.iter().flat_map(|rig| &rig.parts).map(|part| &part.mesh);
    let triangles = meshes().map(|mesh| mesh.triangles().len()).sum();
    Ok((triangles, meshes().map(|mesh| mesh.vertices().len()).sum()))
}

#[test]
fn every_file_of_the_data_folder_loads_or_is_rightly_refused() {
    let Some(data) = data("every_file_of_the_data_folder_loads_or_is_rightly_refused") else {
        return;
    };
    let manifest = std::fs::read_to_string(data.join("MANIFEST.md")).unwrap();
    let listed = listed(&manifest);
    let (mut loaded, mut other) = (BTreeMap::new(), BTreeMap::new());
    let (mut refused, mut compared) = (0, 0);
    for path in all_files(&data) {
        let name = path.strip_prefix(&data).unwrap().to_str().unwrap();
        let ending = ending(&path);
        match load(&path) {
            Ok((triangles, vertices)) => {
                *loaded.entry(ending.clone()).or_insert(0) += 1;
                if let Some(&(expected, points)) = listed.get(name) {
                    assert_eq!(triangles, expected, "{name}");
                    // The list has OBJ and STL as another program welds or splits them.
                    let same = points.is_none_or(|points| points == vertices);
                    assert!(same || ["obj", "stl"].contains(&&*ending), "{name}: {vertices}");
                    compared += 1;
                }
            }
            Err(error) if OTHER_SAYS.iter().any(|says| error.message().contains(says)) => {
                *other.entry(ending).or_insert(0) += 1;
            }
            Err(error) => {
                let reason = REFUSED.iter().find(|(file, _)| *file == name);
                assert!(reason.is_some_and(|(_, why)| error.to_string().contains(why)), "{error}");
                refused += 1;
            }
        }
    }
    let counts = |expected: &[(&str, usize)]| -> BTreeMap<String, usize> {
        expected.iter().map(|&(ending, count)| (ending.to_owned(), count)).collect()
    };
    assert_eq!((loaded, other), (counts(&LOADED), counts(&OTHER)));
    assert_eq!((refused, compared), (REFUSED.len(), 143));
}

#[test]
fn interlocked_rings_are_pieces() {
    let Some(data) = data("interlocked_rings_are_pieces") else { return };
    let bytes = std::fs::read(data.join("meshes/cube_gears.3mf")).unwrap();
    let build = threemf::read(&bytes).unwrap();
    assert_eq!((build.pieces.len(), build.metres_per_unit), (17, 0.001));
    assert_eq!(build.pieces[0].name, "gear 1");
    assert!(build.pieces.iter().all(|piece| piece.mesh.welded().seams().is_closed()));
}
