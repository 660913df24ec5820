//! The files that people use: everything under meshes, mocap and crowds loads, with what its list says, or fails with the right reason.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use elbowroom_io::{ReadOptions, read_document, read_mesh, read_trajectories, threemf};

use crate::common::data;

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
const REFUSED: [(&str, &str); 13] = [
    (
        "meshes/robots/shadow_hand/keyframes.xml",
        "\"qpos\" of this key has 24 numbers, but the joints take 0",
    ),
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

/// What is no model, motion or crowd: terms of use, an index, and a benchmark's own table of poses.
const OTHER: [&str; 3] =
    ["mocap/CMU_READMEFIRST.txt", "mocap/CMU_cmu-mocap-index-text.txt", "mocap/poses200.json.gz"];

#[test]
fn every_file_of_the_data_folder_loads_or_is_rightly_refused() {
    let Some(data) = data("every_file_of_the_data_folder_loads_or_is_rightly_refused") else {
        return;
    };
    let manifest = std::fs::read_to_string(data.join("MANIFEST.md")).unwrap();
    let listed = listed(&manifest);
    let mut found = Vec::new();
    for part in ["meshes", "mocap", "crowds"] {
        files(&data.join(part), &mut found);
    }
    // Of the benchmarks, the meshes in these formats.
    let mut benchmarks = Vec::new();
    files(&data.join("benchmarks"), &mut benchmarks);
    found.extend(benchmarks.into_iter().filter(|path| path.to_string_lossy().contains(".ply")));
    let (mut meshes, mut documents, mut crowds, mut refused, mut other) = (0, 0, 0, 0, 0);
    for path in &found {
        let name = path.strip_prefix(&data).unwrap().to_str().unwrap();
        let plain = name.strip_suffix(".gz").unwrap_or(name).to_lowercase();
        let ending = plain.rsplit('.').next().unwrap();
        if OTHER.contains(&name) {
            let message = read_document(path, &ReadOptions::default()).unwrap_err().to_string();
            assert!(message.contains("known are .obj"), "{message}");
            other += 1;
            continue;
        }
        let result = match ending {
            "txt" => read_trajectories(path).map(|_| crowds += 1),
            "ply" | "off" | "3mf" => read_mesh(path).map(|file| {
                let (triangles, vertices) = listed[name];
                assert_eq!(file.mesh.triangles().len(), triangles, "{name}");
                let found = file.mesh.vertices().len();
                assert!(vertices.is_none_or(|vertices| vertices == found), "{name}: {found}");
                meshes += 1;
            }),
            // Read and counted by the tests of their own readers.
            "obj" | "stl" | "glb" => continue,
            _ => read_document(path, &ReadOptions::default()).map(|document| {
                assert!(!document.rigs.is_empty());
                documents += 1;
            }),
        };
        if let Err(error) = result {
            let reason = REFUSED.iter().find(|(file, _)| *file == name).map(|(_, reason)| *reason);
            assert!(reason.is_some_and(|reason| error.to_string().contains(reason)), "{error}");
            refused += 1;
        }
    }
    // Seven PLY and 18 of benchmarks, two OFF and two 3MF; nine robots and 79 captures; eight crowds.
    assert_eq!(
        (meshes, documents, crowds, refused, other),
        (29, 88, 8, REFUSED.len(), OTHER.len())
    );
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
