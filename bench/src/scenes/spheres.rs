//! W1 and W2: two spheres of 32,000 triangles that do not meet, one around the other or side by
//! side, with an ever smaller gap between them. Nearly all of both surfaces runs parallel in W1; in
//! W2 they are near in one point.

use elbowroom_bench_protocol::files::Workload;
use glam::{DMat3, DVec3};

use super::random::Random;
use super::{pose, rounded, scaled, workload};

const POSES: usize = 20;
/// 32,000 triangles.
const FREQUENCY: u32 = 40;
/// 2,000 triangles.
const SMALL_FREQUENCY: u32 = 10;

/// Rotations of both spheres, and the direction in which the second one lies; the same for every
/// gap.
fn turns() -> Vec<(DMat3, DMat3, DVec3)> {
    let mut random = Random::new(1001);
    (0..POSES).map(|_| (random.rotation(), random.rotation(), random.direction())).collect()
}

/// A sphere of radius 1 in one of radius 1 + gap.
pub(super) fn concentric(gap: f64) -> Workload {
    nested(FREQUENCY, gap)
}

/// The same with few triangles.
pub(super) fn small_concentric(gap: f64) -> Workload {
    nested(SMALL_FREQUENCY, gap)
}

fn nested(frequency: u32, gap: f64) -> Workload {
    let ball = elbowroom_make::icosphere(frequency);
    let poses = turns().into_iter().map(|(a, b, _)| [pose(a, DVec3::ZERO), pose(b, DVec3::ZERO)]);
    let outer = format!("ball_{gap}");
    workload(vec![("ball", rounded(&ball)), (&outer, scaled(&ball, 1.0 + gap))], [0, 1], poses)
}

/// Two spheres of radius 1 with the gap between them.
pub(super) fn side_by_side(gap: f64) -> Workload {
    let ball = elbowroom_make::icosphere(FREQUENCY);
    let poses = turns()
        .into_iter()
        .map(|(a, b, direction)| [pose(a, DVec3::ZERO), pose(b, direction * (2.0 + gap))]);
    workload(vec![("ball", rounded(&ball))], [0, 0], poses)
}
