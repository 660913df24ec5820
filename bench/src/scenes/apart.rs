//! D3 to D7: things that are apart, for questions about distance. The poses of D3 to D6 are those
//! of W3 to W6, of which those are taken that do not meet, or are lifted until they do not; D7 are
//! two machined parts, of large and thin triangles.

use elbowroom::internal::model::Model;
use elbowroom::internal::query;
use elbowroom::{Mesh, Pose};
use elbowroom_bench_protocol::files::{Pose as FilePose, Workload};
use elbowroom_make::{cuboid, cylinder, join};
use glam::{DMat3, DVec3};

use super::random::Random;
use super::{checked, pose, rounded, taken, workload};

/// How many queries are kept of another workload.
const KEPT: usize = 100;
const PARTS: usize = 100;

/// The queries whose second body, moved by some step, is apart from the first: some of them, spread
/// evenly.
pub(super) fn apart(mut of: Workload, step: DVec3) -> Workload {
    of.bodies.clear();
    let models: Vec<Model> = of.meshes.iter().map(|mesh| Model::new(taken(mesh))).collect();
    for query in &mut of.queries {
        for (axis, part) in query.poses[1].translation.iter_mut().enumerate() {
            *part += step[axis];
        }
    }
    of.queries.retain(|query| {
        let [a, b] = query.meshes.map(|mesh| &models[mesh as usize]);
        let [place_a, place_b] = query.poses.map(placed);
        !query::intersects(a, &place_a, b, &place_b)
    });
    let stride = (of.queries.len() / KEPT).max(1);
    of.queries = of.queries.into_iter().step_by(stride).take(KEPT).collect();
    of
}

fn placed(pose: FilePose) -> Pose {
    let rotation = DMat3::from_cols_array(&pose.rotation).transpose();
    match Pose::new(rotation, DVec3::from_array(pose.translation)) {
        Ok(placement) => placement,
        Err(error) => panic!("a generated pose is refused: {error}"),
    }
}

/// Two brackets with shafts, near each other.
pub(super) fn parts() -> Workload {
    let mut random = Random::new(1009);
    let part = rounded(&part());
    let poses: Vec<[FilePose; 2]> = (0..4 * PARTS)
        .map(|_| {
            let (a, b) = (random.rotation(), random.rotation());
            [pose(a, DVec3::ZERO), pose(b, random.direction() * random.uniform(0.8, 3.0))]
        })
        .collect();
    apart(workload(vec![("part", part)], [0, 0], poses), DVec3::ZERO)
}

fn part() -> Mesh {
    let moved = |mesh: Mesh, step: DVec3| {
        let vertices = mesh.vertices().iter().map(|&v| v + step).collect();
        checked(vertices, mesh.triangles().to_vec())
    };
    let plate = cuboid(DVec3::new(0.6, 0.05, 0.4));
    let wall = moved(cuboid(DVec3::new(0.05, 0.4, 0.4)), DVec3::new(0.55, 0.4, 0.0));
    let shafts = [-0.4, 0.0, 0.4].map(|x| {
        let from = DVec3::new(x, -0.3, 0.2);
        cylinder(from, from + DVec3::Y * 0.9, 0.06, 96)
    });
    let [first, second, third] = shafts;
    join(&[plate, wall, first, second, third])
}
