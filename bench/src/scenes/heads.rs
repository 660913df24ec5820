//! W6: a heap of 2,000 bumpy heads (980 triangles each), pushed apart a little so that they touch
//! but do not fill each other. The queries are the pairs whose axis-aligned boxes overlap.

use elbowroom::Mesh;
use elbowroom_bench_protocol::files::{Pose as FilePose, Query, Workload};
use glam::{DMat3, DVec3};

use super::random::Random;
use super::{checked, pose, rounded, taken, workload};

const BODIES: usize = 2000;
/// The part of space that spheres of radius 1 around the heads would fill.
const FILLED: f64 = 0.62;
const ROUNDS: usize = 30;
/// Heads nearer than this push each other away.
const ROOM: f64 = 1.75;

pub(super) fn heads() -> Workload {
    let mut random = Random::new(1006);
    let head = rounded(&head());
    let side = libm::cbrt(BODIES as f64 * 4.19 / FILLED);
    let mut centres: Vec<DVec3> = (0..BODIES).map(|_| random.point(0.0, side)).collect();
    for _ in 0..ROUNDS {
        centres = pushed_apart(&centres, side);
    }
    let rotations: Vec<DMat3> = centres.iter().map(|_| random.rotation()).collect();
    let mesh = taken(&head);
    let bounds: Vec<[DVec3; 2]> =
        rotations.iter().zip(&centres).map(|(&r, &c)| bounds(&mesh, r, c)).collect();
    let bodies: Vec<FilePose> =
        rotations.into_iter().zip(centres).map(|(r, c)| pose(r, c)).collect();

    let mut workload = workload(vec![("head", head)], [0, 0], []);
    for i in 0..BODIES {
        for j in i + 1..BODIES {
            let ([low_a, high_a], [low_b, high_b]) = (bounds[i], bounds[j]);
            if low_a.cmple(high_b).all() && low_b.cmple(high_a).all() {
                workload.queries.push(Query { meshes: [0, 0], poses: [bodies[i], bodies[j]] });
            }
        }
    }
    workload.bodies = bodies;
    workload
}

/// A ball with waves on it and two ears.
fn head() -> Mesh {
    let ball = elbowroom_make::icosphere(7);
    let ear =
        |v: DVec3, x: f64| 0.25 * libm::exp(-(v - DVec3::new(x, 0.3, 0.3)).length_squared() / 0.08);
    let radius = |v: DVec3| {
        let waves = 0.18 * libm::sin(6.0 * v.x) * libm::cos(4.0 * v.y);
        1.0 + waves + 0.12 * libm::cos(5.0 * v.z + v.x) + ear(v, 0.9) + ear(v, -0.9)
    };
    let vertices = ball.vertices().iter().map(|&v| v * radius(v)).collect();
    checked(vertices, ball.triangles().to_vec())
}

/// Every centre a quarter of the missing room away from each near one, within the cube.
fn pushed_apart(centres: &[DVec3], side: f64) -> Vec<DVec3> {
    let push = |&centre: &DVec3| {
        let mut moved = centre;
        for &other in centres {
            let away = centre - other;
            let distance = away.length();
            if distance > 0.0 && distance < ROOM {
                moved += away / distance * (0.25 * (ROOM - distance));
            }
        }
        moved.clamp(DVec3::ZERO, DVec3::splat(side))
    };
    centres.iter().map(push).collect()
}

fn bounds(mesh: &Mesh, rotation: DMat3, shift: DVec3) -> [DVec3; 2] {
    let placed = || mesh.vertices().iter().map(|&v| rotation * v + shift);
    [placed().fold(DVec3::INFINITY, DVec3::min), placed().fold(DVec3::NEG_INFINITY, DVec3::max)]
}
