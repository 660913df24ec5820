//! The meshes that people use: every OBJ and STL of the data folder loads, with the triangles that its list says.
//!
//! Skipped where the folder is absent: it is `ELBOWROOM_DATA`, else `../shared/data` beside the workspace.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use elbowroom_io::read_mesh;

fn data_folder() -> Option<PathBuf> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let beside = || workspace.join("../shared/data");
    let folder = std::env::var_os("ELBOWROOM_DATA").map_or_else(beside, PathBuf::from);
    folder.join("MANIFEST.md").is_file().then_some(folder)
}

fn mesh_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.to_string_lossy().to_lowercase();
        if path.is_dir() {
            mesh_files(&path, found);
        } else if [".obj", ".stl", ".obj.gz", ".stl.gz"].iter().any(|e| name.ends_with(e)) {
            found.push(path);
        }
    }
}

/// The rows `| file | bytes | N tri…, M v…` of the list.
fn listed_triangles(manifest: &str) -> HashMap<&str, usize> {
    manifest
        .lines()
        .filter_map(|line| {
            let mut cells = line.split('|').map(str::trim).skip(1);
            let (file, content) = (cells.next()?, cells.nth(1)?);
            let (count, _) = content.split_once(" tri")?;
            Some((file, count.parse().ok()?))
        })
        .collect()
}

#[test]
fn every_mesh_of_the_data_folder_loads() {
    let Some(folder) = data_folder() else {
        println!("skipped: no data folder");
        return;
    };
    let manifest = fs::read_to_string(folder.join("MANIFEST.md")).unwrap();
    let listed = listed_triangles(&manifest);
    let mut files = Vec::new();
    for part in ["meshes", "benchmarks"] {
        mesh_files(&folder.join(part), &mut files);
    }
    let mut compared = 0;
    for path in &files {
        let file = read_mesh(path).unwrap_or_else(|error| panic!("{error}"));
        let name = path.strip_prefix(&folder).unwrap().to_str().unwrap();
        let triangles = file.mesh.triangles().len();
        assert!(triangles >= file.faces, "{name}");
        if let Some(&expected) = listed.get(name) {
            assert_eq!(triangles, expected, "{name}");
            compared += 1;
        }
    }
    assert!(files.len() >= 91 && compared >= 91, "{} files, {compared} compared", files.len());
}
