//! Queries of continuous collision detection with known answers: `benchmarks/ccd_sample_queries`
//! (Wang and others, 2021), `benchmarks/ccd_symbolic` and `benchmarks/scalable_ccd` (Belgrod and
//! others, 2023).
//!
//! A query is eight points: four corners at time 0 and the same at time 1. Coordinates are
//! fractions of integers whose denominator is a power of two, and all are f64. The answers are
//! those of a computer algebra system.

use std::path::{Path, PathBuf};

use super::cloth;
use super::{read_json, read_text};
use crate::brute::Soup;
use crate::moving::Moving;

/// What may meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A vertex, and a face of three corners.
    VertexFace,
    /// Two edges of two corners each.
    EdgeEdge,
}

/// Four corners that move, and whether they meet.
#[derive(Clone, Copy, Debug)]
pub struct Query {
    /// What they are.
    pub kind: Kind,
    /// The corners.
    pub corners: [Moving; 4],
    /// Whether they meet.
    pub is_contact: bool,
}

/// All sample queries, by their folder.
///
/// # Panics
/// If a file is not as expected.
pub fn samples(shared: &Path) -> Vec<(String, Vec<Query>)> {
    let root = shared.join("benchmarks/ccd_sample_queries");
    let mut all = Vec::new();
    for folder in children(&root).into_iter().filter(|path| path.is_dir()) {
        for (name, kind) in [("vertex-face", Kind::VertexFace), ("edge-edge", Kind::EdgeEdge)] {
            let mut queries = Vec::new();
            for file in children(&folder.join(name)) {
                let rows = rows(&file);
                for eight in rows.chunks(8) {
                    let is_contact = eight[0].1.unwrap_or_else(|| panic!("{}", file.display()));
                    queries.push(Query { kind, corners: corners(eight), is_contact });
                }
            }
            let folder = folder.file_name().unwrap_or_default().to_string_lossy();
            all.push((format!("{folder} {name}"), queries));
        }
    }
    all
}

/// The queries whose answers are kept beside them.
///
/// # Panics
/// If a file is not as expected.
pub fn symbolic(shared: &Path) -> Vec<Query> {
    let root = shared.join("benchmarks/ccd_symbolic");
    ["3ee", "5ee"]
        .iter()
        .flat_map(|name| {
            let answers: Vec<bool> =
                read_json(&root.join(format!("mma_bool/{name}_mma_bool.json")));
            let rows = rows(&root.join(format!("queries/{name}.csv")));
            assert_eq!(rows.len(), 8 * answers.len(), "{name}");
            let kind = Kind::EdgeEdge;
            let query = |(eight, is_contact)| Query { kind, corners: corners(eight), is_contact };
            rows.chunks(8).zip(answers).map(query).collect::<Vec<_>>()
        })
        .collect()
}

/// Two frames of a simulation, and queries between them.
pub struct Step {
    /// The folder's name.
    pub name: &'static str,
    /// The frames.
    pub frames: [Soup; 2],
    /// The queries, each with its corners' numbers.
    pub queries: Vec<(Query, [u32; 4])>,
}

/// The folders of simulations: their frames, and the number of the queries.
const STEPS: [(&str, [&str; 2], u32); 4] = [
    ("cloth-funnel", ["227.ply.gz", "228.ply.gz"], 227),
    ("cloth-ball", ["cloth_ball92.ply.gz", "cloth_ball93.ply.gz"], 92),
    ("armadillo-rollers", ["326.ply.gz", "327.ply.gz"], 326),
    ("n-body-simulation", ["balls16_18.ply.gz", "balls16_19.ply.gz"], 18),
];

/// How many simulations there are.
pub const COUNT: usize = STEPS.len();

/// A step of a simulation. Queries are made from the frames by their numbers: vertices come first,
/// then edges, ordered by the larger and then the smaller of their corners, then faces.
///
/// # Panics
/// If a file is not as expected.
pub fn step(shared: &Path, index: usize) -> Step {
    let (name, files, number) = STEPS[index];
    let root = shared.join("benchmarks/scalable_ccd").join(name);
    let frames = files.map(|file| cloth::ply(&root.join("frames").join(file)));
    let soup = &frames[0];
    let mut edges: Vec<[u32; 2]> = soup
        .triangles
        .iter()
        .flat_map(|&[p, q, r]| [[p, q], [q, r], [r, p]])
        .map(|[p, q]| [p.max(q), p.min(q)])
        .collect();
    edges.sort_unstable();
    edges.dedup();
    let vertices = soup.vertices.len();
    let edge = |id: usize| edges[id - vertices];
    let face = |id: usize| soup.triangles[id - vertices - edges.len()];
    let mut queries = Vec::new();
    for (suffix, kind) in [("vf", Kind::VertexFace), ("ee", Kind::EdgeEdge)] {
        let pairs: Vec<[usize; 2]> =
            read_json(&root.join(format!("boxes/{number}{suffix}.json.gz")));
        let answers: Vec<bool> =
            read_json(&root.join(format!("mma_bool/{number}{suffix}_mma_bool.json.gz")));
        assert_eq!(pairs.len(), answers.len(), "{name} {suffix}");
        for ([first, second], is_contact) in pairs.into_iter().zip(answers) {
            let corners = match kind {
                Kind::VertexFace => {
                    let [p, q, r] = face(first.max(second));
                    [first.min(second) as u32, p, q, r]
                }
                Kind::EdgeEdge => {
                    let ([p, q], [r, s]) = (edge(first), edge(second));
                    [p, q, r, s]
                }
            };
            let moving = |i: u32| [0, 1].map(|frame: usize| frames[frame].vertices[i as usize]);
            queries.push((Query { kind, corners: corners.map(moving), is_contact }, corners));
        }
    }
    Step { name, frames, queries }
}

fn children(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths
}

/// A point a line, and an answer where there is one.
fn rows(path: &Path) -> Vec<([f64; 3], Option<bool>)> {
    let text = read_text(path);
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        assert!(cells.len() >= 6, "{}: {line}", path.display());
        let answer = cells.get(6).map(|&cell| cell == "1");
        (std::array::from_fn(|axis| fraction(cells[2 * axis], cells[2 * axis + 1])), answer)
    };
    text.lines().filter(|line| !line.trim().is_empty()).map(row).collect()
}

/// A fraction that is an f64.
fn fraction(above: &str, below: &str) -> f64 {
    let integer = |text: &str| -> i128 { text.parse().unwrap_or_else(|e| panic!("{text}: {e}")) };
    let (above, below) = (integer(above), integer(below));
    let is_power = below.count_ones() == 1;
    let is_short = above == 0 || above.unsigned_abs() >> above.trailing_zeros() < 1 << 53;
    assert!(is_power && is_short, "{above}/{below} is no f64");
    above as f64 / below as f64
}

fn corners(eight: &[([f64; 3], Option<bool>)]) -> [Moving; 4] {
    std::array::from_fn(|i| [eight[i].0, eight[i + 4].0])
}
