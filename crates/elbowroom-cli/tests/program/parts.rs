//! Things made of many parts that are known not to touch: gears of one print, rings of one chain.
//! Each part is given as a file of its own.

use std::collections::HashMap;

use elbowroom::Mesh;
use elbowroom_io::{ReadOptions, read_document};
use elbowroom_testkit::data::{shared_dir, skip_note};
use serde_json::Value;

use crate::desk::Desk;

/// The pieces of a mesh that hang together by equal vertices.
fn components(mesh: &Mesh) -> Vec<Mesh> {
    let mut number_of = HashMap::new();
    let mut same: Vec<usize> = Vec::new();
    for vertex in mesh.vertices() {
        let next = same.len();
        same.push(*number_of.entry(vertex.to_array().map(f64::to_bits)).or_insert(next));
    }
    let root = |same: &[usize], mut vertex: usize| {
        while same[vertex] != vertex {
            vertex = same[vertex];
        }
        vertex
    };
    for corners in mesh.triangles() {
        let [a, b, c] = corners.map(|corner| root(&same, corner as usize));
        let least = a.min(b).min(c);
        for vertex in [a, b, c] {
            same[vertex] = least;
        }
    }
    let mut groups: Vec<(usize, Vec<[u32; 3]>)> = Vec::new();
    for corners in mesh.triangles() {
        let head = root(&same, corners[0] as usize);
        match groups.iter_mut().find(|(known, _)| *known == head) {
            Some((_, triangles)) => triangles.push(*corners),
            None => groups.push((head, vec![*corners])),
        }
    }
    let mesh_of = |(_, triangles)| Mesh::new(mesh.vertices().to_vec(), triangles).expect("a part");
    groups.into_iter().map(mesh_of).map(|part| used_only(&part)).collect()
}

/// Triangles without vertices that none of them has.
fn used_only(mesh: &Mesh) -> Mesh {
    let (mut vertices, mut number_of) = (Vec::new(), HashMap::new());
    let mut number = |corner: u32| {
        *number_of.entry(corner).or_insert_with(|| {
            vertices.push(mesh.vertices()[corner as usize]);
            vertices.len() as u32 - 1
        })
    };
    let triangles = mesh.triangles().iter().map(|corners| corners.map(&mut number)).collect();
    Mesh::new(vertices, triangles).expect("a part")
}

/// What a check of all parts of a file says, and how many there are; nothing where there is no such
/// file.
fn check(name: &str, options: &[&str]) -> Option<(usize, Value)> {
    let path = shared_dir()?.join("meshes").join(name);
    let document = read_document(&path, &ReadOptions::default()).expect("a good file");
    let parts = document.rigs.iter().flat_map(|rig| &rig.parts);
    let parts: Vec<Mesh> = parts.flat_map(|part| components(&part.mesh)).collect();
    let desk = Desk::new();
    let names: Vec<String> = (0..parts.len()).map(|index| format!("{index:02}.obj")).collect();
    for (name, part) in names.iter().zip(&parts) {
        desk.put_obj(name, part);
    }
    let files = names.iter().map(String::as_str);
    let arguments: Vec<&str> =
        ["check"].into_iter().chain(files).chain(options.iter().copied()).collect();
    Some((parts.len(), desk.run(&arguments).json()))
}

/// How many contacts there are, how many pairs that are only near, and the smallest distance of
/// those.
fn told(report: &Value) -> (usize, usize, f64) {
    let contacts = report["contacts"].as_array().expect("a list");
    let near = contacts.iter().filter(|contact| contact["kind"] == "clearance");
    let distances = near.clone().filter_map(|contact| contact["distance"].as_f64());
    let smallest = distances.fold(f64::INFINITY, f64::min);
    let near = near.count();
    (contacts.len() - near, near, smallest)
}

#[test]
fn rings_of_a_chain_are_interlocked_and_do_not_touch() {
    let options = ["--solid", "--json", "--clearance", "2"];
    let Some((parts, report)) = check("dodeca_chain_loop.3mf", &options) else {
        skip_note("rings_of_a_chain_are_interlocked_and_do_not_touch");
        return;
    };
    let (contacts, near, smallest) = told(&report);
    assert_eq!((parts, contacts), (40, 0));
    assert_eq!(near, 40, "each ring is near the next");
    assert!((smallest - 0.020).abs() < 5e-4, "{smallest}");
    let exact = |contact: &Value| contact["certainty"] == "exact";
    assert!(report["contacts"].as_array().expect("a list").iter().all(exact));
}

#[test]
fn gears_of_a_print_do_not_touch() {
    let options = ["--solid", "--json", "--clearance", "10"];
    let Some((parts, report)) = check("cube_gears.3mf", &options) else {
        skip_note("gears_of_a_print_do_not_touch");
        return;
    };
    let (contacts, near, smallest) = told(&report);
    assert_eq!((parts, contacts), (17, 0));
    assert_eq!(near, 26);
    assert!((smallest - 2.2).abs() < 1e-9, "laid out with room between them: {smallest}");
}

/// The parts of one file are compared with each other.
#[test]
fn a_print_of_many_parts_is_checked_as_it_is() {
    let Some(directory) = shared_dir() else {
        return skip_note("a_print_of_many_parts_is_checked_as_it_is");
    };
    let gears = directory.join("meshes/cube_gears.3mf");
    let gears = gears.to_str().expect("a path in words");
    let report = Desk::new().run(&["check", gears, "--json", "--clearance", "2.5mm"]).json();
    let (contacts, near, smallest) = told(&report);
    assert_eq!((report["objects"].as_array().map(Vec::len), contacts), (Some(17), 0));
    assert_eq!(report["pairs_examined"], 136);
    assert!(near >= 6 && (smallest - 0.0022).abs() < 5e-5, "{near} {smallest}");
}
