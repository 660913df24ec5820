//! A sphere of nearly equal triangles: the icosahedron with its faces cut into a lattice.
//!
//! Each of the 20 faces becomes a triangular lattice of `frequency` rows, and every point is pushed
//! out to the sphere. Points on an edge are made once, from the edge's lower corner to its higher
//! one, so that both faces share them by index and the sphere is closed.

use std::collections::HashMap;

use elbowroom::Mesh;
use glam::DVec3;

use crate::circle::on_circle;
use crate::sheet::assert_countable;

/// A sphere of radius 1 around the origin with `20 frequency²` triangles: frequency 1 is the
/// icosahedron, 40 gives 32,000.
///
/// # Panics
/// If the frequency is 0, or too large for u32 to number the vertices.
pub fn icosphere(frequency: u32) -> Mesh {
    assert!(frequency > 0, "an icosphere has a frequency of at least 1");
    assert_countable(10 * u64::from(frequency) * u64::from(frequency));
    let mut lattice = Lattice { frequency, vertices: corners(), first_on_edge: HashMap::new() };
    let triangles = faces().iter().flat_map(|&face| lattice.cut(face)).collect();
    crate::mesh(lattice.vertices, triangles)
}

/// The upper pole, two rings of five, the lower pole.
fn corners() -> Vec<DVec3> {
    let height = 1.0 / 5_f64.sqrt();
    let ring = |steps: u32, y: f64| {
        let (cos, sin) = on_circle(steps, 10);
        DVec3::new(2.0 * height * cos, y, -2.0 * height * sin)
    };
    let upper = (0..5).map(|i| ring(2 * i, height));
    let lower = (0..5).map(|i| ring(2 * i + 1, -height));
    let poles = [DVec3::Y, DVec3::NEG_Y];
    let [top, bottom] = poles.map(std::iter::once);
    top.chain(upper).chain(lower).chain(bottom).collect()
}

fn faces() -> Vec<[u32; 3]> {
    let upper = |i: u32| 1 + i % 5;
    let lower = |i: u32| 6 + i % 5;
    let slice = |i| {
        [
            [0, upper(i), upper(i + 1)],
            [upper(i), lower(i), upper(i + 1)],
            [upper(i + 1), lower(i), lower(i + 1)],
            [11, lower(i + 1), lower(i)],
        ]
    };
    (0..5).flat_map(slice).collect()
}

struct Lattice {
    frequency: u32,
    vertices: Vec<DVec3>,
    /// The first vertex inside an edge, counted from its lower corner.
    first_on_edge: HashMap<[u32; 2], u32>,
}

impl Lattice {
    /// The triangles of a face; row 0 of its lattice is the corner `a`, row `frequency` the edge
    /// `bc`.
    fn cut(&mut self, [a, b, c]: [u32; 3]) -> Vec<[u32; 3]> {
        let n = self.frequency;
        let mut rows = vec![vec![a]];
        for row in 1..n {
            let mut indices = vec![self.on_edge(a, b, row)];
            indices.extend((1..row).map(|j| self.add([(a, n - row), (b, row - j), (c, j)])));
            indices.push(self.on_edge(a, c, row));
            rows.push(indices);
        }
        let between = (1..n).map(|j| self.on_edge(b, c, j));
        rows.push([b].into_iter().chain(between).chain([c]).collect());

        let mut triangles = Vec::with_capacity((n * n) as usize);
        for pair in rows.windows(2) {
            let (row, next) = (&pair[0], &pair[1]);
            for j in 0..row.len() {
                triangles.push([row[j], next[j], next[j + 1]]);
                if j + 1 < row.len() {
                    triangles.push([row[j], next[j + 1], row[j + 1]]);
                }
            }
        }
        triangles
    }

    /// The vertex `step` steps from one corner towards another.
    fn on_edge(&mut self, from: u32, to: u32, step: u32) -> u32 {
        let n = self.frequency;
        let (low, high) = (from.min(to), from.max(to));
        let known = self.first_on_edge.get(&[low, high]).copied();
        let first = known.unwrap_or_else(|| {
            let first = self.vertices.len() as u32;
            for k in 1..n {
                self.add([(low, n - k), (high, k), (high, 0)]);
            }
            self.first_on_edge.insert([low, high], first);
            first
        });
        let from_low = if from == low { step } else { n - step };
        first + from_low - 1
    }

    /// A new vertex: the weighted corners, pushed out to the sphere.
    fn add(&mut self, weighted: [(u32, u32); 3]) -> u32 {
        let sum: DVec3 = weighted
            .iter()
            .map(|&(corner, weight)| self.vertices[corner as usize] * f64::from(weight))
            .sum();
        self.vertices.push(sum / sum.length());
        self.vertices.len() as u32 - 1
    }
}
