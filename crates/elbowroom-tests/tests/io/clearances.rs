//! How far apart the parts of real assemblies are, where the shared data is present.

use elbowroom::internal::model::Model;
use elbowroom::internal::query::{distance, intersects, is_nearer};
use elbowroom::internal::traverse::Workspace;
use elbowroom::{Mesh, Pose};
use elbowroom_io::threemf;
use elbowroom_testkit::data;

const HERE: Pose = Pose::IDENTITY;

fn pieces(test: &str, file: &str) -> Option<Vec<Mesh>> {
    let Some(directory) = data::shared_dir() else {
        data::skip_note(test);
        return None;
    };
    let bytes = std::fs::read(directory.join(file)).expect(file);
    let build = threemf::read(&bytes).expect(file);
    Some(build.pieces.into_iter().map(|piece| piece.mesh).collect())
}

/// The first of the group that a vertex is in; the way to it is shortened.
fn root(group: &mut [usize], mut i: usize) -> usize {
    while group[i] != i {
        group[i] = group[group[i]];
        i = group[i];
    }
    i
}

/// The parts of a mesh that hang together by their vertices.
fn connected(mesh: &Mesh) -> Vec<Mesh> {
    let mut group: Vec<usize> = (0..mesh.vertices().len()).collect();
    for &[a, b, c] in mesh.triangles() {
        for other in [b, c] {
            let (i, j) = (root(&mut group, a as usize), root(&mut group, other as usize));
            group[j] = i;
        }
    }
    let mut parts: Vec<(usize, Vec<[u32; 3]>)> = Vec::new();
    for &triangle in mesh.triangles() {
        let own = root(&mut group, triangle[0] as usize);
        match parts.iter_mut().find(|part| part.0 == own) {
            Some(part) => part.1.push(triangle),
            None => parts.push((own, vec![triangle])),
        }
    }
    let whole = |triangles| Mesh::new(mesh.vertices().to_vec(), triangles).expect("sound");
    parts.into_iter().map(|(_, triangles)| whole(triangles)).collect()
}

/// The least distance of any two, and how many pairs are within ten times that.
fn least_distance(meshes: Vec<Mesh>) -> (f64, usize, usize) {
    let models: Vec<Model> = meshes.into_iter().map(Model::new).collect();
    let mut workspace = Workspace::default();
    let mut distances = Vec::new();
    for (i, a) in models.iter().enumerate() {
        for b in &models[..i] {
            let nearest = distance(a, &HERE, b, &HERE, f64::INFINITY, &mut workspace);
            let nearest = nearest.expect("nothing is beyond infinity");
            let back = distance(b, &HERE, a, &HERE, f64::INFINITY, &mut workspace);
            assert_eq!(back.map(|back| back.distance), Some(nearest.distance));
            assert_eq!(nearest.distance == 0.0, intersects(a, &HERE, b, &HERE));
            let step = nearest.point_a.distance(nearest.point_b);
            assert!((step - nearest.distance).abs() <= 1e-12 * (1.0 + nearest.point_a.length()));
            let mut nearer = |d| is_nearer(a, &HERE, b, &HERE, d, &mut workspace);
            assert!(nearer(nearest.distance) && !nearer(nearest.distance.next_down()));
            distances.push(nearest.distance);
        }
    }
    let least = distances.iter().copied().fold(f64::INFINITY, f64::min);
    let near = distances.iter().filter(|&&d| d <= 10.0 * least).count();
    (least, near, distances.len())
}

#[test]
fn interlocked_rings_keep_a_fiftieth_apart() {
    let file = "meshes/dodeca_chain_loop.3mf";
    let Some(pieces) = pieces("interlocked_rings_keep_a_fiftieth_apart", file) else { return };
    let rings: Vec<Mesh> = pieces.iter().flat_map(connected).collect();
    assert_eq!(rings.len(), 40);
    let (least, near, pairs) = least_distance(rings);
    println!("40 rings: {pairs} pairs, the nearest {least}, {near} within ten times that");
    assert_eq!(pairs, 780);
    assert!((0.0195..0.0205).contains(&least), "{least}");
}

#[test]
fn gears_of_a_cube_do_not_touch() {
    let file = "meshes/cube_gears.3mf";
    let Some(pieces) = pieces("gears_of_a_cube_do_not_touch", file) else { return };
    assert_eq!(pieces.len(), 17);
    let (least, near, pairs) = least_distance(pieces);
    println!("17 parts: {pairs} pairs, the nearest {least}, {near} within ten times that");
    assert_eq!(pairs, 136);
    assert!(least > 0.0, "{least}");
}
