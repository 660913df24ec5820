//! B: one bumpy sphere of any size, to build. W0: two bumpy spheres of 320 triangles, from just
//! apart to deep in each other: small enough to try all pairs of triangles.

use elbowroom_bench_protocol::files::Workload;
use glam::DVec3;

use super::random::Random;
use super::{pose, rounded, workload};

const POSES: usize = 100;

pub(super) fn small() -> Workload {
    let mut random = Random::new(1000);
    let meshes = [("bumpy_a", 1), ("bumpy_b", 2)]
        .map(|(name, seed)| (name, rounded(&elbowroom_make::bumpy_sphere(4, 0.3, seed))));
    let poses = (0..POSES).map(|_| {
        let away = random.direction() * random.uniform(1.0, 2.4);
        [pose(random.rotation(), DVec3::ZERO), pose(random.rotation(), away)]
    });
    let poses: Vec<_> = poses.collect();
    workload(meshes.to_vec(), [0, 1], poses)
}

/// A sphere of `20 frequency²` triangles and no queries.
pub(super) fn large(frequency: u32) -> Workload {
    let name = format!("bumpy_{frequency}");
    let ball = elbowroom_make::bumpy_sphere(frequency, 0.3, 3);
    workload(vec![(&name, rounded(&ball))], [0, 0], [])
}
