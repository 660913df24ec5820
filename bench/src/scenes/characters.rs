//! W5: two people of fifteen capsules (2,880 triangles each) in 500 embraces and collisions: random
//! placements near each other, of which only those are kept in which they meet.

use elbowroom::internal::model::Model;
use elbowroom::internal::query;
use elbowroom::{Mesh, Pose};
use elbowroom_bench_protocol::files::Workload;
use elbowroom_make::{capsule, join};
use glam::DVec3;

use super::random::{Random, jitter};
use super::{pose, rounded, taken, workload};

const QUERIES: usize = 500;

pub(super) fn characters() -> Workload {
    let meshes = [1007, 1008].map(|seed| rounded(&character(seed)));
    let models = meshes.clone().map(|mesh| Model::new(taken(&mesh)));
    let mut random = Random::new(1005);
    let mut poses = Vec::with_capacity(QUERIES);
    while poses.len() < QUERIES {
        let rotations = [random.rotation(), random.rotation()];
        let first = random.point(-5.0, 5.0);
        let second = first + random.point(-1.2, 1.2);
        let places = [Pose::new(rotations[0], first), Pose::new(rotations[1], second)];
        let [Ok(place_a), Ok(place_b)] = places else {
            panic!("a random rotation is refused: {places:?}");
        };
        if query::intersects(&models[0], &place_a, &models[1], &place_b) {
            poses.push([pose(rotations[0], first), pose(rotations[1], second)]);
        }
    }
    let [first, second] = meshes;
    workload(vec![("person_a", first), ("person_b", second)], [0, 1], poses)
}

/// Trunk, neck, head and four limbs of three parts; the seed bends the joints.
fn character(seed: u64) -> Mesh {
    let mut random = Random::new(seed);
    let pelvis = DVec3::ZERO;
    let chest = pelvis + DVec3::new(0.0, 0.45, 0.0) + jitter(&mut random, 0.03);
    let neck = chest + DVec3::new(0.0, 0.18, 0.0);
    let head = neck + DVec3::new(0.0, 0.2, 0.0) + jitter(&mut random, 0.02);
    let mut parts = vec![(pelvis, chest, 0.16), (chest, neck, 0.11), (neck, head, 0.085)];
    for side in [-1.0, 1.0] {
        let shoulder = chest + DVec3::new(0.2 * side, 0.1, 0.0);
        let elbow = shoulder + DVec3::new(0.15 * side, -0.25, 0.0) + jitter(&mut random, 0.1);
        let wrist = elbow + DVec3::new(0.05 * side, -0.22, 0.1) + jitter(&mut random, 0.1);
        let hand = wrist + (wrist - elbow) * 0.35;
        parts.extend([(shoulder, elbow, 0.05), (elbow, wrist, 0.038), (wrist, hand, 0.033)]);
        let hip = pelvis + DVec3::new(0.1 * side, -0.05, 0.0);
        let knee = hip + DVec3::new(0.05 * side, -0.43, 0.0) + jitter(&mut random, 0.08);
        let ankle = knee + DVec3::new(0.0, -0.42, 0.0) + jitter(&mut random, 0.08);
        let toes = ankle + DVec3::new(0.0, -0.05, 0.17) + jitter(&mut random, 0.02);
        parts.extend([(hip, knee, 0.073), (knee, ankle, 0.05), (ankle, toes, 0.038)]);
    }
    let parts: Vec<Mesh> =
        parts.into_iter().map(|(from, to, radius)| capsule(from, to, radius, 3, 16)).collect();
    join(&parts)
}
