//! A piece of rolling ground with dents and teeth.
//!
//! The torus of the OBB tree's authors (Gottschalk, Lin and Manocha, `OBBTree`, 1996) moves over
//! such ground. Theirs is not published; this one only has the features they name.

use elbowroom::Mesh;
use glam::DVec3;

use crate::random::Random;
use crate::sheet::{assert_countable, open};

/// The length of a cell.
const CELL: f64 = 0.04;
/// One dent stands on each square of this length, one tooth on each square of half of it.
const PLOT: f64 = 1.4;
/// How rough the ground is.
const GRAIN: f64 = 0.004;

/// Open ground around the origin, seen from above counter-clockwise, with `2 columns rows`
/// triangles on cells of 4 cm. 245 by 200 make the 98,000 triangles of the workloads.
///
/// The seed shifts the hills and sets the grain.
///
/// # Panics
/// If there is no column or row, or more than u32 can number.
pub fn landscape(columns: u32, rows: u32, seed: u64) -> Mesh {
    assert!(columns > 0 && rows > 0, "a landscape of {columns} by {rows} cells has no ground");
    assert_countable((u64::from(columns) + 1) * (u64::from(rows) + 1));
    let mut random = Random::new(seed);
    let shift = [random.uniform(0.0, 100.0), random.uniform(0.0, 100.0)];
    let mut vertices = Vec::with_capacity((columns as usize + 1) * (rows as usize + 1));
    for i in 0..=columns {
        for j in 0..=rows {
            let x = CELL * (f64::from(i) - 0.5 * f64::from(columns));
            let z = CELL * (0.5 * f64::from(rows) - f64::from(j));
            let y = hills(x + shift[0], z + shift[1]) + dent(x, z) + tooth(x, z);
            vertices.push(DVec3::new(x, y + random.uniform(-GRAIN, GRAIN), z));
        }
    }
    crate::mesh(vertices, open(columns + 1, rows + 1))
}

fn hills(x: f64, z: f64) -> f64 {
    0.25 * libm::sin(1.3 * x + 0.4 * z) * libm::cos(1.1 * z)
}

fn dent(x: f64, z: f64) -> f64 {
    let [x, z] = [x, z].map(|at| from_middle(at / PLOT));
    -0.35 * libm::exp(-(x * x + z * z) / 0.03)
}

fn tooth(x: f64, z: f64) -> f64 {
    let [x, z] = [x, z].map(|at| from_middle(at / (0.5 * PLOT) + 0.25).abs());
    0.45 * (1.0 - 5.0 * x.max(z)).max(0.0)
}

/// How far a number is from the middle between two whole ones.
fn from_middle(at: f64) -> f64 {
    at - at.floor() - 0.5
}
