//! Our own engines as players. They run in processes of their own like all others.

mod model;
mod naive;

use std::path::Path;

use elbowroom::internal::bvh::Config;
use elbowroom::{Mesh, Pose};
use elbowroom_bench_protocol::files::{Mesh as FileMesh, Pose as FilePose, Workload};
use elbowroom_bench_protocol::play::play;
use glam::{DMat3, DVec3};

use crate::Failure;
pub(crate) use model::Models;

/// Plays a workload on the standard input and output.
pub(crate) fn run(engine: &str, directory: &Path, name: &str) -> Result<(), Failure> {
    let workload = Workload::read(directory, name)?;
    let (input, output) = (std::io::stdin().lock(), std::io::stdout().lock());
    match engine {
        "ours" => play(&mut Models::new(&workload, &Config::default(), true)?, input, output)?,
        "ours-count" => {
            play(&mut Models::new(&workload, &Config::default(), false)?, input, output)?;
        }
        "reference" => play(&mut Models::new(&workload, &Config::obbtree(), true)?, input, output)?,
        "naive" => play(&mut naive::Naive::new(&workload)?, input, output)?,
        _ => return Err(Failure::new(format!("there is no engine {engine} in this program"))),
    }
    Ok(())
}

fn mesh(mesh: &FileMesh) -> Result<Mesh, Failure> {
    let vertices = mesh.vertices.iter().map(|&v| DVec3::from_array(v)).collect();
    Mesh::new(vertices, mesh.triangles.clone()).map_err(|error| Failure::new(error.to_string()))
}

fn placement(pose: &FilePose) -> Result<Pose, Failure> {
    let rotation = DMat3::from_cols_array(&pose.rotation).transpose();
    Pose::new(rotation, DVec3::from_array(pose.translation))
        .map_err(|error| Failure::new(error.to_string()))
}

/// Two meshes of a workload and where they stand.
type Placed = ([usize; 2], [Pose; 2]);

fn placed(workload: &Workload) -> Result<Vec<Placed>, Failure> {
    let placed = workload.queries.iter().map(|query| {
        let [a, b] = &query.poses;
        Ok((query.meshes.map(|mesh| mesh as usize), [placement(a)?, placement(b)?]))
    });
    placed.collect()
}

fn triangles(workload: &Workload) -> u64 {
    workload.meshes.iter().map(|mesh| mesh.triangles.len() as u64).sum()
}
