//! How many heap bytes parry's meshes take: `parry-bytes DIRECTORY MESH` prints the bytes in single
//! and in double precision, vertices and triangles included.

use std::alloc::System;
use std::path::Path;
use std::process::ExitCode;

use elbowroom_bench_protocol::files::Mesh;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [directory, name] = &arguments[..] else {
        eprintln!("usage: parry-bytes DIRECTORY MESH");
        return ExitCode::from(2);
    };
    let mesh = match Mesh::read(Path::new(directory), name) {
        Ok(mesh) => mesh,
        Err(error) => {
            eprintln!("parry-bytes: {error}");
            return ExitCode::from(2);
        }
    };
    let region = Region::new(ALLOCATOR);
    let points = mesh.vertices.iter().map(|v| {
        let [x, y, z] = v.map(|x| x as f32);
        parry3d::math::Vector::new(x, y, z)
    });
    let single = parry3d::shape::TriMesh::new(points.collect(), mesh.triangles.clone());
    let single_bytes = held(&region);
    let points =
        mesh.vertices.iter().map(|&[x, y, z]| parry3d_f64::math::Vector::new(x, y, z)).collect();
    let double = parry3d_f64::shape::TriMesh::new(points, mesh.triangles.clone());
    println!("{single_bytes} {}", held(&region) - single_bytes);
    drop((single, double));
    ExitCode::SUCCESS
}

/// What was allocated since the region began and is not freed.
fn held(region: &Region<'_, System>) -> u64 {
    let change = region.change();
    (change.bytes_allocated - change.bytes_deallocated) as u64
}
