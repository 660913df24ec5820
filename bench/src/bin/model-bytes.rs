//! How many heap bytes a model takes beside its mesh: `model-bytes DIRECTORY MESH` prints those of
//! the model and those of the mesh.
//!
//! A program of its own, because counting allocations slows them.

use std::alloc::System;
use std::path::Path;
use std::process::ExitCode;

use elbowroom::internal::model::Model;
use elbowroom::internal::query::intersects;
use elbowroom::{Mesh, Pose};
use elbowroom_bench_protocol::files::Mesh as FileMesh;
use glam::DVec3;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn main() -> ExitCode {
    match run() {
        Ok(line) => {
            println!("{line}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("model-bytes: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<String, Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [directory, name] = &arguments[..] else {
        return Err("usage: model-bytes DIRECTORY MESH".into());
    };
    let file = FileMesh::read(Path::new(directory), name)?;
    let vertices: Vec<DVec3> = file.vertices.iter().map(|&v| DVec3::from_array(v)).collect();
    let mesh_bytes = size_of_val(&vertices[..]) + size_of_val(&file.triangles[..]);
    let mesh = Mesh::new(vertices, file.triangles.clone())?;
    let here = Pose::IDENTITY;
    let one = Mesh::new(mesh.triangle(0).to_vec(), vec![[0, 1, 2]]).map(Model::new)?;
    let region = Region::new(ALLOCATOR);
    let model = Model::new(mesh);
    // What it puts off until the first query is part of it.
    intersects(&model, &here, &one, &here);
    let change = region.change();
    let model_bytes = change.bytes_allocated - change.bytes_deallocated;
    drop(model);
    Ok(format!("{model_bytes} {mesh_bytes}"))
}
