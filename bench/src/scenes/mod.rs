//! The bench's own workloads, made by rule, so that it is whole wherever the repository is.
//!
//! They follow the scenes with which collision libraries are usually compared: concentric and
//! neighbouring spheres (after the `OBBTree` paper's experiments; Gottschalk, Lin and Manocha,
//! 1996), a torus over rough ground, tangled pipes, characters, and a heap of many bodies. The
//! shapes are elbowroom-make's where it has them.
//!
//! Invariants: the same bits on every system (sines from a library in plain Rust, random numbers
//! from a generator of our own); every vertex is an f32 number; every rotation is one to within a
//! few roundings.

mod apart;
mod characters;
mod ground;
mod heads;
mod pipes;
mod random;
mod small;
mod spheres;

use elbowroom_bench_protocol::files::{Mesh as FileMesh, Pose as FilePose, Query, Workload};
use glam::{DMat3, DQuat, DVec3};

/// Makes a workload by its name, `None` if there is none of that name.
pub(crate) fn make(name: &str) -> Option<Workload> {
    match name {
        "W0" => Some(small::small()),
        "W3" => Some(ground::ground()),
        "W4" => Some(pipes::pipes()),
        "W5" => Some(characters::characters()),
        "W6" => Some(heads::heads()),
        "D3" => Some(apart::apart(ground::ground(), DVec3::Y * 0.1)),
        "D4" => Some(apart::apart(pipes::pipes(), DVec3::ZERO)),
        "D5" => Some(apart::apart(characters::characters(), DVec3::X)),
        "D6" => Some(apart::apart(heads::heads(), DVec3::ZERO)),
        "D7" => Some(apart::parts()),
        _ => {
            let (family, gap) = name.split_once('_')?;
            match family {
                "W1" => Some(spheres::concentric(gap.parse().ok()?)),
                "S" => Some(spheres::small_concentric(gap.parse().ok()?)),
                "W2" => Some(spheres::side_by_side(gap.parse().ok()?)),
                "B" => Some(small::large(gap.parse().ok()?)),
                _ => None,
            }
        }
    }
}

/// The mesh with every vertex moved to an f32 number.
fn rounded(mesh: &elbowroom::Mesh) -> FileMesh {
    let single = |x: f64| f64::from(x as f32);
    FileMesh {
        vertices: mesh.vertices().iter().map(|v| v.to_array().map(single)).collect(),
        triangles: mesh.triangles().to_vec(),
    }
}

fn scaled(mesh: &elbowroom::Mesh, scale: f64) -> FileMesh {
    let vertices = mesh.vertices().iter().map(|&v| v * scale).collect();
    rounded(&checked(vertices, mesh.triangles().to_vec()))
}

/// A mesh of what was made here.
fn checked(vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> elbowroom::Mesh {
    match elbowroom::Mesh::new(vertices, triangles) {
        Ok(mesh) => mesh,
        Err(error) => panic!("a generated mesh is refused: {error}"),
    }
}

/// The file's mesh as the library takes it.
fn taken(mesh: &FileMesh) -> elbowroom::Mesh {
    let vertices = mesh.vertices.iter().map(|&v| DVec3::from_array(v)).collect();
    checked(vertices, mesh.triangles.clone())
}

fn pose(rotation: DMat3, translation: DVec3) -> FilePose {
    // Columns of the transpose are rows.
    FilePose { rotation: rotation.transpose().to_cols_array(), translation: translation.to_array() }
}

fn workload(
    meshes: Vec<(&str, FileMesh)>,
    [a, b]: [u32; 2],
    poses: impl IntoIterator<Item = [FilePose; 2]>,
) -> Workload {
    let (names, meshes) = meshes.into_iter().map(|(name, mesh)| (name.to_owned(), mesh)).unzip();
    let queries = poses.into_iter().map(|poses| Query { meshes: [a, b], poses }).collect();
    Workload { names, meshes, queries, bodies: Vec::new() }
}

/// A turn about an axis that need not have length 1.
fn turn(axis: DVec3, angle: f64) -> DMat3 {
    let axis = axis / axis.length();
    let (sin, cos) = (libm::sin(0.5 * angle), libm::cos(0.5 * angle));
    DMat3::from_quat(DQuat::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos))
}
