//! How depth, overlap, solids and self-contacts of deforming bodies grow with their size.
//!
//!     cargo bench -p elbowroom-tests --bench cliffs
//!     cargo bench -p elbowroom-tests --bench cliffs -- deep 16k
//!
//! Words behind `--` pick rows: a size, a shape, *shallow* or *deep*. Each row is a pair of bodies
//! whose vertices are new in every frame, so that what is kept from frame to frame is what depends
//! on the triangles alone. A body is a ball, stretched to the height of a person and dented by
//! waves; *open* ones lack some triangles, *limbed* ones are joined from a trunk and balls that
//! reach into it, so that they meet themselves. Times are of the thread's own time on a core,
//! medians over frames, in ms a frame for the pair; `made` is what it takes to have both models,
//! and `score` a whole frame of `elbowroom score` from its vertices: both models, contact,
//! crossing, depth, volume and areas.

#[path = "common/clock.rs"]
mod clock;

use std::hint::black_box;
use std::sync::Arc;

use clock::thread_secs;
use elbowroom::internal::model::{MeshTopology, Model};
use elbowroom::internal::query::{
    Neighbours, Want, collide_self, intersects, overlap, penetration, solids,
};
use elbowroom::internal::traverse::Workspace;
use elbowroom::{Mesh, Pose};
use elbowroom_make::{icosphere, join, lat_long_sphere};
use elbowroom_motion::metrics::{self, Body};
use glam::DVec3;

/// How many frames a row has.
const FRAMES: usize = 12;

/// The sizes by name: 13,776 triangles on 6,890 vertices are those of SMPL.
fn balls() -> Vec<(&'static str, Mesh)> {
    vec![
        ("1k", icosphere(7)),
        ("4k", icosphere(14)),
        ("smpl", lat_long_sphere(83, 84)),
        ("16k", icosphere(28)),
        ("64k", icosphere(57)),
    ]
}

#[derive(Clone, Copy, PartialEq)]
enum Shape {
    Closed,
    Open,
    Limbed,
}

fn shaped(ball: &Mesh, shape: Shape) -> Mesh {
    match shape {
        Shape::Closed => ball.clone(),
        Shape::Open => {
            let kept = ball.triangles().iter().enumerate().filter(|(at, _)| at % 97 != 5);
            let kept = kept.map(|(_, triangle)| *triangle).collect();
            Mesh::new(ball.vertices().to_vec(), kept).expect("a part of a mesh")
        }
        Shape::Limbed => {
            let limb = |at: DVec3, size: f64| {
                let frequency = (ball.triangles().len() / 100).isqrt() as u32;
                let ball = icosphere(frequency.max(1));
                let moved = ball.vertices().iter().map(|&v| v * size + at).collect();
                ball.with_vertices(moved).expect("finite")
            };
            let limbs = [
                limb(DVec3::new(0.9, 0.2, 0.1), 0.35),
                limb(DVec3::new(-0.9, 0.25, 0.0), 0.35),
                limb(DVec3::new(0.1, 0.95, 0.05), 0.3),
                limb(DVec3::new(0.3, -0.9, 0.1), 0.3),
            ];
            join(&[ball.clone(), join(&limbs)])
        }
    }
}

/// The body as it is in a frame, moved along x.
fn posed(mesh: &Mesh, frame: usize, along: f64) -> Vec<DVec3> {
    let time = 0.3 * frame as f64;
    let place = |v: &DVec3| {
        let waves =
            DVec3::new((5.0 * v.y + time).sin(), (4.0 * v.z).sin(), (6.0 * v.x - time).cos());
        let p = *v + 0.04 * waves;
        DVec3::new(0.25 * p.x + along, 0.9 * p.y, 0.2 * p.z)
    };
    mesh.vertices().iter().map(place).collect()
}

struct Row {
    patterns: [Arc<MeshTopology>; 2],
    body: Body,
    frames: Vec<[Vec<DVec3>; 2]>,
}

impl Row {
    fn new(ball: &Mesh, shape: Shape, apart: f64) -> Self {
        let mesh = shaped(ball, shape);
        let patterns = [0, 1].map(|_| Arc::new(MeshTopology::new(mesh.clone())));
        let frame = |frame| [posed(&mesh, frame, 0.0), posed(&mesh, frame + 7, apart)];
        let body = Body::new(&mesh);
        Self { patterns, body, frames: (0..FRAMES).map(frame).collect() }
    }

    fn models(&self, frame: usize) -> [Model; 2] {
        let [a, b] = self.frames[frame].clone();
        [self.patterns[0].model(a).expect("finite"), self.patterns[1].model(b).expect("finite")]
    }

    /// The median time of a frame of metrics from its vertices, in ms.
    fn score(&self) -> f64 {
        let times = self.frames.iter().map(|[a, b]| {
            let begin = thread_secs();
            let [a, b] = [a, b].map(|points| self.body.at(points).expect("finite"));
            black_box(metrics::measure(&a, &b, false));
            1e3 * (thread_secs() - begin)
        });
        median(times.collect())
    }

    /// The median time of a question to new models, in ms, without what it takes to have the
    /// vertices.
    fn millis(&self, mut ask: impl FnMut(&Model, &Model)) -> f64 {
        let times = (0..FRAMES).map(|frame| {
            let [a, b] = self.models(frame);
            let begin = thread_secs();
            ask(&a, &b);
            1e3 * (thread_secs() - begin)
        });
        median(times.collect())
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn measure(row: &Row, workspace: &mut Workspace) -> Vec<f64> {
    let here = Pose::IDENTITY;
    let made = (0..FRAMES).map(|frame| {
        let begin = thread_secs();
        black_box(row.models(frame));
        1e3 * (thread_secs() - begin)
    });
    vec![
        median(made.collect()),
        row.millis(|a, b| {
            black_box(intersects(a, &here, b, &here));
        }),
        row.millis(|a, b| {
            black_box(solids(a, &here, b, &here, workspace));
        }),
        row.millis(|a, b| {
            black_box(penetration(a, &here, b, &here, None, workspace));
        }),
        row.millis(|a, b| {
            black_box(overlap(a, &here, b, &here, workspace));
        }),
        row.millis(|a, b| {
            black_box(penetration(a, &here, b, &here, None, workspace));
            black_box(overlap(a, &here, b, &here, workspace));
        }),
        row.millis(|a, _| {
            black_box(collide_self(a, Want::Count, Neighbours::Decide, workspace));
        }),
        row.score(),
    ]
}

fn main() {
    let words: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let is_picked = |row: [&str; 3]| words.iter().all(|word| row.contains(&word.as_str()));
    println!(
        "{:>6} {:>8} {:>8} {:>9} {:>7} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>9}   (ms; mm)",
        "size",
        "shape",
        "",
        "triangles",
        "pairs",
        "made",
        "touches",
        "solids",
        "deepest",
        "amount",
        "both",
        "self",
        "score",
        "depth"
    );
    let mut workspace = Workspace::default();
    for (size, ball) in &balls() {
        for (name, shape) in
            [("closed", Shape::Closed), ("open", Shape::Open), ("limbed", Shape::Limbed)]
        {
            for (how, apart) in [("shallow", 0.46), ("deep", 0.25)] {
                if !is_picked([*size, name, how]) {
                    continue;
                }
                let row = Row::new(ball, shape, apart);
                let times = measure(&row, &mut workspace);
                let [a, b] = row.models(0);
                let here = Pose::IDENTITY;
                let met = elbowroom::internal::query::triangle_pairs(&a, &here, &b, &here).len();
                let depth = penetration(&a, &here, &b, &here, None, &mut workspace);
                let triangles = a.mesh().triangles().len();
                print!("{size:>6} {name:>8} {how:>8} {triangles:>9} {met:>7}");
                for time in times {
                    print!(" {time:>8.3}");
                }
                println!(" {:>9.3}", depth.lower * 1e3);
            }
        }
    }
}
