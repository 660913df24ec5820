//! How long it takes to find where a mesh meets itself: the packed tree against the readable one,
//! with and without growing it, side by side in one run and with equal answers.
//!
//!     cargo bench -p elbowroom --bench within -- [mesh.obj ...]
//!
//! Without files, meshes of our own. A posed character is a new mesh in every frame, so what counts
//! for it is building the tree and asking.

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use elbowroom::Mesh;
use elbowroom::internal::bvh::Config;
use elbowroom::internal::model::Model;
use elbowroom::internal::query::{Neighbours, Want, collide_self};
use elbowroom::internal::traverse::Workspace;
use elbowroom_make as make;
use elbowroom_testkit::data;
use glam::DVec3;

/// The best of some rounds, in milliseconds.
fn millis<T>(mut call: impl FnMut() -> T) -> f64 {
    let round = |_| {
        let start = Instant::now();
        black_box(call());
        1e3 * start.elapsed().as_secs_f64()
    };
    (0..7).map(round).fold(f64::INFINITY, f64::min)
}

fn measure(name: &str, mesh: &Mesh) {
    let mut workspace = Workspace::default();
    let (packed, config) = (Model::new(mesh.clone()), Config::default());
    let readable = Model::with_config(mesh.clone(), &config);
    let mut asked = |model: &Model, ask, neighbours| {
        let answer = collide_self(model, ask, neighbours, &mut workspace);
        (answer.touching, answer.crossing)
    };
    let all = asked(&packed, Want::All, Neighbours::Decide);
    assert_eq!(all, asked(&readable, Want::All, Neighbours::Decide), "{name}");
    let decide = millis(|| asked(&packed, Want::All, Neighbours::Decide));
    let skip = millis(|| asked(&packed, Want::All, Neighbours::Skip));
    let whether = millis(|| asked(&packed, Want::Any, Neighbours::Decide));
    let build = millis(|| Model::new(mesh.clone()));
    let slow = millis(|| asked(&readable, Want::All, Neighbours::Decide));
    let grow = millis(|| Model::with_config(mesh.clone(), &config));
    println!(
        "{name:24} {:7} triangles {:6} touch {:6} cross | packed: build {build:8.2} all {decide:8.2} \
         skip {skip:8.2} whether {whether:8.2} | readable: grow {grow:8.2} all {slow:8.2} | \
         all {:5.1}x, with tree {:5.1}x (ms)",
        mesh.triangles().len(),
        all.0,
        all.1,
        slow / decide,
        (grow + slow) / (build + decide),
    );
}

fn main() {
    let files: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    for file in &files {
        let soup = data::obj(Path::new(file));
        let vertices = soup.vertices.iter().map(|&v| DVec3::from_array(v)).collect();
        let mesh = Mesh::new(vertices, soup.triangles).expect("a sound mesh");
        let name =
            Path::new(file).file_name().map_or(file.as_str(), |n| n.to_str().unwrap_or(file));
        measure(name, &mesh);
    }
    if files.is_empty() {
        measure("person", &make::person());
        measure("icosphere 100k", &make::icosphere(71));
        measure("wrinkled torus 100k", &make::wrinkled_torus(250, 200));
        let spheres: Vec<Mesh> = (0..8)
            .map(|i| {
                let sphere = make::icosphere(25);
                let shift = DVec3::new(0.7 * f64::from(i), 0.01 * f64::from(i), 0.0);
                let vertices = sphere.vertices().iter().map(|&v| v + shift).collect();
                sphere.with_vertices(vertices).expect("finite")
            })
            .collect();
        measure("eight spheres 100k", &make::join(&spheres));
    }
}
