//! W3: a wrinkled torus (20,000 triangles) tumbles over rough ground (98,000) and dips into it
//! again and again.

use elbowroom::Aabb;
use std::f64::consts::{PI, TAU};

use elbowroom_bench_protocol::files::Workload;
use glam::{DMat3, DVec3};

use super::{pose, rounded, turn, workload};

const COLUMNS: u32 = 245;
const ROWS: u32 = 200;
const SEED: u64 = 1003;
const POSES: u32 = 1300;

/// A torus whose lowest vertex swings between 50 mm above the ground and 20 mm deep in it, 60 times
/// on its way across. Teeth reach in between its vertices, so that two poses of three touch.
pub(super) fn ground() -> Workload {
    let ground = Heights::new(elbowroom_make::landscape(COLUMNS, ROWS, SEED));
    let torus = elbowroom_make::wrinkled_torus(100, 100);
    let poses = (0..POSES).map(|k| {
        let s = f64::from(k) / f64::from(POSES);
        let over = DVec3::new(7.4 * s - 3.7, 0.0, 2.6 * libm::sin(2.3 * TAU * s));
        let axis = DVec3::new(libm::sin(3.0 * s), 0.4, libm::cos(5.0 * s));
        let rotation = turn(axis, 9.0 * TAU * s) * turn(DVec3::Y, 4.0 * TAU * s);
        let clearance = ground.clearance(torus.vertices(), rotation, over);
        let wanted = 0.05 - 0.07 * (0.5 + 0.5 * libm::sin(120.0 * PI * s));
        let at = over + DVec3::Y * (wanted - clearance);
        [pose(DMat3::IDENTITY, DVec3::ZERO), pose(rotation, at)]
    });
    let poses: Vec<_> = poses.collect();
    workload(vec![("ground", rounded(&ground.mesh)), ("torus", rounded(&torus))], [0, 1], poses)
}

/// The ground's height, read off its grid of vertices.
struct Heights {
    mesh: elbowroom::Mesh,
    low: DVec3,
    high: DVec3,
}

impl Heights {
    fn new(mesh: elbowroom::Mesh) -> Self {
        let Aabb { min: low, max: high } = mesh.bounds();
        Self { mesh, low, high }
    }

    /// How far the lowest of the points is above the ground, measured straight down.
    fn clearance(&self, points: &[DVec3], rotation: DMat3, shift: DVec3) -> f64 {
        let above = |&point: &DVec3| {
            let at = rotation * point + shift;
            at.y - self.height(at)
        };
        points.iter().map(above).fold(f64::INFINITY, f64::min)
    }

    /// Between the four vertices around a place; columns run along +x, rows along −z.
    fn height(&self, at: DVec3) -> f64 {
        let along = |x: f64, low: f64, high: f64, cells: u32| {
            let cell = ((x - low) / (high - low) * f64::from(cells)).clamp(0.0, f64::from(cells));
            let first = cell.floor().min(f64::from(cells - 1));
            (first as usize, cell - first)
        };
        let (i, u) = along(at.x, self.low.x, self.high.x, COLUMNS);
        let (j, v) = along(-at.z, -self.high.z, -self.low.z, ROWS);
        let y = |i: usize, j: usize| self.mesh.vertices()[i * (ROWS as usize + 1) + j].y;
        let near = y(i, j) * (1.0 - u) + y(i + 1, j) * u;
        let far = y(i, j + 1) * (1.0 - u) + y(i + 1, j + 1) * u;
        near * (1.0 - v) + far * v
    }
}
